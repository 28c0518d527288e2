# Names, paths, settings as text, and what a job needs of the machine, for all that follows.

import json
import shlex

from snakemake.settings.types import DeploymentMethod

from stages.attack import methods
from stages.plan import experiment, shown, stage_settings, stage_table
from stages.plan.code_identity import code_identity
from stages.plan.freshness import Freshness
from stages.plan.machine import Machine
from stages.plan.paper_figures import FIGURES
from stages.plan.paper_tables import TABLES

PRESET = config["preset"]
RESULTS = f"results/{PRESET}"
RUNS = experiment.runs(config)
DATA = stage_table.data_stores(config)
FOLDERS = stage_table.folder_models(config)  # {"noise": its models, "attack/fgsm": ...}
USUAL = stage_table.usual_folders(config)
SHOWN = shown.present(config, FIGURES | TABLES)
SHOWN_FIGURES = [name for name in SHOWN if name in FIGURES]
SHOWN_TABLES = [name for name in SHOWN if name in TABLES]
BEYOND = {stage.target for stage in stage_table.STAGES.values() if stage.beyond and not config["beyond"]}
REFERENCE = ROOT / "workflow/reference"
# What `make publish` left of the run at the paper's scale: its verdicts stand beside those of a smaller run.
PUBLISHED = [ROOT / "workflow/published/paper" / name for name in ("claims.csv", "experiment.yaml")]
PUBLISHED = PUBLISHED if PRESET != "paper" and all(path.is_file() for path in PUBLISHED) else []
MACHINE = Machine(config)
# Where results lie on disk: a module of another workflow may give them a prefix.
FRESHNESS = Freshness(config, f"{workflow.modifier.path_modifier.prefix or ''}{RESULTS}")
if workflow.is_main_process and not workflow.output_settings.dryrun:
    FRESHNESS.leave_the_future()


container: f"images/snode-{'gpu' if config['execution']['device'] == 'gpu' else 'cpu'}.sif"


wildcard_constraints:
    digits=r"digits(-\d+)?",
    model="|".join(map(re.escape, FOLDERS["train"])),
    attack="|".join(map(re.escape, config["attack"]["attacks"])),
    run=r"\d+",
    figure="|".join(SHOWN_FIGURES),
    table="|".join(SHOWN_TABLES),


# The code that is tracked must be the code that runs, also with --directory and from an image with a copy of its own.
# A prefix replaces Snakemake's own, so strict mode has to be asked for again.
_paths = f"export PYTHONPATH={shlex.quote(str(ROOT))}"
if DeploymentMethod.APPTAINER not in workflow.deployment_settings.deployment_method:
    # The environment of the snakemake that runs this, whether or not it was activated.
    _paths += f" PATH={shlex.quote(os.path.dirname(sys.executable))}:$PATH"
shell.prefix(f"set -euo pipefail; {_paths}; ")


def as_json(settings):
    """Return settings as one text: Snakemake compares parameters as a set, in which two swapped values look alike."""
    return json.dumps(settings, sort_keys=True)


def store(name):
    """Return a store as an input: followed through its manifest, so its own time does not matter."""
    return ancient(f"{RESULTS}/{name}.zarr")


def manifest(name):
    """Return a store's manifest: it holds a digest, so the same content made again reruns nothing."""
    return f"{RESULTS}/{name}.json"


def outputs(name):
    """Return the store that a rule makes, with its manifest."""
    return {"store": directory(f"{RESULTS}/{name}.zarr"), "manifest": manifest(name)}


def stores(folder):
    return [store(f"{folder}/{model}/run{run}") for model in FOLDERS[folder] for run in RUNS]


def manifests(folder):
    return [manifest(f"{folder}/{model}/run{run}") for model in FOLDERS[folder] for run in RUNS]


def targets_of_stages():
    """Return {target: stores and manifests} of every stage."""
    found = {}
    for folder, (stage, _) in stage_table.folders(config).items():
        found.setdefault(stage.target, []).extend(stores(folder) + manifests(folder))
    return found


