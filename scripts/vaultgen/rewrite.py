"""Changes to the text of one note: a paragraph, a link, a property, a letter."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from vaultgen.plan import TOPICS, VOICES
from vaultgen.voice import Voice

_HEAD = re.compile(r"\A---\r?\n(.*?)^---\r?\n", re.DOTALL | re.MULTILINE)
_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))


@dataclass(frozen=True, slots=True)
class Pen:
    """What a change is made with. ``names`` are what links may lead to; ``ids`` are ids that other notes have."""

    rng: Random
    voice: Voice
    names: Sequence[str]
    ids: Sequence[str]

    def name(self) -> str:
        return self.names[int(self.rng.random() * len(self.names))]


def pen(rng: Random, names: Sequence[str], ids: Sequence[str]) -> Pen:
    voice = VOICES["de" if rng.random() < 0.6 else "en"](rng, TOPICS[int(rng.random() * len(TOPICS))])
    return Pen(rng, voice, names, ids)


def rewritten(content: bytes, change: Callable[[str, Pen], str], using: Pen) -> bytes:
    """The bytes of a file whose text was changed, in the encoding that it had."""
    codec = next((codec for mark, codec in _MARKS if content.startswith(mark)), "utf-8")
    return change(content.decode(codec, "surrogateescape"), using).encode(codec, "surrogateescape")


def split(text: str) -> tuple[list[str], str]:
    """The lines of the frontmatter, none if there is none, and what comes behind it."""
    head = _HEAD.match(text)
    return (head.group(1).splitlines(), text[head.end() :]) if head else ([], text)


def joined(lines: Sequence[str], body: str) -> str:
    return "---\n" + "\n".join(lines) + "\n---\n" + body if lines else body


# ------------------------------------------------------------------ the body
def add_paragraph(text: str, using: Pen) -> str:
    return f"{text.rstrip()}\n\n{using.voice.paragraph(25)[0]}\n"


def add_link(text: str, using: Pen) -> str:
    kind = using.voice.phrases.kinds.draw(using.rng.random)
    forms = (
        "[[{n}]]",
        "siehe [[{n}|dort]]",
        "rel: {k} [[{n}]]",
        "{k}:: [[{n}]]",
        "[[rel:{k} {n}]]",
        "> [!edge] {k}: [[{n}]]",
    )
    form = forms[int(using.rng.random() * len(forms))]
    return f"{text.rstrip()}\n\n{form.format(n=using.name(), k=kind)}\n"


def change_block(text: str, using: Pen) -> str:
    """Another paragraph, or none, in the place of a block."""
    head, body = split(text)
    blocks = body.split("\n\n")
    place = int(using.rng.random() * len(blocks))
    blocks[place : place + 1] = [] if using.rng.random() < 0.3 else [using.voice.paragraph(20)[0]]
    return joined(head, "\n\n".join(blocks))


def insert_on_top(text: str, using: Pen) -> str:
    """Moves every line of the note down."""
    head, body = split(text)
    return joined(head, f"{using.voice.sentence()}\n\n{body}")


def change_letter(text: str, using: Pen) -> str:
    """One letter for another: the file keeps its size."""
    places = [place for place, letter in enumerate(text) if "a" <= letter <= "z"]
    if not places:
        return text + "x"
    place = places[int(using.rng.random() * len(places))]
    return text[:place] + ("a" if text[place] != "a" else "e") + text[place + 1 :]


def rename_heading(text: str, using: Pen) -> str:
    lines = text.split("\n")
    places = [place for place, line in enumerate(lines) if re.match(r"#{1,6} ", line)]
    if not places:
        return f"# {using.voice.title()[0]}\n\n{text}"
    place = places[int(using.rng.random() * len(places))]
    lines[place] = f"{lines[place].split(' ', 1)[0]} {using.voice.title()[0]}"
    return "\n".join(lines)


def empty(text: str, using: Pen) -> str:
    del text, using
    return ""


def drop_links(text: str, using: Pen) -> str:
    """Every second link becomes its text."""
    return re.sub(r"\[\[([^\[\]|#]+)\]\]", lambda m: m.group(1) if using.rng.random() < 0.5 else m.group(0), text)


BODY: Sequence[tuple[float, Callable[[str, Pen], str]]] = (
    (0.20, add_paragraph),
    (0.40, add_link),
    (0.60, change_block),
    (0.68, insert_on_top),
    (0.80, change_letter),
    (0.88, rename_heading),
    (0.96, drop_links),
    (1.01, empty),
)


# ------------------------------------------------------------------ the properties
def set_property(text: str, key: str, value: str | None) -> str:
    """The text with another value, or none, for a key of the frontmatter."""
    lines, body = split(text)
    kept: list[str] = []
    inside = False
    for line in lines:
        inside = line.startswith(f"{key}:") or (inside and line[:1] in (" ", "\t", "-"))
        if not inside:
            kept.append(line)
    if value is not None:
        kept.append(f"{key}: {value}")
    return joined(kept, body)


def _type(using: Pen) -> tuple[str, str | None]:
    names = ("concept", "project", "decision", "value", "principle", "experience", "glossary", "recipe")
    return "type", None if using.rng.random() < 0.2 else names[int(using.rng.random() * len(names))]


def _status(using: Pen) -> tuple[str, str | None]:
    """Also ``template``, which takes a note out of the index, and back."""
    return "status", (None, "stable", "draft", "template", "system", "draft")[int(using.rng.random() * 6)]


def _title(using: Pen) -> tuple[str, str | None]:
    return "title", None if using.rng.random() < 0.3 else f'"{using.voice.title()[0]}"'


def _aliases(using: Pen) -> tuple[str, str | None]:
    """Now and then a name that others link to."""
    chance = using.rng.random()
    alias = using.name() if chance < 0.4 else using.voice.title()[0]
    return "aliases", None if chance > 0.8 else f'["{alias}"]'


def _id(using: Pen) -> tuple[str, str | None]:
    """Now and then one that another note has."""
    chance = using.rng.random()
    if chance < 0.3:
        return "id", None
    if using.ids and chance < 0.6:
        return "id", using.ids[int(using.rng.random() * len(using.ids))]
    return "id", f"n{int(using.rng.random() * 1e9)}"


def _tags(using: Pen) -> tuple[str, str | None]:
    return "tags", f"[{using.voice.topic}, x{int(using.rng.random() * 5)}]"


def _relation(using: Pen) -> tuple[str, str | None]:
    key = ("up", "depends_on", "related")[int(using.rng.random() * 3)]
    return key, None if using.rng.random() < 0.3 else f'"[[{using.name()}]]"'


def _weight(using: Pen) -> tuple[str, str | None]:
    return "retriever_weight", str(round(using.rng.random(), 2))


def _profile(using: Pen) -> tuple[str, str | None]:
    return "chunk_profile", (None, "short", "long", "by_heading")[int(using.rng.random() * 4)]


def _private(using: Pen) -> tuple[str, str | None]:
    return "private", "true" if using.rng.random() < 0.5 else None


def _unread(using: Pen) -> tuple[str, str | None]:
    return "cssclasses", using.voice.product()


def _broken(using: Pen) -> tuple[str, str | None]:
    return "source", '"open' if using.rng.random() < 0.5 else None


PROPERTIES: Sequence[Callable[[Pen], tuple[str, str | None]]] = (
    _type, _status, _title, _aliases, _id, _tags, _relation, _weight, _profile, _private, _unread, _broken,
)  # fmt: skip


def change_property(text: str, using: Pen) -> str:
    key, value = PROPERTIES[int(using.rng.random() * len(PROPERTIES))](using)
    return set_property(text, key, value)


def change_body(text: str, using: Pen) -> str:
    chance = using.rng.random()
    return next(change for limit, change in BODY if chance < limit)(text, using)
