# Tables and figures of the paper: one rule each, from stores alone. FIGURES and TABLES list what this experiment has.

from stages.figures import catalogue, contents

FIGURE_NAMES = contents.available(config, catalogue.FIGURES)
TABLE_NAMES = contents.available(config, catalogue.TABLES)
FIGURES = [f"{RESULTS}/figures/{name}.{kind}" for name in FIGURE_NAMES for kind in ("png", "pdf")]
TABLES = [f"{RESULTS}/tables/{name}.{kind}" for name in TABLE_NAMES for kind in ("csv", "md", "tex")]
REFERENCE = f"{workflow.basedir}/workflow/reference"
SHOWN_MODELS = {name: contents.models_of(config, name) for name in (*catalogue.FIGURES, *catalogue.TABLES)}
SHOWN_ATTACKS = {name: contents.attacks_of(config, name) for name in (*catalogue.FIGURES, *catalogue.TABLES)}
FIGURE_MB = int(PROGRAM_MB + 200 + 6 * WEIGHTS_MB)  # matplotlib, and a store with the copies that checking it takes


rule tabulate_solvers:
    input:
        stores=stores("solvers", SHOWN_MODELS["table1_solvers"]),
        manifests=manifests("solvers", SHOWN_MODELS["table1_solvers"]),
        reference=f"{REFERENCE}/table1_solvers.csv",
    output:
        csv=report(
            f"{RESULTS}/tables/table1_solvers.csv",
            category="Tables",
            labels={"paper": "Table 1", "shows": "solvers in training and inference"},
            caption="../report/table1_solvers.rst",
        ),
        markdown=f"{RESULTS}/tables/table1_solvers.md",
        latex=f"{RESULTS}/tables/table1_solvers.tex",
    log:
        f"{RESULTS}/logs/figures/tabulate_solvers.log",
    benchmark:
        f"{RESULTS}/benchmarks/figures/tabulate_solvers.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=FIGURE_MB,
        runtime=20,
    params:
        results=lambda wildcards, output: Path(output[0]).parents[1],
        settings=as_json(contents.settings_of(config, "table1_solvers")),
        code=code_identity("stages.figures.tabulate_solvers"),
    shell:
        "python -m stages.figures.tabulate_solvers --settings {params.settings:q} --results {params.results}"
        " --reference {input.reference} --output {output} > {log} 2>&1"


rule tabulate_accuracy:
    input:
        stores=stores("train", SHOWN_MODELS["table2_accuracy"]),
        manifests=manifests("train", SHOWN_MODELS["table2_accuracy"]),
        reference=f"{REFERENCE}/table2_accuracy.csv",
    output:
        csv=report(
            f"{RESULTS}/tables/table2_accuracy.csv",
            category="Tables",
            labels={"paper": "Table 2", "shows": "accuracy on clean test images"},
            caption="../report/table2_accuracy.rst",
        ),
        markdown=f"{RESULTS}/tables/table2_accuracy.md",
        latex=f"{RESULTS}/tables/table2_accuracy.tex",
    log:
        f"{RESULTS}/logs/figures/tabulate_accuracy.log",
    benchmark:
        f"{RESULTS}/benchmarks/figures/tabulate_accuracy.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=FIGURE_MB,
        runtime=20,
    params:
        results=lambda wildcards, output: Path(output[0]).parents[1],
        settings=as_json(contents.settings_of(config, "table2_accuracy")),
        code=code_identity("stages.figures.tabulate_accuracy"),
    shell:
        "python -m stages.figures.tabulate_accuracy --settings {params.settings:q} --results {params.results}"
        " --reference {input.reference} --output {output} > {log} 2>&1"


