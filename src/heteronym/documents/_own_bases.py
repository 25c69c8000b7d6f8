"""Hierarchies of the user as knowledge bases."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from heteronym.io.taxonomies import read_concepts
from heteronym.knowledge.taxonomy import Taxonomy, compiled


def read_own(paths: Sequence[str]) -> tuple[Taxonomy, ...]:
    return tuple(_read(str(Path(path).resolve())) for path in paths)


@cache
def _read(path: str) -> Taxonomy:
    return compiled(read_concepts(path), name=Path(path).name)
