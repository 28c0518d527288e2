"""The page in a real Chromium: its numbers, drawing by mouse and by keyboard, phones, old browsers, speed.

Needs Chromium (Debian: apt-get install chromium); without it the tests are skipped. Screenshots are in pytest's folder.
"""

import json
import math
import re

import pytest
from kit.driven_chromium import CHROMIUM, browser
from kit.pipeline_numbers import Page
from kit.project_copy import ROOT

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (Debian: apt-get install chromium)")

READY = "document.body.dataset.ready"
CONTROLS = "button, select, input, #pad, summary"
DRIVE = (ROOT / "tests/playground/drive.js").read_text()
ASK = """
  const worker = new Worker(URL.createObjectURL(new Blob([document.getElementById("worker").textContent])));
  const ask = (question) => new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => data.problem ? reject(new Error(data.problem)) : resolve(data.answer);
    worker.postMessage({ ...question, id: 1 });
  });
  const data = JSON.parse(document.getElementById("data").textContent);
  const texts = data.networks.map((_, k) => document.getElementById(`network-${k}`).textContent);
"""


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("chromium")) as tab:
        yield tab


def text_of(tab, selector):
    return tab.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")


def choose(tab, selector, value):
    words = f"e => {{ e.value = {json.dumps(value)}; e.dispatchEvent(new Event('change')); }}"
    tab.evaluate(f"({words})(document.querySelector({json.dumps(selector)}))")


def click(tab, selector):
    left, top, width, height = tab.box(selector)
    for kind in ("mousePressed", "mouseReleased"):
        tab.mouse(kind, left + width / 2, top + height / 2)


def test_the_numbers_are_the_pipelines(tab, page):
    tab.open(page.as_uri(), 1280, 900, ready=READY)
    read = Page(page)
    questions = json.dumps(read.questions())
    work = f"(async () => {{ {DRIVE} {ASK} return drive(ask, {questions}, texts, data.networks); }})()"
    tab.evaluate(f"{work}.then((answers) => (window.answers = answers)); 0")
    tab.wait_for("window.answers")
    read.compare(tab.evaluate("window.answers"))


def test_the_page_shows_the_median_of_the_times_that_it_measured(tab, page):
    """How long they are is measured by tests/bench: a time depends on what else the machine does."""
    tab.open(page.as_uri(), 1280, 900, ready=READY)
    shown = [text_of(tab, selector) for selector in ("#forward-time", "#attack-time")]
    assert [re.fullmatch(r"\d+\.\d ms", each) is None for each in shown] == [False, False]
    assert all(float(each.removesuffix(" ms")) > 0 for each in shown)


SEVEN = [(0.3 + 0.04 * k, 0.25) for k in range(11)] + [(0.7 - 0.02 * k, 0.25 + 0.045 * k) for k in range(1, 13)]
ONE = [(0.5 + 0.004 * k, 0.15 + 0.05 * k) for k in range(15)]
ZERO = [(0.5 + 0.22 * math.sin(k / 4), 0.5 - 0.32 * math.cos(k / 4)) for k in range(26)]
THREE = [(0.36 + 0.26 * math.sin(k / 10 * math.pi), 0.32 - 0.16 * math.cos(k / 10 * math.pi)) for k in range(11)]
THREE += [(0.36 + 0.3 * math.sin(k / 10 * math.pi), 0.65 - 0.17 * math.cos(k / 10 * math.pi)) for k in range(11)]


@pytest.mark.parametrize("network", ["0", "1"])
def test_digits_drawn_with_the_mouse_are_read(tab, page, network):
    tab.open(page.as_uri(), 1280, 900, ready=READY)
    choose(tab, "#network", network)
    chosen = "document.querySelector('#network').selectedOptions[0].textContent"
    tab.wait_for(f"document.querySelector('#answer-columns h3').textContent === {chosen}")
    for digit, points in {7: SEVEN, 1: ONE, 0: ZERO, 3: THREE}.items():
        click(tab, "#clear")
        left, top, width, height = tab.box("#pad")
        tab.draw([(left + x * width, top + y * height) for x, y in points])
        tab.wait_for(f"document.querySelector('#answer-columns .read').textContent === '{digit}'")


