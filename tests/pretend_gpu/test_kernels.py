"""The kernels and products of our own, one by one; and the kernels in the eyes of NVIDIA's compiler."""

import ctypes
import re

import cupy
import numpy as np
import pretend_cuda
import pytest
from cupy.cuda import compiler
from kit import tolerances

from stages.catalogues import ACTIVATIONS
from stages.model.network import Parameters
from stages.model.on_device import kernels
from stages.model.on_device.layer_kernels import KERNELS, Launch, compiled
from stages.model.on_device.products import Product
from stages.model.products import inner_product

ARCHITECTURES = (70, 80, 90, 120)
FORMULAS = [σ.cuda for σ in map(ACTIVATIONS.find, ACTIVATIONS) if σ.cuda]


def launch_all(dtype):
    """Launch every kernel once on small arrays of the type."""
    a, b, c = (cupy.full((2, 3, 4, 5), value, dtype) for value in (0.5, 0.25, 2.0))
    of_runs = cupy.full((3, 1, 1), 0.5, dtype)
    for name in KERNELS:
        for formulas in FORMULAS if name == "advance" else [()]:
            Launch(name, a[0], b[0], c[0], h=0.1, formulas=formulas)()
    kernels.decay(a, 0.1, c)
    kernels.turn(a, of_runs, c)
    kernels.restart(a, cupy.full((3, 1, 1), True), c)
    kernels.move(a, of_runs, c)
    kernels.rmsprop(a, 0.9, 0.1, 1e-7, 0.01, b, c)
    kernels.rmsprop_in_root(a, 0.9, 0.1, 1e-7, 0.01, b, c)
    kernels.sum_of_products(a, b)


@pytest.fixture(scope="module")
def generated():
    """The CUDA C++ and options that CuPy makes of every kernel of our own, in both types: {name: (code, options)}."""
    found, compile_module = {}, compiler._compile_module_with_cache

    def watched(source, options=(), **others):
        name = re.search(r"__global__ void (\w+)", source)[1]
        if name.startswith("snode_"):  # one for each activation has the same name: both are kept
            found[name if name not in found else f"{name}__{len(found)}"] = source, options
        return compile_module(source, options, **others)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiler, "_compile_module_with_cache", watched)
        cupy.clear_memo()
        for kernel in vars(kernels).values():
            if isinstance(kernel, (cupy.ElementwiseKernel, cupy.ReductionKernel)):
                getattr(kernel, "_elementwise_kernel_memo", {}).clear()
        compiled.cache_clear()
        for dtype in ("float32", "float64"):
            launch_all(dtype)
    return found


@pytest.fixture(scope="module")
def nvrtc():
    """NVIDIA's compiler of kernels, from its package."""
    (path,) = (pretend_cuda.folder() / "packages" / "nvidia" / "cuda_nvrtc" / "lib").glob("libnvrtc.so.*")
    ctypes.CDLL(str(path), ctypes.RTLD_GLOBAL)
    from cupy_backends.cuda.libs import nvrtc

    return nvrtc


def test_every_kernel_of_ours_is_among_them(root, generated):
    written = {f"snode_{name}_{kind}" for name in KERNELS for kind in ("float", "double")}
    for path in (root / "stages").rglob("*.py"):
        text = path.read_text()
        if re.search(r"ElementwiseKernel|ReductionKernel", text):
            written.update(re.findall(r"\bsnode_\w+", text))
    assert written == {re.sub(r"__.*", "", name) for name in generated}


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_nvidias_compiler_takes_every_kernel(generated, nvrtc, architecture):
    assert architecture in nvrtc.getSupportedArchs()
    for name, (source, options) in generated.items():
        program = compiler._NVRTCProgram(source, f"{name}.cu", method="cubin")
        image, _ = program.compile(
            (*options, f"-arch=sm_{architecture}", "-ftz=true", "--device-as-default-execution-space")
        )
        assert image[:4] == b"\x7fELF", name


def test_the_compiler_refuses_what_is_wrong(nvrtc):
    program = compiler._NVRTCProgram('extern "C" __global__ void wrong() { nonsense }', "wrong.cu", method="cubin")
    with pytest.raises(compiler.CompileException, match="nonsense"):
        program.compile(("-arch=sm_80",))


