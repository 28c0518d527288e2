"""CuPy on the pretend device: which of its parts are replaced, and what the device has counted.

Replaced are the module that has the CUDA runtime linked in (by the same source, linked with the stand-in) and the
compiler (g++ in place of NVRTC). CuPy's cache of kernels, its memory pools and all else are CuPy's own.
"""

import contextlib
import ctypes
import importlib.abc
import importlib.machinery
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

RUNTIME, COMPILER = "cupy_backends.cuda.api.runtime", "cupy.cuda.compiler"
COUNTS = (
    *("launches", "products", "copies_to_device", "copies_to_host", "copies_on_device"),
    *("memsets", "synchronisations", "allocations"),
)


def folder():
    """What build.py has built."""
    return Path(os.environ["SNODE_PRETEND_GPU"])


def install():
    """Have `import cupy` find the pretend device. It must come before that import."""
    os.environ["CUDA_PATH"] = str(folder() / "packages" / "nvidia" / "cuda_runtime")  # its headers
    os.environ["CUPY_ACCELERATORS"] = ""  # CUB's reductions are code for a real device
    os.environ.setdefault("CUPY_CACHE_DIR", str(folder() / "kernels"))
    sys.meta_path.insert(0, Replacements())


class Replacements(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == RUNTIME:
            _libraries()
            where = str(folder() / f"runtime{importlib.machinery.EXTENSION_SUFFIXES[0]}")
            loader = importlib.machinery.ExtensionFileLoader(name, where)
            return importlib.util.spec_from_file_location(name, where, loader=loader)
        if name == COMPILER:
            spec = importlib.machinery.PathFinder.find_spec(name, path, target)
            load = spec.loader.exec_module

            def exec_module(module):
                load(module)
                module._compile_using_nvrtc_no_warning = compile_kernel
                module._preprocess = lambda *arguments: (folder() / "identity").read_text()
                module._get_nvrtc_version = lambda: (12, 9)

            spec.loader.exec_module = exec_module
            return spec
        return None


def _libraries():
    """Load the stand-in under all names that CuPy will ask for."""
    names = ("libcublas.so.12", "libcublasLt.so.12", "libcuda.so.1")
    device, *_ = [ctypes.CDLL(str(folder() / name), ctypes.RTLD_GLOBAL) for name in names]
    device.pretend_counts.restype = ctypes.POINTER(ctypes.c_long)
    device.pretend_bytes_to_host.restype = ctypes.c_long
    device.pretend_seconds.restype = ctypes.c_double
    device.pretend_most_memory.restype = ctypes.c_size_t
    device.pretend_kernels.restype = ctypes.c_char_p
    return device


def compile_kernel(source, options=(), arch=None, filename="kernel.cu", *rest):
    """Return a kernel compiled by g++, as CuPy's function returns one compiled by NVRTC: (image, no names)."""
    from cupy.cuda.compiler import CompileException

    names = re.findall(r"extern\s+\"C\"\s+__global__\s+void\s+(?:__launch_bounds__\(.*?\)\s*)?(\w+)\s*\(", source)
    manner = "LOOPS"
    if re.search(r"__sync(threads|warp)|__shfl", source):
        manner = "FIBRES"
    elif "threadIdx" not in source and "blockIdx" not in source:
        manner = "ONE_THREAD"
    # Shared memory: the blocks come one after another, so there is one of each.
    text = re.sub(r"extern\s+__shared__\s+(.*?)\[\s*\]", r"static \1[49152]", source).replace("__shared__", "static")
    text += "".join(f"\nPRETEND_ENTRY({name}, {manner})" for name in names)
    with tempfile.TemporaryDirectory() as place:
        code, image = Path(place, "kernel.cpp"), Path(place, "kernel.so")
        code.write_text(text)
        defines = [option for option in options if option.startswith("-D")]
        command = [*compiler_command(), *defines, "-shared", str(code), "-o", str(image)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise CompileException(done.stderr, source, filename, tuple(command), "g++")
        return image.read_bytes(), {name: name for name in names}


def compiler_command():
    """g++ with the prelude, which build.py has compiled with these very options."""
    headers = Path(importlib.util.find_spec("cupy").origin).parent / "_core" / "include"
    return [
        *("g++", "-std=c++17", "-O2", "-w", "-fPIC", "-ffp-contract=off", "-fno-strict-aliasing", "-U_FORTIFY_SOURCE"),
        *(f"-I{headers}", f"-I{folder() / 'include'}", "-include", str(folder() / "kernels.h")),
    ]


# --- for tests --------------------------------------------------------------------------------------------------------


class Counts(dict):
    """Launches, products and so on by name, and kernels by theirs."""

    @property
    def work(self):
        """What a host hands to a device one by one: kernels and products."""
        return self["launches"] + self["products"]


@contextlib.contextmanager
def counted(names=False):
    """Yield Counts that are filled when the block ends; names: kernels by name too, which takes time."""
    device, found = _libraries(), Counts()
    device.pretend_name_kernels(names)
    device.pretend_reset()
    try:
        yield found
    finally:
        found.update(zip(COUNTS, device.pretend_counts()[: len(COUNTS)], strict=True))
        found["bytes_to_host"] = device.pretend_bytes_to_host()
        found["device_seconds"] = device.pretend_seconds()
        found["most_memory"] = device.pretend_most_memory()
        found["kernels"] = {
            line.split()[0]: int(line.split()[1]) for line in device.pretend_kernels().decode().splitlines()
        }
        device.pretend_name_kernels(0)


@contextlib.contextmanager
def idle():
    """Within the block launches and products do nothing: what is left is the host's time."""
    device = _libraries()
    device.pretend_idle(1)
    try:
        yield
    finally:
        device.pretend_idle(0)
