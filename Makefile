# Two commands: `make reproduce` and `make test`. Both do all set-up. `make help` lists the rest.

PYTHON ?= python3
PRESET ?= quick
CORES ?= $(shell getconf _NPROCESSORS_ONLN)
PROFILE ?= workflow/profiles/default
VENV := .venv
ifneq ($(shell [ "$(CORES)" -ge 1 ] 2> /dev/null && echo yes),yes)
$(error wanted CORES=n with n at least 1, found CORES=$(CORES))
endif
BIN := $(VENV)/bin
SNAKEMAKE := $(BIN)/snakemake --profile $(PROFILE)
SNAKEFILES := Snakefile workflow/Snakefile workflow/rules
# Bars with the time left for a person at a terminal, a line a job for everything else.
SHOWN := PYTHONPATH="workflow/terminal:$$PYTHONPATH" $(SNAKEMAKE) --logger snode
# Debian has venv in a package of its own; what a venv without pip leaves behind must not pass for an environment.
MAKE_VENV = $(PYTHON) -m venv $(1) || { rm -rf $(1); \
	echo "error: wanted Python's venv module with pip, found none in $(PYTHON) (Debian: apt install python3-venv)"; exit 1; }
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PROJECT_INSTALL := $(PIP_INSTALL) --no-deps --no-build-isolation --editable .

.DEFAULT_GOAL := help
.PHONY: help setup setup-gpu reproduce test lint format test-faults test-slurm test-gpu test-container bench images verify publish pack restore attack-published lock clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  variables: PRESET=smoke|quick|paper|beyond  CORES=n  PROFILE=workflow/profiles/...  PYTHON=python3.12  CONTAINER=podman|docker"

# --- set-up: a virtual environment in the clone, made once from the locked requirements ---

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "error: wanted Python 3.11 or newer, found $$($(PYTHON) --version 2>&1); set PYTHON=..."; exit 1; }
	@echo "making the environment $(VENV) (a minute or two, once)"
	@$(call MAKE_VENV,$(VENV))
	@# A plain `snakemake figures` in the activated environment finds the profile for one machine, wherever it is called.
	@echo 'export SNAKEMAKE_PROFILE="$${SNAKEMAKE_PROFILE:-$(CURDIR)/workflow/profiles/default}"' >> $(BIN)/activate

$(VENV)/.cpu: envs/cpu.txt pyproject.toml | $(BIN)/python
	@$(PIP_INSTALL) --require-hashes -r envs/cpu.txt
	@$(PROJECT_INSTALL)
	@# Hundreds of jobs import the stages: compiled once here, even where Python is told not to keep what it compiles.
	@$(BIN)/python -m compileall -q stages
	@touch $@

$(VENV)/.gpu: envs/gpu.txt $(VENV)/.cpu
	@$(PIP_INSTALL) --require-hashes -r envs/gpu.txt
	@touch $@

$(VENV)/.test: envs/test.txt $(VENV)/.cpu
	@echo "adding what the tests need"
	@$(PIP_INSTALL) --require-hashes -r envs/test.txt
	@touch $@

.venv-format/.done: envs/format.txt # snakefmt wants other versions than Snakemake
	@$(call MAKE_VENV,.venv-format)
	@.venv-format/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r envs/format.txt
	@touch $@

setup: $(VENV)/.cpu ## make the environment, nothing else

setup-gpu: $(VENV)/.gpu ## the same with CuPy and its CUDA libraries

# --- the two commands ---

ifdef CONTAINER
reproduce:
	@ENGINE=$(CONTAINER) envs/run_in_image.sh cpu snakemake --profile $(PROFILE) --cores $(CORES) --config preset=$(PRESET)
	@ENGINE=$(CONTAINER) envs/run_in_image.sh cpu python -m stages.report.summarise results/$(PRESET)
	@ENGINE=$(CONTAINER) envs/run_in_image.sh cpu python -m stages.verify --quiet results/$(PRESET)
else
reproduce: $(VENV)/.cpu ## set up, run the whole workflow (PRESET=quick unless you say otherwise), show what reproduced
	@$(SHOWN) --cores $(CORES) --config preset=$(PRESET)
	@$(BIN)/python -m stages.report.summarise results/$(PRESET)
	@$(BIN)/python -m stages.verify --quiet results/$(PRESET)
endif

# Two workers more than cores, since Slurm's two files of tests mostly wait; a file's tests stay together, for some share a
# workflow that has run. The two environments are made side by side.
test: ## set up, check formatting and run the tests, all but those of the four commands below
	@$(MAKE) --no-print-directory --jobs 2 $(VENV)/.test .venv-format/.done
	@$(MAKE) --no-print-directory lint
	@$(BIN)/python -m pytest -n $(shell expr $(CORES) + 2) --dist loadfile --no-loadscope-reorder -m "not container and (not faults or sample)"

