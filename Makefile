# Two commands: `make reproduce` and `make test`. Both do all set-up. `make help` lists the rest.

PYTHON ?= python3
PRESET ?= quick
CORES ?= $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN)
VENV := .venv
BIN := $(VENV)/bin
SNAKEMAKE = $(BIN)/snakemake --profile workflow/profiles/default --cores $(CORES)

.DEFAULT_GOAL := help
.PHONY: help
