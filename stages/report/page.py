"""Pieces of a web page as text: everything that comes from outside is escaped, nothing is fetched from anywhere."""

import base64
import html
import struct
from pathlib import Path

from stages.report.page_style import STYLE

escape = html.escape


def document(title, body):
    """Return a whole page; the policy forbids every request and every script, whatever the body holds."""
    policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<link rel="icon" href="data:,">
<style>
{STYLE}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def section(name, title, *parts):
    """Return a section that the contents can link to."""
    return f'<section id="{escape(name)}">\n<h2>{escape(title)}</h2>\n' + "\n".join(parts) + "\n</section>"


def paragraph(text, kind=""):
    return f"<p{_class(kind)}>{escape(text)}</p>"


def table(head, rows, *, name, legend="", kind=""):
    """Return a table that scrolls sideways where the screen is narrow, its legend above it.

    A cell is a text, or (text, class), or (text, class, html); html is shown as it is: only this package may write it.
    """
    lines = [paragraph(legend, "legend")] if legend else []
    lines.append(f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(legend or name)}">')
    lines.append(f'<table id="{escape(name)}"{_class(kind)}>')
    lines.append("<thead><tr>" + "".join(_cell(cell, "th") for cell in head) + "</tr></thead>")
    lines.append("<tbody>")
    lines += ["<tr>" + "".join(_cell(cell, "td") for cell in row) + "</tr>" for row in rows]
    lines.append("</tbody></table></div>")
    return "\n".join(lines)


def _cell(cell, tag):
    text, kind, inner = (*cell, "", "")[:3] if isinstance(cell, tuple) else (cell, "", "")
    scope = ' scope="col"' if tag == "th" else ""
    return f"<{tag}{scope}{_class(kind)}>{inner or escape(str(text))}</{tag}>"


def figure(path, *, name, title, caption, alt):
    """Return a picture inside the page; its size is stated, so that the text does not jump while it loads."""
    content = Path(path).read_bytes()
    width, height = struct.unpack(">II", content[16:24])  # PNG: the first chunk holds the size
    encoded = base64.b64encode(content).decode()
    return (
        f'<figure id="{escape(name)}">\n'
        f'<img src="data:image/png;base64,{encoded}" width="{width}" height="{height}" alt="{escape(alt)}">\n'
        f"<figcaption><strong>{escape(title)}</strong> {escape(caption)}</figcaption>\n</figure>"
    )


def details(summary, *parts):
    return f"<details><summary>{escape(summary)}</summary>\n" + "\n".join(parts) + "\n</details>"


def badge(text, kind):
    return f'<span class="badge {escape(kind)}">{escape(text)}</span>'


def _class(kind):
    return f' class="{escape(kind)}"' if kind else ""
