"""The indexes of a data folder: which one serves, which one is begun, and what of them goes."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Collection, Mapping
from pathlib import Path

from mindnet.errors import StoreError
from mindnet.settings import Settings
from mindnet.settings.folders import folder_name, write_private
from mindnet.store import files
from mindnet.workspace.place import Place
from mindnet.workspace.recipe import Recipe

log = logging.getLogger(__name__)


class Shelf:
    """One data folder, held by this process when it is changed."""

    def __init__(self, place: Place, env: Mapping[str, str]) -> None:
        self.folder = place.data_dir
        self._owner = folder_name(place.vault)
        self._settings = place.settings
        self._env = env

    # -------------------------------------------------------------- the pointer
    def serving(self) -> Path | None:
        """The folder of the index that was whole; None when there is none."""
        try:
            data = json.loads((self.folder / files.POINTER).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        build = data.get("serves") if isinstance(data, dict) else None
        return files.index_folders(self.folder).get(build) if isinstance(build, str) else None

    def is_serving(self, recipe: Recipe) -> bool:
        return self.serving() == files.index_folder(self.folder, recipe.build)

    def holds(self, recipe: Recipe) -> bool:
        """Whether an index of this recipe is there, whole or begun."""
        return files.index_folder(self.folder, recipe.build).exists()

    def serve(self, recipe: Recipe) -> None:
        """From here on, over restarts too, the index of this recipe is the one that serves."""
        if not self.is_serving(recipe):
            write_private(self.folder / files.POINTER, json.dumps({"serves": recipe.build}))

    # -------------------------------------------------------------- the folders
    def prepare(self, recipe: Recipe) -> tuple[Path, str | None]:
        """The folder for an index of this recipe, made if need be; and why what was in it is gone, None if it stays."""
        folder = files.index_folder(self.folder, recipe.build)
        reason = None
        if folder.exists() and not self._is_sound(folder, recipe):
            reason = "The index was incomplete and is built anew."
            self._forget(folder)
            files.remove([folder])
        if not folder.exists():
            folder.mkdir(mode=0o700)
        if Recipe.read(folder) is None:
            recipe.write(folder)
        return folder, reason

    def _is_sound(self, folder: Path, recipe: Recipe) -> bool:
        """Whether an index can be in the folder, or nothing yet."""
        known, parts = Recipe.read(folder), files.needed(remote=bool(recipe.store))
        held = len(files.present(folder, parts))
        if known is None or known.fingerprint != recipe.fingerprint:
            return known is None and held == 0
        return held in (0, len(parts))

    def set_aside(self, folder: Path, error: StoreError) -> str:
        """Moves an index that does not open out of the way, so that nothing is lost."""
        kept = f"{files.DAMAGED}{time.strftime('%Y%m%d-%H%M%S')}-{folder.name}"
        self._forget(folder)
        folder.rename(self.folder / kept)
        return f"The store was damaged ({error.message}) and is built anew; the old one is kept as {kept}."

    def _forget(self, folder: Path) -> None:
        """An index that is begun anew is not whole."""
        if self.serving() == folder:
            self.unserve()

    def unserve(self) -> None:
        """No index counts as whole any more."""
        (self.folder / files.POINTER).unlink(missing_ok=True)

    def keep(self, recipes: Collection[Recipe]) -> None:
        """Removes every index but those of the recipes, in the data folder and on servers.

        A server that does not answer keeps its collections until it does: the next start asks again, if it is still
        the configured one.
        """
        kept = {files.index_folder(self.folder, recipe.build) for recipe in recipes}
        stale = [folder for folder in files.index_folders(self.folder).values() if folder not in kept]
        places = {(recipe.store, recipe.prefix) for folder in stale if (recipe := Recipe.read(folder))}
        places |= {(recipe.store, recipe.prefix) for recipe in recipes}
        for url, prefix in sorted(places):
            builds = {recipe.build for recipe in recipes if (recipe.store, recipe.prefix) == (url, prefix)}
            try:
                self.clear_server(url, prefix, builds)
            except StoreError as error:
                log.warning("%s Collections of an index that is not needed any more stay there.", error.message)
        files.remove([*stale, *files.present(self.folder, files.OLD_LAYOUT), *self.folder.glob(f"{files.REMOVED}*")])

    def clear_server(self, url: str, prefix: str, keep: Collection[str] = ()) -> list[str]:
        """Deletes this vault's collections on a server, but those of the builds to keep; gives their names."""
        if not url:
            return []
        # Here, since the client takes a second to import.
        from mindnet.store.server import remove_collections

        return remove_collections(
            url, api_key=api_key(self._env, self._settings, url), prefix=prefix, owner=self._owner, keep=keep
        )

    def places(self) -> list[tuple[str, str]]:
        """Address and prefix of every server that holds an index of this data folder, or is configured."""
        recipes = map(Recipe.read, files.index_folders(self.folder).values())
        found = {(recipe.store, recipe.prefix) for recipe in recipes if recipe and recipe.store}
        store = self._settings.mindnet.store
        return sorted(found | ({(store.url, store.prefix)} if store.url else set()))


def held_prefixes(folder: Path) -> frozenset[str]:
    """The prefixes of the collections whose index is in the data folder."""
    recipes = map(Recipe.read, files.index_folders(folder).values())
    return frozenset(recipe.prefix for recipe in recipes if recipe)


def api_key(env: Mapping[str, str], settings: Settings, url: str) -> str | None:
    """The server's key; nothing for another server than the configured one, which is not to see it."""
    configured = settings.mindnet.store.url
    return (env.get("QDRANT_API_KEY") or None) if configured in ("", url) else None
