"""A concept of a taxonomy as a file tells it, before it is compiled."""

from __future__ import annotations

from typing import NamedTuple


class Concept(NamedTuple):
    """What something is called, what it is a kind of, and by which words it is found."""

    id: str
    name: str
    parents: tuple[str, ...] = ()  # ids; the first is followed by default
    terms: tuple[str, ...] = ()  # further words that mean it; its name does in any case
    form: str = ""  # how it reads in a sentence, if not like its name
    seen: int = 0  # how often it was seen, where its source counts
