"""Noun phrases that tell more than a threshold become more general ones that tell less.

beta is what may be revealed: the information content of the most telling feature the owner names. A
phrase above beta is replaced by its nearest ancestor below beta, by a simpler form of itself, or at last by
"thing". Because words around a replacement may be read anew, the result is read and treated again until
nothing is above beta.

Reference   Sanchez, Batet, Viejo 2013 (paper 001), definitions 1 to 4
Guarantee   no noun phrase of the written text tells more than beta
Cost        linear in the length of the text; tags of the fast model, twice or three times
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from heteronym.documents import _recount
from heteronym.documents._edits import composed
from heteronym.documents._generalize import Choice, Generalizer
from heteronym.documents._literal import LiteralGeneralizer
from heteronym.documents._oracles import Oracle, oracle_of
from heteronym.documents._own_bases import read_own
from heteronym.documents._phrases import Phrase, listed_phrases_of, phrases_of
from heteronym.documents._sentences import Replaced, edits_of
from heteronym.errors import UsageError
from heteronym.knowledge.bases import Own
from heteronym.knowledge.frequencies import ABSENT_IC
from heteronym.model.document import Document, Sanitized
from heteronym.model.edit import Edit, edited
from heteronym.model.release import Check
from heteronym.registry import document_methods
from heteronym.run import current

DEFAULT_BETA = 4.5
SUPPRESSED = "[TERM]"
_ROUNDS = 6
_NEAR = 12  # phrases on either side that say which sense of a word is meant
_AT_ONCE = 64  # documents tagged together


class Figures(NamedTuple):
    """Eq. 9 of what was read and of what was written, and of the bounds on either side."""

    phrases: int = 0
    sensitive: int = 0
    suppressed: int = 0
    original: float = 0.0
    sanitized: float = 0.0
    ideal: float = 0.0
    without: float = 0.0

    def plus(self, other: Figures) -> Figures:
        return Figures._make(a + b for a, b in zip(self, other, strict=True))


@document_methods.register("information-content")
@dataclass(frozen=True)
class InformationContent:
    """Generalizes noun phrases that tell more than beta bits."""

    reveal: tuple[str, ...] = field(
        default=(),
        metadata={"help": "a feature that may be revealed; beta is what the most telling one tells"},
    )
    beta: float | None = field(
        default=None,
        metadata={"help": f"threshold in bits, {DEFAULT_BETA} if no feature is named", "min": 0.0},
    )
    select: Literal["nearest", "argmax"] = field(
        default="nearest",
        metadata={
            "help": "nearest ancestor below beta, or the one that tells most (definition 4 to the letter)"
        },
    )
    bases: Literal["all", "wordnet"] = field(
        default="all", metadata={"help": "knowledge bases that are asked for ancestors"}
    )
    base: tuple[str, ...] = field(
        default=(), metadata={"help": "a hierarchy of your own, asked first: CSV, SKOS or OBO"}
    )
    corpus: str | None = field(
        default=None, metadata={"help": "folder of documents that say how common a phrase is"}
    )
    oracle: str | None = field(
        default=None,
        metadata={"help": "file of hit counts, or module:function that tells the bits of a phrase"},
    )
    synonyms: bool = field(
        default=False, metadata={"help": "a concept is as common as all its names together"}
    )
    identifiers: Literal["mask", "keep"] = field(
        default="mask", metadata={"help": "names, codes and towns: masked first, or left to the method alone"}
    )

    def sanitize(self, documents: Sequence[Document]) -> Sanitized:
        oracle = oracle_of(self.oracle, self.corpus, synonyms=self.synonyms)
        beta = self.threshold(oracle)
        rewriter = _Rewriter(self, oracle, beta, read_own(self.base))
        run = current()
        edits: list[list[Edit]] = []
        figures = Figures()
        for begin in range(0, len(documents), _AT_ONCE):
            run.tell(begin / len(documents), "sanitize")
            made, counts = rewriter.rewrite(documents[begin : begin + _AT_ONCE])
            edits += made
            figures = figures.plus(counts)
        return Sanitized(edits, self._facts(figures, beta, oracle))

    def audit(self, document: Document, released: str) -> Check:
        """Phrases of the written text, found and weighed by code of its own, none of them above beta."""
        oracle = oracle_of(self.oracle, self.corpus, synonyms=self.synonyms)
        custom = None if self.oracle is None and self.corpus is None and not self.synonyms else oracle
        beta = self.threshold(oracle)
        above, phrases = _recount.phrases_above(released, beta, custom)
        detail = f"{above} of {phrases} noun phrases of the written text tell more than {beta:.2f} bits"
        return Check("information", above == 0, detail)

    def threshold(self, oracle: Oracle) -> float:
        """Eq. 3."""
        if self.reveal:
            empty = [number for number, one in enumerate(self.reveal, 1) if not any(map(str.isalnum, one))]
            if empty:
                raise UsageError(f"feature {empty[0]} of reveal holds no word")
            most = max(oracle(feature) for feature in self.reveal)
            return most if self.beta is None else min(most, self.beta)
        return DEFAULT_BETA if self.beta is None else self.beta

    def _facts(self, figures: Figures, beta: float, oracle: Oracle) -> dict[str, Any]:
        absent = [
            f"feature {number} of reveal is no known word: beta is {beta:.2f}, and nearly nothing is above it"
            for number, feature in enumerate(self.reveal, 1)
            if self.oracle is None and self.corpus is None and oracle(feature) >= ABSENT_IC - 1e-9
        ]
        return {
            "beta": beta,
            "phrases": figures.phrases,
            "sensitive": figures.sensitive,
            "suppressed": figures.suppressed,
            "utility": utility(figures.sanitized, figures.original),
            "utility_ideal": utility(figures.ideal, figures.original),
            "utility_suppression": utility(figures.without, figures.original),
            **({"warnings": absent} if absent else {}),
        }


def utility(kept: float, original: float) -> float:
    """Eq. 10, in per cent; a document that tells nothing loses nothing."""
    return 100.0 * kept / original if original else 100.0


class _Rewriter:
    """Rewrites texts until no phrase is above beta; equal phrases of one document get equal replacements."""

    def __init__(self, method: InformationContent, oracle: Oracle, beta: float, own: Own) -> None:
        self.method, self.beta = method, beta
        generalizer = Generalizer(oracle, beta, own)
        self.tells = generalizer.tells
        literal = LiteralGeneralizer(
            oracle, beta, own, everything=method.bases == "all", nearest=method.select == "nearest"
        )
        plain = method.select == "argmax" or method.bases == "wordnet"
        self.choose = literal.choose if plain else generalizer.choose

    def rewrite(self, documents: Sequence[Document]) -> tuple[list[list[Edit]], Figures]:
        """The first reading has a tagger; what is written is read by word lists alone, as the audit does."""
        read = phrases_of([d.text for d in documents], [d.mentions for d in documents])
        edits: list[list[Edit]] = []
        figures = Figures()
        for document, phrases in zip(documents, read, strict=True):
            told = [self.tells(document.text[p.start : p.end]) for p in phrases]
            made, kept = self._edits(document.text, phrases, told)
            figures = figures.plus(self._figures(told, kept))
            made, hidden = self._read_again(document.text, made)
            figures = figures.plus(Figures(suppressed=hidden))
            edits.append(made)
        return edits, figures

    def _read_again(self, original: str, made: list[Edit]) -> tuple[list[Edit], int]:
        for number in range(_ROUNDS):
            text = edited(original, made)
            phrases = listed_phrases_of(text)
            told = [self.tells(text[p.start : p.end]) for p in phrases]
            if number == _ROUNDS - 1:
                new = [Edit(p.start, p.end, SUPPRESSED) for p, bits in zip(phrases, told) if bits > self.beta]
            else:
                new, _ = self._edits(text, phrases, told)
            if not new:
                return made, text.count(SUPPRESSED) - original.count(SUPPRESSED)
            made = composed(made, new)
        return made, edited(original, made).count(SUPPRESSED)

    def _figures(self, told: Sequence[float], kept: Sequence[float]) -> Figures:
        below = sum(bits for bits in told if bits <= self.beta)
        above = sum(bits > self.beta for bits in told)
        return Figures(len(told), above, 0, sum(told), sum(kept), below + above * self.beta, below)

    def _edits(
        self, text: str, phrases: Sequence[Phrase], told: Sequence[float]
    ) -> tuple[list[Edit], list[float]]:
        """Replacements of all phrases above beta, and the bits that each phrase tells then."""
        chosen: dict[tuple[str, str | None, bool, bool], Choice | None] = {}
        around = [text[p.words[-1][0] : p.end].lower() for p in phrases]
        replaced: list[Replaced] = []
        kept = list(told)
        for number, (phrase, bits) in enumerate(zip(phrases, told, strict=True)):
            if bits <= self.beta:
                continue
            many = bool(phrase.use.plural)
            key = (text[phrase.start : phrase.end].lower(), phrase.type, many, phrase.is_common)
            if key not in chosen:
                near = around[max(0, number - _NEAR) : number] + around[number + 1 : number + _NEAR]
                chosen[key] = self.choose(text, phrase, near)
            choice = chosen[key]
            replaced.append(Replaced(phrase, choice))
            kept[number] = 0.0 if choice is None else min(self.tells(choice.text), self.beta)
        return edits_of(text, replaced, SUPPRESSED), kept
