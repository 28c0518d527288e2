"""Which numbers each claim rests on: all that the paper speaks of, and no others; one that is plainly wrong tells."""

from itertools import product

import pytest
from kit import made_up_worlds
from kit.project_copy import ROOT

from stages.claims import HOLDS
from stages.claims.judge_claims import CLAIMS, OUR_CLAIMS
from stages.claims.verdicts import Verdict
from stages.config import configuration

ACTIVATIONS, LOSSES = ("relu", "tanh"), ("ce", "l2")
WITHOUT_DECAY, WITH_DECAY = ("sgd", "ncg", "ncg-sobolev"), ("sgd-wd", "ncg-wd")
EULER, ODE45 = "ncg-euler20_l2_tanh", "ncg-ode45_l2_tanh"
SUCCESS = ("success_up_to_norm", "success_over_curve")


def models(trainers, losses=LOSSES, activations=ACTIVATIONS):
    return ["_".join(parts) for parts in product(trainers, losses, activations)]


def numbers(quantities, keys):
    return set(product(quantities, keys))


def attacks(quantities, names, trainers):
    return numbers(quantities, product(names, models(trainers)))


TABLE2 = models((*WITHOUT_DECAY, *WITH_DECAY))
FIGURE5 = ("sensitivity", "pgd-0.06")
PAPER = {
    "C01": {("accuracy_under_euler", EULER), ("accuracy_under_ode45", ODE45)},
    "C02": numbers(("accuracy_under_euler", "accuracy_under_ode45"), (EULER, ODE45)),
    "C03": numbers(["accuracy"], models(("sgd", "sgd-wd", "ncg", "ncg-wd"), ["ce"])),
    "C04": numbers(["accuracy"], models(("sgd", "sgd-wd", "ncg", "ncg-wd"), ["l2"])),
    "C05": numbers(("accuracy", "noise_area"), models(("sgd", "sgd-wd"))),
    "C06": numbers(("accuracy", "noise_area"), models(("ncg", "ncg-wd"))),
    "C07": numbers(["accuracy"], models(("sgd", "sgd-wd", "ncg", "ncg-wd")))
    | numbers(["noise_area"], models(("ncg", "ncg-wd"))),
    "C08": numbers(["noise_area"], TABLE2),
    "C09": numbers(["noise_area"], models(("sgd", "ncg"))),
    "C10": numbers(("largest_median_error", "curve_distance"), TABLE2),
    "C11": numbers(["growth"], [*models(("ncg", "ncg-wd"), activations=["tanh"]), *models(("sgd", "sgd-wd"))]),
    "C12": numbers(["growth"], [*models(("sgd", "sgd-wd"), activations=["relu"]), *models(("ncg", "ncg-wd"))]),
    "C13": numbers(("norm_variation", "weight_variation"), models(WITHOUT_DECAY)),
    "C14": attacks(SUCCESS, FIGURE5, ["sgd"]),
    "C15": attacks(SUCCESS, ("sensitivity", "pgd-0.6"), ("ncg", "ncg-sobolev")),
    "C16": attacks(SUCCESS, FIGURE5, WITHOUT_DECAY),
    "C17": attacks(SUCCESS, FIGURE5, ("ncg", "ncg-sobolev")),
    "C18": attacks((*SUCCESS, "solves", "attack_seconds"), ("sensitivity", "sensitivity-targeted"), WITHOUT_DECAY),
    "C19": attacks(["norm_per_success"], (*FIGURE5, "cw", "cw-softmax"), WITHOUT_DECAY),
    "C20": attacks(["single_pixel_share"], ("pgd-0.06", "fgsm", "sensitivity"), ("sgd", "ncg-sobolev")),
    "C21": numbers(("accuracy", "noise_area"), models(("sgd", "ncg"))),
    "C22": attacks(SUCCESS, FIGURE5, WITHOUT_DECAY),
    "C23": attacks(["success_up_to_norm"], ("pgd-0.06", "fgsm", "cw"), WITHOUT_DECAY),
    "C24": attacks(SUCCESS, ("pgd-0.06", "pgd-0.6"), WITHOUT_DECAY),
    "C25": numbers(["curve_distance"], TABLE2),
    "C26": numbers(["noise_loss"], models(WITHOUT_DECAY)),
    "C27": numbers(["accuracy"], models(("ncg", "ncg-sobolev"))),
    "C28": attacks(["success_at_last"], ["cw"], WITHOUT_DECAY),
    "C29": {("train_accuracy_under_euler", EULER), ("train_accuracy_under_ode45", ODE45)},
}

