"""Maps the labels of models to the types of the table, and repairs what small models get wrong.

Most corpora have one label for places: gazetteer and head noun split it into GPE, LOC and FAC. Closed
classes (dates, numbers, languages) are left to the rules, which find them better; a model that is known to be
good at them (an OntoNotes pipeline) keeps its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from heteronym.knowledge.places import type_of
from heteronym.knowledge.wordlists import first_names, words
from heteronym.model.mention import Span
from heteronym.text.entity_types import TYPES
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.institutions import names_nobody
from heteronym.text.recognizers.places import place_type

_LEXICON = lexicon("labels")

SYNONYMS = _LEXICON.table("synonyms")
OWN = frozenset("PERSON ORG LOC NORP EVENT WORK_OF_ART PRODUCT".split())  # what our models are used for
_TITLED = frozenset({"ORG", "EVENT", "WORK_OF_ART", "PRODUCT"})
_NAMED = frozenset({"PERSON", "ORG", "LOC", "PRODUCT"})
_LAW_WORDS = _LEXICON.words("LAW_WORDS")
# From these scores on a common word is a name: inside a sentence, in small letters, at its start.
_DOUBTFUL, _LIKELY, _SURE = 0.6, 0.8, 0.9
_EDGES = " \t\r\n\"“”„‘’'`()[]{}<>,;:!?*_|…–—"
_LEADING = ("the ", "The ", "a ", "an ")


def cleaned(
    text: str,
    found: Iterable[tuple[int, int, str, float]],
    *,
    source: str,
    keep: frozenset[str] | None = None,
    types: Mapping[str, str] = MappingProxyType({}),
) -> list[Span]:
    """A model's (start, end, label, score) as spans of our types; the label as it came is their rule.

    `keep` names the types that the model may report, `types` says what labels of its own mean.
    """
    result = []
    for start, end, label, score in found:
        name = types.get(label, label).upper().replace(" ", "_")
        kind = SYNONYMS.get(name, name)
        if kind not in TYPES or (keep is not None and kind not in keep):
            continue  # MISC says nothing here
        start, end = _trimmed(text, start, end, kind)
        surface = text[start:end]
        if not any(map(str.isalpha, surface)) or _is_of_a_program(text, start, end):
            continue
        if kind in _THINGS and not _OWNER.search(text, max(0, start - _NEAR), end + _NEAR):
            continue
        needed = _SURE if _begins_a_sentence(text, start) else _DOUBTFUL
        if _is_common(surface, kind, score, needed) or _is_no_name(surface, kind, score):
            continue
        if kind == "LOC":
            kind = place_type(surface)
        elif kind == "ORG" and names_nobody(surface):
            kind = "INSTITUTION"
        result.append(Span(start, end, kind, min(max(score, 0.0), 1.0), source, label))
    return result


def _trimmed(text: str, start: int, end: int, kind: str) -> tuple[int, int]:
    """Without marks around it, and without an article before it."""
    while start < end and text[start] in _EDGES:
        start += 1
    while end > start and text[end - 1] in _EDGES:
        end -= 1
    if kind in ("ORG", "LOC", "GPE", "FAC", "NORP"):
        for article in _LEADING:
            if text.startswith(article, start, end):
                return start + len(article), end
    return start, end


def _is_common(surface: str, kind: str, score: float, needed: float) -> bool:
    """An ordinary word: "applicant" is nobody's name, "court" no organization, "Decision" no work of art."""
    common = words("common_words")
    if surface.islower() and all(w in common for w in surface.split()):
        return not (score >= _LIKELY and _is_named(surface.capitalize(), kind))
    # Capitals at the beginning of a sentence say little; elsewhere "Apple" and "Target" are names.
    if " " in surface or kind == "NORP" or surface.lower() not in common:
        return False
    return score < needed and not _is_named(surface.capitalize() if surface.islower() else surface, kind)


def _is_no_name(surface: str, kind: str, score: float) -> bool:
    """Titles of laws, words for anybody, abbreviations of fields."""
    if kind in _TITLED and surface.split()[-1] in _LAW_WORDS:
        return True
    if kind in ("PERSON", "ORG") and surface.lower() in _NOBODY:
        return True
    if kind in _NAMED and surface.lower().strip(".") in _NO_NAME and (surface.isupper() or score < _SURE):
        return True
    short = kind == "PERSON" and surface.isupper() and len(surface) < 4  # "MRN", "DOB"
    return short and not _is_named(surface.capitalize(), kind)


_THINGS = frozenset({"PRODUCT", "EVENT", "WORK_OF_ART"})
_NEAR = 120
_OWNER = _LEXICON.compiled("OWNER")
_CODE_BEFORE = _LEXICON.compiled("CODE_BEFORE")
_CODE_AFTER = _LEXICON.compiled("CODE_AFTER")


def _is_of_a_program(text: str, start: int, end: int) -> bool:
    """`Vec`, Test::Builder, main(): words of a program name nobody."""
    return bool(_CODE_BEFORE.search(text, max(0, start - 2), start) or _CODE_AFTER.match(text, end))


def _begins_a_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 4) : start].rstrip(" \t\"“‘'(")
    return not before or before[-1] in ".!?:;\n"


def _is_named(word: str, type: str) -> bool:
    """Whether a word that is also a common one is known as a name of its type."""
    if type == "PERSON":
        return word in first_names() or word in words("surnames")
    if type in ("LOC", "GPE"):
        return type_of(word) is not None
    return word.isupper()


_NO_NAME = _LEXICON.words("NO_NAME")
_NOBODY = _LEXICON.words("NOBODY")
