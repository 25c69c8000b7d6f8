"""One idea of "equal", two implementations: what the search takes for one, the auditor takes for one.

Random and nasty strings go through the normal forms and parsers of the producer and of the auditor. Forms may
differ; which strings are equal, which cannot be read, and what they mean may not.
"""

from __future__ import annotations

import csv
import io
from datetime import date, datetime, time, timedelta, timezone
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from heteronym.encode import encode
from heteronym.errors import HeteronymError
from heteronym.io.csv_files import read_csv
from heteronym.io.hierarchies import read_hierarchy
from heteronym.io.persons import number_persons
from heteronym.io.plan_yaml import parse_yaml
from heteronym.io.plans import read_released_plan
from heteronym.io.sets import split_cells
from heteronym.io.values import DATE_FORMATS, days, numbers, text_cells
from heteronym.model.dataset import Dataset
from heteronym.model.schema import Attribute, Role, Scale, Schema
from heteronym.model.terms import normalize
from heteronym.verify import csv_reader, values
from heteronym.verify.entries import cell_entries
from heteronym.verify.forms import key_form, sensitive_form, term_form
from heteronym.verify.promises import released_promise
from heteronym.verify.trees import read_tree

NASTY = [
    "",
    " ",
    "A1",
    "A1 ",
    " A1",
    "\tA1\n",
    "a1",
    "A1\xa0",
    "A1\u3000",
    "A1\u200b",
    "A1\x1f",
    "\x1cA1",
    "\ufeffA1",
    "é",
    "é",
    "É",
    "ß",
    "ẞ",
    "SS",
    "ss",
    "İ",
    "i̇",
    "ı",
    "ﬁ",
    "fi",
    "Å",
    "Å",
    "ǅ",
    "ω",
    "Ω",
    "Ω",
    "St Luke's",
    "St Luke’s",
    "St Luke`s",
    "«x»",
    '"x"',
    "a-b",
    "a‐b",
    "a–b",
    "a−b",
    "a—b",
    "a\xadb",
    "ab",
    "x  y",
    "x y",
    "x\u2009y",
    "x\xa0y",
    "x\ny",
    "½",
    "1⁄2",
    "１２",
    "12",
    "①",
    "1",
    "𝐀",
    "A",
    "ªº",
    "ao",
    "\u202eabc",
    "abc",
    "à́",
    "á̀",
    "가",
    "가",
    "ẛ̣",
    "ẛ̣",
    "ſ",
    "s",
]
STRINGS = st.one_of(
    st.sampled_from(NASTY),
    st.text(max_size=6),
    st.text("aA ·'’`-–\u00ad\u200be\u0301é\u00a0\u2009İıßſ\x1f\t", max_size=6),
)
LISTS = st.lists(STRINGS, min_size=1, max_size=12)


def partition(keys: Any) -> list[int]:
    """Which of a list are equal, by the place of the first."""
    first: dict[Any, int] = {}
    return [first.setdefault(key, place) for place, key in enumerate(keys)]


def test_nasty_strings_meet_in_both_forms_alike() -> None:
    strings = [text for text in NASTY if key_form(text)]
    assert partition(map(normalize, strings)) == partition(map(term_form, strings))


@settings(max_examples=400)
@given(st.lists(STRINGS.filter(key_form), min_size=1, max_size=12))
def test_terms(strings: list[str]) -> None:
    assert partition(map(normalize, strings)) == partition(map(term_form, strings))


@given(LISTS)
@example(["A1", "A1 ", "A1\u00a0", "A1\x1f"])
def test_person_keys(strings: list[str]) -> None:
    frame = pl.DataFrame({"id": strings})
    schema = Schema({"id": Attribute(role=Role.IDENTIFIER)}, "id")
    try:
        told = number_persons(Dataset(schema, frame))[0].tolist()
    except HeteronymError:
        with pytest.raises(HeteronymError, match="no person key"):
            values.number_persons(frame, "id")
        return
    assert partition(told) == partition(values.number_persons(frame, "id").tolist())


ITEMS = st.one_of(STRINGS, st.sampled_from(["(a", "b)", "(a,b)", "\\x", "(", "a,b"]))


