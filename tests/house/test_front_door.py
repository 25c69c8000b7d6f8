"""The public names, and how little is loaded to show them or the help."""

from __future__ import annotations

import subprocess
import sys

import pytest

import heteronym

HEAVY = ("numpy", "polars", "pandas", "pyarrow", "pydantic", "phonenumbers", "spacy", "jinja2")


def loaded_by(code: str) -> list[str]:
    check = f"{code}\nimport sys\nprint(*(m for m in {HEAVY!r} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    return done.stdout.split("\n")[-2].split()


def test_importing_heteronym_loads_nothing_heavy() -> None:
    assert loaded_by("import heteronym") == []


def test_the_list_of_commands_loads_nothing_heavy() -> None:
    code = "import sys; sys.argv = ['heteronym', '--help']\nfrom heteronym.cli import main\n"
    assert loaded_by(code + "try: main()\nexcept SystemExit: pass") == []


def test_a_small_frame_is_anonymized_without_models() -> None:
    code = (
        "import heteronym as hn, polars as pl\n"
        "plan = {'attributes': {'age': {'role': 'quasi'}}, 'privacy': [{'model': 'k-anonymity', 'k': 2}]}\n"
        "hn.anonymize(pl.DataFrame({'age': [1, 1, 2, 2, 3, 3]}), plan)"
    )
    assert not {"phonenumbers", "spacy"} & set(loaded_by(code))


@pytest.mark.parametrize("name", heteronym.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(heteronym, name) is not None


def test_public_names_are_few() -> None:
    # a call per command, two for hierarchies, preview and review, few types
    assert len(heteronym.__all__) <= 30


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        heteronym.anonymise  # noqa: B018


def test_verify_is_a_call_even_after_the_room_of_that_name_is_loaded() -> None:
    code = "import heteronym as hn, heteronym.verify.audit\nassert hn.Release\nprint(callable(hn.verify))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
