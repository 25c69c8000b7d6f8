"""Items and words that rows show and have, in one numbering: what an attacker may know beside the columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import polars as pl

from heteronym.judging.crowds import Pieces
from heteronym.judging.label_forms import is_wiped
from heteronym.judging.meanings import Ints
from heteronym.judging.texts import Mention
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.schema import Attribute, Role
from heteronym.verify.days import MONTHS
from heteronym.verify.entries import entries_of
from heteronym.verify.forms import key_form, term_form
from heteronym.verify.labels import item_members, leaves_below

Pairs = list[tuple[int, int]]


class PieceBook:
    """Collects pairs of a row and a piece on both sides."""

    def __init__(self) -> None:
        self._number: dict[tuple[str, str], int] = {}
        self._shown: Pairs = []
        self._held: Pairs = []

    def _of(self, column: str, label: str) -> int:
        return self._number.setdefault((column, label), len(self._number))

    def add_items(
        self,
        name: str,
        attribute: Attribute,
        released: pl.Series,
        original: pl.Series,
        tree: Hierarchy | None = None,
    ) -> None:
        """The labels of an items column; who has an item has every label that stands for it."""
        secret = frozenset(map(key_form, attribute.sensitive))
        held = [
            {key_form(entry) for entry in entries} - secret - {""}
            for entries in entries_of(original, attribute.separator, held=True)
        ]
        known = set().union(*held) if held else set()
        labels: dict[str, frozenset[str]] = {}
        for row, entries in enumerate(entries_of(released, attribute.separator)):
            for entry in {key_form(entry) for entry in entries} - {""}:
                if entry not in labels:
                    labels[entry] = _items_meant(entry, known, tree) - secret
                if labels[entry] and len(labels[entry]) < len(known):
                    self._shown.append((row, self._of(name, entry)))
        of_item: dict[str, list[int]] = {}
        for label, items in labels.items():
            if (name, label) in self._number:
                for item in items:
                    of_item.setdefault(item, []).append(self._number[name, label])
        for row, items_here in enumerate(held):
            self._held += [
                (row, piece) for piece in {p for item in items_here for p in of_item.get(item, ())}
            ]

    def add_words(
        self,
        standing: Sequence[tuple[Mention, int, int, int]],
        mentions: Sequence[Mention],
        spotted: Iterable[tuple[int, str]] = (),
    ) -> None:
        """Recognized things that stand in released texts; whoever's original texts name them has them.

        `spotted` are those of rows of which nobody knows the original.
        """
        shown = set()
        for row, term in spotted:
            shown.add(("", term))
            self._shown.append((row, self._of("", term)))
        for mention, row, *_ in standing:
            if not mention.is_direct:
                shown.add(("", mention.term))
                self._shown.append((row, self._of("", mention.term)))
        for mention in mentions:
            if ("", mention.term) in shown:
                self._held.append((mention.row, self._number["", mention.term]))

    def pieces(self) -> Pieces:
        """All that was collected."""
        shown, held = (_sorted(pairs) for pairs in (self._shown, self._held))
        return Pieces(len(self._number), shown[0], shown[1], held[0], held[1])


def _sorted(pairs: Pairs) -> tuple[Ints, Ints]:
    if not pairs:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    found = np.unique(np.array(pairs, np.int64), axis=0)
    return found[:, 0].copy(), found[:, 1].copy()


def _items_meant(label: str, known: set[str], tree: Hierarchy | None) -> frozenset[str]:
    """The items of the data that a label may mean; all of them where it tells nothing."""
    if label in known:
        return frozenset([label])
    if is_wiped(label):
        return frozenset(known)
    named = item_members(label) | (leaves_below(label, tree) if tree is not None else frozenset())
    found = frozenset(named) & known
    if not found and label.rstrip("*.xX_") != label and len(label.rstrip("*.xX_")) > 0:
        head = label.rstrip("*.xX_")
        found = frozenset(item for item in known if item.startswith(head))
    for signs in ("{}", "[]"):
        if not found and label[0] == signs[0] and label[-1] == signs[1]:
            found = frozenset(part.strip() for part in label[1:-1].replace("|", ",").split(",")) & known
    return found or frozenset(known)


_VAGUE = re.compile(
    r"\d|" + "|".join(name[:3] for name in MONTHS) + r"|\w+day\b(?<!today)|christmas|easter", re.I
)
_OF_TIME = ("DATE", "TIME", "DURATION")


def is_vague(type_: str, text: str) -> bool:
    """Whether a time says nothing about the day: `today`, `last week`."""
    return type_ in _OF_TIME and _VAGUE.search(text) is None


def term_of(type_: str, text: str) -> str:
    """One name for equal things."""
    return f"{type_}:{term_form(text)}"


def roles_of(attributes: Mapping[str, Attribute], *roles: Role) -> list[str]:
    return [name for name, attribute in attributes.items() if attribute.role in roles]
