# Training: one job per model and run, or one per model with all its runs in lockstep (execution.lockstep, for GPUs).
# Networks that were trained elsewhere are imported instead.
# Device and checkpoints are resources, which Snakemake does not track: changing how to run reruns nothing.

LOCKSTEP = config["execution"]["lockstep"]
TRAIN_JOB = "lockstep" if LOCKSTEP else "run{run}"
TRAIN_JOB_RUNS = RUNS if LOCKSTEP else ["{run}"]
TRAINED = [model for model in FOLDERS["train"] if model not in GIVEN]
# Models with fewer runs than the others, such as readings and twins, train them one by one also with lockstep.
FEWER_RUNS = [model for model in TRAINED if LOCKSTEP and experiment.runs_of(config, model) != RUNS]


# A network of models.given: trained elsewhere, and from here on a trained network as any other.
rule import_network:
    input:
        unpack(inputs("train")),
    output:
        **outputs("train/{model}/run0"),
    log:
        f"{RESULTS}/logs/train/{{model}}/run0.log",
    benchmark:
        f"{RESULTS}/benchmarks/train/{{model}}/run0.tsv"
    wildcard_constraints:
        model="|".join(map(re.escape, GIVEN)) or "(?!)",
    resources:
        **MACHINE.evaluating(1),
    params:
        # No input: its SHA-256 is among the settings, so that a changed file counts, and neither its time nor its place.
        file=lambda wildcards, output: GIVEN[wildcards.model]["file"],
        settings=settings("train"),
        code=code("train", "stages.exchange.import_network"),
    message:
        "import_network: {wildcards.model}"
    shell:
        "python -m stages.exchange.import_network {params.file:q} --settings {params.settings:q}"
        " --digits {input.digits} --out {output.store} --device {resources.device} > {log} 2>&1"


rule train_network:
    input:
        unpack(inputs("train")),
    output:
        stores=[directory(f"{RESULTS}/train/{{model}}/run{run}.zarr") for run in TRAIN_JOB_RUNS],
        manifests=[f"{RESULTS}/train/{{model}}/run{run}.json" for run in TRAIN_JOB_RUNS],
    log:
        f"{RESULTS}/logs/train/{{model}}/{TRAIN_JOB}.log",
    benchmark:
        f"{RESULTS}/benchmarks/train/{{model}}/{TRAIN_JOB}.tsv"
    wildcard_constraints:
        model="|".join(re.escape(model) for model in TRAINED if model not in FEWER_RUNS) or "(?!)",
    resources:
        **MACHINE.training(len(TRAIN_JOB_RUNS)),
        checkpoint_minutes=str(config["execution"]["checkpoint_minutes"]),
    params:
        settings=settings("train"),
        # Snakemake does not track parameters that depend on the output, so lockstep does not retrain finished runs.
        runs=lambda wildcards, output: wildcards.run if hasattr(wildcards, "run") else RUNS,
        code=code("train", "stages.train.train_network"),
    message:
        "train_network: {wildcards.model}, run {params.runs}"
    shell:
        "python -m stages.train.train_network --settings {params.settings:q} --digits {input.digits}"
        " --runs {params.runs} --out {output.stores} --device {resources.device}"
        " --checkpoint-minutes {resources.checkpoint_minutes} > {log} 2>&1"


if FEWER_RUNS:

    use rule train_network as train_one_run with:
        output:
            stores=[directory(f"{RESULTS}/train/{{model}}/run{{run}}.zarr")],
            manifests=[f"{RESULTS}/train/{{model}}/run{{run}}.json"],
        log:
            f"{RESULTS}/logs/train/{{model}}/run{{run}}.log",
        benchmark:
            f"{RESULTS}/benchmarks/train/{{model}}/run{{run}}.tsv"
        wildcard_constraints:
            model="|".join(map(re.escape, FEWER_RUNS)),
        resources:
            **MACHINE.training(1),
            checkpoint_minutes=str(config["execution"]["checkpoint_minutes"]),
