"""What an audit finds in the texts of a draft is masked, and the draft made again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from heteronym.io.plans import build_parts
from heteronym.model.plan import Plan
from heteronym.model.release import Verdict
from heteronym.model.schema import Role
from heteronym.pipeline import Draft, Persons, drafted, encoded, recoded
from heteronym.recode.mend import UNTYPED, Found, mended
from heteronym.verify.left_in_texts import left_in_texts
from heteronym.verify.originals import Originals
from heteronym.verify.twins import twins_in_texts

_ROUNDS = 3  # times that what an audit finds in texts is masked


def mend_texts(
    draft: Draft, plan: Plan, verdict: Verdict, written: pl.DataFrame, originals: Originals
) -> Draft | None:
    """A draft without what the audit found in its texts; None: there is nothing, or it was tried enough."""
    failed = {check.name for check in verdict.checks if check.holds is False}
    breaking = []  # the models that can say where a text breaks their promise
    if any(model.holds is False for model in verdict.models):
        breaking = [model for model in build_parts(plan).models if hasattr(model, "breaches")]
    if not (failed & {"residue", "twins"} or breaking) or len(draft.mended) >= _ROUNDS:
        return None
    found = [*_breaches(draft, written, breaking)]
    if "residue" in failed:
        found += [
            Found(
                row=int(draft.source_row[one.row]),
                column=one.column,
                start=one.start,
                end=one.end,
                link=one.name if one.kind == "value" else None,
                type=_type_of(one.name, plan) if one.kind == "value" else one.name,
            )
            for one in left_in_texts(written, plan, originals).places
        ]
    if "twins" in failed:
        found += _open_twins(draft, plan, written, originals)
    return _mended(draft, plan, found)


def _mended(draft: Draft, plan: Plan, found: Sequence[Found]) -> Draft | None:
    """The draft with what an auditor found in its texts masked; None if nothing of it can be."""
    if draft.mentions is None or draft.edits is None:
        return None
    made = mended(draft.dataset, draft.view, draft.mentions, draft.edits, found)
    if made is None:
        return None
    mentions, view = made
    persons, recoding = Persons(mentions, None, view), draft.recoding
    if build_parts(plan).settling is not None:  # what else a group may show hangs on what is masked now
        persons = encoded(draft.dataset, mentions, plan)
        recoding = recoded(persons.view, draft.partition, plan, np.random.default_rng(plan.seed))
    vault = None if draft.names is None else draft.names.vault
    better = drafted(draft.dataset, persons, draft.partition, recoding, plan, vault)
    return replace(better, measures=draft.measures, mended=(*draft.mended, len(found)))


def _breaches(draft: Draft, written: pl.DataFrame, models: Sequence[Any]) -> Iterator[Found]:
    for name in draft.dataset.schema.named(Role.TEXT) if models else ():
        for row, text in enumerate(written[name].cast(pl.String).to_list()):
            for start, end, type_ in (place for model in models for place in model.breaches(text or "")):
                yield Found(int(draft.source_row[row]), name, start, end, None, type_)


def _open_twins(draft: Draft, plan: Plan, written: pl.DataFrame, originals: Originals) -> Iterator[Found]:
    """What is masked for another of the group, as what it is masked there."""
    mentions, group = draft.mentions, draft.partition.group[draft.view.person_of_row]
    assert mentions is not None
    texts = {name: draft.dataset.frame[name] for name in mentions.columns}
    known: dict[tuple[int, str], int] = {}
    for i, (row, column) in enumerate(zip(mentions.row.tolist(), mentions.column.tolist(), strict=True)):
        surface = str(texts[mentions.columns[column]][row])[mentions.start[i] : mentions.end[i]]
        known.setdefault((int(group[row]), surface), i)
    for one in twins_in_texts(written, plan, originals):
        source = int(draft.source_row[one.row])
        surface = str(written[one.column][one.row])[one.start : one.end]
        masked = known.get((int(group[source]), surface))
        if masked is not None:
            link = mentions.links[mentions.link[masked]] if mentions.link[masked] >= 0 else None
            type_ = mentions.types[mentions.type[masked]]
            yield Found(source, one.column, one.start, one.end, link, type_)


def _type_of(name: str, plan: Plan) -> str:
    entities = plan.attributes[name].entities
    return entities[0] if entities else UNTYPED
