# Data: fetch_digits -> data/raw, downsample_digits -> data/digits.zarr, data/digits-28.zarr for trainers of that side.


rule fetch_digits:
    input:
        own=own_files,
    output:
        folder=directory(f"{RESULTS}/data/raw"),
        manifest=f"{RESULTS}/data/raw.json",
    log:
        f"{RESULTS}/logs/data/fetch_digits.log",
    benchmark:
        f"{RESULTS}/benchmarks/data/fetch_digits.tsv"
    resources:
        mem_mb=500,
        runtime=60,
    params:
        settings=as_json(stage_settings.data_settings(config)),
        code=code_identity("stages.data.fetch_digits"),
    message:
        "fetch_digits"
    shell:
        "python -m stages.data.fetch_digits --settings {params.settings:q} --out {output.folder} > {log} 2>&1"


rule downsample_digits:
    input:
        raw=raw_digits,
        manifest=manifest("data/raw"),
    output:
        **outputs("data/{digits}"),
    log:
        f"{RESULTS}/logs/data/downsample_{{digits}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/data/downsample_{{digits}}.tsv"
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        settings=lambda wildcards: as_json(DATA[f"data/{wildcards.digits}"].settings),
        code=code_identity("stages.data.downsample_digits"),
    message:
        "downsample_digits: {wildcards.digits}"
    shell:
        "python -m stages.data.downsample_digits --settings {params.settings:q} --raw {input.raw} --out {output.store}"
        " > {log} 2>&1"
