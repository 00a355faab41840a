"""German sentences: articles and endings that agree with their nouns."""

from __future__ import annotations

from functools import lru_cache

from vaultgen import german_words as own
from vaultgen.voice import Noun, Phrases, Pool, TopicWords, Verb, Voice, interleave, ranked, wrapped

# Case to gender (p: plural) to article.
THE = {
    "nominative": {"m": "der", "f": "die", "n": "das", "p": "die"},
    "accusative": {"m": "den", "f": "die", "n": "das", "p": "die"},
    "dative": {"m": "dem", "f": "der", "n": "dem", "p": "den"},
}
A = {
    "nominative": {"m": "ein", "f": "eine", "n": "ein"},
    "accusative": {"m": "einen", "f": "eine", "n": "ein"},
    "dative": {"m": "einem", "f": "einer", "n": "einem"},
}
# Endings of an adjective behind "der", behind "ein", and alone.
AFTER_THE = {
    "nominative": {"m": "e", "f": "e", "n": "e", "p": "en"},
    "accusative": {"m": "en", "f": "e", "n": "e", "p": "en"},
    "dative": {"m": "en", "f": "en", "n": "en", "p": "en"},
}
AFTER_A = {
    "nominative": {"m": "er", "f": "e", "n": "es"},
    "accusative": {"m": "en", "f": "e", "n": "es"},
    "dative": {"m": "en", "f": "en", "n": "en"},
}
ALONE = {
    "nominative": {"m": "er", "f": "e", "n": "es", "p": "e"},
    "accusative": {"m": "en", "f": "e", "n": "es", "p": "e"},
    "dative": {"m": "em", "f": "er", "n": "em", "p": "en"},
}
GENDERS = {"der": "m", "die": "f", "das": "n"}
WITH_S = ("ung", "heit", "keit", "schaft", "ion", "tät", "ling")


def _noun(text: str) -> Noun:
    article, singular, plural = text.split()
    joint = f"{singular}s" if singular.endswith(WITH_S) else f"{singular}n" if singular.endswith("e") else singular
    return Noun(singular, plural, GENDERS[article], joint)


def _join(first: Noun, second: Noun) -> Noun:
    def with_first(text: str) -> str:
        return first.joint + text[0].lower() + text[1:]

    return Noun(with_first(second.singular), with_first(second.plural), second.gender, with_first(second.joint))


def _with(stem: str, ending: str) -> str:
    return stem + (ending[1:] if stem.endswith("e") else ending)


class German(Voice):
    code = "de"

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
    def phrase(self, case: str, *, plural: bool = False) -> str:
        """A noun with its article and perhaps an adjective."""
        noun = self.noun()
        number = "p" if plural else noun.gender
        text = noun.plural if plural else noun.singular
        if plural and case == "dative" and text[-1] not in "ns":
            text += "n"
        chance = self.random()
        adjective = self.adjective() if self.random() < 0.3 else ""
        if chance < 0.6:
            ending = _with(adjective, AFTER_THE[case][number]) if adjective else ""
            return f"{THE[case][number]} {ending} {text}" if ending else f"{THE[case][number]} {text}"
        if plural:
            return f"{_with(adjective, ALONE[case]['p'])} {text}" if adjective else text
        ending = _with(adjective, AFTER_A[case][number]) if adjective else ""
        return f"{A[case][number]} {ending} {text}" if ending else f"{A[case][number]} {text}"

    def _subject(self) -> tuple[str, bool]:
        chance = self.random()
        if chance < 0.1:
            return self.person(), False
        if chance < 0.14:
            return self.product(), False
        plural = chance > 0.7
        return self.phrase("nominative", plural=plural), plural

    def _object(self) -> str:
        return self.phrase("accusative", plural=self.random() < 0.35)

    def item(self) -> str:
        noun = self.noun()
        if self.random() < 0.5:
            return f"{_with(self.adjective(), ALONE['nominative'][noun.gender])} {noun.singular}"
        return f"{noun.singular} {self.verb().plural}"

    def title(self) -> tuple[str, tuple[Noun, ...]]:
        form = self.phrases.titles.draw(self.random)
        one, two, both = self.noun(), self.noun(), self._compound()
        adjective = self.adjective().capitalize()
        goal = f"{THE['accusative'][two.gender]} {two.singular}"
        text = form.format(
            c=both.singular,
            n=one.singular,
            m=two.singular,
            a=_with(adjective if form.startswith("{a}") else adjective.lower(), self._alone(form, one, two)),
            x=goal,
            y=f"{THE['nominative'][one.gender]} {one.singular}",
            p=self.verb().participle,
            name=self.person().split()[1],
        )
        return text, tuple(
            noun for noun, signs in ((both, "c"), (one, "ny"), (two, "mx")) if any(f"{{{s}}}" in form for s in signs)
        )

    def _alone(self, form: str, one: Noun, two: Noun) -> str:
        return ALONE["nominative"][(one if form.startswith("{a}") else two).gender]

    def _compound(self) -> Noun:
        plain = self.words.plain
        first, second = (plain[int(self.random() * len(plain))] for _ in range(2))
        return _join(first, second)

    # -------------------------------------------------------------- sentences
    def sentence(self) -> str:
        chance = self.random()
        subject, many = self._subject()
        verb = self.verb()
        does = verb.plural if many else verb.singular
        if chance < 0.3:
            text = f"{subject} {does} {self._object()}"
        elif chance < 0.42:
            text = f"{subject} {does} {self.phrases.adverbs.draw(self.random)} {self._object()}"
        elif chance < 0.54:
            text = f"{self.phrases.times.draw(self.random)} {does} {subject} {self._object()}"
        elif chance < 0.64:
            text = f"{subject} {does} {self._object()} mit {self.phrase('dative')}"
        elif chance < 0.76:
            text = f"{subject} {does} {self._object()}, {self._because()}"
        elif chance < 0.84:
            text = f"{subject} {'sind' if many else 'ist'} {self.adjective()}, {self._because()}"
        elif chance < 0.89:
            text = f"Wir haben {self._object()} {verb.participle}"
        elif chance < 0.94:
            share = f"{self.number()} {('Prozent', 'Euro', 'Minuten', 'Stück')[int(self.random() * 4)]}"
            text = f"Bei {self.phrase('dative')} waren es {share}"
        elif chance < 0.97:
            return f"Warum {does} {subject} {self._object()}?"
        else:
            text = f"{subject} und {self.phrase('nominative')} {verb.plural} {self._object()}"
        return f"{text[0].upper()}{text[1:]}."

    def _because(self) -> str:
        subject, many = self._subject()
        verb = self.verb()
        connector = self.phrases.connectors.draw(self.random)
        return f"{connector} {subject} {self._object()} {verb.plural if many else verb.singular}"
