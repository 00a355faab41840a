"""Notes made up at random, together with what is to be read in them.

Every link has a target of its own, ``Zq`` and a number. Whoever writes a link knows whether it can be seen where
it goes and which relations it stands in; its line is looked up in the finished text. Left out is what Obsidian's
editor and its reading view take differently, or what no rule decides:

- text behind ``-->`` where the comment began its line, and Markdown within HTML blocks
- ``$$``, ``%%`` in the middle of a line, and backticks, that are never closed; inline math over several lines
- bars that are not escaped in the code or formula of a table's cell
- fields in headings; fields and ``[[rel:…]]`` within other fields; ``[[rel:…]]`` in edge callouts
- lines without ``>`` that open or close anything but text; numbered lists that do not begin with 1
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

KINDS = ("uses", "depends_on", "ausgelöst_durch", "Teil-von")
KEYS = (*KINDS, "Teil von")
WORDS = (
    "Ulme", "über", "**Moor**", "_am_", "==Rand==", "#tag", "50 %", r"\[x\]", r"5\$", "5$", "a < b", "`x`", "<b>y</b>",
    "![[bild.png]]", "[x](https://example.org/a_(b))", "[^1]", "(b)", r"\`", "a_b", "C:", "12:30",
)  # fmt: skip
WRAPPERS = ("{}", "{}", "{}", "**{}**", "=={}==", "~~{}~~", "({})", "„{}“", "<b>{}</b>", "{}.", "{}s")
MARKERS = ("-", "*", "+", "1.", "1)")
#: How a line of something hidden may look. None of it may end what hides it.
SHOWN = (
    "{}", "Wort {} Wort", "rel: uses {}", "uses:: {}", "(uses:: {})", "> [!edge] uses: {}", "# {}", "- {}", "| {} |",
)  # fmt: skip
Lines = list[str]
#: Source, kind, target, section, label, candidate: all of a mention but its place.
Seen = tuple[str, str | None, str, str, str, bool]


@dataclass
class Edge:
    """Where an edge callout is: the kind that its next link has, None before the first."""

    kind: str | None = None


@dataclass(frozen=True)
class Place:
    """Where a text goes, which decides what its links are besides mentions and what may stand there."""

    hidden: bool = False
    table: bool = False
    key: str | None = None
    rel: tuple[str, bool] | None = None
    edge: Edge | None = None
    heading: bool = False

    @property
    def free(self) -> bool:
        """Whether every kind of relation may be written here."""
        return not (self.key or self.rel or self.edge or self.heading)


class Corpus:
    """A note in the making: ``seen`` says what each visible target is mentioned as, ``hidden`` names the others."""

    def __init__(self, seed: int, seen: dict[str, set[Seen]], hidden: set[str]) -> None:
        self.random = random.Random(seed)
        self.seen = seen
        self.hidden = hidden

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def some(self, low: int, high: int) -> range:
        return range(self.random.randint(low, high))

    # ------------------------------------------------------------------ links
    def link(self, place: Place) -> str:
        token = f"Zq{len(self.seen) + len(self.hidden):04}"
        forms: list[Callable[[str], tuple[str, set[Seen]]]] = [self._wikilink, self._wikilink, self._embed, self._mdlink]
        if place.hidden or place.free:
            forms.append(self._rel_link)
        text, seen = self.random.choice(forms)(token)
        if place.hidden:
            self.hidden.add(token)
        else:
            _, _, target, section, label, _ = next(iter(seen))
            relations = [("field", place.key, False)] if place.key else []
            relations += [("rel", *place.rel)] if place.rel else []
            relations += [("callout", place.edge.kind, False)] if place.edge and place.edge.kind else []
            for source, kind, candidate in relations:
                seen.add((source, kind, target, section, label, candidate))
            self.seen[token] = seen
        return text.replace("|", r"\|") if place.table else text

    def _wikilink(self, token: str) -> tuple[str, set[Seen]]:
        target = self.random.choice((token, f"{token} Wald", f"Tal/{token}", f"{token}.md", f"{token} ä-ö"))
        section = self.random.choice(("", "", "Rand", "Eins#Zwei", "^b1"))
        label = self.random.choice(("", "", "kurz", "mit (Klammer)"))
        inner = target + (f"#{section}" if section else "") + (f"|{label}" if label else "")
        return f"[[{' ' * self.chance(0.1)}{inner}]]", {("wikilink", None, target, section, label, False)}

    def _embed(self, token: str) -> tuple[str, set[Seen]]:
        section, label = self.random.choice((("", ""), ("Rand", ""), ("", "120")))
        inner = token + (f"#{section}" if section else "") + (f"|{label}" if label else "")
        return f"![[{inner}]]", {("embed", None, token, section, label, False)}

    def _mdlink(self, token: str) -> tuple[str, set[Seen]]:
        written, target, section = self.random.choice(
            (
                (f"{token}.md", f"{token}.md", ""),
                (f"<{token} Wald.md>", f"{token} Wald.md", ""),
                (f"../{token}%20Wald.md#Am%20Rand", f"../{token} Wald.md", "Am Rand"),
                (f'Tal/{token}.md "Titel"', f"Tal/{token}.md", ""),
            )
        )
        return f"[hin]({written})", {("mdlink", None, target, section, "hin", False)}

    def _rel_link(self, token: str) -> tuple[str, set[Seen]]:
        kind, candidate, label = self.random.choice(KINDS), self.chance(0.2), self.random.choice(("", "kurz"))
        inner = f"rel:{'candidate:' * candidate}{kind}{self.random.choice(' |')}{token}{f'|{label}' if label else ''}"
        relation: Seen = ("rel", kind, token, "", label, candidate)
        return f"[[{inner}]]", {("wikilink", None, token, "", label, False), relation}

    # ------------------------------------------------------------------ lines
    def line(self, place: Place) -> str:
        """Text that begins no block of its own."""
        if place.edge:
            return self._edge_line(place, place.edge)
        if place.free and self.chance(0.15):
            key = self.random.choice(KEYS)
            return f"{key if self.chance(0.7) else f'**{key}**'}:: {self.atoms(replace(place, key=key))}"
        return self.atoms(place)

    def atoms(self, place: Place) -> str:
        choices: list[Callable[[Place], str]] = [self._word, self._word, self._wrapped, self._wrapped, self._hidden_atom]
        if place.free:
            choices += [self._rel_run, self._bracket_field]
        found = " ".join(self.random.choice(choices)(place) for _ in self.some(1, 4))
        return f"Wort {found}" if found.startswith("<!--") else found

    def _edge_line(self, place: Place, edge: Edge) -> str:
        form = self.random.randrange(5)
        if form == 0 or place.heading:
            return self.atoms(place)
        if form == 1:
            return self._rel_run(replace(place, edge=None))
        before = f"{self.link(place)}, " if form == 2 else ""
        edge.kind = self.random.choice(KINDS if before else KEYS)
        name = f"**{edge.kind}**" if form == 3 else edge.kind
        return f"{before}{name}:{':' * self.chance(0.2)} {self.links(place)} {self.atoms(place)}"

    def links(self, place: Place) -> str:
        """A row of links that nothing else interrupts."""
        between = self.random.choice((" ", ", ", ","))
        return between.join(self.link(place) for _ in self.some(1, 3))

    def _word(self, place: Place) -> str:
        # In an edge callout a word before a colon is a kind.
        return self.random.choice([word for word in WORDS if not place.edge or ":" not in word])

    def _wrapped(self, place: Place) -> str:
        return self.random.choice(WRAPPERS).replace("{}", self.link(place))

    def _rel_run(self, place: Place) -> str:
        kind, candidate = self.random.choice(KINDS), self.chance(0.2)
        return f"rel: {'candidate:' * candidate}{kind} {self.links(replace(place, rel=(kind, candidate)))} und"

    def _bracket_field(self, place: Place) -> str:
        key = self.random.choice(KEYS)
        inner = f"{key}:: {self.links(replace(place, key=key))}"
        return f"({inner})" if self.chance(0.5) else f"[{inner}]"

    def _hidden_atom(self, place: Place) -> str:
        frame = self.random.choice(
            ("`{}`", "`` {} ` ``", "$a {} b$", "$$ {} $$", "%% {} %%", "%%{}%%", "<!-- {} -->", "<!--{}-->")
        )
        return frame.replace("{}", self._hidden_text(place))

    def _hidden_text(self, place: Place) -> str:
        text = self.random.choice(("{}", "{} Wort", "rel: uses {}", "uses:: {}", "(uses:: {})"))
        return text.replace("{}", self.link(replace(place, hidden=True)))

    def hidden_lines(self, place: Place, *, blanks: bool = True) -> Lines:
        lines: Lines = []
        for _ in self.some(1, 3):
            lines += [""] if lines and blanks and self.chance(0.3) else []
            lines.append(self.random.choice(SHOWN).replace("{}", self.link(replace(place, hidden=True))))
        return lines

    # ------------------------------------------------------------------ blocks without blocks in them
    def paragraph(self, place: Place, _depth: int = 0) -> Lines:
        lines: Lines = []
        for number in self.some(1, 3):
            if self.chance(0.15):
                lines += self._over_lines(place)
            else:
                indent = " " * self.random.choice((0, 0, 0, 2, 5)) if number else ""
                lines.append(indent + self.line(place) + "  " * self.chance(0.1))
        return lines

    def _over_lines(self, place: Place) -> Lines:
        opening, closing = self.random.choice((("`", "`"), ("``", "``"), ("%%", "%%"), ("$$", "$$"), ("<!--", "-->")))
        first, second = self._hidden_text(place), self._hidden_text(place)
        lines = [f"Wort {opening} {first}", f"Wort {second}"]
        if self.chance(0.5):
            return [*lines[:1], f"{lines[1]} {closing} Wort"]
        return [*lines, f"{closing} Wort"]

    def heading(self, place: Place, _depth: int) -> Lines:
        return [f"{'#' * self.random.randint(1, 6)} {self.line(replace(place, heading=True))}"]

    def setext(self, place: Place, _depth: int) -> Lines:
        lines = [self.line(replace(place, heading=True)) for _ in self.some(1, 2)]
        return [*lines, self.random.choice(("===", "---"))]

    def table(self, place: Place, _depth: int) -> Lines:
        width = self.random.randint(1, 3)
        rows = [self._row(replace(place, table=True), width)]
        rows.append(f"|{'|'.join(self.random.choice((' --- ', ':-:', '---:')) for _ in range(width))}|")
        return rows + [self._row(replace(place, table=True), width) for _ in self.some(0, 3)]

    def _row(self, place: Place, width: int) -> str:
        return f"| {' | '.join(self.line(place) if self.chance(0.8) else '' for _ in range(width))} |"

    def fence(self, place: Place, _depth: int) -> Lines:
        mark = self.random.choice("`~") * self.random.randint(3, 5)
        body = self.hidden_lines(place)
        if self.chance(0.4):
            other = "~~~" if mark[0] == "`" else "```"
            inner = mark[:-1] if len(mark) > 3 and self.chance(0.5) else other
            body = [inner, *body, inner, *self.hidden_lines(place)]
        return [mark + self.random.choice(("", "md", " dataview uses:: x")), *body, mark]

    def indented(self, place: Place, _depth: int) -> Lines:
        return [f"    {line}" if line else line for line in self.hidden_lines(place)]

    def math(self, place: Place, _depth: int) -> Lines:
        return ["$$", *self.hidden_lines(place), "$$"]

    def comment(self, place: Place, _depth: int) -> Lines:
        opening = f"%% {self._hidden_text(place)}" if self.chance(0.3) else "%%"
        lines = [opening, *self.hidden_lines(place)]
        end = self.random.randrange(3)
        if end == 0:
            return [*lines, f"Wort {self._hidden_text(place)} %%"]
        return [*lines, f"%% {self.atoms(replace(place, heading=True))}" if end == 1 else "%%"]

    def html_comment(self, place: Place, _depth: int) -> Lines:
        return ["<!--", *self.hidden_lines(place), "-->"]

    def rule(self, _place: Place, _depth: int) -> Lines:
        return [self.random.choice(("***", "___", "---"))]

    def footnote(self, place: Place, _depth: int) -> Lines:
        return [f"[^{len(self.seen)}]: {self.atoms(replace(place, heading=True))}"]

    # ------------------------------------------------------------------ blocks with blocks in them
    def quote(self, place: Place, depth: int) -> Lines:
        names, lines = self.blocks(place, depth + 1, self.some(1, 3))
        return self._quoted(place, names, lines)

    def callout(self, place: Place, depth: int) -> Lines:
        kind = self.random.choice(("note", "INFO", "edges", "quote", "warning|breit"))
        return self._callout(replace(place, edge=None), depth, kind)

    def edge_callout(self, place: Place, depth: int) -> Lines:
        return self._callout(replace(place, edge=Edge()), depth, self.random.choice(("edge", "Edge", "EDGE", "edge|x")))

    def _callout(self, place: Place, depth: int, kind: str) -> Lines:
        title = f" {self.line(place)}" if self.chance(0.6) else ""
        head = f"[!{kind}]{self.random.choice(('', '', '-', '+'))}{title}"
        names, lines = self.blocks(place, depth + 1, self.some(0, 3))
        apart = bool(names) and (names[0] in ("indented", "setext", "footnote") or self.chance(0.3))
        return self._quoted(place, ["paragraph", *names], [head, *([""] if apart else []), *lines])

    def _quoted(self, place: Place, names: Sequence[str], lines: Lines) -> Lines:
        tight = self.chance(0.3) and not any(line.startswith(" ") for line in lines)
        quoted = [(">" if tight or not line else "> ") + line for line in lines]
        if names[-1] == "paragraph" and self.chance(0.3):
            quoted.append(self.line(place))  # Lazy: it goes on with the paragraph.
        return quoted

    def list(self, place: Place, depth: int, *, tabs: bool = False) -> Lines:
        """``tabs``: whether nothing but tabs stands before it, so that a tab goes as far as it looks."""
        marker = self.random.choice(MARKERS)
        lines: Lines = []
        for number in self.some(1, 3):
            sign = marker if not marker[0].isdigit() else f"{number + 1}{marker[1]}"
            lines += [""] if lines and self.chance(0.2) else []
            lines += self._item(place, depth, sign, tabs=tabs or depth == 0)
        return lines

    def _item(self, place: Place, depth: int, sign: str, *, tabs: bool) -> Lines:
        name = "paragraph"
        if self.chance(0.15):
            name = self.random.choice(("fence", "quote", "edge_callout", "heading", "table", "math", "comment"))
        head = BLOCKS[name](self, place, depth + 1)
        if name == "paragraph" and self.chance(0.3):
            head[0] = f"[{self.random.choice(' x-')}] {head[0]}"
        lazy = name == "paragraph" and self.chance(0.1)
        width = " " * (len(sign) + 1)
        lines = [f"{sign} {head[0]}", *(line if lazy or not line else width + line for line in head[1:])]
        if name == "paragraph" and depth < DEEPEST and self.chance(0.3):
            indent = "\t" if tabs and self.chance(0.5) else width
            lines += [indent + line if line else line for line in self.list(place, depth + 1, tabs=indent == "\t")]
            name = "list"
        if depth < DEEPEST and self.chance(0.3):
            _, children = self.blocks(place, depth + 1, self.some(1, 2), after=name)
            lines += ["", *(width + line if line else line for line in children)]
        return lines

    def blocks(self, place: Place, depth: int, count: range, after: str = "") -> tuple[list[str], Lines]:
        """Blocks one after the other with their names, mostly with a blank line between."""
        names: list[str] = []
        lines: Lines = []
        choices = [name for name in BLOCKS if depth < DEEPEST or name not in NESTED]
        for _ in count:
            name = self.random.choice([name for name in choices if depth == 0 or name != "footnote"])
            before = names[-1] if names else after
            if name == "indented" and before in ("list", "footnote"):
                name = "paragraph"  # It would be a paragraph of the last item.
            if lines and not (self.chance(0.25) and name in FOLLOWS.get(before, ())):
                lines.append("")
            lines += BLOCKS[name](self, place, depth)
            names.append(name)
        return names, lines

    def last(self) -> Lines:
        """A block that is never closed: it hides all the rest."""
        opening = self.random.choice(("```", "~~~~", "%%"))
        return ["", opening, *self.hidden_lines(Place())]


DEEPEST = 4
BLOCKS: dict[str, Callable[[Corpus, Place, int], Lines]] = {
    "paragraph": Corpus.paragraph,
    "heading": Corpus.heading,
    "setext": Corpus.setext,
    "table": Corpus.table,
    "fence": Corpus.fence,
    "indented": Corpus.indented,
    "math": Corpus.math,
    "comment": Corpus.comment,
    "html_comment": Corpus.html_comment,
    "rule": Corpus.rule,
    "footnote": Corpus.footnote,
    "quote": Corpus.quote,
    "callout": Corpus.callout,
    "edge_callout": Corpus.edge_callout,
    "list": Corpus.list,
}
NESTED = frozenset(("quote", "callout", "edge_callout", "list"))
_ANY = frozenset(BLOCKS) - {"setext"}
#: What may follow a block without a blank line and still be one of its own.
FOLLOWS: dict[str, frozenset[str]] = {
    "heading": _ANY,
    "setext": _ANY,
    "rule": _ANY,
    "fence": _ANY,
    "math": _ANY - {"indented"},
    "paragraph": frozenset(("heading", "fence", "quote", "callout", "edge_callout", "math", "comment", "html_comment")),
}


def note(seeds: Sequence[int], end: str) -> tuple[str, dict[str, set[Seen]], set[str]]:
    """A note of one block per seed: its text, what is seen in it, and the targets that are hidden."""
    seen: dict[str, set[Seen]] = {}
    hidden: set[str] = set()
    lines: Lines = ["Anfang"]
    after = "paragraph"
    for seed in seeds:
        corpus = Corpus(seed, seen, hidden)
        names, block = corpus.blocks(Place(), 0, range(1), after=after)
        lines += ["", *block]
        after = names[0]
    if seeds and seeds[0] % 7 == 0:
        lines += Corpus(seeds[0], seen, hidden).last()
    return end.join(lines), seen, hidden


def lines_of(text: str, end: str) -> Iterator[tuple[str, int]]:
    """Each target with the line that it stands in, from 1."""
    for number, line in enumerate(text.split(end), 1):
        for part in line.split("Zq")[1:]:
            yield f"Zq{part[:4]}", number
