# Evaluation of trained networks: evaluate_noise, estimate_sensitivity, swap_solvers; one job a model and run.


rule evaluate_noise:
    input:
        digits=ancient(f"{RESULTS}/data/digits.zarr"),
        digits_manifest=f"{RESULTS}/data/digits.json",
        network=ancient(f"{RESULTS}/train/{{model}}/run{{run}}.zarr"),
        network_manifest=f"{RESULTS}/train/{{model}}/run{{run}}.json",
    output:
        store=directory(f"{RESULTS}/noise/{{model}}/run{{run}}.zarr"),
        manifest=f"{RESULTS}/noise/{{model}}/run{{run}}.json",
    log:
        f"{RESULTS}/logs/noise/{{model}}/run{{run}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/noise/{{model}}/run{{run}}.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=evaluate_memory,
        runtime=evaluate_runtime(len(config["noise"]["std"]) * config["noise"]["draws"]),
        gpu=GPUS,
        device=DEVICE,
    params:
        settings=lambda wildcards: as_json(experiment.noise_settings(config, wildcards.model)),
        code=code_identity("stages.evaluate.evaluate_noise"),
    shell:
        "python -m stages.evaluate.evaluate_noise --settings {params.settings:q} --digits {input.digits}"
        " --network {input.network} --out {output.store} --device {resources.device} > {log} 2>&1"


rule estimate_sensitivity:
    input:
        digits=ancient(f"{RESULTS}/data/digits.zarr"),
        digits_manifest=f"{RESULTS}/data/digits.json",
        network=ancient(f"{RESULTS}/train/{{model}}/run{{run}}.zarr"),
        network_manifest=f"{RESULTS}/train/{{model}}/run{{run}}.json",
    output:
        store=directory(f"{RESULTS}/sensitivity/{{model}}/run{{run}}.zarr"),
        manifest=f"{RESULTS}/sensitivity/{{model}}/run{{run}}.json",
    log:
        f"{RESULTS}/logs/sensitivity/{{model}}/run{{run}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/sensitivity/{{model}}/run{{run}}.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=evaluate_memory,
        runtime=evaluate_runtime(8),
        gpu=GPUS,
        device=DEVICE,
    params:
        settings=lambda wildcards: as_json(experiment.sensitivity_settings(config, wildcards.model)),
        code=code_identity("stages.evaluate.estimate_sensitivity"),
    shell:
        "python -m stages.evaluate.estimate_sensitivity --settings {params.settings:q} --digits {input.digits}"
        " --network {input.network} --out {output.store} --device {resources.device} > {log} 2>&1"


rule swap_solvers:
    input:
        digits=ancient(f"{RESULTS}/data/digits.zarr"),
        digits_manifest=f"{RESULTS}/data/digits.json",
        network=ancient(f"{RESULTS}/train/{{model}}/run{{run}}.zarr"),
        network_manifest=f"{RESULTS}/train/{{model}}/run{{run}}.json",
    output:
        store=directory(f"{RESULTS}/solvers/{{model}}/run{{run}}.zarr"),
        manifest=f"{RESULTS}/solvers/{{model}}/run{{run}}.json",
    log:
        f"{RESULTS}/logs/solvers/{{model}}/run{{run}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/solvers/{{model}}/run{{run}}.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=evaluate_memory,
        runtime=evaluate_runtime(20),
        gpu=GPUS,
        device=DEVICE,
    params:
        settings=lambda wildcards: as_json(experiment.solvers_settings(config, wildcards.model)),
        code=code_identity("stages.evaluate.swap_solvers"),
    shell:
        "python -m stages.evaluate.swap_solvers --settings {params.settings:q} --digits {input.digits}"
        " --network {input.network} --out {output.store} --device {resources.device} > {log} 2>&1"
