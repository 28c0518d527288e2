"""The page's modules in Node give the pipeline's numbers, and drawings become images as MNIST's did."""

import json
import math
import shutil
import subprocess

import numpy as np
import pytest
from kit.pipeline_numbers import TOLERANCE, Page
from kit.project_copy import ROOT

from stages.data.resampling import resample, weights

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="no Node here (Debian: apt-get install nodejs)")


def ask(page, questions):
    script, modules = ROOT / "tests/playground/in_node.mjs", ROOT / "stages/playground/js"
    command = [NODE, str(script), str(modules), str(page)]
    done = subprocess.run(command, input=json.dumps(questions), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_scores_trajectories_sensitivity_class_rows_and_attacks_are_the_pipelines(page):
    read = Page(page)
    assert [each["activation"] for each in read.data["networks"]] == ["relu", "relu", "tanh", "gelu", "relu"]
    assert [each["own"] for each in read.data["networks"]] == [0, 0, 0, 0, 10]
    assert [each["changes"] for each in read.data["networks"]] == [False, False, False, False, True]
    answers = ask(page, read.questions())
    read.compare(answers)
    # The judge judged: the attacks did something to compare.
    walks = [answer for answer in answers if "moved" in answer]
    asked = [question for question in read.questions() if question["kind"] == "walk"]
    assert len(walks) == len(asked) == 10 * (2 + 2 + 4 + 4 + 4)
    for walk, question in zip(walks, asked, strict=True):
        assert abs(np.array(walk["image"]) - question["image"]).max() > 1000 * TOLERANCE


def test_a_wrong_number_would_be_noticed(page):
    read = Page(page)
    answers = ask(page, read.questions()[:6])
    read.packed, read.images = read.packed[:1], read.images[:1]
    read.compare(answers)
    answers[3]["xiEnd"][5] += 1e-3
    with pytest.raises(AssertionError):
        read.compare(answers)


RING = [[math.cos(k / 20 * 2 * math.pi), 1.6 * math.sin(k / 20 * 2 * math.pi)] for k in range(21)]


@pytest.mark.parametrize("strokes", [[RING], [[[3, 0], [3, 9]]], [[[0, 0], [100, 0], [40, 180]], [[20, 90], [90, 90]]]])
@pytest.mark.parametrize("scale", [1, 0.01])
def test_a_drawing_fills_twenty_pixels_and_is_centred_by_its_mass(page, strokes, scale):
    strokes = [[[7 + scale * x, scale * y - 2] for x, y in stroke] for stroke in strokes]
    [answer] = ask(page, [{"kind": "draw", "strokes": strokes}])
    drawn = np.reshape(answer["drawn"], (28, 28))
    rows, columns = np.flatnonzero(drawn.max(axis=1) >= 0.5), np.flatnonzero(drawn.max(axis=0) >= 0.5)
    assert 19 <= max(np.ptp(rows), np.ptp(columns)) + 1 <= 21
    centre = np.arange(28) + 0.5
    for axis in (0, 1):
        assert abs((drawn.sum(axis=axis) * centre).sum() / drawn.sum() - 14) <= 0.51
    assert drawn.max() == 1
    side = int(math.sqrt(len(answer["image"])))
    wanted = resample(drawn, weights(28, side, "linear"))
    np.testing.assert_allclose(np.reshape(answer["image"], (side, side)), wanted, atol=1e-12)


def test_no_stroke_and_a_single_point_are_images_too(page):
    nothing, point = ask(page, [{"kind": "draw", "strokes": []}, {"kind": "draw", "strokes": [[[0.5, 0.5]]]}])
    assert max(nothing["image"]) == 0
    assert 0 < max(point["image"]) <= 1
