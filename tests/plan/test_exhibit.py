"""Which figures and tables there are, and that each rule sees no more than it uses."""

import json
import subprocess
import sys

import pytest
from kit import made_up_stores
from kit.drawing import RECORDS, settings_of

from stages.catalogues import Catalogue
from stages.plan import all_exhibits, code_identity, exhibit
from stages.plan.all_exhibits import FIGURES, TABLES
from stages.runtime.errors import UserError

EVERYTHING = list(RECORDS)


def text(settings):
    return json.dumps(settings, sort_keys=True)


def touched(config, change):
    """Return the figures and tables whose settings a change of the configuration touches."""
    before = {name: text(settings_of(config, name)) for name in EVERYTHING}
    change(config)
    return {name for name in EVERYTHING if text(settings_of(config, name)) != before[name]}


def test_all_figures_and_tables_of_the_paper_are_there():
    assert {name for name, record in FIGURES.items() if not record.beyond} == {
        "fig_solver_accuracy",
        "fig_noise_accuracy",
        "fig_sensitivity_l2",
        "fig_sensitivity_ce",
        "fig_sensitivity_error_l2",
        "fig_sensitivity_error_ce",
        "fig_weight_norm",
        "fig_noisy_images",
        "fig_attack_success",
        "fig_attack_comparison",
        "fig_one_image",
        "fig_attack_examples_sgd",
        "fig_attack_examples_sobolev",
        "fig_readings",
    }
    assert {name for name, record in TABLES.items() if not record.beyond} == {
        "table1_solvers",
        "table2_accuracy",
        "table3_cw",
        "table_attacks",
        "table_readings",
    }


def test_the_whole_experiment_has_every_figure_and_table(config):
    others = (made_up_stores.beyond_config(), made_up_stores.readings_config())
    there = {name for each in (config, *others) for name in exhibit.present(each, RECORDS)}
    assert there == set(EVERYTHING)


def test_every_figure_can_be_read_and_heard():
    for name, record in RECORDS.items():
        assert record.caption.endswith("."), name
        assert record.words.endswith(".") or name in TABLES, name


def test_more_examples_redraw_the_figures_of_examples(config):
    found = touched(config, lambda config: config["figures"].update(examples=2))
    assert found == {"fig_attack_examples_sgd", "fig_attack_examples_sobolev", "fig_robust_examples"}


def test_another_noisy_image_redraws_one_figure(config):
    assert touched(config, lambda config: config["figures"].update(noisy_image=3)) == {"fig_noisy_images"}


def test_another_resolution_redraws_all_figures_and_no_table(config):
    assert touched(config, lambda config: config["figures"].update(dpi=300)) == set(FIGURES)


def test_other_tolerances_of_ode45_touch_only_what_shows_them(config):
    found = touched(config, lambda config: config["ode45"].update(rtol=1e-4))
    assert found == {"fig_solver_accuracy", "table1_solvers"}


@pytest.mark.parametrize("block", ["claims", "execution"])
def test_neither_thresholds_nor_the_machine_touch_what_does_not_show_them(config, block):
    def change(config):
        config[block] = {"attack_norm": 0.7}

    at_the_norm = {"table_attacks", "table_robustness", "table_convolutions", "table_readings", "fig_robustness"}
    at_the_norm |= {"table_own_scores", "fig_own_scores"}
    assert touched(config, change) == (at_the_norm if block == "claims" else set())


def test_an_experiment_without_sgd_leaves_out_what_shows_it_alone(config):
    config["models"]["table2"]["trainers"] = ["ncg", "ncg-sobolev"]
    config["attack"]["trainers"] = ["ncg", "ncg-sobolev"]
    names = list(exhibit.present(config, RECORDS))
    assert "fig_attack_examples_sgd" not in names
    assert "fig_attack_examples_sobolev" in names
    assert "fig_noise_accuracy" in names


