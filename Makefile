# Two commands do everything: `make sweep` and `make test`.
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && echo $$p && break; done)
SPACE ?= kv_dflash.yaml

.PHONY: help sweep test chaos lint lock clean
.DEFAULT_GOAL := help

help:
	@echo "make sweep   measure the demo space on a real model (first time: about 10 min of setup,"
	@echo "             then 8 to 10 min on two cores); leaves orchestrate.db and pareto.html"
	@echo "make test    run the tests (about 25 min on two cores after the same setup)"
	@echo "make chaos   kill engines, drivers and databases of many sweeps (up to an hour on two cores)"
	@echo "make lint    ruff, mypy --strict, import-linter"
	@echo "make lock    write requirements.lock anew"

# The compiler is asked for before anything is downloaded: llama-cpp-python has no wheel on PyPI.
$(READY): requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 was not found. Install one, or name it: make PYTHON=/path/to/python3.11"; exit 2; }
	@command -v c++ >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null || { \
		echo "No C++ compiler was found; llama-cpp-python is compiled on this machine."; \
		echo "Install one: 'apt install build-essential' (Debian, Ubuntu), 'dnf install gcc-c++' (Fedora), 'xcode-select --install' (macOS)."; exit 2; }
	@echo "Setting up $(VENV) with $(PYTHON): about 2 min of downloads, then about 8 min compiling llama-cpp-python on two cores. Done once."
	@test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	@CMAKE_ARGS="-DLLAVA_BUILD=OFF $(CMAKE_ARGS)" $(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@

sweep: $(READY)
	@echo "Measuring $(SPACE): usually 8 to 10 min on two cores. Stop with Ctrl-C; the same command goes on."
	@$(BIN)/orchestrate sweep --space $(SPACE)

test: $(READY)
	@echo "Running the tests: usually about 25 min on two cores."
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

chaos: $(READY)
	@$(BIN)/python -m tests.chaos --output benchmarks/results/chaos.md

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

lock:
	@command -v uv >/dev/null || { echo "make lock needs uv: python3 -m pip install uv"; exit 2; }
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--group dev pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
