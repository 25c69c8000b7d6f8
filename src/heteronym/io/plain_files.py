"""Files that a caller names for what is written to them as text."""

from __future__ import annotations

from pathlib import Path

from heteronym.errors import OutputError


def check_free(output: Path | None, *, overwrite: bool, remark: str = "") -> None:
    """Refuses a file that is there, before any work is done."""
    if output is not None and output.exists() and not overwrite:
        raise OutputError(f"{output}: exists{remark}. Use --overwrite to replace it")


def write_text(output: Path, text: str) -> None:
    try:
        output.write_text(text, "utf-8")
    except OSError as error:
        raise OutputError(f"{output}: cannot be written ({error.strerror})") from None
