"""Which words of a text are taken for a column's value: ordinary words need more than their letters.

"a couple of" is not the tag `Couple`, the M of "36M" no city, the F of "102 F" no sex. The rule is written in
docs/plan.md ("Which words of a text are a value"), and tests/data/ordinary_values.json has its cases.

Cost        O(1) per occurrence
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from heteronym.model.function_words import FUNCTION_WORDS
from heteronym.model.schema import Scale
from heteronym.reading.search_targets import Target
from heteronym.text.entity_types import VALUE
from heteronym.text.forms import is_telling, ordinary, titles
from heteronym.text.own_values import Hit

Place = tuple[int, int]

_WORD = re.compile(r"[^\W_]+")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)\.?\s$")
_SENTENCE_MARK = re.compile(r"[.!?](?:\s|$)|\n")
_BEGINS_SENTENCE = re.compile(r"(?:^|[.!?:;\n\r•*|])[\s\"'“”‘’(\[\-–—]*$")
# a value that stands alone: between the ends of a line, bars or semicolons, or behind a label ("Sex: M")
_BEFORE_ALONE = re.compile(r"(?:^|[\n\r|;•\t]|[:=])[ \"'“(\[]*$")
_BEHIND_ALONE = re.compile(r"[ \"'”)\]]*(?:$|[\n\r|;,\t]|\.(?:\s|$))")
# "a couple of", "the number of": words that count what follows
_COUNTING = frozenset(
    "amount bit bunch case class couple course deal dozen group handful host kind lack level list lot".split()
    + "majority matter minority number pair part piece range result series set share sign sort team".split()
    + "total type variety".split()
)
_COUNTS_WHAT_FOLLOWS = re.compile(r"\s+of(?![^\W_])", re.IGNORECASE)
_YEARS = re.compile(r"[\s\-]{0,2}(?:years?|yrs?|y/?o|y)(?![^\W_])", re.IGNORECASE)
_LOOK_BACK = 24  # characters before an occurrence that are looked at
_AROUND = 300  # characters at both sides in which sentences and small letters are looked for
_NEAR_A_NUMBER = 16  # characters between an age and the letter of a sex: "36-year-old F"


def of_values(
    text: str, hits: Sequence[Hit], targets: Sequence[Target], recognized: Collection[Place]
) -> list[Hit]:
    """The occurrences that count; `recognized` are the places of mentions that recognizers found."""
    return [hit for hit in hits if _counts(text, hit, hits, targets, recognized)]


def _counts(
    text: str, hit: Hit, hits: Sequence[Hit], targets: Sequence[Target], recognized: Collection[Place]
) -> bool:
    target, surface = targets[hit.target], text[hit.start : hit.end]
    if target.is_identifier or (hit.start, hit.end) in recognized:
        return True
    if target.attribute.scale is Scale.DATE or (len(surface) > 1 and _is_number(target)):
        return True
    if _is_number(target):
        return _YEARS.match(text, hit.end) is not None or stands_alone(text, hit.start, hit.end)
    if is_telling(surface):
        return True
    if len(surface) == 1:
        letter = target.has_letters and _beside_a_number(hit, hits, targets)
        return letter or stands_alone(text, hit.start, hit.end)
    if is_part_of_a_token(text, hit.start, hit.end):
        return False
    if surface.lower() in _COUNTING and _COUNTS_WHAT_FOLLOWS.match(text, hit.end) is not None:
        return False
    if has_own_type(target):
        return True
    return (
        sum(word.isalpha() and word.lower() not in FUNCTION_WORDS for word in _WORD.findall(surface)) > 1
        or _has_a_name_s_capital(text, hit.start, hit.end)
        or stands_alone(text, hit.start, hit.end)
    )


def has_own_type(target: Target) -> bool:
    """Whether the plan says as what the column's values turn up in texts."""
    return any(kind != VALUE for kind in target.attribute.entities)


def _is_number(target: Target) -> bool:
    return target.attribute.scale is Scale.NUMERIC


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether nothing else stands on its line or in its entry of a list."""
    before = _BEFORE_ALONE.search(text[max(start - _LOOK_BACK, 0) : start])
    if before is None or (before.start() == 0 and start > _LOOK_BACK and not before.group().strip()):
        return False
    return _BEHIND_ALONE.match(text, end) is not None


def _has_a_name_s_capital(text: str, start: int, end: int) -> bool:
    """A capital that neither a sentence's beginning nor a text in capitals explains.

    In a text of several words without any sentence's end, nobody knows where sentences begin.
    """
    before = text[max(start - _LOOK_BACK, 0) : start]
    if not text[start].isupper() or _BEGINS_SENTENCE.search(before) is not None:
        return False
    around = text[max(start - _AROUND, 0) : end + _AROUND]
    return around != around.upper() and _SENTENCE_MARK.search(around) is not None


def is_ordinary(surface: str) -> bool:
    """Whether all words of a surface stand in anybody's text; figures alone are of anybody, too."""
    return all(word.isdigit() or word.lower() in ordinary() for word in _WORD.findall(surface))


def is_marked_as_a_name(text: str, start: int, end: int) -> bool:
    """Whether more than its letters says that an ordinary word is somebody's or something's name here."""
    before = _WORD_BEFORE.search(text, max(start - _LOOK_BACK, 0), start)
    if before is not None and before[1].lower() in titles():
        return True
    return _has_a_name_s_capital(text, start, end)


def _beside_a_number(hit: Hit, hits: Sequence[Hit], targets: Sequence[Target]) -> bool:
    numbers = (other for other in hits if _is_number(targets[other.target]))
    return any(
        0 <= hit.start - other.end <= _NEAR_A_NUMBER or 0 <= other.start - hit.end <= 2 for other in numbers
    )


def is_part_of_a_token(text: str, start: int, end: int) -> bool:
    """Whether letters with upper and lower case, or digits, go on at one of the ends."""
    return (start > 0 and _joins(text[start - 1], text[start])) or (
        end < len(text) and _joins(text[end - 1], text[end])
    )


def _joins(left: str, right: str) -> bool:
    return _is_cased_or_digit(left) and _is_cased_or_digit(right)


def _is_cased_or_digit(character: str) -> bool:
    return character.isdigit() or character.islower() or character.isupper()
