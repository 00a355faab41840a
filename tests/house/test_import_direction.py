"""The layers import one way; an arrow that runs back fails here."""

from __future__ import annotations

import ast
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "sidecar" / "mindnet"

# Layer to the layers that it may import. What is not listed may not be imported.
GROUND = {"aside", "courtesy", "records", "errors", "name_uuid", "nearest"}
ALLOWED: dict[str, set[str]] = {
    "records": set(),
    "aside": set(),
    "errors": set(),
    "name_uuid": set(),
    "nearest": set(),
    "courtesy": set(),
    "settings": {"errors", "nearest"},
    "vault": GROUND,
    "markdown": GROUND | {"vault"},
    "remote": GROUND,
    "embedding": GROUND | {"remote"},
    "knowledge": GROUND | {"vault", "markdown", "embedding"},
    "store": GROUND | {"embedding", "remote"},
    "indexing": GROUND | {"vault", "markdown", "knowledge", "embedding", "store"},
    "retrieval": GROUND | {"markdown", "embedding", "store"},
    "models": GROUND | {"remote"},
    "feedback": GROUND | {"settings"},
    "chat": GROUND | {"models", "retrieval", "store"},
    "validation": GROUND | {"knowledge", "models", "chat", "retrieval"},
}
COMPOSE = {"__main__", "api", "cli", "client", "commands", "server", "talk", "terminal", "workspace"}


def layer_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def imports() -> list[tuple[str, str, str]]:
    """(importing layer, imported layer, file) of every import of mindnet by mindnet."""
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(PACKAGE).with_suffix("").parts
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            modules = []
            if isinstance(node, ast.ImportFrom) and node.module:
                modules = [node.module] if node.module != "mindnet" else [f"mindnet.{a.name}" for a in node.names]
                assert node.level == 0, f"{file}: import by full name"
            elif isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            for module in modules:
                if module.startswith("mindnet."):
                    found.append((parts[0], layer_of(module), str(file.relative_to(PACKAGE))))
    return found


def test_no_import_runs_back() -> None:
    wrong = [
        f"{file}: {source} imports {target}"
        for source, target, file in imports()
        if source in ALLOWED and target != source and target not in ALLOWED[source]
    ]
    assert wrong == []


def test_every_layer_is_known() -> None:
    layers = {part.stem for part in PACKAGE.iterdir() if part.stem not in ("__init__", "__pycache__", "_config", "py")}
    assert layers <= ALLOWED.keys() | COMPOSE


def test_the_rule_sees_imports_at_all() -> None:
    seen = {(source, target) for source, target, _ in imports()}
    assert ("indexing", "store") in seen
    assert ("api", "retrieval") in seen
