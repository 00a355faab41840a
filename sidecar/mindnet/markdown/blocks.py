"""Block syntax that Obsidian has and CommonMark has not: ``%%`` comments and ``$$`` math over several lines.

Each rule takes a block that opens at the start of a line and is not closed in it; what is closed in its own
line is part of a paragraph and left to the inline scanner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from mindnet.markdown.inline import open_marks

#: How deep quotes and lists may nest (a list counts twice). Deeper lines are read as plain text.
DEEPEST = 100
#: How many lines back a comment or formula in the middle of a paragraph is looked for, which keeps the cost linear.
FURTHEST = 50


#: Rules, and the signs one of which a text needs for the rule to find anything in it.
SIGNS: Mapping[str, tuple[str, ...]] = {
    "table": ("|",),
    "fence": ("```", "~~~"),
    "blockquote": (">",),
    "hr": ("-", "*", "_"),
    "html_block": ("<",),
    "heading": ("#",),
    "lheading": ("=", "-"),
    "obsidian_comment": ("%%",),
    "obsidian_math": ("$$",),
}


TAKE = "take"
"""Under this name a parse finds in its environment who takes the tokens of the blocks that are complete."""


def parse_blocks(text: str, take: Callable[[Sequence[Token]], None]) -> None:
    """Hand over the tokens of a text's blocks, those of one or more outermost blocks at a time, in order.

    Of a long text all tokens together would take twenty times its room. Every rule is asked at every line, so those
    that can find nothing in this text are left out: most notes have few of these signs.
    """
    idle = (rule for rule, signs in SIGNS.items() if not any(sign in text for sign in signs))
    take(block_parser(tuple(idle)).parse(text, {TAKE: take}))


def _hand_over(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 (what a rule is given)
    """No rule of its own: it is asked first, where an outermost block may begin, and the one before is complete."""
    take = state.env.get(TAKE)
    if take is not None and state.level == 0 and not silent and state.tokens:
        take(state.tokens)
        state.tokens.clear()
    return False


@cache
def block_parser(without: tuple[str, ...] = ()) -> MarkdownIt:
    """Give a parser for block structure alone: CommonMark, tables, comments and math, without inline parsing.

    Reference definitions are off: they would swallow footnotes (``[^1]: see [[X]]``).
    """
    parser = MarkdownIt("commonmark", {"maxNesting": DEEPEST})
    parser.enable("table")
    parser.disable(["inline", "text_join", "reference"])
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("table", "obsidian_comment", delimited("%%", "comment_block", True), interrupts)
    parser.block.ruler.before("table", "obsidian_math", delimited("$$", "math_block", False), interrupts)
    parser.disable(list(without))
    parser.block.ruler.before("table", "hand_over", _hand_over)
    return parser


def delimited(marker: str, token_type: str, runs_to_end: bool) -> Callable[[StateBlock, int, int, bool], bool]:
    """Make a rule for a block between two markers, blank lines and all.

    An unclosed one reaches to the end of its container if ``runs_to_end`` (as Obsidian's comments do), else
    it is no block.
    """

    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        begin = state.bMarks[start] + state.tShift[start]
        if not state.src.startswith(marker, begin) or state.is_code_block(start):
            return False
        if state.src.find(marker, begin + len(marker), state.eMarks[start]) >= 0:
            return False
        if silent and state.parentType == "paragraph" and _closes(state, start, marker):
            return False
        line, closed = start + 1, False
        # A line that ends a list item by standing to the left of it is a block of what is around the item.
        indent = state.blkIndent if state.sCount[start] >= state.blkIndent else 0
        while line < end:
            left = state.bMarks[line] + state.tShift[line]
            if left < state.eMarks[line] and state.sCount[line] < indent:
                break
            if state.src.find(marker, left, state.eMarks[line]) >= 0:
                closed = True
                break
            line += 1
        if not closed and not runs_to_end:
            return False
        if silent:
            return True
        state.line = line + 1 if closed else line
        token = state.push(token_type, "", 0)
        token.map = [start, state.line]
        token.markup = marker
        token.hidden = closed
        return True

    return rule


def _closes(state: StateBlock, line: int, marker: str) -> bool:
    """Whether the marker at the start of ``line`` closes what an earlier line of the paragraph opened."""
    first = max(state.line, line - FURTHEST)
    rows = (state.src[state.bMarks[row] + state.tShift[row] : state.eMarks[row]] for row in range(first, line))
    return marker in open_marks("\n".join(rows))
