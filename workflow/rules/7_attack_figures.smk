# Figures of attacks: one rule each, from stores alone.


rule plot_attack_success:
    input:
        stores=[
            stores(f"attack/{attack}", SHOWN_MODELS["fig_attack_success"])
            for attack in SHOWN_ATTACKS["fig_attack_success"]
        ],
        manifests=[
            manifests(f"attack/{attack}", SHOWN_MODELS["fig_attack_success"])
            for attack in SHOWN_ATTACKS["fig_attack_success"]
        ],
    output:
        png=report(
            f"{RESULTS}/figures/fig_attack_success.png",
            category="Figures",
            labels={"paper": "Figure 5", "shows": "images that can be attacked"},
            caption="../report/fig_attack_success.rst",
        ),
        pdf=f"{RESULTS}/figures/fig_attack_success.pdf",
    log:
        f"{RESULTS}/logs/figures/plot_attack_success.log",
    benchmark:
        f"{RESULTS}/benchmarks/figures/plot_attack_success.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=FIGURE_MB,
        runtime=20,
    params:
        results=lambda wildcards, output: Path(output[0]).parents[1],
        settings=as_json(contents.settings_of(config, "fig_attack_success")),
        code=code_identity("stages.figures.plot_attack_success"),
    shell:
        "python -m stages.figures.plot_attack_success --settings {params.settings:q} --results {params.results}"
        " --output {output} > {log} 2>&1"


rule plot_attack_comparison:
    input:
        stores=[
            stores(f"attack/{attack}", SHOWN_MODELS["fig_attack_comparison"])
            for attack in SHOWN_ATTACKS["fig_attack_comparison"]
        ],
        manifests=[
            manifests(f"attack/{attack}", SHOWN_MODELS["fig_attack_comparison"])
            for attack in SHOWN_ATTACKS["fig_attack_comparison"]
        ],
    output:
        png=report(
            f"{RESULTS}/figures/fig_attack_comparison.png",
            category="Figures",
            labels={"paper": "Figure 12", "shows": "all attacks compared"},
            caption="../report/fig_attack_comparison.rst",
        ),
        pdf=f"{RESULTS}/figures/fig_attack_comparison.pdf",
    log:
        f"{RESULTS}/logs/figures/plot_attack_comparison.log",
    benchmark:
        f"{RESULTS}/benchmarks/figures/plot_attack_comparison.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=FIGURE_MB,
        runtime=20,
    params:
        results=lambda wildcards, output: Path(output[0]).parents[1],
        settings=as_json(contents.settings_of(config, "fig_attack_comparison")),
        code=code_identity("stages.figures.plot_attack_comparison"),
    shell:
        "python -m stages.figures.plot_attack_comparison --settings {params.settings:q} --results {params.results}"
        " --output {output} > {log} 2>&1"


rule plot_one_image:
    input:
        stores=[
            stores(f"attack/{attack}", SHOWN_MODELS["fig_one_image"], [0]) for attack in SHOWN_ATTACKS["fig_one_image"]
        ],
        manifests=[
            manifests(f"attack/{attack}", SHOWN_MODELS["fig_one_image"], [0])
            for attack in SHOWN_ATTACKS["fig_one_image"]
        ],
    output:
        png=report(
            f"{RESULTS}/figures/fig_one_image.png",
            category="Figures",
            labels={"paper": "Figure 13", "shows": "one digit under nine attacks"},
            caption="../report/fig_one_image.rst",
        ),
        pdf=f"{RESULTS}/figures/fig_one_image.pdf",
    log:
        f"{RESULTS}/logs/figures/plot_one_image.log",
    benchmark:
        f"{RESULTS}/benchmarks/figures/plot_one_image.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=FIGURE_MB,
        runtime=20,
    params:
        results=lambda wildcards, output: Path(output[0]).parents[1],
        settings=as_json(contents.settings_of(config, "fig_one_image")),
        code=code_identity("stages.figures.plot_one_image"),
    shell:
        "python -m stages.figures.plot_one_image --settings {params.settings:q} --results {params.results}"
        " --output {output} > {log} 2>&1"


rule plot_attack_examples:
    input:
        stores=lambda wildcards: [
            store
            for attack in SHOWN_ATTACKS[f"fig_attack_examples_{wildcards.trained}"]
            for store in stores(f"attack/{attack}", SHOWN_MODELS[f"fig_attack_examples_{wildcards.trained}"], [0])
        ],
        manifests=lambda wildcards: [
            manifest
            for attack in SHOWN_ATTACKS[f"fig_attack_examples_{wildcards.trained}"]
            for manifest in manifests(
                f"attack/{attack}", SHOWN_MODELS[f"fig_attack_examples_{wildcards.trained}"], [0]
            )
        ],
    output:
        png=report(
            f"{RESULTS}/figures/fig_attack_examples_{{trained}}.png",
            category="Figures",
            labels={"paper": "Figures 14, 15", "shows": "attacks side by side, {trained}"},
            caption="../report/fig_attack_examples.rst",
        ),
        pdf=f"{RESULTS}/figures/fig_attack_examples_{{trained}}.pdf",
    log:
        f"{RESULTS}/logs/figures/plot_attack_examples_{{trained}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/figures/plot_attack_examples_{{trained}}.tsv"
    wildcard_constraints:
        trained="sgd|sobolev",
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=FIGURE_MB,
        runtime=20,
    params:
        results=lambda wildcards, output: Path(output[0]).parents[1],
        settings=lambda wildcards: as_json(contents.settings_of(config, f"fig_attack_examples_{wildcards.trained}")),
        code=code_identity("stages.figures.plot_attack_examples"),
    shell:
        "python -m stages.figures.plot_attack_examples --settings {params.settings:q} --results {params.results}"
        " --output {output} > {log} 2>&1"
