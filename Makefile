# Both commands need Python 3.11+, make and git; everything else they install into .venv themselves.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUN_STAMP  := $(VENV)/.run-stamp
TEST_STAMP := $(VENV)/.test-stamp

.PHONY: demo test lint clean

demo: $(RUN_STAMP)
	@$(BIN)/heteronym demo -o demo-release --overwrite

test: $(TEST_STAMP) lint
	$(BIN)/python -m pytest

lint: $(TEST_STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("heteronym needs Python 3.11 or newer; call make with PYTHON=python3.11") if sys.version_info < (3, 11) else 0'
	@echo "Making a virtual environment in $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip

$(RUN_STAMP): pyproject.toml | $(BIN)/python
	@echo "Installing heteronym into $(VENV) (first time only) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(TEST_STAMP): pyproject.toml | $(BIN)/python
	@echo "Installing heteronym and its test tools into $(VENV) (first time only) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@ $(RUN_STAMP)

clean:
	rm -rf $(VENV) demo-release .mypy_cache .pytest_cache .ruff_cache .hypothesis
