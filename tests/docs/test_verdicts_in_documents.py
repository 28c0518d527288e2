"""What the documents say of a claim's verdict is what was published."""

import csv
import re

import pytest
from kit.documents import DOCUMENTS
from kit.project_copy import ROOT

VERDICTS = ("holds", "holds in part", "reversed", "does not hold", "not decided")
SAID = re.compile(rf"\b([BC]\d\d) \(({'|'.join(VERDICTS)})\)")
SHOWN = {"workflow/docs/findings.md": "paper", "workflow/docs/beyond.md": "beyond"}


def verdicts(preset):
    with open(ROOT / "workflow/published" / preset / "claims.csv", newline="") as file:
        return {row["id"]: row["verdict"] for row in csv.DictReader(file)}


@pytest.mark.parametrize("name", SHOWN)
def test_every_verdict_in_a_document_is_the_published_one(name):
    said, published = SAID.findall(DOCUMENTS[name]), verdicts(SHOWN[name])
    assert len(said) >= 6
    assert [(claim, verdict) for claim, verdict in said if published[claim] != verdict] == []


def test_our_own_claims_are_all_in_the_document():
    shown = set(re.findall(r"^\| (B\d\d) \|", DOCUMENTS["workflow/docs/beyond.md"], flags=re.MULTILINE))
    wanted = {claim for claim in verdicts("beyond") if claim.startswith("B")}
    assert shown == wanted, "beyond.md: add <!-- table: workflow/published/beyond/claims.csv | ... | theme = ... -->"
