# Figures and tables: one rule for all figures and one for all tables; their records are in the files of their programs.


rule draw_figure:
    input:
        unpack(exhibit_inputs),
    output:
        png=report(
            f"{RESULTS}/figures/{{figure}}.png",
            category="Figures",
            labels=in_snakemakes_report,
            caption="../report/exhibit.rst",
        ),
        pdf=f"{RESULTS}/figures/{{figure}}.pdf",
    log:
        f"{RESULTS}/logs/figures/{{figure}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/figures/{{figure}}.tsv"
    resources:
        mem_mb=MACHINE.figure_mb,
        runtime=20,
    params:
        **EXHIBIT_PARAMS,
    message:
        "draw_figure: {wildcards.figure}"
    shell:
        "python -m {params.program} --settings {params.settings:q} --results {params.results} {params.reference}"
        " --output {output} > {log} 2>&1"


use rule draw_figure as tabulate with:
    input:
        unpack(exhibit_inputs),
        reference=lambda wildcards: [REFERENCE / name for name in [EXHIBITS[wildcards.table].reference] if name],
    output:
        csv=report(
            f"{RESULTS}/tables/{{table}}.csv",
            category="Tables",
            labels=in_snakemakes_report,
            caption="../report/exhibit.rst",
        ),
        markdown=f"{RESULTS}/tables/{{table}}.md",
        latex=f"{RESULTS}/tables/{{table}}.tex",
    log:
        f"{RESULTS}/logs/tables/{{table}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/tables/{{table}}.tsv"
    message:
        "tabulate: {wildcards.table}"
