# On a fresh machine with python3 (3.11 to 3.14), make and git:
#   make report    install, play the example study, typeset its report
#   make test      install, and check everything that CI checks

STUDY ?= studies/cave_in_risk.toml
WORKERS ?= auto
BIN := .venv/bin

export PYTHON
# Both test runs read the same test files: the second one takes them as the first compiled them.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install report test lint test-compiled test-plain bench branches format lock \
	lock-upgrade lock-check rng-quality clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

install: ## .venv from requirements.lock, with the project in it (PYTHON=... picks the interpreter)
	@tools/install.sh

report: install ## play the example study and write its report (STUDY=... for another one)
	@$(BIN)/assay run $(STUDY)

# One after the other, the quick ones first.
test: install ## lint, types, all tests compiled, kernel tests again in plain Python
	@$(MAKE) --no-print-directory lint
	@$(MAKE) --no-print-directory test-compiled
	@$(MAKE) --no-print-directory test-plain

lint: install ## ruff, ruff format and mypy, changing nothing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test-compiled: install ## all tests
	$(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 4 --dist worksteal

test-plain: install ## kernel tests without numba's compiler, with coverage of the rules
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -m kernel -n $(WORKERS) --maxprocesses 4 \
		--dist worksteal --cov=sim --cov-report=term

bench: install ## games per second, with medians and spread
	@$(BIN)/assay bench

branches: install ## count which way the branches of kernels go, for their layout (some minutes)
	@$(BIN)/python -m benchmarks.branches

format: install ## let ruff lay out the code and fix what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

rng-quality: install ## the generator through dieharder (install that program first)
	$(BIN)/python -m benchmarks.rng_quality

lock: ## write requirements.lock again after a change of pyproject.toml
	tools/lock.sh write

lock-upgrade: ## the same with the newest versions
	tools/lock.sh write --upgrade

lock-check: ## install requirements.lock for every Python of the range
	tools/lock.sh check

clean: ## remove what make made, results excepted
	rm -rf .venv build *.egg-info .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
