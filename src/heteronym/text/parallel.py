"""Runs a recognizer on many texts with all cores: identical texts once, batches of like length.

This process reads too; the others (`workers`) keep their loaded model between calls. Small jobs stay here,
where starting another would cost more than it saves.

Cost        the recognizer's, divided by the number of processes, plus about two seconds to start them
Randomness  none
"""

from __future__ import annotations

import atexit
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import ClassVar, TypeVar

from heteronym.contracts import Recognizer
from heteronym.model.mention import Span
from heteronym.run import cores, cpu_seconds, current
from heteronym.workers import Worker

_WORTH_IT = 400_000  # characters in all: below, one process is done before another has started
_BATCH = 8_000  # characters between two looks whether the run goes on: less than a second's reading
_TEXTS = 200  # at most in a batch
_PATIENCE = 0.2  # seconds

Item = TypeVar("Item")
SpansByText = Sequence[Sequence[Span]]
Batch = tuple[list[str], SpansByText]  # texts, and what was found in each


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
        # what a script defines itself, no other process can load
        shared = shared and type(self.recognizer).__module__ != "__main__"
        tasks = deque(batches(sorted(texts, key=len), len, most=_BATCH, count=_TEXTS))
        with ThreadPoolExecutor(workers) as threads:
            try:
                yield from self._shared(tasks, threads, workers - 1 if shared else 0)
            except BaseException:
                close()  # nobody waits for what they are reading
                raise

    def _shared(self, tasks: deque[list[str]], threads: ThreadPoolExecutor, workers: int) -> Iterator[Batch]:
        """This process begins at one end, other workers at the other."""
        run, answers = current(), SimpleQueue[tuple[list[str], SpansByText, float]]()

        def serve(worker: Worker) -> None:
            worker.call(_start, self.recognizer)
            with suppress(IndexError):  # all is read, or under way
                while True:
                    batch = tasks.pop()
                    answers.put((batch, *worker.call(_recognize, batch)))

        serving = [threads.submit(serve, worker) for worker in _workers(self.recognizer, workers)]
        while True:
            run.poll()
            with suppress(IndexError):
                batch = tasks.popleft()
                yield batch, self.recognizer.recognize(batch)
            done = not tasks and not wait(serving, _PATIENCE).not_done
            while not answers.empty():
                batch, found, seconds = answers.get()
                run.spent(seconds)
                yield batch, found
            if done:
                break
        for one in serving:
            one.result()  # what went wrong there goes wrong here


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


_seen: dict[Parallel, int] = {}  # characters
_pools: dict[tuple[Recognizer, int], list[Worker]] = {}
_mine: Recognizer | None = None
_reported = 0.0  # CPU seconds of this worker that its answers have told of


def _workers(recognizer: Recognizer, count: int) -> list[Worker]:
    """Those that read for this recognizer; they keep their model between calls."""
    key = (recognizer, count)
    if key not in _pools:
        close()
        _pools[key] = [Worker() for _ in range(count)]
    return _pools[key]


@atexit.register
def close() -> None:
    """End the workers."""
    for worker in (worker for pool in _pools.values() for worker in pool):
        worker.end()
    _pools.clear()


def _start(recognizer: Recognizer) -> None:
    global _mine
    if _mine != recognizer:  # one that is known keeps what it has learned to find
        _mine = recognizer


def _recognize(texts: list[str]) -> tuple[SpansByText, float]:
    """What was found, and the CPU seconds since the last answer: the first one pays for the start."""
    global _reported
    assert _mine is not None
    found = _mine.recognize(texts)
    before, _reported = _reported, cpu_seconds()
    return found, _reported - before
