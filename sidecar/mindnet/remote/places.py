"""Where a server is: on this machine, or somewhere else; and what it takes to speak to it safely."""

from __future__ import annotations

import ipaddress
import ssl
from functools import cache
from urllib.parse import urlsplit


def is_local(url: str) -> bool:
    """Whether what is sent to the address stays on this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def connect_seconds(url: str) -> float:
    """How long a connection is waited for: what does not answer at once on this machine is a machine that is busy."""
    return 20.0 if is_local(url) else 5.0


@cache
def tls() -> ssl.SSLContext:
    """What a client needs for https; to read all certificates anew for each request would take longer than most."""
    return ssl.create_default_context()
