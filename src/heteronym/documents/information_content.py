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

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal, NamedTuple

from heteronym.documents import _recount
from heteronym.documents._edits import composed
from heteronym.documents._oracles import Oracle, oracle_of
from heteronym.documents._own_bases import read_own
from heteronym.documents._phrases import Phrase, phrases_of
from heteronym.errors import UsageError
from heteronym.knowledge.bases import Ancestor, Own, ancestors, chain_of
from heteronym.knowledge.frequencies import ABSENT_IC
from heteronym.knowledge.inflect import fitted
from heteronym.knowledge.nouns import is_name, plural
from heteronym.knowledge.wordlists import words
from heteronym.model.document import Document, Sanitized
from heteronym.model.edit import Edit, edited
from heteronym.model.release import Check
from heteronym.registry import document_methods
from heteronym.run import current

DEFAULT_BETA = 4.5
SUPPRESSED = "[TERM]"
_ROUNDS = 6
_LAST_RESORTS = ("thing", "world")
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
        chooser = _Chooser(self, oracle, beta, read_own(self.base))
        run = current()
        edits: list[list[Edit]] = []
        figures = Figures()
        for begin in range(0, len(documents), _AT_ONCE):
            run.tell(begin / len(documents), "sanitize")
            made, counts = chooser.rewrite(documents[begin : begin + _AT_ONCE])
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


class _Chooser:
    """Finds replacements below beta; equal phrases of one type get equal ones."""

    def __init__(self, method: InformationContent, oracle: Oracle, beta: float, own: Own) -> None:
        self.method, self.oracle, self.beta, self.own = method, oracle, beta, own
        self.chosen: dict[tuple[str, str | None, bool, bool], str] = {}

    def rewrite(self, documents: Sequence[Document]) -> tuple[list[list[Edit]], Figures]:
        texts = [document.text for document in documents]
        mentions: list[Sequence[Any]] = [document.mentions for document in documents]
        edits: list[list[Edit]] = [[] for _ in documents]
        figures = Figures()
        waiting = list(range(len(documents)))
        for number in range(_ROUNDS):
            read = phrases_of([texts[i] for i in waiting], [mentions[i] for i in waiting])
            changed = []
            for i, phrases in zip(waiting, read, strict=True):
                if number == 0:
                    figures = figures.plus(self._before(texts[i], phrases))
                new = self._edits(texts[i], phrases, last=number == _ROUNDS - 1)
                if new:
                    edits[i] = composed(edits[i], new)
                    texts[i], mentions[i] = edited(texts[i], new), ()
                    changed.append(i)
                if not new or number == _ROUNDS - 1:
                    figures = figures.plus(self._after(texts[i], phrases))
            waiting = changed
            if not waiting:
                break
        return edits, figures

    def _before(self, text: str, phrases: Sequence[Phrase]) -> Figures:
        bits = [self.oracle(text[p.start : p.end]) for p in phrases]
        kept = sum(b for b in bits if b <= self.beta)
        above = sum(b > self.beta for b in bits)
        return Figures(len(bits), above, 0, sum(bits), 0.0, kept + above * self.beta, kept)

    def _after(self, text: str, phrases: Sequence[Phrase]) -> Figures:
        bits = [self.oracle(text[p.start : p.end]) for p in phrases]
        return Figures(suppressed=text.count(SUPPRESSED), sanitized=sum(b for b in bits if b <= self.beta))

    def _edits(self, text: str, phrases: Sequence[Phrase], *, last: bool) -> list[Edit]:
        edits: list[Edit] = []
        for phrase in phrases:
            surface = text[phrase.start : phrase.end]
            if self.oracle(surface) <= self.beta:
                continue
            if last:
                edits.append(Edit(phrase.start, phrase.end, SUPPRESSED))
                continue
            label = self._label(text, phrase)
            start, end, new = fitted(label, text, phrase.start, phrase.end, use=phrase.use)
            if is_name(label) and text.startswith(f", {label}", end):
                end += len(label) + 2  # "Tarragona, Spain" is "Spain"
            if edits and start < edits[-1].end:
                start = edits[-1].end
            edits.append(Edit(start, end, new))
        return edits

    def _label(self, text: str, phrase: Phrase) -> str:
        many = bool(phrase.use.plural)
        key = (text[phrase.start : phrase.end].lower(), phrase.type, many, phrase.is_common)
        if key not in self.chosen:
            self.chosen[key] = self._choose(text, phrase, many=many)
        return self.chosen[key]

    def _choose(self, text: str, phrase: Phrase, *, many: bool) -> str:
        """The most telling of what the sources offer below beta."""
        offers: list[tuple[float, int, str]] = []
        for number, source in enumerate(self._sources(text, phrase)):
            below = (
                (bits, -number, label)
                for label in source
                if (bits := self.oracle(plural(label) if many and not is_name(label) else label)) < self.beta
            )
            offers += below if self.method.select == "argmax" else islice(below, 1)
        for label in () if offers else _LAST_RESORTS:
            if self.oracle(label) < self.beta:
                return label
        return max(offers)[2] if offers else SUPPRESSED

    def _sources(self, text: str, phrase: Phrase) -> Iterator[Iterable[str]]:
        """Hierarchies and simpler forms that generalize a phrase, each nearest first."""
        surface = text[phrase.start : phrase.end]
        everything = self.method.bases == "all"
        typed = everything and phrase.type is not None
        known = self._chain(surface) if not typed or phrase.is_common or surface.isupper() else ()
        if (
            typed
        ):  # who takes "COPD" for an organization and chemotherapy for a disease knows less than a base
            known = chain_of(surface, phrase.type, own=self.own) or known
            known = known or ancestors(surface, phrase.type, own=self.own)
        yield _labels(known)
        if typed and phrase.before_name and phrase.type == "PERSON":
            said = text[phrase.start : phrase.words[phrase.before_name - 1][1]]
            chain = self._chain(said)
            if any(ancestor.name == "person" for ancestor in chain):  # "her colleague Ann" is a colleague
                yield [said, *_labels(chain)]
        if typed and not phrase.is_common:
            return  # what is left of a name is no more general than the name
        for at, (start, _) in enumerate(phrase.words[1:], 1):
            simpler = text[start : phrase.end]
            if not simpler[:1].isalnum():
                continue
            chain = self._chain(simpler)
            if phrase.is_common and (chain or everything):
                owned = text[slice(*phrase.words[at - 1])] in ("'s", "’s", "'", "’")
                yield [f"the {simpler}" if owned and not phrase.use.determined else simpler]
            yield _labels(chain)

    def _chain(self, term: str) -> Sequence[Ancestor]:
        if self.method.bases == "all":
            return chain_of(term, own=self.own)
        return [a for a in chain_of(term) if a.base == "wordnet"]


def _labels(chain: Sequence[Ancestor]) -> Iterator[str]:
    for ancestor in chain:
        if ancestor.name in words("too_general"):
            continue
        yield ancestor.form
        if ancestor.base == "places" and ancestor.name != "place":
            yield ancestor.name