@given(st.lists(ITEMS.filter(lambda text: "|" not in text), min_size=1, max_size=8))
def test_items(strings: list[str]) -> None:
    cell = "|".join(strings)
    ours = split_cells(pl.Series("x", [cell]), "|")[1]["entry"].to_list()
    theirs = [key_form(entry) for entry in cell_entries(cell, "|", held=True)]
    assert ours == [entry for entry in theirs if entry]


@given(LISTS)
@example(["flu", "flu ", "caf\u0065\u0301", "caf\u00e9"])
@example(["flu", "fl\u200bu", "\u202eflu\u202c", "flu\ufe0f", "\u200b", ""])
def test_sensitive_values(strings: list[str]) -> None:
    frame = pl.DataFrame({"a": ["x"] * len(strings), "s": strings})
    attributes = {"a": Attribute(role=Role.QUASI), "s": Attribute(role=Role.SENSITIVE)}
    column = encode(Dataset(Schema(attributes), frame)).sensitive[0]
    ours = [column.sets[number].tolist() for number in column.person_set]
    theirs = [None if not key_form(text) else sensitive_form(text) or None for text in strings]
    assert partition(map(tuple, ours)) == partition(theirs)


@given(LISTS, st.frozensets(STRINGS, max_size=2))
def test_texts_and_what_means_missing(strings: list[str], missing: frozenset[str]) -> None:
    cells = pl.Series("x", strings)
    assert text_cells(cells, missing).to_list() == values.texts(values.coded(cells), missing).by_row()


NUMBERS = st.one_of(
    st.sampled_from(
        [
            "1",
            "01",
            "+1",
            "-0",
            "1.",
            ".5",
            "1.50",
            "1e5",
            "1E-3",
            "inf",
            "nan",
            "NaN",
            "-inf",
            "1_000",
            "1,5",
            "１",
            "0x10",
            "1e400",
            "1 2",
            "",
            " 7 ",
            "9223372036854775807",
            "9223372036854775808",
            "--1",
            "1e",
            "e1",
            "٣",
        ]
    ),
    st.integers(-(2**70), 2**70).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.text("0123456789.eE+- ", max_size=8),
)


@settings(max_examples=400)
@given(st.lists(NUMBERS, min_size=1, max_size=5))
def test_numbers(strings: list[str]) -> None:
    cells = pl.Series("x", strings)
    try:
        told = numbers(cells, source="x").to_list()
    except HeteronymError:
        told = None
    try:
        own = values.numbers(values.coded(cells), column="x").by_row()
    except HeteronymError:
        own = None
    assert told == own


DAYS = st.dates(date(1, 1, 1), date(9999, 12, 31))


@settings(max_examples=200)
@given(
    st.lists(DAYS, min_size=1, max_size=6), st.sampled_from([*DATE_FORMATS, "%d/%m/%y", "%j %Y", "%e %b %Y"])
)
def test_days_by_format(given: list[date], format: str) -> None:
    strings = [day.strftime(format).zfill(0) for day in given]
    cells = pl.Series("x", strings)
    try:
        told = days(cells, format, source="x").to_list()
    except HeteronymError:
        told = None
    try:
        own = values.days(values.coded(cells), format, column="x").by_row()
    except HeteronymError:
        own = None
    assert told == own


@settings(max_examples=200)
@given(
    st.lists(st.dates(date(1900, 1, 1), date(2100, 1, 1)), min_size=1, max_size=6),
    st.sampled_from(DATE_FORMATS),
)
def test_days_by_what_they_look_like(given: list[date], format: str) -> None:
    cells = pl.Series("x", [day.strftime(format) for day in given])
    try:
        told = days(cells, None, source="x").to_list()
    except HeteronymError:
        with pytest.raises(HeteronymError):
            values.days(values.coded(cells), None, column="x")
        return
    assert values.days(values.coded(cells), None, column="x").by_row() == told


CELLS = st.one_of(
    st.sampled_from(["", '"', "a,b", "a\nb", "\r", "x\r\ny", '""', " ", "'", "é", "\\", ";"]), STRINGS
)
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=6)
)


