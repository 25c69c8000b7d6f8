"""How far a column's distribution moved, value by value."""

from __future__ import annotations

from datetime import date

from tests.naive.tables import ROLES, _common_prefix, _days_below, _days_of_periods

ORDERED = {"age", "day", "level", "born", "grade"}


def values_of_label(name: str, values: set[object], everybody: set[object]) -> set[object]:
    """The values that a reader must think possible."""
    known, domain = values - {None}, everybody - {None}
    if len(values) == 1 or name in ("city", "level"):
        return values
    if name == "team":
        return domain | (values & {None})
    if None in values:
        return values_of_label(name, known, domain) | {None}
    if name == "born":
        return set(_days_of_periods(known, domain))  # type: ignore[arg-type]
    if name == "grade":
        order = ROLES["grade"].order
        places = [order.index(str(v)) for v in known]
        return set(order[min(places) : max(places) + 1])
    if name == "age":
        return {v for v in domain if min(known) <= v <= max(known)}  # type: ignore[operator,type-var]
    if name == "day":
        return set(_days_below(known, domain))  # type: ignore[arg-type]
    prefix = _common_prefix(known)  # type: ignore[arg-type]
    return {v for v in domain if str(v).startswith(prefix)}


def drift(name: str, people: list[dict[str, set[object]]], group: list[int]) -> float:
    everybody = set().union(*(p[name] for p in people), ROLES[name].order if name == "grade" else ())
    before, after = dict.fromkeys(everybody, 0.0), dict.fromkeys(everybody, 0.0)
    released = [n for n in range(len(people)) if group[n] >= 0]
    for person in people:
        for value in person[name]:
            before[value] += 1 / len(person[name]) / len(people)
    for n in released:
        values = set().union(*(people[m][name] for m in released if group[m] == group[n]))
        label = values_of_label(name, values, everybody)
        for value in label:
            after[value] += 1 / len(label) / len(released)
    if name not in ORDERED:
        return sum(abs(before[v] - after[v]) for v in everybody) / 2
    order = ROLES[name].order
    known = sorted(everybody - {None}, key=lambda v: order.index(v) if v in order else v)  # type: ignore[arg-type,return-value]
    if len(known) < 2:
        return 0.0
    place = [float(n) if v in order else float(v.toordinal() if isinstance(v, date) else v)  # type: ignore[arg-type]
             for n, v in enumerate(known)]  # fmt: skip
    sums = [sum(found[v] for v in known) for found in (before, after)]
    if not all(sums):
        return 0.0
    work, carried = 0.0, 0.0
    for n in range(len(known) - 1):
        carried += before[known[n]] / sums[0] - after[known[n]] / sums[1]
        work += abs(carried) * (place[n + 1] - place[n])
    return work / (place[-1] - place[0])


assert set(ROLES) >= ORDERED
