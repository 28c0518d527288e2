# Verdicts on the paper's claims, and the page for readers.

CAPTIONS = f"{workflow.basedir}/workflow/report"


rule judge_claims:
    input:
        stores=[stores(stage, models) for stage, models in STAGE_MODELS.items()],
        manifests=[manifests(stage, models) for stage, models in STAGE_MODELS.items()],
        reference=[f"{REFERENCE}/{name}.csv" for name in ("claims", "table1_solvers", "table2_accuracy")],
    output:
        csv=report(
            f"{RESULTS}/claims.csv",
            category="Claims",
            labels={"paper": "all sections", "shows": "verdicts on the claims"},
            caption="../report/claims.rst",
        ),
        markdown=f"{RESULTS}/claims.md",
        detail=f"{RESULTS}/claims_in_detail.csv",
    log:
        f"{RESULTS}/logs/report/judge_claims.log",
    benchmark:
        f"{RESULTS}/benchmarks/report/judge_claims.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=FIGURE_MB,
        runtime=30,
    params:
        results=lambda wildcards, output: Path(output[0]).parent,
        reference=lambda wildcards, input: Path(input.reference[0]).parent,
        settings=as_json(contents.claims_settings(config)),
        code=code_identity("stages.report.judge_claims"),
    shell:
        "python -m stages.report.judge_claims --settings {params.settings:q} --results {params.results}"
        " --reference {params.reference} --csv {output.csv} --markdown {output.markdown} --detail {output.detail}"
        " > {log} 2>&1"


rule write_report:
    input:
        tables=[table for table in TABLES if table.endswith(".csv")],
        figures=[figure for figure in FIGURES if figure.endswith(".png")],
        claims=f"{RESULTS}/claims.csv",
        detail=f"{RESULTS}/claims_in_detail.csv",
        manifests=[manifests(stage, models) for stage, models in STAGE_MODELS.items()],
        reference=f"{REFERENCE}/settings.csv",
        captions=[f"{CAPTIONS}/{catalogue.caption_name(name)}.rst" for name in FIGURE_NAMES],
    output:
        page=report(
            f"{RESULTS}/report.html",
            category="Report",
            labels={"paper": "all sections", "shows": "the page for readers"},
            caption="../report/report.rst",
        ),
    log:
        f"{RESULTS}/logs/report/write_report.log",
    benchmark:
        f"{RESULTS}/benchmarks/report/write_report.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=FIGURE_MB,
        runtime=10,
    params:
        results=lambda wildcards, output: Path(output[0]).parent,
        reference=lambda wildcards, input: Path(input.reference).parent,
        captions=lambda wildcards, input: Path(input.captions[0]).parent,
        settings=as_json(contents.report_settings(config)),
        code=code_identity("stages.report.write_report"),
    shell:
        "python -m stages.report.write_report --settings {params.settings:q} --results {params.results}"
        " --reference {params.reference} --captions {params.captions} --output {output.page} > {log} 2>&1"
