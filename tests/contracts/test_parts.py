"""What every part of every registry promises, whoever wrote it."""

from __future__ import annotations

import importlib
import inspect
import re
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import Any

import pytest

from heteronym import registry
from heteronym.errors import UsageError
from heteronym.registry import Parameter, parameters_of
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.rows import Rows

PARTS = [(kind, name) for kind in registry.ALL for name in kind.names()]
IDS = [f"{kind.kind}-{name}".replace(" ", "-") for kind, name in PARTS]
ALGORITHMS = {"privacy", "partition", "recode", "measures", "hierarchies", "attacks"}
each_part = pytest.mark.parametrize(("kind", "name"), PARTS, ids=IDS)


def a_value(parameter: Parameter) -> Any:
    """Something that the parameter accepts."""
    if parameter.choices:
        return parameter.choices[0]
    if int in parameter.types:
        return int(max(parameter.minimum, 2)) if parameter.maximum >= 2 else int(parameter.maximum)
    if float in parameter.types:
        low = parameter.minimum if parameter.minimum > float("-inf") else 0.0
        high = parameter.maximum if parameter.maximum < float("inf") else low + 1.0
        return (low + high) / 2
    return {bool: True, tuple: (), str: "name"}.get(parameter.types[0], "name")


def needed(kind: Any, name: str) -> dict[str, Any]:
    return {p.name: a_value(p) for p in parameters_of(kind.get(name)) if p.required}


@each_part
def test_a_part_is_a_frozen_dataclass(kind: Any, name: str) -> None:
    part = kind.get(name)
    assert is_dataclass(part)
    built = kind.build(name, needed(kind, name))
    with pytest.raises((FrozenInstanceError, AttributeError)):
        built.anything_new = 1


@each_part
def test_a_part_says_what_it_is(kind: Any, name: str) -> None:
    assert inspect.getdoc(kind.get(name))
    assert not (kind.get(name).__doc__ or "").startswith(kind.get(name).__name__ + "("), (
        "dataclass's own text"
    )


@each_part
def test_every_parameter_has_help(kind: Any, name: str) -> None:
    assert [p.name for p in parameters_of(kind.get(name)) if not p.help] == []


@each_part
def test_a_part_keeps_its_parameters_as_they_were_given(kind: Any, name: str) -> None:
    given = needed(kind, name)
    built = kind.build(name, given)
    assert {field.name: getattr(built, field.name) for field in fields(built) if field.name in given} == given


@each_part
def test_a_part_refuses_parameters_that_it_does_not_have(kind: Any, name: str) -> None:
    with pytest.raises(UsageError, match="no parameter"):
        kind.build(name, {**needed(kind, name), "nonsense_parameter": 1})


@each_part
def test_a_part_lives_alone_in_its_file(kind: Any, name: str) -> None:
    module = importlib.import_module(kind.get(name).__module__)
    if module.__name__ == Rows.__module__:
        file = lexicon(name, min(kind.get(name).languages))  # of a pack
        assert file.rows("rules") or file.rows("forms")
        return
    here = {k.get(n) for k, n in PARTS if k is kind and k.get(n).__module__ == module.__name__}
    assert here == {kind.get(name)}


@each_part
def test_an_algorithm_states_reference_guarantee_cost_and_randomness(kind: Any, name: str) -> None:
    module = importlib.import_module(kind.get(name).__module__)
    if module.__name__.split(".")[1] not in ALGORITHMS:
        return
    head = module.__doc__ or ""
    for line in ("Reference", "Guarantee", "Cost", "Randomness"):
        assert re.search(rf"^{line} +\S", head, re.M), f"no line '{line}'"


@each_part
def test_names_are_in_the_plans_spelling(kind: Any, name: str) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9-]*", name.replace("_", "-"))
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", p.name) for p in parameters_of(kind.get(name)))


@pytest.mark.parametrize("kind", registry.ALL, ids=lambda kind: kind.kind.replace(" ", "-"))
def test_an_unknown_part_is_refused_with_the_nearest_name(kind: Any) -> None:
    first = kind.names()[0]
    with pytest.raises(UsageError, match=re.escape(first)):
        kind.get(first + "x")


def test_no_part_promises_safety_by_its_name() -> None:
    assert [n for _, n in PARTS if re.search(r"safe|secure|anonymous", n)] == []


def test_measures_tell_their_direction() -> None:
    for name in registry.measures.names():
        assert not re.search(r"(good|bad|quality)", name)


BOUNDED = [
    (kind, name, p)
    for kind, name in PARTS
    for p in parameters_of(kind.get(name))
    if p.minimum > float("-inf") or p.maximum < float("inf")
]


@pytest.mark.parametrize(("kind", "name", "parameter"), BOUNDED, ids=[f"{n}-{p.name}" for _, n, p in BOUNDED])
def test_a_parameter_out_of_its_range_is_refused(kind: Any, name: str, parameter: Parameter) -> None:
    outside = parameter.minimum - 1 if parameter.minimum > float("-inf") else parameter.maximum + 1
    with pytest.raises(UsageError, match=parameter.name):
        kind.build(name, {**needed(kind, name), parameter.name: outside})
