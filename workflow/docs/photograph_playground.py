"""Take the picture of the published playground that README shows: python workflow/docs/photograph_playground.py

Opens workflow/published/playground.html in Chromium, draws a digit with the mouse, and writes playground.png beside it.
Without Chromium (Debian: apt-get install chromium) the picture stays as it was.
"""

import math
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "workflow/published/playground.html"
SIZE = 1160, 800

sys.path.insert(0, str(ROOT / "tests"))
from kit.driven_chromium import CHROMIUM, browser  # noqa: E402


def arc(x, y, width, height, turns):
    """Return points on a part of an ellipse; turns: from and to, clockwise from the top."""
    angles = [2 * math.pi * (turns[0] + (turns[1] - turns[0]) * k / 24) for k in range(25)]
    return [(x + width * math.sin(angle), y - height * math.cos(angle)) for angle in angles]


# A three: two bows, the lower one larger.
THREE = arc(0.47, 0.32, 0.17, 0.16, (-0.15, 0.46)) + arc(0.46, 0.66, 0.21, 0.18, (0.03, 0.68))


def photograph(page, picture):
    # Processes that Chromium started may write into its profile a moment longer than it runs.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, browser(profile) as tab:
        tab.open(page.as_uri(), *SIZE, ready="document.body.dataset.ready")
        left, top, width, height = tab.box("#pad")
        tab.draw([(left + x * width, top + y * height) for x, y in THREE])
        tab.wait_for("document.querySelector('.read').textContent === '3'")
        tab.wait_for("/to class/.test(document.querySelector('#answer-columns').textContent)")
        tab.evaluate("scrollTo(0, 0)")
        tab.photograph(picture, whole=False)


def main():
    if CHROMIUM is None:
        print("no Chromium here (Debian: apt-get install chromium): the picture of the playground stays as it was")
        return
    picture = PAGE.with_suffix(".png")
    photograph(PAGE, picture)
    print(f"wrote {picture.relative_to(ROOT)}, {picture.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