def test_an_empty_image_and_no_noise_are_said_to_be(tab, page):
    tab.open(page.as_uri(), 1280, 900, ready=READY)
    click(tab, "#clear")
    tab.wait_for("document.querySelector('.noise .words').textContent.includes('image is empty')")
    assert tab.evaluate("document.querySelector('main').innerHTML.includes('NaN')") is False
    tab.evaluate("(e => { e.value = 0; e.dispatchEvent(new Event('input')); })(document.querySelector('#std'))")
    tab.wait_for("document.querySelector('.noise .words').textContent.includes('No noise')")


def test_noise_attack_and_two_networks_side_by_side(tab, page, tmp_path):
    tab.open(page.as_uri(), 1280, 900, ready=READY)
    choose(tab, "#other", "1")
    tab.wait_for("document.querySelectorAll('#attack-columns .column').length === 2")
    tab.wait_for(
        "[...document.querySelectorAll('.noise .words')].every(e => e.textContent.includes('answer is still'))"
    )
    click(tab, "#run")
    done = "[...document.querySelectorAll('.attack .words')].every(e => /^A perturbation of norm/.test(e.textContent))"
    tab.wait_for(done)
    click(tab, "#hold")
    tab.wait_for("document.querySelector('.attack .facts dd').textContent === '0'")  # a changed attack begins anew
    click(tab, "#step")
    tab.wait_for("document.querySelector('.attack .facts dd').textContent === '1'")
    steps, norm, in_scores = tab.evaluate(
        "[...document.querySelector('.attack .facts').querySelectorAll('dd')].map(e => e.textContent)"
    )
    assert 0 < float(norm) <= 0.06  # less than the step where pixels are clipped to [0, 1]
    assert (steps, in_scores) == ("1", "0.0 %")
    tab.photograph(tmp_path / "two.png")
    assert (tmp_path / "two.png").stat().st_size > 50_000


def test_a_keyboard_reaches_every_control_and_draws(tab, page):
    tab.open(page.as_uri(), 1280, 900, ready=READY)
    tab.evaluate(f"window.controls = [...document.querySelectorAll('{CONTROLS}')].filter(e => e.offsetParent); 0")
    # Arrows, not the tab key, go from one radio button to the other.
    wanted = set(tab.evaluate("controls.flatMap((e, k) => (e.type === 'radio' && !e.checked ? [] : [k]))"))
    reached = set()
    for _ in range(len(wanted) + 5):
        tab.key("Tab", "Tab")
        reached.add(tab.evaluate("controls.indexOf(document.activeElement)"))
    assert wanted - reached == set()
    tab.evaluate("document.getElementById('pad').focus()")
    tab.key(" ", "Space", " ")
    for _ in range(14):
        tab.key("ArrowDown")
    tab.wait_for("document.querySelector('#answer-columns .read').textContent === '1'")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [360, 390, 1280])
def test_the_page_fits_the_window(tab, page, tmp_path, width, dark):
    tab.open(page.as_uri(), width, 844, dark=dark, ready=READY)
    choose(tab, "#other", "2")
    tab.wait_for("document.querySelectorAll('#noise-columns .column').length === 2")
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    wide = f"[...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > {width} + 1).length"
    assert tab.evaluate(wide) == 0
    tab.photograph(tmp_path / f"{width}.png")


def test_an_old_browser_gets_a_sentence(tab, page):
    script = tab.call("Page.addScriptToEvaluateOnNewDocument", source="delete window.DecompressionStream")
    try:
        tab.open(page.as_uri(), 800, 600)
        assert "Firefox 113" in text_of(tab, "#unsupported")
        assert tab.box("#unsupported")[3] > 0
        assert tab.box("#playground")[3] == 0
    finally:
        tab.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])


def test_nothing_was_said_on_the_console_and_nothing_fetched(tab, page):
    """After all that was done above, in the same tab."""
    tab.open(page.as_uri(), 1280, 900, ready=READY)
    assert tab.complaints() == []
    assert {address.partition(":")[0] for address in tab.requests()} == {"file", "blob"}


def test_a_request_would_be_noticed(tab, page):
    """The judge judged: the policy refuses, and that is seen."""
    tab.open(page.as_uri(), 800, 600, ready=READY)
    tab.evaluate("new Image().src = 'http://127.0.0.1:9/picture.png'; 0")
    tab.wait_for("true")
    assert tab.complaints()
