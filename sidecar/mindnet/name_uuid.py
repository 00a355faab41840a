"""UUIDs made of names: the ids of notes without one of their own, of points and of edges."""

from __future__ import annotations

from hashlib import sha1
from uuid import NAMESPACE_URL

_NAMESPACE = NAMESPACE_URL.bytes


def name_uuid(name: str) -> str:
    """The UUIDv5 of a name in the namespace for URLs (RFC 9562, 5.5), without the detour over ``uuid.UUID``.

    Half of a surrogate pair counts as the three bytes that UTF-8 would have for it.
    """
    digest = sha1(_NAMESPACE + name.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
    variant = "89ab"[int(digest[16], 16) & 3]
    return f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"
