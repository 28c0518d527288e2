"""What every program needs: command line, progress, errors, seeds, the choice of NumPy or CuPy, catalogues."""
