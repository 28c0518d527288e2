# Attacks on trained networks: one job per attack, model and run.


use rule evaluate_noise as attack_network with:
    input:
        unpack(inputs("attack/{attack}")),
    output:
        **outputs("attack/{attack}/{model}/run{run}"),
    log:
        f"{RESULTS}/logs/attack/{{attack}}/{{model}}/run{{run}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/attack/{{attack}}/{{model}}/run{{run}}.tsv"
    resources:
        **MACHINE.attacking(),
    params:
        **stage_params("attack/{attack}", "stages.attack.attack_network"),
    message:
        "attack_network: {wildcards.attack} on {wildcards.model}, run {wildcards.run}"
