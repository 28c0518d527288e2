"""What was parsed of a source is kept, and never believed of another text."""

import json

import pytest

from stages.plan import parsed_sources

TEXT = (
    '"""About."""\n\nimport math\nfrom stages.model import layer\n\n\ndef f():\n    """Why."""\n    return 1  # one\n'
)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """An empty place to keep things in, and a function that forgets what is in memory."""
    monkeypatch.setattr(parsed_sources, "FOLDER", tmp_path)
    monkeypatch.setattr(parsed_sources, "KEPT", tmp_path / "kept.json")
    parsed_sources._known.cache_clear()
    yield tmp_path / "kept.json"
    parsed_sources._known.cache_clear()


def test_comments_and_docstrings_do_not_count_and_code_does():
    digest, imported = parsed_sources.parsed(TEXT)
    assert imported == ["math", "stages.model", "stages.model.layer"]
    assert parsed_sources.parsed(TEXT.replace("Why", "Because").replace("# one", "# two"))[0] == digest
    assert parsed_sources.parsed(TEXT.replace("return 1", "return 2"))[0] != digest


def test_a_second_process_finds_what_the_first_one_parsed(kept, monkeypatch):
    first = parsed_sources.parsed(TEXT)
    parsed_sources.keep()
    assert [path.name for path in kept.parent.iterdir()] == ["kept.json"]
    parsed_sources._known.cache_clear()
    monkeypatch.setattr(parsed_sources, "_parse", lambda text: pytest.fail("parsed again"))
    assert list(parsed_sources.parsed(TEXT)) == list(first)


@pytest.mark.parametrize("content", ["", "[]", "3", "\0", '{"a": '])
def test_a_damaged_file_is_written_anew(kept, content):
    kept.write_text(content)
    expected = parsed_sources.parsed(TEXT)
    parsed_sources.keep()
    assert list(json.loads(kept.read_text()).values()) == [list(expected)]


def test_a_place_that_cannot_be_written_is_no_reason_to_fail(kept, monkeypatch):
    monkeypatch.setattr(parsed_sources, "KEPT", kept / "below a file" / "kept.json")
    kept.write_text("a file")
    assert parsed_sources.parsed(TEXT)
    parsed_sources.keep()
