"""Partial reruns are exact: what a change touches runs again, and nothing else; a dry run leaves all as it is."""

import os
import re
import shutil

import pytest
import yaml
from kit.project_copy import ROOT
from kit.snakemake_project import planned_in, tiny_project

from stages.plan import experiment, redraw_targets
from stages.publish import pack as extracts
from stages.publish import restore

SHOWN = {"draw_figure", "tabulate", "judge_claims", "write_report", "write_playground"}


def rules(jobs):
    return {job.partition(":")[0] for job in jobs}


def drawn(jobs):
    """Return the figures and tables that are made."""
    return {job.partition(": ")[2] for job in jobs if job.startswith(("draw_figure", "tabulate"))}


def of_rule(jobs, rule):
    return [job for job in jobs if job.partition(":")[0] == rule]


@pytest.fixture
def edited(finished):
    """Edit a file of the workflow for one test."""
    originals = {}

    def edit(name, old, new):
        path = finished.folder / name
        originals.setdefault(path, (path.read_text(), path.stat()))
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new, 1))

    yield edit
    for path, (text, status) in originals.items():
        path.write_text(text)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_a_second_run_does_no_work_and_says_so(finished):
    before = finished.digests()
    result = finished.snakemake()
    assert result.returncode == 0
    assert "Nothing to be done" in result.stdout + result.stderr
    assert finished.digests() == before


def test_a_figure_setting_redraws_that_figure_only(finished):
    jobs = finished.planned("figures={noisy_image: 3}")
    assert jobs == ["draw_figure: fig_noisy_images", "write_report"]


def test_an_edited_caption_writes_the_page_again_and_draws_nothing(finished, edited):
    edited("stages/figures/plot_noisy_images.py", "One test digit with", "A test digit with")
    assert finished.planned() == ["write_report"]


def test_an_edited_title_writes_its_table_and_the_page_again(finished, edited):
    edited("stages/tables/tabulate_accuracy.py", "Accuracy on clean", "Accuracy on all clean")
    assert finished.planned() == ["tabulate: table2_accuracy", "write_report"]


def test_a_line_of_a_figure_draws_that_figure_again(finished, edited):
    edited("stages/figures/plot_noisy_images.py", "vmax=1", "vmax=2")
    assert finished.planned() == ["draw_figure: fig_noisy_images", "write_report"]


def test_an_attack_setting_reruns_that_attack_and_what_shows_it(finished):
    jobs = finished.planned("attack={attacks: {fgsm: {loss: own}}}")
    assert of_rule(jobs, "attack_network") == ["attack_network: fgsm on ncg_ce_tanh, run 0"]
    assert drawn(jobs) == {"fig_attack_comparison", "table_attacks"}
    assert rules(jobs) == {"attack_network", "draw_figure", "tabulate", "judge_claims", "write_report"}


def test_a_loss_weight_retrains_only_the_models_that_use_it(finished):
    jobs = finished.planned("losses={ce: {mu3: 0.5}}")
    trained = of_rule(jobs, "train_network")
    assert [job.partition(": ")[2] for job in trained] == ["ncg_ce_tanh, run 0", "sgd_ce_tanh, run 0"]
    for rule in ("evaluate_noise", "estimate_sensitivity", "attack_network"):
        assert of_rule(jobs, rule)
        assert all("_ce_" in job for job in of_rule(jobs, rule))
    assert not rules(jobs) & {"fetch_digits", "downsample_digits", "swap_solvers"}
    assert "fig_noisy_images" not in drawn(jobs)


def test_the_rate_of_rmsprop_retrains_only_sgd(finished):
    trained = of_rule(finished.planned("rmsprop={rate: 0.02}"), "train_network")
    assert len(trained) == 2
    assert all(": sgd_" in job for job in trained)


def test_a_noise_level_reruns_the_noise_stage(finished):
    jobs = finished.planned("noise={std: [0.0, 0.1, 0.3]}")
    assert "evaluate_noise" in rules(jobs)
    assert not rules(jobs) & {"train_network", "attack_network", "estimate_sensitivity"}


def test_how_to_run_is_no_reason_to_run(finished):
    assert finished.planned("execution={checkpoint_minutes: 1.0, lockstep: true, device: auto}") == []


def test_a_changed_line_of_code_reruns_its_stage_and_what_follows(finished, edited):
    edited("stages/evaluate/noise.py", "noise += images", "noise += 2 * images")
    jobs = finished.planned()
    assert len(of_rule(jobs, "evaluate_noise")) == 3
    assert not rules(jobs) & {"train_network", "attack_network", "estimate_sensitivity", "swap_solvers"}
    assert drawn(jobs) == {"fig_noise_accuracy"}


def test_a_changed_comment_or_docstring_reruns_nothing(finished, edited):
    edited("stages/evaluate/noise.py", "def noisy_images", "# A remark.\ndef noisy_images")
    edited("stages/model/adjoint.py", "Solve backwards", "Solve it backwards")
    assert finished.planned() == []


def test_a_changed_template_or_style_writes_the_report_again(finished, edited):
    edited("stages/report/report.css", "max-width: 70rem", "max-width: 60rem")
    assert rules(finished.planned()) == {"write_report"}


def test_a_changed_script_or_list_of_models_writes_the_playground_again(finished, edited):
    assert finished.planned("figures={playground: [sgd_l2_tanh]}") == ["write_playground", "write_report"]
    edited("stages/playground/js/drawing.js", "const PEN = 2.5 / 28;", "const PEN = 2.4 / 28;")
    assert rules(finished.planned()) == {"write_playground"}


