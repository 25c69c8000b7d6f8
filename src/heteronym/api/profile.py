"""`profile`: look at data, propose roles, try plans on a sample, draft the strongest that leaves enough."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from heteronym.io.given import as_frames, door
from heteronym.io.plans import valid
from heteronym.io.unplanned import join_for_profile
from heteronym.model.plan import DataPlan
from heteronym.run import Run, cpu_seconds

if TYPE_CHECKING:
    from heteronym.comparing.preview import Preview
    from heteronym.comparing.trial import Sample, Tried
    from heteronym.io.tables import Table
    from heteronym.profiling import Profile
    from heteronym.profiling.trial import Outcome

_SECONDS = 24.0  # CPU seconds after which no further promise is tried, unless `thorough`
_MORE = 4  # times as many words and rows, if thorough


@door
def profile(
    data: Any,
    *,
    purpose: str = "research",
    trial: bool = True,
    thorough: bool = False,
    person: str | None = None,
    household: str | None = None,
    weight: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    table: str | None = None,
    query: str | None = None,
    run: Run | None = None,
) -> Profile:
    """Look at data (frames or files): scales, roles with reasons, uniqueness; `.plan` is a draft plan.

    `purpose` says what for: "partner", "research" or "public". A handful of plans are tried on a sample, and
    the strongest promise that leaves enough is proposed; `trial=False` leaves that out, `thorough` takes more
    plans and more persons. `person`, `household` and `weight` name columns: the person key, the household,
    survey weights. `table` or `query` say what is read of a database. Several tables (a list of files, or
    frames by name) are joined on columns that they share.
    """
    from heteronym.profiling import look_at
    from heteronym.profiling.purposes import purpose_called

    purpose_called(purpose)
    with (run or Run()).active() as running:
        running.tell(None, "read")
        read = {"delimiter": delimiter, "encoding": encoding, "sheet": sheet, "table": table, "query": query}
        whole = join_for_profile(as_frames(data), valid(DataPlan, read, source="data"))
        given = {"person": person, "household": household, "weight": weight}
        seen = look_at(whole, with_entities=not trial, purpose=purpose, **given)
        found = replace(seen, sheet=sheet, table=table, query=query)
        return with_trial(found, whole, running, thorough=thorough) if trial else found


def with_trial(found: Profile, table: Table, run: Run, *, thorough: bool = False) -> Profile:
    """The draft with the plan that was chosen by what it leaves."""
    from heteronym.comparing.trial import ROWS, WORDS, on_sample, sample_of, try_plans
    from heteronym.io.values import with_plain_numbers
    from heteronym.profiling.look import setups_for
    from heteronym.profiling.purposes import enough
    from heteronym.profiling.trial import Trial, choose

    more = _MORE if thorough else 1
    frame = with_plain_numbers(table.frame, found.decimal, found.missing)
    texts = [column.name for column in found.columns if column.role == "text"]
    sample = sample_of(replace(table, frame=frame), found.person, texts, words=more * WORDS, rows=more * ROWS)
    setups, began = setups_for(found, thorough=thorough), cpu_seconds()
    plans = [(setup.promise, on_sample(replace(found, setup=setup).plan, sample)) for setup in setups]
    outcomes: list[Outcome] = []
    drafts: list[Tried] = []
    for setup, tried in zip(setups, try_plans(sample, plans, run), strict=False):
        outcomes.append(_outcome(setup, tried))
        drafts.append(tried)
        following = setups[len(outcomes)] if len(outcomes) < len(setups) else None
        if following is None or (following.rank, following.known) == (setup.rank, setup.known):
            continue
        good = any(outcome.is_enough(enough()) for outcome in outcomes)
        if not thorough and (good or cpu_seconds() - began > _SECONDS):
            break
    chosen = choose(outcomes, enough())
    best = drafts[chosen]
    return replace(
        found,
        setup=setups[chosen],
        trial=Trial(tuple(outcomes), chosen, sample.persons, sample.of, enough()),
        entities=_types_found(best, texts),
        previewed=_preview(best, sample),
    )


def _outcome(setup: Any, tried: Tried) -> Outcome:
    from heteronym.profiling.trial import Left, Outcome

    found = tried.remains
    if found is None:
        return Outcome(setup, refused=tried.refused)
    columns = {name: Left(one.labels, one.values, one.kept) for name, one in found.columns.items()}
    return Outcome(setup, found.words, found.items, found.cells, columns)


def _preview(tried: Tried, sample: Sample) -> Preview | None:
    from heteronym.comparing.preview import preview_of

    return None if tried.draft is None else preview_of(tried.draft, persons=sample.persons, of=sample.of)


def _types_found(tried: Tried, texts: list[str]) -> dict[str, dict[str, int]]:
    """How often each type of mention was found, by text column."""
    from collections import Counter

    mentions = None if tried.draft is None else tried.draft.mentions
    if mentions is None:
        return {}
    counts = {name: Counter[str]() for name in texts}
    pairs = zip(mentions.column.tolist(), mentions.type.tolist(), strict=True)
    for (column, kind), times in Counter(pairs).items():
        counts[mentions.columns[column]][mentions.types[kind]] += times
    return {name: dict(found) for name, found in counts.items()}
