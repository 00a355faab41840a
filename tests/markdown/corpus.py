"""Notes made up at random, together with what is to be read in them.

Every link has a target of its own, ``Zq`` and a number. Whoever writes a link knows whether it can be seen where
it goes and which relations it stands in; its line is looked up in the finished text. Left out is what Obsidian's
editor and its reading view take differently, or what no rule decides:

- text behind ``-->`` where the comment began its line, and Markdown within HTML blocks
- ``$$``, ``%%`` in the middle of a line, and backticks, that are never closed; inline math over several lines
- bars that are not escaped in the code or formula of a table's cell
- fields in headings; fields and ``[[rel:…]]`` within other fields; ``[[rel:…]]`` in edge callouts; lines there that
  begin with words and a kind behind them
- lines without ``>`` that open or close anything but text; numbered lists that do not begin with 1
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from markdown.corpus_lines import KEYS, Edge, Lines, Note, Place, Writer

MARKERS = ("-", "*", "+", "1.", "1)", "100.")
PROPERTIES = (
    '{}: "{}"', "{}: '{}'", "{}: {}", '{}: ["{}", x]', "{}:\n  - {}", '{}:\n- "{}"', "a:\n  {}: {}", "links:\n  {}: {}",
    "{}: Siehe {} dort", "{}: >\n  mehr\n  {} dort",
)  # fmt: skip


class Corpus(Writer):
    """Makes one block of a note, always the same one from the same seed."""

    _tail = 0

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
        self.note.headings += 1
        line = self.line(replace(place, heading=True))
        return [f"{'#' * self.random.randint(1, 6)} {line}{' ##' * self.chance(0.2)}"]

    def setext(self, place: Place, _depth: int) -> Lines:
        self.note.headings += 1
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

    def indented(self, place: Place, depth: int) -> Lines:
        indent = "\t" if depth == 0 and self.chance(0.5) else "    "
        return [indent + line if line else line for line in self.hidden_lines(place)]

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
        return [f"[^{self.note.token()[2:]}]: {self.atoms(replace(place, heading=True))}"]

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
        self._tail = 0
        names, lines = self.blocks(place, depth + 1, self.some(0, 3))
        apart = bool(names) and (names[0] in ("indented", "setext", "rule") or self.chance(0.3))
        return self._quoted(place, ["paragraph", *names], [head, *([""] if apart else []), *lines])

    def _quoted(self, place: Place, names: Sequence[str], lines: Lines) -> Lines:
        tight = self.chance(0.3) and not any(line.startswith(" ") for line in lines)
        quoted = [(">" if tight or not line else "> ") + line for line in lines]
        if names[-1] == "paragraph" and self.chance(0.3):
            # Lazy: the paragraph goes on without the mark, and may come back to it.
            for number in range(len(lines) - self._tail + 1, len(lines)):
                if self.chance(0.5) and not lines[number].startswith(("%%", "$$", "-->")):
                    quoted[number] = lines[number]
            quoted.append(self.line(place))
        return quoted

    def items(self, place: Place, depth: int, *, tabs: bool = False) -> Lines:
        """``tabs``: whether nothing but tabs stands before it, so that a tab goes as far as it looks."""
        # Only a list that begins with 1 may follow a paragraph, or a callout's title, without a blank line.
        marker = self.random.choice(MARKERS if depth == 0 else MARKERS[:-1])
        lines: Lines = []
        for number in self.some(1, 3):
            sign = marker if not marker[0].isdigit() else f"{int(marker[:-1]) + number}{marker[-1]}"
            lines += [""] if lines and self.chance(0.2) else []
            lines += self._item(place, depth, sign, tabs=tabs or depth == 0)
        return lines

    def _item(self, place: Place, depth: int, sign: str, *, tabs: bool) -> Lines:
        name = "paragraph"
        if self.chance(0.15):
            name = self.random.choice(
                ("fence", "quote", "edge_callout", "heading", "table", "math", "comment", "indented")
            )
        head = BLOCKS[name](self, place, depth + 1)
        if name == "paragraph" and self.chance(0.3):
            head[0] = f"[{self.random.choice(' x-')}] {head[0]}"
        lazy = name == "paragraph" and self.chance(0.1)
        width, gap = " " * (len(sign) + 1), " "
        if depth == 0 and len(sign) < 4 and name == "paragraph" and self.chance(0.1):
            width, gap = "    ", "\t"
        lines = [f"{sign}{gap}{head[0]}", *(line if lazy or not line else width + line for line in head[1:])]
        if name == "paragraph" and depth < DEEPEST and self.chance(0.3):
            indent = "\t" if tabs and len(width) <= 4 and self.chance(0.4) else width + self._extra(3)
            lines += [indent + line if line else line for line in self.items(place, depth + 1, tabs=indent == "\t")]
            name = "list"
        if depth < DEEPEST and self.chance(0.3):
            _, children = self.blocks(place, depth + 1, self.some(1, 2), after=name)
            indent = width + self._extra(1)
            lines += ["", *(indent + line if line else line for line in children)]
        return lines

    def _extra(self, most: int) -> str:
        """Blanks that change nothing, as long as they are no more than three in all."""
        return " " * max(0, self.random.randint(-2, most))

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
            if lines and not (self.chance(0.3) and name in FOLLOWS.get(before, ())):
                lines.append("")
            block = BLOCKS[name](self, place, depth)
            # Behind a list it would go into its last item.
            extra = self._extra(2) if name in SHIFTED and before != "list" else ""
            lines += [extra + line if line else line for line in block]
            names.append(name)
            self._tail = len(block)
        return names, lines

    def frontmatter(self) -> Lines:
        """Make properties with links, in every way that YAML has for them."""
        lines = ["---", "title: 'Kopf: zwei'"]
        for key, form in zip(self.random.sample(KEYS, 2), self.random.sample(PROPERTIES, 2), strict=True):
            token = self.note.token()
            section, label = self.random.choice((("", ""), ("Rand", ""), ("", "kurz"), ("Rand", "kurz")))
            link = f"[[{token}{f'#{section}' if section else ''}{f'|{label}' if label else ''}]]"
            lines += form.replace("{}", key, 1).replace("{}", link, 1).split("\n")
            self.note.seen[token] = {("frontmatter", key, token, section, label, False)}
        return [*lines, "---"]

    def last(self) -> Lines:
        """Make a block that is never closed: it hides all the rest."""
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
    "list": Corpus.items,
}
NESTED = frozenset(("quote", "callout", "edge_callout", "list"))
#: Blocks that may stand a little to the right. A list there might go into the item above it, as would its code.
SHIFTED = frozenset(("heading", "table", "fence", "math", "comment", "html_comment", "rule", "quote", "callout"))
_ANY = frozenset(BLOCKS) - {"setext"}
_INTERRUPTS = frozenset(("heading", "fence", "quote", "callout", "edge_callout", "math", "comment", "html_comment"))
#: What may follow a block without a blank line and still be one of its own.
FOLLOWS: dict[str, frozenset[str]] = {
    "heading": _ANY,
    "setext": _ANY,
    "rule": _ANY,
    "fence": _ANY,
    "indented": _ANY - {"indented"},
    "math": _ANY,
    "comment": _ANY,
    "html_comment": _ANY,
    "paragraph": _INTERRUPTS,
    "list": _INTERRUPTS,
    "table": _INTERRUPTS,
    "quote": _INTERRUPTS - {"quote", "callout", "edge_callout"},
    "callout": _INTERRUPTS - {"quote", "callout", "edge_callout"},
    "edge_callout": _INTERRUPTS - {"quote", "callout", "edge_callout"},
}


def make_note(seeds: Sequence[int], end: str) -> Note:
    """Make a note of one block per seed, its lines ended by ``end``."""
    note = Note()
    first = Corpus(seeds[0], note)
    lines: Lines = [*(first.frontmatter() if first.chance(0.2) else ()), "Anfang"]
    after = "paragraph"
    for seed in seeds:
        names, block = Corpus(seed, note).blocks(Place(), 0, range(1), after=after)
        lines += ["", *block]
        after = names[0]
    if first.chance(0.1):
        lines += first.last()
    note.text = end.join(lines)
    return note
