"""Finds many phrases at once in a text: whole words, hashed, in one pass over its atoms.

Case, accents, white space and hyphens between words are flexible, as for a person's own values (`text.atoms`,
`text.forms`). A phrase of function words only is compared with its capitals. Digits that continue a longer
number ("36" in "36.5") are no whole word.

Cost        building O(words of the phrases); finding O(words of a text), whatever the number of phrases
Randomness  none
"""

from __future__ import annotations

from functools import lru_cache
from typing import Generic, TypeVar

from heteronym.text.atoms import Atoms, plain, words_of
from heteronym.text.forms import Form, When, gaps_of, is_function_word, plural_forms, singular_forms, squeezed
from heteronym.text.own_values import stands

Payload = TypeVar("Payload")


class Phrases(Generic[Payload]):
    """Phrases with a payload each; the first payload of a phrase stays."""

    def __init__(self) -> None:
        self._lengths: dict[str, list[int]] = {}  # first word -> numbers of words, longest first
        self._entries: dict[tuple[str, ...], dict[Form, Payload]] = {}

    def add(self, phrase: str, payload: Payload, *, plural: bool = False, singular: bool = False) -> None:
        """Take a phrase in; `plural` and `singular` add these forms of its last word."""
        for form in _forms(phrase, plural, singular):
            self._entries.setdefault(form.words, {}).setdefault(form, payload)
            lengths = self._lengths.setdefault(form.words[0], [])
            if len(form.words) not in lengths:
                lengths.append(len(form.words))
                lengths.sort(reverse=True)

    def find(self, text: str, *, overlapping: bool = False) -> list[tuple[int, int, Payload]]:
        """Occurrences from left to right, the longest at each place; overlapping ones if asked for."""
        if not self._lengths:
            return []
        view = plain(text)
        atoms = words_of(view.text)
        found: list[tuple[int, int, Payload]] = []
        reach = -1
        for place in [i for i, word in enumerate(atoms.words) if word in self._lengths]:
            if overlapping or atoms.borders[2 * place] >= reach:
                longest = self._longest_at(place, view.text, atoms)
                if longest is not None:
                    start, reach, payload = longest
                    found.append((view.origin(start), view.origin(reach), payload))
        return found

    def _longest_at(self, place: int, text: str, atoms: Atoms) -> tuple[int, int, Payload] | None:
        for length in self._lengths[atoms.words[place]]:
            entries = self._entries.get(tuple(atoms.words[place : place + length]))
            for form, payload in entries.items() if entries else ():
                span = stands(form, place, text, atoms)
                if span and (form.when is When.ALWAYS or squeezed(text[slice(*span)]) == form.exact):
                    return *span, payload
        return None


@lru_cache(maxsize=65_536)
def _forms(phrase: str, plural: bool, singular: bool) -> tuple[Form, ...]:
    """A phrase, then its other numbers; many persons share some."""
    spelt = plain(phrase).text
    atoms = words_of(spelt)
    if not atoms.words:
        return ()
    words, gaps = tuple(atoms.words), gaps_of(spelt, atoms)
    if all(map(is_function_word, words)):
        return (Form(words, gaps, When.EXACT, squeezed(spelt[atoms.spans[0][0] : atoms.spans[-1][1]])),)
    makers = [plural_forms] * plural + [singular_forms] * singular
    others = (Form((*words[:-1], form), gaps) for make in makers for form in make(words[-1]))
    return Form(words, gaps), *others
