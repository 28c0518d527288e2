# Standalone neural ODEs with sensitivity analysis, end to end.
# Data flows in the order of the includes; `snakemake --list` names the parts that can be asked for.

import os
import sys

from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version

min_version("9.27")


configfile: "config.yaml"


sys.path.insert(0, str(workflow.basedir))
from stages import configuration, experiment, freshness, whole_files
from stages.code_identity import code_identity
from stages.errors import UserError

try:
    PRESET = experiment.preset_path(Path(workflow.basedir), config.get("preset"))
except UserError as problem:
    raise WorkflowError(str(problem)) from None


configfile: PRESET


try:
    configuration.check(config, Path(workflow.basedir))
    if workflow.is_main_process:
        whole_files.require_writable(".")  # Snakemake keeps its records here
        freshness.mend(config, f"results/{config['preset']}")
except UserError as problem:
    raise WorkflowError(str(problem)) from None


onstart:
    try:
        whole_files.require_writable(RESULTS)
    except UserError as problem:
        raise WorkflowError(str(problem)) from None


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/1_data.smk"
include: "workflow/rules/2_train.smk"
include: "workflow/rules/3_evaluate.smk"
include: "workflow/rules/4_attack.smk"
include: "workflow/rules/5_tables.smk"
include: "workflow/rules/6_figures.smk"
include: "workflow/rules/7_attack_figures.smk"
include: "workflow/rules/8_report.smk"


localrules:
    all,
    data,
    train,
    noise,
    sensitivity,
    solvers,
    attacks,
    tables,
    figures,
    claims,
    report,


# The parts that can be asked for by name. Snakemake misses a deleted file only where a target names it: so they name all.


rule data:
    input:
        f"{RESULTS}/data/digits.zarr",
        f"{RESULTS}/data/digits.json",


rule train:
    input:
        stores("train", STAGE_MODELS["train"]),
        manifests("train", STAGE_MODELS["train"]),


rule noise:
    input:
        stores("noise", STAGE_MODELS["noise"]),
        manifests("noise", STAGE_MODELS["noise"]),


rule sensitivity:
    input:
        stores("sensitivity", STAGE_MODELS["sensitivity"]),
        manifests("sensitivity", STAGE_MODELS["sensitivity"]),


rule solvers:
    input:
        stores("solvers", STAGE_MODELS["solvers"]),
        manifests("solvers", STAGE_MODELS["solvers"]),


rule attacks:
    input:
        [stores(f"attack/{attack}", STAGE_MODELS[f"attack/{attack}"]) for attack in ATTACKS],
        [manifests(f"attack/{attack}", STAGE_MODELS[f"attack/{attack}"]) for attack in ATTACKS],


rule tables:
    input:
        TABLES,


rule figures:
    input:
        FIGURES,


rule claims:
    input:
        rules.judge_claims.output,


rule report:
    input:
        f"{RESULTS}/report.html",


rule all:
    default_target: True
    input:
        rules.data.input,
        rules.train.input,
        rules.noise.input,
        rules.sensitivity.input,
        rules.solvers.input,
        rules.attacks.input,
        rules.tables.input,
        rules.figures.input,
        rules.claims.input,
        rules.report.input,
