"""What every program needs while it runs: command line, progress, errors, seeds, NumPy or CuPy, catalogues."""
