"""Text of notes as data in a prompt: it can neither end its passage, nor begin another, nor speak to the model."""

from __future__ import annotations

import re

QUOTE = "> "
MAX_NAME = 200

_FRAME = re.compile(
    r"""<\|[^<>|\n]{1,60}\|>            # <|im_start|>, <|eot_id|>
      | <｜[^<>｜\n]{1,60}｜>            # the same with full-width bars
      | </?(?:s|bos|eos|pad|unk|think|tool_call|tool_response|start_of_turn|end_of_turn|start_of_image)>
      | \[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT)\]
      | <</?SYS>>""",
    re.VERBOSE | re.IGNORECASE,
)


def plain(text: str) -> str:
    """The text with every mark that a model's template uses broken by a space, so that it is read as text."""
    return _FRAME.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)


def quoted(text: str) -> str:
    """The text as a quotation: each of its lines begins with ``>``, whatever characters end them."""
    return "\n".join(f"{QUOTE}{line}".rstrip() for line in plain(text).strip().splitlines())


def name(text: str) -> str:
    """A title or heading on one line; square brackets are kept for the numbers of sources."""
    flat = " ".join(plain(text).split()).replace("[", "(").replace("]", ")")
    return flat if len(flat) <= MAX_NAME else f"{flat[:MAX_NAME]}…"
