"""What people install: the recipe and the short list follow pyproject.toml, and licences are told apart."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
DEPENDENCIES = set(PROJECT["dependencies"])


@pytest.fixture(scope="module")
def checks() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release_check", ROOT / "packaging" / "release_check.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["release_check"] = module
    spec.loader.exec_module(module)
    return module


def test_the_conda_recipe_asks_for_what_the_project_asks_for() -> None:
    recipe: Any = yaml.safe_load((ROOT / "packaging/conda/recipe.yaml").read_text("utf-8"))
    asked = {line.replace(" ", "") for line in recipe["requirements"]["run"]}
    assert asked == DEPENDENCIES | {f"python{PROJECT['requires-python']}"}
    assert recipe["context"]["version"] == PROJECT["version"]


def test_tables_need_a_part_of_it() -> None:
    lines = (ROOT / "packaging/tables-only.txt").read_text("utf-8").splitlines()
    assert {line for line in lines if line and not line.startswith("#")} < DEPENDENCIES


def test_no_dependency_is_bounded_from_above() -> None:
    every = DEPENDENCIES | {one for extra in PROJECT["optional-dependencies"].values() for one in extra}
    assert [one for one in every if re.search(r"<|==|~=", one)] == []


@pytest.mark.parametrize(
    ("licence", "is_fine"),
    [
        ("MIT License", True),
        ("Apache-2.0", True),
        ("Mozilla Public License 2.0 (MPL 2.0)", True),
        ("GNU Lesser General Public License v3 (LGPLv3)", True),
        ("GNU General Public License v3 (GPLv3)", False),
        ("AGPL-3.0-only", False),
        ("", False),
    ],
)
def test_licences_that_may_not_stand_beside_ours_are_named(
    checks: ModuleType, licence: str, is_fine: bool
) -> None:
    found = checks.forbidden([{"name": "some", "version": "1", "licence": licence}])
    assert (found == []) is is_fine


def test_the_bill_of_materials_names_every_package_but_the_program(checks: ModuleType) -> None:
    packages = [
        {"name": "heteronym", "version": "0.1.0", "licence": "Apache-2.0"},
        {"name": "Some_Package", "version": "2", "licence": "MIT"},
    ]
    made = checks.materials(packages)
    assert [one["purl"] for one in made["components"]] == ["pkg:pypi/some-package@2"]
    assert made["metadata"]["component"]["name"] == "heteronym"
