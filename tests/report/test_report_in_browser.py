"""The report in a real browser: every figure and table shows, nothing complains, nothing leaves the page.

Needs Chromium (Debian: apt-get install chromium); without it the tests are skipped.
"""

import json
import re
import shutil
import subprocess

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (Debian: apt-get install chromium)")

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--enable-logging=stderr",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # what the browser asks for itself goes nowhere
]
# A probe that measures the page from outside: the report itself may run no script.
PROBE = """<!DOCTYPE html><meta charset="utf-8"><title>waiting</title>
<iframe id="page" src="{address}" style="width:{width}px;height:900px;border:0"></iframe><pre id="found"></pre>
<script>
document.getElementById("page").onload = () => {{
  const page = document.getElementById("page").contentDocument;
  const hidden = ".scroll, details:not([open])";  // tables scroll by themselves
  const wide = [...page.querySelectorAll("body *")].filter(each =>
    each.getBoundingClientRect().right > {width} + 1 && !each.parentElement.closest(hidden));
  const found = {{
    width: page.documentElement.scrollWidth,
    wide: wide.map(each => each.tagName + "#" + each.id),
    broken: [...page.images].filter(each => !each.complete || !each.naturalWidth).map(each => each.alt),
    images: page.images.length,
    text: parseFloat(getComputedStyle(page.querySelector("td")).fontSize),
  }};
  document.getElementById("found").textContent = JSON.stringify(found);
}};
</script>
"""


def browse(address, folder, *flags):
    """Open a page with a fresh profile; return (the document as it ends up, what was said on the console)."""
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={folder / 'profile'}", *flags, "--dump-dom", address]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-2000:]
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return done.stdout, console


@pytest.fixture(scope="module")
def opened(report, tmp_path_factory):
    """The report in the browser: (document, console, network log)."""
    folder = tmp_path_factory.mktemp("browser")
    log = folder / "network.json"
    document, console = browse(report.as_uri(), folder, f"--log-net-log={log}", "--virtual-time-budget=5000")
    return document, console, json.loads(log.read_text())


def probe(report, folder, width):
    """Return the page's measures at a window's width."""
    path = folder / f"probe{width}.html"
    path.write_text(PROBE.format(address=report.as_uri(), width=width))
    flags = ["--allow-file-access-from-files", "--virtual-time-budget=10000", f"--window-size={max(width, 500)},1000"]
    document, _ = browse(path.as_uri(), folder, *flags)
    return json.loads(re.search(r'<pre id="found">(.*?)</pre>', document, re.DOTALL)[1].replace("&amp;", "&"))


def test_every_figure_and_table_is_in_the_document(opened, figures, tables):
    document, _, _ = opened
    for name in figures:
        assert re.search(rf'<figure id="{name}">\s*<img src="data:image/png;base64,', document), name
    for name in [*tables, "claims-table", "differences"]:
        assert f'<table id="{name}"' in document, name


def test_nothing_is_said_on_the_console(opened):
    assert opened[1] == []


def asked_by_the_page(network):
    """Return the addresses that a page asked for; the browser's own business has no origin."""
    events = [event["params"] for event in network["events"] if isinstance(event.get("params"), dict)]
    return [each["url"] for each in events if each.get("initiator", "not an origin") != "not an origin"]


def test_no_request_leaves_the_page(opened):
    assert asked_by_the_page(opened[2]) == []


def test_a_request_would_have_been_seen(tmp_path):
    """The judge judged: a page that does ask for something is found out."""
    page = tmp_path / "asks.html"
    page.write_text('<img src="http://127.0.0.1:9/picture.png">')
    log = tmp_path / "network.json"
    browse(page.as_uri(), tmp_path, f"--log-net-log={log}", "--virtual-time-budget=5000")
    assert asked_by_the_page(json.loads(log.read_text())) == ["http://127.0.0.1:9/picture.png"]


@pytest.mark.parametrize("width", [360, 390, 768, 1280])
def test_the_page_fits_the_window_and_every_picture_shows(report, tmp_path, width, figures):
    found = probe(report, tmp_path, width)
    assert found["width"] <= width, found["wide"]
    assert found["wide"] == []
    assert found["broken"] == []
    assert found["images"] == len(figures)
    assert found["text"] >= 11.5  # pixels: still readable
