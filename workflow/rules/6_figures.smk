# Figures of trained networks: one rule each, from stores alone.


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