rule tabulate_cw:
    input:
        stores=[stores(f"attack/{attack}", SHOWN_MODELS["table3_cw"]) for attack in SHOWN_ATTACKS["table3_cw"]],
        manifests=[manifests(f"attack/{attack}", SHOWN_MODELS["table3_cw"]) for attack in SHOWN_ATTACKS["table3_cw"]],
        reference=f"{REFERENCE}/table3_cw.csv",
    output:
        csv=report(
            f"{RESULTS}/tables/table3_cw.csv",
            category="Tables",
            labels={"paper": "Table 3", "shows": "Carlini-Wagner attack"},
            caption="../report/table3_cw.rst",
        ),
        markdown=f"{RESULTS}/tables/table3_cw.md",
        latex=f"{RESULTS}/tables/table3_cw.tex",
    log:
        f"{RESULTS}/logs/figures/tabulate_cw.log",
    benchmark:
        f"{RESULTS}/benchmarks/figures/tabulate_cw.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=FIGURE_MB,
        runtime=20,
    params:
        results=lambda wildcards, output: Path(output[0]).parents[1],
        settings=as_json(contents.settings_of(config, "table3_cw")),
        code=code_identity("stages.figures.tabulate_cw"),
    shell:
        "python -m stages.figures.tabulate_cw --settings {params.settings:q} --results {params.results}"
        " --reference {input.reference} --output {output} > {log} 2>&1"


rule plot_solver_accuracy:
    input:
        stores=stores("train", SHOWN_MODELS["fig_solver_accuracy"]),
        manifests=manifests("train", SHOWN_MODELS["fig_solver_accuracy"]),
    output:
        png=report(
            f"{RESULTS}/figures/fig_solver_accuracy.png",
            category="Figures",
            labels={"paper": "Figure 2", "shows": "Euler against ODE45 training"},
            caption="../report/fig_solver_accuracy.rst",
        ),
        pdf=f"{RESULTS}/figures/fig_solver_accuracy.pdf",
    log:
        f"{RESULTS}/logs/figures/plot_solver_accuracy.log",
    benchmark:
        f"{RESULTS}/benchmarks/figures/plot_solver_accuracy.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=FIGURE_MB,
        runtime=20,
    params:
        results=lambda wildcards, output: Path(output[0]).parents[1],
        settings=as_json(contents.settings_of(config, "fig_solver_accuracy")),
        code=code_identity("stages.figures.plot_solver_accuracy"),
    shell:
        "python -m stages.figures.plot_solver_accuracy --settings {params.settings:q} --results {params.results}"
        " --output {output} > {log} 2>&1"


rule plot_noise_accuracy:
    input:
        stores=stores("noise", SHOWN_MODELS["fig_noise_accuracy"]),
        manifests=manifests("noise", SHOWN_MODELS["fig_noise_accuracy"]),
    output:
        png=report(
            f"{RESULTS}/figures/fig_noise_accuracy.png",
            category="Figures",
            labels={"paper": "Figure 3", "shows": "accuracy on noisy test images"},
            caption="../report/fig_noise_accuracy.rst",
        ),
        pdf=f"{RESULTS}/figures/fig_noise_accuracy.pdf",
    log:
        f"{RESULTS}/logs/figures/plot_noise_accuracy.log",
    benchmark:
        f"{RESULTS}/benchmarks/figures/plot_noise_accuracy.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=FIGURE_MB,
        runtime=20,
    params:
        results=lambda wildcards, output: Path(output[0]).parents[1],
        settings=as_json(contents.settings_of(config, "fig_noise_accuracy")),
        code=code_identity("stages.figures.plot_noise_accuracy"),
    shell:
        "python -m stages.figures.plot_noise_accuracy --settings {params.settings:q} --results {params.results}"
        " --output {output} > {log} 2>&1"


rule plot_sensitivity:
    input:
        stores=lambda wildcards: stores("sensitivity", SHOWN_MODELS[f"fig_sensitivity_{wildcards.loss}"]),
        manifests=lambda wildcards: manifests("sensitivity", SHOWN_MODELS[f"fig_sensitivity_{wildcards.loss}"]),
    output:
        png=report(
            f"{RESULTS}/figures/fig_sensitivity_{{loss}}.png",
            category="Figures",
            labels={"paper": "Figures 4, 7, 8", "shows": "perturbation through the depth, {loss}"},
            caption="../report/fig_sensitivity.rst",
        ),
        pdf=f"{RESULTS}/figures/fig_sensitivity_{{loss}}.pdf",
    log:
        f"{RESULTS}/logs/figures/plot_sensitivity_{{loss}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/figures/plot_sensitivity_{{loss}}.tsv"
    wildcard_constraints:
        loss="ce|l2",
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=FIGURE_MB,
        runtime=20,
    params:
        results=lambda wildcards, output: Path(output[0]).parents[1],
        settings=lambda wildcards: as_json(contents.settings_of(config, f"fig_sensitivity_{wildcards.loss}")),
        code=code_identity("stages.figures.plot_sensitivity"),
    shell:
        "python -m stages.figures.plot_sensitivity --settings {params.settings:q} --results {params.results}"
        " --output {output} > {log} 2>&1"


