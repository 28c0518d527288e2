"""A grid with missing cells is judged as far as it goes: the rest is not decided, and says what was not run."""

import copy
import os
from types import SimpleNamespace

import numpy as np
import pytest
from kit import made_up_worlds

from stages.claims import AGAINST, HOLDS, LEANS_AGAINST, PARTLY, UNDECIDED, claims_files, judge_claims
from stages.claims.claims_files import reason_of
from stages.claims.judge_claims import CLAIMS, OUR_CLAIMS, judge
from stages.claims.measured import Unusable
from stages.claims.measurements import measure
from stages.plan import exhibit, experiment
from stages.storage.csv_files import read_csv


@pytest.fixture
def whole(config):
    return made_up_worlds.measurements(config, made_up_worlds.as_the_paper_says())


@pytest.mark.parametrize("seed", range(30))
def test_any_part_of_the_measurements_is_judged(whole, seed):
    """What is left is judged as before; a claim is open only where something is missing, and names it."""
    rng = np.random.default_rng(seed)
    part = copy.copy(whole)
    share = rng.choice([0.01, 0.1, 0.5, 0.9])
    part.values = {place: value for place, value in whole.values.items() if rng.random() > share}
    complete, left = judge(whole), judge(part)
    for claim, verdict in left.items():
        if claim == "C17":  # true in general, not for all settings
            assert verdict.word in (HOLDS, PARTLY, UNDECIDED)
        else:
            assert verdict.word in (HOLDS, UNDECIDED), claim
            assert not verdict.counts[AGAINST] + verdict.counts[LEANS_AGAINST]
        asked, before = (
            [each for clause in one.clauses for each in clause.comparisons] for one in (verdict, complete[claim])
        )
        # The words of C18 tell seconds beside solves, which may be missing.
        assert [each for each in asked if not each.reason and claim != "C18"] == [
            old for old, new in zip(before, asked, strict=True) if not new.reason and claim != "C18"
        ]
        if verdict.word == UNDECIDED:
            assert reason_of(verdict).startswith("not run: ")
            assert all(reason.startswith("not run: ") for each in asked for reason in each.reason.split("; ") if reason)


def test_every_claim_is_decided_by_the_models_that_it_speaks_of(whole, config):
    """Without weight decay and the networks of Table 1, the claims on the other models have their verdicts."""
    config["models"] |= {"table1": []}
    config["models"]["table2"]["trainers"] = ["sgd", "ncg", "ncg-sobolev"]
    wanted = experiment.all_models(config)
    for quantity, key in list(whole.values):
        if (key if isinstance(key, str) else key[1]) not in wanted:
            del whole.values[quantity, key]
    verdicts = judge(whole)
    open_claims = {claim for claim, verdict in verdicts.items() if verdict.word == UNDECIDED}
    # C10 and C25 speak of most models, and three in five are most.
    assert open_claims == {
        "C01", "C02", "C03", "C04", "C05", "C06", "C07", "C08", "C11", "C12", "C29",
    }  # fmt: skip
    assert reason_of(verdicts["C03"]) == "not run: ncg-wd_ce_relu, ncg-wd_ce_tanh"


@pytest.mark.parametrize("seed", range(3))
def test_any_part_of_the_stores_is_judged_and_written(results, config, root, tmp_path, seed):
    """Random models of the grid, then random stores of theirs that are not there; one run or two."""
    rng = np.random.default_rng(seed)
    models = experiment.table2_models(config)
    config["models"]["own"] = sorted(rng.choice(models, size=rng.integers(0, 6), replace=False).tolist())
    config["models"]["table2"] = {"trainers": ["sgd"], "losses": ["ce"], "activations": ["relu"]}
    config["models"]["table1"] = config["models"]["table1"][: rng.integers(0, 3)]
    config["training"]["runs"] = int(rng.integers(1, 3))
    config["attack"]["attacks"] = dict(list(config["attack"]["attacks"].items())[: rng.integers(1, 4)])
    for manifest in results.rglob("run*.json"):
        if rng.random() > 0.2:
            place = tmp_path / "smoke" / manifest.relative_to(results)
            place.parent.mkdir(parents=True, exist_ok=True)
            os.symlink(manifest, place)
            os.symlink(manifest.with_suffix(".zarr"), place.with_suffix(".zarr"))
    options = SimpleNamespace(
        settings=exhibit.claims_settings(config),
        results=tmp_path / "smoke",
        reference=root / "workflow" / "reference",
        csv=tmp_path / "claims.csv",
        markdown=tmp_path / "claims.md",
        detail=tmp_path / "claims_in_detail.csv",
        levels=tmp_path / "levels.csv",
    )
    judge_claims.main(options)
    rows = read_csv(options.csv)
    ours = [name for name in OUR_CLAIMS if name in ("B07", "B08", "B09")]  # no others are about these networks
    assert [row["id"] for row in rows if row["id"] not in ours] == [*CLAIMS]
    # Among 200 images a network errs in few, and in none of some resamplings: then no detector of errors is judged.
    why = ("not run: ", "within chance", "too few", "no number")
    assert all(any(word in row["reason"] for word in why) for row in rows if row["verdict"] == UNDECIDED)
    assert all(bool(row["rule"]) != bool(row["reason"]) for row in read_csv(options.detail))


def test_an_attack_that_was_not_made_is_named(results, config, tmp_path):
    config["models"]["table2"] = {"trainers": ["sgd"], "losses": ["ce"], "activations": ["relu"]}
    config["attack"]["attacks"] = {}
    found = measure(results, config).get("success_at_norm", ("cw", "sgd_ce_relu"))
    assert found == Unusable("not run: cw on sgd_ce_relu")


def test_the_page_of_verdicts_says_which_rule_judged(config):
    """On made-up measurements of one run: no images, so the single value decides."""
    config["training"]["runs"] = 1
    verdicts = judge(made_up_worlds.measurements(config, made_up_worlds.as_the_paper_says()))
    wording = [{"id": claim, "claim": ""} for claim in CLAIMS]
    rows = claims_files.summary_rows(verdicts, {}, verdicts, {}, wording, {})
    assert {row["rule"] for row in rows} == {"single value"}
    assert "how far chance could move it" in claims_files.as_markdown(rows, "")
