# Data: fetch_digits -> data/raw, downsample_digits -> data/digits.zarr.


rule fetch_digits:
    input:
        # A user's own files, where there are any: a changed file is copied again. The program reports a missing one.
        own=[path for path in experiment.data_settings(config).get("files", {}).values() if os.path.isfile(path)],
    output:
        folder=directory(f"{RESULTS}/data/raw"),
        manifest=f"{RESULTS}/data/raw.json",
    log:
        f"{RESULTS}/logs/data/fetch_digits.log",
    benchmark:
        f"{RESULTS}/benchmarks/data/fetch_digits.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=500,
        runtime=60,
    params:
        settings=as_json(experiment.data_settings(config)),
        code=code_identity("stages.data.fetch_digits"),
    shell:
        "python -m stages.data.fetch_digits --settings {params.settings:q} --out {output.folder} > {log} 2>&1"


rule downsample_digits:
    input:
        raw=ancient(f"{RESULTS}/data/raw"),
        manifest=f"{RESULTS}/data/raw.json",
    output:
        store=directory(f"{RESULTS}/data/digits.zarr"),
        manifest=f"{RESULTS}/data/digits.json",
    log:
        f"{RESULTS}/logs/data/downsample_digits.log",
    benchmark:
        f"{RESULTS}/benchmarks/data/downsample_digits.tsv"
    container:
        CONTAINER
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        settings=as_json(experiment.downsample_settings(config)),
        code=code_identity("stages.data.downsample_digits"),
    shell:
        "python -m stages.data.downsample_digits --settings {params.settings:q} --raw {input.raw} --out {output.store}"
        " > {log} 2>&1"
