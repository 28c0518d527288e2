# Verdicts on the paper's claims, the report, and the playground.


rule judge_claims:
    input:
        unpack(judged_inputs),
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
        levels=f"{RESULTS}/levels.csv",
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
        settings=as_json(exhibit.claims_settings(config)),
        code=code_identity("stages.claims.judge_claims"),
    message:
        "judge_claims"
    shell:
        "python -m stages.claims.judge_claims --settings {params.settings:q} --results {params.results}"
        " --reference {params.reference} --csv {output.csv} --markdown {output.markdown} --detail {output.detail}"
        " --levels {output.levels} > {log} 2>&1"


rule write_report:
    input:
        tables=report_tables,
        figures=[f"{RESULTS}/figures/{name}.png" for name in FIGURE_NAMES],
        claims=f"{RESULTS}/claims.csv",
        detail=f"{RESULTS}/claims_in_detail.csv",
        levels=f"{RESULTS}/levels.csv",
        manifests=[manifest(name) for folder in USUAL for name in names_of_stores(folder, FOLDERS[folder])],
        reference=[REFERENCE / f"{name}.csv" for name in ("settings", "table1_solvers", "table2_accuracy")],
        template=[PROJECT / f"stages/report/{name}" for name in ("report.html.j2", "parts.html.j2", "report.css")],
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
        settings=as_json(exhibit.report_settings(config)),
        code=code_identity("stages.report.write_report"),
        # Titles and captions: an edited one rewrites the page and redraws nothing.
        words=as_json({name: exhibit.words_of(record) for name, record in EXHIBITS.items()}),
    message:
        "write_report"
    shell:
        "python -m stages.report.write_report --settings {params.settings:q} --results {params.results}"
        " --reference {params.reference} {params.published} --output {output.page} --experiment {output.experiment}"
        " > {log} 2>&1"


# A page that computes in the browser, from one run of each chosen model.
PLAYED = [f"train/{model}/run0" for model in chosen_models.models(config)]


rule write_playground:
    input:
        networks=[store(name) for name in PLAYED],
        digits=store("data/digits"),
        manifests=[manifest(name) for name in ["data/digits", *PLAYED]],
        template=[PROJECT / f"stages/playground/{name}" for name in ("playground.html.j2", "playground.css")],
        scripts=sorted(PROJECT.glob("stages/playground/js/*.js")),
    output:
        page=f"{RESULTS}/playground.html",
    log:
        f"{RESULTS}/logs/report/write_playground.log",
    benchmark:
        f"{RESULTS}/benchmarks/report/write_playground.tsv"
    resources:
        mem_mb=MACHINE.figure_mb,
        runtime=10,
    params:
        code=code_identity("stages.playground.write_playground"),
    message:
        "write_playground"
    shell:
        "python -m stages.playground.write_playground --networks {input.networks} --digits {input.digits}"
        " --output {output.page} > {log} 2>&1"