# --- products ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("add", [False, True])
@pytest.mark.parametrize("stack", [(), (3,), (2, 3)])
def test_products_of_strided_and_transposed_stacks(rng, stack, add, dtype):
    """W = [W b][..., :-1] and its transpose, [x; 1]ᵀ, and a result inside a larger array."""
    Wb = rng.standard_normal((*stack, 4, 5)).astype(dtype)
    x_one = rng.standard_normal((*stack, 5, 7)).astype(dtype)
    tolerance = tolerances.ROUNDING if dtype == "float64" else tolerances.SINGLE_PRECISION
    pairs = {
        "W x + b": (lambda Wb, x: Wb, lambda Wb, x: x),
        "W ξ": (lambda Wb, x: Wb[..., :-1], lambda Wb, x: x[..., :-1, :]),
        "Wᵀ g": (lambda Wb, x: Wb[..., :-1].swapaxes(-1, -2), lambda Wb, x: x[..., 1:, :]),
        "g [x; 1]ᵀ": (lambda Wb, x: x[..., :-1, :], lambda Wb, x: x.swapaxes(-1, -2)),
    }
    there = cupy.asarray(Wb), cupy.asarray(x_one)
    for name, (left, right) in pairs.items():
        expected = left(Wb, x_one) @ right(Wb, x_one)
        whole = rng.standard_normal((*stack, expected.shape[-2] + 1, expected.shape[-1])).astype(dtype)
        out = cupy.asarray(whole)[..., :-1, :]
        with pretend_cuda.counted() as counted:
            Product(left(*there), right(*there), out, add=add)()
        assert (counted["products"], counted["launches"], counted["copies_on_device"]) == (1, 0, 0)
        expected = expected + whole[..., :-1, :] if add else expected
        np.testing.assert_allclose(cupy.asnumpy(out), expected, **tolerance, err_msg=name)


def test_a_product_without_entries_is_nothing():
    with pretend_cuda.counted() as counted:
        Product(cupy.ones((3, 0, 4)), cupy.ones((3, 4, 2)), cupy.ones((3, 0, 2)))()
    assert counted["products"] == 0


@pytest.mark.parametrize(
    ("A", "B", "C"),
    [
        ((4, 5), (4, 3), (4, 3)),
        ((2, 4, 5), (3, 5, 3), (2, 4, 3)),
        ((4, 5), (5, 3), (3, 4)),
    ],
)
def test_shapes_that_do_not_fit_are_refused(A, B, C):
    with pytest.raises(ValueError, match="wanted"):
        Product(cupy.ones(A), cupy.ones(B), cupy.ones(C))


def test_layouts_that_would_need_a_copy_are_refused():
    wide = cupy.ones((4, 10))
    with pytest.raises(ValueError, match="contiguous"):
        Product(wide[:, ::2], cupy.ones((5, 3)), cupy.ones((4, 3)))
    with pytest.raises(ValueError, match="contiguous"):
        Product(cupy.ones((4, 5)), cupy.ones((5, 3)), cupy.ones((3, 4)).T)
    with pytest.raises(ValueError, match="equal distances"):
        Product(cupy.ones((3, 4, 4, 5))[:, ::3], cupy.ones((3, 2, 5, 6)), cupy.ones((3, 2, 4, 6)))


# --- launches ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("runs", [(), (3,)])
def test_a_launch_reaches_every_entry_of_every_run_and_no_other(rng, runs, dtype):
    """More entries than a block has threads, in rows of [x; 1], whose ones stay."""
    x_one, y_one = rng.standard_normal((2, *runs, 14, 20)).astype(dtype)
    slope = np.zeros((*runs, 13, 20), dtype)
    there = [cupy.asarray(array) for array in (x_one, y_one, slope)]
    with pretend_cuda.counted() as counted:
        arrays = there[0][..., :-1, :], there[1][..., :-1, :], there[2]
        Launch("advance", *arrays, h=0.5, formulas=ACTIVATIONS.find("relu").cuda)()
    assert counted.work == counted["launches"] == 1
    a = y_one[..., :-1, :].copy()
    y_one[..., :-1, :] = x_one[..., :-1, :] + np.array(0.5, dtype) * np.maximum(a, 0)
    np.testing.assert_array_equal(cupy.asnumpy(there[0]), x_one)
    np.testing.assert_array_equal(cupy.asnumpy(there[1]), y_one)
    np.testing.assert_array_equal(cupy.asnumpy(there[2]), np.where(a > 0, np.array(0.5, dtype), 0))


def test_a_launch_refuses_what_does_not_fit():
    a = cupy.ones((3, 4, 5))
    with pytest.raises(ValueError, match="one shape and type"):
        Launch("weigh", a, a, a.astype("float32"))
    with pytest.raises(ValueError, match="contiguous matrices"):
        Launch("weigh", a, a, cupy.ones((3, 5, 4)).swapaxes(-1, -2))
    with pytest.raises(ValueError, match="contiguous matrices"):
        Launch("weigh", *(cupy.ones((2, 3, 4, 5)) for _ in range(3)))
    with pretend_cuda.counted() as counted:
        Launch("weigh", *(cupy.ones((0, 4, 5)) for _ in range(3)))()
    assert counted.work == 0


def test_sums_are_taken_in_double_precision(rng):
    """A float32 sum over so many entries near 1 would be off by 1e-5 and more."""
    a, b = (1 + 0.1 * rng.standard_normal((2, 20, 3, 64, 65))).astype("float32")

    class Nodes:
        h = 0.02

    expected = 0.02 * (a.astype("float64") * b).sum(axis=(0, 2, 3))
    with pretend_cuda.counted() as counted:
        found = inner_product(Nodes, Parameters(cupy.asarray(a)), Parameters(cupy.asarray(b)))
    assert found.dtype == np.float64
    assert counted["launches"] <= 3
    np.testing.assert_allclose(cupy.asnumpy(found), expected, **tolerances.ROUNDING)
