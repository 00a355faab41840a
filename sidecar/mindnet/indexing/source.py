"""The pure half of the write path: files of a vault to note graphs, without a store."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pathspec

from mindnet.embedding.port import Tokenizer
from mindnet.indexing.bulk import bulk
from mindnet.knowledge.build import build_note, name_of
from mindnet.knowledge.edges import NO_ANSWERS, NO_VERDICTS
from mindnet.knowledge.kinds import KindRegistry
from mindnet.knowledge.mirrors import NOTHING, Stakes, stake_of
from mindnet.knowledge.types import TypeRegistry
from mindnet.markdown.parse import parse_note
from mindnet.records import Answers, Fault, NoteGraph, NoteText, ParsedNote, VaultFile, Verdicts
from mindnet.vault.discover import IgnoreRules, discover, link_target, odd_file, vault_file
from mindnet.vault.keys import NoteName
from mindnet.vault.presence import Presence
from mindnet.vault.read import read_note
from mindnet.vault.resolve import Catalog


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file that was read and parsed. ``name`` is None for a note that is not indexed (a template)."""

    file: VaultFile
    text: NoteText
    parsed: ParsedNote
    name: NoteName | None


HELD_BYTES = 16_000_000
"""So much text stays in memory parsed (five times its size) between naming the notes and building them."""


class Privacy:
    """Which notes stay out of answers by path (gitignore patterns) or tag (patterns that start with ``#``)."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self._tags = frozenset(pattern.lstrip("#").casefold() for pattern in patterns if pattern.startswith("#"))
        self._paths = pathspec.GitIgnoreSpec.from_lines([p for p in patterns if not p.startswith("#")])

    def covers(self, path: str, tags: Sequence[str]) -> bool:
        if self._paths.match_file(path):
            return True
        return any(
            folded == own or folded.startswith(f"{own}/") for folded in map(str.casefold, tags) for own in self._tags
        )


class VaultSource:
    """Reads one vault by fixed rules; two calls on the same files give the same graphs."""

    def __init__(
        self,
        vault: Path,
        *,
        rules: IgnoreRules,
        types: TypeRegistry,
        kinds: KindRegistry,
        privacy: Privacy,
        tokenizer: Tokenizer,
        max_tokens: int,
        verdicts: Verdicts = NO_VERDICTS,
        answers: Answers = NO_ANSWERS,
    ) -> None:
        """``verdicts`` are what the user has decided of edges, ``answers`` what a model has said of candidates.

        Both are as they are whenever a note is built.
        """
        self.vault = vault
        self.rules = rules
        self._presence = Presence(vault)
        self._links: dict[str, str] = {}
        self.types = types
        self.kinds = kinds
        self._privacy = privacy
        self._tokenizer = tokenizer
        self._max_tokens = max_tokens
        self.verdicts = verdicts
        self.answers = answers

    def discover(self) -> tuple[list[VaultFile], list[Fault]]:
        self._presence.need()
        self._links.clear()
        return discover(self.vault, self.rules, links=self._links)

    def discover_below(self, folder: str) -> tuple[list[VaultFile], list[Fault]]:
        """The notes under one folder of the vault, none if there is no such folder, and what could not be read."""
        self._presence.need()
        for link in [link for link in self._links if link == folder or link.startswith(f"{folder}/")]:
            del self._links[link]
        return discover(self.vault, self.rules, folder, self._links)

    def file(self, path: str) -> VaultFile | None:
        """The note at ``path`` as it is on disk now, None when it is gone or not read."""
        file = None if self.rules.ignores(path) else vault_file(self.vault, path)
        target = link_target(self.vault, file) if file is not None else None
        if file is not None and target is not None:
            self._links[file.path] = target
        return file

    def with_links(self, paths: frozenset[str]) -> frozenset[str]:
        """The paths, and those at which links show what is at them: the system reports a change at its own place only.

        Links are known from the last look at where they are.
        """
        more: set[str] = set()
        for link, target in self._links.items():
            for path in paths:
                if path == target or target.startswith(f"{path}/"):
                    more.add(link)
                elif path.startswith(f"{target}/"):
                    more.add(link + path[len(target) :])
        return paths | more

    def odd(self, path: str) -> Fault | None:
        """Why there is nothing to read at ``path`` though something is there."""
        return None if self.rules.ignores(path) else odd_file(self.vault, path)

    def load(self, file: VaultFile) -> Loaded | Fault:
        text = read_note(self.vault, file)
        if isinstance(text, Fault):
            return text
        parsed = parse_note(file.path, text.text)
        return Loaded(file, text, parsed, name_of(parsed, self.types) if self.types.indexed(parsed) else None)

    def graph(
        self, loaded: Loaded, catalog: Catalog, *, contexts: bool = True, questions: bool = False
    ) -> NoteGraph | None:
        """What the note becomes in the light of all names; None when it is not indexed."""
        graph = build_note(
            loaded.text,
            loaded.parsed,
            catalog=catalog,
            types=self.types,
            kinds=self.kinds,
            tokenizer=self._tokenizer,
            max_tokens=self._max_tokens,
            contexts=contexts,
            verdicts=self.verdicts,
            answers=self.answers,
            questions=questions,
        )
        if graph is None or graph.note.private or not self._privacy.covers(graph.note.path, graph.note.tags):
            return graph
        return replace(
            graph,
            note=replace(graph.note, private=True),
            chunks=tuple(replace(chunk, private=True) for chunk in graph.chunks),
            questions=tuple(replace(question, private=True) for question in graph.questions),
        )

    def graphs(self) -> Iterator[NoteGraph | Fault]:
        """Every note of the vault, without what links say, and the faults of what could not be read.

        Notes without relations to mirror come first, in path order; the others are held until all
        are known, and come then, in path order too.
        """
        with bulk():
            yield from self._graphs()

    def _graphs(self) -> Iterator[NoteGraph | Fault]:
        files, faults = self.discover()
        yield from faults
        catalog = Catalog()
        readable: list[VaultFile | Loaded] = []
        names: list[NoteName] = []
        holding = 0
        for file in files:
            loaded = self.load(file)
            if isinstance(loaded, Fault):
                yield loaded
            else:
                # Beyond that, files are read twice rather than held: a vault need not fit into memory.
                holding += loaded.text.size
                readable.append(loaded if holding <= HELD_BYTES else file)
                if loaded.name is not None:
                    names.append(loaded.name)
        catalog.fill(names)
        yield from catalog.duplicates()
        stakes = Stakes(self.kinds, self.verdicts)
        related: deque[NoteGraph] = deque()
        # What is done goes at once: what comes next is made in the same memory, which the processor still holds.
        readable.reverse()
        while readable:
            one = readable.pop()
            loaded = self.load(one) if isinstance(one, VaultFile) else one
            if isinstance(loaded, Fault):
                yield loaded
            elif (graph := self.graph(loaded, catalog, contexts=False)) is not None:
                if loaded.text.faults:
                    graph = replace(graph, faults=(*loaded.text.faults, *graph.faults))
                stake = stake_of(graph.edges, self.kinds)
                if stake == NOTHING:
                    yield graph
                else:
                    stakes.put(graph.note.path, stake)
                    related.append(graph)
        while related:
            graph = related.popleft()
            yield replace(graph, edges=stakes.settle(graph.note.path, graph.edges))
