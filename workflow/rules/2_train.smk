# Training: one job per model and run, or one per model with all its runs in lockstep (execution.lockstep, for GPUs).
# Device and checkpoints are resources, which Snakemake does not track: changing how to run reruns nothing.

LOCKSTEP = config["execution"]["lockstep"]
TRAIN_JOB = "lockstep" if LOCKSTEP else "run{run}"
TRAIN_JOB_RUNS = RUNS if LOCKSTEP else ["{run}"]


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
    resources:
        **MACHINE.training(len(TRAIN_JOB_RUNS)),
        checkpoint_minutes=str(config["execution"]["checkpoint_minutes"]),
    params:
        settings=settings("train"),
        # Snakemake does not track parameters that depend on the output, so lockstep does not retrain finished runs.
        runs=lambda wildcards, output: RUNS if LOCKSTEP else wildcards.run,
        code=code("train", "stages.train.train_network"),
    message:
        "train_network: {wildcards.model}, run {params.runs}"
    shell:
        "python -m stages.train.train_network --settings {params.settings:q} --digits {input.digits}"
        " --runs {params.runs} --out {output.stores} --device {resources.device}"
        " --checkpoint-minutes {resources.checkpoint_minutes} > {log} 2>&1"
