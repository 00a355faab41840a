"""The shapes that cross HTTP; the plugin's types are generated from them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

Mode = Literal["semantic", "lexical", "hybrid"]
Language = Literal["de", "en"]
Part = Literal["semantic", "lexical", "links", "edge", "centrality", "recency"]


class Wire(BaseModel):
    """Base of all: unknown fields are refused, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_serialization_defaults_required=True)


# ------------------------------------------------------------------ health and status
class Health(Wire):
    status: Literal["ok"] = "ok"
    version: str


class FaultOut(Wire):
    path: str
    line: int
    code: str
    message: str


class StoreStatus(Wire):
    """Either a ``folder`` on this machine or the ``url`` of a server; ``fault`` says why it does not answer."""

    engine: str
    folder: str | None
    url: str | None
    answers: bool
    fault: str | None


class EmbeddingStatus(Wire):
    model: str
    dimension: int


class ValidationStatus(Wire):
    """Proposed links that a model judges: ``decided`` ones are ``confirmed`` or ``rejected``, ``waiting`` are not yet.

    ``pending`` ones could not be asked about for a passing fault and count until they are; ``refused`` ones could not
    for a lasting one, and are left out. ``fault`` says why the last question has no answer, ``fault_code`` of which
    kind that is. Unless ``enabled``, nothing is asked in the background.
    """

    enabled: bool
    waiting: int
    decided: int
    confirmed: int
    rejected: int
    pending: int
    refused: int
    fault: str | None
    fault_code: str | None


class LlmStatus(Wire):
    """The chat's language model as it was last seen: ``configured`` is false until one is found, ``fault`` says why."""

    configured: bool = False
    model: str | None = None
    fault: str | None = None
    validation: ValidationStatus


class LogsStatus(Wire):
    """The logs of questions and feedback in ``folder``; where they are not ``enabled``, no feedback is taken.

    ``fault`` says why the last entry could not be written, ``skipped`` counts lines that cannot be read, such as the
    last one after a crash.
    """

    enabled: bool
    folder: str
    fault: str | None
    skipped: int


class Rebuild(Wire):
    """An index that is built anew. ``beside``: the old one answers until then; else what is stored so far does.

    ``better``: the old one is as wanted, the new one's model finds more.
    """

    reason: str
    notes: int
    total: int
    beside: bool
    better: bool


class Status(Wire):
    """What the sidecar is doing. ``rate`` is notes per second, ``eta_s`` seconds left.

    ``faults`` are the first of all, ``fault_counts`` says how many there are of each code. ``error`` is a sentence,
    ``error_code`` the kind of failure: ``disk_full``, ``read_only``, ``vault``, ``store`` ….
    """

    state: Literal["idle", "scanning", "indexing", "error"]
    indexed: int
    total: int
    queued: int
    current: str | None
    rate: float
    eta_s: float | None
    notes: int
    chunks: int
    edges: int
    faults: list[FaultOut]
    store: StoreStatus
    embedding: EmbeddingStatus
    llm: LlmStatus
    logs: LogsStatus
    vault: str
    version: str
    error: str | None = None
    rebuild: Rebuild | None = None
    error_code: str | None = None
    fault_counts: dict[str, int] = {}


class StatusEvent(Wire):
    event: Literal["status"] = "status"
    status: Status


class NoteIndexedEvent(Wire):
    """``ms`` is the time from the change being seen to it being searchable."""

    event: Literal["note_indexed"] = "note_indexed"
    path: str
    ms: float


class NoteRemovedEvent(Wire):
    event: Literal["note_removed"] = "note_removed"
    path: str


class IndexSwitchedEvent(Wire):
    """A new index has taken the place of the old one: the same question may have another answer."""

    event: Literal["index_switched"] = "index_switched"


class SidecarEvent(
    RootModel[
        Annotated[StatusEvent | NoteIndexedEvent | NoteRemovedEvent | IndexSwitchedEvent, Field(discriminator="event")]
    ]
):
    """One server-sent event of ``GET /events``; its ``event:`` line is the same as the field."""


# ------------------------------------------------------------------ query
class DateRange(Wire):
    """Both ends inclusive, ISO dates or date-times; null leaves an end open."""

    from_: str | None = Field(default=None, alias="from")
    to: str | None = None


class Exclude(Wire):
    type: list[str] = []
    tag: list[str] = []
    path: list[str] = []
    status: list[str] = []


class Filters(Wire):
    """``tag`` matches nested tags below it; ``path`` is a prefix. Within a list any may match, the lists all must."""

    type: list[str] = []
    tag: list[str] = []
    path: list[str] = []
    status: list[str] = []
    created: DateRange = DateRange()
    updated: DateRange = DateRange()
    exclude: Exclude = Exclude()


class Expand(Wire):
    depth: int | None = Field(default=None, ge=0, le=3)


class QueryRequest(Wire):
    """``phrases``: whether hits have to hold what is in quotation marks; by default they do, except that in a sentence
    the marks may be those of a title. ``dates``: whether a time in the question is a filter; by default where it is
    meant of notes. ``fold_copies``: of passages with nearly the same text one is a hit, which names the others.
    """

    query: str = Field(min_length=1, max_length=20_000)
    mode: Mode = "hybrid"
    top_k: int = Field(default=10, ge=1, le=200)
    group_by: Literal["note", "chunk"] = "note"
    expand: Expand = Expand()
    filters: Filters = Filters()
    phrases: Literal["auto", "require", "ignore"] = "auto"
    dates: Literal["auto", "apply", "ignore"] = "auto"
    fold_copies: bool = True
    explain: bool = False
    why_not: list[str] = []
    include_private: bool = False
    language: Language | None = None


