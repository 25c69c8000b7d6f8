"""Definition 4 of paper 001 to the letter: of all hypernyms of a phrase below beta the one that tells most.

Without further bases than WordNet, it is what the paper compares with (`nearest`: the first below beta).
A phrase that no base knows loses its first words, one after the other, until one knows it; what is left is
not offered itself. This favours odd words ("attribute" tells more than "disease", because it is rarer).

Reference   Sanchez, Batet, Viejo 2013 (paper 001), definition 4
Cost        a chain per phrase
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence

from heteronym.documents._generalize import LAST_RESORTS, Choice
from heteronym.documents._oracles import Oracle
from heteronym.documents._phrases import Phrase
from heteronym.knowledge.bases import Ancestor, Own, chain_of
from heteronym.knowledge.nouns import is_name, plural


class LiteralGeneralizer:
    """Finds the hypernym of a phrase that tells most below beta."""

    def __init__(self, oracle: Oracle, beta: float, own: Own, *, everything: bool, nearest: bool) -> None:
        self.oracle, self.beta, self.own = oracle, beta, own
        self.everything, self.nearest = everything, nearest

    def choose(self, text: str, phrase: Phrase, around: Sequence[str]) -> Choice | None:
        many = bool(phrase.use.plural)
        offers: list[tuple[float, int, str]] = []
        for level, ancestor in enumerate(self._hypernyms(text, phrase)):
            for label in dict.fromkeys((ancestor.form, ancestor.name)):
                bits = self.oracle(plural(label) if many and not is_name(label) else label)
                if bits < self.beta:
                    offers.append((bits, -level, label))
        if offers:
            return Choice((offers[0] if self.nearest else max(offers))[2])
        return next((Choice(one) for one in LAST_RESORTS if self.oracle(one) < self.beta), None)

    def _hypernyms(self, text: str, phrase: Phrase) -> Sequence[Ancestor]:
        for start, _ in phrase.words:
            chain = chain_of(text[start : phrase.end], phrase.type, own=self.own) if self.everything else ()
            chain = chain or chain_of(text[start : phrase.end], own=self.own)
            chain = tuple(a for a in chain if self.everything or a.base == "wordnet")
            if chain:
                return chain
        return ()
