"""Who has everybody's original texts looks for the one that is most similar to a released text.

Reference   tf-idf with a linear kernel; docs/limits.md (style and wording)
Guarantee   none; how often the author is found, alone and among the members of the group
Cost        O(persons^2) in blocks of sparse products, for at most `targets` released persons
Randomness  which persons are tried
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from heteronym.attacks._labels import known_columns
from heteronym.attacks._match import gather
from heteronym.attacks._texts import by_person, text_columns
from heteronym.contracts import Rng
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.registry import attacks
from heteronym.run import current

_BLOCK = 200


@attacks.register("text-linkage")
@dataclass(frozen=True)
class TextLinkage:
    """Knows the original texts of everybody, and in a second round the quasi columns as well."""

    threat: ClassVar[Threat] = "linkability"

    targets: int = field(default=1000, metadata={"help": "persons that are tried", "min": 1})

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        names = text_columns(release, knowledge)
        if not names:
            return AttackResult.idle("text-linkage", self.threat, "no text column is in both tables")
        if release.person is None or release.source_row is None:
            why = "who wrote what is known only with the owner's map (--private)"
            return AttackResult.idle("text-linkage", self.threat, why)
        from sklearn.feature_extraction.text import TfidfVectorizer

        original = by_person(knowledge.frame, names, knowledge.person)
        shown = by_person(release.frame, names, release.person)
        tried = [person for person in shown if person in original]
        tried = [tried[i] for i in rng.permutation(len(tried))[: self.targets]]
        authors = np.array(sorted(original))
        reader = TfidfVectorizer(
            sublinear_tf=True, ngram_range=(1, 2), token_pattern=r"(?u)\b\w+\b", min_df=1
        )
        try:
            known = reader.fit_transform([original[int(person)] for person in authors])
        except ValueError:
            return AttackResult.idle("text-linkage", self.threat, "the texts hold no words")
        crowd = gather(release, known_columns(release, knowledge))
        group_of = dict(zip(release.person.tolist(), crowd.group_of_row.tolist(), strict=True))
        groups = np.array([group_of.get(int(author), -1) for author in authors])
        alone = inside = chance = 0.0
        for start in range(0, len(tried), _BLOCK):
            block = tried[start : start + _BLOCK]
            like = (reader.transform([shown[person] for person in block]) @ known.T).toarray()
            for person, row in zip(block, like, strict=True):
                mine = int(np.searchsorted(authors, person))
                near = groups == groups[mine]
                alone += _first(row, mine)
                inside += _first(np.where(near, row, -1), mine)
                chance += 1 / near.sum()
            current().tell(start / max(len(tried), 1))
        count = max(len(tried), 1)
        return AttackResult(
            "text-linkage",
            self.threat,
            len(tried),
            round(alone),
            inside / count,
            None,
            None,
            f"the author of {alone / count:.1%} of the texts is found among {len(authors)} persons, of "
            f"{inside / count:.1%} within the group ({chance / count:.1%} by chance); no model hides wording",
            {"alone": alone / count, "within_group": inside / count, "chance": chance / count},
        )


def _first(likeness: np.ndarray, mine: int) -> float:
    """The chance that the author comes first; equals share it, and without a common word anybody may."""
    best = likeness.max()
    if best <= 0:
        return 1.0 / max(int((likeness >= 0).sum()), 1)
    return float(likeness[mine] >= best - 1e-12) / int((likeness >= best - 1e-12).sum())
