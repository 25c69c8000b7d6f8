"""`heteronym doctor` says what is missing; help shows what most people need, and all of it on request."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError
from typing import Any

import pytest

from heteronym import registry
from heteronym.api import doctor
from heteronym.cli import COMMANDS, _loaded
from heteronym.cli._help import GROUPS, OF_PAPERS, SHOWN, USUAL

ENOUGH = 15  # options that a screen takes


def test_all_is_well_here(command: Any) -> None:
    outcome = command("doctor", "--json")
    assert outcome.exit_code == 0
    assert outcome.json["healthy"]
    assert outcome.json["verified"]
    assert {one["state"] for one in outcome.json["packages"] if one["extra"] is None} == {"ok"}


def test_a_required_package_that_is_missing_or_old_is_named(
    command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = doctor.version

    def version(name: str) -> str:
        if name == "xlsxwriter":
            raise PackageNotFoundError(name)
        return "1.9" if name == "polars" else known(name)

    monkeypatch.setattr(doctor, "version", version)
    outcome = command("doctor")
    assert outcome.exit_code == 2
    assert "xlsxwriter: missing" in outcome.out
    assert "polars: too old, 2.0 or newer is needed" in outcome.out


def test_a_release_that_does_not_verify_is_no_health(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_small_release", lambda run: (False, "it was made, but does not verify"))
    outcome = command("doctor")
    assert outcome.exit_code == 1
    assert "BROKEN   a small release" in outcome.out


def test_help_groups_all_commands(command: Any) -> None:
    said = command("--help").out
    places = [said.index(f" {title} ") for title in GROUPS]
    assert places == sorted(places)
    assert sum(len(group) for group in GROUPS.values()) == len(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_fits_a_screen_and_gives_an_example(name: str) -> None:
    loaded = _loaded(name)
    for one in getattr(loaded, "commands", {"": loaded}).values():
        options = [p for p in one.params if p.param_type_name == "option" and not p.hidden]
        assert len(options) <= ENOUGH
        assert "Example" in (one.help or ""), "give an example in the docstring of the command"


@pytest.mark.parametrize("name", SHOWN)
def test_everything_is_shown_on_request(name: str, command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    loaded = _loaded(name)
    hidden = [p.opts[0] for p in loaded.params if getattr(p, "hidden", False)]
    short, whole = command(name, "--help").out, command(name, "--help-all").out
    assert hidden
    assert [option for option in hidden if re.search(rf" {option}[ ,]", short)] == []
    assert [option for option in hidden if not re.search(rf" {option}[ ,]", whole)] == []
    known = {parameter.name for parameter in loaded.params}
    assert set(SHOWN[name].split()) <= known, "an option that is not there"


def test_methods_of_papers_are_marked(command: Any) -> None:
    said = " ".join(command("anonymize", "--help").out.replace("│", " ").split())
    assert "for experts" in said
    assert "methods of papers" in said
    assert {*USUAL, *OF_PAPERS} <= set(registry.partitioners.names())
