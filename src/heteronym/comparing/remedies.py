"""What would make a refused plan possible: smaller demands, each carried out on the data or a sample.

For everything that a plan asks there is a ladder of smaller demands. The least demanding step is carried out
first: if even that is refused, the ladder is of no use; else the smallest change on it is searched by halves.

Cost        a few runs of the plan on at most so many words and rows, and no further one after `SECONDS`
Randomness  which persons are in the sample, seeded
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from heteronym.comparing.trial import Sample, on_sample, sample_of
from heteronym.errors import HeteronymError
from heteronym.io.plans import make_plan
from heteronym.io.tables import Table
from heteronym.model.plan import Plan
from heteronym.model.schema import Role
from heteronym.run import cpu_seconds

SECONDS = 40.0  # CPU seconds after which nothing further is tried
_WORDS, _ROWS = 8_000, 20_000
_MOST = 2  # changes that are told
_COLUMNS = 3  # that are tried without

Content = dict[str, Any]


class Change(NamedTuple):
    """A plan that asks for less, and how the change is told."""

    told: str
    plan: Content


def remedies(
    table: Table, plan: Plan, refusal: str, carry_out: Callable[[Table, Plan], object]
) -> tuple[list[str], Sample]:
    """Changes with which the data, or a sample, would be released, and on which persons that was tried."""
    began, found = cpu_seconds(), list[str]()
    sample = sample_of(table, plan.data.person, plan.named(Role.TEXT), words=_WORDS, rows=_ROWS)

    def works(change: Change) -> bool:
        try:
            carry_out(sample.table, make_plan(on_sample(change.plan, sample)))
        except HeteronymError:
            return False
        return True

    for ladder in _nearest_first(plan, table, refusal):
        if len(found) == _MOST or cpu_seconds() - began > SECONDS:
            break
        if not works(ladder[-1]):
            continue
        low, high = 0, len(ladder) - 1  # what is right of `high` works
        while low < high and cpu_seconds() - began < SECONDS:
            middle = (low + high) // 2
            low, high = (low, middle) if works(ladder[middle]) else (middle + 1, high)
        found.append(ladder[high].told)
    return found, sample


def in_words(found: Sequence[str], sample: Sample) -> str:
    """A closing sentence for the refusal."""
    on = "the data" if sample.persons == sample.of else f"{sample.persons:,} of {sample.of:,} persons"
    if not found:
        return f"No single smaller demand was found that would do (tried on {on})"
    those = "this would do" if len(found) == 1 else "each of these would do"
    return f"Tried on {on}, {those}: {'; '.join(found)}"


def _nearest_first(plan: Plan, table: Table, refusal: str) -> list[list[Change]]:
    """The ladders, those first whose setting or column the refusal names."""
    content = plan.to_dict()
    ladders = [
        *_of_models(content),
        *_of_release(content),
        *_without_columns(content, _most_values(plan, table)),
    ]
    named = [(not any(word in refusal for word in words), ladder) for words, ladder in ladders if ladder]
    return [ladder for _, ladder in sorted(named, key=lambda each: each[0])]


_Ladder = tuple[tuple[str, ...], list[Change]]  # words that a refusal says of it, and its steps


def _of_models(content: Content) -> Iterator[_Ladder]:
    for place, model in enumerate(content["privacy"]):
        for name, steps in (("k", _fewer), ("l", _fewer), ("m", _less_known)):
            if name in model:
                yield (f"{name} = ", model["model"]), _steps(content, place, name, steps(model[name]))
        for name, values in _LOOSER.items():
            if name in model:
                looser = [value for value in values if value > model[name]]
                yield (f"{name} = ", model["model"]), _steps(content, place, name, looser)


_LOOSER = {
    "t": (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9),
    "beta": (0.1, 0.5, 1, 2, 4, 8, 16, 32),
    "alpha": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999),
    "presence_high": (0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0),
}


def _fewer(value: Any) -> list[int]:
    """From just below down to two, by a quarter each."""
    found, now = list[int](), int(value)
    while now > 2:
        now = max(2, min(now - 1, now * 3 // 4))
        found.append(now)
    return found


def _less_known(value: Any) -> list[int]:
    most = value if isinstance(value, int) else 4
    return list(range(most - 1, 0, -1))


def _steps(content: Content, place: int, name: str, values: Sequence[Any]) -> list[Change]:
    model = content["privacy"][place]
    of = f" of {model['model']}" + (f" for '{model['attribute']}'" if model.get("attribute") else "")
    found = []
    for value in values:
        models = [*content["privacy"]]
        models[place] = {**model, name: value}
        found.append(Change(f"{name}: {value}{of}", {**content, "privacy": models}))
    return found


def _of_release(content: Content) -> Iterator[_Ladder]:
    given: Mapping[str, Any] = content.get("release") or {}
    for name, shares in _LEFT_OUT.items():
        steps = [
            Change(f"release.{name}: {share:g}", {**content, "release": {**given, name: share}})
            for share in shares
            if share > (given.get(name) or 0)
        ]
        yield (name,), steps


_LEFT_OUT = {"suppress_up_to": (0.01, 0.02, 0.05, 0.1), "suppress_texts_up_to": (0.1, 0.25, 0.5, 1.0)}


def _most_values(plan: Plan, table: Table) -> list[str]:
    """Columns to do without: protected ones, then those with most values."""
    quasi = [name for name in plan.named(Role.QUASI, Role.EVENT, Role.ITEMS) if name in table.frame.columns]
    different = {n: 0 if table.frame[n].dtype.is_nested() else table.frame[n].n_unique() for n in quasi}
    by_values = sorted(quasi, key=lambda name: -different[name])
    sensitive = {model.parameters.get("attribute") for model in plan.privacy}
    protected = [name for name in plan.named(Role.SENSITIVE) if name in sensitive]
    return [*protected, *plan.named(Role.TEXT), *by_values[:_COLUMNS]]


def _without_columns(content: Content, names: Sequence[str]) -> Iterator[_Ladder]:
    for name in names:
        models = [model for model in content["privacy"] if model.get("attribute") != name]
        if models:
            left = {**content["attributes"], name: {"role": "identifier"}}
            less = {**content, "attributes": left, "privacy": models}
            yield (f"'{name}'",), [Change(f"'{name}' left out (role: identifier)", less)]
