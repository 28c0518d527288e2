# Training: one job a model and run, or one job a model with all its runs in lockstep (execution.lockstep, for GPUs).

TRAIN_COMMAND = (
    "python -m stages.train.train_network --settings {params.settings:q} --digits {input.digits} --runs {params.runs}"
    " --out {output.stores} --device {resources.device} --checkpoint-minutes {resources.checkpoint_minutes} > {log} 2>&1"
)

if config["execution"]["lockstep"]:

    rule train_network_lockstep:
        input:
            digits=ancient(f"{RESULTS}/data/digits.zarr"),
            digits_manifest=f"{RESULTS}/data/digits.json",
        output:
            stores=[directory(f"{RESULTS}/train/{{model}}/run{run}.zarr") for run in RUNS],
            manifests=[f"{RESULTS}/train/{{model}}/run{run}.json" for run in RUNS],
        log:
            f"{RESULTS}/logs/train/{{model}}/lockstep.log",
        benchmark:
            f"{RESULTS}/benchmarks/train/{{model}}/lockstep.tsv"
        container:
            CONTAINER
        threads: 1
        resources:
            mem_mb=train_memory(len(RUNS)),
            runtime=train_runtime(len(RUNS)),
            gpu=GPUS,
            device=DEVICE,
            checkpoint_minutes=str(config["execution"]["checkpoint_minutes"]),
        params:
            settings=lambda wildcards: as_json(experiment.train_settings(config, wildcards.model)),
            runs=RUNS,
            code=code_identity("stages.train.train_network"),
        shell:
            TRAIN_COMMAND

else:

    rule train_network:
        input:
            digits=ancient(f"{RESULTS}/data/digits.zarr"),
            digits_manifest=f"{RESULTS}/data/digits.json",
        output:
            stores=directory(f"{RESULTS}/train/{{model}}/run{{run}}.zarr"),
            manifest=f"{RESULTS}/train/{{model}}/run{{run}}.json",
        log:
            f"{RESULTS}/logs/train/{{model}}/run{{run}}.log",
        benchmark:
            f"{RESULTS}/benchmarks/train/{{model}}/run{{run}}.tsv"
        container:
            CONTAINER
        threads: 1
        resources:
            mem_mb=train_memory(1),
            runtime=train_runtime(1),
            gpu=GPUS,
            device=DEVICE,
            checkpoint_minutes=str(config["execution"]["checkpoint_minutes"]),
        params:
            settings=lambda wildcards: as_json(experiment.train_settings(config, wildcards.model)),
            runs=lambda wildcards: wildcards.run,
            code=code_identity("stages.train.train_network"),
        shell:
            TRAIN_COMMAND
