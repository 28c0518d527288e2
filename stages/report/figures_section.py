"""The figures of the report: pictures as text inside the page."""

import base64
import struct

from stages.plan import exhibit
from stages.plan.all_exhibits import FIGURES


def gather(folder, config):
    """Return every figure of the experiment: its name, words and content."""
    figures = []
    for name, figure in exhibit.present(config, FIGURES).items():
        content = (folder / "figures" / f"{name}.png").read_bytes()
        # Its size is stated, so that the text does not jump while it loads. PNG: the first chunk holds it.
        width, height = struct.unpack(">II", content[16:24])
        picture = {"width": width, "height": height, "content": base64.b64encode(content).decode()}
        figures.append({"name": name} | exhibit.words_of(figure) | picture)
    return figures
