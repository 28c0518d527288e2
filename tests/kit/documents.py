"""The project's documents: their list, blocks, links, headings and commands."""

import re
import subprocess
import textwrap

from kit.project_copy import ROOT

WRITTEN_BY_PROGRAMS = ("workflow/published/paper/", "workflow/published/beyond/", "workflow/published/networks/")


def _documents():
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return {name: (ROOT / name).read_text() for name in sorted(listed) if (ROOT / name).exists()}


DOCUMENTS = _documents()  # all of them, by path
BY_HAND = {name: text for name, text in DOCUMENTS.items() if not name.startswith(WRITTEN_BY_PROGRAMS)}


def blocks(text, language):
    """Return the fenced blocks of a language, without their indentation."""
    found = re.findall(rf"^( *)```{language}\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL)
    return [textwrap.dedent(block) for _, block in found]


def printed(first_line, language="python"):
    """Return the block with this first line, from any document."""
    (block,) = [block for text in BY_HAND.values() for block in blocks(text, language) if block.startswith(first_line)]
    return block


def prose(text):
    """Return a document without its code: blocks, fenced or indented, and words in backticks."""
    text = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^ {4,}.*$", "", text, flags=re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "code", text)


def links(text):
    """Return the targets of all links and pictures."""
    return re.findall(r"\]\(([^)\s]+)\)", prose(text))


def anchors(text):
    """Return the anchors that GitHub gives the headings: letters, digits, - and _ in lower case, spaces as -."""
    fenced = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", fenced, flags=re.MULTILINE)
    words = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower() for heading in headings]
    return ["".join(c for c in word if c.isalpha() or c.isdecimal() or c in " -_").replace(" ", "-") for word in words]


def commands(text):
    """Return the snakemake commands of a document, from blocks and from its sentences."""
    in_blocks = re.findall(r"^ {4,}(?:\.venv/bin/)?(snakemake .*)$", text, flags=re.MULTILINE)
    return in_blocks + re.findall(r"`(?:\.venv/bin/)?(snakemake [^`]*)`", text.replace("\n", " "))
