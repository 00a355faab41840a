# Everything is installed into .venv and node_modules at the root.
.DEFAULT_GOAL := help
.PHONY: help setup setup-node setup-browser run plugin test test-python test-plugin test-browser check build wire lock clean

PYTHON ?= python3
VAULT ?= demo-vault
BIN := .venv/bin
NPM := npm --no-fund --no-audit --no-update-notifier --loglevel=error

help: ## Say what there is to make
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

.venv/.installed: pyproject.toml requirements.lock
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

node_modules/.installed: package.json package-lock.json .npmrc
	$(NPM) ci
	@touch $@

setup: .venv/.installed node_modules/.installed ## Install what the sidecar and the plugin need

setup-node: node_modules/.installed

setup-browser:
	@command -v chromium >/dev/null || sh scripts/install_chromium.sh

obsidian-plugin/main.js: node_modules/.installed obsidian-plugin/esbuild.config.mjs $(shell find obsidian-plugin/src -name '*.ts' 2>/dev/null)
	$(NPM) run --silent build

build: obsidian-plugin/main.js ## Build the plugin into obsidian-plugin/main.js

run: setup build ## Index and serve VAULT (default: the demo vault)
	@exec $(BIN)/mindnet serve --vault "$(VAULT)"

plugin: setup-node ## Put the plugin into VAULT (default: the demo vault)
	@node scripts/release_plugin.mjs "$(VAULT)/.obsidian/plugins/mindnet"

test-python: .venv/.installed
	$(BIN)/python -m pytest --numprocesses logical --maxprocesses 8 --dist worksteal

test-plugin: setup
	$(NPM) run --silent test:unit

test-browser: setup build setup-browser
	$(NPM) run --silent test:browser

test: test-python test-plugin test-browser ## Run every test, the browser's too

check: setup ## Lint and type-check both sides, and see that generated files are current
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(NPM) run --silent lint
	$(NPM) run --silent typecheck
	$(BIN)/python scripts/dump_openapi.py | $(NPM) run --silent wire:check

wire: setup ## Generate the plugin's types from the API's schema
	$(BIN)/python scripts/dump_openapi.py | $(NPM) run --silent wire

lock: .venv/.installed ## Pin every Python package again (after a change of pyproject.toml)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --generate-hashes --no-emit-index-url --no-header -q -o requirements.lock

clean: ## Remove what was installed and built
	rm -rf .venv node_modules obsidian-plugin/main.js .pytest_cache .mypy_cache .ruff_cache .hypothesis
