.PHONY: setup
setup:
	python3 -m venv .venv
	.venv/bin/pip install -q -e ".[dev]"
