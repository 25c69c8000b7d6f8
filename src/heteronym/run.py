"""Run: one piece of work from start to end, with its progress, its clock, and a way to stop it.

Whoever starts work makes a Run and enters it; whatever is done inside finds it by `current()`. Long
loops call `poll`, compiled kernels are handed the `stop` flag and look at it themselves: then a run
ends within a second of `cancel` (from any thread) or of Ctrl-C, and leaves nothing.
"""

from __future__ import annotations

import os
import resource
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from heteronym.errors import CancelledError

Progress = Callable[[str, float | None], None]  # step, share done where known
Result = TypeVar("Result")

_PATIENCE = 0.05  # seconds between two looks for Ctrl-C while a kernel runs


@dataclass(eq=False)
class Run:
    """Progress, CPU seconds per step, cancellation, and where files are looked for."""

    progress: Progress | None = None
    folder: Path | None = None  # where the plan's word lists and hierarchies are
    cache: Path | None = None  # remembers what was recognized
    seconds: dict[str, float] = field(default_factory=dict)
    step_now: str = ""

    def __post_init__(self) -> None:
        self._stop: Any = None
        self._seen = cpu_seconds()
        self._cancelled = threading.Event()
        self._watched: tuple[Any, int] | None = None
        self._part = (0.0, 1.0)
        self._shown = ""

    @property
    def stop(self) -> Any:
        """One byte for kernels to look at; not zero means stop."""
        if self._stop is None:
            import numpy as np

            self._stop = np.zeros(1, np.uint8)
            self._stop[0] = self._cancelled.is_set()
        return self._stop

    def cancel(self) -> None:
        """Ask the run to end; it raises CancelledError where it stands. May be called from any thread."""
        self._cancelled.set()
        if self._stop is not None:
            self._stop[0] = 1

    def poll(self) -> None:
        if self._cancelled.is_set():
            raise CancelledError("the run was cancelled. Nothing was released")

    def tell(self, share: float | None, step: str | None = None) -> None:
        """Say how far the step is; a cancelled run ends here."""
        self.poll()
        if self.progress is not None:
            begin, end = self._part
            self._shown = step or self._shown
            self.progress(self._shown, None if share is None else begin + share * (end - begin))

    @contextmanager
    def within(self, begin: float, end: float) -> Iterator[None]:
        """Shares that are told inside are shares of this part of the step."""
        before = (low, high) = self._part
        self._part = (low + begin * (high - low), low + end * (high - low))
        try:
            yield
        finally:
            self._part = before

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """CPU seconds of a step, and of what led to it since the step before; steps do not nest."""
        self.step_now = name
        self.tell(None, name)
        try:
            yield
        finally:
            now = cpu_seconds()
            self.spent(now - self._seen, name)
            self._seen = now

    def spent(self, seconds: float, step: str | None = None) -> None:
        """CPU seconds that belong to a step: those of worker processes too, which tell them themselves."""
        name = step or self.step_now
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds

    def since_start(self) -> Run:
        """Charge all that this process did so far to the step `start`; for commands, which own theirs."""
        self._seen = cpu_seconds()
        self.spent(self._seen, "start")
        return self

    @contextmanager
    def active(self) -> Iterator[Run]:
        """Make this the run that `current` finds."""
        before = _current.set(self)
        try:
            yield self
        finally:
            _current.reset(before)

    @contextmanager
    def watching(self, done: Any, total: int) -> Iterator[None]:
        """Tell progress from a number that a kernel counts up, while it runs."""
        self._watched = (done, max(total, 1))
        try:
            yield
        finally:
            self._watched = None

    def call(self, kernel: Callable[..., Result], *args: Any) -> Result:
        """A compiled kernel that gives up the lock and looks at `stop`, so that Ctrl-C reaches it."""
        self.poll()
        if threading.current_thread() is not threading.main_thread():
            result = kernel(*args)
        else:
            result = self._in_a_thread(kernel, *args)
        self.poll()
        return result

    def _in_a_thread(self, kernel: Callable[..., Result], *args: Any) -> Result:
        # Signals reach Python's main thread between two of its own steps: it must not sit in the kernel.
        from concurrent.futures import ThreadPoolExecutor, wait

        with ThreadPoolExecutor(1) as pool:
            working = pool.submit(kernel, *args)
            try:
                while not wait([working], _PATIENCE).done:
                    if self._watched is not None:
                        done, total = self._watched
                        self.tell(float(done[0]) / total)
            except (KeyboardInterrupt, CancelledError):
                self.cancel()
                raise
            return working.result()


_current: ContextVar[Run | None] = ContextVar("run", default=None)


def current() -> Run:
    """The run that this work belongs to; one of its own if nobody made one."""
    return _current.get() or Run()


def cpu_seconds() -> float:
    """Of this process; work in other processes is told to `Run.spent`."""
    return time.process_time()


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def peak_memory_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)
