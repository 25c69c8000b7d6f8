"""Compiled forms of the package's own source that are kept from run to run: patterns, templates.

They lie beside the package, as Python's own byte code does, or in the user's cache folder where the package
cannot be written. None of them depends on data: which forms are kept tells nothing of what was anonymized.
`HETERONYM_CACHE_DIR` names another folder.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def read(name: str) -> bytes | None:
    for folder in _folders():
        try:
            return (folder / name).read_bytes()
        except OSError:
            continue  # not kept there
    return None


def keep(name: str, content: bytes) -> None:
    """Where no folder can be written, nothing is kept, and the next run compiles again."""
    for folder in _folders():
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=folder)
            with open(handle, "wb") as file:
                file.write(content)
            os.replace(temporary, folder / name)
        except OSError:
            continue
        return


def _folders() -> tuple[Path, ...]:
    given = os.environ.get("HETERONYM_CACHE_DIR")
    if given:
        return (Path(given),)
    own = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return (Path(__file__).parent / "__pycache__", own / "heteronym")
