"""The choice of the device."""

import numpy as np
import pytest

from stages import arrays
from stages.errors import UserError


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
