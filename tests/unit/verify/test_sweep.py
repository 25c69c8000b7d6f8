"""The sweep finds every writing of a value by itself, in cells, files and packed files."""

from __future__ import annotations

import io
import random
import string
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import heteronym as hn
from heteronym.model.plan import Plan
from heteronym.verify.folding import placed, readings_of
from heteronym.verify.originals import Originals
from heteronym.verify.sweep import Sweep, sweep, sweep_checks

CASES = tomllib.loads((Path(__file__).parents[2] / "data" / "own_value_writings.toml").read_text("utf-8"))
PLAN = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier"},
        "name": {"role": "identifier"},
        "city": {"role": "quasi"},
        "codes": {"role": "items", "separator": " "},
        "note": {"role": "text"},
        "memo": {"role": "plain"},
    },
    "privacy": [{"model": "k-anonymity", "k": 2}],
}


def swept(
    note: str,
    *,
    value: str = "Katarina Brandvold",
    own: bool = True,
    memo: str = "",
    city: str = "*",
    codes: tuple[str, str] = ("", ""),
    masked: tuple[str, ...] = (),
    put: Any = None,
    files: dict[str, bytes] | None = None,
    more: tuple[str, ...] = (),
) -> Sweep:
    """One release of two persons; the note stands in a row of the value's holder, or of the other one."""
    plan = Plan.model_validate(PLAN)
    frame = pl.DataFrame(
        {
            "id": ["p1", "p2"],
            "name": [value, "Somebody Else-Entirely"],
            "city": ["Oslo", "Bergen"],
            "codes": [codes[0], ""],
            "note": ["a b", *(more[:1] or ["c d"])],
            "memo": [None, None],
        }
    )
    row = 0 if own else 1
    released = frame.drop("id", "name").with_columns(
        pl.Series("note", ["-", "-"]).scatter(row, note),
        pl.Series("memo", ["", ""]).scatter(row, memo),
        pl.Series("codes", [codes[1], ""]),
        pl.lit(city).alias("city"),
    )
    originals = Originals(frame, np.arange(2), np.arange(2))
    return sweep(files or {}, released, plan, originals, [(0, one) for one in masked], put)


def cases(which: str) -> list[Any]:
    return [
        pytest.param(value["value"], case, id=f"{value['value']}: {case['how']}")
        for value in CASES["value"]
        for case in value[which]
        if case.get("by") != "search"
    ]


@pytest.mark.parametrize(("value", "case"), cases("found"))
def test_a_value_is_found_in_every_writing_in_its_persons_rows(value: str, case: dict[str, str]) -> None:
    before, inside, behind = case["text"].replace("»", "«").split("«")
    found = swept(before + inside + behind, value=value)
    start, end = len(before), len(before) + len(inside)
    assert found.places
    covered = {i for one in found.places for i in range(one.start, one.end)}
    assert any(start <= i < end for i in covered)
    [check] = sweep_checks(found)
    assert check.holds is False
    assert "name" in check.detail
    assert inside not in check.detail


@pytest.mark.parametrize(("value", "case"), cases("other"))
def test_other_words_and_numbers_are_none(value: str, case: dict[str, str]) -> None:
    found = swept(case["text"], value=value)
    assert not found.places
    assert sweep_checks(found)[0].holds is True


@pytest.mark.parametrize(
    "value",
    [
        "Katarina Brandvold",
        "MRN-48213",
        "S-1001",
        "+1 (555) 014-7823",
        "kat.brandvold@example.org",
        "90017734",
    ],
)
def test_a_marked_identifier_must_not_stand_in_anybodys_row_nor_in_any_file(value: str) -> None:
    assert swept(f"seen {value} today", value=value, own=False).places
    assert swept("", value=value, own=False, memo=value.upper()).places
    assert swept("", value=value, city=f"{{{value},Oslo}}").places
    for name in ("facts.json", "report.html", "plan.yaml", "data.parquet"):
        assert swept("", value=value, files={name: f"x: {value}\n".encode()}).in_files == [(name, "name")]


@pytest.mark.parametrize("value", ["7", "May", "Brandvold", "4821", "sunny", "Al Do"])
def test_what_is_not_marked_may_stand_in_the_rows_of_others_and_in_files(value: str) -> None:
    assert not swept(f"seen {value} today", value=value, own=False).places
    assert not swept("", value=value, files={"facts.json": f'{{"x": "{value}"}}'.encode()}).in_files


