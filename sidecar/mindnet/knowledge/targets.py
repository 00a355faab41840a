"""Where the links of one note lead, each text looked up once: edges and what links say ask for the same ones."""

from __future__ import annotations

from mindnet.records import Mention
from mindnet.vault.resolve import Catalog, Resolution


class Targets:
    """The targets of the note at ``path``, as ``catalog`` knows them."""

    def __init__(self, catalog: Catalog, path: str) -> None:
        self.catalog = catalog
        self._path = path
        self._found: dict[tuple[str, bool], Resolution] = {}

    def of(self, mention: Mention) -> Resolution:
        return self._resolve(mention.target, relative=mention.relative)

    def counts(self, mention: Mention) -> bool:
        """False for an attachment: what looks like one is a note only where a file of that name is there."""
        return not mention.attachment or self.of(mention).by in ("path", "name")

    def start_of(self, mention: Mention) -> Resolution:
        """The note that an arrow of a canvas leaves."""
        return self._resolve(mention.from_note, relative=False)

    def _resolve(self, text: str, *, relative: bool) -> Resolution:
        found = self._found.get((text, relative))
        if found is None:
            found = self._found[text, relative] = self.catalog.resolve(self._path, text, relative=relative)
        return found
