"""Every public name is explained: in the glossary, or by the help of the command line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import heteronym
from heteronym.cli import COMMANDS, _loaded

GLOSSARY = (Path(__file__).resolve().parents[2] / "docs" / "glossary.md").read_text("utf-8")


def explained() -> set[str]:
    """Words in the first column of the glossary's tables."""
    first = [line.split("|")[1] for line in GLOSSARY.splitlines() if line.startswith("|")]
    return set(re.findall(r"\w+", " ".join(first)))


@pytest.mark.parametrize("name", sorted(set(heteronym.__all__) - {"__version__"}))
def test_a_public_name_is_a_command_or_in_the_glossary(name: str) -> None:
    assert name in COMMANDS or name in explained()


def options(command: Any, path: str) -> list[tuple[str, Any]]:
    found = [(f"{path} {parameter.name}", parameter) for parameter in command.params]
    for name, child in getattr(command, "commands", {}).items():
        found += options(child, f"{path} {name}")
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_has_help_in_words(name: str) -> None:
    silent = [path for path, one in options(_loaded(name), name) if len((one.help or "").split()) < 2]
    assert [path for path in silent if not path.endswith(" help")] == []
