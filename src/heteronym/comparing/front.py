"""Which settings are worth a look: the front that no other setting beats, and a recommendation in words.

Reference   Pareto front of two figures; the recommended point is the one farthest below the line between
            the ends of the front (the "knee"), both figures scaled to their range over the front
Guarantee   every run that is not on the front has another with no more chance and no more loss
Cost        O(runs log runs)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

Row = Mapping[str, Any]
RISK, LOSS = "chance.mean", "loss.total"
_NOTHING = 0.0005  # a difference that three digits do not show


def front_of(rows: Sequence[Row], *, risk: str = RISK, loss: str = LOSS) -> list[Row]:
    """Rows that no other row beats in both figures, by falling risk; of equal rows the first."""
    able = [row for row in rows if row.get(risk) is not None and row.get(loss) is not None]
    front: list[Row] = []
    for row in sorted(able, key=lambda row: (row[risk], row[loss], row["run"])):
        if not front or row[loss] < front[-1][loss]:
            front.append(row)
    return front[::-1]


def knee_of(front: Sequence[Row], *, risk: str = RISK, loss: str = LOSS) -> Row | None:
    """Where giving up a little of one figure no longer buys much of the other."""
    if len(front) < 3:
        return min(front, key=lambda row: row[loss], default=None)
    first, last = front[0], front[-1]
    width, height = first[risk] - last[risk], last[loss] - first[loss]

    def below(row: Row) -> float:
        return float((first[risk] - row[risk]) / width - (row[loss] - first[loss]) / height)

    return max(front, key=below)


def by_promise(rows: Sequence[Row], names: Sequence[str]) -> list[list[Row]]:
    """Runs that promise the same, each with its best first."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        if row.get(LOSS) is not None:
            found.setdefault(tuple(row.get(f"set.{name}") for name in names), []).append(row)
    return [sorted(group, key=lambda row: row[LOSS]) for group in found.values()]


def best_by_promise(rows: Sequence[Row], promised: Sequence[str]) -> list[dict[str, Any]]:
    """For each promise the run that loses least, and what it loses less than columns alone."""
    base = {
        tuple(row.get(f"set.{name}") for name in promised): row[LOSS]
        for row in rows
        if row["kind"] == "baseline" and row.get(LOSS) is not None
    }
    found = []
    for row in (group[0] for group in by_promise(_done(rows), promised)):
        alone = base.get(tuple(row.get(f"set.{name}") for name in promised))
        gain = None if alone is None else alone - row[LOSS]
        found.append({"promise": _promise(row, promised), "row": row, "gain": gain})
    return found


def recommendation(rows: Sequence[Row], promised: Sequence[str]) -> list[str]:
    """What the figures say, in sentences; `promised` are the settings that change what is promised."""
    best = best_by_promise(rows, promised)
    if not best:
        return ["No setting could be carried out, so there is nothing to recommend."]
    said = [
        f"For {one['promise']}, {_called(one['row'])} loses least: {_losses(one['row'])}."
        + _beside_baseline(one["gain"])
        for one in best
    ]
    return [*said, *advice(rows, promised)]


def advice(rows: Sequence[Row], promised: Sequence[str]) -> list[str]:
    """Which step is dear, a compromise, and what could not be met."""
    said = _steps([one["row"] for one in best_by_promise(rows, promised)], promised)
    knee = knee_of(front_of(_done(rows)))
    if knee is not None:
        said.append(
            f"If nothing else decides the promise, {_called(knee)} is a good compromise: on average "
            f"a guess within the right group is right in {100 * knee[RISK]:.2g} % of cases, "
            f"and {100 * knee[LOSS]:.3g} % of the information is lost."
            + (" It keeps hardly any term." if knee.get("loss.terms", 0.0) > 0.99 else "")
            + f" `--pick {knee['run']}` writes its plan."
        )
    refused = sum(row["status"] == "refused" for row in rows)
    if refused:
        said.append(f"{refused} settings could not be met on these data; the table tells why.")
    return said


def _done(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["kind"] == "run" and row["status"] == "done"]


def _beside_baseline(gain: float | None) -> str:
    alone = "columns alone with all terms and items suppressed"
    if gain is None:
        return ""
    if abs(gain) < _NOTHING:
        return f" That is as much as {alone}."
    return f" That is {abs(gain):.3f} {'less' if gain > 0 else 'more'} than {alone}."


def _steps(best: Sequence[Row], promised: Sequence[str]) -> list[str]:
    """What the next stronger promise costs."""
    known = sorted((row for row in best if row.get(RISK) is not None), key=lambda row: -row[RISK])
    if len(known) < 2:
        return []
    steps = [(after[LOSS] - before[LOSS], before, after) for before, after in pairwise(known)]
    cost, before, after = max(steps, key=lambda step: step[0])
    if cost < _NOTHING:
        return ["Of these promises, a stronger one costs nothing more."]
    return [
        f"The dearest step to a stronger promise is from {_promise(before, promised)} to "
        f"{_promise(after, promised)}: {cost:+.3f} of loss."
    ]


def _promise(row: Row, promised: Sequence[str]) -> str:
    given = [f"{name} = {row[f'set.{name}']}" for name in promised if row.get(f"set.{name}") is not None]
    return ", ".join(given) or "the promise of the plan"


def _called(row: Row) -> str:
    return f"run {row['run']} ({row['setting']})"


def _losses(row: Row) -> str:
    named = [
        ("columns", "ncp.relational"),
        *((kind, f"loss.{kind}") for kind in ("terms", "items", "events")),
    ]
    parts = [f"{name} {row[key]:.3f}" for name, key in named if row.get(key) is not None]
    return f"{row[LOSS]:.3f} in all ({', '.join(parts)})" if parts else f"{row[LOSS]:.3f} in all"
