# Names, paths, settings as text and resources of jobs, shared by all rules.

import functools
import json
import shlex

from snakemake.settings.types import DeploymentMethod

from stages.plan import experiment, exhibit, stage_settings, stage_table
from stages.plan.code_identity import code_identity, used_modules
from stages.plan.costs_here import costs_here
from stages.plan.freshness import Freshness
from stages.plan.machine import Machine
from stages.plan.all_exhibits import FIGURES, TABLES, files_of
from stages.plan.snakemake_adapter import SnakemakeAdapter
from stages.playground import chosen_models

PRESET = config["preset"]
RESULTS = f"results/{PRESET}"
RUNS = experiment.runs(config)
DATA = stage_table.data_stores(config)
FOLDERS = stage_table.folder_models(config)  # {"noise": its models, "attack/fgsm": ...}
GIVEN = experiment.given(config)  # networks that were trained elsewhere, by model
USUAL = stage_table.usual_folders(config)
JUDGED = stage_table.judged_models(config)
EXHIBITS = exhibit.present(config, FIGURES | TABLES)
FIGURE_NAMES = [name for name in EXHIBITS if name in FIGURES]
TABLE_NAMES = [name for name in EXHIBITS if name in TABLES]
NOT_ASKED_FOR = {stage.target for stage in stage_table.STAGES.values() if stage.beyond and not config["beyond"]}
# Files of the project as inputs: relative if it is the working directory, so that a moved clone reruns nothing.
PROJECT = Path() if ROOT == Path.cwd() and not AS_MODULE else ROOT
REFERENCE = PROJECT / "workflow/reference"
# The published run at the paper's scale (make publish): its verdicts are shown beside those of a smaller run.
PUBLISHED = [PROJECT / "workflow/published/paper" / name for name in ("claims.csv", "experiment.yaml")]
PUBLISHED = PUBLISHED if PRESET != "paper" and all(path.is_file() for path in PUBLISHED) else []
MACHINE = Machine(config)
SNAKEMAKE = SnakemakeAdapter(workflow)
FRESHNESS = Freshness(config, f"{SNAKEMAKE.prefix}{RESULTS}", SNAKEMAKE.has_record)
if SNAKEMAKE.runs:
    FRESHNESS.bring_times_back()


container: f"images/snode-{'gpu' if config['execution']['device'] == 'gpu' else 'cpu'}.sif"


wildcard_constraints:
    digits=r"digits(-\d+)?",
    model="|".join(map(re.escape, FOLDERS["train"])),
    attack="|".join(map(re.escape, config["attack"]["attacks"])),
    run=r"\d+",
    figure="|".join(FIGURE_NAMES),
    table="|".join(TABLE_NAMES),


# The tracked code must be the code that runs, also with --directory and in a container image that has its own copy.
# This prefix replaces Snakemake's own, so strict mode is set again.
_paths = f"export PYTHONPATH={shlex.quote(str(ROOT))}"
if DeploymentMethod.APPTAINER not in workflow.deployment_settings.deployment_method:
    # Use the environment of the running snakemake, activated or not.
    _paths += f" PATH={shlex.quote(os.path.dirname(sys.executable))}:$PATH"
shell.prefix(f"set -euo pipefail; {_paths}; ")


def as_json(settings):
    """Return settings as one text: Snakemake compares parameters as a set, which does not show two swapped values."""
    return json.dumps(settings, sort_keys=True)


def store(name):
    """Return a store as an input; its manifest is tracked instead, so its own time does not matter."""
    return ancient(f"{RESULTS}/{name}.zarr")


def manifest(name):
    """Return a store's manifest: it contains a digest, so recomputing the same content reruns nothing."""
    return f"{RESULTS}/{name}.json"


def outputs(name):
    """Return the store that a rule makes, with its manifest."""
    return {"store": directory(f"{RESULTS}/{name}.zarr"), "manifest": manifest(name)}


def with_manifests(names):
    """Return stores as a rule's inputs, with their manifests."""
    return {"stores": [store(name) for name in names], "manifests": [manifest(name) for name in names]}


def names_of_stores(folder, models):
    return [f"{folder}/{model}/run{run}" for model in models for run in experiment.runs_of(config, model)]


def targets_of_stages():
    """Return {target: stores and manifests} of every stage."""
    found = {}
    for folder, (stage, _) in stage_table.folders(config).items():
        for files in with_manifests(names_of_stores(folder, FOLDERS[folder])).values():
            found.setdefault(stage.target, []).extend(files)
    return found