def test_an_experiment_without_attacks_leaves_out_their_figures_and_table(config):
    config["attack"]["attacks"] = {}
    names = list(exhibit.present(config, RECORDS))
    assert not [name for name in names if "attack" in name or name in ("fig_one_image", "table3_cw", "table_attacks")]
    assert "table2_accuracy" in names


def test_the_order_of_attacks_survives_sorted_json(config):
    settings = settings_of(config, "fig_attack_comparison")
    assert settings["attacks"] == ["sensitivity", "sensitivity-targeted", "pgd-0.06", "pgd-0.6", "fgsm"]


def test_an_attack_towards_a_class_is_left_out_where_all_attacks_are_taken_together():
    """It leaves out the images of that class: the others' images are not its images."""
    towards = {"method": "sensitivity", "target": 3, "kappa": 1.0, "step": 0.06, "iterations": 15}
    config = made_up_stores.configuration.load(
        made_up_stores.ROOT, "beyond", {"attack": {"attacks": {"to-3": towards}}}
    )
    for name in ("fig_robustness", "table_robustness"):
        assert "to-3" not in settings_of(config, name)["attacks"]
        assert "sensitivity-targeted" in settings_of(config, name)["attacks"]
    assert "to-3" in settings_of(config, "table_attacks")["attacks"]


def test_the_report_follows_the_paper_and_ends_beyond_it():
    assert list(FIGURES)[:3] == ["fig_solver_accuracy", "fig_noise_accuracy", "fig_sensitivity_l2"]
    assert list(FIGURES)[-8:] == [
        "fig_attack_examples_sobolev",
        "fig_readings",
        "fig_robustness",
        "fig_robust_examples",
        "fig_convolutions",
        "fig_uncertainty",
        "fig_least_certain",
        "fig_own_scores",
    ]
    assert list(TABLES)[:4] == ["table1_solvers", "table2_accuracy", "table3_cw", "table_attacks"]


@pytest.fixture
def collected(monkeypatch):
    """Return a function that collects made-up files, {file: what it has as EXHIBITS}."""

    def collect(**files):
        monkeypatch.setattr(Catalogue, "names", list(files))
        monkeypatch.setattr(Catalogue, "find", lambda self, file: files[file])
        return all_exhibits.collect(Catalogue("stages.figures", "EXHIBITS", "figure"))

    return collect


def test_two_records_of_one_name_are_refused(collected):
    record = {"fig_mine": FIGURES["fig_weight_norm"]}
    assert collected(one=record)["fig_mine"].program == "stages.figures.one"
    with pytest.raises(UserError, match="figure fig_mine: wanted one record, found two"):
        collected(one=record, two=record)


@pytest.mark.parametrize("wrong", [["fig_mine"], {"fig_mine": "a title"}, {"fig/mine": FIGURES["fig_weight_norm"]}])
def test_a_record_that_is_none_is_refused_with_its_file(collected, wrong):
    with pytest.raises(UserError, match=r"stages/figures/mine\.py: EXHIBITS: wanted \{name: Exhibit"):
        collected(mine=wrong)


def test_planning_does_not_wait_for_what_draws_and_reads(root):
    """Every job of the workflow reads all records."""
    command = "import sys, stages.plan.all_exhibits; print({'matplotlib', 'zarr', 'xarray'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", command], cwd=root, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"


def identities():
    """Return the identity of the code of every program of a figure or table."""
    code_identity._read.cache_clear()
    return {record.program: code_identity.code_identity(record.program) for record in RECORDS.values()}


def test_neither_records_nor_what_they_plan_with_count_for_the_code_of_a_picture(package):
    before = identities()
    paths = [package.parent / (program.replace(".", "/") + ".py") for program in before]
    for path in paths:
        path.write_text(path.read_text().replace('caption="', 'caption="Edited. ', 1).replace("order=", "order=1", 1))
    for planning in ("selection", "exhibit", "experiment", "stage_table"):
        (package / "plan" / f"{planning}.py").write_text("ANOTHER_LINE = 1\n")
    assert identities() == before
    for path in paths:
        path.write_text(path.read_text().replace("settings[", "settings['another'][", 1))
    assert not identities().items() & before.items()
