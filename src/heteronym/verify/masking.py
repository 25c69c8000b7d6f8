"""What a release itself put into a text, taken out of it: placeholders and labels."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from heteronym.verify.value_search import MASK


class Put(NamedTuple):
    """Where a released text has something else than the surface of a mention that stood there."""

    start: int
    end: int
    surface: str


def blanked(text: str, places: Sequence[Put]) -> str:
    """A text without what was put into it."""
    for place in places:
        text = text[: place.start] + MASK * (place.end - place.start) + text[place.end :]
    return text


def placeholders_of(types: Collection[str]) -> re.Pattern[str]:
    return re.compile(r"\[(?:" + "|".join(map(re.escape, sorted(types))) + r")\]")


def masked(text: str, placeholders: re.Pattern[str], labels: Collection[str]) -> str:
    """The text without what the release itself put there."""
    if "[" in text:
        text = placeholders.sub(_mask, text)
    folded = text.lower()
    for label in sorted(labels, key=lambda label: (-len(label), label)):
        if label.lower() in folded:
            text = _label_pattern(label).sub(_mask, text)
    return text


def _mask(match: re.Match[str]) -> str:
    return MASK * len(match.group())  # offsets stay those of the released text


@lru_cache(maxsize=65_536)
def _label_pattern(label: str) -> re.Pattern[str]:
    # "2004" is excused where it stands alone, not inside 2004-05-14.
    before = r"(?<!\w)(?<!\w[-/.,:])" if label[0].isalnum() else ""
    after = r"(?![-/.,:]?\w)" if label[-1].isalnum() else ""
    return re.compile(before + re.escape(label) + after, re.IGNORECASE)
