"""What the commands share: errors as one line, progress on a terminal, answers as text or JSON."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from json import dumps
from traceback import extract_tb
from types import SimpleNamespace
from typing import Any, ClassVar

import typer

from heteronym.databases.address import passwords_in
from heteronym.errors import HeteronymError, PromiseError

_PACKAGES = {"sklearn": "scikit-learn", "yaml": "pyyaml"}  # modules with another name than their package
SOME_SKIPPED = 4  # exit code: done, but some documents could not be read


@dataclass
class Answer:
    """What a command has to say, once it is done: as JSON, or for people."""

    content: Any  # None: there is no JSON but what is told
    tell: Callable[[], None] | str  # words, or who says them
    asked: bool = False  # what is told is what was asked for, even with --quiet
    released: bool = False
    exit_code: int = 0
    remarks: Sequence[str] = ()  # for standard error
    skipped: Sequence[str] = ()  # documents that could not be read, with reasons

    def say(self, *, json: bool, quiet: bool) -> None:
        if json and self.content is not None:
            typer.echo(dumps(self.content, ensure_ascii=False))
        elif self.asked or not quiet:
            typer.echo(self.tell, nl=False) if isinstance(self.tell, str) else self.tell()
        for remark in (*self.remarks, *(f"skipped: {reason}" for reason in self.skipped)):
            typer.echo(remark, err=True)
        if self.skipped:
            typer.echo(f"heteronym: {len(self.skipped)} documents were left out", err=True)
        if self.exit_code or self.skipped:
            raise typer.Exit(self.exit_code or SOME_SKIPPED)


@contextmanager
def errors_as_messages(*, debug: bool, json: bool = False) -> Iterator[SimpleNamespace]:
    """One line for the user, the trace with --debug; an interrupt or a term signal cleans up on its way.
    With --json an object says the same on standard output.

    Whoever is inside says if a release was `released`, for whatever goes wrong after it.
    """
    outcome = SimpleNamespace(released=False)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield outcome
    except (typer.Exit, SystemExit):
        raise
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - all of them end in a message
        if debug and not isinstance(error, (BrokenPipeError, KeyboardInterrupt, MemoryError)):
            typer.echo(_trace(error), err=True)
        said, code = _message(error, released=outcome.released)
        typer.echo(f"heteronym: {said}", err=True)
        if json and not outcome.released:
            typer.echo(dumps(_error_object(error, said, code), ensure_ascii=False))
        raise typer.Exit(code) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _error_object(error: BaseException, said: str, code: int) -> dict[str, Any]:
    """What went wrong as an object: its kind, the message, and the verdict that refused a release."""
    kind = error.code if isinstance(error, HeteronymError) else "fault"
    content: dict[str, Any] = {"error": {"code": kind, "exit_code": code, "message": said}}
    if isinstance(error, PromiseError) and error.verdict is not None:
        content["verdict"] = error.verdict
    return content


def _trace(error: BaseException) -> str:
    """Where an error came from: kinds, files and lines, without what errors say: that may quote data."""
    lines: list[str] = []
    while True:
        steps = extract_tb(error.__traceback__)
        frames = [f"  {step.filename}, line {step.lineno}, in {step.name}\n    {step.line}" for step in steps]
        lines = [f"{type(error).__name__}, raised at", *frames, *lines]
        before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if before is None:
            return "\n".join(lines)
        error, lines = before, ["which led to", *lines]


def _message(error: BaseException, *, released: bool) -> tuple[str, int]:
    """What went wrong, and the exit code."""
    done = "The release was made before that, and is good" if released else "Nothing was released"
    if isinstance(error, HeteronymError):
        return str(error), error.exit_code
    if isinstance(error, BrokenPipeError):
        # Whoever read our output has gone. A release is good all the same; any other answer is lost.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return f"standard output was closed. {done}", 0 if released else 2
    if isinstance(error, KeyboardInterrupt):
        return f"interrupted. {done}", 130
    if isinstance(error, MemoryError):
        return f"not enough memory. {done}", 2
    if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith("heteronym"):
        package = _PACKAGES.get(error.name.partition(".")[0], error.name.partition(".")[0])
        remedy = f"pip install {package}, or heteronym with all that it needs"
        return f"this needs the package {package}, which is not installed. {done}. Try: {remedy}", 2
    # The text of an unforeseen error may quote data: only its kind and place are shown.
    place = extract_tb(error.__traceback__)[-1]
    where = f"{type(error).__name__} in {place.name}, line {place.lineno}"
    return f"a fault of the program ({where}). {done}; --debug shows the trace", 2


class Steps:
    """A progress line on a terminal."""

    NAMES: ClassVar[dict[str, str]] = {
        "read": "reading",
        "scan": "finding mentions in texts",
        "analyze": "reading assertions",
        "link": "linking mentions to columns",
        "encode": "encoding persons",
        "partition": "forming groups",
        "recode": "recoding",
        "sanitize": "rewriting documents",
        "restore": "restoring documents",
        "measure": "measuring what it cost",
        "compare": "comparing settings",
        "write": "writing",
        "verify": "verifying the written files",
        "profile": "looking at columns",
        "match": "matching rows",
        "judge": "judging",
        "utility": "comparing both tables",
        "report": "reporting",
    }

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self._progress: Any = None

    def __call__(self, step: str, share: float | None) -> None:
        if self.quiet:
            return
        if sys.stderr.isatty():
            self._progress = self._progress or _progress_line()
            name, total = self.NAMES.get(step, step), None if share is None else 1.0
            self._progress.update(
                self._progress.task_ids[0], description=name, total=total, completed=share or 0.0
            )

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()


def _progress_line() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    line = Progress(*columns, console=Console(stderr=True), transient=True)
    line.add_task("", total=None)
    line.start()
    return line


def warn_of_passwords(given: Mapping[str, Any]) -> None:
    """Whoever lists processes sees what was typed, and shells remember it."""
    texts = [one for value in given.values() for one in (value if isinstance(value, list) else [value])]
    if passwords_in(texts):
        typer.echo(
            "remark: the address holds a password, which others can see in the list of processes; "
            "PGPASSWORD or ~/.pgpass keep it from there, and without any you are asked",
            err=True,
        )


def asked_passphrase(wanted: bool, *, new: bool = False) -> str | None:
    """The passphrase from the environment, or typed unseen; never from an option, which others could read."""
    given = os.environ.get("HETERONYM_PASSPHRASE")
    if given is not None or not wanted:
        return given
    return str(typer.prompt("passphrase", hide_input=True, confirmation_prompt=new, err=True))
