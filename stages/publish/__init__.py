"""Publishing a finished run, packing finished networks of a running one, and restoring both."""