class ContributionOut(Wire):
    part: Part
    weight: float
    raw: float
    factors: dict[str, float]
    points: float
    evidence: list[str]


class WayStepOut(Wire):
    """The note that an edge was followed from, and the edge; ``in``: it was followed backwards."""

    note_id: str
    title: str
    path: str
    edge_id: str
    kind: str
    provenance: str
    direction: Literal["out", "in"]


class ReasonOut(Wire):
    """A sentence; ``path`` and ``line`` name the place in the vault that it speaks of.

    ``way`` leads through the graph from a note that was found by itself to this one.
    """

    part: Part
    text: str
    edge_id: str | None = None
    path: str | None = None
    line: int | None = None
    way: list[WayStepOut] = []


class RelatedEdgeOut(Wire):
    """``note_id, title, path`` name the other end; ``line`` is one of the file at ``written_in``."""

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


class ExplanationOut(Wire):
    contributions: list[ContributionOut]
    reasons: list[ReasonOut]
    related_edges: list[RelatedEdgeOut]


class CopyOut(Wire):
    """A passage with nearly the text of a hit; ``resemblance`` is the share of their runs of words, 0–1."""

    note_id: str
    chunk_id: str
    title: str
    path: str
    heading_path: list[str]
    start_line: int
    end_line: int
    resemblance: float


class HitOut(Wire):
    """``also_in`` are passages with nearly the same text, which are no hits of their own."""

    rank: int
    note_id: str
    chunk_id: str
    title: str
    path: str
    heading_path: list[str]
    start_line: int
    end_line: int
    text: str
    type: str
    status: str | None
    tags: list[str]
    total_score: float
    explanation: ExplanationOut | None = None
    also_in: list[CopyOut] = []


class ReadPhrase(Wire):
    """What is in quotation marks; ``notes`` is how many hold it, null where hits need not."""

    text: str
    notes: int | None
    said: str


class ReadDate(Wire):
    """A time in the question: days by the user's calendar, both inclusive, ``to`` null for an open end.

    ``outcome`` says what was made of it: ``applied`` as a filter of the dates in ``field``; not applied since no note
    is of then (``empty``), since notes about the rest of the question have its words (``content``), since it can as
    well be a word (``offered``), or since another time is (``second``).
    """

    text: str
    field: Literal["created", "updated", "either"]
    from_: str = Field(alias="from")
    to: str | None
    outcome: Literal["applied", "empty", "content", "offered", "second"]
    said: str


class Intent(Wire):
    name: str
    boosts: dict[str, float]


class WhyNot(Wire):
    """Why a note is not among the hits: its rank in each leg (null: not found), or what cut it.

    That is the name of a filter, ``time`` or ``phrase`` for what was read in the question, ``private``, or ``copy``.
    """

    note: str
    found: bool
    title: str | None
    ranks: dict[str, int | None]
    cut_by: str | None
    text: str


class QueryAnswer(Wire):
    """``left_out`` says why hits were sought by words and links alone, though the mode asks for meaning too."""

    query_id: str
    mode: Mode
    intent: Intent
    language: Language
    took_ms: float
    hits: list[HitOut]
    why_not: list[WhyNot] = []
    phrases: list[ReadPhrase] = []
    dates: list[ReadDate] = []
    rebuild: Rebuild | None = None
    left_out: str | None = None


# ------------------------------------------------------------------ indexing
class IngestRequest(Wire):
    """``paths`` null means the whole vault; ``prune`` removes notes that are gone, ``prune_all`` even all of them."""

    paths: list[str] | None = None
    prune: bool = True
    prune_all: bool = False


class ValidateRequest(Wire):
    """So many questions at most; ``again`` asks once more about what no model could be asked about."""

    limit: int = Field(default=10, ge=1, le=1_000)
    again: bool = False


class Validated(Wire):
    """``asked`` questions were answered now, ``more`` may be open; ``validation`` is how things stand."""

    asked: int
    more: bool
    validation: ValidationStatus


class EdgeCounts(Wire):
    total: int
    by_kind: dict[str, int]
    by_provenance: dict[str, int]
    by_rule: dict[str, int]
    unresolved: int
    candidates: int


class CheckProblem(Wire):
    code: str
    id: str
    message: str


class ImportReport(Wire):
    notes: int
    chunks: int
    edges: EdgeCounts
    totals: dict[str, int]
    faults: list[FaultOut]
    written: int
    embedded: int
    reused: int
    removed: int
    seconds: float
    dry_run: bool
    problems: list[CheckProblem] = []


class CheckReport(Wire):
    """``remarks`` are no problem of the index.

    They name files that are new, changed or gone since the last import (``file_new``, ``file_changed``,
    ``file_gone``) or that one left half done (``file_waiting``): with ``strict`` alone ``ok`` is false
    for them. With ``strict`` they also name notes without ``id``, ``type`` or ``title`` (``field_missing``).
    """

    ok: bool
    problems: list[CheckProblem]
    counts: dict[str, int]
    remarks: list[CheckProblem] = []


class Acceptance(Wire):
    """How many relations of a rule the user has decided, and the share that was confirmed, 0..1."""

    confirmed: int
    rejected: int
    rate: float


class Statistics(Wire):
    """``prefix`` is the first part of the collections' names, ``acceptance`` has the rules that were decided on."""

    notes: int
    chunks: int
    edges: EdgeCounts
    types: dict[str, int]
    faults: int
    vault: str
    data_dir: str
    prefix: str
    embedding: str
    acceptance: dict[str, Acceptance]


class Problem(Wire):
    """Problem details (RFC 9457); ``hint`` is a sentence that a user can act on."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    hint: str
