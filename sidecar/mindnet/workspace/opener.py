"""Opens the indexes of a vault: the one for the settings, and the one that served with others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from mindnet.courtesy import Courtesy
from mindnet.embedding.cache import VectorCache
from mindnet.embedding.port import Embedder
from mindnet.errors import DamagedError, EmbeddingError, StoreError
from mindnet.feedback.decisions import Decisions
from mindnet.retrieval.intents import Intents
from mindnet.retrieval.settings import RetrieverSettings
from mindnet.store import files
from mindnet.validation.answers import ModelAnswers
from mindnet.workspace.embedders import embedder_at
from mindnet.workspace.index import Index, Parts
from mindnet.workspace.place import Place, embedder_of
from mindnet.workspace.recipe import Recipe
from mindnet.workspace.shelf import Shelf, api_key
from mindnet.workspace.stages import stages_of


def better(new: Index) -> str:
    """Why there is a new index, where nothing is amiss with the one that answers."""
    return f"Answers come from a quick model's index until a better one, of {new.embedder.name}, is whole."


TO_BUILD = "Until `mindnet import --apply` or `mindnet serve` has built it, the old one answers."
TO_BUILD_BETTER = (
    "Answers come from a quick model's index: `mindnet serve` or `mindnet import --apply` builds a better one."
)


@dataclass(frozen=True, slots=True)
class Opened:
    """``now`` answers, and ``beside`` is built meanwhile; ``reason`` says why an index is built anew.

    ``is_first``: what answers is not whole yet, and is built before the other. ``is_better``: the other differs in that
    its model finds more.
    """

    now: Index
    beside: Index | None = None
    reason: str | None = None
    is_first: bool = False
    is_better: bool = False


class Opener:
    """Opens onto ``resources``, which close all; indexes of one model share the embedder and the known vectors."""

    def __init__(
        self,
        place: Place,
        env: Mapping[str, str],
        shelf: Shelf,
        resources: ExitStack,
        *,
        retriever: Callable[[], RetrieverSettings],
        intents: Callable[[], Intents],
        decisions: Decisions,
        answers: ModelAnswers,
        courtesy: Courtesy,
    ) -> None:
        self._place, self._env, self._shelf, self._resources = place, env, shelf, resources
        self._retriever, self._intents, self._decisions, self._answers = retriever, intents, decisions, answers
        self._courtesy = courtesy
        self._shared: dict[str, tuple[Embedder, VectorCache]] = {}

    def open(self, given: Embedder | None, *, building: bool, answering: bool) -> Opened:
        """``given`` is that of ``embedder_at``, where it is there already; the rest as in ``Workspace``."""
        stages = stages_of(self._place.settings)
        given = self.share(given) if given is not None else None
        if given is None or stages.quick is not None:
            given = self.share(embedder_at(self._place, self._env))
        wanted = Recipe.of(stages.final, given)
        old, reason = self.old(wanted)
        if stages.quick is None or self._shelf.is_serving(wanted):
            quick = None
        else:
            quick = Recipe.of(stages.quick, self.share(embedder_of(stages.quick, self._env)))
        if old is None and quick is not None:
            # A model whose vectors are known, as after an update of mindnet, need not be waited for.
            if building and answering and self._shared[given.name][1].is_empty():
                first, anew = self.wanted(quick)
                return Opened(first, self.wanted(wanted)[0], reason or anew, is_first=True, is_better=True)
            if not building and self._shelf.holds(quick):
                return Opened(self.wanted(quick)[0], reason=reason)
        if old is None:
            new, anew = self.wanted(wanted)
            return Opened(new, reason=reason or anew)
        is_better = quick is not None and old.recipe.fingerprint == quick.fingerprint
        if not building:
            return Opened(old, reason=TO_BUILD_BETTER if is_better else f"{reason}. {TO_BUILD}")
        new, _ = self.wanted(wanted)
        reason = better(new) if is_better else f"{reason}; the old one answers until it is whole."
        return Opened(old, new, reason, is_better=is_better)

    def old(self, wanted: Recipe) -> tuple[Index | None, str | None]:
        """The index that served with other settings, if it still can; and why there has to be a new one."""
        folder = self._shelf.serving()
        if folder is None:
            found = files.present(self._place.data_dir, files.OLD_LAYOUT)
            return None, "The index was built by an older version of mindnet and is built anew." if found else None
        recipe = Recipe.read(folder)
        if recipe is None:
            return None, "The index was incomplete and is built anew."
        if recipe.fingerprint == wanted.fingerprint:
            return None, None
        reason = f"A new index is needed, since {recipe.unlike(wanted)}"
        try:
            self._refuse(folder, recipe, wanted)
            return self._index(folder, recipe), reason
        except (StoreError, EmbeddingError) as error:
            return None, f"{reason}. The old one cannot answer meanwhile: {error.message}"

    def _refuse(self, folder: Path, recipe: Recipe, wanted: Recipe) -> None:
        """Raises ``StoreError`` or ``EmbeddingError`` for an old index that must not answer, or could not."""
        if not recipe.is_readable:
            raise StoreError("It was written by another version of mindnet.")
        if recipe.private != wanted.private:
            raise StoreError("It would show what is private by now.")
        needed = files.needed(remote=bool(recipe.store))
        if len(files.present(folder, needed)) < len(needed):
            raise StoreError("It is incomplete.")
        embedder = self.share(embedder_of(recipe.applied_to(self._place.settings), self._env))
        if (embedder.name, embedder.dimension) != (recipe.embedder, recipe.dimension):
            raise EmbeddingError(f"The embedding model {recipe.embedder} is not there any more.")

    def wanted(self, recipe: Recipe) -> tuple[Index, str | None]:
        """The index for the settings, whole or begun; and why it had to be begun anew, if it had."""
        folder, reason = self._shelf.prepare(recipe)
        try:
            return self._index(folder, recipe), reason
        except DamagedError as error:
            reason = self._shelf.set_aside(folder, error)
        folder, _ = self._shelf.prepare(recipe)
        return self._index(folder, recipe), reason

    def _index(self, folder: Path, recipe: Recipe) -> Index:
        settings = recipe.applied_to(self._place.settings)
        embedder, vectors = self._shared[recipe.embedder]
        key = api_key(self._env, self._place.settings, recipe.store)
        parts = Parts(
            self._place.vault,
            settings,
            embedder,
            vectors,
            self._retriever,
            self._intents,
            key,
            self._decisions,
            self._answers,
            self._courtesy,
        )
        index = Index(folder, recipe, parts)
        self._resources.callback(index.close)
        return index

    def share(self, embedder: Embedder) -> Embedder:
        """The embedder of that name that is loaded already, else this one, with its known vectors."""
        if embedder.name not in self._shared:
            vectors = VectorCache(self._place.data_dir / files.VECTORS, embedder.name, embedder.dimension)
            self._resources.callback(vectors.close)
            self._shared[embedder.name] = embedder, vectors
        return self._shared[embedder.name][0]
