"""Records to wire shapes and back; no logic of its own."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import PurePosixPath
from typing import TypedDict

from mindnet.api import wire
from mindnet.api.feedback_wire import FeedbackOut
from mindnet.errors import UsageError
from mindnet.feedback.history import Search, Shown
from mindnet.feedback.logs import LogsState
from mindnet.feedback.scores import Score
from mindnet.indexing.check import Checked, missing_fields
from mindnet.indexing.report import Report
from mindnet.indexing.worker import Progress
from mindnet.models.profiles import CHAT, Models
from mindnet.records import Chunk, Contribution, Copy, Explanation, Fault, Hit, Reason
from mindnet.retrieval.filters import DateRange, Filters
from mindnet.retrieval.search import Query, SearchResult
from mindnet.retrieval.understanding import ReadPhrase, ReadTime
from mindnet.store.port import Store, StoreState
from mindnet.validation.queue import State
from mindnet.workspace import Rebuild, Workspace


def vault_path(path: str) -> str:
    """A vault-relative path in its stored form; raises ``UsageError`` for one that leaves the vault."""
    pure = PurePosixPath(unicodedata.normalize("NFC", path))
    if pure.is_absolute() or ".." in pure.parts or "\0" in path:
        raise UsageError(f"{path!r} is not a path inside the vault.", hint="Give paths relative to the vault.")
    return str(pure)


# ------------------------------------------------------------------ status and reports
def faults(found: Sequence[Fault]) -> list[wire.FaultOut]:
    return [wire.FaultOut(**asdict(fault)) for fault in found]


def status(workspace: Workspace, now: Progress, validated: State, *, version: str, max_faults: int) -> wire.Status:
    index = workspace.index
    notes, chunks, edges = index.pipeline.size()
    found = index.pipeline.faults()
    return wire.Status(
        state=now.state,
        indexed=now.done,
        total=now.total,
        queued=now.queued,
        current=now.current,
        rate=round(now.rate, 1),
        eta_s=None if now.eta_s is None else round(now.eta_s, 1),
        notes=notes,
        chunks=chunks,
        edges=edges,
        faults=faults(found[:max_faults]),
        store=store_status(index.store.state()),
        embedding=wire.EmbeddingStatus(model=index.embedder.name, dimension=index.embedder.dimension),
        llm=llm_status(workspace.chat.models, validated),
        logs=logs_status(workspace.logs.state()),
        vault=str(workspace.place.vault),
        version=version,
        error=now.error,
        rebuild=rebuild(workspace.rebuild()),
        error_code=now.code,
        fault_counts=dict(sorted(Counter(fault.code for fault in found).items())),
    )


def logs_status(found: LogsState) -> wire.LogsStatus:
    return wire.LogsStatus(enabled=found.enabled, folder=str(found.folder), fault=found.fault, skipped=found.skipped)


def validation(found: State) -> wire.ValidationStatus:
    return wire.ValidationStatus(
        enabled=found.enabled,
        waiting=found.waiting,
        decided=found.confirmed + found.rejected,
        confirmed=found.confirmed,
        rejected=found.rejected,
        pending=found.pending,
        refused=found.refused,
        fault=found.fault,
        fault_code=found.code,
    )


def llm_status(models: Models, validated: State) -> wire.LlmStatus:
    """What the last look for the chat's model came to; nothing is asked of its server now."""
    last = models.last.get(CHAT)
    if last is None:
        return wire.LlmStatus(validation=validation(validated))
    fault = last.fault.message if last.fault else None
    return wire.LlmStatus(
        configured=last.model is not None, model=last.model, fault=fault, validation=validation(validated)
    )


def rebuild(found: Rebuild | None) -> wire.Rebuild | None:
    return None if found is None else wire.Rebuild(**asdict(found))


def store_status(found: StoreState) -> wire.StoreStatus:
    remote = found.engine == "qdrant"
    return wire.StoreStatus(
        engine=found.engine,
        folder=None if remote else found.place,
        url=found.place if remote else None,
        answers=found.fault is None,
        fault=found.fault,
    )


