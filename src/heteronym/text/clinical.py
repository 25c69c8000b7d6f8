"""Whether a text is a note about a patient: much means something else there."""

from __future__ import annotations

from heteronym.text.index import index_of
from heteronym.text.lexicon import lexicon

_SIGNS = lexicon("health").compiled("SIGNS")


def is_clinical(text: str) -> bool:
    """Whether two different signs of a note about a patient are in the text."""
    return index_of(text).told(_has_two_signs)


def _has_two_signs(text: str) -> bool:
    signs = (sign.group().lower() for sign in _SIGNS.finditer(text))
    first = next(signs, None)
    return any(sign != first for sign in signs)
