"""Processes beside this one: started fresh, fed through a pipe, and ended at once.

Nothing is forked, because models hold threads, and no file holds what is sent. A worker that nobody waits for
any more is killed, so that Ctrl-C or a cancelled run ends at once; one whose parent is gone ends by itself.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from subprocess import PIPE, Popen
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class Worker:
    """A process that answers calls of functions, one after the other."""

    def __init__(self) -> None:
        call = [sys.executable, "-m", "heteronym.workers"]
        paths = os.pathsep.join(path for path in sys.path if path)
        self._process = Popen(call, stdin=PIPE, stdout=PIPE, env={**os.environ, "PYTHONPATH": paths})

    def call(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """What a function of a module returns or raises there."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump((function, arguments), process.stdin, protocol=5)
            process.stdin.flush()
            answer, error = pickle.load(process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise MemoryError from None  # it was ended from outside; the usual reason is a lack of memory
        if error is not None:
            raise error
        return answer  # type: ignore[no-any-return]

    def end(self) -> None:
        """At once: it holds nothing that must be written."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def _answer_calls() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which ends its workers
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed must not stand between two answers
    with suppress(EOFError, OSError):  # the parent is done, or gone
        while True:
            function, arguments = pickle.load(sys.stdin.buffer)
            try:
                answer: tuple[Any, Exception | None] = (function(*arguments), None)
            except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets it
                answer = (None, error)
            pickle.dump(answer, answers, protocol=5)
            answers.flush()
    os._exit(0)  # all was told; to take a model down piece by piece takes a while


if __name__ == "__main__":
    _answer_calls()