@settings(max_examples=300)
@given(TABLES, st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]), st.sampled_from(["\n", "\r\n"]))
def test_csv_files(rows: list[list[str]], quoting: Any, end: str) -> None:
    out = io.StringIO(newline="")
    header = [f"c{number}" for number in range(len(rows[0]))]
    csv.writer(out, lineterminator=end, quoting=quoting).writerows([header, *rows])
    content = out.getvalue().encode("utf-8")
    try:
        ours = read_csv(content, "x", delimiter=",", encoding=None)[0]
    except HeteronymError:
        return  # what the producer refuses is never released
    theirs = csv_reader.read_csv(content, "x", delimiter=",", encoding=None)
    assert ours.columns == theirs.columns
    blank = pl.all().replace("", None)
    assert ours.select(blank).equals(theirs.select(blank))


NAMES = st.sampled_from(["cook", "baker", "food", " trade ", "x y", "é", "a;b", "*"])


@given(
    parents=st.dictionaries(NAMES, st.sampled_from(["food", "trade"]), min_size=2, max_size=6),
    outline=st.booleans(),
)
def test_hierarchies(
    parents: dict[str, str], outline: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    if outline:
        lines = ["all"]
        for parent in sorted(set(parents.values())):
            lines += [f"  {parent}", *(f"    {leaf.strip()}" for leaf in parents if parents[leaf] == parent)]
        text, name = "\n".join(lines), "tree.txt"
    else:
        out = io.StringIO()
        csv.writer(out, delimiter=";").writerows([[leaf, parent, "all"] for leaf, parent in parents.items()])
        text, name = out.getvalue(), "tree.csv"
    path = tmp_path_factory.mktemp("trees") / name
    path.write_text(text, "utf-8")
    try:
        ours = read_hierarchy(path)
    except HeteronymError:
        return
    theirs = read_tree(text, name)
    assert paths(ours) == paths(theirs)


def paths(tree: Any) -> dict[str, list[str]]:
    return {
        leaf: [names[node] for names, node in zip(tree.names, tree.node[:, place], strict=True)]
        for place, leaf in enumerate(tree.leaves)
    }


PLANS = [
    "attributes: {no: {role: quasi}, on: {role: plain}}\nprivacy: [{model: k-anonymity, k: 2}]\n",
    "data: {person: id, join: [{table: posts, on: id}], missing: 2 entries}\n"
    "attributes: {id: {role: identifier}, x: {role: quasi, scale: ordinal, order: 3 entries}}\n"
    "text: {patterns: 1 entry, contexts: true}\nprivacy: {model: k-anonymity, k: 3}\nseed: 7\n",
]


@pytest.mark.parametrize("text", PLANS)
def test_plans(text: str) -> None:
    assert parse_yaml(text, "x")
    assert released_promise(text.encode()) == read_released_plan(text)


def test_scales_are_all_read() -> None:
    assert {Scale.NUMERIC, Scale.DATE, Scale.NOMINAL, Scale.ORDINAL} == set(Scale)


TYPED: dict[str, pl.Series] = {
    "numbers": pl.Series([1.0, 2.25, 0.1 + 0.2, -0.0, 1e300, 1e16, 2e-05, 1e-7, 123456789.5, None]),
    "not finite": pl.Series([float("inf"), float("-inf"), float("nan"), 3.5]),
    "short numbers": pl.Series([0.2, 1.0, 1e-7, 16777216.0], dtype=pl.Float32),
    "whole numbers": pl.Series([0, -7, 2**62 + 1]),
    "times of days": pl.Series([datetime(2024, 3, 4, 10), datetime(2024, 3, 4, 10, 0, 0, 5000), None]),
    "with a zone": pl.Series([datetime(2024, 3, 4, 10, tzinfo=timezone(timedelta(hours=2)))]),
    "days": pl.Series([date(2024, 3, 4), None]),
    "times": pl.Series([time(3, 4), time(3, 4, 5)]),
    "truth": pl.Series([True, False, None]),
}


@pytest.mark.parametrize("kind", TYPED)
def test_typed_cells_read_alike_as_text(kind: str) -> None:
    auditor = [values.cell_text(value) for value in values.coded(TYPED[kind]).by_row()]
    assert text_cells(TYPED[kind]).to_list() == auditor
