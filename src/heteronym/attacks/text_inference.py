"""Who reads a released text guesses a column from it, beyond what the group's label already tells.

Reference   term frequency and inverse document frequency with logistic regression, five-fold
Guarantee   none; how much more often the value is guessed with the text than without
Cost        O(words * values) per column and fold
Randomness  the folds
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from heteronym.attacks._labels import KnownColumn, known_columns
from heteronym.attacks._rates import Rate
from heteronym.attacks._texts import by_person, text_columns
from heteronym.contracts import Rng
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.registry import attacks
from heteronym.run import current

_FOLDS = 5
_CLASSES = 8  # columns with more values are cut into that many runs of about equally many persons
_LEAST = 40  # persons below which nothing can be learned


@attacks.register("text-inference")
@dataclass(frozen=True)
class TextInference:
    """Knows texts and columns of other people like the target, reads its released text and labels."""

    threat: ClassVar[Threat] = "inference"

    targets: int = field(default=3000, metadata={"help": "persons that are tried", "min": 1})

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult:
        names, columns = text_columns(release, knowledge), known_columns(release, knowledge)
        if not names or not columns:
            return AttackResult.idle(
                "text-inference", self.threat, "needs a text and a quasi column in both tables"
            )
        if release.person is None or release.source_row is None:
            why = "who wrote what is known only with the owner's map (--private)"
            return AttackResult.idle("text-inference", self.threat, why)
        shown = by_person(release.frame, names, release.person)
        persons = np.array(sorted(shown))
        persons = np.sort(persons[rng.permutation(len(persons))[: self.targets]])
        if len(persons) < _LEAST:
            why = f"fewer than {_LEAST} persons have texts: nothing can be learned from so few"
            return AttackResult.idle("text-inference", self.threat, why)
        row_of = dict(zip(knowledge.person.tolist(), range(len(knowledge.person)), strict=True))
        rows = np.array([row_of[int(person)] for person in persons])
        label_row = dict(zip(release.person.tolist(), range(len(release.person)), strict=True))
        figures: dict[str, float] = {}
        worst = (0.0, "")
        fold = rng.integers(_FOLDS, size=len(persons))
        words = _read([shown[int(person)] for person in persons])
        if words is None:
            return AttackResult.idle("text-inference", self.threat, "the texts hold no words")
        for number, column in enumerate(columns):
            label = column.label_of_row[[label_row[int(person)] for person in persons]]
            with_text, without = _gain(words, column, column.value_of_row[rows], label, fold)
            gain = (with_text.value - without.value) - (with_text.error + without.error) / 2
            figures |= {f"{column.name}_with_text": with_text.value, f"{column.name}_without": without.value}
            worst = max(worst, (gain, column.name))
            current().tell((number + 1) / len(columns))
        detail = "no column is guessed better with the text than from its label alone"
        if worst[1]:
            read, unread = figures[f"{worst[1]}_with_text"], figures[f"{worst[1]}_without"]
            detail = (
                f"'{worst[1]}' is guessed for {read:.1%} with the text, {unread:.1%} from its label alone"
            )
        return AttackResult(
            "text-inference",
            self.threat,
            len(persons),
            round(max(worst[0], 0.0) * len(persons)),
            max((figures[f"{c.name}_with_text"] for c in columns), default=0.0),
            None,
            None,
            detail + "; no model of the plan bounds it",
            figures,
        )


def _read(texts: list[str]) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    try:
        return TfidfVectorizer(sublinear_tf=True, min_df=2, max_features=50_000).fit_transform(texts)
    except ValueError:
        return None


def _classes(column: KnownColumn, value: NDArray[np.int64]) -> NDArray[np.int64]:
    """Class of every value of the column: itself, or a run of neighbours."""
    if len(column.values) < _CLASSES:
        return np.arange(len(column.values) + 1)
    counts = np.bincount(value, minlength=len(column.values) + 1)
    middle = np.cumsum(counts) - counts / 2
    run = (middle * _CLASSES / max(counts.sum(), 1)).astype(np.int64)
    return np.asarray(np.minimum(run, _CLASSES - 1))


def _gain(
    words: Any,
    column: KnownColumn,
    value: NDArray[np.int64],
    label: NDArray[np.int64],
    fold: NDArray[np.int64],
) -> tuple[Rate, Rate]:
    """How often the class is guessed with the text and the label, and with the label alone."""
    from sklearn.linear_model import LogisticRegression

    classes = _classes(column, value)
    truth = classes[value]
    count = int(classes.max()) + 1
    spread = np.bincount(value, minlength=len(column.values) + 1).astype(float)
    by_class = np.zeros((len(spread), count))
    by_class[np.arange(len(spread)), classes] = spread
    allowed = column.fits[label] @ by_class  # what the label leaves possible, weighted by how frequent it is
    with_text = without = 0
    for one in range(_FOLDS):
        test, train = fold == one, fold != one
        if not test.any() or len(np.unique(truth[train])) < 2:
            continue
        model = LogisticRegression(max_iter=200).fit(words[train], truth[train])
        belief = np.zeros((int(test.sum()), count))
        belief[:, model.classes_] = model.predict_proba(words[test])
        prior = np.maximum(np.bincount(truth[train], minlength=count) / train.sum(), 1e-9)
        with_text += int(((allowed[test] * belief / prior).argmax(1) == truth[test]).sum())
        without += int((allowed[test].argmax(1) == truth[test]).sum())
    return Rate(with_text, len(value)), Rate(without, len(value))
