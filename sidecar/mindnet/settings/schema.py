"""The shape of every file in ``config/``: Pydantic models, unknown keys refused."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, RootModel

AUTO: Literal["auto"] = "auto"
"""Instead of a provider of embeddings: what is best of that which is installed."""


class Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


# ------------------------------------------------------------------ mindnet.yaml
class VaultSection(Section):
    exclude: list[str] = []
    private: list[str] = []


class WatchSection(Section):
    debounce_ms: int = Field(default=250, ge=10, le=60_000)
    polling: bool = False


class IndexingSection(Section):
    hash_compare: Literal["body", "full"] = "body"


class ApiSection(Section):
    port: int = Field(default=0, ge=0, le=65_535)
    allowed_origins: list[str] = []


class StoreSection(Section):
    url: str = Field(default="", pattern=r"^(https?://[^\s/@?#]+(/[^\s@?#]*)?)?$")
    prefix: str = Field(default="mindnet", pattern=r"^[A-Za-z0-9_-]+$")


class EmbeddingSection(Section):
    provider: Literal["auto", "bundled", "fastembed", "ollama", "openai"] = AUTO
    model: str = ""
    url: str = Field(default="", pattern=r"^(https?://[^\s/@?#]+(/[^\s@?#]*)?)?$")
    api_key_env: str = Field(default="", pattern=r"^[A-Za-z0-9_]*$")
    max_tokens: int = Field(default=0, ge=0, le=1_000_000)
    download: bool = False


class LogsSection(Section):
    enabled: bool = True
    keep_days: int = Field(default=365, ge=0, le=36_500)
    max_mb: float = Field(default=10, gt=0, le=1_000)
    max_files: int = Field(default=5, ge=1, le=1_000)


class ValidationSection(Section):
    enabled: bool = True
    per_minute: float = Field(default=20, gt=0, le=100_000)
    per_day: int = Field(default=2_000, ge=1, le=10_000_000)


class MindnetFile(Section):
    vault: VaultSection = VaultSection()
    watch: WatchSection = WatchSection()
    indexing: IndexingSection = IndexingSection()
    api: ApiSection = ApiSection()
    store: StoreSection = StoreSection()
    embedding: EmbeddingSection = EmbeddingSection()
    logs: LogsSection = LogsSection()
    validation: ValidationSection = ValidationSection()


# ------------------------------------------------------------------ types.yaml
class TypeSection(Section):
    chunk_profile: str | None = None
    retriever_weight: float | None = Field(default=None, ge=0.1, le=1.0)
    edge_defaults: list[str] | None = None
    paths: list[str] = []
    smart_edges: bool = False


class ChunkProfileSection(Section):
    max_tokens: int = Field(ge=16)
    split_level: int = Field(ge=0, le=6)
    overlap_tokens: int = Field(default=0, ge=0)


StatusScore = Annotated[float, Field(ge=0.5, le=1.0)]


class TypesFile(Section):
    types: dict[str, TypeSection]
    chunk_profiles: dict[str, ChunkProfileSection]
    status: dict[str, StatusScore | Literal["skip"]]


# ------------------------------------------------------------------ edges.yaml
class KindSection(Section):
    aliases: list[str] = []
    inverse: str | None = None
    symmetric: bool = False
    protected: bool = False
    weight: float = Field(default=1.0, ge=0.0, le=3.0)


class EdgesFile(Section):
    kinds: dict[str, KindSection]
    matrix: dict[str, dict[str, str]] = {}
    note_scope_headings: list[str] = []
    candidate_headings: list[str] = []
    note_scope_references: bool = False


# ------------------------------------------------------------------ retriever.yaml
class ScoringSection(Section):
    semantic_weight: float = Field(ge=0.0)
    lexical_weight: float = Field(ge=0.0)
    links_weight: float = Field(ge=0.0)
    edge_weight: float = Field(ge=0.0)
    centrality_weight: float = Field(ge=0.0)
    recency_weight: float = Field(ge=0.0)


class ProvenanceSection(Section):
    explicit: float = Field(ge=0.0)
    smart: float = Field(ge=0.0)
    rule: float = Field(ge=0.0)
    default_resolved: float = Field(ge=0.0)
    default_unresolved: float = Field(ge=0.0)


class ExpandSection(Section):
    depth: int = Field(ge=0, le=3)
    seeds: int = Field(ge=1, le=100)
    max_neighbours: int = Field(ge=0, le=1_000)
    reverse_weight: float = Field(ge=0.0, le=1.0)
    decay: float = Field(ge=0.0, le=1.0)
    edge_scale: float = Field(ge=0.0, le=1.0)
    series: float = Field(ge=0.0, le=1.0)
    pool: int = Field(ge=1, le=2_000)


class LinkContextSection(Section):
    notes: int = Field(ge=0, le=1_000)
    name_share: float = Field(ge=0.0, le=1.0)


class BridgesSection(Section):
    piers: int = Field(ge=0, le=20)
    chunks: int = Field(ge=0, le=1_000)
    share: float = Field(ge=0.0, le=10.0)


class RecencySection(Section):
    half_life_days: float = Field(gt=0.0, le=36_500.0)


class RetrieverFile(Section):
    scoring: ScoringSection
    provenance: ProvenanceSection
    expand: ExpandSection
    link_context: LinkContextSection
    bridges: BridgesSection
    recency: RecencySection


# ------------------------------------------------------------------ intents.yaml
class IntentSection(Section):
    patterns: list[str] = []
    boosts: dict[str, float] = {}


class IntentsFile(RootModel[dict[str, IntentSection]]):
    model_config = ConfigDict(frozen=True)


# ------------------------------------------------------------------ llm.yaml
class BackendSection(Section):
    kind: Literal["ollama", "openai", "gguf"]
    url: str = Field(default="http://127.0.0.1:11434", pattern=r"^https?://[^\s/@?#]+(/[^\s@?#]*)?$")
    api_key_env: str = Field(default="", pattern=r"^[A-Za-z0-9_]*$")
    keep_alive: str = ""
    file: str = ""
    threads: int = Field(default=0, ge=0, le=1_024)


class ProfileSection(Section):
    backend: str | None = None
    model: str | None = None
    prefer: list[str] | None = None
    temperature: float | None = Field(default=None, ge=0.0, le=2.0)
    num_ctx: int | None = Field(default=None, ge=512, le=2_000_000)
    max_tokens: int | None = Field(default=None, ge=16, le=100_000)
    timeout_s: float | None = Field(default=None, gt=0.0)


class ProfilesSection(Section):
    chat: ProfileSection
    ingest_validator: ProfileSection = ProfileSection()


class LlmFile(Section):
    backends: dict[str, BackendSection]
    profiles: ProfilesSection


# ------------------------------------------------------------------ prompts.yaml
class TurnSection(Section):
    """A question as the model is given it, and how it is to be answered."""

    question: str
    context: str
    answer: str


def Holding(*names: str) -> AfterValidator:  # noqa: N802
    """A text in which each of the names stands once in braces; other braces are text."""

    def check(text: str) -> str:
        for name in names:
            if text.count(f"{{{name}}}") != 1:
                raise ValueError(f"{{{name}}} must stand in it once")
        return text

    return AfterValidator(check)


class LanguagePrompts(Section):
    system_prompt: str
    rag_template: Annotated[str, Holding("context_str")]
    rewrite: Annotated[str, Holding("history", "question")]
    translate: Annotated[str, Holding("question")]
    validator: Annotated[str, Holding("source", "target", "kind", "text")]
    nothing_found: str
    intents: dict[str, str] = {}
    few_shot: list[TurnSection] = []


class PromptsFile(Section):
    de: LanguagePrompts
    en: LanguagePrompts
