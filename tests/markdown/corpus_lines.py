"""Lines of the notes that are made up at random: words, links in all their forms, and what hides some of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

KINDS = ("uses", "depends_on", "ausgelöst_durch", "Teil-von")
KEYS = (*KINDS, "Teil von")
WORDS = (
    "Ulme", "über", "**Moor**", "_am_", "==Rand==", "#tag", "50 %", r"\[x\]", r"5\$", "5$", "a < b", "`x`", "<b>y</b>",
    "![[bild.png]]", "[x](https://example.org/a_(b))", "[^1]", "(b)", r"\`", "a_b", "C:", "12:30",
    "`%%`", "`$`", "`` $$ ` ``", "`<!--`", "`[[`", "a\u00a0b", "a\u2028b", "a\x0cb", r"\\", "^b1", "🌲", "https://example.org/[x]",
)  # fmt: skip
WRAPPERS = ("{}", "{}", "{}", "**{}**", "=={}==", "~~{}~~", "({})", "„{}“", "<b>{}</b>", "{}.", "{}s")
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


@dataclass
class Note:
    """What is to be read: what each visible target is mentioned as, the hidden ones, and how many headings."""

    text: str = ""
    seen: dict[str, set[Seen]] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    headings: int = 0

    def token(self) -> str:
        return f"Zq{len(self.seen) + len(self.hidden):04}"


class Writer:
    """Writes lines of a note, always the same ones from the same seed."""

    def __init__(self, seed: int, note: Note) -> None:
        self.random = random.Random(seed)
        self.note = note

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def some(self, low: int, high: int) -> range:
        return range(self.random.randint(low, high))

    # ------------------------------------------------------------------ links
    def link(self, place: Place) -> str:
        token = self.note.token()
        forms: list[Callable[[str], tuple[str, set[Seen]]]] = [
            self._wikilink,
            self._wikilink,
            self._embed,
            self._mdlink,
        ]
        if place.hidden or place.free:
            forms.append(self._rel_link)
        text, seen = self.random.choice(forms)(token)
        if place.hidden:
            self.note.hidden.add(token)
        else:
            _, _, target, section, label, _ = next(iter(seen))
            relations = [("field", place.key, False)] if place.key else []
            relations += [("rel", *place.rel)] if place.rel else []
            relations += [("callout", place.edge.kind, False)] if place.edge and place.edge.kind else []
            for source, kind, candidate in relations:
                seen.add((source, kind, target, section, label, candidate))
            self.note.seen[token] = seen
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
        choices: list[Callable[[Place], str]] = [
            self._word,
            self._word,
            self._wrapped,
            self._wrapped,
            self._hidden_atom,
        ]
        choices += [self._rel_run] if place.free else []
        choices += [self._bracket_field] if place.free or (place.edge and not place.heading) else []
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
        inner = f"{key}:: {self.links(replace(place, key=key, edge=None))}"
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
