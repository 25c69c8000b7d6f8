"""Slow, obvious twins of the analyzer's book-keeping."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any


def identities(forms: Any) -> Any:
    """I: T' after the assertions are deleted."""
    return forms[0] if isinstance(forms, tuple) else [identities(form) for form in forms]


def zero(forms: Any) -> Any:
    """Z: T' after the identities are deleted."""
    return forms[1] if isinstance(forms, tuple) else [zero(form) for form in forms]


def leaves(nested: Any) -> list[Any]:
    return [leaf for item in nested for leaf in leaves(item)] if isinstance(nested, list) else [nested]


def kind(persons: Sequence[str], *, joined: bool, together: bool) -> str:
    """The class by its definition: how many individuals, and whether "and" only abbreviates."""
    if len(set(persons)) == 0:
        return "zero"
    if len(set(persons)) == 1:
        return "atomic"
    return "pseudo-compound" if joined and not together else "compound"


def names_in(text: str, names: Sequence[str]) -> list[str]:
    """Words of names that stand in a text, whoever is meant."""
    words = {word for name in names for word in re.findall(r"[^\W\d_]+", name) if len(word) > 1}
    words -= {"Mr", "Mrs", "Ms", "Dr", "Miss", "Prof", "Sir"}
    return [word for word in sorted(words) if word[0].isupper() and re.search(rf"(?<!\w){word}(?!\w)", text)]


def hidden(text: str, instead: Mapping[str, str]) -> str:
    """The text with all phrases replaced that stand there as whole words, the longest first."""
    for phrase in sorted(instead, key=len, reverse=True):
        text = re.sub(rf"(?<![\w\[]){re.escape(phrase)}(?!\w)", instead[phrase], text)
    return text
