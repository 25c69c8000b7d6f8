"""What a model learns from the release, beside what it learns from the data; both are asked about the data.

Reference   Breiman 2001 (random forests), scikit-learn
Guarantee   folds part persons, so that nobody is in training and test; both models see the same folds
Cost        folds * 2 forests over at most MOST_ROWS rows
Randomness  folds, sampling and forests, by `seed`

Released features are what a reader makes of labels: the middle of an interval, and shares in place of a
single name. Where the target itself is released as a label, rows count once for each of its names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import UsageError
from heteronym.run import current
from heteronym.utility.columns import Both
from heteronym.utility.read_cells import Bins, Cells, bins_for, shares

Shown = tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]  # features, target, its parts
FOLDS, TREES, MOST_ROWS, MOST_NAMES = 5, 60, 20_000, 40


def learned(
    target: Both, features: Sequence[Both], source: NDArray[np.int64], person: NDArray[np.int64], *, seed: int
) -> dict[str, Any]:
    """Scores of both models on original rows of persons they have not seen.

    `source` is the original row of each released row, `person` the person of each original row.
    """
    usable = [column for column in features if column.comparable and column.name != target.name]
    if not usable or not target.comparable:
        raise UsageError(f"--target: there is nothing readable to learn '{target.name}' from")
    rng = np.random.default_rng(seed)
    chosen = _sample(len(source), rng)
    rows = source[chosen]
    before = np.hstack([_features(c.before, _bins(c))[rows] for c in usable])
    after = np.hstack([_features(c.after, _bins(c))[chosen] for c in usable])
    fold = _folds(person[rows], rng)
    is_number = target.before.kind != "names"
    if is_number:
        truth, labels = (
            target.before.middle()[target.before.of_row[rows]],
            target.after.middle()[target.after.of_row[chosen]],
        )
        known = np.isfinite(truth)
        numbers: dict[str, Shown] = {"data": (before, truth, None), "release": (after, labels, None)}
        return _as_figures(
            target.name, "regression", *_scores(numbers, before, truth, known, fold, seed, is_number=True)
        )
    names = Bins(tuple(sorted({n for members in target.before.members() for n in members})))
    truth = np.argmax(_padded(shares(target.before, names))[target.before.of_row[rows]], axis=1)
    known = truth < len(names.names)
    part = shares(target.after, names)[target.after.of_row[chosen]]
    shown: dict[str, Shown] = {"data": (before, truth, None), "release": (after, truth, part)}
    return _as_figures(
        target.name, "classification", *_scores(shown, before, truth, known, fold, seed, is_number=False)
    )


def _sample(rows: int, rng: np.random.Generator) -> NDArray[np.int64]:
    if rows <= MOST_ROWS:
        return np.arange(rows)
    return np.sort(rng.choice(rows, MOST_ROWS, replace=False))


def _folds(person: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    number = np.unique(person, return_inverse=True)[1]
    count = int(number.max(initial=-1)) + 1
    if count < FOLDS:
        raise UsageError(f"--target: learning needs at least {FOLDS} persons")
    return np.asarray((rng.permutation(count) % FOLDS)[number], np.int64)


def _bins(column: Both) -> Bins:
    return bins_for([column.before], most=MOST_NAMES)


def _padded(parts: NDArray[np.float64]) -> NDArray[np.float64]:
    """One more place, taken where no other is: the value is missing."""
    return np.hstack([parts, np.where(parts.sum(1, keepdims=True) > 0, 0.0, 2.0)])


def _features(cells: Cells, bins: Bins) -> NDArray[np.float64]:
    """Numbers of each row: a middle and whether it is known, or shares of names."""
    if cells.kind == "names":
        return shares(cells, bins)[cells.of_row]
    middle = cells.middle()
    known = np.isfinite(middle)
    usual = float(middle[known].mean()) if known.any() else 0.0
    return np.stack([np.where(known, middle, usual), known.astype(np.float64)], axis=1)[cells.of_row]


def _scores(
    shown: Mapping[str, Shown],
    features: NDArray[Any],
    truth: NDArray[Any],
    known: NDArray[np.bool_],
    fold: NDArray[np.int64],
    seed: int,
    *,
    is_number: bool,
) -> tuple[dict[str, list[float]], list[float]]:
    """Score per fold of each model, and of a guess that looks at nothing."""
    found: dict[str, list[float]] = {name: [] for name in shown}
    blind = []
    for number in range(FOLDS):
        current().poll()
        test, rest = known & (fold == number), known & (fold != number)
        if not test.any() or not rest.any():
            continue
        usual = truth[rest].mean() if is_number else np.bincount(truth[rest]).argmax()
        blind.append(_score(truth[test], np.full(int(test.sum()), usual), is_number=is_number))
        for name, (given, target, parts) in shown.items():
            guess = _trained(
                given[rest], target[rest], None if parts is None else parts[rest], seed, is_number
            )(features[test])
            found[name].append(_score(truth[test], guess, is_number=is_number))
    return found, blind


def _trained(
    given: NDArray[Any], target: NDArray[Any], parts: NDArray[Any] | None, seed: int, is_number: bool
) -> Any:
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

    options = {"n_estimators": TREES, "min_samples_leaf": 2, "random_state": seed, "n_jobs": 1}
    if is_number:
        usable = np.isfinite(target)
        if not usable.any():
            return lambda asked: np.zeros(len(asked))
        return RandomForestRegressor(**options).fit(given[usable], target[usable]).predict
    weight = None
    if parts is not None:  # a row that may have several names counts for each in parts
        row, target = np.nonzero(parts > 0)
        given, weight = given[row], parts[row, target]
    if not len(target):
        return lambda asked: np.zeros(len(asked), np.int64)
    return RandomForestClassifier(**options).fit(given, target, sample_weight=weight).predict


def _score(truth: NDArray[Any], guess: NDArray[Any], *, is_number: bool) -> float:
    if not is_number:
        return float((truth == guess).mean())
    spread = float(((truth - truth.mean()) ** 2).sum())
    return 1 - float(((truth - guess) ** 2).sum()) / spread if spread else 0.0


def _as_figures(name: str, task: str, scores: dict[str, list[float]], blind: list[float]) -> dict[str, Any]:
    figures: dict[str, Any] = {
        "target": name,
        "task": task,
        "score": "accuracy" if task == "classification" else "r2",
        "folds": len(blind),
        "blind": float(np.mean(blind)) if blind else 0.0,
    }
    for side, values in scores.items():
        figures[side] = {
            "mean": float(np.mean(values)) if values else 0.0,
            "std": float(np.std(values)) if values else 0.0,
        }
    return figures
