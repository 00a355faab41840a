"""The text of one planned note: frontmatter, headings, and blocks in which its links are written in many forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from urllib.parse import quote

from vaultgen.plan import TYPES, VOICES, Planned, PlannedLink
from vaultgen.voice import Voice


class Writing:
    """A note being written: what there is to say it with, and the links that are still to be placed."""

    def __init__(self, note: Planned, seed: int) -> None:
        self.note = note
        self.rng = Random(f"note {seed} {note.number}")
        self.voice: Voice = VOICES[note.language](self.rng, note.topic, note.focus)
        self.labels = self.voice.phrases.labels
        self.left = note.words
        self.waiting = list(note.links)
        self.head: list[PlannedLink] = []
        self.zone: list[PlannedLink] = []
        self.unassigned: list[PlannedLink] = []
        self.see_also: list[PlannedLink] = []
        self._deal()

    def _deal(self) -> None:
        """Sets links aside for the places at the note's ends; the others go into its blocks."""
        if not self.note.typed:
            share = 0.25 if self.note.kind != "overview" else 0.0
            self.see_also = self._take(share)
            return
        self.head = self._take(0.12)
        self.zone = self._take(0.06)
        self.unassigned = self._take(0.04)
        self.see_also = self._take(0.10)

    def _take(self, share: float) -> list[PlannedLink]:
        taken = [link for link in self.waiting if self.rng.random() < share]
        self.waiting = [link for link in self.waiting if link not in taken]
        return taken

    def kind_word(self) -> str:
        return self.voice.phrases.kinds.draw(self.rng.random)


# ------------------------------------------------------------------ links
def wikilink(writing: Writing, link: PlannedLink, *, cell: bool = False) -> str:
    pipe = "\\|" if cell else "|"
    section = f"#{link.section}" if link.section else ""
    label = f"{pipe}{writing.voice.item()}" if writing.rng.random() < 0.18 else ""
    return f"[[{link.text}{section}{label}]]"


def plain(writing: Writing, link: PlannedLink) -> str:
    """A link without relation, in one of Obsidian's and Markdown's forms."""
    chance = writing.rng.random()
    if chance < 0.07 and link.path:
        section = f"#{quote(link.section)}" if link.section else ""
        label = writing.voice.item()
        if chance < 0.035 or "<" in link.path or ">" in link.path:
            return f"[{label}]({quote(link.path)}.md{section})"
        return f"[{label}](<{link.path}.md{section and '#' + link.section}>)"
    return wikilink(writing, link)


def in_sentence(writing: Writing, link: PlannedLink) -> str:
    """A sentence that speaks of the link's note."""
    chance = writing.rng.random()
    if writing.note.typed and chance < 0.14:
        kind = writing.kind_word()
        separator = "|" if chance < 0.07 else " "
        return writing.voice.phrases.links.draw(writing.rng.random).format(f"[[rel:{kind}{separator}{link.text}]]")
    if writing.note.typed and chance < 0.20:
        return f"{writing.voice.sentence()[:-1]} ({writing.kind_word()}:: [[{link.text}]])."
    if chance < 0.55:
        return f"{writing.voice.sentence()[:-1]} ({plain(writing, link)})."
    return writing.voice.phrases.links.draw(writing.rng.random).format(plain(writing, link))


def relation_line(writing: Writing, links: list[PlannedLink]) -> str:
    """One line or callout of relations to several notes."""
    kind = writing.kind_word()
    chance = writing.rng.random()
    if chance < 0.4:
        return f"rel: {kind} {' '.join(f'[[{link.text}]]' for link in links)}"
    if chance < 0.7:
        return f"{kind}:: {', '.join(f'[[{link.text}]]' for link in links)}"
    if chance < 0.80:
        return f"rel: candidate:{kind} [[{links[0].text}]]"
    lines = [f"> [!edge]{'-' if chance < 0.90 else ''} {kind}: [[{links[0].text}]]"]
    lines += [f"> {writing.kind_word()}: [[{link.text}]]" for link in links[1:]]
    return "\n".join(lines)


