"""Kernels: every one is compiled from the source that is there, and nothing runs that was compiled before."""

from __future__ import annotations

import hashlib
import json
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import heteronym
from heteronym.compiled import are_compiled

ROOT = Path(heteronym.__file__).parent
SOURCES = sorted(ROOT.rglob("*_kernels.py"))


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_kernel_has_its_types_beside_it(source: Path) -> None:
    assert source.with_suffix(".pxd").exists(), "without types it would never be compiled"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_machine_code_was_made_from_the_source_that_is_there(source: Path) -> None:
    compiled = [
        path for suffix in EXTENSION_SUFFIXES for path in source.parent.glob(f"{source.stem}{suffix}")
    ]
    if not are_compiled():
        assert not compiled, "some kernels are compiled and some are not: make kernels"
        pytest.skip("kernels are not compiled here")
    name = f"heteronym.{source.parent.name}.{source.stem}"
    content = source.read_bytes() + source.with_suffix(".pxd").read_bytes()
    made = json.loads((ROOT / "kernels_built.json").read_text())["sources"]
    assert compiled, "not compiled: make kernels"
    assert made.get(name) == hashlib.sha256(content).hexdigest(), "edited since it was compiled: make kernels"


def test_kernels_import_each_other_only_where_they_are_not_compiled() -> None:
    """Compiled, they call each other as their .pxd files say; an import would go through Python."""
    for source in SOURCES:
        for line in source.read_text("utf-8").splitlines():
            assert not (line.startswith("from heteronym") and "_kernels import" in line), source.name
