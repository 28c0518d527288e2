# Names, paths, settings as text, and what a job needs of the machine, for all that follows.

import json
import shlex

from snakemake.settings.types import DeploymentMethod

RESULTS = f"results/{config['preset']}"
DEVICE = config["execution"]["device"]
GPUS = int(DEVICE == "gpu")  # of a job that computes: Slurm's partition and a workstation's queue follow from it
CONTAINER = f"images/snode-{'gpu' if DEVICE == 'gpu' else 'cpu'}.sif"
STAGE_MODELS = experiment.stage_models(config)
MODELS = STAGE_MODELS["train"]
ATTACKS = list(config["attack"]["attacks"])
RUNS = experiment.runs(config)


wildcard_constraints:
    model="|".join(map(re.escape, MODELS)),
    attack="|".join(map(re.escape, ATTACKS)),
    run=r"\d+",


# The code that is tracked must be the code that runs, also with --directory and from an image with a copy of its own.
# A prefix replaces Snakemake's own, so strict mode has to be asked for again.
_paths = f"export PYTHONPATH={shlex.quote(str(workflow.basedir))}"
if DeploymentMethod.APPTAINER not in workflow.deployment_settings.deployment_method:
    # The environment of the snakemake that runs this, whether or not it was activated.
    _paths += f" PATH={shlex.quote(os.path.dirname(sys.executable))}:$PATH"
shell.prefix(f"set -euo pipefail; {_paths}; ")


def as_json(settings):
    """Return settings as one text: Snakemake compares parameters as a set, in which two swapped values look alike."""
    return json.dumps(settings, sort_keys=True)


def stores(stage, models, runs=RUNS):
    """Return the stores of a stage: followed through their manifests, so their own times do not matter."""
    return [ancient(f"{RESULTS}/{stage}/{model}/run{run}.zarr") for model in models for run in runs]


def manifests(stage, models, runs=RUNS):
    """Return the manifests of those stores: they hold a digest, so the same content made again reruns nothing."""
    return [f"{RESULTS}/{stage}/{model}/run{run}.json" for model in models for run in runs]


# --- what is shown of them: this experiment's tables and figures ------------------------------------------------------

from stages.figures import catalogue, contents

FIGURE_NAMES = contents.available(config, catalogue.FIGURES)
TABLE_NAMES = contents.available(config, catalogue.TABLES)
FIGURES = [f"{RESULTS}/figures/{name}.{kind}" for name in FIGURE_NAMES for kind in ("png", "pdf")]
TABLES = [f"{RESULTS}/tables/{name}.{kind}" for name in TABLE_NAMES for kind in ("csv", "md", "tex")]
REFERENCE = f"{workflow.basedir}/workflow/reference"
SHOWN_MODELS = {name: contents.models_of(config, name) for name in (*catalogue.FIGURES, *catalogue.TABLES)}
SHOWN_ATTACKS = {name: contents.attacks_of(config, name) for name in (*catalogue.FIGURES, *catalogue.TABLES)}


# --- what a job needs of the machine: from the config's sizes, more at each retry -------------------------------------

WIDTH = config["data"]["side"] ** 2
BYTES = 8 if config["network"]["precision"] == "float64" else 4
WEIGHTS_MB = config["network"]["depth"] * WIDTH * (WIDTH + 1) * BYTES / 1e6
DIGITS_MB = ((config["data"]["train"] or 60000) + (config["data"]["test"] or 10000)) * WIDTH * 4 / 1e6
PROGRAM_MB = 250 + 300  # Python, NumPy, xarray and Zarr; and the two Snakemakes around them in a Slurm job
FLOPS_A_MINUTE = 60 * 20e9  # what a slow core does


def product_minutes(samples, products):
    """Return the minutes that `products` products a layer over `samples` columns take on a slow core."""
    return 2.0 * samples * products * config["network"]["depth"] * WIDTH**2 / FLOPS_A_MINUTE


def train_memory(runs):
    states = 4 * config["network"]["depth"] * WIDTH * config["training"]["batch"] * BYTES / 1e6
    return lambda wildcards, attempt: int(attempt * (PROGRAM_MB + 3 * DIGITS_MB + runs * (6 * WEIGHTS_MB + states)))


def train_runtime(runs):
    def minutes(wildcards, attempt):
        trainer = config["trainers"][experiment.split_model(wildcards.model)[0]]
        samples = (config["data"]["train"] or 60000) * config["training"]["iterations"] * trainer["epochs"]
        cost = 10 if trainer["solver"] == "ode45" else 1.5
        return int(attempt * (10 + runs * cost * product_minutes(samples, 5)))

    return minutes


def evaluate_memory(wildcards, attempt):
    blocks = 8 * config["network"]["depth"] * WIDTH * 200 * BYTES / 1e6
    return int(attempt * (PROGRAM_MB + 3 * DIGITS_MB + 6 * WEIGHTS_MB + blocks))


def evaluate_runtime(solves):
    """Return the minutes for `solves` direct solves of all images."""
    samples = (config["data"]["train"] or 60000) + (config["data"]["test"] or 10000)
    return lambda wildcards, attempt: int(attempt * (10 + solves * product_minutes(samples, 1.5)))


FIGURE_MB = int(PROGRAM_MB + 200 + 6 * WEIGHTS_MB)  # matplotlib, and a store with the copies that checking it takes
