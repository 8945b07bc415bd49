.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

help: ## Show what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 18

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable . --group dev
	@touch $(READY)

install: $(READY) ## Create .venv with everything in it

quickstart: $(READY) ## Install, then run the whole job offline on the sample knowledge base
	$(BIN)/uaeval synthesize knowledge_bases/sample --news knowledge_bases/sample_news -o outputs/quickstart
	$(BIN)/uaeval evaluate outputs/quickstart --system rag
	@echo "Read outputs/quickstart/queries.jsonl and outputs/quickstart/evaluations/rag/report.md"

check: $(READY) docs ## Lint, formatting, types, documentation
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

DOCS := $(VENV)/.docs
$(DOCS): $(READY)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group docs
	@touch $(DOCS)

docs: $(DOCS) ## The documentation as a site in build/site; warnings are errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet

coverage: $(READY) ## Branch coverage of the quick tests over pipeline/
	@mkdir -p build/coverage
	$(BIN)/coverage erase
	$(BIN)/pytest --cov --cov-report=term --cov-report=html:build/coverage/html -o faulthandler_timeout=0

wheel: $(READY) ## Build wheel and sdist in dist/
	$(BIN)/python -m build --outdir dist

reference: $(READY) ## Write docs/reference from the code
	$(BIN)/python -m scripts.reference

test: $(READY) ## The test suite, in two processes
	$(BIN)/pytest -n 2 --dist worksteal

test-slow: $(READY) ## Tests that build the wheel, start servers or run whole jobs
	$(BIN)/pytest -m slow -o faulthandler_timeout=600

chaos: $(READY) ## Every fault on every command, kills, damaged files, 10,000 mutations over all readers (30 minutes)
	$(BIN)/python -m tests.chaos --commands
	$(BIN)/python -m tests.chaos --readers

newcomer: $(READY) ## What a new user meets: install time, size, import time, lines of code for five kinds of systems
	$(BIN)/python -m scripts.newcomer

interop: $(READY) ## Load each export with its evaluator, run the cross-encoder; the first time installs them in .interop (15 minutes, 8 GB)
	$(BIN)/pytest -m interop -o faulthandler_timeout=0 tests/interop

BROWSER := $(VENV)/.browser
$(BROWSER): $(READY) tests/browser/package.json
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
		command -v google-chrome >/dev/null || \
		{ echo "There is no Chromium here; on Debian: apt-get install chromium"; exit 1; }
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group browser
	npm install --prefix tests/browser --no-package-lock --no-audit --no-fund --silent
	@touch $(BROWSER)

browser: $(BROWSER) ## Pages in headless Chromium; the first time installs Playwright and axe-core (needs chromium, npm)
	$(BIN)/pytest -m browser tests/browser

bench: $(READY) ## Benchmarks, as ratios against a named peer
	$(BIN)/python tests/benchmarks/bench_retrieval.py

bench-scale: $(READY) ## Build, opening, search and memory of an index by its size: make bench-scale SIZES="1000 50000"
	$(BIN)/python -m tests.benchmarks.bench_scale $(SIZES)

bench-llm: $(READY) ## What a model call and a whole synthesis cost, against LangChain and the ideal
	$(BIN)/python -m tests.benchmarks.bench_llm

bench-intervals: $(READY) ## How often 95 % intervals hold the truth in simulated evaluations
	$(BIN)/python -m tests.benchmarks.bench_intervals

bench-scores: $(READY) ## Time and memory of scoring and comparing up to 100,000 responses
	$(BIN)/python -m tests.benchmarks.bench_scores

bench-crawl: $(READY) ## How long a crawl of 200 local pages takes, against the least possible
	$(BIN)/python -m tests.benchmarks.bench_crawl

bench-extract: $(READY) ## F1 of extraction on real news pages: make bench-extract DATA=folder
	$(BIN)/python -m tests.benchmarks.bench_extract $(DATA)

bench-absence: $(READY) ## Planted answers in a handbook (18F/handbook at 1e49556): make bench-absence PAGES=folder
	$(BIN)/python -m tests.planted.measure outputs/bench-absence --pages $(PAGES)

bench-report: $(BROWSER) ## Size of HTML reports, and how long they take to open
	$(BIN)/python -m tests.benchmarks.bench_report

bench-judge: $(READY) ## The offline judge on labelled responses: make bench-judge DATA="FILE.jsonl ..."
	@test -n "$(DATA)" || { echo 'make bench-judge DATA="FILE.jsonl ..." (see tests/benchmarks/bench_judge.py)'; exit 2; }
	$(BIN)/python -m tests.benchmarks.bench_judge $(DATA)

fmt: $(READY) ## Format and fix what can be fixed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: help install quickstart check test test-slow chaos interop browser bench bench-llm bench-intervals \
	bench-scale bench-scores bench-crawl bench-extract bench-absence bench-report bench-judge fmt reference docs coverage wheel