def make_again_if_misleading(name):
    """Let Snakemake make a store that does not fit although times and records say so (stages/plan/freshness.py)."""
    if workflow.is_main_process and FRESHNESS.misleads(name):
        workflow.dag.forcefiles.add(manifest(name))


def show_again_if_otherwise(path):
    """The same for a figure, a table, the claims or the report, by its path below the results."""
    if workflow.is_main_process and FRESHNESS.shows_otherwise(path):
        workflow.dag.forcefiles.add(f"{RESULTS}/{path}")


def inputs(folder):
    """Return a rule's inputs, {role: store} and {role_manifest: its manifest}, from the table of stages."""

    def of_job(wildcards):
        part = folder.format(**wildcards)
        for run in [wildcards.run] if hasattr(wildcards, "run") else RUNS:
            make_again_if_misleading(f"{part}/{wildcards.model}/run{run}")
        names = stage_table.folder_inputs(config, part, **wildcards)
        return {role: store(name) for role, name in names.items()} | {
            f"{role}_manifest": manifest(name) for role, name in names.items()
        }

    return of_job


def settings(folder):
    """Return a rule's settings, as text, from the table of stages."""
    return lambda wildcards: as_json(stage_table.folder_settings(config, folder.format(**wildcards), wildcards.model))


def own_files(wildcards):
    """Return a user's own files, where there are any: a changed one is copied again. The program reports a missing one."""
    make_again_if_misleading("data/raw")
    return filter(os.path.isfile, stage_settings.data_settings(config).get("files", {}).values())


def raw_digits(wildcards):
    make_again_if_misleading(f"data/{wildcards.digits}")
    return ancient(f"{RESULTS}/data/raw")


def attack_code(wildcards):
    """Return the identity of an attack's code: the program finds its method by name, which counts for its stores alone."""
    method = config["attack"]["attacks"][wildcards.attack]["method"]
    return code_identity("stages.attack.attack_network", methods.module_of(method))


# What depends on inputs or outputs Snakemake does not track: a moved clone or a module's prefix is no reason to run again.


def results_folder(wildcards, output):
    return next(folder for folder in Path(output[0]).parents if folder.name == PRESET)


def reference_folder(wildcards, input):
    return Path(input.reference[0]).parent


def reference_option(wildcards, input):
    return f"--reference {input.reference}" if hasattr(input, "reference") and input.reference else ""


# --- what is shown of them: this experiment's tables and figures ------------------------------------------------------


def shown_stores(wildcards):
    """Return the stores behind a figure or table."""
    name, chosen = wildcards[0], SHOWN[wildcards[0]]
    show_again_if_otherwise(f"figures/{name}.png" if name in FIGURES else f"tables/{name}.csv")
    names = [f"{folder}/{model}/run{run}" for folder, model, run in shown.inputs_of(config, chosen)]
    return [store(name) for name in names + ["data/digits"] * (chosen.digits or chosen.stage == "data")]


def judged_stores(wildcards):
    """Return all stores that claims look at."""
    show_again_if_otherwise("claims.csv")
    return [store for folder in USUAL for store in stores(folder)]


def shown_tables(wildcards):
    """Return the tables of the report."""
    show_again_if_otherwise("report.html")
    return [f"{RESULTS}/tables/{name}.csv" for name in SHOWN_TABLES]


def shown_manifests(wildcards):
    return [str(path).replace(".zarr", ".json") for path in shown_stores(wildcards)]


def shown_settings(wildcards):
    return as_json(shown.settings_of(config, wildcards[0], SHOWN[wildcards[0]]))


def shown_program(wildcards):
    return SHOWN[wildcards[0]].program


def shown_code(wildcards):
    return code_identity(shown_program(wildcards))


def shown_caption(wildcards, output):
    """Return the caption for Snakemake's own report; what depends on the output is no reason to draw again."""
    return SHOWN[wildcards[0]].caption


def in_snakemakes_report(wildcards):
    chosen = SHOWN[wildcards[0]]
    return {"paper": chosen.place, "shows": chosen.title}


SHOWN_PARAMS = {
    "results": results_folder,
    "reference": reference_option,
    "program": shown_program,
    "settings": shown_settings,
    "code": shown_code,
    "caption": shown_caption,
}
