"""Roster: who is who over all documents of a run, and the variable of each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from heteronym.assertions.ledger import name_words, variable_names
from heteronym.knowledge.wordlists import words
from heteronym.model.assertion import Analysis, Individual

_TITLES = frozenset("mr mrs ms miss dr prof sir lord lady rev hon madam dame mister".split())
_CAPITALS = re.compile(r"(?<!\w)[XYZ]\d*(?!\w)")


class Roster:
    """Persons with the same name are one; persons without a name are one per document."""

    def __init__(self, analyses: Sequence[Analysis]) -> None:
        taken = {word for analysis in analyses for word in _CAPITALS.findall(analysis.text)}
        names = variable_names(taken)
        self.labels: list[str] = []  # per person of the run
        self.variables: list[str] = []
        self.named: list[bool] = []
        # Words of names that are hardly anything else: where they stand, somebody is named.
        self.words = frozenset(
            word
            for analysis in analyses
            for word in name_words(analysis)
            if len(word) > 2 and word.lower() not in words("common_words")
        )
        self.number: list[dict[int, int]] = []  # per document: its person -> person of the run
        full: dict[tuple[str, ...], int] = {}
        # Full names first, so that "Mary" of another document can find its "Mary Jones".
        keys = {
            key
            for analysis in analyses
            for person in analysis.individuals
            if len(key := longest_key(person)) > 1
        }
        with_word: dict[str, set[tuple[str, ...]]] = {}
        for longer in keys:
            for word in longer:
                with_word.setdefault(word, set()).add(longer)
        for analysis in analyses:
            here: dict[int, int] = {}
            for person in sorted(analysis.individuals, key=lambda p: not p.named):
                key = longest_key(person)
                if len(key) == 1 and len(fitting := with_word.get(key[0], set())) == 1:
                    (key,) = fitting
                known = full.get(key) if key else None
                if known is None:
                    known = len(self.labels)
                    self.labels.append(person.label)
                    self.variables.append(next(names))
                    self.named.append(person.named)
                    if key:
                        full[key] = known
                elif len(person.label) > len(self.labels[known]):
                    self.labels[known] = person.label
                here[person.number] = known
            self.number.append(here)

    def variables_of(self, document: int) -> dict[int, str]:
        return {person: self.variables[known] for person, known in self.number[document].items()}

    def __repr__(self) -> str:
        return f"Roster({len(self.labels)} persons, {len(self.number)} documents)"


def longest_key(person: Individual) -> tuple[str, ...]:
    """The fullest name in small letters without titles; empty for who has no name."""
    keys = [
        tuple(w for w in re.findall(r"[\w'’-]+", name.lower()) if w not in _TITLES) for name in person.names
    ]
    return max(keys, key=len, default=())
