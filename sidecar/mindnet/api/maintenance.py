"""Records of export, comparison and healing to their wire shapes and back; no logic of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from mindnet.api import convert, reports
from mindnet.indexing.compare import Comparison
from mindnet.indexing.export import Exported, Page, StoredText
from mindnet.indexing.heal import Healed, UnresolvedTarget
from mindnet.records import Fault


def export_page(page: Page) -> reports.ExportPage:
    return reports.ExportPage(
        notes=[reports.StoredNote(**asdict(note)) for note in page.notes],
        lost=convert.faults(page.lost),
        last=page.last,
        total=page.total,
    )


def page_of(page: reports.ExportPage) -> Page:
    return Page(
        notes=tuple(StoredText(**note.model_dump()) for note in page.notes),
        lost=tuple(Fault(**fault.model_dump()) for fault in page.lost),
        last=page.last,
        total=page.total,
    )


def exported(done: Exported) -> reports.ExportReport:
    return reports.ExportReport(
        folder=str(done.folder), notes=done.notes, bytes=done.size, faults=convert.faults(done.faults)
    )


def comparison(found: Comparison) -> reports.CompareReport:
    return reports.CompareReport(
        same=found.same,
        compared=found.compared,
        missing=list(found.missing),
        extra=list(found.extra),
        differing=[reports.DifferenceOut(**asdict(one)) for one in found.differing],
        left_out=list(found.left_out),
        unread=convert.faults(found.unread),
    )


def unresolved(targets: Sequence[UnresolvedTarget]) -> reports.UnresolvedReport:
    return reports.UnresolvedReport(
        edges=sum(one.edges for one in targets),
        links=sum(one.links for one in targets),
        targets=[reports.UnresolvedOut(**asdict(one)) for one in targets],
    )


def healed(done: Healed) -> reports.HealReport:
    return reports.HealReport(
        before=done.before,
        after=done.after,
        relinked=list(done.relinked),
        written=done.report.written,
        seconds=round(done.report.seconds, 3),
    )