def test_a_value_that_several_persons_share_identifies_nobody_elsewhere() -> None:
    plan = Plan.model_validate(PLAN)
    frame = pl.DataFrame(
        {
            "id": ["p1", "p2", "p3"],
            "name": ["General Hospital", "General Hospital", "Another Place"],
            "note": ["", "", ""],
        }
    )
    released = pl.DataFrame({"note": ["-", "-", "at the General Hospital"]})
    originals = Originals(frame, np.arange(3), np.arange(3))
    assert not sweep({}, released, plan, originals).places


def test_numbers_are_no_identifiers_where_most_numbers_are() -> None:
    """Of a thousand persons with ids from 1000000 on, a figure of seven digits tells nobody."""
    plan = Plan.model_validate(PLAN)
    ids = [str(1_000_000 + n) for n in range(20_000)]
    frame = pl.DataFrame({"id": ids, "name": ids, "note": [""] * len(ids)})
    originals = Originals(frame, np.arange(len(ids)), np.arange(len(ids)))
    found = sweep({"facts.json": b'{"rows": 1000017}'}, frame.select("note"), plan, originals)
    assert not found.in_files


def test_workbooks_are_unpacked_and_their_properties_read() -> None:
    book = io.BytesIO()
    with zipfile.ZipFile(book, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", "<c><v>48</v></c><c><v>213</v></c>")
        packed.writestr("docProps/core.xml", "<dc:creator>brandvold, KATARINA</dc:creator>")
    found = swept("", value="Katarina Brandvold", files={"data.xlsx": book.getvalue()})
    assert not found.in_files  # reversed: a mark of the own rows only
    with zipfile.ZipFile(book, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("docProps/core.xml", "<dc:creator>KATARINA   Brandvold</dc:creator>")
    assert swept("", files={"data.xlsx": book.getvalue()}).in_files == [("data.xlsx", "name")]


def test_two_cells_are_not_one_value() -> None:
    book = b"a,b\nMRN,48213\n"
    assert not swept("", value="MRN-48213", files={"data.csv": book}).in_files


def test_figures_beside_each_other_and_digests_are_nobodys_value() -> None:
    figures = "<td><span>2500</span></td><td><span>250</span></td> [2500, 250] M 25 002 50"
    digest = "0a" * 10 + "c2500250e" + "1b" * 18
    for text in (figures, digest):
        for name in ("report.html", "facts.json"):
            assert not swept("", value="2500250", files={name: text.encode()}).in_files
            assert not swept("", value="C2500250", files={name: digest.encode()}).in_files
    for text in ("2500250", "2,500,250", "<td>2500250</td>", "id2500250"):
        assert swept("", value="2500250", files={"report.html": text.encode()}).in_files
    assert swept("", value=digest, files={"facts.json": digest.encode()}).in_files


def test_a_masked_surface_must_not_stand_elsewhere_in_its_persons_texts() -> None:
    assert swept("back in ZURICH again", masked=("Zürich",)).places
    assert not swept("back in Zürich again", masked=("Zürich",), own=False).places
    start = len("back in ")
    put = {(0, "note"): [(start, start + 20)]}
    assert not swept("back in {Zürich,Oslo} again", masked=("Zürich",), put=put).places


def test_a_label_of_the_row_may_be_told_in_its_text() -> None:
    assert not swept("back in {Zürich,Oslo} again", masked=("Zürich",), city="{Zürich,Oslo}").places


def test_an_item_that_its_holders_label_hides_must_not_stand_in_its_texts() -> None:
    hidden = swept("has asthma-2 since", codes=("asthma2 flu", "(asthma2,gout) flu"))
    assert [one.kind for one in hidden.places] == ["item"]
    assert not swept("has asthma-2 since", codes=("asthma2 flu", "asthma2 flu")).places


@pytest.mark.parametrize(
    ("keys", "cells", "rows"),
    [
        (["S-1001", "S-1002", "S-1003"], ["S1001", "s1002", "S 1003"], [0, 1, 2]),
        (["00017", "00018", "00020"], ["17", "18", "20"], [0, 1, 2]),
        (["1", "2", "3"], ["1", "2", "3"], [0, 1, 2]),
        (["1", "2", "3"], ["3", "2", "1"], []),
        (["S-1001", "S-1002", "S-1003"], ["-", "S1002", "-"], [1]),
        (["5", "6", "7"], ["5", "1", "2"], []),
        (["General", "Old Ward", "New Ward"], ["General", "General", "x"], []),
        (["17", "18", "19"], ["17.0", "18.0", "19.0"], [0, 1, 2]),
    ],
)
def test_a_column_that_repeats_an_identifier_is_noticed_at_any_number_of_rows(
    keys: list[str], cells: list[str], rows: list[int]
) -> None:
    plan = Plan.model_validate(
        {
            "attributes": {"key": {"role": "identifier"}, "copy": {"role": "plain"}},
            "privacy": [{"model": "k-anonymity", "k": 2}],
        }
    )
    originals = Originals(pl.DataFrame({"key": keys}), np.arange(len(keys)), np.arange(len(keys)))
    found = sweep({}, pl.DataFrame({"copy": cells}), plan, originals)
    assert sorted({one.row for one in found.places}) == rows


NAMES = ["Anna Aldermann", "Bruno Brandvold", "Clara Castellano", "Dario Eriksen", "Elena Fontaine"]
CODES = ["MRN-48213", "MRN-50117", "MRN-61934", "MRN-70020", "MRN-83318"]


@pytest.mark.parametrize(
    ("keys", "cells", "is_repeated"),
    [
        (CODES, [code[4:] for code in CODES], True),
        (CODES, [int(code[4:]) for code in CODES], True),
        (CODES, [float(code[4:]) for code in CODES], True),
        (CODES, [f"{int(code[4:]):,}" for code in CODES], True),
        (CODES, [f"record no {code[4:]}" for code in CODES], True),
        (CODES, [[int(code[4:])] for code in CODES], True),
        (CODES, [{"record": code} for code in CODES], True),
        (CODES, [int(code[4:]) + 1 for code in CODES], False),
        (CODES, [code[-2:] for code in CODES], False),
        (NAMES, [name.split()[1] for name in NAMES], True),
        (NAMES, [name.split()[0].upper() for name in NAMES], True),
        (NAMES, [", ".join(name.split()[::-1]) for name in NAMES], True),
        (NAMES, ["Brandvold", "Lindqvist", "Brandvold", "Lindqvist", "Lindqvist"], False),
        (NAMES, ["ward one", "ward two", "ward one", "ward two", "ward one"], False),
        ([f"on {n} of 5 days, at 10, {'x' * 40}" for n in range(5)], [f"{n}510" for n in range(5)], False),
    ],
)
def test_search_and_audit_agree_on_columns_that_repeat_parts_of_an_identifier(
    keys: list[str], cells: list[Any], is_repeated: bool
) -> None:
    frame = pl.DataFrame({"key": keys, "sex": ["f"] * 5, "copy": cells})
    content = {
        "attributes": {"key": {"role": "identifier"}, "sex": {"role": "quasi"}, "copy": {"role": "plain"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    plan = Plan.model_validate(content)
    originals = Originals(frame, np.arange(5), np.arange(5))
    assert bool(sweep({}, frame.select("sex", "copy"), plan, originals).places) == is_repeated
    if is_repeated:
        with pytest.raises(hn.PlanError, match="repeats the identifier"):
            hn.anonymize(frame, content)
    else:
        assert hn.anonymize(frame, content).verdict.holds


def test_places_and_folded_text_agree_whatever_the_text_holds() -> None:
    rng = random.Random(3)
    odd = [
        "\u00ad",
        "%20",
        "&amp;",
        "%C3%A9",
        "é",
        "e\u0301",
        "ß",
        "½",
        " ",
        "_",
        "東",
        "𝔘",
        "<b>",
        "К",
        "\\u0061",
        "1",
    ]
    for _ in range(400):
        text = "".join(rng.choices([*string.ascii_letters, *odd], k=rng.choice([5, 20, 90])))
        for reading in readings_of(text):
            view = placed(text, reading)
            assert view.folded == reading.folded
            assert len(view.at) == len(view.folded)
            spans = [view.span(i, i + 1) for i in range(len(view.folded))]
            assert all(0 <= start < end <= len(text) for start, end in spans)
            assert spans == sorted(spans)


@pytest.mark.parametrize("columns", [5, 50])
def test_every_column_is_looked_at_once_whatever_the_number_of_columns(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables of many columns that stay as they are: identifiers are read once, not once for each of them."""
    from heteronym.verify import sweep as module

    frame = pl.DataFrame({"key": ["K-1", "K-2"]} | {f"c{n}": ["a", "b"] for n in range(columns)})
    roles = {name: {"role": "identifier" if name == "key" else "plain"} for name in frame.columns}
    plan = Plan.model_validate({"attributes": roles, "privacy": [{"model": "k-anonymity", "k": 2}]})
    asked: list[str] = []
    as_texts = module._as_texts
    monkeypatch.setattr(module, "_as_texts", lambda cells: (asked.append(cells.name), as_texts(cells))[1])
    sweep({}, frame.drop("key"), plan, Originals(frame, np.arange(2), np.arange(2)))
    assert asked.count("key") <= 3
    assert len(asked) <= 2 * columns + 3
