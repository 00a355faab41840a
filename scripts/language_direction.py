"""Computes the direction in which an embedding model tells German from English, and writes it as a file of its own.

``python scripts/language_direction.py OUT --pair GERMAN ENGLISH --pair …``

Each pair is two folders with the same book in both languages, as HTML or as text. Of every book a hundred
paragraphs, and as many first sentences as questions, are embedded in each language; the direction is the difference of
their means, the mean over books, of length 1. The model is the one that the provider ``fastembed`` brings along.
"""

from __future__ import annotations

import argparse
import html
import random
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mindnet.embedding.choice import Choice
from mindnet.embedding.fastembed import fastembed_model
from mindnet.embedding.port import Vectors

PARAGRAPHS = 100
SHORTEST, LONGEST = 20, 160
"""Words of a paragraph."""
QUESTION = range(5, 26)
"""Words of a sentence that stands for a question."""
_PARAGRAPH = re.compile(r"<(?:p\b[^>]*|div class=\"para\")>(.*?)</(?:p|div)>", re.DOTALL)
_TAG = re.compile(r"<[^>]+>")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="a .npy file")
    parser.add_argument("--pair", type=Path, nargs=2, action="append", required=True, metavar=("GERMAN", "ENGLISH"))
    arguments = parser.parse_args()
    model = fastembed_model(Choice("fastembed"), whole=True)
    draw = random.Random(1)
    differences = []
    for german, english in arguments.pair:
        means = []
        for folder in (german, english):
            known = sorted(paragraphs(folder))
            some = draw.sample(known, min(PARAGRAPHS, len(known)))
            firsts = [re.split(r"(?<=[.!?]) ", text)[0] for text in some]
            questions = [model.embed_query(text) for text in firsts if len(text.split()) in QUESTION]
            print(f"{folder}: {len(some)} of {len(known)} paragraphs, {len(questions)} questions", flush=True)
            means.append(model.embed_passages(some).mean(axis=0) + np.mean(questions, axis=0))
        differences.append(means[0] - means[1])
    mean: Vectors = np.mean(differences, axis=0)
    np.save(arguments.out, (mean / np.linalg.norm(mean)).astype("<f4"))
    for (german, _), one in zip(arguments.pair, differences, strict=True):
        print(f"{german}: cosine with the mean {one @ mean / np.linalg.norm(one) / np.linalg.norm(mean):.2f}")


def paragraphs(folder: Path) -> set[str]:
    return {text for file in folder.rglob("*") if file.is_file() for text in _paragraphs(file)}


def _paragraphs(file: Path) -> Iterator[str]:
    content = file.read_text(encoding="utf-8", errors="replace")
    for found in _PARAGRAPH.findall(content):
        text = " ".join(html.unescape(_TAG.sub(" ", found)).split())
        if SHORTEST <= len(text.split()) <= LONGEST:
            yield text


if __name__ == "__main__":
    main()
