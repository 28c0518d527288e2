"""What an iteration of five runs costs the host on a GPU: by the path made for it, against the path of a CPU."""

import json
import os
import subprocess
from pathlib import Path

from findings import compared_with_a_floor

TITLE = "The host's time an iteration, on a pretend device that computes for nothing (five runs in lockstep)"
ROOT = Path(__file__).resolve().parents[2]
DEVICE, PYTHON = ROOT / ".pretend-gpu", ROOT / ".venv" / "bin" / "python"
GOAL = 0.1


def run(repetitions):
    if not (DEVICE / "identity").exists():
        print("skipped: make test-gpu builds the pretend device")
        return
    paths = os.pathsep.join(map(str, (ROOT / "tests" / "pretend_gpu" / "site", ROOT)))
    environment = {**os.environ, "PYTHONPATH": paths, "SNODE_PRETEND_GPU": str(DEVICE)}
    command = [PYTHON, Path(__file__).with_name("host_time_on_a_gpu.py"), str(repetitions)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    for subject, paths in json.loads(done.stdout).items():
        (ours, launches), (theirs, more) = (
            zip(*paths[path], strict=True) for path in ("all at once", "layer by layer")
        )
        note = f"{launches[0]:.0f} launches and products, not {more[0]:.0f}"
        yield compared_with_a_floor(subject, ours, theirs, GOAL, against="layer by layer", note=note)
