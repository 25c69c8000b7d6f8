"""Takes out of a draft's texts what the audit found in them, and makes the draft again.

A place that is found for the first time is masked. If it is found again, its sentence goes, then its text,
then all texts of its person, for at most a share of the persons (`release.suppress_texts_up_to`). What goes
is counted. There are at most `ROUNDS` rounds; `publish.audit_and_mend` is the loop around them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from heteronym.io.plans import build_parts
from heteronym.model.plan import Plan
from heteronym.model.schema import Role
from heteronym.pipeline import Draft, Mended, Persons, drafted, encoded, measure_all, recoded, told_of_rows
from heteronym.recode.cuts import Cell, Stretches, cut_texts, united, with_more
from heteronym.recode.mend import UNTYPED, FlaggedPlace, in_the_original, mended
from heteronym.refusing import refused_by_budget
from heteronym.verify.audit import Audited

MASK, SENTENCE, TEXT, PERSON = 1, 2, 3, 4
_LEAST = (MASK, MASK, MASK, SENTENCE, TEXT, PERSON, PERSON, PERSON)  # what is done at least, by round
ROUNDS = len(_LEAST)  # after the last one, what still fails is refused


class Mending:
    """The rounds of one run: what was found where, and what was done about it."""

    def __init__(self, draft: Draft, plan: Plan) -> None:
        self.plan = plan
        self.done: dict[
            Cell, list[tuple[int, int, int]]
        ] = {}  # start and end as they came, and what was done in earlier rounds
        persons = draft.view.persons
        self.budget = max(1, int(plan.release.suppress_texts_up_to * persons))
        if not plan.release.suppress_texts_up_to:
            self.budget = 0
        self.emptied: set[int] = set()

    def better(self, draft: Draft, audited: Audited, written: pl.DataFrame) -> Draft | None:
        """A draft without what the audit found in its texts; None if there is nothing to take out."""
        round_ = draft.mended.rounds
        found = found_places(draft, self.plan, audited, written)
        if audited.verdict.holds or not found or round_ >= len(_LEAST) or draft.mentions is None:
            return None
        masks: list[FlaggedPlace] = []
        cuts: dict[Cell, list[tuple[int, int]]] = {}
        count = {SENTENCE: 0, TEXT: 0, PERSON: 0}
        tried: list[tuple[Cell, tuple[int, int, int]]] = []
        for one in found:
            place, inside_label = in_the_original(draft.dataset, draft.edits, one)
            if place is None:
                continue
            cell, start, end, level = self._level(draft, place)
            tried.append((cell, (start, end, level)))  # two findings of one place are one round
            level = max(level, _LEAST[round_], SENTENCE if inside_label else MASK)
            if level == MASK:
                masks.append(place)
                continue
            count[level] += 1
            for cell, stretch in self._stretches(draft, place, level):
                cuts.setdefault(cell, []).append(stretch)
        for cell, what in tried:
            self.done.setdefault(cell, []).append(what)
        if not masks and not cuts:
            return None
        if len(self.emptied) > self.budget:
            share, persons = self.plan.release.suppress_texts_up_to, len(self.emptied)
            raise refused_by_budget(draft, audited.verdict, found, persons, share)
        was = draft.mended
        now = Mended(
            rounds=was.rounds + 1,
            masked=was.masked + len(masks),
            sentences=was.sentences + count[SENTENCE],
            texts=was.texts + count[TEXT],
            persons=len(self.emptied),
        )
        return _drafted_again(
            draft, self.plan, masks, {cell: _whole(draft, cell, mine) for cell, mine in cuts.items()}, now
        )

    def _level(self, draft: Draft, place: FlaggedPlace) -> tuple[Cell, int, int, int]:
        """Where a place stands in the text as it came, and what is to be done about it: more than before."""
        assert draft.mentions is not None
        assert draft.cuts is not None
        cell = (place.row, draft.mentions.columns.index(place.column))
        start = draft.cuts.position(cell, place.start, "start")
        end = draft.cuts.position(cell, place.end, "end")
        before = [level for a, b, level in self.done.get(cell, ()) if a < end and start < b]
        return cell, start, end, min(max(before, default=0) + 1, PERSON)

    def _stretches(
        self, draft: Draft, place: FlaggedPlace, level: int
    ) -> Iterator[tuple[Cell, tuple[int, int]]]:
        """What goes with a place, in the texts of the draft's data."""
        assert draft.mentions is not None
        columns = draft.mentions.columns
        if level == SENTENCE:
            cell = (place.row, columns.index(place.column))
            yield cell, _sentence_around(draft, cell, place)
            return
        rows = [place.row]
        names: Sequence[str] = [place.column]
        if level == PERSON:
            person = int(draft.view.person_of_row[place.row])
            self.emptied.add(person)
            rows, names = np.flatnonzero(draft.view.person_of_row == person).tolist(), columns
        for name in names:
            for row in rows:
                length = len(str(draft.dataset.frame[name][row] or ""))
                if length:
                    yield (row, columns.index(name)), (0, length)


