"""Readings are no networks of the paper's grid: with them and without them the claims look at the same numbers."""

import copy

from kit.project_copy import ROOT

from stages.claims.judge_claims import judge
from stages.claims.levels import level_rows
from stages.claims.measurements import measure
from stages.claims.printed_numbers import printed_measurements


def test_verdicts_and_levels_are_the_same_with_readings_and_without(with_readings):
    folder, config = with_readings
    without = copy.deepcopy(config)
    without["models"]["readings"] = []
    del without["attack"]["attacks"]["cw-all"], without["attack"]["attacks"]["pgd-own"]
    printed = printed_measurements(ROOT / "workflow/reference", config["claims"])
    some, none = (measure(folder, each, printed) for each in (config, without))
    assert set(some.values) == set(none.values)
    assert judge(some) == judge(none)
    assert level_rows(some, printed) == level_rows(none, printed)


def test_no_claim_measures_a_reading_though_its_store_is_there(with_readings):
    folder, config = with_readings
    keys = {key for _, key in measure(folder, config).values}
    assert (folder / "attack/cw-all/ncg_ce_relu/run0.zarr").exists()
    assert "ncg_ce_relu" in keys
    names = {name for key in keys for name in ([key] if isinstance(key, str) else key)}
    assert not names & {"cw-all", "pgd-own", "sgd-rate-0.001_l2_tanh", "sgd_ce0_relu", "ncg-random_ce_tanh"}
