"""Which groups serve columns and elements at once?

    python -m benchmarks.studies.joint_groups [--persons 4000] [--write PAGE]

Under `joint` with m = 1 an element can stay where k members of its group hold it. Every way to form groups is
tried with several least sizes; `joint` is then bound to the same loss of columns. What both keep stands side
by side: the mean over persons of the share of their terms (blog-like authors, k = 10) or diagnosis codes
(INFORMS, k = 5). Median cuts, cuts by gain without and with a look at the terms, k-member by columns, and
k-member by columns and terms (mean distance, plus the share of frequent elements that they do not share).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.figures import show
from benchmarks.generators.blog_like import blog_like
from benchmarks.generators.informs_visits import informs_visits
from benchmarks.studies.informs_visits import PLAN as VISITS
from benchmarks.track.blogs import PLAN as BLOGS
from heteronym.io.plans import make_plan
from heteronym.io.tables import from_frame
from heteronym.measures.ncp import covered_loss
from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, PersonView
from heteronym.model.schema import Scale
from heteronym.partition.joint import JointPartition
from heteronym.partition.k_member import KMember
from heteronym.partition.mondrian import Mondrian
from heteronym.pipeline import encode_persons, make_dataset
from heteronym.privacy.k_anonymity import KAnonymity
from heteronym.run import Run

SIZES = (40, 160, 640)  # least persons of a group, beside k


@dataclass(frozen=True, eq=False)
class Data:
    name: str
    view: PersonView
    k: int


def _view(frame: pl.DataFrame, plan: dict[str, object]) -> PersonView:
    made = make_plan({**plan, "privacy": [{"model": "joint", "k": 2, "m": 1}]})
    run = Run()
    with run.active():
        return encode_persons(make_dataset(from_frame(frame)[0], made), made, run=run)[2]


def blogs(persons: int) -> Data:
    return Data("blog-like", _view(blog_like(persons), BLOGS), 10)


def informs(persons: int) -> Data:
    """Patients with their columns and codes; of the visits only the first row of each."""
    frame = informs_visits(persons).unique("rid", keep="first", maintain_order=True).drop("visit", "note")
    attributes = {
        name: {key: value for key, value in a.items() if key != "entities"}
        for name, a in VISITS["attributes"].items()
        if name in frame.columns
    }
    return Data("informs", _view(frame, {"data": VISITS["data"], "attributes": attributes}), 5)


def columns_lost(view: PersonView, partition: Partition) -> float:
    sizes = partition.sizes()
    return float(np.mean([covered_loss(c, partition.covers(c)) @ sizes / view.persons for c in view.columns]))


def kept(data: Data, partition: Partition) -> float:
    """The mean over persons of the share of their elements that k members of their group hold."""
    elements, held = data.view.elements, data.view.elements.of_person
    owner = held.owners()
    _, number, holders = np.unique(
        partition.group[owner].astype(np.int64) * len(elements) + held.codes,
        return_inverse=True,
        return_counts=True,
    )
    stays = np.bincount(owner, weights=holders[number] >= data.k, minlength=data.view.persons)
    total = np.bincount(owner, minlength=data.view.persons)
    return float(np.mean(stays[total > 0] / total[total > 0]))


def k_member_with_terms(data: Data, size: int) -> Partition:
    """Seeds in a seeded order; the nearest by columns and by frequent elements that both have."""
    view = data.view
    held = view.elements.of_person
    frequent = np.bincount(held.codes, minlength=len(view.elements)) >= data.k
    of = [held[person][frequent[held[person]]] for person in range(view.persons)]
    order = np.random.default_rng(0).permutation(view.persons)
    group = np.full(view.persons, -1, np.int32)
    columns = [_position(column) for column in view.columns]
    has = np.zeros(len(view.elements), np.bool_)
    count = 0
    for seed in order.tolist():
        free = np.flatnonzero(group < 0)
        if group[seed] >= 0 or len(free) < 2 * size:
            continue
        apart = [(c[free] - c[seed]) if c.dtype == np.float64 else c[free] != c[seed] for c in columns]
        far = np.mean(np.abs(np.array(apart, np.float64)), axis=0)
        has[of[seed]] = True
        shared = np.array([has[of[person]].sum() for person in free.tolist()])
        union = np.array([len(of[person]) for person in free.tolist()]) + len(of[seed]) - shared
        has[of[seed]] = False
        distance = far + 1 - shared / np.maximum(union, 1)
        group[free[np.argsort(distance, kind="stable")[:size]]] = count
        count += 1
    group[group < 0] = max(count, 0)  # the last ones are one group
    return Partition(group)


def _position(column: Column) -> NDArray[Any]:
    """A person's first value on a column, scaled where the column has an order."""
    code = column.sets.codes[column.sets.ptr[:-1]][column.person_set]
    is_ordered = column.domain.attribute.scale is not Scale.NOMINAL
    return code / max(len(column.domain.values) - 1, 1) if is_ordered else code


def methods(data: Data) -> dict[str, Callable[[int], Partition]]:
    rng = np.random.default_rng

    def of(part: Mondrian | KMember) -> Callable[[int], Partition]:
        return lambda size: part.partition(data.view, models=[KAnonymity(k=size)], rng=rng(0))

    return {
        "median cuts of the widest column": of(Mondrian(relational_weight=1.0, cut="widest", finish="cuts")),
        "cuts by gain, columns alone": of(Mondrian(relational_weight=1.0, finish="cuts")),
        "cuts by gain, columns and terms": of(Mondrian(relational_weight=0.5, finish="cuts")),
        "k-member by columns": of(KMember()),
        "k-member by columns and terms": lambda size: k_member_with_terms(data, size),
    }


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--persons", type=int, default=4000)
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    rows: list[dict[str, object]] = []
    for data in (blogs(given.persons), informs(given.persons)):
        for name, form in methods(data).items():
            for size in (size for size in SIZES if 2 * size <= given.persons):
                begin = time.process_time()
                with Run().active():
                    found = form(size)
                    spent = time.process_time() - begin
                    lost = columns_lost(data.view, found)
                    ours = JointPartition(delta=lost).partition(
                        data.view, models=[KAnonymity(k=data.k)], rng=np.random.default_rng(0)
                    )
                rows.append(
                    {
                        "data": data.name,
                        "groups by": name,
                        "groups": found.count,
                        "columns lost": lost,
                        "kept": kept(data, found),
                        "kept by joint": kept(data, ours),
                        "joint loses": columns_lost(data.view, ours),
                        "CPU s": spent,
                    }
                )
                print(rows[-1], flush=True)
    show(rows, name="joint-groups", page=given.write)


if __name__ == "__main__":
    main()
