"""A dry run looks and leaves everything as it is, also with other settings and without Snakemake's records."""

import shutil

import pytest


def times(folder):
    return {path: path.lstat().st_mtime_ns for path in (folder / "results").rglob("*")}


@pytest.mark.parametrize("records", [True, False])
def test_a_dry_run_with_other_settings_leaves_every_time_alone(finished, records):
    folder = finished.folder
    if not records:
        shutil.rmtree(folder / ".snakemake" / "metadata")
    before = times(folder)
    planned = finished.planned("training={batch: 25}")
    assert len([job for job in planned if job.startswith("train_network")]) == 5
    assert not [job for job in planned if job.startswith("downsample_digits")]
    assert times(folder) == before
    assert finished.planned() == []
    assert times(folder) == before


def test_a_target_that_does_not_need_a_misleading_store_does_not_make_it(finished):
    """The last test took the records away: now only the manifests know that the noise has changed."""
    result = finished.snakemake("-n", "sensitivity", config=["noise={std: [0.0, 0.3]}"])
    assert result.returncode == 0, result.stderr
    assert "Nothing to be done" in result.stdout + result.stderr
    jobs = finished.planned("noise={std: [0.0, 0.3]}")
    assert sorted({job.partition(":")[0] for job in jobs}) == [
        "draw_figure",
        "evaluate_noise",
        "judge_claims",
        "write_report",
    ]
