"""What every program needs: command line, progress, errors, seeds, processes, NumPy or CuPy, catalogues."""
