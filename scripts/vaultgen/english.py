"""English sentences."""

from __future__ import annotations

from functools import lru_cache

from vaultgen import english_words as own
from vaultgen.voice import Noun, Phrases, Pool, TopicWords, Verb, Voice, interleave, ranked, wrapped


def _noun(text: str) -> Noun:
    singular, _, plural = text.partition("/")
    return Noun(singular, plural or f"{singular}s", "", singular)


def _join(first: Noun, second: Noun) -> Noun:
    return Noun(
        f"{first.joint} {second.singular}", f"{first.joint} {second.plural}", "", f"{first.joint} {second.joint}"
    )


class English(Voice):
    code = "en"

    @classmethod
    @lru_cache(64)
    def words_of(cls, topic: str) -> TopicWords:
        plain = [_noun(text) for text in wrapped(own.NOUNS[topic], ",")]
        general = [_noun(text) for text in wrapped(own.GENERAL_NOUNS, ",")]
        verbs = [Verb(*text.split()) for text in wrapped(f"{own.VERBS[topic]},{own.GENERAL_VERBS}", ",")]
        adjectives = interleave(own.ADJECTIVES[topic].split(), own.GENERAL_ADJECTIVES.split())
        nouns = Pool(ranked(plain, general, _join))
        return TopicWords(nouns, Pool(verbs), Pool(adjectives), tuple(plain))

    @classmethod
    @lru_cache(1)
    def all_phrases(cls) -> Phrases:
        starts, ends = own.SURNAME_STARTS.split(), own.SURNAME_ENDS.split()
        return Phrases(
            adverbs=Pool(own.ADVERBS.split()),
            times=Pool(wrapped(own.TIMES)),
            connectors=Pool(own.CONNECTORS.split("|")),
            headings=tuple(wrapped(own.HEADINGS)),
            callouts=tuple(wrapped(own.CALLOUTS)),
            links=Pool(wrapped(own.LINK_PHRASES)),
            kinds=Pool(own.KINDS.split()),
            titles=Pool(wrapped(own.TITLE_FORMS), 0.6),
            first_names=tuple(own.FIRST_NAMES.split()),
            surnames=tuple(start + end for start in starts for end in ends),
            labels=dict(own.LABELS),
            folders=dict(own.FOLDERS),
        )

    # -------------------------------------------------------------- phrases
    def phrase(self, *, plural: bool = False) -> str:
        """A noun with its article and perhaps an adjective."""
        noun = self.noun()
        text = noun.plural if plural else noun.singular
        if self.random() < 0.3:
            text = f"{self.adjective()} {text}"
        if self.random() < 0.6:
            return f"the {text}"
        if plural:
            return text
        return f"an {text}" if text[0] in "aeiou" else f"a {text}"

    def _subject(self) -> tuple[str, bool]:
        chance = self.random()
        if chance < 0.1:
            return self.person(), False
        if chance < 0.14:
            return self.product(), False
        plural = chance > 0.7
        return self.phrase(plural=plural), plural

    def _object(self) -> str:
        return self.phrase(plural=self.random() < 0.35)

    def item(self) -> str:
        noun = self.noun()
        if self.random() < 0.5:
            text = f"{self.adjective()} {noun.singular}"
        else:
            text = f"{self.verb().plural} the {noun.singular}"
        return text[0].upper() + text[1:]

    def title(self) -> tuple[str, tuple[Noun, ...]]:
        form = self.phrases.titles.draw(self.random)
        plain = self.words.plain
        first, second = (plain[int(self.random() * len(plain))] for _ in range(2))
        one, two, both = self.noun(), self.noun(), _join(first, second)
        text = form.format(
            c=both.singular,
            n=one.singular,
            m=two.singular,
            a=self.adjective(),
            x=f"the {two.singular}",
            y=f"the {one.singular}",
            p=self.verb().participle,
            name=self.person().split()[1],
        )
        nouns = ((both, "c"), (one, "ny"), (two, "mx"))
        used = tuple(noun for noun, signs in nouns if any(f"{{{sign}}}" in form for sign in signs))
        return text[0].upper() + text[1:], used

    # -------------------------------------------------------------- sentences
    def sentence(self) -> str:
        chance = self.random()
        subject, many = self._subject()
        verb = self.verb()
        does = verb.plural if many else verb.singular
        if chance < 0.3:
            text = f"{subject} {does} {self._object()}"
        elif chance < 0.42:
            text = f"{subject} {self.phrases.adverbs.draw(self.random)} {does} {self._object()}"
        elif chance < 0.54:
            text = f"{self.phrases.times.draw(self.random)} {subject} {does} {self._object()}"
        elif chance < 0.64:
            text = f"{subject} {does} {self._object()} with {self.phrase()}"
        elif chance < 0.76:
            text = f"{subject} {does} {self._object()} {self._because()}"
        elif chance < 0.84:
            text = f"{subject} {'are' if many else 'is'} {self.adjective()} {self._because()}"
        elif chance < 0.89:
            text = f"we have {verb.participle} {self._object()}"
        elif chance < 0.94:
            share = f"{self.number()} {('per cent', 'pounds', 'minutes', 'pieces')[int(self.random() * 4)]}"
            text = f"for {self.phrase()} it came to {share}"
        elif chance < 0.97:
            return f"Why {'do' if many else 'does'} {subject} {verb.plural} {self._object()}?"
        else:
            text = f"{subject} and {self.phrase()} {verb.plural} {self._object()}"
        return f"{text[0].upper()}{text[1:]}."

    def _because(self) -> str:
        subject, many = self._subject()
        verb = self.verb()
        connector = self.phrases.connectors.draw(self.random)
        return f"{connector} {subject} {verb.plural if many else verb.singular} {self._object()}"
