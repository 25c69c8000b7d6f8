"""What was found in a document is found there in other writings, too: the search of tables, for documents.

A document has no columns that say who its persons are, so what names somebody is what was found: names,
addresses, numbers, codes. They are looked for as a table's identifiers are (`text.own_values`). As a finding
is less sure than a cell, ordinary words and short runs of letters are left alone.

Cost        O(words of the text + forms of the findings)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heteronym.model.mention import Span
from heteronym.text.atoms import plain, words_of
from heteronym.text.forms import identifier_forms, name_words, ordinary, value_forms
from heteronym.text.own_values import OwnValues
from heteronym.text.propagate import merged

SOURCE = "other writing"
_SURE = 0.5  # least score of a finding that is looked for
_LEAST = 4  # letters and digits of what is found
_MANY = 5  # words that are no accident
_PERSON = "PERSON"


def add_other_writings(text: str, found: Sequence[Span], *, is_direct: Callable[[str], bool]) -> list[Span]:
    """The mentions of a document, and whatever else tells what names and those of direct types tell."""
    own, types = OwnValues(), [_PERSON]
    for surface, type_ in sorted({(text[s.start : s.end], s.type) for s in found if _counts(s, is_direct)}):
        if type_ not in types:
            types.append(type_)
        number = types.index(type_)
        names = name_words(surface) if type_ == _PERSON else []
        if type_ == _PERSON and len(names) < 2:
            own.add(value_forms(surface.strip()), number)
        else:
            own.add(identifier_forms(surface), number)
        own.add_initials([name for name in names if len(name) > 1], number)
        own.add_slips((name for name in names if name not in ordinary()), number)
        own.add_digits(surface, number)
    fresh = [
        Span(hit.start, hit.end, types[hit.target], 1.0, SOURCE, types[hit.target])
        for hit in own.find(text)
        if _tells(text[hit.start : hit.end])
        and not any(span.start <= hit.start and hit.end <= span.end for span in found)
    ]
    return merged(found, fresh) if fresh else list(found)


def _counts(span: Span, is_direct: Callable[[str], bool]) -> bool:
    return (span.type == _PERSON or is_direct(span.type)) and span.score >= _SURE


def _tells(surface: str) -> bool:
    """Whether it is more than ordinary words or initials."""
    words = words_of(plain(surface).text).words
    if sum(map(len, words)) < _LEAST:
        return False
    if len(words) >= _MANY or (len(words) > 1 and all(len(word) == 1 for word in words)):
        return True  # spaced letters, or a number in words
    return any(word not in ordinary() for word in words if len(word) > 1 or word.isdigit())
