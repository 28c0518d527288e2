"""The figures of the report: pictures as text inside the page."""

import base64
import struct

from stages.plan import shown
from stages.plan.paper_figures import FIGURES


def gather(folder, config):
    """Return every figure of the experiment: its name, words and content."""
    figures = []
    for name, figure in shown.present(config, FIGURES).items():
        content = (folder / "figures" / f"{name}.png").read_bytes()
        # Its size is stated, so that the text does not jump while it loads. PNG: the first chunk holds it.
        width, height = struct.unpack(">II", content[16:24])
        words = {"title": figure.title, "place": figure.place, "caption": figure.caption, "words": figure.words}
        encoded = base64.b64encode(content).decode()
        words["beyond"] = figure.beyond
        figures.append(words | {"name": name, "width": width, "height": height, "content": encoded})
    return figures