rule plot_sensitivity_error:
    input:
        stores=lambda wildcards: stores("sensitivity", SHOWN_MODELS[f"fig_sensitivity_error_{wildcards.loss}"]),
        manifests=lambda wildcards: manifests("sensitivity", SHOWN_MODELS[f"fig_sensitivity_error_{wildcards.loss}"]),
    output:
        png=report(
            f"{RESULTS}/figures/fig_sensitivity_error_{{loss}}.png",
            category="Figures",
            labels={"paper": "Figures 9, 10", "shows": "relative error of the estimate, {loss}"},
            caption="../report/fig_sensitivity_error.rst",
        ),
        pdf=f"{RESULTS}/figures/fig_sensitivity_error_{{loss}}.pdf",
    log:
        f"{RESULTS}/logs/figures/plot_sensitivity_error_{{loss}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/figures/plot_sensitivity_error_{{loss}}.tsv"
    wildcard_constraints:
        loss="ce|l2",
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=FIGURE_MB,
        runtime=20,
    params:
        results=lambda wildcards, output: Path(output[0]).parents[1],
        settings=lambda wildcards: as_json(contents.settings_of(config, f"fig_sensitivity_error_{wildcards.loss}")),
        code=code_identity("stages.figures.plot_sensitivity_error"),
    shell:
        "python -m stages.figures.plot_sensitivity_error --settings {params.settings:q} --results {params.results}"
        " --output {output} > {log} 2>&1"


rule plot_weight_norm:
    input:
        stores=stores("train", SHOWN_MODELS["fig_weight_norm"]),
        manifests=manifests("train", SHOWN_MODELS["fig_weight_norm"]),
    output:
        png=report(
            f"{RESULTS}/figures/fig_weight_norm.png",
            category="Figures",
            labels={"paper": "Figure 6", "shows": "weights over the depth"},
            caption="../report/fig_weight_norm.rst",
        ),
        pdf=f"{RESULTS}/figures/fig_weight_norm.pdf",
    log:
        f"{RESULTS}/logs/figures/plot_weight_norm.log",
    benchmark:
        f"{RESULTS}/benchmarks/figures/plot_weight_norm.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=FIGURE_MB,
        runtime=20,
    params:
        results=lambda wildcards, output: Path(output[0]).parents[1],
        settings=as_json(contents.settings_of(config, "fig_weight_norm")),
        code=code_identity("stages.figures.plot_weight_norm"),
    shell:
        "python -m stages.figures.plot_weight_norm --settings {params.settings:q} --results {params.results}"
        " --output {output} > {log} 2>&1"


rule plot_noisy_images:
    input:
        stores=ancient(f"{RESULTS}/data/digits.zarr"),
        manifests=f"{RESULTS}/data/digits.json",
    output:
        png=report(
            f"{RESULTS}/figures/fig_noisy_images.png",
            category="Figures",
            labels={"paper": "Figure 11", "shows": "one digit at growing noise"},
            caption="../report/fig_noisy_images.rst",
        ),
        pdf=f"{RESULTS}/figures/fig_noisy_images.pdf",
    log:
        f"{RESULTS}/logs/figures/plot_noisy_images.log",
    benchmark:
        f"{RESULTS}/benchmarks/figures/plot_noisy_images.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=FIGURE_MB,
        runtime=20,
    params:
        results=lambda wildcards, output: Path(output[0]).parents[1],
        settings=as_json(contents.settings_of(config, "fig_noisy_images")),
        code=code_identity("stages.figures.plot_noisy_images"),
    shell:
        "python -m stages.figures.plot_noisy_images --settings {params.settings:q} --results {params.results}"
        " --output {output} > {log} 2>&1"


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
