"""The values that flow through mindnet: frozen records without logic.

Everything may import this module; it imports nothing of mindnet. Line numbers are those
of the file, counted from 1. Paths are relative to the vault, NFC, with ``/``. Times are
integers ``YYYYMMDDhhmmss`` in UTC unless a name says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar, dataclass_transform

Scope = Literal["chunk", "note"]
Mode = Literal["semantic", "lexical", "hybrid"]
Language = Literal["de", "en"]
Part = Literal["semantic", "lexical", "links", "edge", "centrality", "recency"]
Verdict = Literal["confirm", "reject"]
Relation = tuple[str, str, str, str]
"""The note that a relation starts in, its target (a note's id, or the written title), its kind and section."""
Verdicts = Mapping[Relation, Verdict]
"""What the user has decided of relations that a rule or a model found."""
Asked = tuple[str, str, str, str, str]
"""What a model is asked of: note, target, kind, section as in a relation, and the hash of the text it stands in."""
_Record = TypeVar("_Record")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[_Record]) -> type[_Record]:
    """A dataclass with slots that is frozen for the type checker alone.

    A vault makes hundreds of thousands of records, and making a frozen one takes three times as
    long: each field goes through ``object.__setattr__``.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)


@record
class Answer:
    """What a model says of a proposed link, or why it says nothing.

    ``pending``: it could not be asked just now, and is asked again; ``refused``: it cannot be asked as things are, for
    the ``reason``.
    """

    verdict: Literal["yes", "no", "pending", "refused"]
    reason: str = ""


Answers = Mapping[Asked, Answer]


# ------------------------------------------------------------------ files on disk
@record
class Fault:
    """Something wrong in one file: reported, never fatal. ``line`` is 0 when it has none."""

    path: str
    line: int
    code: str
    message: str


@record
class VaultFile:
    """A file that discovery found. ``disk_path`` is what the file system calls it (may be NFD)."""

    path: str
    disk_path: str
    size: int
    mtime_ns: int


@record
class NoteText:
    """A file's text and what is needed to write the same bytes again.

    ``text`` is decoded, without its byte order mark, line ends untouched.
    ``encoding`` is a Python codec name; ``bom`` says whether a mark stood first.
    """

    path: str
    text: str
    encoding: str
    bom: bool
    sha256: str
    size: int
    mtime_ns: int
    birth_ns: int
    faults: tuple[Fault, ...] = ()


# ------------------------------------------------------------------ structure of one note
@record
class Heading:
    text: str
    level: int
    line: int


BlockKind = Literal[
    "heading", "paragraph", "fence", "table_row", "list_item", "quote", "callout", "math", "html", "comment", "rule"
]


@record
class Block:
    """A stretch of whole lines that a chunk border should not cut.

    Blocks are flat, in order and disjoint; together they cover every non-blank line of
    the body. A table is one block per row (its head row and delimiter row are one block),
    a list one block per item (nested items are blocks of their own).
    """

    kind: BlockKind
    start_line: int
    end_line: int
    level: int = 0


MentionSource = Literal["wikilink", "mdlink", "embed", "rel", "field", "callout", "frontmatter", "canvas"]


@record
class Mention:
    """One written link, in one of the forms of the link table, before it is resolved.

    ``kind`` is the relation as the author wrote it, or None for a plain link. ``target`` is
    the link path as written ("" for a link into the same note), ``section`` the heading
    (joined by ``#``) or ``^block`` behind ``#``, ``label`` the shown text. ``candidate``
    marks ``rel: candidate:kind``; ``listed`` a link under the frontmatter's ``links:``, where
    every key is a kind, known or not; ``relative`` a Markdown link, whose path may begin in the
    note's own folder; ``attachment`` a link with the ending of an image, a PDF or the like, which
    is no link to a note unless there is one of that very name.

    What an arrow of a canvas says leaves another place than the one it is written in: the note at
    ``from_note`` (a path, to be resolved like a target) or the card that begins in ``from_line``.
    """

    source: MentionSource
    kind: str | None
    target: str
    section: str
    label: str
    line: int
    column: int
    candidate: bool = False
    listed: bool = False
    relative: bool = False
    attachment: bool = False
    from_note: str = ""
    from_line: int = 0


@record
class Stretch:
    """Lines that stand for themselves, like a card of a canvas: a chunk starts with it, headings before it end.

    ``start_line`` is its first line that is not blank, if it has any; ``path`` goes before its own headings.
    """

    start_line: int
    path: tuple[str, ...] = ()


@record
class Reading:
    """The text that is read of a file which is not Markdown throughout.

    ``numbers`` gives for each of its lines the line of the file that it comes from.
    """

    lines: Sequence[str]
    numbers: Sequence[int]
    stretches: tuple[Stretch, ...] = ()


@record
class ParsedNote:
    """The structure of one file.

    ``frontmatter`` holds JSON values only (dates as ISO strings). ``body_line`` is the first
    line behind the frontmatter. Where there is a ``reading``, headings, blocks and mentions count
    its lines instead of the file's; faults always name those of the file.
    """

    path: str
    text: str
    frontmatter: Mapping[str, Any]
    frontmatter_lines: Mapping[str, int]
    body_line: int
    headings: tuple[Heading, ...]
    blocks: tuple[Block, ...]
    mentions: tuple[Mention, ...]
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    faults: tuple[Fault, ...] = ()
    reading: Reading | None = None


# ------------------------------------------------------------------ the graph
@record
class Note:
    """A note's payload; field names are those of the stored payload."""

    note_id: str
    title: str
    path: str
    type: str
    status: str | None
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    created: int
    updated: int
    private: bool
    retriever_weight: float
    chunk_profile: str
    edge_defaults: tuple[str, ...]
    hashes: Mapping[str, str]
    fulltext: str
    encoding: str
    bom: bool
    frontmatter: Mapping[str, Any]
    headings: tuple[str, ...]


@record
class Chunk:
    """A part of a note. ``text`` is shown, ``window`` is embedded; ``ord`` counts from 1."""

    chunk_id: str
    note_id: str
    ord: int
    title: str
    text: str
    window: str
    heading_path: tuple[str, ...]
    start_line: int
    end_line: int
    neighbors_prev: str | None
    neighbors_next: str | None
    retriever_weight: float
    chunk_profile: str
    edge_defaults: tuple[str, ...]
    type: str
    status: str | None
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    path: str
    private: bool
    created: int
    updated: int


@record
class Place:
    """Where a chunk stands, and what its note is weighed by: what an order of passages needs, without their text."""

    chunk_id: str
    note_id: str
    ord: int
    path: str
    status: str | None
    retriever_weight: float
    updated: int


@record
class Label:
    """What a note is called and where it is, without its text."""

    note_id: str
    title: str
    path: str
    private: bool


@record
class Evidence:
    """One place that supports an edge: the rule that read it and its line (0: none).

    ``original`` is the id of the edge that it stands for, where the edge is a mirror. ``pending`` is what a model has
    yet to be asked about, and counts meanwhile.
    """

    rule_id: str
    line: int
    label: str = ""
    original: str | None = None
    pending: bool = field(default=False, repr=False)


@record
class Edge:
    """A typed, directed relation; its identity is ``source->target:kind@section``.

    ``target_id`` is a note id (a chunk id for ``next`` and ``prev``), or the written title
    when ``resolved`` is False.
    """

    edge_id: str
    source_id: str
    target_id: str
    target_section: str
    note_id: str
    kind: str
    scope: Scope
    rule_id: str
    provenance: str
    confidence: float
    evidence: tuple[Evidence, ...]
    resolved: bool
    mirror_of: str | None = None

    @property
    def source_note(self) -> str:
        """The id of the note that the edge starts in; for a mirror or an arrow of a canvas not the one that owns it."""
        return self.note_id if self.scope == "chunk" else self.source_id

    @property
    def relation(self) -> Relation:
        """What the edge says of two notes, whichever passage says it."""
        return self.source_note, self.target_id, self.kind, self.target_section

    @property
    def pending(self) -> bool:
        """Whether it counts only until a model can be asked about it."""
        own = [item.pending for item in self.evidence if item.rule_id == self.rule_id]
        return any(own) and all(own)

    @property
    def line(self) -> int:
        """The first line where the edge's own rule found it, else the first that supports it, 0 when none does."""
        lines = [(item.rule_id != self.rule_id, item.line) for item in self.evidence if item.line]
        return min(lines, default=(False, 0))[1]


@record
class LinkContext:
    """What a note says of another in one place: the shown text of the link, and the sentence around it.

    ``sentence`` is empty for a link in the frontmatter.
    """

    target_id: str
    line: int
    label: str
    sentence: str


@record
class Question:
    """A link that a model can be asked about: does it fit this text?

    ``chunks`` are the passage that it stands in, or all of the note when it is the whole note's; ``whole`` is the text
    of a note that has none. A ``private`` one is about a note that must not leave the machine.
    """

    asked: Asked
    path: str
    line: int
    rule_id: str
    source_title: str
    target_title: str
    chunks: tuple[Chunk, ...]
    whole: str
    private: bool = False


@record
class NoteGraph:
    """All that one file becomes: its note, its chunks in order, the edges it owns, what it says of other notes.

    ``questions`` are there only where they were asked for.
    """

    note: Note
    chunks: tuple[Chunk, ...]
    edges: tuple[Edge, ...]
    faults: tuple[Fault, ...] = ()
    contexts: tuple[LinkContext, ...] = ()
    questions: tuple[Question, ...] = ()


# ------------------------------------------------------------------ answers
@record
class Pier:
    """A passage whose names a search follows: its text with the note's title, and its strength, 0..1."""

    chunk_id: str
    note_id: str
    path: str
    title: str
    text: str
    strength: float


@record
class Contribution:
    """One part of a score: ``points`` is what it adds to the total."""

    part: Part
    weight: float
    raw: float
    points: float
    factors: Mapping[str, float] = field(default_factory=dict)
    evidence: tuple[str, ...] = ()


@record
class WayStep:
    """One edge of the way from a seed to a hit, and the note that it was followed from.

    ``direction`` is ``in`` where it was followed backwards.
    """

    note_id: str
    title: str
    path: str
    edge_id: str
    kind: str
    provenance: str
    direction: Literal["out", "in"]


@record
class Reason:
    """A sentence; ``way`` is the way through the graph that it speaks of, its first step from a seed."""

    part: Part
    text: str
    edge_id: str | None = None
    path: str | None = None
    line: int | None = None
    way: tuple[WayStep, ...] = ()


@record
class RelatedEdge:
    """An edge of a hit as an answer shows it; ``note_id, title, path`` name the other end.

    ``line`` is one of the file at ``written_in``, which may be neither end's (a canvas).
    """

    direction: Literal["out", "in"]
    edge_id: str
    kind: str
    provenance: str
    rule_id: str
    confidence: float
    line: int
    note_id: str
    title: str
    path: str
    resolved: bool
    written_in: str


@record
class Explanation:
    contributions: tuple[Contribution, ...]
    reasons: tuple[Reason, ...]
    related_edges: tuple[RelatedEdge, ...]


@record
class Copy:
    """A passage with nearly the text of a hit; ``resemblance`` is the share of their runs of words, 0..1."""

    chunk: Chunk
    resemblance: float


@record
class Hit:
    """``contributions`` add up to ``total_score``; their evidence is in the explanation's alone.

    ``also_in`` are passages with nearly the same text, which are no hits of their own.
    """

    rank: int
    chunk: Chunk
    total_score: float
    contributions: tuple[Contribution, ...]
    explanation: Explanation | None
    also_in: tuple[Copy, ...] = ()
