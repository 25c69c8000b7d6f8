"""Types of anonymity: what an observer of a release or of a message knows of content, proprietors and
possessors.

Private information is the triple (content, proprietors, possessors), each open or hidden. Seven types
hide something. The printed table of the paper and its prose exchange (d) and (g); the prose is followed
here. Nothing here says that an assertion is true.

Reference   Al-Fedaghi (paper 004), section 4 and table 1
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from heteronym.model.assertion import Analysis

Letter = Literal["a", "b", "c", "d", "e", "f", "g"]
Knowledge = Literal["known", "not known", "non-proprietary"]

# (content, proprietors, possessors): True is open
TYPES: dict[tuple[bool, bool, bool], Letter] = {
    (True, False, True): "a",
    (True, False, False): "b",
    (True, True, False): "c",
    (False, True, False): "d",
    (False, False, False): "e",
    (False, True, True): "f",
    (False, False, True): "g",
}
MEANING: dict[Letter, str] = {
    "a": "de-identification: the content and who released it are open, whom it is about is hidden",
    "b": "rumour: the content is open, whom it is about and who told it are hidden",
    "c": "secret source: the content and whom it is about are open, who told it is hidden",
    "d": "hidden content about known persons; who holds it is hidden",
    "e": "everything is hidden: content, whom it is about, and who holds it",
    "f": "sealed letter: whom it is about and who holds it are known, the content is hidden",
    "g": "hidden message of a known sender: the content and whom it is about are hidden",
}
# What (a) to (c) mean if a proprietor is also a possessor.
OWN: dict[Letter, str] = {
    "a": "somebody releases facts about themselves openly and hides whom they are about",
    "b": "a whistleblower releases facts about themselves and hides both whom they are about and the source",
    "c": "somebody releases facts about themselves by name and hides that they are the source",
}


@dataclass(frozen=True)
class Anonymity:
    """The type of a release or message; no letter if nothing is hidden."""

    letter: Letter | None
    meaning: str
    own: bool = False  # a possessor is also a proprietor
    warning: str = ""


def anonymity_of(*, content: bool, proprietors: bool, possessors: bool, own: bool = False) -> Anonymity:
    """The type by what is open to an observer; `own`: the possessor is also a proprietor."""
    letter = TYPES.get((content, proprietors, possessors))
    if letter is None:
        return Anonymity(None, "nothing is hidden: the private information is not anonymous", own)
    meaning = OWN[letter] if own and letter in OWN else MEANING[letter]
    warning = ""
    if own and possessors and not proprietors:
        warning = "a possessor of the text is also its proprietor: who knows the one knows the other"
    return Anonymity(letter, meaning, own, warning)


def anonymity_of_message(
    analysis: Analysis, *, sender: str | None = None, receiver: str | None = None, content: bool = True
) -> Anonymity:
    """A message read with `author=sender, recipient=receiver`; None is who the observer does not know.

    "I love you" refers to its proprietors by labels only: (b). If Bob is known to write it to Alice, they
    are the proprietors, and nothing is anonymous. "He loves her" from Bob to Alice is (a): both are known,
    and not meant.
    """
    parties = {name for name in (sender, receiver) if name}
    private = {number for assertion in analysis.assertions for number in assertion.proprietors}
    named = [analysis.individuals[number] for number in sorted(private) if analysis.individuals[number].named]
    own = any(name in parties for person in named for name in person.names)
    return anonymity_of(content=content, proprietors=bool(named), possessors=bool(parties), own=own)


def knowledge_of(proprietor: str, holder: str, *, others: Collection[str] = ()) -> Knowledge:
    """What a piece of atomic information is to its holder: one's own and known to others, one's own and not
    known, or another's. Who is no human being (a company) holds only what is another's."""
    if proprietor != holder:
        return "non-proprietary"
    return "known" if set(others) - {proprietor} else "not known"
