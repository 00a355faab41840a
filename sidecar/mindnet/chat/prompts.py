"""The texts around a question, as ``prompts.yaml`` gives them in each language, and the prompt they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mindnet.chat.data import plain
from mindnet.models.port import Message
from mindnet.records import Language

LANGUAGES: tuple[Language, ...] = ("de", "en")


@dataclass(frozen=True, slots=True)
class Example:
    """One turn that shows the model how it is done."""

    question: str
    context: str
    answer: str


@dataclass(frozen=True, slots=True)
class LanguagePrompts:
    system_prompt: str
    rag_template: str
    rewrite: str
    translate: str
    validator: str
    nothing_found: str
    intents: Mapping[str, str]
    few_shot: tuple[Example, ...]

    def system(self, intent: str) -> str:
        more = self.intents.get(intent, "")
        return f"{self.system_prompt.strip()}\n{more.strip()}".strip()

    def ask(self, context: str, question: str) -> str:
        """The user's turn; where the template has no place for the question, it comes behind the sources."""
        asked = plain(question.strip())
        if "{question}" in self.rag_template:
            return fill(self.rag_template, question=asked, context_str=context).strip()
        return f"{fill(self.rag_template, context_str=context).strip()}\n\n{asked}"


@dataclass(frozen=True, slots=True)
class Prompts:
    languages: Mapping[Language, LanguagePrompts]

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> Prompts:
        """From the validated content of ``prompts.yaml``."""
        return cls({language: _language(data[language]) for language in LANGUAGES})

    def of(self, language: Language) -> LanguagePrompts:
        return self.languages[language]


def _language(data: Mapping[str, Any]) -> LanguagePrompts:
    return LanguagePrompts(
        system_prompt=data["system_prompt"],
        rag_template=data["rag_template"],
        rewrite=data["rewrite"],
        translate=data["translate"],
        validator=data["validator"],
        nothing_found=data["nothing_found"].strip(),
        intents=data.get("intents", {}),
        few_shot=tuple(Example(**turn) for turn in data.get("few_shot", ())),
    )


def fill(template: str, **values: str) -> str:
    """The template with each ``{name}`` replaced once; braces in a value stay what they are."""
    places = sorted((template.index(f"{{{name}}}"), name) for name in values)
    parts, end = [], 0
    for start, name in places:
        parts += [template[end:start], values[name]]
        end = start + len(name) + 2
    return "".join([*parts, template[end:]])


def prompt(
    texts: LanguagePrompts,
    *,
    intent: str,
    context: str,
    question: str,
    history: Sequence[tuple[str, str]] = (),
    examples: bool = True,
) -> tuple[Message, ...]:
    """System text, examples, earlier turns as (question, answer), and the question with its sources last."""
    said = [Message("system", texts.system(intent))]
    for one in texts.few_shot if examples else ():
        said += [
            Message("user", texts.ask(one.context.strip(), one.question)),
            Message("assistant", one.answer.strip()),
        ]
    for asked, answered in history:
        said += [Message("user", plain(asked)), Message("assistant", plain(answered))]
    return (*said, Message("user", texts.ask(context, question)))
