# Two commands matter: `make run` starts the dashboard, `make test` checks everything.
# Kept to what GNU make 3.81 (macOS) and a POSIX shell understand.

PYTHON  ?= python3
PORT    ?= 8501
ADDRESS ?= 127.0.0.1

VENV := .venv
BIN  := $(VENV)/bin
PY   := $(BIN)/python

# The stamps carry a checksum of the requirements: any change to them installs anew,
# whatever the files' dates say, and otherwise nothing is installed.
sum  = $(shell cat $(1) | cksum | cut -d ' ' -f 1)
RUN_STAMP := $(VENV)/.installed-run-$(call sum,requirements.txt)
DEV_STAMP := $(VENV)/.installed-dev-$(call sum,requirements.txt requirements-dev.txt)

# An environment whose Python has gone (upgraded, or the folder was moved) is made again.
ifneq ($(shell $(PY) -c "print(1)" 2>/dev/null),1)
.PHONY: $(RUN_STAMP)
endif

# One thread per BLAS call: the tests' own threads already fill the machine.
TEST_ENV := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

# A file stays on one worker, so that what its tests share is made once. Browser tests run on
# two at most: each has a server and a browser to feed.
UNIT_TESTS = $(TEST_ENV) $(PY) -m pytest -m "not browser and not nightly" \
	-n 3 --dist loadfile --durations=25
QUICK_TESTS = $(TEST_ENV) $(PY) -m pytest -q -m "not browser and not nightly and not slow" \
	-n 2 --dist loadfile
BROWSER_TESTS = $(TEST_ENV) $(PY) -m pytest -m "browser and not nightly" \
	-n auto --maxprocesses 2 --dist loadfile --durations=25

# One target after the other, but for the checks that `test` runs beside each other: the types
# keep one core busy while the compiler keeps another and the browser is fetched.
ifndef TOGETHER
.NOTPARALLEL:
endif
.PHONY: help run test quick checks install install-dev compiled lint format types js imports unit browser \
	browsers notebooks-live browser-install bench docs notebooks pictures requirements release lowest clean

help:
	@echo "make run       start the dashboard on http://localhost:$(PORT)   (PORT=… ADDRESS=… PYTHON=…)"
	@echo "make test      everything below but bench: what has to pass before a change lands"
	@echo "make quick     rules, imports and the quick tests, in less than a minute"
	@echo "make lint      ruff: rules and format"
	@echo "make types     mypy, strict"
	@echo "make js        the browser code: rules, format and types, with the tools of package.json"
	@echo "make imports   which package may import which"
	@echo "make unit      tests without a browser"
	@echo "make browser   tests in Chromium"
	@echo "make browsers  one story each in Firefox and WebKit, where they are installed"
	@echo "make notebooks-live  the widget in JupyterLab and marimo, in Chromium"
	@echo "make bench     measure engine and view, one table each"
	@echo "make docs      the site: documents, API reference and gallery, into site/"
	@echo "make notebooks run the notebooks of docs/ anew and keep what they show"
	@echo "make pictures  take the pictures of README and docs anew"
	@echo "make paper     check the paper's claims anew and draw its figures   (DATA=folder of files)"
	@echo "make requirements  find what the direct requirements bring along, and the sums of all files"
	@echo "make release   rehearse a release of the last commit; nothing is uploaded"
	@echo "make lowest    try the lowest versions that pyproject.toml allows"
	@echo "make format    let ruff and Biome put the files into shape"
	@echo "make clean     remove the environment and all caches"

run: install
	@echo "STI-KNN Explorer: http://localhost:$(PORT)"
	@$(PY) -m streamlit run app.py --server.port "$(PORT)" --server.address "$(ADDRESS)"

test: install-dev
	@$(MAKE) --no-print-directory -j 4 TOGETHER=1 checks
	$(UNIT_TESTS)
	$(BROWSER_TESTS)

# For the inner loop: what takes seconds, of all kinds.
quick: install-dev compiled
	@$(MAKE) --no-print-directory -s imports lint
	$(QUICK_TESTS)

checks: types js compiled browser-install imports lint

install: compiled
install-dev: $(DEV_STAMP)

$(RUN_STAMP):
	@sh scripts/create_venv.sh "$(PYTHON)" "$(VENV)"
	@sh scripts/install.sh "$(PY)" requirements.txt
	@rm -f $(VENV)/.installed-run-*
	@touch $@

$(DEV_STAMP): $(RUN_STAMP)
	@sh scripts/install.sh "$(PY)" requirements-dev.txt
	@rm -f $(VENV)/.installed-dev-*
	@touch $@

# Before a server or the tests start: nobody's first click waits for a compiler.
compiled: $(RUN_STAMP)
	@$(PY) -m stiknn_core.precompile

lint: install-dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

format: install-dev
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	@$(PY) -m scripts.check_js --fix

types: install-dev
	$(PY) -m mypy

js: install-dev
	@$(PY) -m scripts.check_js

imports: install-dev
	@PYTHONPATH=. $(PY) -c "from importlinter.cli import lint_imports_command as run; run()"

unit: install-dev compiled
	$(UNIT_TESTS)

browser: browser-install
	$(BROWSER_TESTS)

browsers: install-dev compiled
	@sh scripts/install.sh "$(PY)" tests/browsers/requirements.txt
	$(TEST_ENV) $(PY) -m pytest -m nightly tests/browsers

notebooks-live: browser-install compiled
	@sh scripts/install.sh "$(PY)" tests/notebooks/requirements.txt
	$(TEST_ENV) $(PY) -m pytest -m nightly tests/notebooks

browser-install: install-dev
	@$(PY) -m scripts.install_browser

bench: browser-install
	$(PY) -m benchmarks.engine
	$(PY) -m benchmarks.view

docs: install-dev
	$(PY) -m scripts.website

notebooks: browser-install
	$(PY) -m scripts.notebooks

pictures: browser-install
	$(PY) -m scripts.rooms_picture
	$(PY) -m scripts.docs_pictures
	$(PY) -m scripts.suspicious_digits

paper: install-dev
	@sh scripts/install.sh "$(PY)" benchmarks/requirements-paper.txt
	$(PY) -m benchmarks.paper $(if $(DATA),--data "$(DATA)")

requirements: install-dev
	$(PY) -m scripts.requirements

release: install-dev
	@$(PY) -m scripts.release

lowest: install-dev
	@sh scripts/lowest.sh "$(PY)"

clean:
	rm -rf $(VENV) node_modules site build dist *.egg-info test-artifacts
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
