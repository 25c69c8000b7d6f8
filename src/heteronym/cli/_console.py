"""What the commands share: errors as one line, progress on a terminal, answers as text or JSON."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import typer

from heteronym.errors import HeteronymError

SLOW_COMPILATION = 2.5  # seconds after which we say what takes so long


class Outcome:
    """What a command has done so far, for whatever goes wrong after it."""

    released = False

    @property
    def said(self) -> str:
        return "The release was made before that, and is good" if self.released else "Nothing was released"


@contextmanager
def errors_as_messages(*, debug: bool) -> Iterator[Outcome]:
    """One line for the user, the trace with --debug; an interrupt or a term signal cleans up on its way."""
    outcome = Outcome()

    def stop(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield outcome
    except BrokenPipeError:
        # Whoever read our output has gone. A release is good all the same; any other answer is lost.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        typer.echo(f"heteronym: standard output was closed. {outcome.said}", err=True)
        raise typer.Exit(0 if outcome.released else 2) from None
    except HeteronymError as error:
        if debug:
            raise
        typer.echo(f"heteronym: {error}", err=True)
        raise typer.Exit(error.exit_code) from None
    except KeyboardInterrupt:
        typer.echo(f"heteronym: interrupted. {outcome.said}", err=True)
        raise typer.Exit(130) from None
    except MemoryError:
        typer.echo(f"heteronym: not enough memory. {outcome.said}", err=True)
        raise typer.Exit(2) from None
    except (typer.Exit, SystemExit):
        raise
    except Exception as error:
        if debug:
            raise
        # The text of an unforeseen error may quote data: only its kind and place are shown.
        place = error.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = f" in {place.tb_frame.f_code.co_name}, line {place.tb_lineno}" if place is not None else ""
        typer.echo(
            f"heteronym: a fault of the program ({type(error).__name__}{where}). "
            f"{outcome.said}; --debug shows the trace, which may quote data",
            err=True,
        )
        raise typer.Exit(2) from None
    finally:
        signal.signal(signal.SIGTERM, before)


class Steps:
    """A progress line on a terminal; the one-time compilation is announced everywhere."""

    NAMES: ClassVar[dict[str, str]] = {
        "read": "reading",
        "scan": "finding mentions in texts",
        "analyze": "reading assertions",
        "link": "linking mentions to columns",
        "encode": "encoding persons",
        "compile": "loading the search kernels",
        "partition": "forming groups",
        "recode": "recoding",
        "sanitize": "rewriting documents",
        "restore": "restoring documents",
        "measure": "measuring what it cost",
        "compare": "comparing settings",
        "write": "writing",
        "verify": "verifying the written files",
        "report": "reporting",
    }

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self._progress: Any = None
        self._task: Any = None
        self._timer: threading.Timer | None = None

    def __enter__(self) -> Steps:
        if not self.quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            self._progress = Progress(
                TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
                console=Console(stderr=True), transient=True,
            )  # fmt: skip
            self._progress.start()
            self._task = self._progress.add_task("", total=None)
        return self

    def __call__(self, step: str, share: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if step == "compile" and not self.quiet:
            self._timer = threading.Timer(SLOW_COMPILATION, self._announce)
            self._timer.daemon = True
            self._timer.start()
        if self._progress is not None:
            total = None if share is None else 1.0
            self._progress.update(
                self._task, description=self.NAMES.get(step, step), total=total, completed=share or 0.0
            )

    def _announce(self) -> None:
        typer.echo("preparing the search kernels; the first run compiles them, up to a minute ...", err=True)

    def __exit__(self, *details: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._progress is not None:
            self._progress.stop()


def print_json(content: Any) -> None:
    typer.echo(json.dumps(content, ensure_ascii=False))
