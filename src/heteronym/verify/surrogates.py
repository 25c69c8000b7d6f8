"""Identifiers that are released as surrogates: that none is an original, and what they still tell.

A surrogate counts as kept. It shows who shares a value, and what it tells of its original (gender and origin
of a name, the shape of a code) is read off the original here, by code of its own. Rows of which surrogates
tell different things are in different groups, which the models count. A number, `[PERSON 17]`, that
only one person bears tells nothing, nor does a placeholder, `[PERSON]`.

Cost        O(rows), names and codes once per distinct value
Randomness  none
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import row_list
from heteronym.model.plan import Plan
from heteronym.model.release import Check
from heteronym.verify.forms import term_form
from heteronym.verify.originals import Originals
from heteronym.verify.value_search import alike

_PLACEHOLDER = re.compile(r"\[[A-Z][A-Z_]*\]")
_NUMBER = re.compile(r"\[[A-Z][A-Z_]* \d+\]")
_CODES = frozenset({"CARD", "CODE", "IBAN", "IP", "PHONE", "POSTCODE", "USERNAME"})
_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
_LONG_WORD = re.compile(r"[A-Za-z]{3,}")
_TITLES = frozenset("mr mrs ms miss dr prof sir lady lord rev herr frau".split())
_MOST_WORDS = 5  # of a name of which texts may show some


def surrogate_checks(released: pl.DataFrame, plan: Plan, originals: Originals) -> list[Check]:
    """No cell shows an original of its column, and equal originals are called alike."""
    names = [name for name in plan.surrogates if name in released.columns]
    problems: list[str] = []
    for name in names:
        values = _cells(originals.frame[name], originals.missing)
        mine = [values[row] for row in originals.source_row.tolist()]
        shown = _cells(released[name], frozenset())
        is_date = plan.attributes[name].entities[:1] == ("DATE",)
        all_of_them = {alike(value) for value in values if value is not None}
        left, unlike = [], []
        called: dict[str, str] = {}
        for row, (old, new) in enumerate(zip(mine, shown, strict=True), 1):
            if new is None or old is None or _PLACEHOLDER.fullmatch(new) or _NUMBER.fullmatch(new):
                continue  # "[PERSON 71]" may well be somebody called Person
            if alike(new) in ({alike(old)} if is_date else all_of_them) or _keeps_name(old, new):
                left.append(row)
            elif not is_date and called.setdefault(alike(old), alike(new)) != alike(new):
                unlike.append(row)
        if left:
            problems.append(f"'{name}' shows an original in released {row_list(left)}")
        if unlike:
            problems.append(f"'{name}' has several surrogates for one value, released {row_list(unlike)}")
    if not names:
        return []
    detail = "no original of a column with surrogates stands there, and equal ones are called alike"
    return [Check("surrogates", not problems, "; ".join(problems) or detail)]


def _keeps_name(old: str, new: str) -> bool:
    """Whether the last word of a name stands in its surrogate."""
    words = [word for word in _WORD.findall(old) if len(word) > 2 and word.lower() not in _TITLES]
    has_digits = any(map(str.isdigit, old))
    return bool(words) and not has_digits and words[-1].lower() in {w.lower() for w in _WORD.findall(new)}


def revealed_by_surrogates(
    released: pl.DataFrame, plan: Plan, person: NDArray[np.int64] | None, originals: Originals | None
) -> list[pl.Series]:
    """Per column with surrogates, what each released row tells by it; without the data only who shares it."""
    found: list[pl.Series] = []
    for name in plan.surrogates:
        if name not in released.columns or person is None:  # rows of one person share all they have
            continue
        shown = _cells(released[name], frozenset())
        if originals is None:
            mine, held, whose = shown, shown, person.tolist()
        else:
            held, whose = _cells(originals.frame[name], originals.missing), originals.person.tolist()
            mine = [held[row] for row in originals.source_row.tolist()]
        shared = _shared(held, whose)
        seen_by = whose if originals is None else originals.released_person.tolist()
        shared |= {value for value in _shared(shown, seen_by) if _NUMBER.fullmatch(value.upper())}
        kind = None if originals is None else plan.attributes[name].entities[0]
        revealed = [_revealed_by(old, new, kind, shared) for old, new in zip(mine, shown, strict=True)]
        found.append(pl.Series(name, revealed, pl.String))
    return found


def _shared(values: Sequence[str | None], whose: Iterable[int]) -> set[str]:
    """Values that several persons have."""
    holders: dict[str, set[int]] = defaultdict(set)
    for value, holder in zip(values, whose, strict=True):
        if value is not None:
            holders[term_form(value)].add(holder)
    return {value for value, some in holders.items() if len(some) > 1}


def _revealed_by(old: str | None, new: str | None, kind: str | None, shared: set[str]) -> str:
    if new is None or old is None:
        return "missing" if new is None else "typed"
    if _PLACEHOLDER.fullmatch(new):
        return "typed"
    form = term_form(new if _NUMBER.fullmatch(new) else old)
    if form in shared:
        return f"shared {form}"
    if kind is None or _NUMBER.fullmatch(new):
        return "numbered"
    return f"own {tells(kind, old)}"


def tells(kind: str, value: str) -> str:
    """What a surrogate tells of its original; of other types than names and codes it may tell everything."""
    if kind == "PERSON":
        return _tells_name(value)
    if kind not in _CODES:
        return value
    chunks = value.split(" ")
    labelled = kind == "CODE" and any(any(map(str.isdigit, chunk)) for chunk in chunks)
    return " ".join(
        chunk
        if labelled and _LONG_WORD.fullmatch(chunk)
        else "".join(
            "9" if c.isdigit() else ("x" if c.islower() else "X") if c.isalpha() else c for c in chunk
        )
        for chunk in chunks
    )


# --- names ----------------------------------------------------------------------------------------


@cache
def _lists() -> dict[str, frozenset[tuple[str, str]]]:
    """A name in small letters -> (origin, female | male | surname) of the lists that have it."""
    path = files("heteronym.knowledge").joinpath("data", "name_origins.tsv")
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            origin, kind, names = line.split("\t")
            for name in names.split():
                found[name.lower()].add((origin, kind))
    return {name: frozenset(lists) for name, lists in found.items()}


def _listed(word: str) -> frozenset[tuple[str, str]]:
    return _lists().get(word) or _lists().get(_without_female_ending(word), frozenset())


def _without_female_ending(surname: str) -> str:
    for ending, instead in (("ska", "ski"), ("cka", "cki"), ("dzka", "dzki")):
        if surname.endswith(ending):
            return surname[: -len(ending)] + instead
    return surname[:-1] if surname.endswith(("ova", "eva", "ina", "yna")) else surname


def _tells_name(value: str) -> str:
    words = [w.lower() for w in _WORD.findall(value) if w.lower() not in _TITLES]
    surname = ""
    alone = len(_WORD.findall(value)) == 1  # without a title, a single first name is no surname
    if words and not (alone and any(kind != "surname" for _, kind in _listed(words[0]))):
        surname = words[0] if re.match(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*,", value) else words[-1]
    kinds_of_words = [_tells_word(word, is_surname=word == surname) for word in words]
    return f"{' '.join(kinds_of_words)} {_origin(words)}"


def _tells_word(word: str, *, is_surname: bool) -> str:
    if is_surname:
        female = word not in _lists() and _without_female_ending(word) != word
        return "female surname" if female else "surname"
    kinds = [kind for _, kind in _lists().get(word, ())]
    more = kinds.count("female") - kinds.count("male")
    return "name" if not more else "female name" if more > 0 else "male name"


def _origin(words: Sequence[str]) -> str:
    """The origin most lists speak for: a surname counts twice, a name of several origins in parts."""
    votes: dict[str, float] = defaultdict(float)
    for number, word in enumerate(words):
        is_last = number == len(words) - 1 > 0
        origins = {o for o, kind in _listed(word) if len(words) == 1 or (kind == "surname") == is_last}
        for origin in origins:
            votes[origin] += (2 if is_last else 1) * (1 / len(origins) + 0.05 * (origin == "english"))
    return max(votes, key=lambda o: (votes[o], o == "english", o), default="english")


# --- in texts -------------------------------------------------------------------------------------


def names_in_texts(
    released: pl.DataFrame, plan: Plan, texts: Sequence[Sequence[str | None]]
) -> list[set[str]]:
    """Per released row, the names of its own columns that its texts show: whole, or some words of them."""
    person = [plan.data.person] if plan.release.person_key == "pseudonym" else []
    columns = [n for n in (*plan.surrogates, *person) if n in released.columns]
    found: list[set[str]] = [set() for _ in range(released.height)]
    for name in columns:
        for row, cell in enumerate(_cells(released[name], frozenset())):
            here = "\n".join(text for column in texts if (text := column[row]))
            if cell is not None and here:
                found[row] |= {shown for form in _forms(cell) for shown in _written(form, here)}
    return found


def _written(form: str, text: str) -> Iterator[str]:
    """How a name is written where it stands, in whatever letters, with and without a mark of possession."""
    if form.casefold() in text.casefold():
        for match in re.finditer(rf"({re.escape(form)})(['’]s)?", text, re.IGNORECASE):
            yield from (match[1], match[0])


def _forms(cell: str) -> Iterator[str]:
    words = re.sub(r"[,.]", " ", cell).split()
    yield cell
    if len(words) <= _MOST_WORDS and not cell.startswith("["):
        yield from (" ".join(some) for n in range(1, len(words) + 1) for some in combinations(words, n))


def _cells(cells: pl.Series, missing: frozenset[str]) -> list[str | None]:
    texts = [None if cell is None else str(cell).strip() for cell in cells.to_list()]
    return [None if not text or text in missing else text for text in texts]
