"""Generated vaults are the same for the same seed, and look like vaults that people write."""

from __future__ import annotations

import json
import math
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from serving import mindnet
from vaultgen.changes import Burst, Delete, Move, Touch, Tree, Write, apply, follow, read_tree, single
from vaultgen.edits import edits
from vaultgen.vault import Made, generate

NOTES = 300


@dataclass(frozen=True)
class Vault:
    folder: Path
    made: Made
    payloads: dict[str, list[dict[str, Any]]]
    faults: list[str]


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Vault:
    folder = tmp_path_factory.mktemp("generated") / "vault"
    made = generate(folder, NOTES, seed=5)
    printed = mindnet("payloads", "--vault", folder, "--data-dir", folder.parent / "data")
    assert printed.returncode == 0, printed.stderr
    payloads: dict[str, list[dict[str, Any]]] = {"notes": [], "chunks": [], "edges": []}
    for line in printed.stdout.splitlines():
        one = json.loads(line)
        payloads[one["collection"]].append(one["payload"])
    return Vault(folder, made, payloads, printed.stderr.splitlines())


def trees(folder: Path, seeds: tuple[int, ...], notes: int = 60, changes: int = 40) -> Iterator[Tree]:
    for number, seed in enumerate(seeds):
        vault = folder / str(number)
        generate(vault, notes, seed)
        for edit in islice(edits(vault, seed, burst=20), changes):
            apply(vault, edit)
        yield read_tree(vault)


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    first, again, other = trees(tmp_path, (3, 3, 4))
    assert first == again
    assert first != other


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_vault_of_one_language_holds_no_other(tmp_path: Path, language: Any) -> None:
    generate(tmp_path / "vault", 40, 1, language)
    words = Counter(
        word
        for path in (tmp_path / "vault").rglob("*.md")
        for word in path.read_bytes().decode("utf-8", "replace").split()
    )
    assert (words["die"] > 50, words["the"] > 50) == (language == "de", language == "en")


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError):
        generate(tmp_path, 10, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.md"]


def test_every_file_is_indexed_but_templates(vault: Vault) -> None:
    assert len(list(vault.folder.rglob("*.md"))) == vault.made.notes == NOTES
    assert len(vault.payloads["notes"]) == NOTES - vault.made.templates
    assert len(vault.payloads["notes"]) < len(vault.payloads["chunks"]) < 8 * NOTES


def test_lengths_are_those_of_real_notes(vault: Vault) -> None:
    words = sorted(len(note["fulltext"].split()) for note in vault.payloads["notes"])
    assert 80 < statistics.median(words) < 170
    assert words[-1] > 1_000
    assert words[len(words) // 10] < 60


def test_links_resolve_in_the_intended_share(vault: Vault) -> None:
    written = [e for e in vault.payloads["edges"] if e["provenance"] == "explicit" and e["kind"] == "references"]
    unresolved = sum(not edge["resolved"] for edge in written)
    assert 0.03 < vault.made.unresolved / vault.made.links < 0.10
    assert unresolved / len(written) == pytest.approx(vault.made.unresolved / vault.made.links, abs=0.03)


def test_a_few_notes_have_most_of_the_links(vault: Vault) -> None:
    targets = Counter(
        e["target_id"] for e in vault.payloads["edges"] if e["provenance"] == "explicit" and e["resolved"]
    )
    most = [number for _, number in targets.most_common()]
    assert sum(most[: NOTES // 10]) > 0.35 * sum(most)
    assert most[0] > 15
    assert len(targets) < 0.9 * NOTES


def test_links_are_written_in_every_form(vault: Vault) -> None:
    rules = Counter(edge["rule_id"] for edge in vault.payloads["edges"])
    for rule in ("wikilink", "mdlink", "embed", "frontmatter"):
        assert rules[f"explicit:{rule}"], rule
    for rule in ("inline:rel", "inline:field", "callout:edge", "smart:global_pool", "smart:candidate"):
        assert rules[rule], rule
    assert any(edge["target_section"] for edge in vault.payloads["edges"])


def test_some_links_could_mean_several_notes(vault: Vault) -> None:
    ambiguous = sum("ambiguous_link" in fault for fault in vault.faults)
    assert 3 < ambiguous < 0.2 * vault.made.links


def test_the_note_that_shares_most_words_is_of_the_same_topic(vault: Vault) -> None:
    topics: list[str] = []
    words: list[set[str]] = []
    for note in vault.payloads["notes"]:
        topic = note["path"].split("/")[0]
        if topic in ("Gärten", "Software", "Küche", "Musik"):
            topics.append(topic)
            words.append({word.strip(".,;[]()|*#").lower() for word in note["fulltext"].split()})
    known = Counter(word for some in words for word in some)
    rare = {word: math.log(len(words) / number) for word, number in known.items()}

    def nearest(place: int) -> int:
        others = (other for other in range(len(words)) if other != place)
        return max(
            others, key=lambda other: sum(map(rare.__getitem__, words[place] & words[other])) / len(words[other])
        )

    right = sum(topics[nearest(place)] == topics[place] for place in range(len(words)))
    assert right > 0.8 * len(words) > 20


def test_the_stream_of_edits_knows_what_the_disk_holds(tmp_path: Path) -> None:
    """Every kind of edit occurs, and the tree that is followed by bookkeeping is the one on disk."""
    vault = tmp_path / "vault"
    generate(vault, 60, 2)
    tree = read_tree(vault)
    kinds: Counter[str] = Counter()
    for edit in islice(edits(vault, 2, burst=30), 250):
        apply(vault, edit)
        follow(tree, edit)
        kinds.update(type(change).__name__ for change in single(edit))
        kinds[type(edit).__name__] += isinstance(edit, Burst)
        if isinstance(edit, Write):
            kinds[edit.saving] += 1
        if isinstance(edit, Move):
            kinds["folder" if not edit.old.endswith(".md") else "file"] += 1
    assert tree == read_tree(vault)
    wanted = [kind.__name__ for kind in (Write, Move, Delete, Touch, Burst)]
    assert all(kinds[kind] for kind in (*wanted, "in place", "by rename", "with backup", "folder", "file"))
    assert 40 < len(list(vault.rglob("*.md"))) < 120
