"""The words of a name: what is left of it without titles, points and possessives."""

from __future__ import annotations

_TITLES = frozenset(
    "mr mrs ms miss mx messrs mme mlle monsieur madame herr frau dr prof professor "
    "doctor sir dame lady lord rev reverend fr "
    "sister brother uncle aunt auntie maître judge justice president captain "
    "señor señora sr sra jr the".split()
)


def name_parts(surface: str) -> list[str]:
    """The words of a name without titles, stripped of points and possessives."""
    found = []
    for written in surface.replace(",", " ").split():
        part = written.strip(".,;:()[]“”\"'’‘")
        if part.endswith(("'s", "’s")):
            part = part[:-2]
        if part and part.lower().rstrip(".") not in _TITLES:
            found.append(part)
    return found
