"""What is used of Snakemake's insides works with the release that is installed, for paths of any length."""

from types import SimpleNamespace

import pytest
from snakemake.io import IOFile
from snakemake.persistence import MetadataRecord
from snakemake.persistence.db import DbPersistence
from snakemake.persistence.file import FilePersistence

from stages.plan.snakemake_adapter import SnakemakeAdapter

LONG = "results/smoke/attack/" + "/".join(letter * 60 for letter in "abcd") + "/run0.json"


def adapter(prefix=None, **parts):
    modifier = SimpleNamespace(path_modifier=SimpleNamespace(prefix=prefix))
    return SnakemakeAdapter(SimpleNamespace(modifier=modifier, **parts))


@pytest.fixture(params=[FilePersistence, DbPersistence])
def persistence(request, tmp_path):
    """Snakemake's own records, in files or in a database."""
    return request.param(path=tmp_path / "records")


@pytest.mark.parametrize("path", ["results/smoke/data/raw.json", LONG[:192], LONG])
def test_a_record_is_found_for_paths_of_any_length(persistence, path):
    snakemake = adapter(persistence=persistence)
    assert not snakemake.has_record(path)
    persistence._write_record(persistence._get_key(IOFile(path)), MetadataRecord(rule="any"))
    persistence.deactivate_cache()
    assert snakemake.has_record(path)
    assert not snakemake.has_record(f"{path}x")


def test_a_modules_prefix_comes_before_what_is_made_again():
    dag = SimpleNamespace(forcefiles=set())
    adapter("digits/", dag=dag).make_again("results/smoke/data/raw.json")
    adapter(dag=dag).make_again("results/smoke/claims.csv")
    assert dag.forcefiles == {"digits/results/smoke/data/raw.json", "results/smoke/claims.csv"}
