"""A finished run that is called the paper's, and what the tests of publishing do with it."""

import json
import shutil
from types import SimpleNamespace

from kit import drawing
from kit.project_copy import ROOT
from stages.claims import judge_claims
from stages.plan import exhibit
from stages.plan.all_exhibits import FIGURES, TABLES
from stages.report import write_report
from stages.storage import stores

REFERENCE = ROOT / "workflow" / "reference"
FOLDER_OF_MINE = "/home/somebody/mnist"  # nobody's: it is in the configuration, and must not be in what is published


def finish(results, paper_config):
    pictures = [results / f"figures/fig_noise_accuracy.{kind}" for kind in ("png", "pdf")]
    drawing.save_small(results, paper_config, "fig_noise_accuracy", *pictures)
    others = set(exhibit.present(paper_config, FIGURES)) - {"fig_noise_accuracy"}
    for name in others:  # their content does not matter here: one picture for all
        for picture in pictures:
            shutil.copy(picture, picture.with_stem(name))
    for name in exhibit.present(paper_config, TABLES):
        outputs = [results / f"tables/{name}.{kind}" for kind in ("csv", "md", "tex")]
        drawing.tabulate(results, paper_config, name, outputs)
    files = {"csv": "claims.csv", "markdown": "claims.md", "detail": "claims_in_detail.csv"}
    files["levels"] = "levels.csv"
    files = {option: results / name for option, name in files.items()}
    settings = exhibit.claims_settings(paper_config)
    judge_claims.main(SimpleNamespace(settings=settings, results=results, reference=REFERENCE, **files))
    benchmark = results / "benchmarks/train/ncg_ce_relu/run0.tsv"
    benchmark.parent.mkdir(parents=True)
    benchmark.write_text("s\tmax_rss\tcpu_time\n75.2\t312.5\t7200\n")
    write_page(results, paper_config)


def write_page(results, config):
    settings = json.loads(json.dumps(exhibit.report_settings(config), sort_keys=True))
    files = {"output": results / "report.html", "experiment": results / "experiment.yaml", "published": None}
    write_report.main(SimpleNamespace(settings=settings, results=results, reference=REFERENCE, **files))


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def change_store(path, change):
    """Write a store again with other content, as another run of its stage would."""
    variables, attributes = stores.check(path)
    manifest = stores.read_manifest(path)
    change({name: variable.values for name, variable in variables.items()})
    names = attributes["coordinates"].split()
    inputs = {"digits": path.parents[2] / "data/digits.zarr"} if "digits" in manifest["inputs"] else {}
    stores.write(
        path,
        {name: tuple(each) for name, each in variables.items() if name not in names},
        coordinates={name: tuple(variables[name]) for name in names},
        settings=manifest["settings"],
        inputs=inputs,
        measured=manifest["measured"],
    )
