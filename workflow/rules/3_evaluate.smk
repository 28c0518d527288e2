# Evaluation of trained networks: evaluate_noise, estimate_sensitivity, swap_solvers; one job per model and run.


rule evaluate_noise:
    input:
        unpack(inputs("noise")),
    output:
        **outputs("noise/{model}/run{run}"),
    log:
        f"{RESULTS}/logs/noise/{{model}}/run{{run}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/noise/{{model}}/run{{run}}.tsv"
    resources:
        **MACHINE.evaluating(MACHINE.noise_solves),
    params:
        **stage_params("noise", "stages.evaluate.evaluate_noise"),
    message:
        "evaluate_noise: {wildcards.model}, run {wildcards.run}"
    shell:
        "python -m {params.program} --settings {params.settings:q} --digits {input.digits}"
        " --network {input.network} --out {output.store} --device {resources.device} > {log} 2>&1"


use rule evaluate_noise as estimate_sensitivity with:
    input:
        unpack(inputs("sensitivity")),
    output:
        **outputs("sensitivity/{model}/run{run}"),
    log:
        f"{RESULTS}/logs/sensitivity/{{model}}/run{{run}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/sensitivity/{{model}}/run{{run}}.tsv"
    resources:
        **MACHINE.evaluating(8),
    params:
        **stage_params("sensitivity", "stages.evaluate.estimate_sensitivity"),
    message:
        "estimate_sensitivity: {wildcards.model}, run {wildcards.run}"


use rule evaluate_noise as swap_solvers with:
    input:
        unpack(inputs("solvers")),
    output:
        **outputs("solvers/{model}/run{run}"),
    log:
        f"{RESULTS}/logs/solvers/{{model}}/run{{run}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/solvers/{{model}}/run{{run}}.tsv"
    resources:
        **MACHINE.evaluating(20),
    params:
        **stage_params("solvers", "stages.evaluate.swap_solvers"),
    message:
        "swap_solvers: {wildcards.model}, run {wildcards.run}"


use rule evaluate_noise as estimate_uncertainty with:
    input:
        unpack(inputs("uncertainty")),
    output:
        **outputs("uncertainty/{model}/run{run}"),
    log:
        f"{RESULTS}/logs/uncertainty/{{model}}/run{{run}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/uncertainty/{{model}}/run{{run}}.tsv"
    resources:
        **MACHINE.evaluating(MACHINE.uncertainty_solves),
    params:
        **stage_params("uncertainty", "stages.evaluate.estimate_uncertainty"),
    message:
        "estimate_uncertainty: {wildcards.model}, run {wildcards.run}"
