"""A command has an option for every parameter of the Python call of its name."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import pytest

import heteronym as hn
from heteronym.cli._options import follows, signature_of, taken_by

FOLLOWERS = "anonymize attack compare explain restore sanitize utility verify".split()
NO_OPTIONS = {"run", "progress", "parameters"}


@pytest.mark.parametrize("name", FOLLOWERS)
def test_every_parameter_of_a_call_is_an_option_of_its_command(name: str) -> None:
    options = inspect.signature(importlib.import_module(f"heteronym.cli.{name}").command).parameters
    wanted = {
        parameter.name
        for parameter in inspect.signature(getattr(hn, name)).parameters.values()
        if parameter.kind is not parameter.VAR_KEYWORD
    }
    assert wanted - NO_OPTIONS - options.keys() == set()


def test_options_have_the_defaults_of_the_call() -> None:
    options = inspect.signature(importlib.import_module("heteronym.cli.attack").command).parameters
    assert options["seed"].default == signature_of("attack").parameters["seed"].default == 0
    assert options["against"].default is inspect.Parameter.empty


def test_a_parameter_that_nobody_made_an_option_for_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def explain(release: str, *, of_tomorrow: int = 0) -> None: ...

    monkeypatch.setattr("heteronym.api.explain.explain", explain)

    def command(**options: Any) -> Any: ...

    with pytest.raises(KeyError, match="of_tomorrow"):
        follows("explain", release=str)(command)


def test_options_of_a_call_are_taken_out_of_values_of_the_plan() -> None:
    given = {"data": ["a.csv"], "overwrite": True, "k": 3}
    assert taken_by("anonymize", given) == {"data": ["a.csv"], "overwrite": True}
    assert given == {"k": 3}