def edge_counts(report: Report) -> wire.EdgeCounts:
    return wire.EdgeCounts(
        total=report.edges,
        by_kind=dict(report.by_kind),
        by_provenance=dict(report.by_provenance),
        by_rule=dict(report.by_rule),
        unresolved=report.totals.get("unresolved", 0),
        candidates=sum(n for name, n in report.by_provenance.items() if name.startswith("candidate")),
    )


def report(done: Report) -> wire.ImportReport:
    return wire.ImportReport(
        notes=done.notes,
        chunks=done.chunks,
        edges=edge_counts(done),
        totals=dict(done.totals),
        faults=faults(done.faults),
        written=done.written,
        embedded=done.embedded,
        reused=done.reused,
        removed=done.removed,
        seconds=round(done.seconds, 3),
        dry_run=done.dry_run,
    )


def check(found: Checked, done: Report, strict: Store | None = None) -> wire.CheckReport:
    """With the store for a ``strict`` one, which fails for a vault that has moved on."""
    stale = list(found.stale.remarks())
    remarks = [*stale, *(missing_fields(strict) if strict is not None else ())]
    return wire.CheckReport(
        ok=not found.problems and not (strict is not None and stale),
        problems=[wire.CheckProblem(**asdict(problem)) for problem in found.problems],
        remarks=[wire.CheckProblem(**asdict(remark)) for remark in remarks],
        counts={"notes": done.notes, "chunks": done.chunks, "edges": done.edges, "faults": len(done.faults)},
    )


def statistics(workspace: Workspace) -> wire.Statistics:
    index = workspace.index
    done = index.pipeline.report()
    types: dict[str, int] = {}
    for entry in tuple(index.pipeline.entries.values()):
        if entry.indexed:
            types[entry.type] = types.get(entry.type, 0) + 1
    return wire.Statistics(
        notes=done.notes,
        chunks=done.chunks,
        edges=edge_counts(done),
        types=dict(sorted(types.items())),
        faults=len(done.faults),
        vault=str(workspace.place.vault),
        data_dir=str(workspace.place.data_dir),
        prefix=index.recipe.prefix,
        embedding=index.embedder.name,
        acceptance={
            rule: wire.Acceptance(
                confirmed=number["confirm"], rejected=number["reject"], rate=number["confirm"] / number.total()
            )
            for rule, number in workspace.decisions.acceptance().items()
        },
    )


# ------------------------------------------------------------------ query
def filters(wanted: wire.Filters) -> Filters:
    cut = wanted.exclude
    return Filters(
        type=tuple(wanted.type),
        tag=tuple(wanted.tag),
        path=tuple(wanted.path),
        status=tuple(wanted.status),
        created=DateRange.parse(wanted.created.from_, wanted.created.to),
        updated=DateRange.parse(wanted.updated.from_, wanted.updated.to),
        exclude_type=tuple(cut.type),
        exclude_tag=tuple(cut.tag),
        exclude_path=tuple(cut.path),
        exclude_status=tuple(cut.status),
    )


def query(request: wire.QueryRequest) -> Query:
    return Query(
        text=request.query,
        mode=request.mode,
        top_k=request.top_k,
        group_by=request.group_by,
        depth=request.expand.depth,
        filters=filters(request.filters),
        phrases=request.phrases,
        dates=request.dates,
        fold_copies=request.fold_copies,
        words_suffice=True,
        explain=request.explain,
        why_not=tuple(request.why_not),
        include_private=request.include_private,
        language=request.language,
    )


def contributions(found: Sequence[Contribution]) -> list[wire.ContributionOut]:
    return [
        wire.ContributionOut(
            part=part.part,
            weight=part.weight,
            raw=part.raw,
            factors=dict(part.factors),
            points=part.points,
            evidence=list(part.evidence),
        )
        for part in found
    ]


