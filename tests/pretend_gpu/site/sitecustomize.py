"""Python runs this at its start where this folder is on PYTHONPATH: so every program meets the device."""

import os

if os.environ.get("SNODE_PRETEND_GPU"):
    import pretend_cuda

    pretend_cuda.install()
