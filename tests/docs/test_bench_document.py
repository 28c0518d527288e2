"""The tables of the benchmark's document are those of bench.json."""

import json
import sys

import pytest
from kit.project_copy import ROOT

BENCH = ROOT / "tests" / "bench"


@pytest.fixture(scope="module")
def document():
    sys.path.insert(0, str(BENCH))
    try:
        import document
    finally:
        sys.path.remove(str(BENCH))
    return document


def test_the_document_shows_the_kept_benchmark(document):
    text = (BENCH / "README.md").read_text()
    assert document.filled(text, *document.read()) == text
    assert text.count("<!-- bench: ") == 4


def test_another_benchmark_would_be_shown(document, tmp_path):
    """A doubled time and a goal that is missed both arrive in the document, and the file is kept beside it."""
    content = json.loads(document.JSON.read_text())
    row = content["items"]["One RMSprop iteration"][0]
    row["ours"] = {key: 2 * value for key, value in row["ours"].items()}
    row["met"] = False
    source, page, kept = tmp_path / "new.json", tmp_path / "README.md", tmp_path / "bench.json"
    source.write_text(json.dumps(content))
    page.write_text((BENCH / "README.md").read_text())
    document.write(source, page, kept)
    before, after = (BENCH / "README.md").read_text(), page.read_text()
    wanted = f"{row['ours']['median']:.1f} ± "
    assert after.count(f"| {wanted}") == before.count(f"| {wanted}") + 2  # in its table and among the missed goals
    assert json.loads(kept.read_text()) == content
