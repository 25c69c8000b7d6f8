"""Which role a column gets: what its name says in any language counts before what its values look like.

Proposals err on the side of leaving out: where a name or a shape says identifier, only values that many share
speak against it. A value that leads to one person points to an identifier, one that many share to a
quasi-identifier.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import polars as pl

from heteronym.io.sets import holds_json_lists
from heteronym.io.values import comparable_cells, days, is_readable, text_cells
from heteronym.knowledge.column_names import Naming, naming_of
from heteronym.profiling.draft import ColumnProfile
from heteronym.profiling.persons import cardinality_of, differs_by_row
from heteronym.profiling.shapes import (
    certain_content,
    holds_codes,
    holds_full_names,
    holds_single_names,
    holds_streets,
    holds_words,
    is_text,
    known_sample,
    looks_like_postcodes,
    looks_numbered,
    mean,
    order_is_open,
    set_separator,
    share_of,
)

_FEW = 0.1  # a share of different values below which a column holds categories
_OWN = 0.8  # a share of different values above which nearly every value is somebody's own
_PLACE = re.compile(r"\.\d+\.[^.]+$")  # in a list of objects: messages.0.at
_FEW_KINDS = 10  # values of bookkeeping that may be released as they are
_ENOUGH = 10  # values below which shares say little
_TRAITS = {"age", "birth", "sex"}  # a person's own, even where rows differ

Proposal = tuple[str, str, dict[str, Any]]  # role, reason, further plan keys


@dataclass(frozen=True, repr=False)
class Column:
    """A column with what was found out about it; holds personal data."""

    name: str
    raw: pl.Series
    values: pl.Series  # as text
    scale: str
    format: str | None
    cardinality: str
    beside_text: bool  # the table has free text, in which values may turn up

    def __repr__(self) -> str:
        return f"Column({self.name!r}, {self.scale})"

    @property
    def naming(self) -> Naming:
        return naming_of(self.name)

    @property
    def known(self) -> pl.Series:
        return self.values.drop_nulls()

    @property
    def share(self) -> float:
        return self.known.n_unique() / max(len(self.known), 1)

    @property
    def leads_to_one(self) -> bool:
        return self.cardinality in ("one-to-one", "one-to-many") and len(self.known) > _ENOUGH

    def is_yes_or_no(self) -> bool:
        return (
            len(self.known) > _ENOUGH and self.known.n_unique() <= 2 and mean(self.known.str.len_chars()) < 6
        )


def flat_cells(cells: pl.Series) -> pl.Series:
    """Cells of any kind as text."""
    if is_list_of_names(cells.dtype):
        return cells.cast(pl.List(pl.String)).list.join("|")
    if not is_readable(cells):
        odd = comparable_cells(cells).to_list()
        return pl.Series(cells.name, [None if cell is None else str(cell) for cell in odd], pl.String)
    return text_cells(cells)


def is_list_of_names(dtype: pl.DataType) -> bool:
    return isinstance(dtype, (pl.List, pl.Array)) and not dtype.inner.is_nested()


def propose(
    name: str,
    cells: Mapping[str, pl.Series],
    scales: Mapping[str, Mapping[str, Any]],
    *,
    key: str | None,
    raw: pl.Series,
    beside_text: bool,
) -> ColumnProfile:
    values = cells[name]
    scale = str(scales[name]["scale"])
    cardinality = cardinality_of(values, None if key is None or key == name else cells[key])
    column = Column(name, raw, values, scale, scales[name].get("format"), cardinality, beside_text)
    role, reason, settings = ("identifier", "the person key", {}) if name == key else next(_proposals(column))
    distinct, missing = column.known.n_unique(), values.null_count()
    if settings.get("recode") == "prefix":
        scale = "nominal"
    text = f"{scale}, {cardinality}, {distinct} different values"
    text += f", {missing} missing" if missing else ""
    profile = ColumnProfile(name, scale, role, f"{text}: {reason}", distinct, missing, cardinality, settings)
    if role != "quasi" or key is None or _TRAITS & {meaning.name for meaning in column.naming.meanings}:
        return profile
    return replace(profile, of_row=differs_by_row(values, cells[key]))


def _proposals(column: Column) -> Iterator[Proposal]:
    """What speaks for a role, the strongest first; the last one fits every column."""
    if not len(column.known):
        yield "plain", "no values at all", {}
    if not (is_readable(column.raw) or is_list_of_names(column.raw.dtype)):
        yield "identifier", "holds what cannot be generalized; leave it out, or say plain", {}
    if is_list_of_names(column.raw.dtype):
        yield "items", "holds lists", {}
    if column.scale == "nominal":
        if (content := certain_content(column.values)) is not None:
            yield "identifier", f"holds {content}", {}
        if holds_json_lists(column.values):
            yield "items", "holds JSON lists", {}
    yield from _by_identifying_name(column)
    if column.scale == "nominal":
        yield from _by_look(column)
    yield from _as_key(column)
    if column.known.n_unique() == 1:
        if not column.values.null_count():
            yield "plain", "the same value everywhere", {}
        if _PLACE.search(column.name):
            yield "plain", "the same value in all objects of a list", {}
        yield "quasi", "set or missing: a flag that tells whom it holds for", {}
    yield from _bookkeeping(column)
    if column.scale == "date" and _PLACE.search(column.name):
        yield "identifier", "one of several times in a row: left out; if it is needed, make it an event", {}
    yield from _by_other_name(column)
    if column.scale == "nominal" and (
        column.leads_to_one or (column.share > _OWN and len(column.known) > _ENOUGH)
    ):
        yield "identifier", "nearly every value leads to one person", {}
    if column.scale == "nominal" and looks_like_postcodes(column.values):
        more = {"entities": ["POSTCODE"]} if column.beside_text else {}
        yield "quasi", "postcodes: shared by many, generalized from the right", {"recode": "prefix"} | more
    if column.scale == "numeric" and column.naming.other is None and looks_numbered(column.values):
        yield "identifier", "whole numbers, each of them once: they number the rows", {}
    yield "quasi", "many persons share values, others may know them", _quasi_settings(column)


def _by_identifying_name(column: Column) -> Iterator[Proposal]:
    """The column's name says identifier, and its values do not speak against it."""
    naming = column.naming
    meaning = naming.identifying
    if meaning is None or column.scale == "date":
        return
    if meaning.name == "name" and _names_things(column):
        return
    said = f"the name of the column says {meaning.shown}"
    if meaning.whole and not naming.numbers_persons and not naming.keyed:
        # "ticket", "comment", "test": a case where values differ, a kind of case or a text where they do not
        if column.share > _OWN and not is_text(column.values):
            yield "identifier", said, {}
        return
    if meaning.name in ("mail", "phone", "street", "account", "login") and column.is_yes_or_no():
        return  # whether somebody has one
    if naming.other is not None and not meaning.whole:
        categories = column.share < _FEW and len(column.known) > 5 * _ENOUGH
        text = naming.other.role == "text" and is_text(column.values, named=True)
        measured = column.scale == "numeric" and naming.other.name in ("measure", "sensitive", "age")
        if categories or text or measured:
            return
    if meaning.name == "person" and (column.is_yes_or_no() or _is_worded(column)):
        return  # whether there is one; "subject": what a message is about
    yield "identifier", said, {}


