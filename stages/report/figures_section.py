"""The figures of the report, embedded in the page as text."""

import base64
import struct

from stages.plan import exhibit
from stages.plan.all_exhibits import FIGURES


def gather(folder, config):
    """Return every figure of the experiment: name, description and content."""
    figures = []
    for name, figure in exhibit.present(config, FIGURES).items():
        content = (folder / "figures" / f"{name}.png").read_bytes()
        # Stating the size, from the first chunk of the PNG, keeps the text from jumping while the page loads.
        width, height = struct.unpack(">II", content[16:24])
        picture = {"width": width, "height": height, "content": base64.b64encode(content).decode()}
        figures.append({"name": name} | exhibit.words_of(figure) | picture)
    return figures
