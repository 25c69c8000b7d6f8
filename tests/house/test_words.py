"""Every public name is explained: in the glossary, or by the help of the command line."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import heteronym
from heteronym.cli import COMMANDS, _loaded
from heteronym.model.plan import Plan

DOCS = Path(__file__).resolve().parents[2] / "docs"
GLOSSARY = (DOCS / "glossary.md").read_text("utf-8")
MODEL = sorted((Path(heteronym.__file__).parent / "model").glob("*.py"))


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


def classes() -> Iterator[str]:
    for path in MODEL:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name


def test_every_class_that_rooms_hand_to_each_other_is_in_the_glossary() -> None:
    assert sorted(set(classes()) - explained()) == []


def keys_of(settings: type[BaseModel], path: str = "") -> Iterator[tuple[str, str | None]]:
    """Keys of a plan as they are written, with what the reference says of each."""
    for name, field in settings.model_fields.items():
        yield f"{path}{name}", field.description
        for kind in (field.annotation, *getattr(field.annotation, "__args__", ())):
            nested = isinstance(kind, type) and issubclass(kind, BaseModel)
            # a part is a name with parameters: both are explained where the part is registered
            if nested and not {"name", "parameters"} <= set(kind.model_fields):
                yield from keys_of(kind, f"{path}{name}.")


def test_every_key_of_a_plan_is_described_or_in_the_page_about_plans() -> None:
    page = set(re.findall(r"`([\w.]+)`|^(\w+):", (DOCS / "plan.md").read_text("utf-8"), re.MULTILINE))
    known = explained() | {part for pair in page for part in pair}
    silent = [
        key
        for key, said in keys_of(Plan)
        if len((said or "").split()) < 2 and key.split(".")[-1] not in known
    ]
    assert silent == []


def test_one_class_name_means_one_thing() -> None:
    """Words that several rooms once used for different classes are not used for a second one again."""
    seen: dict[str, list[str]] = {}
    for path in sorted(Path(heteronym.__file__).parent.rglob("*.py")):
        for name in re.findall(r"^class (\w+)", path.read_text("utf-8"), re.MULTILINE):
            seen.setdefault(name, []).append(path.name)
    assert [
        name for name in ("Reading", "Found", "Group", "Rule", "Told") if len(seen.get(name, ())) > 1
    ] == []