def reasons(found: Sequence[Reason]) -> list[wire.ReasonOut]:
    return [wire.ReasonOut(**asdict(reason)) for reason in found]


def search(query_id: str, asked: Query, found: SearchResult) -> Search:
    """A question and its hits as the log has them."""
    depth = {} if asked.depth is None else {"depth": asked.depth}
    return Search(
        query_id=query_id,
        kind="query",
        text=asked.text,
        mode=found.mode,
        intent=found.intent.name,
        language=found.language,
        weights=found.weights,
        took_ms=found.took_ms,
        hits=[
            Shown(one.rank, one.chunk.note_id, one.chunk.chunk_id, one.total_score, one.contributions)
            for one in found.hits
        ],
        include_private=asked.include_private,
        options={
            "top_k": asked.top_k,
            "group_by": asked.group_by,
            "phrases": asked.phrases,
            "dates": asked.dates,
            "fold_copies": asked.fold_copies,
            **depth,
            **asked.filters.given(),
        },
    )


def score(found: Score) -> FeedbackOut:
    return FeedbackOut(**asdict(found))


def explanation(found: Explanation) -> wire.ExplanationOut:
    return wire.ExplanationOut(
        contributions=contributions(found.contributions),
        reasons=reasons(found.reasons),
        related_edges=[wire.RelatedEdgeOut(**asdict(edge)) for edge in found.related_edges],
    )


class Passage(TypedDict):
    """The fields that every passage has, whatever it is shown for."""

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


def passage(chunk: Chunk) -> Passage:
    return Passage(
        note_id=chunk.note_id,
        chunk_id=chunk.chunk_id,
        title=chunk.title,
        path=chunk.path,
        heading_path=list(chunk.heading_path),
        start_line=chunk.start_line,
        end_line=chunk.end_line,
        text=chunk.text,
        type=chunk.type,
        status=chunk.status,
        tags=list(chunk.tags),
    )


def hit(found: Hit) -> wire.HitOut:
    return wire.HitOut(
        rank=found.rank,
        **passage(found.chunk),
        total_score=found.total_score,
        explanation=explanation(found.explanation) if found.explanation else None,
        also_in=copies(found.also_in),
    )


def copies(found: Sequence[Copy]) -> list[wire.CopyOut]:
    return [
        wire.CopyOut(
            note_id=copy.chunk.note_id,
            chunk_id=copy.chunk.chunk_id,
            title=copy.chunk.title,
            path=copy.chunk.path,
            heading_path=list(copy.chunk.heading_path),
            start_line=copy.chunk.start_line,
            end_line=copy.chunk.end_line,
            resemblance=round(copy.resemblance, 3),
        )
        for copy in found
    ]


def phrases(found: Sequence[ReadPhrase]) -> list[wire.ReadPhrase]:
    return [wire.ReadPhrase(**asdict(one)) for one in found]


def dates(found: Sequence[ReadTime]) -> list[wire.ReadDate]:
    return [
        wire.ReadDate.model_validate(
            {
                "text": one.text,
                "field": one.stamp,
                "from": one.first.isoformat(),
                "to": one.last.isoformat() if one.last is not None else None,
                "outcome": one.outcome,
                "said": one.said,
            }
        )
        for one in found
    ]


def answer(query_id: str, result: SearchResult, building: Rebuild | None = None) -> wire.QueryAnswer:
    return wire.QueryAnswer(
        query_id=query_id,
        mode=result.mode,
        intent=wire.Intent(name=result.intent.name, boosts=dict(result.intent.boosts)),
        language=result.language,
        took_ms=round(result.took_ms, 2),
        hits=[hit(found) for found in result.hits],
        why_not=[
            wire.WhyNot(
                note=one.note, found=one.found, title=one.title, ranks=dict(one.ranks), cut_by=one.cut_by, text=one.text
            )
            for one in result.why_not
        ],
        phrases=phrases(result.phrases),
        dates=dates(result.times),
        rebuild=rebuild(building),
        left_out=result.left_out,
    )
