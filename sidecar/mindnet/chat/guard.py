"""What a model writes, made fit to be shown as Markdown while it comes in.

Dangerous marks are parted by a word joiner, which no reader sees: HTML stays text, an image becomes a link that
nothing follows by itself, code is shown and never run. Citations of given sources are brought to one form.
"""

from __future__ import annotations

import re
from collections.abc import Collection

JOINER = "\u2060"
_SPECIAL = re.compile(r"[`~<!\[\]$%]")
_CITATION = re.compile(
    r"\[\s*(?:\^|(?:source|sources|quelle|quellen|no\.?|nr\.?)\s*:?\s*)?\#?(\d{1,3}(?:\s*[,;]\s*\^?\#?\d{1,3})*)\s*\]",
    re.IGNORECASE,
)
_MAY_BE_CITATION = re.compile(r"\[[\s\w.^#:,;]*$")
_LONGEST_CITATION = 48
_INFO = re.compile(r"[ \t]*([^\s`]*)")
_SHOWN_LANGUAGES = frozenset(
    """text txt plain md markdown python py js javascript ts typescript jsx tsx json yaml yml toml ini html xml css scss
    bash sh shell zsh powershell bat console sql c cpp csharp cs java kotlin go rust ruby php swift scala r julia lua
    perl haskell diff dockerfile make makefile latex tex bibtex csv http graphql regex""".split()  # noqa: SIM905
)
"""Languages of code that Obsidian and its plugins only colour; any other may be something that they run."""


class AnswerGuard:
    """Takes an answer piece by piece and gives it back safe, holding back what cannot be judged yet.

    ``cited`` has the numbers of the given sources that the answer names, each once, in order.
    """

    def __init__(self, given: Collection[int]) -> None:
        self.cited: list[int] = []
        self._given = frozenset(given)
        self._held = ""
        self._return = ""
        self._line_start = True
        self._fence = ""
        self._code = 0
        self._begun = False
        self._doubt = False

    def feed(self, text: str) -> str:
        # Markdown takes a lone carriage return for the end of a line too; one at the end may be half of one.
        text = self._return + text
        self._return = "\r" if text.endswith("\r") else ""
        self._held += text.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n")
        return self._drain(final=False)

    def end(self) -> str:
        self._held += "\n" if self._return else ""
        return self._drain(final=True)

    def _drain(self, *, final: bool) -> str:
        out: list[str] = []
        while self._held:
            done = self._in_fence(final) if self._fence else self._in_text(final)
            if done is None:
                break
            taken, shown = done
            self._held = self._held[taken:]
            if shown:
                out.append(shown)
                self._line_start = shown.endswith("\n")
        return "".join(out)

    # -------------------------------------------------------------- code between fences at the margin
    def _in_fence(self, final: bool) -> tuple[int, str] | None:
        """A fence at the margin stands in no list and no quotation: only its own end, or the text's, ends it.

        Its content is left as it is. Once anything stood before that may itself hold a fence (an indented one, a
        formula, a comment), no fence is trusted any more.
        """
        line, newline, _ = self._held.partition("\n")
        if self._line_start and re.fullmatch(rf" {{0,3}}{re.escape(self._fence[0])}*[ \t]*", line):
            if not newline and not final:
                return None
            if re.fullmatch(rf" {{0,3}}{re.escape(self._fence)}{re.escape(self._fence[0])}*[ \t]*", line):
                self._fence = ""
        whole = line + newline
        return len(whole), whole

    # -------------------------------------------------------------- everything else
    def _in_text(self, final: bool) -> tuple[int, str] | None:
        if not self._begun:
            if "---".startswith(self._held) and not final:
                return None
            self._begun, self._doubt = True, self._held.startswith("---")
        found = _SPECIAL.search(self._held)
        start = found.start() if found else len(self._held)
        if start:
            if "\n\n" in self._held[:start]:
                self._code = 0
            return start, self._held[:start]
        mark = self._held[0]
        if mark in "`~":
            return self._run(final)
        if mark == "[":
            return self._bracket(final)
        if len(self._held) == 1 and not final:
            return None
        follows = self._held[1:2]
        if mark in "$%":
            self._doubt = self._doubt or follows == mark
            return 1, mark
        parted = {
            "<": bool(follows) and (follows.isalpha() or follows in "/!?"),
            "!": follows == "[",
            # A definition would turn every later [1] into a link of its own.
            "]": follows == ":",
        }[mark]
        return 1, mark + (JOINER if parted else "")

    def _bracket(self, final: bool) -> tuple[int, str] | None:
        found = _CITATION.match(self._held)
        if found is None:
            undecided = len(self._held) < _LONGEST_CITATION and _MAY_BE_CITATION.match(self._held)
            return None if undecided and not final else (1, "[")
        end = found.end()
        if len(self._held) == end and not final:
            return None
        # Behind a number, an address in brackets would make a link of it that leads elsewhere.
        parted = JOINER if self._held[end : end + 1] in ("(", ":") else ""
        if self._code:
            return end, found[0] + parted
        numbers = [int(number) for number in re.findall(r"\d+", found[1])]
        for number in numbers:
            if number in self._given and number not in self.cited:
                self.cited.append(number)
        if not any(number in self._given for number in numbers):
            return end, found[0] + parted
        return end, "".join(f"[{number}]" for number in numbers) + parted

    def _run(self, final: bool) -> tuple[int, str] | None:
        mark = self._held[0]
        length = len(self._held) - len(self._held.lstrip(mark))
        run, rest = self._held[:length], self._held[length:]
        if length >= 3:
            line, newline, _ = rest.partition("\n")
            if not newline and not final:
                return None
            info = _INFO.match(rest)
            assert info is not None
            joiner = JOINER if info[1] and info[1].lower() not in _SHOWN_LANGUAGES else ""
            if self._line_start and not self._doubt and not ("`" in line and mark == "`"):
                self._fence = run
                return length + len(line) + len(newline), run + joiner + line + newline
            self._doubt = True
            return length, run + joiner
        if mark == "~":
            return (length, run) if rest or final else None
        if not rest.strip(" ") and not final:
            return None
        self._code = 0 if self._code == length else self._code or length
        # Code that begins like this is run by a plugin that many have.
        return length, run + (JOINER if rest.lstrip(" ").startswith(("=", "$=")) else "")
