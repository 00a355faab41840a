"""Opens the indexes of a vault: the one for the settings, and the one that served with others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
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
from mindnet.workspace.index import Index, Parts
from mindnet.workspace.place import Place, embedder_of
from mindnet.workspace.recipe import Recipe
from mindnet.workspace.shelf import Shelf, api_key


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
