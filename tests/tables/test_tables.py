"""Tables: ours, the paper's, the difference; as CSV, Markdown and LaTeX."""

import copy
import csv
from types import SimpleNamespace

import numpy as np
import pytest
from kit import drawing

from stages.names.attacks import HELD
from stages.names.numbers import number, signed
from stages.plan.all_exhibits import TABLES
from stages.runtime.errors import UserError
from stages.statistics import attack_curves
from stages.storage.csv_files import read_csv
from stages.tables import layout


@pytest.fixture
def written(results, config, tmp_path):
    """Write a table; return its texts by suffix, the CSV as rows."""

    def write(name, **changes):
        outputs = [tmp_path / f"{name}.{kind}" for kind in ("csv", "md", "tex")]
        drawing.tabulate(results, config, name, outputs, **changes)
        with open(outputs[0], newline="") as file:
            rows = list(csv.DictReader(file))
        return rows, outputs[1].read_text(), outputs[2].read_text()

    return write


def test_table_2_has_twenty_models_with_mean_spread_and_difference(written):
    rows, markdown, latex = written("table2_accuracy")
    assert len(rows) == 20
    row = next(row for row in rows if (row["trainer"], row["loss"], row["activation"]) == ("ncg", "ce", "relu"))
    # The made-up runs have 97.49 and 97.51 %; the paper prints 98.05 +- 0.10.
    assert float(row["test_accuracy_mean"]) == pytest.approx(97.5, abs=1e-4)
    assert float(row["test_accuracy_std"]) == pytest.approx(np.std([97.49, 97.51], ddof=1), abs=1e-4)
    assert (row["test_accuracy_paper_mean"], row["test_accuracy_paper_std"]) == ("98.0500", "0.1000")
    assert float(row["test_accuracy_difference"]) == pytest.approx(-0.55, abs=1e-4)
    assert "| ncg | ce | relu | 97.50 ± 0.01 | 98.05 ± 0.10 | −0.55 |" in markdown
    assert r"ncg & ce & relu & $97.50 \pm 0.01$ & $98.05 \pm 0.10$ & $-0.55$ \\" in latex


def test_every_table_says_which_preset_made_it(written):
    for name in TABLES:
        if name in ("table_robustness", "table_convolutions", "table_own_scores", "table_readings"):  # no such network
            continue
        rows, markdown, latex = written(name)
        assert {(row["preset"], row["runs"]) for row in rows} == {("smoke", "2")}
        assert "smoke preset: 6 layers" in markdown
        assert "smoke preset: 6 layers" in latex


def test_table_1_pairs_solvers_as_the_paper_does(written):
    rows, _, _ = written("table1_solvers")
    pairs = [(row["train_solver"], row["inference_solver"]) for row in rows]
    assert pairs == [("euler", "euler"), ("euler", "ode45"), ("ode45", "ode45"), ("ode45", "euler")]
    # The made-up swap costs 0.1 points.
    own, swapped = (float(row["test_accuracy_mean"]) for row in rows[:2])
    assert own - swapped == pytest.approx(0.1, abs=1e-3)


def test_table_3_has_both_variants_of_the_attack(written):
    rows, _, _ = written("table3_cw")
    assert len(rows) == 24
    assert {row["outputs"] for row in rows} == {"scores", "softmax"}
    assert all(row["susceptible_paper_mean"] for row in rows)


def test_one_run_has_no_standard_deviation(written):
    rows, markdown, _ = written("table2_accuracy", runs=[0])
    assert {row["test_accuracy_std"] for row in rows} == {""}
    assert "| ncg | ce | relu | 97.49 | 98.05 ± 0.10 | −0.56 |" in markdown


def test_an_attack_that_never_succeeds_has_no_norm():
    dataset = {"success": np.zeros(4, dtype=bool), "norm": np.full(4, np.nan)}
    measured = attack_curves.share_and_norms({name: SimpleNamespace(values=array) for name, array in dataset.items()})
    assert measured["susceptible"] == 0
    assert layout.compared([measured["mean_norm"]] * 2, (0.7, 0.1))["mean"] is None
    assert number(None, None) == "–"


def test_numbers_are_written_with_a_true_minus_and_no_negative_zero():
    assert signed(-0.5) == "−0.50"
    assert signed(0.5) == "+0.50"
    assert signed(-0.001) == "0.00"


def test_latex_has_no_letters_in_its_text_that_its_fonts_lack():
    """pdflatex refuses them: "Unicode character ε (U+03B5) not set up for use with LaTeX"."""
    assert layout._escaped("ε inside the root; ink −1; ℓ²; 5 %") == (
        r"$\varepsilon$ inside the root; ink $-$1; $\ell^2$; 5 \%"
    )


def test_a_damaged_reference_says_which_columns_were_wanted(tmp_path):
    path = tmp_path / "reference.csv"
    path.write_text("trainer,loss\nsgd,ce\n")
    with pytest.raises(UserError, match="wanted the columns trainer, loss, activation"):
        layout.reference(path, ("trainer", "loss", "activation"), ("test_accuracy",))


def test_what_was_not_run_stands_there_with_the_papers_numbers(written, config):
    config["models"]["table2"]["trainers"] = ["ncg"]
    rows, markdown, latex = written("table2_accuracy")
    assert len(rows) == 20
    assert {row["trainer"] for row in rows if row["test_accuracy_mean"]} == {"ncg"}
    assert "| sgd | ce | relu | not run | 96.30 ± 0.37 | – |" in markdown
    assert r"sgd & ce & relu & not run & $96.30 \pm 0.37$ & -- \\" in latex


