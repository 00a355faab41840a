"""A chat that was saved as a note, and its sources."""

from __future__ import annotations

from pathlib import Path

from inprocess import running
from workspaces import write_vault

QUESTION = "How long does the beetroot kvass stand?"
ANSWER = "The beetroot kvass stands for seven days in a cool cellar."
FILES = {
    "Kvass.md": f"# Kvass\n\n{ANSWER} Then it is bottled.\n",
    "Saved.md": f"---\ntype: chat\n---\n\n## {QUESTION}\n\n{ANSWER} [[Kvass#Kvass|1]]\n\n**Sources**\n\n1. [[Kvass]]\n",
}


def test_a_saved_chat_is_found_behind_the_note_that_it_quotes(tmp_path: Path) -> None:
    with running(write_vault(tmp_path / "vault", FILES), tmp_path / "data") as app:
        hits = app.post("/query", {"query": QUESTION})["hits"]
        assert [hit["path"] for hit in hits] == ["Kvass.md", "Saved.md"]
        plain = FILES["Saved.md"].replace("type: chat", "type: concept")
        (app.vault / "Saved.md").write_text(plain)
        app.post("/ingest", {})
        # Without the type it would be its own best source.
        assert app.post("/query", {"query": QUESTION})["hits"][0]["path"] == "Saved.md"
