"""The choice of the device."""

import os
import stat
import tempfile
from types import SimpleNamespace

import numpy as np
import pytest

from stages.runtime import arrays
from stages.runtime.errors import UserError


def test_the_cpu_is_numpy():
    assert arrays.choose("cpu") is np
    assert arrays.describe(np) == "numpy"


def gpu_is_here():
    try:
        return arrays.choose("gpu") is not np
    except UserError:
        return False


@pytest.mark.skipif(gpu_is_here(), reason="there is a GPU")
def test_asking_for_a_gpu_that_is_not_there_is_an_error_and_auto_falls_back():
    with pytest.raises(UserError, match=r"a GPU was asked for.*--device cpu"):
        arrays.choose("gpu")
    assert arrays.choose("auto") is np


def test_a_missing_cupy_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "cupy", None)
    with pytest.raises(UserError, match="CuPy is not installed"):
        arrays.choose("gpu")


# --- the cache of compiled kernels ------------------------------------------------------------------------------------


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A home, a cache and a temporary directory of our own, and a working directory beside them."""
    found = SimpleNamespace(home=tmp_path / "home", temporary=tmp_path / "tmp", work=tmp_path / "work")
    for place in vars(found).values():
        place.mkdir()
    monkeypatch.setenv("HOME", str(found.home))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(found.temporary))
    monkeypatch.chdir(found.work)
    return found


def is_private(place):
    return stat.S_IMODE(os.stat(place).st_mode) == 0o700


def test_kernels_are_kept_in_the_users_own_cache_for_all_jobs(places):
    found = arrays.kernel_cache()
    assert found.startswith(str(places.home / ".cache"))
    assert is_private(found)
    assert arrays.kernel_cache() == found


def test_a_home_that_is_the_working_directory_is_left_alone(places, monkeypatch):
    monkeypatch.setenv("HOME", str(places.work))
    found = arrays.kernel_cache()
    assert found.startswith(str(places.temporary))
    assert is_private(found)
    assert not list(places.work.iterdir())


def test_a_home_that_cannot_be_written_is_no_obstacle(places, monkeypatch):
    monkeypatch.setenv("HOME", "/proc")
    assert arrays.kernel_cache().startswith(str(places.temporary))


@pytest.mark.parametrize("trap", ["open to others", "a link"])
def test_kernels_that_others_could_have_put_there_are_not_loaded(places, monkeypatch, trap):
    monkeypatch.setenv("HOME", "/proc")
    expected = places.temporary / f"snode-cupy-kernels-{os.getuid()}"
    if trap == "a link":
        expected.symlink_to(places.work)
    else:
        expected.mkdir()
        expected.chmod(0o777)
    found = arrays.kernel_cache()
    assert found != str(expected)
    assert is_private(found)
