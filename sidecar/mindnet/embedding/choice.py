"""Which embedding is wanted, as the settings name it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Choice:
    """``provider`` runs the model, ``model`` is its name there; empty: the provider's default.

    ``url`` is a server's address, ``api_key_env`` names the environment variable that holds its key, ``key`` is that
    secret itself. ``max_tokens`` bounds what is embedded at once; 0: as the provider does by itself. ``download``
    allows the provider to fetch a model that is not on this computer.
    """

    provider: str = "bundled"
    model: str = ""
    url: str = ""
    api_key_env: str = ""
    max_tokens: int = 0
    key: str = field(default="", repr=False)
    download: bool = False

    @property
    def is_apart(self) -> bool:
        """Whether many passages are worth a process of their own: where the arithmetic is done on this computer.

        The bundled model needs the interpreter for it, and both need the processor, which answers have to come before.
        """
        return self.provider == "fastembed" or (self.provider == "bundled" and self.model in ("", "bundled"))
