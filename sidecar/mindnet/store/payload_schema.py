"""The contract of the payloads: what any reader of the three collections may rely on, as a JSON schema.

Written out apart from the records, so that a change of a record that would change what others read
does not pass unseen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mindnet.store.port import Collection

Name = Annotated[str, Field(min_length=1)]
Time = Annotated[int, Field(ge=0, le=99991231235959, description="YYYYMMDDhhmmss in UTC")]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Count = Annotated[int, Field(ge=0)]
Ordinal = Annotated[int, Field(ge=1)]


class Payload(BaseModel):
    """Base of all: no field more, none of another JSON type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NotePayload(Payload):
    note_id: Name
    title: str
    path: Name
    type: Name
    status: str | None
    tags: list[str]
    aliases: list[str]
    created: Time
    updated: Time
    private: bool
    retriever_weight: Share
    chunk_profile: Name
    edge_defaults: list[Name]
    hashes: dict[str, str]
    fulltext: str
    encoding: Name
    bom: bool
    frontmatter: dict[str, Any]
    headings: list[str]


class ChunkPayload(Payload):
    chunk_id: Name
    note_id: Name
    ord: Ordinal
    title: str
    text: str
    window: str
    heading_path: list[str]
    start_line: Ordinal
    end_line: Ordinal
    neighbors_prev: Name | None
    neighbors_next: Name | None
    retriever_weight: Share
    chunk_profile: Name
    edge_defaults: list[Name]
    type: Name
    status: str | None
    tags: list[str]
    aliases: list[str]
    path: Name
    private: bool
    created: Time
    updated: Time


class EvidencePayload(Payload):
    """``original`` is there on a mirror's evidence alone, ``pending`` on what a model is yet to be asked about."""

    rule_id: Name
    line: Count
    label: str
    original: str | None = None
    pending: bool = False


class EdgePayload(Payload):
    edge_id: Annotated[str, Field(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    source_id: Name
    target_id: str
    target_section: str
    note_id: Name
    kind: Name
    scope: Literal["chunk", "note"]
    rule_id: Name
    provenance: Annotated[str, Field(pattern=r"^(candidate:)?(explicit|smart|rule|structure)$")]
    confidence: Share
    evidence: Annotated[list[EvidencePayload], Field(min_length=1)]
    resolved: bool
    mirror_of: Name | None


SCHEMAS: Mapping[Collection, type[Payload]] = {"notes": NotePayload, "chunks": ChunkPayload, "edges": EdgePayload}
IDS: Mapping[Collection, str] = {"notes": "note_id", "chunks": "chunk_id", "edges": "edge_id"}
"""The field of each collection that names a point."""


def json_schemas() -> dict[str, dict[str, Any]]:
    """Collection to the JSON schema (draft 2020-12) of its payloads."""
    return {collection: model.model_json_schema() for collection, model in SCHEMAS.items()}


def payload_fault(collection: Collection, payload: Mapping[str, Any]) -> str | None:
    """What of a payload is not as its schema says: the first field and why; None when all is."""
    try:
        SCHEMAS[collection].model_validate(payload)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return None
