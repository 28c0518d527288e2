# Attacks on trained networks: one job an attack, model and run.

from stages.attack import methods

# States and slopes of a block, paths of a chunk, and each image once for each of nine targets.
ATTACK_MB = (
    PROGRAM_MB + 3 * DIGITS_MB + 4 * WEIGHTS_MB + (3 * config["network"]["depth"] + 200) * WIDTH * BYTES * 1.0e-4
)
ATTACK_MB += 40 * config["attack"]["images"] * WIDTH * BYTES / 1.0e6
# Nine targets, 15 steps, 50 radii: more products than any of the paper's attacks makes.
ATTACK_MINUTES = 10 + product_minutes(config["attack"]["images"], 20000)


rule attack_network:
    input:
        digits=ancient(f"{RESULTS}/data/digits.zarr"),
        digits_manifest=f"{RESULTS}/data/digits.json",
        network=ancient(f"{RESULTS}/train/{{model}}/run{{run}}.zarr"),
        network_manifest=f"{RESULTS}/train/{{model}}/run{{run}}.json",
    output:
        store=directory(f"{RESULTS}/attack/{{attack}}/{{model}}/run{{run}}.zarr"),
        manifest=f"{RESULTS}/attack/{{attack}}/{{model}}/run{{run}}.json",
    log:
        f"{RESULTS}/logs/attack/{{attack}}/{{model}}/run{{run}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/attack/{{attack}}/{{model}}/run{{run}}.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=lambda wildcards, attempt: int(attempt * ATTACK_MB),
        runtime=lambda wildcards, attempt: int(attempt * ATTACK_MINUTES),
        gpu=GPUS,
        device=DEVICE,
    params:
        settings=lambda wildcards: as_json(experiment.attack_settings(config, wildcards.attack, wildcards.model)),
        # The program finds its method by name: a method's code counts for its own stores alone.
        code=lambda wildcards: code_identity(
            "stages.attack.attack_network",
            methods.module_of(config["attack"]["attacks"][wildcards.attack]["method"]),
        ),
    shell:
        "python -m stages.attack.attack_network --settings {params.settings:q} --digits {input.digits}"
        " --network {input.network} --out {output.store} --device {resources.device} > {log} 2>&1"