# ------------------------------------------------------------------ blocks
def paragraph(writing: Writing) -> tuple[str, int]:
    text, words = writing.voice.paragraph(min(int(writing.rng.lognormvariate(3.4, 0.5)), writing.left))
    if writing.rng.random() < 0.06:
        text = f"{text} **{writing.voice.item()}**, *{writing.voice.item()}*."
    return text, words


def bullets(writing: Writing) -> tuple[str, int]:
    task = "[ ] " if writing.rng.random() < 0.25 else ""
    lines = []
    for number in range(min(2 + int(writing.rng.random() * 5), writing.left // 8 + 1)):
        indent = "  " if number and writing.rng.random() < 0.2 else ""
        text = writing.voice.item() if writing.rng.random() < 0.5 else writing.voice.sentence()
        lines.append(f"{indent}- {task}{text}")
    return "\n".join(lines), sum(line.count(" ") for line in lines)


def table(writing: Writing) -> tuple[str, int]:
    voice = writing.voice
    rows = [f"| {voice.noun().singular} | {voice.noun().singular} |", "| --- | --: |"]
    for _ in range(2 + int(writing.rng.random() * 5)):
        cell = voice.item()
        if writing.waiting and writing.rng.random() < 0.3:
            cell = wikilink(writing, writing.waiting.pop(), cell=True)
        rows.append(f"| {cell} | {voice.number()} |")
    return "\n".join(rows), 4 * len(rows)


def callout(writing: Writing) -> tuple[str, int]:
    kind = ("note", "tip", "warning", "question", "quote")[int(writing.rng.random() * 5)]
    names = writing.voice.phrases.callouts
    text, words = writing.voice.paragraph(20)
    if writing.waiting and writing.rng.random() < 0.3:
        text = f"{text} {in_sentence(writing, writing.waiting.pop())}"
    return f"> [!{kind}] {names[int(writing.rng.random() * len(names))]}\n> {text}", words


def fence(writing: Writing) -> tuple[str, int]:
    """Code, in which a link is none."""
    words = [writing.voice.product().lower() for _ in range(4)]
    lines = [
        f"{words[0]} = {words[1]}({writing.voice.number()}, [[{words[2]}]])",
        f"# {writing.voice.item()}",
        f"print({words[0]}.{words[3]})",
    ]
    return "```python\n" + "\n".join(lines) + "\n```", 12


def quoted(writing: Writing) -> tuple[str, int]:
    text, words = writing.voice.paragraph(15)
    return f"> {text}\n> — {writing.voice.person()}", words


def formula(writing: Writing) -> tuple[str, int]:
    return f"$$ x_{{{writing.voice.number()}}} = \\frac{{a}}{{b}} $$", 3


def picture(writing: Writing) -> tuple[str, int]:
    return f"![[{writing.voice.noun().singular}-{writing.voice.number()}.png]]", 1


BLOCKS: tuple[tuple[float, Callable[[Writing], tuple[str, int]]], ...] = (
    (0.64, paragraph),
    (0.84, bullets),
    (0.88, table),
    (0.92, callout),
    (0.95, fence),
    (0.97, quoted),
    (0.985, picture),
    (1.01, formula),
)
"""Up to which chance each kind of block is taken."""


def _block(writing: Writing) -> tuple[str, int]:
    chance = writing.rng.random()
    return next(make for limit, make in BLOCKS if chance < limit)(writing)


# ------------------------------------------------------------------ the note
def body(writing: Writing) -> list[str]:
    """The blocks of a note, headings among them, with about as many words as planned."""
    note, rng = writing.note, writing.rng
    parts: list[str] = []
    if rng.random() < 0.75 or note.title != note.stem:
        parts.append(f"# {note.title if rng.random() < 0.9 else writing.voice.title()[0]}")
    headings = list(note.headings)
    per_section = max(note.words // (len(headings) + 1), 1)
    per_link = max(note.words // (len(writing.waiting) + 1), 1)
    written = in_section = since_link = 0
    while written < note.words or (headings and note.words):
        if headings and in_section >= per_section:
            parts.append(f"{'##' if rng.random() < 0.75 else '###'} {headings.pop(0)}")
            in_section = 0
        writing.left = max(note.words - written, 1)
        text, words = _block(writing)
        since_link += words
        if writing.waiting and since_link >= per_link:
            since_link = 0
            if note.typed and rng.random() < 0.25:
                text = f"{text}\n\n{relation_line(writing, _some(writing))}"
            else:
                text = f"{text}{' ' if text[-1] in '.?' else chr(10) * 2}{in_sentence(writing, writing.waiting.pop())}"
        parts.append(text)
        written += words
        in_section += words
    return parts


def _some(writing: Writing) -> list[PlannedLink]:
    count = 1 + int(writing.rng.random() ** 2 * 3)
    taken, writing.waiting = writing.waiting[:count], writing.waiting[count:]
    return taken


def ending(writing: Writing) -> list[str]:
    """What stands at a note's end: lists of links, relations of the whole note, proposals."""
    parts: list[str] = []
    rest = [*writing.waiting, *writing.see_also]
    if rest:
        parts.append(f"## {writing.labels['see_also']}")
        embed = writing.rng.random() < 0.08
        parts.append("\n".join(f"- {plain(writing, link)}" for link in rest))
        if embed:
            parts.append(f"![[{rest[0].text}]]")
    if writing.zone:
        parts.append(f"## {writing.labels['smart']}")
        parts += [f"rel: {writing.kind_word()} [[{link.text}]]" for link in writing.zone]
    if writing.unassigned:
        parts.append(f"## {writing.labels['unassigned']}")
        parts.append("\n".join(f"- [[{link.text}]]" for link in writing.unassigned))
    return parts


def frontmatter(writing: Writing) -> str:
    """The properties of a note, empty for most."""
    note, rng = writing.note, writing.rng
    lines: list[str] = []
    if note.own_id:
        lines.append(f"id: {note.own_id}")
    if note.title != note.stem:
        lines.append(f'title: "{note.title}"')
    if note.aliases:
        lines.append("aliases: [" + ", ".join(f'"{alias}"' for alias in note.aliases) + "]")
    if note.kind == "template":
        lines.append("status: template")
    elif note.typed:
        lines.append(f"type: {TYPES[note.kind] if rng.random() < 0.97 else 'recipe'}")
        if rng.random() < 0.6:
            lines.append(f"status: {('stable', 'draft', 'draft', 'in progress')[int(rng.random() * 4)]}")
    if rng.random() < 0.3:
        tags = dict.fromkeys((note.topic, *(writing.voice.noun().singular.replace(" ", "-") for _ in range(2))))
        lines.append(f"tags: [{', '.join(tags)}]" if rng.random() < 0.5 else "tags:\n" + _items(tags))
    if rng.random() < 0.15:
        lines.append(f"created: {note.created:%Y-%m-%d}")
    if rng.random() < 0.05:
        lines.append(f"cssclasses: {note.kind}")
    if rng.random() < 0.01:
        lines.append("private: true")
    if rng.random() < 0.004:
        # Such faults are common in real vaults: the note must not be lost for them.
        lines.append(('rating: "seven', "source:\tpaper", "author: one: two")[int(rng.random() * 3)])
    lines += _head_links(writing)
    return "---\n" + "\n".join(lines) + "\n---\n" if lines else ""


def _items(values: Mapping[str, None]) -> str:
    return "\n".join(f"  - {value}" for value in values)


def _head_links(writing: Writing) -> list[str]:
    links = [f'"[[{link.text}]]"' for link in writing.head]
    if not links:
        return []
    if writing.rng.random() < 0.5:
        return [f"{writing.kind_word()}: {links[0]}", *([f"up: {links[1]}"] if len(links) > 1 else [])]
    listed = "\n".join(f"    - {link}" for link in links)
    return [f"links:\n  {writing.kind_word()}:\n{listed}"]


def note_text(note: Planned, seed: int) -> str:
    """The whole file, the same for the same plan and seed."""
    writing = Writing(note, seed)
    head = frontmatter(writing)
    parts = body(writing)
    if writing.rng.random() < 0.25:
        parts.append(f"#{note.topic} #{writing.voice.noun().singular.replace(' ', '-')}")
    parts += ending(writing)
    return head + "\n\n".join(parts) + "\n"
