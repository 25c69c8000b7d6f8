"""The runs of a comparison: texts are read once, persons encoded once, settings searched side by side.

Worker processes get the view of the persons once. Each finished run is kept in a file of its own, by what it
depends on, so that a comparison that was stopped goes on.

Cost        one encode per distinct (data, attributes, text), then search, recoding and measures per setting
Randomness  as the plans say
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import heteronym
from heteronym.comparing.grid import Setting
from heteronym.errors import HeteronymError
from heteronym.io.persons import keep_person_level_cells_on_first_row
from heteronym.io.plans import build_parts
from heteronym.model.dataset import Dataset
from heteronym.model.elements import Elements
from heteronym.model.mention import Mentions
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.plan import Plan
from heteronym.model.recoding import ElementLabels, Fate
from heteronym.model.schema import Role
from heteronym.pipeline import (
    check_feasible,
    encode_persons,
    form_groups,
    measure_all,
    recode_groups,
    recognize_texts,
)
from heteronym.run import Run, cores, peak_memory_mb
from heteronym.workers import Worker

Facts = dict[str, Any]
DatasetOf = Callable[[Plan], Dataset]
_PATIENCE = 0.2  # seconds


class Kept:
    """Runs that are done, by what they depend on; in memory alone if there is no folder."""

    def __init__(self, folder: Path | None, inputs: str) -> None:
        self.folder, self.inputs = folder, inputs
        self._known: dict[str, Facts] = {}
        if folder is not None:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def key(self, setting: Setting) -> str:
        parts = [heteronym.__version__, self.inputs, setting.plan.hash, setting.baseline]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:20]

    def get(self, setting: Setting) -> Facts | None:
        key = self.key(setting)
        if key not in self._known and self.folder is not None:
            path = self.folder / f"{key}.json"
            try:
                self._known[key] = json.loads(path.read_text("utf-8"))
            except (FileNotFoundError, ValueError):
                return None
        return self._known.get(key)

    def put(self, setting: Setting, facts: Facts) -> None:
        key = self.key(setting)
        self._known[key] = facts
        if self.folder is not None:
            place = self.folder / f".{key}"
            place.write_text(json.dumps(facts, ensure_ascii=False), "utf-8")
            place.replace(self.folder / f"{key}.json")


def carry_out(
    settings: Sequence[Setting],
    dataset_of: DatasetOf,
    *,
    kept: Kept,
    run: Run,
    mentions: Mentions | None = None,
    processes: int = 0,
) -> list[Facts]:
    """The facts of every setting, in their order."""
    open_ = [setting for setting in settings if kept.get(setting) is None]
    done = len(settings) - len(open_)
    recognized: dict[str, Mentions] = {}
    for group in _by(open_, _data_key).values():
        plan = group[0].plan
        with run.step("read"):
            dataset = dataset_of(plan)
        check_feasible(dataset, build_parts(plan))
        if build_parts(plan).settling:
            dataset = keep_person_level_cells_on_first_row(dataset)
        given = mentions
        if given is None and dataset.schema.named(Role.TEXT):
            key = _text_key(plan, dataset)
            if key not in recognized:
                with run.step("scan"):
                    recognized[key] = recognize_texts(dataset, plan, run)
            given = recognized[key]
        _, _, view = encode_persons(dataset, plan, mentions=given, run=run)
        del dataset
        with run.step("compare"):
            for setting, facts in _side_by_side(view, group, processes=processes, run=run):
                kept.put(setting, facts)
                done += 1
                run.tell(done / len(settings), "compare")
    return [found for setting in settings if (found := kept.get(setting)) is not None]


def _by(settings: Sequence[Setting], key: Callable[[Plan], str]) -> dict[str, list[Setting]]:
    found: dict[str, list[Setting]] = {}
    for setting in settings:
        found.setdefault(key(setting.plan), []).append(setting)
    return found


def _data_key(plan: Plan) -> str:
    """What the view of the persons depends on."""
    content = plan.model_dump(mode="json", include={"data", "attributes", "text"})
    return json.dumps([content, build_parts(plan).settling is not None], sort_keys=True)


def _text_key(plan: Plan, dataset: Dataset) -> str:
    """What recognition depends on: which texts are read, and how."""
    parts = {"data": plan.data.model_dump(mode="json"), "text": plan.text.model_dump(mode="json")}
    return json.dumps([parts, list(dataset.schema.named(Role.TEXT))], sort_keys=True)


# --- processes ------------------------------------------------------------------------------------


def _side_by_side(
    view: PersonView, settings: Sequence[Setting], *, processes: int, run: Run
) -> Iterator[tuple[Setting, Facts]]:
    """Each setting with its facts, as they are done."""
    workers = min(processes or cores(), len(settings))
    if workers < 2:
        for setting in settings:
            run.poll()
            yield setting, run_one(view, setting)
        return
    # Those that take longest come first, so that no core is idle at the end: small groups, many terms.
    order = iter(sorted(settings, key=lambda setting: (setting.baseline, _k(setting.plan))))
    started = [Worker() for _ in range(workers)]
    with ThreadPoolExecutor(workers) as threads:
        busy: dict[Future[Any], tuple[Worker, Setting | None]] = {
            threads.submit(worker.call, _take, view): (worker, None) for worker in started
        }
        try:
            while busy:
                done, _ = wait(busy, _PATIENCE, FIRST_COMPLETED)
                run.poll()
                for future in done:
                    worker, ran = busy.pop(future)
                    facts = future.result()
                    if ran is not None:
                        yield ran, facts
                    if (following := next(order, None)) is not None:
                        busy[threads.submit(worker.call, _run_taken, following)] = (worker, following)
        finally:
            for worker in started:
                worker.end()


def _k(plan: Plan) -> float:
    return min((float(model.parameters["k"]) for model in plan.privacy if "k" in model.parameters), default=0)


_view: PersonView | None = None  # of a worker


def _take(view: PersonView) -> None:
    global _view
    _view = view


def _run_taken(setting: Setting) -> Facts:
    assert _view is not None
    return run_one(_view, setting)


def run_one(view: PersonView, setting: Setting) -> Facts:
    """Groups, recoding and measures of one setting; nothing is written and nothing is released."""
    run = Run()
    try:
        with run.active():
            partition, measures = _measured(view, setting, run)
    except HeteronymError as error:
        return {"status": "refused", "reason": str(error)}
    return {
        "status": "done",
        "measures": measures,
        "data": {"persons": view.persons, "persons_left_out": partition.left_out, "rows": view.rows},
        "timing": {name: round(seconds, 4) for name, seconds in run.seconds.items()},
        "peak_memory_mb": round(peak_memory_mb(), 1),
    }


def _measured(view: PersonView, setting: Setting, run: Run) -> tuple[Partition, Mapping[str, Any]]:
    plan, rng = setting.plan, np.random.default_rng(setting.plan.seed)
    parts = build_parts(plan)
    searched = replace(view, elements=Elements.none(view.persons)) if setting.baseline else view
    partition = form_groups(searched, plan, run, rng)
    with run.step("recode"):
        recoding = recode_groups(searched, partition, parts, rng)
        if setting.baseline:
            recoding = replace(recoding, elements=_all_suppressed(view, partition))
    with run.step("measure"):
        return partition, measure_all(view, partition, recoding, parts)


def _all_suppressed(view: PersonView, partition: Partition) -> ElementLabels:
    """Items and terms are gone; an event shows the widest label of its group."""
    labels = ElementLabels.none(partition.count)
    for kind in ({"terms": True}, {}, {"events": True}):
        held = partition.held(view, **kind).of_group
        fate = np.full(len(held.codes), Fate.TYPED, np.uint8)
        labels = labels.join(ElementLabels(held, fate, np.full(len(fate), -1, np.int32), ()))
    return labels