def test_a_published_run_is_shown_beside_this_one(finished):
    published = finished.folder / "workflow/published/paper"
    published.mkdir(parents=True)
    for name in ("claims.csv", "experiment.yaml"):
        shutil.copy(finished.folder / "results/smoke" / name, published)
    try:
        assert rules(finished.planned()) == {"write_report"}
    finally:
        shutil.rmtree(published.parent)


def test_a_changed_attack_method_reruns_that_method(finished, edited):
    edited("stages/attack/methods/fgsm.py", "def ", "UNUSED = 1\n\n\ndef ")
    attacks = of_rule(finished.planned(), "attack_network")
    assert attacks == ["attack_network: fgsm on ncg_ce_tanh, run 0"]


def times(folder):
    return {path: path.lstat().st_mtime_ns for path in (folder / "results").rglob("*")}


@pytest.fixture
def lost_records(finished):
    """The workflow without Snakemake's records: now only the manifests know what a store was made with."""
    records = finished.folder / ".snakemake" / "metadata"
    records.rename(records.with_suffix(".away"))
    yield finished
    shutil.rmtree(records, ignore_errors=True)
    records.with_suffix(".away").rename(records)


@pytest.mark.parametrize("workflow", ["finished", "lost_records"])
def test_a_dry_run_with_other_settings_leaves_every_time_alone(request, workflow):
    finished = request.getfixturevalue(workflow)
    folder = finished.folder
    before = times(folder)
    planned = finished.planned("training={batch: 25}")
    assert len(of_rule(planned, "train_network")) == 4
    assert "downsample_digits" not in rules(planned)
    assert times(folder) == before
    assert finished.planned() == []
    assert times(folder) == before


def test_a_target_that_does_not_need_a_misleading_store_does_not_make_it(lost_records):
    result = lost_records.snakemake("-n", "sensitivity", config=["noise={std: [0.0, 0.3]}"])
    assert result.returncode == 0, result.stderr
    assert "Nothing to be done" in result.stdout + result.stderr
    jobs = lost_records.planned("noise={std: [0.0, 0.3]}")
    assert rules(jobs) == {"draw_figure", "evaluate_noise", "judge_claims", "write_report"}


def test_without_records_a_picture_of_other_settings_is_drawn_again(lost_records):
    jobs = lost_records.planned("figures={noisy_image: 3}", "claims={comparable: 0.6}")
    assert drawn(jobs) == {"fig_noisy_images"}
    assert rules(jobs) == {"draw_figure", "judge_claims", "write_report"}


def test_the_same_bits_made_again_disturb_nothing_behind_them(finished):
    target = "results/smoke/noise/ncg_ce_tanh/run0.json"
    before = finished.digests()
    result = finished.snakemake("--force", target)
    assert result.returncode == 0, result.stderr
    assert "1/1 evaluate_noise: ncg_ce_tanh, run 0" in result.stdout + result.stderr
    assert finished.digests() == before
    assert finished.planned() == []


@pytest.fixture(scope="module")
def packed(finished, tmp_path_factory):
    """What `make pack` keeps of the finished run, and its configuration."""
    here, folder = finished.folder / "results/smoke", tmp_path_factory.mktemp("packed")
    config = yaml.safe_load((here / "experiment.yaml").read_text())
    for model in experiment.all_models(config):
        extracts.pack(here, config, model, folder / f"{model}.zip")
    return folder, config


def test_a_run_goes_on_from_its_published_stores(packed, tmp_path):
    """Elsewhere, with the digits made anew and extracts of all else, a further model trains and no other."""
    elsewhere = tiny_project(tmp_path / "elsewhere")
    assert elsewhere.snakemake("data").returncode == 0
    restore.restore(packed[0], elsewhere.folder / "results/smoke")
    assert not rules(elsewhere.planned()) - SHOWN
    planned = elsewhere.planned("models={own: [ncg_ce_relu]}")
    stores = [job for job in planned if rules([job]) & {"train_network", "evaluate_noise", "estimate_sensitivity"}]
    assert len(stores) == 3
    assert all(": ncg_ce_relu" in job for job in stores)
    assert all(" on ncg_ce_relu" in job for job in of_rule(planned, "attack_network"))


def test_what_was_published_is_drawn_anew_without_training_and_without_digits(finished, packed, tmp_path):
    """As `make redraw` does it, where there is nothing but the packed stores and the published pictures."""
    elsewhere = tiny_project(tmp_path / "elsewhere")
    results = elsewhere.folder / "results/smoke"
    restore.restore(packed[0], results)
    wanted = redraw_targets.targets(packed[1], results, finished.folder / "results/smoke")
    assert (results / "figures/fig_noisy_images.png").exists()
    assert not any("fig_noisy_images" in str(path) for path in wanted)
    (drawing,) = re.findall(r"^DRAWING := (.*)$", (ROOT / "Makefile").read_text(), re.M)
    files = [path.relative_to(elsewhere.folder) for path in wanted]
    result = elsewhere.snakemake("-n", *files, "--allowed-rules", *drawing.split())
    assert result.returncode == 0, result.stdout + result.stderr
    jobs = planned_in(result)
    assert rules(jobs) == set(drawing.split())
    assert "draw_figure: fig_noisy_images" not in jobs


def test_results_survive_all_of_it(finished):
    """Dry runs and refused configurations left every store as it was."""
    stores = finished.digests()
    assert finished.snakemake(config=["seed=-1"]).returncode != 0
    assert finished.digests() == stores
    assert (finished.folder / "results/smoke/report.html").exists()