# The preset `beyond`: its twins, and what it has beside them.
PLAIN = [*models(WITHOUT_DECAY, ["l2"], ["tanh"]), *models(WITHOUT_DECAY, ["ce"], ["relu"])]
ROBUST = [model.replace("_", "-robust_", 1) for model in PLAIN]
OF_SGD, OF_NCG = ([model for model in PLAIN + ROBUST if model.startswith(name)] for name in ("sgd", "ncg"))
OTHERS = ("sensitivity-targeted", "pgd-0.06", "pgd-0.6", "fgsm", "cw", "cw-softmax")
DENSE_AND_NOT = ["ncg_l2_relu", "ncg-conv_l2_relu", "sgd-conv_ce_relu"]
PIXELS = {
    "relu": models(WITHOUT_DECAY, ["ce", "l2"], ["relu"]),
    "tanh": models(WITHOUT_DECAY, ["ce"], ["tanh"]),
}
OWN = {name: [model.replace("_", "-own_", 1) for model in pixels] for name, pixels in PIXELS.items()}
EVERY = [*PLAIN, *ROBUST, *DENSE_AND_NOT, *PIXELS["relu"], *PIXELS["tanh"], *OWN["relu"], *OWN["tanh"]]
SUCCESS = ("success_up_to_norm", "success_over_curve")
OURS = {
    "B01": numbers(["accuracy"], OF_SGD) | numbers(["success_at_norm"], product(["sensitivity"], OF_SGD)),
    "B02": numbers(["accuracy"], OF_NCG) | numbers(["success_at_norm"], product(["sensitivity"], OF_NCG)),
    "B03": numbers(["success_at_norm"], product(OTHERS, PLAIN + ROBUST)),
    "B04": numbers(["success_at_last"], product(["pgd-far"], ROBUST)),
    "B05": numbers(["success_at_norm"], product(["pgd-0.6", "fgsm"], ROBUST)),
    "B06": numbers(["success_at_norm"], product(["pgd-0.6", "transfer"], ROBUST)),
    "B07": numbers(["largest_gap"], [model for model in EVERY if model.startswith("ncg")]),
    "B08": numbers(["mean_gap"], models(WITHOUT_DECAY)),
    "B09": numbers(("roc_area_distance", "roc_area_confidence"), [model for model in EVERY if "_l2_" in model]),
    "B10": numbers(["accuracy"], ["sgd_ce_relu", *DENSE_AND_NOT]),
    **{
        claim: numbers(SUCCESS, product(["sensitivity", "pgd-0.06"], OWN[activation]))
        | numbers(SUCCESS, product(["sensitivity-held"], PIXELS[activation]))
        for claim, activation in (("B11", "relu"), ("B12", "tanh"))
    },
    "B13": numbers(["accuracy"], [*PIXELS["relu"], *PIXELS["tanh"], *OWN["relu"], *OWN["tanh"]]),
    "B14": numbers(["accuracy"], [model for each in OWN.values() for model in each if "_ce_" in model]),
}
# Claims on "most" models may have an exception; and whose numbers are said to be the larger ones.
MOST = {
    "C14": lambda key: key[0] == "sensitivity",
    "C15": lambda key: key[0] == "pgd-0.6",
    "C17": lambda key: key[1].startswith("ncg_"),
    "C20": lambda key: key[1].startswith("sgd_"),
    "C23": lambda key: key[0] == "pgd-0.06",
    "C24": lambda key: key[0] == "pgd-0.6",
    "C27": lambda key: key.startswith("ncg_"),
}
SMALL = ("C10", "C25")  # of these the numbers are said to be small, of most models


