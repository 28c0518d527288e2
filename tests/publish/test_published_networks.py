"""Published networks: the trained ones, rounded."""

import shutil

import numpy as np
import pytest
from kit.publishing import REFERENCE, files, write_page

from stages.model.classify import accuracy
from stages.publish import keep_network, publish, restore
from stages.publish.published_networks import place_network
from stages.runtime.errors import UserError
from stages.storage import stores
from stages.storage.network_store import read_network


@pytest.mark.parametrize("model", publish.NETWORKS)
def test_a_published_network_is_the_trained_one_rounded_and_says_what_that_costs(paper_run, published, model):
    trained, small = paper_run / f"train/{model}/run0.zarr", published / f"networks/{model}.zarr"
    settings = stores.read_manifest(trained)["settings"]
    card = stores.read(small, settings).attrs
    network, whole = (read_network(path, settings, np) for path in (small, trained))
    assert network.dtype == np.float32
    assert 0 < np.abs(network.parameters - whole.parameters).max() < 0.01 * np.abs(whole.parameters).max()
    digits = stores.read_arrays(paper_run / "data/digits.zarr")
    for name, each in (("as_trained", whole), ("rounded", network)):
        measured = accuracy(each, digits["test_image"], digits["test_label"], 10)
        assert card[f"test_accuracy_{name}"] == pytest.approx(float(measured), abs=1e-12)
    assert (card["test_images"], card["attacked_images"], card["attack_norm"]) == (200, 200, 0.25)
    assert stores.read_manifest(small)["inputs"]["network"] == stores.read_manifest(trained)["digest"]
    page = (published / "networks/README.md").read_text()
    assert f"| `{model}` | 0 | 6 |" in page
    assert stores.read_manifest(trained)["digest"] in page


def test_what_was_published_can_be_published_again_without_the_weights(paper_run, published, tmp_path):
    """From a fresh clone: the stores restored, all else made anew, the networks as they lie there."""
    results, out = tmp_path / "paper", shutil.copytree(published, tmp_path / "out")
    shutil.copytree(
        paper_run, results, ignore=shutil.ignore_patterns("train", "noise", "sensitivity", "solvers", "attack")
    )
    restore.restore(published / "stores/paper", results)
    publish.publish(results, "paper", out, REFERENCE)
    assert files(out) == files(published)

    other = stores.manifest_path(out / "networks/ncg_ce_relu.zarr")
    digest = stores.read_manifest(results / "train/ncg_ce_relu/run0.zarr")["digest"]
    other.write_text(other.read_text().replace(digest, "0" * 64))
    with pytest.raises(UserError, match=r"an extract without weights, and .* is not that network"):
        publish.publish(results, "paper", out, REFERENCE)


def test_networks_that_were_kept_stay_whatever_is_published(paper_run, published, tmp_path):
    """A second run's, and one that this experiment does not have."""
    out = shutil.copytree(published, tmp_path / "out")
    keep_network.keep(paper_run / "train/ncg_ce_relu/run1.zarr", out / "networks/ncg_ce_relu.zarr", images=10)
    for kind in ("zarr", "json"):
        copy = shutil.copytree if kind == "zarr" else shutil.copy
        copy(out / f"networks/sgd_ce_relu.{kind}", out / f"networks/mine_ce_relu.{kind}")
    before = files(out / "networks")
    publish.publish(paper_run, "paper", out, REFERENCE)
    after = files(out / "networks")
    assert without_page(after) == without_page(before)
    assert "| `mine_ce_relu` | 0 | 6 |" in (out / "networks/README.md").read_text()
    with pytest.raises(UserError, match=r"--networks: wanted some of .*; found sgd_ce_rleu"):
        publish.publish(paper_run, "paper", out, REFERENCE, networks=["sgd_ce_rleu"])
    publish.publish(paper_run, "paper", out, REFERENCE, networks=["mine_ce_relu"])
    assert {path.name for path in (out / "networks").glob("*.zarr")} == {"mine_ce_relu.zarr"}
    publish.publish(paper_run, "paper", out, REFERENCE, networks=["sgd_ce_relu"])
    assert {path.name for path in (out / "networks").glob("*.zarr")} == {"sgd_ce_relu.zarr"}


def test_a_kept_run_that_the_experiment_does_not_have_stays(paper_run, paper_config, published, tmp_path):
    """Also where the run that it has came without weights."""
    results, before = tmp_path / "paper", tmp_path / "networks"
    restore.restore(published / "stores/paper", results)
    keep_network.keep(paper_run / "train/ncg_ce_relu/run1.zarr", before / "ncg_ce_relu.zarr", images=10)
    first_run_alone = paper_config | {"training": paper_config["training"] | {"runs": 1}}
    place_network(results, first_run_alone, "ncg_ce_relu", tmp_path / "place", before)
    assert stores.read_manifest(tmp_path / "place/ncg_ce_relu.zarr")["settings"]["run"] == 1


def without_page(found):
    return {name: content for name, content in found.items() if name != "README.md"}


def test_other_presets_leave_the_published_networks_alone(paper_run, paper_config, tmp_path):
    results = tmp_path / "smoke"
    shutil.copytree(paper_run, results)
    write_page(results, paper_config | {"preset": "smoke"})
    publish.publish(results, "smoke", tmp_path / "out", REFERENCE)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["smoke"]
