"""Who has read something of a target's looks for its wording: runs of words that only one person wrote.

Reference   docs/limits.md (verbatim wording is not protected)
Guarantee   counts persons whose released texts hold a run of words that no other person's original texts hold
Cost        O(words)
Randomness  none
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from heteronym.attacks._texts import by_person, text_columns
from heteronym.contracts import Rng
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.registry import attacks

_MASK = re.compile(r"\[[A-Z][A-Z_]*\]")
_WORD = re.compile(r"\w+")


@attacks.register("rare-ngrams")
@dataclass(frozen=True)
class RareNgrams:
    """Knows a few words in a row of the target's texts."""

    threat: ClassVar[Threat] = "linkability"

    words: int = field(
        default=4, metadata={"help": "words in a row that the attacker knows", "min": 1, "max": 1_000}
    )

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        names = text_columns(release, knowledge)
        if not names:
            return AttackResult.idle("rare-ngrams", self.threat, "no text column is in both tables")
        held: dict[int, int] = {}  # run of words -> the one person who wrote it, or -1 for several
        for person, text in by_person(knowledge.frame, names, knowledge.person, masks=True).items():
            for run in self._runs(text):
                held[run] = person if held.get(run, person) == person else -1
        owner = release.person if release.person is not None else np.arange(release.frame.height)
        shown = by_person(release.frame, names, owner, masks=True)
        found = sum(any(held.get(run, -1) >= 0 for run in self._runs(text)) for text in shown.values())
        return AttackResult(
            "rare-ngrams",
            self.threat,
            len(shown),
            found,
            float(found > 0),
            None,
            None,
            f"{found} of {len(shown)} released texts hold {self.words} words in a row that one person alone "
            "wrote; no model of the plan hides wording",
            {"share": found / max(len(shown), 1)},
        )

    def _runs(self, text: str) -> set[int]:
        """Hashes of the runs of words between placeholders."""
        runs = set()
        for piece in _MASK.split(text):
            words = _WORD.findall(piece.lower())
            runs |= {hash(tuple(words[i : i + self.words])) for i in range(len(words) - self.words + 1)}
        return runs
