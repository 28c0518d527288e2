"""The published page is the one that today's scripts and published networks give, and small enough for everybody."""

import re

import numpy as np
import pytest
from kit.pipeline_numbers import Page
from kit.project_copy import ROOT

from stages.config import configuration
from stages.playground import bundle, write_playground
from stages.publish import publish_playground
from stages.runtime.errors import UserError
from stages.zoo import load

PAGE = ROOT / "workflow/published/playground.html"
NETWORKS = ROOT / "workflow/published/networks"
AGAIN = "make publish-playground writes it again"


@pytest.fixture(scope="module")
def text():
    return PAGE.read_text()


def test_its_scripts_and_style_are_the_projects(text):
    js = write_playground.HERE / "js"
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)[1]
    worker = re.search(r'<script type="text/plain" id="worker">(.*?)</script>', text, re.DOTALL)[1]
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)[1]
    assert (script, worker) == (bundle.bundle(js, "page"), bundle.bundle(js, "worker")), AGAIN
    assert style == (write_playground.HERE / "playground.css").read_text(), AGAIN


def test_its_networks_are_the_published_ones_rounded(text):
    page = Page(PAGE)
    found = [about["model"] for about in page.data["networks"]]
    assert found == publish_playground.published_models(NETWORKS, configuration.load(ROOT, "paper")), AGAIN
    for number, model in enumerate(found):
        network, shown = load(NETWORKS / f"{model}.zarr", device="cpu").network, page.network(number)
        # At most a step of the page's apart: half of one, and what publishing the network once more may round.
        steps = abs(network.parameters).max(axis=-1, keepdims=True) / 127
        steps = np.maximum(steps, np.sqrt(np.square(steps).mean()) / 2)
        assert (abs(shown.parameters - network.parameters) <= 1.01 * steps).all(), AGAIN
    assert "Left out" not in text


def test_the_page_and_its_picture_are_small():
    assert PAGE.stat().st_size < 1e6 * publish_playground.LIMIT_MB
    assert PAGE.with_suffix(".png").stat().st_size < 3e5


def test_no_network_and_an_unknown_one_are_answers(tmp_path):
    there = ", ".join(sorted(path.stem for path in NETWORKS.glob("*.zarr")))
    with pytest.raises(
        UserError, match=f"wanted one of the published networks, found 'ncg_ce_elu'; there are: {there}"
    ):
        publish_playground.publish(["ncg_ce_elu"], NETWORKS, tmp_path / "page.html", tmp_path)
    assert publish_playground.published_models(tmp_path, configuration.load(ROOT, "paper")) == []
    assert list(tmp_path.iterdir()) == []


def test_a_page_that_is_too_large_is_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr(publish_playground, "LIMIT_MB", 0.1)
    monkeypatch.setattr(write_playground, "TEST_IMAGES", 10)
    with pytest.raises(UserError, match=r"wanted a page of at most 0\.1 MB, found .* with ncg_ce_relu"):
        publish_playground.publish(["ncg_ce_relu"], NETWORKS, tmp_path / "page.html", tmp_path / "work")
    assert not (tmp_path / "page.html").exists()
