"""The sensitive words of a document, where they stand, and what each may become."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log2
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from heteronym.documents._generalize import NAMES, kinds_around
from heteronym.documents._phrases import Phrase, phrases_of
from heteronym.documents._senses import (
    common_term,
    concepts_above_most,
    entropy_by_frequency,
    sense_in_context,
)
from heteronym.errors import UsageError, reading
from heteronym.knowledge.bases import TAXONOMIES, Ancestor, Own, ancestors, base, chain_of, senses_of
from heteronym.knowledge.frequencies import information
from heteronym.knowledge.inflect import UNKNOWN, Use
from heteronym.knowledge.kinds import concept_of, is_readable
from heteronym.knowledge.nouns import singular
from heteronym.knowledge.taxonomy import normalized
from heteronym.knowledge.word_classes import times_seen
from heteronym.model.document import Document

if TYPE_CHECKING:
    from heteronym.documents.plausibility import Plausibility

_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+(?=[\"'“‘(\[]*[^\Wa-z])|\n+")
_ABBREVIATED = re.compile(r"(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|vs|No)\.$")
_TIMES = ("time period#1", "time unit#1")
_ORDINARY = 3.0  # bits up to which a word is none that anybody hides: "mother", "history"
_TELLING = 4.0  # bits from which on a word before the head of its phrase is sensitive as well
_NEAR = 12  # words on either side that say which sense is meant
_LONGEST = 12  # words of a term that a base knows


class Option(NamedTuple):
    """Something that a word may become."""

    label: str
    volume: int
    entropy: float


@dataclass(eq=False)
class Word:
    """A sensitive word with all its places; unknown if the only option is itself."""

    term: str
    type: str | None
    options: tuple[Option, ...]
    places: list[tuple[int, int]] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    chosen: int = 0

    def __repr__(self) -> str:
        return f"Word({len(self.places)} places, {len(self.options)} options)"


class Place(NamedTuple):
    start: int
    end: int
    type: str | None
    use: Use


def numbers(given: Sequence[str], name: str) -> dict[str, int]:
    """`word=number` pairs."""
    found = {}
    for pair in given:
        key, equal, number = pair.rpartition("=")
        if not equal or not number.strip().isdigit() or int(number) < 1:
            raise UsageError(f"'{name}' has to be given as word=number, with a number of at least 1")
        found[key.strip()] = int(number)
    return found


class Reader:
    """Finds the sensitive words of documents as a method's parameters say."""

    def __init__(self, method: Plausibility, own: Own) -> None:
        self.method, self.own = method, own
        self.listed = None if method.words is None else read_words(method.words)
        self.sense = {normalized(word): number for word, number in numbers(method.sense, "sense").items()}

    def read(self, document: Document, *, ordinary: bool = False) -> list[Word]:
        """Its sensitive words; with `ordinary` words that nobody would hide as well."""
        places = sorted(self._places(document, ordinary=ordinary))
        surfaces = [normalized(document.text[p.start : p.end]) for p in places]
        words: dict[tuple[str, str | None], Word] = {}
        for at, (place, surface) in enumerate(zip(places, surfaces, strict=True)):
            key = (singular(surface), place.type)
            word = words.get(key)
            if word is None:
                near = [*surfaces[max(0, at - _NEAR) : at], *surfaces[at + 1 : at + _NEAR]]
                around = [s for s in near if s != surface] if self.method.senses == "context" else []
                asked = [concept_of(one) for one in kinds_around(document.text, place.start, place.end)]
                words[key] = word = Word(key[0], place.type, self.options(surface, place.type, around, asked))
            word.places.append((place.start, place.end))
            word.uses.append(place.use)
        return list(words.values())

    def options(
        self, term: str, type: str | None, around: Sequence[str] = (), asked: Sequence[int] = ()
    ) -> tuple[Option, ...]:
        """The word itself, then ancestors of rising entropy; of equal ones the most special.

        Ancestors that no reader would take for what they mean are passed over, as long as others go as far.
        """
        sense = self._sense(term, type, around, asked)
        every = self.method.chain == "all"
        known = chain_of if type in NAMES else ancestors  # a name that nobody knows is removed
        chain: Sequence[Ancestor] = known(term, type, sense=sense, every=every, own=self.own)
        if self.method.common_terms and type is None:
            chain = _with_common_term(term, chain)
        found = [Option(term, 1, 0.0)]
        sure = self._sure(term, type, around, asked)
        plain = [
            a
            for a in chain
            if a.base not in TAXONOMIES or a.base == "places" or (_reads_well(a, term) and sure(a))
        ]
        furthest = max((a.leaves for a in plain), default=0)
        for ancestor in chain:
            if ancestor not in plain and (ancestor.leaves <= furthest or not sure(ancestor)):
                continue
            entropy = self._entropy(ancestor)
            if entropy > found[-1].entropy + 1e-12 and ancestor.leaves > found[-1].volume:
                found.append(Option(ancestor.form, ancestor.leaves, entropy))
        return tuple(found)

    def _sure(
        self, term: str, type: str | None, around: Sequence[str], asked: Sequence[int]
    ) -> Callable[[Ancestor], bool]:
        """Whether an ancestor is above most of what a word may mean; where a sense is named, it is."""
        nodes = [s.node for s in senses_of(term, type, own=self.own) if s.base == "wordnet"]
        if self.method.senses == "first" or len(nodes) < 2 or self.sense.get(singular(term)):
            return lambda ancestor: True
        covered = concepts_above_most(times_seen(term, nodes), around, asked)
        return lambda ancestor: ancestor.base != "wordnet" or ancestor.node in covered

    def _entropy(self, ancestor: Ancestor) -> float:
        if self.method.prior == "uniform" or ancestor.base not in TAXONOMIES:
            return log2(ancestor.leaves)
        return entropy_by_frequency(ancestor.base, ancestor.node)

    def _sense(self, term: str, type: str | None, around: Sequence[str], asked: Sequence[int]) -> int:
        number = self.sense.get(term) or self.sense.get(singular(term))
        if number is not None:
            known = len(senses_of(term, type, own=self.own))
            if number > max(known, 1):
                raise UsageError(f"'sense' names sense {number} of a word that has {known}")
            return number
        if self.method.senses == "context" and type is None:
            return sense_in_context(term, around, asked)
        return 1

    def _places(self, document: Document, *, ordinary: bool) -> Iterator[Place]:
        if self.listed is not None:
            yield from _listed_places(document, self.listed)
        elif self.method.sensitive == "mentions":
            for mention in document.mentions:
                yield Place(mention.start, mention.end, mention.type, Use(proper=True))
        else:
            types = {(m.start, m.end): m.type for m in document.mentions}
            for phrase in phrases_of([document.text], [document.mentions])[0]:
                for place in self._in_phrase(document.text, phrase):
                    term = document.text[place.start : place.end]
                    plain = place.type is None and information(term) <= _ORDINARY
                    if plain and not ordinary and singular(normalized(term)) not in self.sense:
                        continue
                    if _tells_a_time(term, place.type):
                        continue
                    # "Ann lives" may be read as one phrase: Ann stays a person, and is no town in Burma
                    yield place._replace(type=place.type or types.get((place.start, place.end)))

    def _in_phrase(self, text: str, phrase: Phrase) -> Iterator[Place]:
        """Known terms of a phrase from the right, the longest first; other nouns are words of their own."""
        if phrase.type is not None and phrase.before_name < len(phrase.words):
            start = phrase.words[phrase.before_name][0]
            use = phrase.use._replace(determined=True) if phrase.before_name else phrase.use
            yield Place(start, phrase.end, phrase.type, use)
            words = list(phrase.words[: phrase.before_name])
        else:
            words = list(phrase.words)
        tags = list(phrase.tags[: len(words)]) + ["NN"] * (len(words) - len(phrase.tags))
        last = len(words) == len(phrase.words)
        while words:
            tried = range(max(0, len(words) - _LONGEST), len(words))
            first = next((i for i in tried if self._knows(text[words[i][0] : words[-1][1]])), len(words) - 1)
            start, end = words[first][0], words[-1][1]
            # "emergency" of "emergency department" says little: before a head, only what tells is a word
            tells = last or information(text[start:end]) > _TELLING
            if tells and (tags[-1].startswith("N") or first < len(words) - 1):
                use = phrase.use if last else Use(plural=False, modifier=True)
                if last and first:
                    use = use._replace(determined=True)
                yield Place(start, end, None, use)
                last = False
            del words[first:], tags[first:]

    def _knows(self, term: str) -> bool:
        return bool(chain_of(term, own=self.own))


