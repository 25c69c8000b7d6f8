"""Word lists that a plan names."""

from __future__ import annotations

from pathlib import Path

from heteronym.errors import PlanError


def read_word_list(name: str, *, type: str, folder: Path | None = None) -> tuple[str, ...]:
    """The terms of a list file: one a line, empty lines and lines that begin with # left out."""
    path = Path(name) if folder is None else folder / name
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        raise PlanError(f"plan: text.words.{type}: no such file: {path}") from None
    except (OSError, UnicodeDecodeError):
        raise PlanError(f"plan: text.words.{type}: cannot be read as UTF-8 text: {path}") from None
    terms = tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))
    if not terms:
        raise PlanError(f"plan: text.words.{type}: the list is empty: {path}")
    return terms