@pytest.fixture
def paper(config):
    return made_up_worlds.measurements(config, made_up_worlds.as_the_paper_says())


@pytest.fixture(scope="module")
def beyond():
    config = configuration.load(ROOT, "beyond", {"training": {"runs": 2}})
    return made_up_worlds.measurements(config, made_up_worlds.as_we_say())


def looked_at(claim, found, monkeypatch):
    seen, get = set(), found.get

    def recording(quantity, key):
        seen.add((quantity, key))
        return get(quantity, key)

    with monkeypatch.context() as patch:
        patch.setattr(found, "get", recording)
        claim(found)
    return seen


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_claim_of_the_paper_looks_at_what_the_paper_speaks_of(claim, paper, monkeypatch):
    assert looked_at(CLAIMS[claim], paper, monkeypatch) == PAPER[claim]


@pytest.mark.parametrize("claim", OUR_CLAIMS)
def test_a_claim_of_ours_looks_at_every_network_that_there_is(claim, beyond, monkeypatch):
    assert looked_at(OUR_CLAIMS[claim], beyond, monkeypatch) == OURS[claim]


def survivors(claim, found, places):
    """Return those of the numbers that can be made as wrong as one likes, up or down, and the claim still holds."""
    forgiven = set()
    for place in places:
        value = found.values[place]
        verdicts = []
        for factor in (1e-3, 1e3):
            found.put(*place, factor * value.runs)
            verdicts.append(Verdict(claim(found)).word)
        found.values[place] = value
        if set(verdicts) == {HOLDS}:
            forgiven.add(place)
    return forgiven


@pytest.mark.parametrize("claim", [claim for claim in CLAIMS if claim not in (*MOST, *SMALL)])
def test_one_number_that_is_plainly_wrong_tells(claim, paper):
    assert Verdict(CLAIMS[claim](paper)).word == HOLDS
    forgiven = survivors(CLAIMS[claim], paper, PAPER[claim])
    # Of the solves the median counts, the seconds are told beside.
    assert forgiven == {place for place in PAPER[claim] if place[0] in ("solves", "attack_seconds")}


@pytest.mark.parametrize("claim", MOST)
def test_most_may_have_an_exception_and_each_measure_counts(claim, paper):
    assert survivors(CLAIMS[claim], paper, PAPER[claim]) == PAPER[claim]
    for quantity in {quantity for quantity, _ in PAPER[claim]}:
        kept = dict(paper.values)
        for place in PAPER[claim]:
            if place[0] == quantity and MOST[claim](place[1]):
                paper.put(*place, 1e-3 * kept[place].runs)
        assert Verdict(CLAIMS[claim](paper)).word != HOLDS, quantity
        paper.values = kept


@pytest.mark.parametrize("claim", SMALL)
def test_most_estimates_have_to_be_good(claim, paper):
    for wrong, word in ((9, HOLDS), (11, None)):
        for quantity, model in [place for place in PAPER[claim] if place[1] in TABLE2[:wrong]]:
            paper.put(quantity, model, [0.9, 0.9])
        assert (Verdict(CLAIMS[claim](paper)).word == HOLDS) == (word == HOLDS)


@pytest.mark.parametrize("claim", OUR_CLAIMS)
def test_one_number_that_is_plainly_wrong_tells_beyond_the_paper_too(claim, beyond):
    assert Verdict(OUR_CLAIMS[claim](beyond)).word == HOLDS
    assert not survivors(OUR_CLAIMS[claim], beyond, OURS[claim])