def _by_look(column: Column) -> Iterator[Proposal]:
    """Names, streets, lists and free text, by their shape."""
    naming, values = column.naming, column.values
    says = naming.other.name if naming.other is not None else ""
    lists, remarks = "items" in naming, "text" in naming
    separator = set_separator(values, named=lists)
    if not (lists and separator is not None):
        if says not in ("place", "thing", "job", "trait", "sex") and holds_full_names(values):
            yield "identifier", "holds names of persons", {}
        if not says and holds_single_names(values):
            yield "identifier", "holds names of persons", {}
        if says != "place" and holds_streets(values) and not is_text(values):
            yield "identifier", "holds addresses", {}
    # Names of goods have blanks, too: only a blank as separator leaves the choice to the look of a text.
    called = remarks or (naming.identifying is not None and naming.numbers_persons and _is_worded(column))
    if is_text(values, named=called) and (separator is None or not separator.strip()):
        length = mean(column.known.str.len_chars())
        yield "text", f"free text, {length:.0f} characters on average", {}
    if separator is not None and says not in ("place", "age", "sex", "postcode", "job"):
        more = {"entities": ["VALUE"]} if column.beside_text else {}
        yield "items", "several entries per cell that repeat across cells", {"separator": separator} | more


def _bookkeeping(column: Column) -> Iterator[Proposal]:
    """What an office notes about its own work: nobody outside knows it, and nobody needs it exactly."""
    if "bookkeeping" not in column.naming:
        return
    counts = column.known.value_counts()["count"]
    few = column.scale != "date" and len(counts) <= _FEW_KINDS  # days of offices repeat each other
    if few and float(counts.min() or 0) >= _FEW * len(column.known):  # type: ignore[arg-type]
        yield "plain", "bookkeeping of an office, with few values that many share", {}
    yield "identifier", "bookkeeping of an office: left out; if it is needed, make it a quasi column", {}


def _names_things(column: Column) -> bool:
    """Few values, most of them with figures or brackets: the names of products, not of persons."""
    few = column.share < _FEW and len(column.known) > 5 * _ENOUGH
    return few and share_of(known_sample(column.values), _OF_THINGS.search) > 0.5


_OF_THINGS = re.compile(r"[\d()/&+®]")


def _is_worded(column: Column) -> bool:
    """Words in a column that is called as persons are, of which nothing tells names."""
    return column.scale == "nominal" and holds_words(column.values) and not holds_single_names(column.values)