def test_every_attack_is_in_the_table_of_attacks(written, config):
    rows, markdown, _ = written("table_attacks")
    assert len(rows) == 12 * len(config["attack"]["attacks"])
    assert "success within the ℓ² norm 0.5" in markdown
    assert "paper" not in markdown.splitlines()[4]


def test_a_robust_network_stands_below_its_twin_with_what_it_gains_and_costs(beyond, tmp_path):
    results, config, path = beyond[0], copy.deepcopy(beyond[1]), tmp_path / "table.csv"
    drawing.tabulate(results, config, "table_robustness", [path, path.with_suffix(".md"), path.with_suffix(".tex")])
    rows = read_csv(path)
    assert [row["trainer"] for row in rows[:4]] == ["sgd", "sgd-robust", "ncg", "ncg-robust"]
    plain, robust = rows[:2]
    # As made up: 60 % of 20 images within norm 0.5, and a third of that; radii are 0.25 apart.
    assert float(plain["sensitivity_mean"]) == pytest.approx(60, abs=5)
    assert float(robust["sensitivity_mean"]) == pytest.approx(18, abs=5)
    assert float(plain["any_of_them_mean"]) >= max(
        float(plain[f"{name}_mean"]) for name in config["attack"]["attacks"] if name not in ("pgd-far", HELD)
    )
    assert f"{HELD}_mean" not in plain  # an attacker with fewer pixels is shown where it is asked for
    assert float(plain["training_mean"]) == pytest.approx(1.5)  # seconds: 1 and 2 in the two runs
    assert "transfer_mean" in plain
    del config["attack"]["attacks"]["cw"]
    drawing.tabulate(results, config, "table_robustness", [path, path.with_suffix(".md"), path.with_suffix(".tex")])
    assert "not run" in path.with_suffix(".md").read_text()


def test_a_convolutional_network_stands_below_its_dense_twin_at_the_same_norm_per_pixel(beyond, tmp_path):
    results, config, path = beyond[0], copy.deepcopy(beyond[1]), tmp_path / "table.csv"
    drawing.tabulate(results, config, "table_convolutions", [path, path.with_suffix(".md"), path.with_suffix(".tex")])
    dense, other = read_csv(path)
    assert (dense["network"], dense["images"]) == ("SGD, ReLU, CE", "7 × 7")
    assert (other["network"], other["images"]) == ("SGD, convolutions, ReLU, CE", "28 × 28")
    assert dense["weights"] == f"{6 * 49 * 50:,}"
    assert other["weights"] == f"{4 * 16 * (16 * 9 + 1):,}"
    # As made up: as many are changed within 0.5 at 7 x 7 pixels as within 2 at 28 x 28.
    assert float(dense["sensitivity_mean"]) == pytest.approx(60, abs=5)
    assert float(other["sensitivity_mean"]) == pytest.approx(60, abs=5)
    assert float(dense["seconds_mean"]) == pytest.approx(1.5)  # 1 and 2 in the two runs
    assert "beyond preset: 4 to 6 layers" in path.with_suffix(".md").read_text()


def test_a_network_with_scores_of_its_own_stands_in_the_row_of_its_twin(beyond, tmp_path):
    results, config, path = beyond[0], copy.deepcopy(beyond[1]), tmp_path / "table.csv"
    outputs = [path, path.with_suffix(".md"), path.with_suffix(".tex")]
    drawing.tabulate(results, config, "table_own_scores", outputs)
    rows = read_csv(path)
    assert [(row["trainer"], row["activation"]) for row in rows] == [
        *((trainer, activation) for activation in ("ReLU", "tanh") for trainer in ("SGD", "NCG")),
        ("Sobolev NCG", "tanh"),
    ]
    sgd, ncg = rows[:2]
    # As made up: 60 and 45 % of 20 images within norm 0.5, nine tenths of that with the pixels held.
    assert float(sgd["success_pixels_mean"]) == pytest.approx(60, abs=5)
    assert float(sgd["success_held_mean"]) == pytest.approx(54, abs=5)
    assert float(ncg["success_own_mean"]) == pytest.approx(45, abs=5)
    del config["attack"]["attacks"][HELD]
    drawing.tabulate(results, config, "table_own_scores", outputs)
    assert float(read_csv(path)[0]["success_own_mean"]) == float(sgd["success_own_mean"])
    text = path.with_suffix(".md").read_text()
    assert "held" not in text.partition("\n\n|")[2]  # without the attack, without its column
    assert "not run" not in text


def test_an_attack_of_a_users_own_has_a_column_and_counts_in_any_of_them(beyond, tmp_path):
    """It was counted without being shown."""
    results, config, path = tmp_path / "results", copy.deepcopy(beyond[1]), tmp_path / "table.csv"
    (results / "attack").mkdir(parents=True)
    (results / "train").symlink_to(beyond[0] / "train")
    for folder in (beyond[0] / "attack").iterdir():
        (results / "attack" / folder.name).symlink_to(folder)
    (results / "attack" / "mine").symlink_to(beyond[0] / "attack" / "pgd-0.6")
    config["attack"]["attacks"] = {"mine": config["attack"]["attacks"]["pgd-0.6"]} | config["attack"]["attacks"]
    drawing.tabulate(results, config, "table_robustness", [path, path.with_suffix(".md"), path.with_suffix(".tex")])
    for row in read_csv(path):
        assert row["mine_mean"] == row["pgd-0.6_mean"] != ""
    assert "| mine (%) |" in path.with_suffix(".md").read_text()
