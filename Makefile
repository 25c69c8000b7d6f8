# Both commands need Python 3.11+, make, git and a C compiler (installed through apt where there is none and we
# are root); everything else they install into .venv themselves.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
RUN_STAMP  := $(VENV)/.run-stamp
TEST_STAMP := $(VENV)/.test-stamp
# whoever edits a kernel has it compiled again
BUILD      := pyproject.toml setup.py $(shell find src -name '*_kernels.py' -o -name '*_kernels.pxd')
# tests that compare kernels with their naive twins; the slow ones take too long where kernels are Python, and so
# do those that say something of a whole search rather than of a kernel
KERNEL_TESTS := tests/unit/partition/test_kernels.py tests/unit/partition/test_limits.py \
  tests/unit/partition/test_terms_search.py tests/unit/partition/test_mdav.py tests/unit/partition/test_lattice_nodes.py \
  tests/unit/partition/test_withhold.py tests/unit/model/test_sets.py tests/unit/privacy/test_refine.py
WHOLE_SEARCHES := clusters_never_lose or groups_lose_no_more or nodes_part_the_records or a_chain_of_three \
  or near_the_best_grouping or the_search_ignores_the_order or collapsing_equal_persons
SLOW_TESTS := tests/unit/partition/test_item_partitions.py tests/unit/partition/test_pinned.py tests/unit/itemsets

.PHONY: demo docs release-check test test-in-python test-checked check-benchmarks kernels compiler lint browser java postgresql clean

demo: $(RUN_STAMP)
	@$(BIN)/heteronym demo -o demo-release --overwrite
	@echo
	@echo "The same with 300 invented patients; its report is worth a look:"
	@$(BIN)/heteronym demo --example clinic -o demo-clinic --overwrite

test: $(TEST_STAMP) browser java postgresql lint
	$(BIN)/python -m pytest -n auto --dist worksteal
	@$(MAKE) --no-print-directory test-in-python

# The same kernels as the Python that they are.
test-in-python: $(TEST_STAMP)
	HETERONYM_KERNELS=python $(BIN)/python -m pytest -n auto --dist worksteal $(KERNEL_TESTS) -k "not ($(WHOLE_SEARCHES))"

# The same kernels compiled with every index checked: an index outside of its array is an error there.
test-checked: $(TEST_STAMP)
	@HETERONYM_BOUNDSCHECK=1 $(MAKE) --no-print-directory kernels
	@$(BIN)/python -m pytest -n auto --dist worksteal $(KERNEL_TESTS) $(SLOW_TESTS); \
	  status=$$?; $(MAKE) --no-print-directory kernels; exit $$status

# Compile the kernels in place; HETERONYM_BOUNDSCHECK=1 checks every index, HETERONYM_KERNELS=python leaves them Python.
kernels: compiler | $(BIN)/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check 'setuptools>=77' 'cython>=3.1'
	@$(BIN)/python setup.py --quiet build_ext --inplace

# A C compiler and Python's headers; without them kernels run in Python, slower, and say so.
compiler:
	@headers() { $(PYTHON) -c 'import pathlib, sys, sysconfig; sys.exit(not pathlib.Path(sysconfig.get_paths()["include"], "Python.h").exists())'; }; \
	  wanted=""; \
	  command -v gcc >/dev/null 2>&1 || command -v cc >/dev/null 2>&1 || wanted="gcc libc6-dev"; \
	  headers || wanted="$$wanted python3-dev"; \
	  if [ -n "$$wanted" ]; then \
	    if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	      echo "Installing $$wanted to compile the kernels (first time only) ..."; \
	      { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$wanted; } >/dev/null 2>&1 \
	        || echo "$$wanted could not be installed; kernels run in Python, slower"; \
	    else \
	      echo "no C compiler or no Python headers here: kernels run in Python, slower (install $$wanted, then call make kernels)"; \
	    fi; \
	  fi

# The pages as a site, in site/; no network is asked. `make test` checks every link of it.
docs: $(TEST_STAMP)
	$(BIN)/python docs/make_reference.py
	$(BIN)/mkdocs build --quiet
	@echo "site/index.html"

# What a release must pass: built, installed and tried in fresh environments; licences, bill of materials, pages.
release-check: | $(BIN)/python
	@$(BIN)/python packaging/release_check.py

# Every benchmark once, at a small size: takes minutes, and is no part of the tests.
check-benchmarks: $(TEST_STAMP)
	$(BIN)/python -m pytest -n auto --dist worksteal benchmarks/test_benchmarks.py

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

# Spark runs on Java; without it those tests are skipped, and say so.
java:
	@command -v java >/dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    echo "Installing Java for the Spark checks (first time only) ..."; \
	    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless; } >/dev/null 2>&1 \
	      || echo "Java could not be installed; the Spark checks are skipped"; \
	  else \
	    echo "no Java here: the Spark checks are skipped (as root: apt-get install openjdk-17-jre-headless)"; \
	  fi; }

# Databases are tested on a PostgreSQL server that each test run starts for itself; the cluster that Debian's
# package would make is not made. Without the package those tests are skipped, and say so.
postgresql:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	    echo "Installing postgresql for the tests of databases (first time only) ..."; \
	    { mkdir -p /etc/postgresql-common; \
	      [ -e /etc/postgresql-common/createcluster.conf ] || echo "create_main_cluster = false" > /etc/postgresql-common/createcluster.conf; \
	      apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	        -o Dpkg::Options::=--force-confold postgresql; } >/dev/null 2>&1 \
	      || echo "postgresql could not be installed; its tests are skipped"; \
	  else \
	    echo "no PostgreSQL here: its tests are skipped (as root: apt-get install postgresql)"; \
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

$(RUN_STAMP): $(BUILD) | $(BIN)/python
	@echo "Installing heteronym into $(VENV) (first time, and when what it is built from changed) ..."
	@HETERONYM_KERNELS=python $(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@$(MAKE) --no-print-directory kernels
	@touch $@

$(TEST_STAMP): $(BUILD) | $(BIN)/python
	@echo "Installing heteronym and its test tools into $(VENV) (first time, and when what it is built from changed) ..."
	@HETERONYM_KERNELS=python $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@$(MAKE) --no-print-directory kernels
	@touch $@ $(RUN_STAMP)

clean:
	rm -rf $(VENV) build demo-release demo-clinic .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src -name '*.so' -delete
	rm -f src/heteronym/kernels_built.json