def _tells_a_time(term: str, type: str | None) -> bool:
    """Days of the week, "two weeks": no reader learns more from them than from "some time"."""
    if type in ("DATE", "TIME"):
        return all(ancestor.name == "date" for ancestor in chain_of(term, "DATE"))
    wordnet = base("wordnet")
    nodes = [s.node for s in senses_of(term) if s.base == "wordnet"]
    return bool(nodes) and any(concept_of(time) in wordnet.chain(nodes[0]) for time in _TIMES)


def _reads_well(ancestor: Ancestor, term: str) -> bool:
    return is_readable(ancestor.form, ancestor.node if ancestor.base == "wordnet" else None, term)


def _with_common_term(term: str, chain: Sequence[Ancestor]) -> list[Ancestor]:
    """The chain with each step that senses share in place of the one they do not (algorithm 2)."""
    wordnet = base("wordnet")
    steps: dict[int, Ancestor] = {}
    for ancestor in chain:
        common = common_term(term, ancestor.leaves)
        if common is not None:
            node = common[0]
            ancestor = Ancestor(wordnet.names[node], wordnet.form(node), ancestor.level, wordnet.leaves[node],
                                "wordnet", node)  # fmt: skip
        steps.setdefault(ancestor.node, ancestor)
    return sorted(steps.values(), key=lambda step: step.leaves)


