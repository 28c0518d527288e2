"""Build the pretend CUDA device into .pretend-gpu (a minute or two, once): python tests/pretend_gpu/build.py

Ends well in any case. Where the device cannot be built, .pretend-gpu/reason says why and the tests are skipped with it.
"""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = HERE.parent.parent / ".pretend-gpu"
SOURCES = ("build.py", "device.cpp", "prelude.h", "requirements.txt", "source.txt", "site/pretend_cuda.py")

# What CuPy's own build hands to Cython: cupy_builder/_command.py of the source distribution.
COMPILE_TIME = ",".join(
    f"CUPY_{name}"
    for name in (
        "CUDA_VERSION=12090",
        "HIP_VERSION=0",
        "USE_CUDA_PYTHON=False",
        "CUFFT_STATIC=False",
        "CYTHON_VERSION=3",
    )
)
DIRECTIVES = ("binding=False", "embedsignature=True", "c_api_binop_methods=True", "freethreading_compatible=True")

# Headers that CuPy's code includes for a name or two, and whose originals want NVIDIA's compiler.
HEADERS = {
    "cuda_profiler_api.h": 'extern "C" cudaError_t cudaProfilerStart();\nextern "C" cudaError_t cudaProfilerStop();\n',
    "thrust/detail/config/namespace.h": (
        "#define THRUST_NAMESPACE_BEGIN namespace thrust {\n#define THRUST_NAMESPACE_END }\n"
    ),
}


class CannotBuild(Exception):
    pass


