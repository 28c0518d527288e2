# Standalone neural ODEs with sensitivity analysis, end to end.
# Data flows in the order of the includes; `snakemake --list` lists the targets.

import gc
import os
import re
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version

min_version("9.27")
# A plan is hundreds of thousands of objects that stay. Python would look for garbage among them again and again, which
# took a sixth of a run that has nothing to do. What is imported by now is left out of every search.
gc.freeze()
gc.set_threshold(200_000)

# The project's folder, for any working directory and also if another workflow includes this file as a module.
HOME = workflow.current_basedir.get_path_or_uri(secret_free=True)
if "://" in HOME:
    raise WorkflowError(
        f"wanted a clone of this project on disk, found {HOME}: clone it, then name the clone's Snakefile"
    )
ROOT = Path(HOME).resolve()
sys.path.insert(0, str(ROOT))
from stages.storage import whole_files
from stages.runtime.errors import UserError
from stages.config import checks as config_checks, configuration

try:
    # The config.yaml of a workflow that uses this one as a module is not ours.
    OWN_ENTRIES = [ROOT / "Snakefile", ROOT / "workflow/Snakefile"]
    AS_MODULE = Path(workflow.main_snakefile).resolve() not in OWN_ENTRIES
    CONFIG_FILE = configuration.config_file(ROOT, ROOT if AS_MODULE else ".")
    config.update(configuration.load(ROOT, overrides=config, file=CONFIG_FILE))
    config_checks.check(config, ROOT, CONFIG_FILE)
    if workflow.is_main_process:
        whole_files.require_writable(".")  # Snakemake keeps its records here
except UserError as problem:
    raise WorkflowError(str(problem)) from None


onstart:
    try:
        whole_files.require_writable(RESULTS)
    except UserError as problem:
        raise WorkflowError(str(problem)) from None
    SNAKEMAKE.sign_lock()
    SNAKEMAKE.start_jobs_at_once()
    SNAKEMAKE.announce_costs(costs_here(config, FRESHNESS).of_job)


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/1_data.smk"
include: "workflow/rules/2_train.smk"
include: "workflow/rules/3_evaluate.smk"
include: "workflow/rules/4_attack.smk"
include: "workflow/rules/5_exhibits.smk"
include: "workflow/rules/6_report.smk"


# Named targets. They list every file, since Snakemake notices a deleted file only if a target names it.
TARGETS = {
    "data": [file(name) for name in DATA if name != "data/raw" for file in (store, manifest)],
    **targets_of_stages(),
    "tables": [f"{RESULTS}/{file}" for name in TABLE_NAMES for file in files_of(name)],
    "figures": [f"{RESULTS}/{file}" for name in FIGURE_NAMES for file in files_of(name)],
    "claims": rules.judge_claims.output,
    "report": rules.write_report.output,
    "playground": rules.write_playground.output,
}


for name, files in TARGETS.items():

    rule:
        name:
            name
        input:
            files,
        localrule: True
        message:
            f"{name}: all there"


rule all:
    default_target: True
    input:
        *(files for target, files in TARGETS.items() if target not in NOT_ASKED_FOR),
    localrule: True
    message:
        "all there"
