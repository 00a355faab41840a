"""The site whose settings change."""

from __future__ import annotations

from workspace.builds import indexed, site

__all__ = ["indexed", "site"]
