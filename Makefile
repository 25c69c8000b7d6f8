# Both commands need Python 3.11+, make and git; everything else they install into .venv themselves.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUN_STAMP  := $(VENV)/.run-stamp
TEST_STAMP := $(VENV)/.test-stamp

.PHONY: demo test lint browser clean

demo: $(RUN_STAMP)
	@$(BIN)/heteronym demo -o demo-release --overwrite
	@echo
	@echo "The same with 300 invented patients; its report is worth a look:"
	@$(BIN)/heteronym demo --example clinic -o demo-clinic --overwrite

test: $(TEST_STAMP) browser lint
	$(BIN)/python -m pytest -n auto --dist worksteal

# Pages are checked in Debian's chromium; without it those tests are skipped, and say so.
browser:
	@command -v chromium >/dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    echo "Installing chromium for the browser checks (first time only) ..."; \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1 \
	      || echo "chromium could not be installed; the browser checks are skipped"; \
	  else \
	    echo "no chromium here: the browser checks are skipped (as root: apt-get install chromium)"; \
	  fi; }

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
	rm -rf $(VENV) demo-release demo-clinic .mypy_cache .pytest_cache .ruff_cache .hypothesis
