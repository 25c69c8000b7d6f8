"""Runs a recognizer on many texts with all cores: identical texts once, batches of like length.

This process reads too; the others are started fresh (never forked: the models hold threads) and keep their
loaded model between calls. Small jobs stay here, where starting another would cost more than it saves.

Cost        the recognizer's, divided by the number of processes, plus about two seconds to start them
Randomness  none
"""

from __future__ import annotations

import atexit
import os
import sys
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType
from typing import ClassVar, TypeVar

from heteronym.contracts import Recognizer
from heteronym.errors import CancelledError
from heteronym.model.mention import Span
from heteronym.run import Run, cores, cpu_seconds, current

_WORTH_IT = 400_000  # characters in all: below, one process is done before another has started
_BATCH = 8_000  # characters between two looks whether the run goes on: less than a second's reading
_TEXTS = 200  # at most in a batch
_PATIENCE = 0.2  # seconds

Item = TypeVar("Item")
Batch = tuple[list[str], Sequence[Sequence[Span]]]  # texts, and what was found in each
_Work = Future[tuple[list[list[Span]], float]]


@dataclass(frozen=True)
class Parallel:
    """A recognizer that is run by several processes where the job is large."""

    recognizer: Recognizer
    processes: int = field(default=0, metadata={"help": "worker processes; 0: one per core", "min": 0})

    languages: ClassVar[frozenset[str]] = frozenset()

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        found: dict[str, Sequence[Span]] = {}
        for batch, mine in self.in_batches(dict.fromkeys(texts)):
            found.update(zip(batch, mine, strict=True))
        return [list(found[text]) for text in texts]

    def in_batches(self, texts: Collection[str]) -> Iterator[Batch]:
        """Some of the texts with what was found in them, as soon as it was."""
        workers = self.processes or cores()
        # A caller may come with many small batches: what counts is how much has come so far.
        _seen[self] = _seen.get(self, 0) + sum(map(len, texts))
        shared = workers > 1 and len(texts) > 1 and _seen[self] >= _WORTH_IT
        try:
            yield from self._shared(texts, workers - 1 if shared else 0)
        except (CancelledError, KeyboardInterrupt):
            close()
            raise

    def _shared(self, texts: Collection[str], workers: int) -> Iterator[Batch]:
        """This process begins at one end, other workers at the other."""
        tasks, run = list(batches(sorted(texts, key=len), len, most=_BATCH, count=_TEXTS)), current()
        sent: deque[tuple[list[str], _Work]] = deque()  # by others, in the order in which they begin
        if workers:
            pool = _pool(self.recognizer, workers)
            sent.extend((batch, pool.submit(_recognize, batch)) for batch in reversed(tasks))
        for batch in tasks:
            run.poll()
            if sent and not sent[-1][1].cancel():
                break  # all that is left is under way
            if sent:
                sent.pop()
            yield batch, self.recognizer.recognize(batch)
            while sent and sent[0][1].done():
                yield _told_by(*sent.popleft(), run)
        for batch, work in sent:
            while not wait([work], _PATIENCE).done:
                run.poll()
            yield _told_by(batch, work, run)


def _told_by(batch: list[str], work: _Work, run: Run) -> Batch:
    found, seconds = work.result()
    run.spent(seconds)
    return batch, found


def batches(
    items: Iterable[Item], size: Callable[[Item], int], *, most: int, count: int
) -> Iterator[list[Item]]:
    """Items in their order, in batches of at most so many, and of so much in all unless one alone is more."""
    batch: list[Item] = []
    held = 0
    for item in items:
        if batch and (held + size(item) > most or len(batch) == count):
            yield batch
            batch, held = [], 0
        batch.append(item)
        held += size(item)
    if batch:
        yield batch


class _ApartProcess(SpawnProcess):
    """A process that does not run the caller's script again: it may call us without asking who runs it."""

    def start(self) -> None:
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            super().start()
        finally:
            sys.modules["__main__"] = script


class _Apart(SpawnContext):
    Process = _ApartProcess


_seen: dict[Parallel, int] = {}  # characters
_pools: dict[tuple[Recognizer, int], ProcessPoolExecutor] = {}
_mine: Recognizer | None = None
_told = 0.0  # CPU seconds of this worker that its answers have told of


def _pool(recognizer: Recognizer, workers: int) -> ProcessPoolExecutor:
    key = (recognizer, workers)
    if key not in _pools:
        close()
        _pools[key] = ProcessPoolExecutor(
            workers,
            mp_context=SpawnContext() if type(recognizer).__module__ == "__main__" else _Apart(),
            initializer=_start,
            initargs=(recognizer,),
        )
    return _pools[key]


@atexit.register
def close() -> None:
    """End the workers."""
    for pool in _pools.values():
        pool.shutdown(wait=False, cancel_futures=True)
    _pools.clear()


def _start(recognizer: Recognizer) -> None:
    global _mine
    _mine = recognizer
    atexit.register(os._exit, 0)  # all was told by then; to take a model down piece by piece takes a while


def _recognize(texts: list[str]) -> tuple[list[list[Span]], float]:
    """What was found, and the CPU seconds since the last answer: the first one pays for the start."""
    global _told
    assert _mine is not None
    found = _mine.recognize(texts)
    before, _told = _told, cpu_seconds()
    return found, _told - before
