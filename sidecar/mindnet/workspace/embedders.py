"""The embedder of a vault, also while the server that runs its model does not answer."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from mindnet.embedding.port import Embedder
from mindnet.embedding.served import Facts
from mindnet.errors import EmbedderAwayError
from mindnet.settings import Settings
from mindnet.settings.schema import EmbeddingSection
from mindnet.store import files
from mindnet.workspace.place import Place, embedder_of
from mindnet.workspace.recipe import Recipe
from mindnet.workspace.shelf import Shelf
from mindnet.workspace.stages import stages_of

log = logging.getLogger(__name__)


def embedder_at(place: Place, env: Mapping[str, str], *, answering: bool = False) -> Embedder:
    """The embedder that the settings come to; ``answering``: of two, that of the index which serves, or will first.

    Where its server does not answer, it is as it was when the index in the data folder was built with it, and gives
    vectors as soon as the server has that very model. Raises ``EmbedderAwayError`` where there is no such index.
    """
    settings = _answering(place, env) if answering else stages_of(place.settings).final
    try:
        return embedder_of(settings, env)
    except EmbedderAwayError as error:
        known = _known(place, env, settings.mindnet.embedding)
        if known is None:
            raise
        log.warning("%s %s Until then notes are found by their words.", error.message, error.hint)
        return embedder_of(settings, env, known)


def _answering(place: Place, env: Mapping[str, str]) -> Settings:
    stages = stages_of(place.settings)
    if stages.quick is None:
        return stages.final
    serving = Shelf(place, env).serving()
    recipe = Recipe.read(serving) if serving else None
    final = stages.final.mindnet.embedding
    is_final = recipe is not None and recipe.embedding.get("provider") == final.provider
    return stages.final if is_final else stages.quick


def _known(place: Place, env: Mapping[str, str], section: EmbeddingSection) -> Facts | None:
    """What the wanted model was for the index that serves, else for one that is begun."""
    wanted = (section.provider, section.model, section.max_tokens)
    serving = Shelf(place, env).serving()
    others = files.index_folders(place.data_dir).values() if place.data_dir.exists() else ()
    for folder in filter(None, (serving, *others)):
        recipe = Recipe.read(folder)
        if recipe is None or not recipe.max_tokens:
            continue
        built = tuple(recipe.embedding.get(name) for name in ("provider", "model", "max_tokens"))
        if built == wanted:
            return Facts(recipe.embedder, recipe.dimension, recipe.max_tokens)
    return None
