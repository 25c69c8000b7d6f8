"""The one normalization of a term: two spellings are one term if and only if this makes them equal."""

from __future__ import annotations

import unicodedata

_UNIFIED = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
    }
)


def normalize(term: str) -> str:
    """Case, surrounding and inner spaces, quotes, dashes and Unicode forms do not tell terms apart."""
    unified = unicodedata.normalize("NFKC", term).translate(_UNIFIED)
    return " ".join(unified.casefold().split())