def _as_key(column: Column) -> Iterator[Proposal]:
    """A word for keys is in the name: `order no`, `store id`."""
    naming = column.naming
    if not naming.keyed or naming.identifying is not None or column.scale == "date":
        return
    other = naming.other
    if other is not None and other.name not in ("thing", "text", "items", "job"):
        return
    own = column.leads_to_one or column.share > (0.5 if other is None else _OWN)
    if not own and not naming.meanings:  # `uid` alone, repeated
        own = column.share > _FEW and column.known.n_unique() > _ENOUGH and holds_codes(column.values)
    if own:
        yield "identifier", "values lead to few persons, and the name says key", {}


def _by_other_name(column: Column) -> Iterator[Proposal]:
    """The column's name says what others may know, or what is to be protected."""
    naming = column.naming
    meaning = naming.other
    if meaning is None:
        return
    if meaning.name == "coordinate":  # or a wage in Swedish, a coordinator
        if column.scale == "numeric" and _are_degrees(column.known):
            yield "quasi", f"{meaning.shown}, which others may know", _quasi_settings(column)
        others = [one for one in naming.meanings if one.role != "identifier" and one is not meaning]
        if not others:
            return
        meaning = others[0]
    said = f"the name of the column says {meaning.shown}"
    kind_of_text = "text" in naming and "thing" in naming  # `note type`, which is no mark
    if "sensitive" in naming and column.scale != "date" and not kind_of_text:
        if column.scale == "numeric" or not column.leads_to_one:
            shown = next(m.shown for m in naming.meanings if m.name == "sensitive")
            yield "sensitive", f"the name says {shown}", {}
        yield "identifier", "something to protect, but each value leads to one person", {}
    if meaning.name == "postcode":
        more = {"entities": ["POSTCODE"]} if column.beside_text else {}
        yield "quasi", "postcodes: shared by many, generalized from the right", {"recode": "prefix"} | more
    if meaning.role == "quasi" and meaning.name != "thing":
        yield "quasi", f"{said}, which others may know", _quasi_settings(column)


def _are_degrees(known: pl.Series) -> bool:
    found = known.cast(pl.Float64, strict=False).drop_nulls()
    return bool((found.abs() <= 180).all()) and not bool((found == found.round()).all())


def _quasi_settings(column: Column) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    if column.format is not None:
        settings["format"] = column.format
    if column.scale == "date" and _lie_close(column):
        settings["recode"] = "calendar"
    if not column.beside_text:
        return settings
    if column.scale == "date" or _holds_years(column):
        is_birth = column.scale == "date" and "birth" in column.naming
        settings["entities"] = ["DATE", "AGE"] if is_birth else ["DATE"]
    else:
        named = next((m for m in column.naming.meanings if m.entities and m.name != "birth"), None)
        types = _types_beside_text(column) if named is None else list(named.entities)
        settings |= {"entities": types} if types else {}
    return settings


def _lie_close(column: Column) -> bool:
    """Whether groups will cover months rather than years: quarters and short ranges then lose less."""
    known = days(column.known, column.format, source=column.name)
    first, last = known.min(), known.max()
    return isinstance(first, date) and isinstance(last, date) and (last - first).days < _CLOSE


def _types_beside_text(column: Column) -> list[str]:
    """Under which type a column's values are looked for in texts; none if they are words like any other."""
    if column.scale == "numeric":
        amounts = column.known.cast(pl.Float64, strict=False).abs().drop_nulls()
        return ["CARDINAL"] if len(amounts) and float(amounts.quantile(0.1) or 0) >= _LARGE else []
    letters = mean(column.known.str.len_chars()) < 2  # m, f, d: they stand in any text
    return [] if column.is_yes_or_no() or letters else ["VALUE"]


_CLOSE = 12 * 365.25  # days; measured: see docs/decisions/0573
_LARGE = 100  # smaller numbers stand in any text
_YEARS = (1850, 2100)


def _holds_years(column: Column) -> bool:
    """Texts tell years as dates: those of births, and of a column whose name says nothing else (`since`)."""
    naming = column.naming
    names = {"birth", "date"} & {meaning.name for meaning in naming.meanings}
    if column.scale != "numeric" or not (names or naming.other is None):
        return False
    years = column.known.cast(pl.Float64, strict=False).drop_nulls()
    whole = years == years.round()
    return len(years) > 0 and bool((whole & years.is_between(*_YEARS)).all())


def remark_of(column: ColumnProfile, values: pl.Series) -> str:
    """What the owner should look at twice."""
    format_ = column.settings.get("format")
    if format_ and "%y" in str(format_):
        return "; years of two digits: 69 is 2069 and 70 is 1970; write four digits if that is wrong"
    if format_ and order_is_open(values, str(format_)):
        return "; day and month could be swapped everywhere: check the format"
    return ""
