# Tables of the paper, ours beside its own: one rule each, from stores alone.


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
