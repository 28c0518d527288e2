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
# Errors only: `--quiet all` would hide them too.
QUIETLY := --quiet rules progress host reason
SNAKEFILES := Snakefile workflow/Snakefile workflow/rules
# A profile with an executor, such as Slurm's, says itself how many jobs it sends.
ON_CORES = $(if $(shell grep -s '^executor:' $(wildcard $(PROFILE)/*.yaml)),,--cores $(CORES))
# Debian has venv in a package of its own; what a venv without pip leaves behind must not pass for an environment.
MAKE_VENV = $(PYTHON) -m venv $(1) || { rm -rf $(1); \
	echo "error: wanted Python's venv module with pip, found none in $(PYTHON) (Debian: apt install python3-venv)"; exit 1; }
# pip compiles one file after the other. Afterwards all cores do, without the packages' own tests, which nobody imports. A
# file that cannot be compiled is no error, as with pip.
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
COMPILE := $(BIN)/python -m compileall -qq -j $(CORES) -x '/tests?/'
PROJECT_INSTALL := $(PIP_INSTALL) --no-deps --no-build-isolation --editable . --editable ./workflow

.DEFAULT_GOAL := help
.PHONY: help setup setup-gpu reproduce plan unlock test lint format test-faults test-slurm test-gpu test-container test-exchange bench images verify publish publish-playground pack restore redraw attack-published docs lock clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  variables: PRESET=smoke|quick|paper|beyond|readings  CORES=n  PROFILE=workflow/profiles/...  PYTHON=python3.12  CONTAINER=podman|docker"

# --- set-up: a virtual environment in the clone, made once from the locked requirements ---

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "error: wanted Python 3.11 or newer, found $$($(PYTHON) --version 2>&1); set PYTHON=..."; exit 1; }
	@echo "making the environment $(VENV) (a minute or two, once)"
	@$(call MAKE_VENV,$(VENV))
	@# A plain `snakemake figures` in the activated environment finds the profile for one machine, wherever it is called.
	@echo 'export SNAKEMAKE_PROFILE="$${SNAKEMAKE_PROFILE:-$(CURDIR)/workflow/profiles/default}"' >> $(BIN)/activate

$(VENV)/.cpu: envs/cpu.txt pyproject.toml workflow/pyproject.toml | $(BIN)/python
	@$(PIP_INSTALL) --require-hashes -r envs/cpu.txt
	@$(PROJECT_INSTALL)
	@# Hundreds of jobs import them: compiled once here, even where Python is told not to keep what it compiles.
	@$(COMPILE) $(VENV)/lib stages workflow/terminal || true
	@touch $@

$(VENV)/.gpu: envs/gpu.txt $(VENV)/.cpu
	@$(PIP_INSTALL) --require-hashes -r envs/gpu.txt
	@$(COMPILE) $(VENV)/lib || true
	@touch $@

$(VENV)/.test: envs/test.txt $(VENV)/.cpu
	@echo "adding what the tests need"
	@$(PIP_INSTALL) --require-hashes -r envs/test.txt
	@$(COMPILE) $(VENV)/lib || true
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
	@ENGINE=$(CONTAINER) envs/run_in_image.sh cpu snakemake --profile $(PROFILE) $(ON_CORES) --config preset=$(PRESET)
	@ENGINE=$(CONTAINER) envs/run_in_image.sh cpu python -m stages.report.summarise results/$(PRESET)
	@ENGINE=$(CONTAINER) envs/run_in_image.sh cpu python -m stages.storage.verify --quiet results/$(PRESET)
else
reproduce: $(VENV)/.cpu ## set up, run the whole workflow (default: PRESET=quick), print a summary
	@$(SNAKEMAKE) $(ON_CORES) --config preset=$(PRESET)
	@$(BIN)/python -m stages.report.summarise results/$(PRESET)
	@$(BIN)/python -m stages.storage.verify --quiet results/$(PRESET)
endif

plan: $(VENV)/.cpu ## cost of a run before it starts: jobs, core-hours, memory, disk, and what is done (for example PRESET=paper)
	@$(BIN)/python -m stages.plan.show_plan --preset $(PRESET) --cores $(CORES)

unlock: $(VENV)/.cpu ## remove the lock of a killed run
	@$(SNAKEMAKE) $(ON_CORES) --unlock --config preset=$(PRESET)

# Two workers more than cores, since Slurm's two files of tests mostly wait; a file's tests stay together, for some share a
# workflow that has run. The two environments are made side by side. Stores flush every file to the disk, tens of thousands
# in all: where there are 6 GB of free memory, the tests' files (1.4 GB) lie there, which saves minutes on a slow disk.
IN_MEMORY = $(shell free() { df --output=avail $$1 2> /dev/null | tail -n 1; }; \
	[ "$$(free /dev/shm)" -gt 6000000 ] 2> /dev/null && awk '/^MemAvailable/ {exit $$2 < 6000000}' /proc/meminfo && echo yes)
test: ## set up, check formatting, run all tests except those of the next five commands
	@$(MAKE) --no-print-directory --jobs 2 $(VENV)/.test .venv-format/.done
	@$(MAKE) --no-print-directory lint
	@files=$(if $(IN_MEMORY),$$(mktemp -d /dev/shm/snode-tests.XXXXXX)); trap 'rm -rf "$$files"' EXIT; trap 'exit 130' INT TERM; \
		$(BIN)/python -m pytest -n $(shell expr $(CORES) + 2) --dist loadfile --no-loadscope-reorder \
		-m "not container and (not faults or sample)" $${files:+--basetemp="$$files/tests"}

# --- more tests, measurements, images ---

test-faults: $(VENV)/.test ## hundreds of kills, full disks and damaged files, thousands of mutated inputs (half an hour)
	@SNODE_FAULTS=100 SNODE_FUZZ=2000 $(BIN)/python -m pytest -n $(CORES) tests/faults tests/train/test_resume.py \
		tests/storage/test_whole_files.py tests/data/test_mutated_files.py tests/workflow/test_bad_configuration.py

test-slurm: $(VENV)/.test ## the workflow on a Slurm of one and of three nodes (Debian's slurm-wlm and munge)
	@SNODE_SLURM=full $(BIN)/python -m pytest tests/slurm

test-gpu: $(VENV)/.test ## the real CuPy on an emulated CUDA device (builds it first; some minutes)
	@$(BIN)/python tests/pretend_gpu/build.py
	@PYTHONPATH=$(CURDIR)/tests/pretend_gpu/site SNODE_PRETEND_GPU=$(CURDIR)/.pretend-gpu \
		$(BIN)/python -m pytest -n $(CORES) --dist loadfile tests/pretend_gpu

test-container: $(VENV)/.test ## build the CPU image with podman and run the workflow in it
	@$(BIN)/python -m pytest tests/container -m container

.venv-exchange/.done: envs/test.txt envs/exchange.txt envs/bench-torch.txt
	@echo "making the environment .venv-exchange (PyTorch, ONNX Runtime, foolbox, the attack toolbox; once)"
	@$(call MAKE_VENV,.venv-exchange)
	@.venv-exchange/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r envs/test.txt
	@.venv-exchange/bin/python -m pip install --quiet --disable-pip-version-check -r envs/exchange.txt
	@.venv-exchange/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . --editable ./workflow
	@touch $@

test-exchange: .venv-exchange/.done ## our networks in PyTorch, ONNX Runtime, foolbox and the attack toolbox; one of PyTorch's here
	@.venv-exchange/bin/python -m pytest tests/exchange

.venv-bench/.done: envs/bench.txt envs/bench-torch.txt
	@echo "making the environment .venv-bench (JAX, PyTorch, the attack toolbox; once)"
	@$(call MAKE_VENV,.venv-bench)
	@.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r envs/bench.txt
	@# PyTorch's builds differ from machine to machine, and so do their hashes: versions only.
	@.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check -r envs/bench-torch.txt
	@touch $@

bench: .venv-bench/.done ## measure the speed against its limit and against other libraries (a part: BENCH="ncg attacks")
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
	@$(BIN)/python -m stages.storage.verify results

publish: $(VENV)/.cpu ## publish a finished run in workflow/published (for example PRESET=paper)
	@$(BIN)/python -m stages.publish.publish --preset $(PRESET)
	@$(BIN)/python workflow/docs/include_tables.py
	@$(MAKE) --no-print-directory publish-playground

publish-playground: $(VENV)/.cpu ## write workflow/published/playground.html from the published networks, and take its picture
	@$(BIN)/python -m stages.publish.publish_playground
	@$(BIN)/python workflow/docs/photograph_playground.py

pack: $(VENV)/.cpu ## keep the finished networks of an unfinished run, without weights, in workflow/published/stores (for example PRESET=paper)
	@$(BIN)/python -m stages.publish.pack --preset $(PRESET)

restore: $(VENV)/.cpu ## put packed networks under results, to draw them again or to continue the run (for example PRESET=paper)
	@$(SNAKEMAKE) $(QUIETLY) $(ON_CORES) --config preset=$(PRESET) -- data
	@$(BIN)/python -m stages.publish.restore --preset $(PRESET)

# Drawing alone: whatever times say, no rule that computes may run. Digits are fetched first, since what is restored must
# not seem older than what it was made from.
DRAWING := draw_figure tabulate judge_claims write_report
redraw: $(VENV)/.cpu ## make figures, tables, claims and report of the published run again, without training (for example PRESET=paper)
	@[ -d workflow/published/stores/$(PRESET) ] || { exec >&2; echo "error: wanted the preset of a published run with its stores," \
		"found PRESET=$(PRESET); there are: $(notdir $(wildcard workflow/published/stores/*))"; exit 1; }
	@$(SNAKEMAKE) $(QUIETLY) $(ON_CORES) --configfile workflow/published/$(PRESET)/experiment.yaml -- data || \
		echo "without the digits: pictures that show some stay as they were published"
	@$(BIN)/python -m stages.publish.restore --preset $(PRESET)
	@$(BIN)/python -m stages.plan.redraw_targets --preset $(PRESET) > $(VENV)/.redraw
	@$(SNAKEMAKE) $(ON_CORES) --configfile workflow/published/$(PRESET)/experiment.yaml --allowed-rules $(DRAWING) -- $$(cat $(VENV)/.redraw)

NETWORK ?= ncg_ce_relu
ATTACK ?= sensitivity
IMAGES ?= 100
attack-published: $(VENV)/.cpu ## attack a network that comes with the project (for example NETWORK=sgd_ce_relu ATTACK=fgsm IMAGES=200)
	@# One thread, as Snakemake gives its jobs: two that want the same core wait for each other.
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m stages.publish.attack_published --network $(NETWORK) --attack $(ATTACK) --images $(IMAGES)

docs: $(VENV)/.cpu ## write the tables and the list of outputs in the documents (after snakemake --config preset=smoke beyond=true)
	@$(BIN)/python workflow/docs/include_tables.py
	@$(BIN)/python workflow/docs/list_outputs.py results/smoke

lock: ## lock the newest versions (needs uv)
	uv pip compile pyproject.toml $(LOCK) -o envs/cpu.txt
	uv pip compile pyproject.toml $(LOCK) --extra gpu -c envs/cpu.txt -o envs/gpu.txt
	uv pip compile pyproject.toml $(LOCK) --extra test -c envs/cpu.txt -o envs/test.txt
LOCK := --upgrade --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url

clean: ## remove environments and caches; results stay
	rm -rf .venv .venv-format .venv-bench .venv-exchange .pretend-gpu .pytest_cache .ruff_cache .hypothesis *.egg-info
