"""The few ways in which heteronym refuses, each with a stable code and an exit code.

A message names files, columns, plan keys and row numbers. It never shows a cell value, a text
snippet or a person key: errors end up in logs and mails.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any

_PASSWORD = re.compile(r"(\b[A-Za-z][\w+.-]*:/{1,2}[^\s/:@]*):.*@")  # in the address of a database


class HeteronymError(Exception):
    """Anything the user can act on; everything else is a bug."""

    code = "error"
    exit_code = 2

    def __init__(self, message: str = "") -> None:
        super().__init__(_PASSWORD.sub(r"\1:***@", message))


class UsageError(HeteronymError):
    """The call itself is off: an option, a part name, a parameter."""

    code = "usage"


class PlanError(HeteronymError):
    """The plan cannot be read, or does not fit the data."""

    code = "plan"


class InputError(HeteronymError):
    """The data cannot be read as the plan says."""

    code = "input"


class OutputError(HeteronymError):
    """The release cannot be written where it was asked for."""

    code = "output"


class PromiseError(HeteronymError):
    """The promise cannot be met, or the written files do not meet it. Nothing was released."""

    code = "promise"
    exit_code = 1

    def __init__(
        self,
        message: str,
        *,
        verdict: Mapping[str, Any] | None = None,
        places: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        super().__init__(message)
        self.verdict = verdict  # as facts.json would have told it; None: it was not made
        self.places = tuple(places)  # for the owner alone: rows, columns and terms that stood against it


class CancelledError(HeteronymError):
    """Somebody stopped the run. Nothing was released."""

    code = "cancelled"
    exit_code = 130


NAMELESS = "The first row must name every column: take out titles and merged cells above the names"


@contextmanager
def reading(
    path: str | Path, what: str = "file", *, refusal: type[HeteronymError] = InputError
) -> Iterator[None]:
    """What keeps a file from being read is told in our words."""
    if _has_no_end(Path(path)):
        raise refusal(f"{path}: not a regular file, and may never end. Write its content to a file first")
    try:
        yield
    except FileNotFoundError:
        remedy = ". Draft one: heteronym profile DATA -o plan.yaml" if what == "plan" else ""
        raise refusal(f"{path}: no such {what}{remedy}") from None
    except IsADirectoryError:
        raise refusal(
            f"{path}: a folder, not a {what}. Name what lies in it, one by one or as {path}/*"
        ) from None
    except UnicodeDecodeError:
        raise refusal(f"{Path(path).name}: not UTF-8") from None
    except OSError as error:
        raise refusal(f"{path}: cannot be read ({error.strerror or 'input error'})") from None


def _has_no_end(path: Path) -> bool:
    """Pipes and devices; what a shell hands over as a descriptor has somebody who writes it."""
    if path.parts[:3] in (("/", "dev", "fd"), ("/", "dev", "stdin"), ("/", "proc", "self")):
        return False
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False  # whoever opens it says why it cannot be read
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def nearest(name: str, known: Iterable[str], *, surely: bool = False) -> str:
    """A closing clause for a message about an unknown name; `surely` proposes only for slips of the pen."""
    names = sorted(known)
    close = get_close_matches(name, names, n=1, cutoff=0.8 if surely else 0.6)
    if close:
        return f" Did you mean '{close[0]}'?"
    if surely:
        return ""
    return f" Known: {', '.join(names)}." if names else ""


def row_list(rows: Iterable[int], *, show: int = 3) -> str:
    """'rows 14, 203 and 9 others' for messages; row numbers count data rows from 1."""
    numbers = list(rows)
    head = ", ".join(str(row) for row in numbers[:show])
    more = len(numbers) - show
    if len(numbers) == 1:
        return f"row {head}"
    return f"rows {head}" + (f" and {more} other{'s' if more > 1 else ''}" if more > 0 else "")
