"""What a model writes, as a reader's Markdown renders it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt  # noqa: TID251

from mindnet.chat.guard import JOINER, AnswerGuard

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")


def guarded(text: str, size: int = 1000, sources: tuple[int, ...] = (1, 2, 3)) -> tuple[str, list[int]]:
    guard = AnswerGuard(sources)
    shown = "".join(guard.feed(text[at : at + size]) for at in range(0, len(text), size)) + guard.end()
    return shown, guard.cited


def rendered_live(text: str) -> list[str]:
    """Everything that would load something or run: HTML, images, code in a language that is not only coloured."""
    live = []
    for token in MARKDOWN.parse(text):
        for one in (token, *(token.children or ())):
            if one.type in ("html_block", "html_inline", "image"):
                live.append(one.content)
            if one.type == "fence" and one.info.strip().startswith("dataview"):
                live.append(one.info)
    return live


DANGEROUS = [
    "![x](https://evil.example/a.png)",
    "![x][r]\n\n[r]: https://evil.example/a.png",
    "Text <img src=x onerror=alert(1)> more",
    "<script>alert(1)</script>",
    "<!-- hidden -->",
    "<iframe src='https://evil.example'></iframe>",
    "```dataviewjs\nalert(1)\n```",
    "> ```dataviewjs\n> alert(1)\n> ```",
    "- a\n  ```dataviewjs\n  alert(1)\n  ```",
    "`$= dv.pages()`",
    " ```\nx\n```\n<img src=x>",
    "> ```\n> x\n\n<img src=x>",
    "- a\n  ```\n<img src=x>",
    "$$\n```\n$$\n<img src=x>",
    "%%\n```\n%%\n<img src=x>",
    "---\n```\n---\n<img src=x>",
    "```\nx\n````\n<img src=x>",
    "~~~\nx\n~~~\n<img src=x>",
    "`` ` <img src=x>",
    "&lt;b> <b>",
    "~~~js\rx\r~~~\r<img src=x>",
]


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("text", DANGEROUS)
def test_nothing_in_an_answer_loads_or_runs(text: str, size: int) -> None:
    shown, _ = guarded(text, size)
    assert rendered_live(shown) == []
    assert shown.replace(JOINER, "") == text.replace("\r", "\n"), "a reader sees the same characters"
    assert "$=" not in shown.replace(f"`{JOINER}", "").split("`")


@given(
    st.lists(
        st.sampled_from(
            [
                "<img src=x>",
                "```",
                "~~~~",
                "`",
                "\n",
                "\n\n",
                "> ",
                "- ",
                "  ",
                "![",
                "](u)",
                "x",
                "[1]",
                "[1]:",
                "%%",
                "$$",
                "---",
                "<b>",
                "```js\n",
                "\r",
                "1. ",
            ]
        )
    ).map("".join)
)
def test_no_mixture_of_marks_lets_html_or_images_through(text: str) -> None:
    shown, _ = guarded(text)
    assert rendered_live(shown) == []
    assert guarded(text, 1)[0] == shown, "however it is cut"


def test_code_at_the_margin_is_left_as_it_is() -> None:
    text = "See:\n\n```python\nif a < b: x[1] = '<img>' # ![y](z)\n```\n\nDone [1]."
    assert guarded(text, 1) == (text, [1])


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize(
    ("text", "shown", "cited"),
    [
        ("A [1]. B [3][2].", "A [1]. B [3][2].", [1, 3, 2]),
        ("A [1, 2; 3].", "A [1][2][3].", [1, 2, 3]),
        ("A [Source 1] B [Quelle 2] C [^3]", "A [1] B [2] C [3]", [1, 2, 3]),
        ("A [9], [0] and [1234].", "A [9], [0] and [1234].", []),
        ("A [1] and again [1].", "A [1] and again [1].", [1]),
        ("In code `x[1]` it is none.", "In code `x[1]` it is none.", []),
        ("[a note] and [[A wikilink]] [", "[a note] and [[A wikilink]] [", []),
    ],
)
def test_only_given_numbers_are_citations(text: str, shown: str, cited: list[int], size: int) -> None:
    assert guarded(text, size) == (shown, cited)


@pytest.mark.parametrize("text", ["[1](https://evil.example)", "[1]: https://evil.example\n\n[1]"])
def test_a_citation_cannot_be_made_to_lead_elsewhere(text: str) -> None:
    shown, cited = guarded(text)
    assert cited == [1]
    assert not any(one.type == "link_open" for token in MARKDOWN.parse(shown) for one in token.children or ())