def make_again_if_misleading(name):
    """Make Snakemake remake an outdated store whose times and records look fine (stages/plan/freshness.py)."""
    if SNAKEMAKE.plans and FRESHNESS.misleads(name):
        SNAKEMAKE.make_again(manifest(name))


def show_again_if_otherwise(path):
    """The same for a figure, a table, the claims or the report, given by its path below the results."""
    if SNAKEMAKE.plans and FRESHNESS.shows_otherwise(path):
        SNAKEMAKE.make_again(f"{RESULTS}/{path}")


def inputs(folder):
    """Return a rule's inputs, {role: store} and {role_manifest: its manifest}, from the table of stages."""

    def of_job(wildcards):
        part = folder.format(**wildcards)
        runs = experiment.runs_of(config, wildcards.model)
        for run in [wildcards.run] if hasattr(wildcards, "run") else runs:
            make_again_if_misleading(f"{part}/{wildcards.model}/run{run}")
        names = stage_table.folder_inputs(config, part, **wildcards)
        return {role: store(name) for role, name in names.items()} | {
            f"{role}_manifest": manifest(name) for role, name in names.items()
        }

    return of_job


@functools.cache  # the runs of a model share them
def settings_of(folder, model):
    """Return the settings of a folder's stores of a model."""
    return stage_table.folder_settings(config, folder, model)


def settings(folder):
    """Return a rule's settings, as text, from the table of stages."""
    return lambda wildcards: as_json(settings_of(folder.format(**wildcards), wildcards.model))


def code(folder, program):
    """Return the identity of a rule's code: the program, and the catalogue entries that the job's settings name."""

    @functools.cache
    def of_model(part, model):
        return code_identity(program, *used_modules(settings_of(part, model)))

    return lambda wildcards: of_model(folder.format(**wildcards), wildcards.model)


def stage_params(folder, program):
    """Return the parameters of a rule that evaluates or attacks trained networks."""
    return {"program": program, "settings": settings(folder), "code": code(folder, program)}


def own_files(wildcards):
    """Return the user's own image files that exist: changed ones are copied again, the program reports missing ones."""
    make_again_if_misleading("data/raw")
    return filter(os.path.isfile, stage_settings.data_settings(config).get("files", {}).values())


def raw_digits(wildcards):
    make_again_if_misleading(f"data/{wildcards.digits}")
    return ancient(f"{RESULTS}/data/raw")


# Snakemake does not track parameters that depend on inputs or outputs: a moved clone or a new prefix reruns nothing.


def results_folder(wildcards, output):
    return next(folder for folder in Path(output[0]).parents if folder.name == PRESET)


def reference_folder(wildcards, input):
    return Path(input.reference[0]).parent


def reference_option(wildcards, input):
    return f"--reference {input.reference}" if hasattr(input, "reference") and input.reference else ""


# --- tables and figures of this experiment ----------------------------------------------------------------------------


def exhibit_inputs(wildcards):
    """Return the stores behind a figure or table."""
    record = EXHIBITS[wildcards[0]]
    show_again_if_otherwise(files_of(wildcards[0])[0])
    names = [f"{folder}/{model}/run{run}" for folder, model, run in exhibit.inputs_of(config, record)]
    return with_manifests(names + ["data/digits"] * record.shows_digits)


def judged_inputs(wildcards):
    """Return all stores that claims use."""
    show_again_if_otherwise("claims.csv")
    return with_manifests([name for folder, models in JUDGED.items() for name in names_of_stores(folder, models)])


def report_tables(wildcards):
    """Return the tables of the report."""
    show_again_if_otherwise("report.html")
    return [f"{RESULTS}/tables/{name}.csv" for name in TABLE_NAMES]


def in_snakemakes_report(wildcards):
    record = EXHIBITS[wildcards[0]]
    return {"paper": record.place, "shows": record.title}


EXHIBIT_PARAMS = {
    "results": results_folder,
    "reference": reference_option,
    "program": lambda wildcards: EXHIBITS[wildcards[0]].program,
    "settings": lambda wildcards: as_json(exhibit.settings_of(config, wildcards[0], EXHIBITS[wildcards[0]])),
    "code": lambda wildcards: code_identity(EXHIBITS[wildcards[0]].program),
    # For Snakemake's own report. It is a function of the output, too, so that an edited caption redraws nothing.
    "caption": lambda wildcards, output: EXHIBITS[wildcards[0]].caption,
}
