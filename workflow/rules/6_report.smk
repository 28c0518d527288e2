# Verdicts on the paper's claims, and the page for readers.


rule judge_claims:
    input:
        stores=judged_stores,
        manifests=[manifests(folder) for folder in USUAL],
        reference=sorted(REFERENCE.glob("*.csv")),
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
    resources:
        mem_mb=MACHINE.figure_mb,
        runtime=30,
    params:
        results=results_folder,
        reference=reference_folder,
        settings=as_json(shown.claims_settings(config)),
        code=code_identity("stages.claims.judge_claims"),
    message:
        "judge_claims"
    shell:
        "python -m stages.claims.judge_claims --settings {params.settings:q} --results {params.results}"
        " --reference {params.reference} --csv {output.csv} --markdown {output.markdown} --detail {output.detail}"
        " > {log} 2>&1"


rule write_report:
    input:
        tables=shown_tables,
        figures=[f"{RESULTS}/figures/{name}.png" for name in SHOWN_FIGURES],
        claims=f"{RESULTS}/claims.csv",
        detail=f"{RESULTS}/claims_in_detail.csv",
        manifests=[manifests(folder) for folder in USUAL],
        reference=[REFERENCE / f"{name}.csv" for name in ("settings", "table1_solvers", "table2_accuracy")],
        template=[ROOT / f"stages/report/{name}" for name in ("report.html.j2", "parts.html.j2", "report.css")],
        published=PUBLISHED,
    output:
        page=report(
            f"{RESULTS}/report.html",
            category="Report",
            labels={"paper": "all sections", "shows": "the page for readers"},
            caption="../report/report.rst",
        ),
        experiment=f"{RESULTS}/experiment.yaml",
    log:
        f"{RESULTS}/logs/report/write_report.log",
    benchmark:
        f"{RESULTS}/benchmarks/report/write_report.tsv"
    resources:
        mem_mb=MACHINE.figure_mb,
        runtime=10,
    params:
        results=results_folder,
        reference=reference_folder,
        published=f"--published {shlex.quote(str(PUBLISHED[0].parent))}" if PUBLISHED else "",
        settings=as_json(shown.report_settings(config)),
        code=code_identity("stages.report.write_report"),
    message:
        "write_report"
    shell:
        "python -m stages.report.write_report --settings {params.settings:q} --results {params.results}"
        " --reference {params.reference} {params.published} --output {output.page} --experiment {output.experiment}"
        " > {log} 2>&1"
