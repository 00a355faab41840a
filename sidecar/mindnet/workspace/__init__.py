"""A vault with everything that serves it, put together from the settings: what the command line and the API share."""

from mindnet.workspace.index import Index
from mindnet.workspace.indexes import Rebuild
from mindnet.workspace.place import Place, embedder_of, find_place, make_source, registries
from mindnet.workspace.workspace import Workspace

__all__ = ["Index", "Place", "Rebuild", "Workspace", "embedder_of", "find_place", "make_source", "registries"]
