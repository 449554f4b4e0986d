# Every command of this repository. Hooks and CI call these same targets.

VENV := .venv
BIN := $(VENV)/bin
LOCKS := .ci/requirements
INSTALLED := $(VENV)/.installed
PORT ?= 8000
BENCH := .ci/venvs/bench
# What to measure: assembly or page; both if it is empty. With report the page about the
# assembly is written anew from the figures measured last.
ONLY ?=
# Arguments for pytest, such as ARGS="tests/test_syntax.py -k fence".
ARGS ?=

.PHONY: help install run test lint types layers migrations translations editor \
	package check format lock messages behaviours screenshots bench soak fuzz mutate

help: ## List the commands.
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' $(MAKEFILE_LIST) | expand -t 14

install: $(INSTALLED) ## Install everything into .venv; at once if nothing changed.

$(INSTALLED): $(LOCKS)/dev.txt
	@.ci/venv $(VENV) $<
	@touch $@

run: install ## Start the demo site, with sample users; PORT=8001 for another port.
	@$(BIN)/python .ci/port.py "$(PORT)"
	@$(BIN)/python manage.py migrate --verbosity 0
	@$(BIN)/python manage.py demo
	@echo "The demo site: http://127.0.0.1:$(PORT)/"
	@$(BIN)/python manage.py runserver "127.0.0.1:$(PORT)"

test: install ## Run all tests in parallel, a browser included, with coverage.
	@BIN=$(BIN) .ci/test $(ARGS)

lint: install ## Find faults of style in code and templates.
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@find prompts_app project templates tests -name '*.html' -print0 | xargs -0r $(BIN)/djade --target-version 5.2 --check

types: install ## Check the types.
	@$(BIN)/mypy

layers: install ## Check that imports point down only.
	@$(BIN)/lint-imports

migrations: install ## Check that the migrations say what the models say.
	@$(BIN)/python manage.py makemigrations --check --dry-run

translations: install ## Check that every message is in every catalogue.
	@BIN=$(BIN) .ci/translations check

editor: ## Build the text editor of the page anew, from .ci/editor, with npm.
	@.ci/bundle

package: install ## Build the wheel into dist/ and try it in a fresh environment.
	@BIN=$(BIN) .ci/package

check: ## Do all that CI does.
	@.ci/run

format: install ## Put code and templates into shape.
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format
	@find prompts_app project templates tests -name '*.html' -print0 | xargs -0r $(BIN)/djade --target-version 5.2

messages: install ## Collect the messages into the catalogues and compile these.
	@BIN=$(BIN) .ci/translations update

screenshots: install ## Make the pictures of the README and the tour.
	@CHROMIUM=$$(.ci/chromium) $(BIN)/python .ci/screenshots.py

bench: $(BENCH)/.installed ## Measure the assembly and the page, and write docs/benchmarks.
	@PYTHONPATH=.ci:. $(BENCH)/bin/python -m bench $(ONLY)

# What is compared with has an environment of its own.
$(BENCH)/.installed: $(LOCKS)/bench.txt $(LOCKS)/dev.txt $(LOCKS)/mariadb.txt
	@.ci/venv $(BENCH) $(LOCKS)/bench.txt
	@.ci/venv $(BENCH) $(LOCKS)/dev.txt
	@.ci/venv $(BENCH) $(LOCKS)/mariadb.txt || \
		echo "mysqlclient could not be built: MariaDB is not measured."
	@touch $@

soak: install ## Try servers with several workers for long, and write docs/benchmarks/soak.md.
	@$(BIN)/python -c 'import MySQLdb' 2>/dev/null || $(BIN)/python -m pip install --quiet \
		--disable-pip-version-check --require-hashes -r $(LOCKS)/mariadb.txt || \
		echo "mysqlclient could not be built: MariaDB is not tried."
	@PYTHONPATH=.ci $(BIN)/python -m soak $(ARGS)

behaviours: install ## Write the tables of behaviours and cases from the tests' marks.
	@$(BIN)/python .ci/behaviours.py

fuzz: install ## Look for hostile inputs, with coverage as guide; MINUTES=1 each.
	@.ci/venv .ci/venvs/fuzz $(LOCKS)/fuzz.txt
	@.ci/venvs/fuzz/bin/python .ci/fuzz.py --minutes $(or $(MINUTES),1) $(ARGS)

MUTATION := .ci/venvs/mutation

mutate: install ## Break the code line by line, and see the tests notice; outside CI.
	@.ci/venv $(MUTATION) $(LOCKS)/dev.txt
	@.ci/venv $(MUTATION) $(LOCKS)/mutation.txt
	@CHROMIUM= nice -n 19 $(MUTATION)/bin/python .ci/mutate.py $(ARGS)

COMPILE := $(BIN)/uv pip compile pyproject.toml --quiet --no-config --universal \
	--python-version 3.11 --generate-hashes --no-header --no-annotate --upgrade

lock: install ## Renew the locked requirements from pyproject.toml.
	@$(COMPILE) --group dev --output-file $(LOCKS)/dev.txt
	@for group in bench fuzz mariadb mutation; do \
		$(COMPILE) --group $$group --constraints $(LOCKS)/dev.txt \
			--output-file $(LOCKS)/$$group.txt || exit; \
	done
