"""JSON as the auditor reads it: no key twice, of which one reader takes the first and another the last."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any


def read_json(content: bytes | str) -> Any:
    """What a text says; ValueError where it is none, or says two things."""
    return json.loads(content, object_pairs_hook=_each_once)


def _each_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key stands twice")
    return made
