"""The CPU image, built on a base made from Debian's packages: no registry is asked for anything."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from kit.project_copy import ROOT, copy_project

BASE, IMAGE = "localhost/snode-test-base", "localhost/snode-test-cpu"
SUITE = "bookworm"  # its Python is 3.11, as that of the default base


@pytest.fixture(scope="session")
def image(tmp_path_factory):
    """The name of the image."""
    missing = [program for program in ("podman", "debootstrap") if not shutil.which(program, path=_search_path())]
    if missing:
        pytest.skip(f"no {' and no '.join(missing)}: apt-get install podman runc debootstrap")
    if os.geteuid():
        pytest.skip("debootstrap needs root")
    if subprocess.run(["podman", "image", "exists", BASE]).returncode:
        _make_base(tmp_path_factory.mktemp("base") / "root")
    settings = {"ENGINE": "podman", "BASE": BASE, "TAG": IMAGE, "PYTHON": sys.executable, "SAVE": "no"}
    _run([ROOT / "envs" / "build_image.sh", "cpu"], env={**os.environ, **settings})
    return IMAGE


def _make_base(folder):
    """Make a Debian with Python in a folder, and an image of it."""
    packages = "--include=python3,python3-venv,ca-certificates"
    mirror = [os.environ["DEBIAN_MIRROR"]] if "DEBIAN_MIRROR" in os.environ else []
    environment = {**os.environ, "PATH": _search_path()}
    _run(["debootstrap", "--variant=minbase", packages, SUITE, folder, *mirror], env=environment)
    tar = subprocess.Popen(["tar", "-C", folder, "-c", "."], stdout=subprocess.PIPE)
    _run(["podman", "import", "-", BASE], stdin=tar.stdout)
    assert tar.wait() == 0
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def here(tmp_path_factory):
    """A folder where the smoke preset ran on this machine, without a container."""
    project = copy_project(tmp_path_factory.mktemp("here") / "project")
    snakemake = Path(sys.executable).with_name("snakemake")
    command = [snakemake, "--profile", "workflow/profiles/default", "--cores", "2", "--config", "preset=smoke"]
    _run(command, cwd=project)
    return project


def _search_path():
    return f"{os.environ['PATH']}:/usr/sbin:/sbin"


def _run(command, **options):
    done = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options
    )
    assert done.returncode == 0, done.stdout
