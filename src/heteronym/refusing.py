"""Why a release was refused: in a message that names columns, counts and what would help, and in full for the
owner, row by row (`refused.jsonl`). The message never shows a value; the owner's list does.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from heteronym.errors import PromiseError
from heteronym.io.owner_files import REFUSED_FILE, write_private
from heteronym.model.release import Verdict
from heteronym.pipeline import Draft
from heteronym.recode.mend import FlaggedPlace, in_the_original
from heteronym.verify.breaking import Broken

_IN_TEXTS = ("residue", "sweep", "missed")  # checks that fail for what stands in a text
_AS_IT_IS = ("files", "sweep")  # checks that fail for what stands in a column that stays
_SMALLER = ("k", "m", "l")  # parameters of a model that ask for less when they are smaller
_LESS_IN_TEXTS = (
    "give the columns whose values stand there `entities`, list the words under text.deny, or leave the text "
    "column out (role: identifier)"
)


def refused_by_audit(
    draft: Draft, verdict: Verdict, found: Sequence[FlaggedPlace], broken: Sequence[Broken]
) -> PromiseError:
    """A draft that failed its audit, and that no mending helps."""
    checks = [check for check in verdict.checks if check.holds is False]
    # where a check failed first, that models could not be asked is no reason of its own
    models = [model for model in verdict.models if model.holds is False or not (model.holds or checks)]
    reasons = [f"{model.model}: {model.detail or 'does not hold'}" for model in models]
    reasons += [f"{check.name}: {check.detail}" for check in checks]
    concerned = [*_places_in_words(draft, found), *_rows_in_words(draft, broken)]
    help_ = []
    for model in models:
        smaller = [name for name in _SMALLER if name in model.parameters]
        asks = [f"a smaller {' or '.join(smaller)} of {model.model}"] if smaller else []
        help_ += [*asks, "leaving out a share of the persons (release.suppress_up_to)"]
    if found or any(check.name in _IN_TEXTS for check in checks):
        help_.append(_LESS_IN_TEXTS)
    if any(check.name in _AS_IT_IS for check in checks):
        help_.append("give a column that is released as it is and holds identifiers role identifier")
    said = f"the written files failed the audit ({'; '.join(reasons)})"
    if concerned:
        said += f". Concerned: {', '.join(concerned)}"
    said += f". What may help: {'; '.join(dict.fromkeys(help_))}" if help_ else _OUR_FAULT
    places = [*_lines(draft, found), *_broken_lines(draft, broken)]
    return PromiseError(f"{said}. Nothing was released", verdict=verdict.to_dict(), places=places)


_OUR_FAULT = ". That is a fault of the program rather than of the data: please report these words"


def refused_by_budget(
    draft: Draft, verdict: Verdict, found: Sequence[FlaggedPlace], persons: int, share: float
) -> PromiseError:
    """Mending would have to empty the texts of more persons than the plan allows."""
    everybody = draft.view.persons
    enough = min(1.0, int(100 * persons / max(everybody, 1) + 1) / 100)
    said = (
        f"all texts of {persons} of {everybody} persons would have to be left out, and the plan allows "
        f"a share of {share:g} ({', '.join(_places_in_words(draft, found))}). What may help: allow more "
        f"(release.suppress_texts_up_to: {enough:g}); {_LESS_IN_TEXTS}. Nothing was released"
    )
    return PromiseError(said, verdict=verdict.to_dict(), places=_lines(draft, found))


@contextmanager
def refusals_listed(private: Path | None) -> Iterator[None]:
    """Whatever refuses a release leaves the owner its list: the reason, then a line per place."""
    try:
        yield
    except PromiseError as error:
        if private is not None:
            lines: Iterable[Mapping[str, Any]] = ({"refused": str(error)}, *error.places)
            content = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
            write_private(private, {REFUSED_FILE: content.encode()})
        raise
    if private is not None:
        (private / REFUSED_FILE).unlink(missing_ok=True)  # it told of an earlier run


def _places_in_words(draft: Draft, found: Sequence[FlaggedPlace]) -> list[str]:
    """'12 places in 'note' of 9 persons'"""
    places = Counter(one.column for one in found)
    persons: dict[str, set[int]] = {}
    for one in found:
        persons.setdefault(one.column, set()).add(int(draft.view.person_of_row[one.row]))
    return [
        f"{_many(number, 'place')} in '{column}' of {_many(len(persons[column]), 'person')}"
        for column, number in places.items()
    ]


def _rows_in_words(draft: Draft, broken: Sequence[Broken]) -> list[str]:
    """'4 persons in groups that are too small', '7 persons with labels in 'codes' that too few show'"""
    persons: dict[str | None, set[int]] = {}
    for one in broken:
        persons.setdefault(None if one.label is None else one.label[0], set()).add(int(draft.person[one.row]))
    return [
        _many(len(who), "person")
        + (" in groups that are too small" if name is None else f" with labels of '{name}' that too few show")
        for name, who in persons.items()
    ]


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _lines(draft: Draft, found: Sequence[FlaggedPlace]) -> Iterator[dict[str, Any]]:
    """Rows and characters count from 0 in the data as it came."""
    for one in found:
        place, _ = in_the_original(draft.dataset, draft.edits, one)
        line: dict[str, Any] = {"row": one.row, "column": one.column, "type": one.type}
        if one.link is not None:
            line["value_of"] = one.link
        if place is not None and draft.cuts is not None:
            cell = (one.row, draft.cuts.columns.index(one.column))
            line["start"] = draft.cuts.position(cell, place.start, "start")
            line["end"] = draft.cuts.position(cell, place.end, "end")
            line["term"] = str(draft.dataset.frame[one.column][one.row])[place.start : place.end]
        yield line


def _broken_lines(draft: Draft, broken: Sequence[Broken]) -> Iterator[dict[str, Any]]:
    for one in broken:
        line: dict[str, Any] = {"row": int(draft.source_row[one.row]), "model": one.model}
        if one.label is not None:
            line["column"], line["kind"], line["term"] = one.label
        yield line
