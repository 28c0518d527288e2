"""What was measured: one line a comparison, held against its goal, as JSON and as a Markdown table."""

import dataclasses
import json
from dataclasses import dataclass

from timing import Spread, ratios, spread


@dataclass
class Finding:
    subject: str
    ours: Spread
    unit: str
    against: str = ""  # the floor or the alternative
    theirs: Spread | None = None
    ratio: Spread | None = None
    ratio_means: str = ""  # "of it" or "times faster"
    goal: str = ""
    met: bool | None = None
    note: str = ""


def compared_with_a_floor(subject, ours, floor, goal=None, unit="ms", scale=1e3, against="floor", note=""):
    """ours, floor: seconds of each repetition; goal: the largest ratio that will do."""
    ratio = spread(ratios(ours, floor))
    judged = {"goal": f"at most {goal:g}", "met": ratio.median <= goal} if goal else {}
    times = _scaled(ours, scale), unit, against, _scaled(floor, scale)
    return Finding(subject, *times, ratio, "of it", **judged, note=note)


def compared_with_an_alternative(subject, ours, theirs, against, goal=None, unit="ms", scale=1e3, note=""):
    """ours, theirs: seconds of each repetition; goal: the least times that ours must be faster."""
    ratio = spread(ratios(theirs, ours))
    judged = {"goal": f"at least {goal:g}", "met": ratio.median >= goal} if goal else {}
    times = _scaled(ours, scale), unit, against, _scaled(theirs, scale)
    return Finding(subject, *times, ratio, "times faster", **judged, note=note)


def plain(subject, values, unit, at_most=None, within=None, note=""):
    """A figure by itself; goal: a largest value, or (value, relative tolerance)."""
    found = spread(values)
    goal, met = "", None
    if at_most is not None:
        goal, met = f"at most {at_most:g}", found.median <= at_most
    if within is not None:
        value, tolerance = within
        goal, met = f"{value:g} ± {100 * tolerance:g} %", abs(found.median - value) <= tolerance * value
    return Finding(subject, found, unit, goal=goal, met=met, note=note)


def _scaled(seconds, scale):
    return spread([scale * value for value in seconds])


# --- for people -------------------------------------------------------------------------------------------------------

HEADER = """\
| what | ours | against | theirs | ratio | goal | met |
| --- | ---: | --- | ---: | ---: | ---: | :---: |
"""


def line(finding):
    """One row of the Markdown table."""
    theirs = amount(finding.theirs, finding.unit) if finding.theirs else ""
    ratio = f"{amount(finding.ratio)} {finding.ratio_means}" if finding.ratio else ""
    met = {True: "yes", False: "no", None: ""}[finding.met]
    subject = f"{finding.subject} ({finding.note})" if finding.note else finding.subject
    cells = (subject, amount(finding.ours, finding.unit), finding.against, theirs, ratio, finding.goal, met)
    return "| " + " | ".join(cells) + " |"


def amount(value, unit=""):
    """A median with half of the distance between its quartiles: 1.23 ± 0.04 ms."""
    half = (value.high - value.low) / 2
    digits = 3 if abs(value.median) < 0.1 else 2 if abs(value.median) < 10 else 1 if abs(value.median) < 100 else 0
    text = f"{value.median:.{digits}f}"
    if half:
        text += f" ± {half:.{digits}f}"
    return f"{text} {unit}".strip()


def markdown(items, about):
    """items: {title: findings}."""
    parts = [about, ""]
    for title, findings in items.items():
        parts += [f"**{title}**", "", HEADER + "\n".join(map(line, findings)), ""]
    return "\n".join(parts)


def missed(items):
    """The rows that miss their goal, with their titles."""
    rows = [(title, row) for title, rows in items.items() for row in rows if row.met is False]
    return "\n".join(line(dataclasses.replace(row, subject=f"{title}: {row.subject}")) for title, row in rows) or "none"


def as_json(items, about):
    content = {title: [dataclasses.asdict(finding) for finding in found] for title, found in items.items()}
    return json.dumps({"about": about, "items": content}, indent=1) + "\n"
