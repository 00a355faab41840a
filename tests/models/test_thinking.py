from __future__ import annotations

import pytest

from mindnet.models.thinking import ThinkSplitter


def split(text: str, size: int) -> tuple[str, str]:
    splitter = ThinkSplitter()
    tokens = [token for at in range(0, len(text), size) for token in splitter.feed(text[at : at + size])]
    tokens += splitter.end()
    return (
        "".join(token.text for token in tokens if token.thinking),
        "".join(token.text for token in tokens if not token.thinking),
    )


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
@pytest.mark.parametrize(
    ("text", "thinking", "answer"),
    [
        ("<think>a < b</think>\n\nYes [1].", "a < b", "Yes [1]."),
        ("\n<think></think>Yes", "", "Yes"),
        ("No thought, <think> is a tag", "", "No thought, <think> is a tag"),
        ("<th is how it begins", "", "<th is how it begins"),
        ("<think>never ends</thi", "never ends</thi", ""),
        ("<think>one</think> two <think>three</think>", "one", "two <think>three</think>"),
        ("", "", ""),
    ],
)
def test_thoughts_and_answer_come_apart_however_the_text_is_cut(
    text: str, thinking: str, answer: str, size: int
) -> None:
    assert split(text, size) == (thinking, answer)
