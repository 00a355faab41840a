"""What the user has decided, and what a model has said, applied to the evidence for edges; and what is left to ask."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mindnet.knowledge.asked import Offer
from mindnet.records import Answer, Verdicts

if TYPE_CHECKING:
    from mindnet.knowledge.edges import Context, Draft


def decided(context: Context, drafts: Sequence[Draft], verdicts: Verdicts) -> Iterator[Draft]:
    """Without what was rejected, and with candidates that were confirmed as edges; what the author wrote stays.

    What the user has decided goes before whatever a model says.
    """
    for draft in drafts:
        if draft.explicit:
            yield draft
            continue
        asked = draft.asked(context.note.note_id)
        verdict = verdicts.get(asked[:4])
        if verdict == "confirm" and draft.candidate:
            yield draft.counting()
        elif verdict is None and draft.candidate and asked in context.answers:
            yield from _answered(context, draft, context.answers[asked])
        elif verdict != "reject":
            yield draft


def _answered(context: Context, draft: Draft, answer: Answer) -> Iterator[Draft]:
    if answer.verdict == "yes":
        yield draft.counting()
    elif answer.verdict == "pending":
        yield draft.counting(pending=True)
    elif answer.verdict == "refused":
        target = context.targets.catalog.path_of(draft.target_id) if draft.resolved else None
        message = f"the candidate `{draft.kind}` to {target or draft.target_id} is left out, since no model judged it: "
        context.report(draft.line, "candidate_refused", message + answer.reason)


def to_ask(
    context: Context, drafts: Sequence[Draft], verdicts: Verdicts
) -> tuple[tuple[Draft, ...], tuple[Offer[Draft], ...]]:
    """Candidates and offers of which the user has decided nothing, each once."""
    note_id = context.note.note_id
    explicit = explicit_links(drafts, note_id)
    candidates = {
        draft.asked(note_id): draft
        for draft in drafts
        if draft.candidate and (draft.target_id, draft.kind, draft.section) not in explicit
    }
    return (
        tuple(draft for asked, draft in candidates.items() if asked[:4] not in verdicts),
        tuple(offer for offer in context.offers() if offer.asked[:4] not in verdicts),
    )


def explicit_links(drafts: Sequence[Draft], note_id: str) -> frozenset[tuple[str, str, str]]:
    """Target, kind and section of what the author says of the note itself."""
    return frozenset(
        (draft.target_id, draft.kind, draft.section)
        for draft in drafts
        if draft.explicit and (draft.scope == "chunk" or draft.source_id == note_id)
    )
