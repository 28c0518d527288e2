"""The playground in Chromium: a forward pass and a step of the sensitivity attack, as the page itself measures them.

Each repetition opens the page anew; its figures are medians of a dozen passes and steps. Of a tanh network all neurons
are active, of a trained ReLU network one in ten: the two are the ends of what to expect.
"""

import tempfile
from pathlib import Path

import subjects
from findings import plain
from kit.driven_chromium import CHROMIUM, browser
from kit.played_networks import write_network

from stages.config import configuration
from stages.playground import write_playground
from stages.publish.attack_published import shipped_digits

TITLE = "The playground"
DEPTH = 150
GOALS = {"forward pass": ("#forward-time", 20), "attack step": ("#attack-time", 150)}  # of the page, ms


def run(repetitions):
    if CHROMIUM is None:
        print("| no Chromium here (Debian: apt-get install chromium): not measured | | | | | | |")
        return
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        config = configuration.load(subjects.ROOT, "quick")
        digits = shipped_digits(folder, config, config["data"]["side"])
        networks = {
            "ReLU, trained": subjects.ROOT / "workflow/published/networks/ncg_ce_relu.zarr",
            "tanh": write_network(folder, "ncg_ce_tanh", DEPTH),
        }
        with browser(folder / "profile") as tab:
            for name, store in networks.items():
                page = folder / f"{store.stem}.html"
                page.write_text(write_playground.page([store], digits))
                times = [measured(tab, page) for _ in range(repetitions)]
                for what, (_, goal) in GOALS.items():
                    values = [each[what] for each in times]
                    yield plain(f"{what}, {name}, {DEPTH} layers", values, "ms", at_most=goal)


def measured(tab, page):
    """Return what the page measured when it was opened, in ms."""
    tab.open("about:blank", 1280, 900)
    tab.open(page.as_uri(), 1280, 900, ready="document.body.dataset.ready")
    found = {}
    for what, (selector, _) in GOALS.items():
        found[what] = float(tab.evaluate(f"document.querySelector('{selector}').textContent").removesuffix(" ms"))
    return found