def run(what, *command, **environment):
    done = subprocess.run(
        [str(part) for part in command],
        cwd=OUT,
        env={**os.environ, "PYTHONPATH": str(OUT / "packages"), **environment},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise CannotBuild(f"{what} failed: {' '.join((done.stderr or done.stdout).split()[-60:])}")
    return done.stdout


def identity():
    """What the built device follows from."""
    import cupy_backends

    text = "".join((HERE / name).read_text() for name in SOURCES)
    return hashlib.sha256(f"{text} {sys.version} {cupy_backends.__file__} {HERE}".encode()).hexdigest()


def require_tools():
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        raise CannotBuild(f"wanted Linux on x86_64, found {platform.system()} on {platform.machine()}")
    for tool in ("g++", "nm"):
        if shutil.which(tool) is None:
            raise CannotBuild(f"{tool} is not installed")


def packages():
    """Cython, NVIDIA's headers and NVRTC, and CuPy's source; all from the package index, all locked."""
    wanted = "".join((HERE / name).read_text() for name in ("requirements.txt", "source.txt")) + sys.version
    if (OUT / "packages.txt").exists() and (OUT / "packages.txt").read_text() == wanted:
        return next((OUT / "source").glob("cupy-*"))
    shutil.rmtree(OUT)
    OUT.mkdir()
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    wheels = (
        "--require-hashes",
        "--only-binary",
        ":all:",
        "--target",
        OUT / "packages",
        "-r",
        HERE / "requirements.txt",
    )
    run("installing Cython and NVIDIA's headers", *pip, "install", *wheels)
    # pip asks a source for its metadata, and CuPy's wants CUDA for that unless it is told otherwise.
    source = ("--no-deps", "--no-build-isolation", "--require-hashes", "--no-binary", "cupy", "-r", HERE / "source.txt")
    run("downloading CuPy's source", *pip, "download", "--dest", OUT, *source, CUPY_INSTALL_USE_STUB="1")
    with tarfile.open(next(OUT.glob("cupy-*.tar.gz"))) as archive:
        archive.extractall(OUT / "source", filter="data")
    (OUT / "packages.txt").write_text(wanted)
    return next((OUT / "source").glob("cupy-*"))


def wanted_symbols(*objects):
    """CUDA's functions that compiled modules call."""
    text = "".join(run("reading symbols", "nm", *kind, path) for kind, path in objects)
    return set(re.findall(r" U ((?:cuda|cublas)[A-Z]\w*)", text))


def write_headers():
    for name, text in HEADERS.items():
        (OUT / "include" / name).parent.mkdir(parents=True, exist_ok=True)
        (OUT / "include" / name).write_text(f"#pragma once\n{text}")


def build_runtime(source):
    """Compile CuPy's module with the CUDA runtime; the runtime itself is left open."""
    pyx = source / "cupy_backends" / "cuda" / "api" / "runtime.pyx"
    directives = [part for directive in (*DIRECTIVES, "warn.deprecated.IF=False") for part in ("-X", directive)]
    cython = (sys.executable, "-m", "cython", "-3", "--cplus", "-E", COMPILE_TIME, *directives)
    run("Cython", *cython, "-w", source, pyx, "-o", OUT / "runtime.cpp")
    # The generated code includes CuPy's headers relative to where its source lies.
    includes = [pyx.parent, source, OUT / "include", *nvidia_headers(), sysconfig.get_paths()["include"]]
    options = ("-O1", "-w", "-fPIC", "-std=c++17", "-D_FORCE_INLINES=1", '-DCYTHON_EXTERN_C=extern "C"')
    run(
        "compiling CuPy's runtime",
        "g++",
        *options,
        *(f"-I{i}" for i in includes),
        "-c",
        "runtime.cpp",
        "-o",
        "runtime.o",
    )


def nvidia_headers():
    return [OUT / "packages" / "nvidia" / name / "include" for name in ("cuda_runtime", "cuda_nvcc")]


def build_device():
    """Compile the stand-in under cuBLAS's name, two names that lead to it, and link the runtime with it."""
    import cupy_backends

    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    cublas = Path(cupy_backends.__file__).parent / "cuda" / "libs" / f"cublas{suffix}"
    options = ("-O3", "-w", "-fPIC", "-std=c++17", "-ffp-contract=off", *(f"-I{i}" for i in nvidia_headers()))
    run("compiling the stand-in", "g++", *options, "-c", HERE / "device.cpp", "-o", "device.o")
    defined = set(re.findall(r" T (\w+)", run("reading symbols", "nm", "device.o")))
    wanted = wanted_symbols(
        (("--undefined-only",), "runtime.o"), (("-D", "--undefined-only", "--without-symbol-versions"), cublas)
    )
    stubs = "".join(f"STUB({name})\n" for name in sorted(wanted - defined))
    says = 'fputs("pretend device: " #name " is not covered\\n", stderr)'
    head = f"#include <stdio.h>\n#include <stdlib.h>\n#define STUB(name) void name(void) {{ {says}; abort(); }}\n"
    (OUT / "stubs.c").write_text(head + stubs)
    run("compiling the stubs", "gcc" if shutil.which("gcc") else "g++", "-fPIC", "-c", "stubs.c", "-o", "stubs.o")
    # cuBLAS's symbols carry a version of that name; without it the loader would complain.
    (OUT / "versions").write_text("libcublas.so.12 { global: *; };\n")
    names = ("-Wl,-soname,libcublas.so.12", "-Wl,--version-script=versions")
    run("linking", "g++", "-shared", *names, "device.o", "stubs.o", "-ldl", "-o", "libcublas.so.12")
    leads = ("-Wl,--no-as-needed", "-L.", "-l:libcublas.so.12", "-Wl,-rpath,$ORIGIN")
    (OUT / "empty.c").write_text("")
    for name in ("libcuda.so.1", "libcublasLt.so.12"):
        run("linking", "g++", "-shared", "-fPIC", f"-Wl,-soname,{name}", "empty.c", *leads, "-o", name)
    run("linking", "g++", "-shared", "runtime.o", *leads, "-o", f"runtime{suffix}")


def build_prelude():
    """Compile what every kernel begins with once: a kernel then takes a third of a second."""
    headers = "".join(
        f"#include <cupy/{name}>\n" for name in ("complex.cuh", "carray.cuh", "atomics.cuh", "math_constants.h")
    )
    (OUT / "kernels.h").write_text((HERE / "prelude.h").read_text() + headers)
    sys.path.insert(0, str(HERE / "site"))
    os.environ["SNODE_PRETEND_GPU"] = str(OUT)
    import pretend_cuda

    command = pretend_cuda.compiler_command()
    command = command[: command.index("-include")]
    run("compiling the prelude", *command, "-x", "c++-header", OUT / "kernels.h", "-o", OUT / "kernels.h.gch")


def main():
    key = identity()
    if (OUT / "identity").exists() and (OUT / "identity").read_text() == key:
        return
    OUT.mkdir(exist_ok=True)
    for name in ("identity", "reason"):
        (OUT / name).unlink(missing_ok=True)
    shutil.rmtree(OUT / "kernels", ignore_errors=True)
    print("building the pretend CUDA device in .pretend-gpu (a minute or two, once)", flush=True)
    try:
        require_tools()
        source = packages()
        write_headers()
        build_runtime(source)
        build_device()
        build_prelude()
        (OUT / "identity").write_text(key)
    except CannotBuild as problem:
        (OUT / "reason").write_text(f"the pretend CUDA device cannot be built: {problem}")
        print((OUT / "reason").read_text())


if __name__ == "__main__":
    main()