def _listed_places(document: Document, listed: Sequence[str]) -> Iterator[Place]:
    taken: list[tuple[int, int]] = []
    types = {(m.start, m.end): m.type for m in document.mentions}
    for term in sorted(listed, key=len, reverse=True):
        forms = "|".join(re.escape(form).replace(r"\ ", r"[\s_]+") for form in {term, singular(term)})
        for match in re.finditer(rf"(?<!\w)(?:{forms})(?:e?s)?(?!\w)", document.text, re.IGNORECASE):
            start, end = match.span()
            if all(end <= a or b <= start for a, b in taken):
                taken.append((start, end))
                yield Place(start, end, types.get((start, end)) if not chain_of(term) else None, UNKNOWN)


def read_words(given: str | Sequence[str]) -> tuple[str, ...]:
    """The sensitive words of a file, one per line, or as they were given."""
    if isinstance(given, str):
        with reading(given, "file of words"):
            given = Path(given).read_text(encoding="utf-8-sig").splitlines()
    words = tuple(dict.fromkeys(line.strip().replace("_", " ") for line in given if line.strip()))
    return tuple(word for word in words if not word.startswith("#"))


def units_of(document: Document, unit: str) -> list[tuple[int, int]]:
    """Where the units of a text begin and end."""
    text = document.text
    if unit == "sentence":
        ends = [
            match.end()
            for match in _SENTENCE_END.finditer(text)
            if not _ABBREVIATED.search(text[max(0, match.start() - 11) : match.start() + 1])
        ]
        found = list(pairwise([0, *ends, len(text)]))
    elif unit == "paragraph":
        cuts = [0, *(match.end() for match in _PARAGRAPH.finditer(text)), len(text)]
        found = list(pairwise(cuts))
    else:
        found = [(0, len(text))]
    return [(start, end) for start, end in found if start < end]


def words_of_units(units: Sequence[tuple[int, int]], words: Sequence[Word]) -> list[list[Word]]:
    """The words that stand in each unit, each once, in the order of the words."""
    starts = [start for start, _ in units]
    found: list[list[Word]] = [[] for _ in units]
    for word in words:
        for number in sorted({bisect_right(starts, start) - 1 for start, _ in word.places}):
            if number >= 0:
                found[number].append(word)
    return found
