"""The content of CITATION.cff: the paper's reference, the project's version and repository."""

import yaml

from stages import PROJECT, __version__

CITATION = PROJECT / "CITATION.cff"


def project(path=CITATION):
    """Return the reference of the paper, and the version and repository ("": not stated) of the project."""
    cited = yaml.safe_load(path.read_text())
    paper = cited["references"][0]
    names = [f"{author['given-names']} {author['family-names']}" for author in paper["authors"]]
    return {
        "title": paper["title"],
        "authors": f"{', '.join(names[:-1])} and {names[-1]}",
        "year": paper["year"],
        "paper": paper["url"],
        "version": __version__,
        "repository": cited.get("repository-code", ""),
    }


def older_code(versions):
    """Return a sentence if stores were made by another version of the project than the running one, else nothing.

    versions: (package, version) of all stores.
    """
    all_versions = {version for package, version in versions if package == "snode"}
    others = sorted(all_versions - {__version__})
    if not others:
        return []
    results = "Some of the results" if __version__ in all_versions else "The results"
    return [
        f"{results} were computed by version {' and '.join(others)} of the code; all are shown and judged by version "
        f"{__version__}. CHANGELOG.md says what changed in between."
    ]