def found_places(draft: Draft, plan: Plan, audited: Audited, written: pl.DataFrame) -> list[FlaggedPlace]:
    """What the audit found in texts, and what models say of them that know which words break them."""
    return list(dict.fromkeys(_found_places(draft, plan, audited, written)))


def _found_places(
    draft: Draft, plan: Plan, audited: Audited, written: pl.DataFrame
) -> Iterator[FlaggedPlace]:
    if any(model.holds is False for model in audited.verdict.models):
        models = [model for model in build_parts(plan).models if hasattr(model, "breaches")]
        yield from _breaches(draft, written, models)
    for one in audited.places:
        is_value = one.kind == "value"
        yield FlaggedPlace(
            row=int(draft.source_row[one.row]),
            column=one.column,
            start=one.start,
            end=one.end,
            link=one.name if is_value else None,
            type=_type_of(one.name, plan) if is_value else one.name,
        )


def _breaches(draft: Draft, written: pl.DataFrame, models: Sequence[Any]) -> Iterator[FlaggedPlace]:
    for name in draft.dataset.schema.named(Role.TEXT) if models else ():
        for row, text in enumerate(written[name].cast(pl.String).to_list()):
            for start, end, type_ in (place for model in models for place in model.breaches(text or "")):
                yield FlaggedPlace(int(draft.source_row[row]), name, start, end, None, type_)


def _type_of(name: str, plan: Plan) -> str:
    entities = plan.attributes[name].entities
    return entities[0] if entities else UNTYPED


def _sentence_around(draft: Draft, cell: Cell, place: FlaggedPlace) -> tuple[int, int]:
    """The sentences that a place lies in, mentions that reach over their ends included."""
    from heteronym.reading.sentences import sentence_ends

    assert draft.mentions is not None
    text = str(draft.dataset.frame[place.column][place.row])
    mine = draft.mentions.of_text(*cell)
    spans = [*zip(draft.mentions.start[mine].tolist(), draft.mentions.end[mine].tolist(), strict=True)]
    ends = [end for end in sentence_ends(text) if not any(a < end < b for a, b in spans)]
    start = ([0, *ends])[bisect_left(ends, place.start + 1)]
    end = ends[min(bisect_left(ends, place.end), len(ends) - 1)]
    return start, end


def _whole(draft: Draft, cell: Cell, stretches: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The stretches of one text, joined; where its end goes, it ends as it did: the space before goes instead
    of that behind."""
    assert draft.mentions is not None
    text = str(draft.dataset.frame[draft.mentions.columns[cell[1]]][cell[0]])
    found = united(stretches)
    start, end = found[-1]
    if start and not text[end:].strip():
        found[-1] = (len(text[:start].rstrip()), len(text.rstrip()))
    return united(found)


def _drafted_again(
    draft: Draft, plan: Plan, masks: Sequence[FlaggedPlace], cuts: Stretches, done: Mended
) -> Draft:
    """The draft with these places masked, and these stretches of its texts taken out."""
    assert draft.mentions is not None
    assert draft.cuts is not None
    dataset, mentions, view, taken = draft.dataset, draft.mentions, draft.view, draft.cuts
    made = mended(draft.view, mentions, masks)
    if made is not None:
        mentions, view = made
    if cuts:
        dataset, mentions, gone = cut_texts(dataset, mentions, cuts)
        taken = with_more(taken, cuts, gone)
    persons, recoding, measures = Persons(mentions, None, view), draft.recoding, draft.measures
    parts = build_parts(plan)
    if parts.settling is not None or cuts:  # what a group may show hangs on what its members still have
        persons = encoded(dataset, mentions, plan)
        rest = told_of_rows(dataset, mentions, plan)
        recoding = recoded(persons.view, draft.partition, plan, np.random.default_rng(plan.seed), rest)
        measures = measure_all(persons.view, draft.partition, recoding, parts)
    vault = None if draft.names is None else draft.names.vault
    better = drafted(dataset, persons, draft.partition, recoding, plan, vault)
    return replace(
        better, measures=measures, mended=done, original=draft.original, cuts=taken, reviewed=draft.reviewed
    )
