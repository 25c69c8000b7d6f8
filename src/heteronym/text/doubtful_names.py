"""Names that a model took for something else, where a plan lists people and not that.

A model tells people, places and bodies apart by the words around; with little around it errs ("Jacko" a
place, "Ffion" a body). Where a plan lists people alone, what no list knows as the other counts as one.

Cost        a look at each span of a model
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from heteronym.knowledge.places import type_of
from heteronym.knowledge.wordlists import first_names, words
from heteronym.model.mention import Span
from heteronym.text.lexicon import lexicon
from heteronym.text.models.token_classifier import TOLD

PERSON = "PERSON"
_NAMES = frozenset({"ORG", "GPE", "LOC", "FAC", "NORP", "PRODUCT", "EVENT", "WORK_OF_ART"})
_LETTERS = frozenset({"body by its letters", "body by its letters behind a word"})  # or initials
_INITIALS = re.compile(r"[A-Z]{2,3}")
_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_PARTICLES = lexicon("common").words("NAME_PARTICLES")
_LONGEST = 4  # words of a name
_BODIES = frozenset(
    word.lower() for name in ("PUBLIC", "BUILDINGS") for word in lexicon("institutions").listed(name)
)

Ranked = list[tuple[int, Span]]


def with_doubtful_names(text: str, ranked: Ranked, listed: Collection[str]) -> Ranked:
    """The spans, and those of types that are not listed once more as people, if they could be some."""
    if PERSON not in listed:
        return ranked
    return [*ranked, *_as_people(text, ranked, listed)]


def _as_people(text: str, ranked: Ranked, listed: Collection[str]) -> Iterator[tuple[int, Span]]:
    for rank, span in ranked:
        if span.type in listed or span.type not in _NAMES or span.rule.startswith(TOLD):
            continue
        surface = text[span.start : span.end]
        if span.rule in _LETTERS:
            doubtful = _INITIALS.fullmatch(surface) is not None
        else:
            doubtful = rank == 1 and could_be_somebody(surface)
        if doubtful:
            yield rank, span._replace(type=PERSON)


def could_be_somebody(surface: str) -> bool:
    """Whether words with capitals may be a name: no place, no body, and not all of them everyday words."""
    parts = _WORD.findall(surface)
    if not parts or len(parts) > _LONGEST or not surface[:1].isupper() or type_of(surface) is not None:
        return False
    common, names = words("common_words"), first_names() | words("surnames")
    if any(part.lower() in _BODIES for part in parts):
        return False
    if any(part in names for part in parts):
        return True
    return not any(
        (part.lower() in common and part not in _PARTICLES) or (part.isupper() and len(part) < 6)
        for part in parts
    )