# --- more tests, measurements, images ---

test-faults: $(VENV)/.test ## hundreds of kills, full disks and damaged files, thousands of mutated inputs (half an hour)
	@SNODE_FAULTS=100 SNODE_FUZZ=2000 $(BIN)/python -m pytest -n $(CORES) tests/faults tests/train/test_resume.py \
		tests/test_whole_files.py tests/data/test_mutated_files.py tests/workflow/test_bad_configuration.py

test-slurm: $(VENV)/.test ## the workflow on a one-node Slurm (Debian's slurm-wlm and munge)
	@SNODE_SLURM=full $(BIN)/python -m pytest tests/slurm

test-gpu: $(VENV)/.test ## the real CuPy on a pretend CUDA device (builds it first; some minutes)
	@$(BIN)/python tests/pretend_gpu/build.py
	@PYTHONPATH=$(CURDIR)/tests/pretend_gpu/site SNODE_PRETEND_GPU=$(CURDIR)/.pretend-gpu \
		$(BIN)/python -m pytest -n $(CORES) --dist loadfile tests/pretend_gpu

test-container: $(VENV)/.test ## build the CPU image with podman and run the workflow in it
	@$(BIN)/python -m pytest tests/container -m container

.venv-bench/.done: envs/bench.txt envs/bench-torch.txt
	@echo "making the environment .venv-bench (JAX, PyTorch, the attack toolbox; once)"
	@$(call MAKE_VENV,.venv-bench)
	@.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r envs/bench.txt
	@# PyTorch's builds differ from machine to machine, and so do their hashes: versions only.
	@.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check -r envs/bench-torch.txt
	@touch $@

bench: .venv-bench/.done ## measure against the limit and against what people would use instead (some of it: BENCH="ncg attacks")
	@.venv-bench/bin/python tests/bench/run.py $(BENCH)

images: ## build the CPU and the GPU image with podman or docker
	@$(if $(CONTAINER),ENGINE=$(CONTAINER)) envs/build_image.sh cpu
	@$(if $(CONTAINER),ENGINE=$(CONTAINER)) envs/build_image.sh gpu

lint: $(VENV)/.test .venv-format/.done ## check formatting and style
	@$(BIN)/ruff format --check --quiet . && $(BIN)/ruff check --quiet .
	@.venv-format/bin/snakefmt --check $(SNAKEFILES) 2> /dev/null || { .venv-format/bin/snakefmt --diff $(SNAKEFILES); exit 1; }
	@$(BIN)/snakemake --lint --config preset=smoke

format: $(VENV)/.test .venv-format/.done ## format the code
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .
	@.venv-format/bin/snakefmt $(SNAKEFILES)

verify: $(VENV)/.cpu ## check every store under results against its manifest
	@$(BIN)/python -m stages.verify results

publish: $(VENV)/.cpu ## collect what is worth showing of a finished run into workflow/published (say PRESET=paper)
	@$(BIN)/python -m stages.report.publish --preset $(PRESET)

pack: $(VENV)/.cpu ## keep the finished networks of a run that goes on, without weights, in workflow/published/stores (say PRESET=paper)
	@$(BIN)/python -m stages.report.extracts --preset $(PRESET)

restore: $(VENV)/.cpu ## lay what was packed of a run under results, to draw it anew or to go on with it (say PRESET=paper)
	@$(SNAKEMAKE) --quiet all --cores $(CORES) --config preset=$(PRESET) -- data
	@$(BIN)/python -m stages.report.restore --preset $(PRESET)

NETWORK ?= ncg_ce_relu
ATTACK ?= sensitivity
IMAGES ?= 100
attack-published: $(VENV)/.cpu ## attack a network that comes with the project (for example NETWORK=sgd_ce_relu ATTACK=fgsm IMAGES=200)
	@# One thread, as Snakemake gives its jobs: two that want the same core wait for each other.
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m stages.attack.attack_published --network $(NETWORK) --attack $(ATTACK) --images $(IMAGES)

lock: ## lock the newest versions anew (needs uv)
	uv pip compile pyproject.toml $(LOCK) -o envs/cpu.txt
	uv pip compile pyproject.toml $(LOCK) --extra gpu -c envs/cpu.txt -o envs/gpu.txt
	uv pip compile pyproject.toml $(LOCK) --extra test -c envs/cpu.txt -o envs/test.txt
LOCK := --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url

clean: ## remove environments and caches; results stay
	rm -rf .venv .venv-format .venv-bench .pretend-gpu .pytest_cache .ruff_cache .hypothesis *.egg-info
