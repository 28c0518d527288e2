# Figures and tables: one rule each for all of them, from stores alone; stages/plan has their records.


rule draw_figure:
    input:
        stores=shown_stores,
        manifests=shown_manifests,
    output:
        png=report(
            f"{RESULTS}/figures/{{figure}}.png",
            category="Figures",
            labels=in_snakemakes_report,
            caption="../report/shown.rst",
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
        results=results_folder,
        program=shown_program,
        settings=shown_settings,
        code=shown_code,
        caption=shown_caption,
    message:
        "draw_figure: {wildcards.figure}"
    shell:
        "python -m {params.program} --settings {params.settings:q} --results {params.results} --output {output}"
        " > {log} 2>&1"


rule tabulate:
    input:
        stores=shown_stores,
        manifests=shown_manifests,
        reference=shown_reference,
    output:
        csv=report(
            f"{RESULTS}/tables/{{table}}.csv",
            category="Tables",
            labels=in_snakemakes_report,
            caption="../report/shown.rst",
        ),
        markdown=f"{RESULTS}/tables/{{table}}.md",
        latex=f"{RESULTS}/tables/{{table}}.tex",
    log:
        f"{RESULTS}/logs/tables/{{table}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/tables/{{table}}.tsv"
    resources:
        mem_mb=MACHINE.figure_mb,
        runtime=20,
    params:
        results=results_folder,
        reference=reference_option,
        program=shown_program,
        settings=shown_settings,
        code=shown_code,
        caption=shown_caption,
    message:
        "tabulate: {wildcards.table}"
    shell:
        "python -m {params.program} --settings {params.settings:q} --results {params.results} {params.reference}"
        " --output {output} > {log} 2>&1"
