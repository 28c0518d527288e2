"""The opening of the project's README: the results at the paper's scale, between two marks.

`make publish PRESET=paper` replaces the text between them and leaves the rest of the README unchanged.
"""

from pathlib import Path

from stages.plan.all_exhibits import FIGURES
from stages.report.templates import render
from stages.runtime.errors import UserError

BEGIN = "<!-- What follows, to the next such line, is written by `make publish PRESET=paper`. -->\n"
END = "<!-- Here it ends. -->\n"
SHOWN = ("fig_noise_accuracy", "fig_attack_success")


def filled(readme, folder, about):
    """Return the text of `readme` with the text between its marks made from `about` and the published `folder`."""
    text = readme.read_text()
    if not (text.count(BEGIN) == text.count(END) == 1 and text.index(BEGIN) < text.index(END)):
        raise UserError(f"{readme}: wanted the lines {BEGIN.strip()} and {END.strip()}, one each; put them back")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    figures = [
        (name, FIGURES[name].title, FIGURES[name].place)
        for name in SHOWN
        if (folder / "figures" / f"{name}.png").is_file()
    ]
    table2 = _what_ran((folder / "tables/table2_accuracy.md").read_text())
    found = render(Path(__file__).with_name("opening.md.j2"), about | {"figures": figures, "table2": table2})
    return before + BEGIN + "\n" + found + END + after


def _what_ran(table):
    """Return a table as Markdown, with its note but without its heading and without what was not run."""
    lines = table.partition("\n\n")[2].splitlines(keepends=True)
    return "".join(line for line in lines if "| not run |" not in line)
