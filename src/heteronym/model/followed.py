"""Which terms are looked for wherever else they may stand in a person's texts.

A name, a place, a number that stands for somebody means the same wherever it is written. A date, an amount, a
trade or an illness does not: that somebody's mother is a nurse makes no "nurse" of another sentence hers.
Those are mentions where they are said of somebody, and nowhere else. Types of the owner's own (`patterns`,
`words`) are followed in every spelling.
"""

from __future__ import annotations

DESCRIBING = frozenset(
    "NORP PRODUCT EVENT WORK_OF_ART LAW LANGUAGE DATE TIME PERCENT MONEY QUANTITY INSTITUTION ORDINAL "
    "CARDINAL AGE JOB RELIGION MARITAL FAMILY EDUCATION HEALTH ORIGIN".split()
)
IDENTIFYING = frozenset(
    "PERSON ORG GPE LOC FAC ADDRESS POSTCODE MAIL URL PHONE IP CARD IBAN CODE USERNAME SECRET".split()
)


def is_followed(type: str, spelling: str) -> bool:
    """Whether what is spelt so makes mentions of its other occurrences, and is made one by them."""
    if type in DESCRIBING:
        return False
    return type not in IDENTIFYING or any(map(_tells, spelling))


def _tells(character: str) -> bool:
    """A capital, a digit or a symbol: what a common word in a sentence does not have."""
    if character.isalpha():
        return not character.islower()
    return not character.isspace() and character not in "'’ʼ-‐‑"
