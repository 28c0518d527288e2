"""Which kernels OpenBLAS uses, judged by threadpoolctl, and whether the environment sets others."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from stages.plan import show_plan
from stages.runtime import blas_kernels

OLD = "Nehalem"  # without AVX: OpenBLAS chooses it on no processor of the last ten years


def without_variable():
    return {name: value for name, value in os.environ.items() if name != blas_kernels.VARIABLE}


def judged(environment):
    program = "import numpy, threadpoolctl; print(threadpoolctl.threadpool_info()[0].get('architecture', ''))"
    return subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True
    ).stdout.strip()


@pytest.fixture
def chosen():
    """The kernels that OpenBLAS chooses by itself."""
    if not blas_kernels.kernels() or (found := judged(without_variable())) in ("", OLD):
        pytest.skip("NumPy has no OpenBLAS here, or one with the oldest kernels")
    return found


def test_the_kernels_in_use_are_those_that_threadpoolctl_finds(chosen):
    assert blas_kernels.kernels() == judged(os.environ)


def test_an_environment_that_sets_nothing_or_the_same_holds_nothing_back(chosen):
    assert blas_kernels.held_back(without_variable()) is None
    assert blas_kernels.held_back(without_variable() | {blas_kernels.VARIABLE: ""}) is None
    assert blas_kernels.held_back(without_variable() | {blas_kernels.VARIABLE: chosen}) is None


def test_an_environment_that_sets_older_kernels_is_found(chosen):
    assert blas_kernels.held_back(without_variable() | {blas_kernels.VARIABLE: OLD}) == (OLD, chosen)


def test_the_plan_says_so(chosen, monkeypatch, capsys, tmp_path):
    options = SimpleNamespace(preset="smoke", cores=1, configfile=None, directory=tmp_path)
    monkeypatch.setenv(blas_kernels.VARIABLE, OLD)
    show_plan.main(options)
    assert f"OpenBLAS computes as for {OLD} processors, since OPENBLAS_CORETYPE is set" in capsys.readouterr().out
    monkeypatch.delenv(blas_kernels.VARIABLE)
    show_plan.main(options)
    assert "OpenBLAS" not in capsys.readouterr().out
