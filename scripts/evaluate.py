"""Measures retrieval on sets of questions and on hidden links, through the real pipeline and searches.

``python scripts/evaluate.py SET … --linkhide VAULT[=LINKS.jsonl] …``

A set is a folder with ``corpus.jsonl`` (``_id, title, text``), ``queries.jsonl`` (``_id, text``) and
``qrels.tsv``; its passages become notes, linked by the titles that their texts name. For hidden links
one sentence with a link is cut out of its note at a time, the note indexed anew, and the sentence
asked for, with the link cut out (masked) or its text kept (anchor); without a file of links they are
drawn from the vault. The vault itself is never changed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from evaluation.hidden import draw_hidden, read_hidden
from evaluation.report import summarise, text_report
from evaluation.run import Bench, Embedding, Outcome
from evaluation.sets import read_set
from mindnet.settings.schema import AUTO


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", type=Path, help="folders with corpus, queries and qrels")
    parser.add_argument("--linkhide", action="append", default=[], metavar="VAULT[=LINKS]", help="a vault")
    parser.add_argument("--cache", type=Path, required=True, help="folder for vaults, indexes and vectors")
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    parser.add_argument("--markdown", type=Path, help="write the tables to this file")
    parser.add_argument("--limit", type=int, help="ask only so many questions of each set, evenly spread")
    parser.add_argument("--links", type=int, help="hide only so many links of each vault, evenly spread")
    parser.add_argument("--config-dir", type=Path, help="a folder with configuration files of one's own")
    parser.add_argument("--embedding", default=AUTO, metavar="PROVIDER[=MODEL]", help="the embedding to measure")
    parser.add_argument("--floor", action="append", default=[], metavar="SET=RECALL", help="recall@5 to be reached")
    arguments = parser.parse_args()
    if not arguments.sets and not arguments.linkhide:
        parser.error("name a set or a vault")
    empty = arguments.cache / "config"
    provider, _, model = arguments.embedding.partition("=")
    bench = Bench(
        arguments.cache.resolve(),
        (arguments.config_dir or empty).resolve(),
        arguments.limit,
        arguments.links,
        Embedding(provider, model),
    )
    outcomes: list[Outcome] = []
    for folder in arguments.sets:
        with _timed(folder.name):
            outcomes.append(bench.run_set(read_set(folder)))
    for given in arguments.linkhide:
        name, _, file = given.partition("=")
        vault = Path(name).resolve()
        links = read_hidden(Path(file)) if file else draw_hidden(vault)
        with _timed(vault.name):
            outcomes += bench.run_hidden(vault, links)
    floors = {name: float(value) for name, _, value in (given.rpartition("=") for given in arguments.floor)}
    report = text_report(outcomes, floors)
    print(report)
    if arguments.json:
        arguments.json.write_text(json.dumps(summarise(outcomes), indent=1, ensure_ascii=False), encoding="utf-8")
    if arguments.markdown:
        day = f"{datetime.now(UTC):%Y-%m-%d}"
        head = HEAD.format(day=day, embedder=outcomes[0].embedder)
        arguments.markdown.write_text(f"{head}\n{report}\n", encoding="utf-8")


HEAD = """# Retrieval, measured

Written by `scripts/evaluate.py` on {day}, with the default configuration (embedding: {embedder});
figures in percent.

- *semantic* and *lexical* are the two modes of that name, *semantic+lexical* is hybrid without the graph (depth 0).
- The graph gives three parts: *links* (what links say of a note), *edge* (relations, and what stands in a series near a
  note whose number the question has) and *centrality*. Each is added alone to *semantic+lexical*, and taken out alone
  of *hybrid*, which has all three. What was tried to make them better, and what limits them: [measuring](measuring.md).
- *names* is the second round of the search by words, which follows rare names from the best passages. All variants but
  *semantic* and *hybrid without names* have it, so what the graph gives is given on top of it.
- *hybrid, edges shuffled* is the control: the same links, leading to notes that nobody meant.
- *masked* and *anchor* hide one link of a vault at a time, index its note anew, and ask for the sentence: with the
  link cut out, or with its text kept. The note with the sentence is never an answer.
- Intervals are of 2,000 paired bootstrap samples. Times are of explained hybrid queries, embedding included.
"""


@contextmanager
def _timed(name: str) -> Iterator[None]:
    started = time.monotonic()
    yield
    print(f"{name}: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
