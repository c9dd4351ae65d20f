# Two commands do everything, set-up included: `make demo` and `make test`.
# Paths are relative on purpose: the checkout may lie in a folder whose name has spaces.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.9
PINS := requirements/dev.txt
INSTALLED := $(VENV)/.installed
VECTORS := .build/bench/vectors.sqlite

.PHONY: help install layers demo test lint format bench fuzz opensearch promises page pins clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile

install: $(INSTALLED) ## make .venv with everything; instant when nothing changed

# The stamp is written last, so an interrupted install is taken up again. `--no-deps` twice: the pins are the whole
# closure (a requirement nothing imports is left out, see requirements/excluded.txt), and the project adds none.
$(INSTALLED): $(PINS) pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null || { \
	  echo "Python 3.11, 3.12 or 3.13 is needed; '$(PYTHON)' says: $$($(PYTHON) --version 2>&1)." >&2; \
	  echo "Name another one: make $(or $(firstword $(MAKECMDGOALS)),install) PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "Installing into $(VENV): one to three minutes, longer on a busy machine. Later runs skip this."
	@test -x $(BIN)/python && $(BIN)/python -c 'import pip' 2>/dev/null || { rm -rf $(VENV); $(PYTHON) -m venv $(VENV); } || { \
	  echo "'$(PYTHON) -m venv' failed. On Debian and Ubuntu it is a package of its own: python3-venv." >&2; exit 1; }
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps --require-hashes -r $(PINS)
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps --no-build-isolation -e .
	@touch $(INSTALLED)

layers: install ## build the Lambda layers for this machine (the local stack does so by itself)
	$(BIN)/anamnesis layers

demo: install ## deploy template.yaml to a local AWS emulator and run the main job on it
	$(BIN)/anamnesis demo

# A file's tests stay together in one process, since they share what is slow to make, and so do all on one deployed
# stack. There is one process more than processors (tests/conftest.py), and four at most, since each may have a stack of
# its own. Benchmarks are not among them, and their plugin would warn that it measures nothing.
test: lint ## every check and every test, on all cores
	$(BIN)/python -m pytest --numprocesses logical --maxprocesses 4 --dist loadfile --benchmark-disable

lint: install ## style, types, layers, template
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PYTHONPATH=functions $(BIN)/lint-imports
	$(BIN)/cfn-lint template.yaml

format: install ## let the formatter and the safe fixes do their work
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Results are kept in tools/anamnesis_tools/bench/results, and the charts there are drawn from the latest ones.
bench: install ## the evaluations, with their tables (DATA=folder for those that need data of yours)
	$(BIN)/anamnesis bench all --keep
	$(BIN)/python -m pytest tests/benchmarks --benchmark-only -o python_files='bench_*.py'
	@$(if $(DATA),:,echo "No DATA=folder: designs, ablation and locomo are not measured.")
	$(if $(DATA),$(BIN)/anamnesis bench designs "$(DATA)" --cache $(VECTORS) --keep)
	$(if $(DATA),$(BIN)/anamnesis bench ablation "$(DATA)" --cache $(VECTORS) --keep)
	$(if $(DATA),$(BIN)/anamnesis bench locomo "$(DATA)"/locomo/*.json --keep)
	$(if $(DATA),$(BIN)/anamnesis bench calibration "$(DATA)"/learning_logs/*.json --plot tools/anamnesis_tools/bench/beliefs/calibration.svg)
	$(BIN)/anamnesis bench plots

fuzz: install ## the service against its own description with ten times as many inputs (SEED=n for others)
	ANAMNESIS_SCHEMA_EXAMPLES=400 ANAMNESIS_SCHEMA_SEED=$(or $(SEED),11) $(BIN)/python -m pytest tests/unit/functions/test_schema_driven.py

opensearch: install ## assemble a real OpenSearch node (JDK and Maven needed) and test the semantic index on it
	$(BIN)/anamnesis opensearch -- $(BIN)/python -m pytest tests/integration/test_opensearch.py

promises: install ## rewrite which tests prove which promise
	$(BIN)/python tests/promises.py

# The built page is kept in functions/page/built, so that only who changes it needs Node.js.
page: ## build the page to look at from tools/page (Node.js 20.19 or newer needed)
	cd tools/page && npm ci --no-audit --no-fund && npm run build

# One resolution for all three lists: dev first, the shipped ones constrained by it, so tests run what ships.
PIN = .build/pins/bin/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
  --generate-hashes --excludes requirements/excluded.txt --no-emit-index-url --no-emit-find-links --no-header $(UPGRADE)
# In the dependencies layer already, and what only Windows and browsers install.
NOT_IN_MCP := annotated-types click idna pydantic pydantic-core typing-extensions typing-inspection colorama pywin32 httpx2-jsfetch
pins: ## resolve requirements/*.in into hashed pins (make pins UPGRADE=--upgrade for newer ones)
	@test -x .build/pins/bin/uv || { $(PYTHON) -m venv .build/pins && .build/pins/bin/pip install --quiet uv==$(UV_VERSION); }
	$(PIN) requirements/dev.in --output-file requirements/dev.txt
	$(PIN) --constraint requirements/dev.txt requirements/lambda.in --output-file requirements/lambda.txt
	$(PIN) --constraint requirements/dev.txt --no-emit-package numpy requirements/embedder.in --output-file requirements/embedder.txt
	$(PIN) --constraint requirements/dev.txt $(addprefix --no-emit-package ,$(NOT_IN_MCP)) requirements/mcp.in --output-file requirements/mcp.txt

clean: ## stop the local stack and remove everything that was built
	@test ! -x $(BIN)/anamnesis || $(BIN)/anamnesis down
	rm -rf $(VENV) tools/page/node_modules .build .anamnesis .aws-sam .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
