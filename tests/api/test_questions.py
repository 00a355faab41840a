"""What is read in a question shows in the answer of ``POST /query``, and the request can overrule it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from inprocess import Running, running
from workspaces import write_vault

BREAD = "Dough of rye and water rests for an hour before the salt comes in, and then again for half a day in a basket."
NOTES = {
    "Rye.md": f"---\ncreated: 2023-03-05\n---\n# Rye bread\n\n{BREAD}\n",
    "Copy.md": f"---\ncreated: 2023-04-05\n---\n# Sourdough\n\n{BREAD}\n",
    "Wheat.md": "---\ncreated: 2023-05-05\n---\n# Wheat\n\nThe dough rests a while, then comes the salt.\n",
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("questions")
    vault = write_vault(folder / "vault", NOTES)
    yesterday = (datetime.now() - timedelta(days=1)).timestamp()
    long_ago = datetime(2023, 6, 1, 12).timestamp()
    for name, changed in (("Rye.md", long_ago), ("Copy.md", long_ago), ("Wheat.md", yesterday)):
        os.utime(vault / name, (changed, changed))
    with running(vault, folder / "data") as one:
        yield one


def paths(answer: dict[str, object]) -> list[str]:
    hits = answer["hits"]
    assert isinstance(hits, list)
    return [hit["path"] for hit in hits]


def test_a_phrase_shows_with_the_number_of_notes_that_hold_it(served: Running) -> None:
    answer = served.ask('"rests for an hour" rye', explain=True)
    assert len(paths(answer)) == 1
    assert answer["phrases"] == [
        {"text": "rests for an hour", "notes": 2, "said": "Only notes that hold *rests for an hour* word for word: 2."}
    ]
    assert "holds your phrase *rests for an hour*" in [
        one["text"] for one in answer["hits"][0]["explanation"]["reasons"]
    ]
    assert len(paths(served.ask('"rests for an hour" rye', phrases="ignore"))) == 2


def test_a_copy_is_named_at_the_hit_that_stands_for_it(served: Running) -> None:
    (first, *_) = served.ask("rye dough in a basket")["hits"]
    (copy,) = first["also_in"]
    assert {first["path"], copy["path"]} == {"Rye.md", "Copy.md"}
    assert copy["start_line"] > 1
    assert copy["resemblance"] == 1
    assert len(paths(served.ask("rye dough in a basket", fold_copies=False))) == 3


def test_a_time_shows_with_its_days_and_what_was_made_of_it(served: Running) -> None:
    answer = served.ask("dough yesterday")
    day = (datetime.now() - timedelta(days=1)).date().isoformat()
    (date,) = answer["dates"]
    assert (date["text"], date["field"], date["from"], date["to"], date["outcome"]) == (
        "yesterday",
        "either",
        day,
        day,
        "applied",
    )
    assert paths(answer) == ["Wheat.md"]
    assert "Rye.md" in paths(served.ask("dough yesterday", dates="ignore", fold_copies=False))


def test_the_frontmatters_date_counts_as_created(served: Running) -> None:
    answer = served.ask("Teig im März 2023 dough", why_not=["Wheat.md"])
    assert paths(answer) == ["Rye.md"]
    assert answer["why_not"][0]["cut_by"] == "time"


def test_a_wrong_word_for_it_is_refused(served: Running) -> None:
    assert served.client.post("/query", json={"query": "x", "phrases": "maybe"}).status_code == 422
    assert served.client.post("/query", json={"query": "x", "dates": "never"}).status_code == 422


def test_the_log_says_how_the_question_was_read(served: Running) -> None:
    answer = served.ask("dough yesterday", dates="ignore")
    log = Path(served.get("/status")["logs"]["folder"]) / "search_history.jsonl"
    (line,) = [one for one in log.read_text(encoding="utf-8").splitlines() if answer["query_id"] in one]
    assert '"dates":"ignore"' in line.replace(" ", "")
