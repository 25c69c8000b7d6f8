"""Every layout of a table comes in, and comes out in the same layout with the same cells."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

from tests.conftest import PEOPLE, PEOPLE_PLAN

NUMERIC = {"role": "quasi", "scale": "numeric"}
QUASI, PLAIN = {"role": "quasi"}, {"role": "plain"}


def plan(**attributes: Any) -> dict[str, Any]:
    return {**PEOPLE_PLAN, "attributes": attributes}


def rows_of(content: bytes, delimiter: str = ",", encoding: str = "utf-8") -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode(encoding), newline=""), delimiter=delimiter))


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_detected_and_kept(delimiter: str, desk: Any) -> None:
    at = desk(PEOPLE.replace(",", delimiter))
    assert at.anonymize().exit_code == 0
    assert rows_of(at.released.read_bytes(), delimiter)[0] == ["age", "sex", "note"]
    assert at.verify().exit_code == 0


@pytest.mark.parametrize("delimiter", ["§", "^", "~", "\x01"])
def test_any_delimiter_can_be_named(delimiter: str, desk: Any) -> None:
    at = desk(PEOPLE.replace(",", delimiter))
    assert at.anonymize("--delimiter", delimiter).exit_code == 0
    assert {len(row) for row in rows_of(at.released.read_bytes(), delimiter)} == {3}
    assert at.verify().exit_code == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16"])
def test_encodings_are_detected_and_kept(encoding: str, desk: Any) -> None:
    at = desk(PEOPLE.replace(",a", ",Müller aus Zürich").encode(encoding))
    assert at.anonymize().exit_code == 0
    notes = [row[2] for row in rows_of(at.released.read_bytes(), encoding=encoding)[1:]]
    assert sorted(notes) == ["Müller aus Zürich", "b", "c", "d"]
    assert at.verify().exit_code == 0


@pytest.mark.parametrize(
    "encoding", ["cp1250", "cp1251", "shift_jis", "gb18030", "utf-16-le", "mac_roman", "koi8_r"]
)
def test_any_encoding_can_be_named(encoding: str, desk: Any) -> None:
    word = {"cp1250": "Łódź", "cp1251": "Москва", "shift_jis": "東京", "gb18030": "北京", "koi8_r": "Тверь"}
    at = desk(PEOPLE.replace(",a", f",{word.get(encoding, 'Zürich')}").encode(encoding))
    assert at.anonymize("--encoding", encoding, "--private", at.folder / "own").exit_code == 0
    assert word.get(encoding, "Zürich") in at.released.read_bytes().decode(encoding)
    assert at.verify("--private", at.folder / "own", "--against", at.folder / at.name).exit_code == 0


def test_a_lone_umlaut_is_read_as_western_text(desk: Any) -> None:
    at = desk(PEOPLE.replace(",a", ",ü").encode("latin-1"))
    assert at.anonymize().exit_code == 0
    assert b"\xfc" in at.released.read_bytes()


CELLS = {
    "line end": "two\nlines",
    "windows line end": "two\r\nlines",
    "lone carriage return": "two\rlines",
    "quotes": 'she said "no"',
    "only a quote": '"',
    "inches": '5" pipe',
    "delimiter": "a,b;c",
    "leading space": "  a",
    "NUL": "a\x00b",
    "emoji and right-to-left": "👩‍👩‍👧 שלום",
    "formula": "=1+1",
    "star": "*",
    "long": "x" * 200_000,
    "backslash": "a\\,b",
    "combining": "e\u0301",
}


@pytest.mark.parametrize("case", CELLS)
def test_a_plain_cell_comes_out_as_it_went_in(case: str, desk: Any) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(
        [["age", "sex", "note"], ["1", "m", CELLS[case]], ["2", "f", "b"], ["3", "m", "c"], ["4", "f", "d"]]
    )
    at = desk(out.getvalue())
    assert at.anonymize().exit_code == 0
    assert CELLS[case] in [row[2] for row in rows_of(at.released.read_bytes())]
    assert at.verify().exit_code == 0


@pytest.mark.parametrize("case", CELLS)
def test_a_quasi_cell_that_its_group_shares_comes_out_as_it_went_in(case: str, desk: Any) -> None:
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "sex": [CELLS[case]] * 4, "note": list("abcd")})
    out = io.BytesIO()
    frame.write_parquet(out)
    at = desk(out.getvalue(), name="people.parquet")
    assert at.anonymize().exit_code == 0
    # a value that reads like a label is written as a set of one
    expected = {"*": "{\\*}"}.get(CELLS[case], CELLS[case])
    assert pl.read_parquet(at.released)["sex"].unique().to_list() == [expected]


def test_quotes_in_the_middle_of_a_field_are_part_of_it(desk: Any) -> None:
    at = desk(PEOPLE.replace(",a", ',5" pipe').replace(",b", ',a "b" c'))
    assert at.anonymize().exit_code == 0
    assert {'5" pipe', 'a "b" c'} <= {row[2] for row in rows_of(at.released.read_bytes())}


LINE_ENDS = {"windows": "\r\n", "old mac": "\r", "blank lines between": "\n\n"}


@pytest.mark.parametrize("case", LINE_ENDS)
def test_line_ends_do_not_matter(case: str, desk: Any) -> None:
    at = desk(PEOPLE.replace("\n", LINE_ENDS[case]))
    assert at.anonymize().exit_code == 0
    assert len(rows_of(at.released.read_bytes())) == 5


def test_a_last_line_without_end_counts(desk: Any) -> None:
    at = desk(PEOPLE.rstrip())
    assert at.anonymize().exit_code == 0
    assert len(rows_of(at.released.read_bytes())) == 5


def test_one_column_with_missing_cells_keeps_all_its_rows(desk: Any) -> None:
    at = desk("age\n1\n\n2\n\n3\n", plan(age=NUMERIC))
    outcome = at.anonymize("--json")
    assert outcome.exit_code == 0
    assert outcome.json["data"]["rows"] == 5
    assert at.verify().exit_code == 0


FRAME = pl.DataFrame(
    {
        "age": [31, 32, 47, 48],
        "whole": [1, 2, 3, None],
        "part": [1.5, 2.0, None, 4.0],
        "truth": [True, False, None, True],
        "day": [dt.date(1950, 1, 1), dt.date(2024, 2, 29), None, dt.date(1999, 12, 31)],
        "word": ["=1+1", "https://a.example", "007", None],
    }
)
FRAME_PLAN = plan(age=NUMERIC, whole=PLAIN, part=PLAIN, truth=PLAIN, day=PLAIN, word=PLAIN)
WRITERS = {
    "parquet": pl.DataFrame.write_parquet,
    "jsonl": pl.DataFrame.write_ndjson,
    "xlsx": pl.DataFrame.write_excel,
}
READERS: dict[str, Any] = {"parquet": pl.read_parquet, "jsonl": pl.read_ndjson, "xlsx": pl.read_excel}


def in_format(frame: pl.DataFrame, kind: str) -> bytes:
    out = io.BytesIO()
    WRITERS[kind](frame, out)
    return out.getvalue()


@pytest.mark.parametrize("kind", WRITERS)
def test_plain_columns_of_typed_files_keep_type_and_cells(kind: str, desk: Any) -> None:
    content = in_format(FRAME, kind)
    at = desk(content, FRAME_PLAN, name=f"people.{kind}")
    assert at.anonymize().exit_code == 0
    before, after = READERS[kind](io.BytesIO(content)), READERS[kind](at.released)
    names = before.columns[1:]
    assert after.schema == {**before.schema, "age": pl.String}
    assert after.select(names).sort(names).equals(before.select(names).sort(names))
    assert at.verify().exit_code == 0


@pytest.mark.parametrize("kind", WRITERS)
def test_typed_columns_can_be_generalized(kind: str, desk: Any) -> None:
    attributes = {
        "age": NUMERIC,
        "whole": NUMERIC,
        "part": NUMERIC,
        "truth": QUASI,
        "day": {"role": "quasi", "scale": "date"},
        "word": QUASI,
    }
    at = desk(in_format(FRAME, kind), plan(**attributes), name=f"people.{kind}")
    assert at.anonymize("--private", at.folder / "own").exit_code == 0
    assert at.verify("--private", at.folder / "own", "--against", at.folder / at.name).exit_code == 0


@pytest.mark.parametrize(("kind", "name"), [("parquet", "object"), ("jsonl", "object.a")])
def test_lists_and_objects_in_plain_columns_come_through(kind: str, name: str, desk: Any) -> None:
    frame = FRAME.select(
        "age", pl.Series("list", [[1, 2], [3], [], None]), pl.Series("object", [{"a": n} for n in range(4)])
    )
    roles = plan(age=NUMERIC, list=PLAIN, **{name: PLAIN})  # objects of JSON are columns by their paths
    at = desk(in_format(frame, kind), roles, name=f"people.{kind}")
    assert at.anonymize("--private", at.folder / "own").exit_code == 0
    after = READERS[kind](at.released)
    before = frame["object"] if name in frame.columns else frame["object"].struct.field("a")
    assert sorted(after[name].to_list(), key=str) == before.to_list()
    assert sorted(after["list"].to_list(), key=str) == sorted(frame["list"].to_list(), key=str)
    assert at.verify("--private", at.folder / "own", "--against", at.folder / at.name).exit_code == 0


def test_other_kinds_of_plain_parquet_columns_come_through(desk: Any) -> None:
    four: dict[str, Any] = {
        "cents": pl.Series([1, 2, 3, 4]).cast(pl.Decimal(10, 2)),
        "kind": pl.Series(list("abca")).cast(pl.Categorical),
        "time": [dt.time(1)] * 4,
        "moment": [dt.datetime(2000, 1, 1, 3)] * 4,
        "bytes": [b"\xff\x00"] * 4,
        "huge": pl.Series([2**64 - 1] * 4, dtype=pl.UInt64),
        "span": [dt.timedelta(1)] * 4,
        "nothing": pl.Series([None] * 4, dtype=pl.Null),
    }
    frame = pl.DataFrame({"age": [1, 2, 3, 4], **four})
    at = desk(
        in_format(frame, "parquet"), plan(age=NUMERIC, **dict.fromkeys(four, PLAIN)), name="people.parquet"
    )
    assert at.anonymize().exit_code == 0
    assert pl.read_parquet(at.released).schema == {**frame.schema, "age": pl.String}


def test_json_lines_may_begin_with_a_byte_order_mark(desk: Any) -> None:
    content = b"\xef\xbb\xbf" + in_format(FRAME, "jsonl")
    at = desk(content, FRAME_PLAN, name="people.jsonl")
    assert at.anonymize().exit_code == 0


def test_standard_input_is_a_table(desk: Any) -> None:
    at = desk()
    assert at.anonymize(data="-", input=PEOPLE).exit_code == 0
    assert len(rows_of(at.released.read_bytes())) == 5


def test_one_person_with_many_posts_is_joined_and_counted_once(desk: Any) -> None:
    # as in the documentation: YAML 1.1 would read `on` as true
    text = """
data: {person: id, join: [{table: posts, on: id}]}
attributes:
  id: {role: identifier}
  age: {role: quasi, scale: numeric}
  post: {role: plain}
privacy: [{model: k-anonymity, k: 2}]
"""
    at = desk("id,age\n1,31\n2,32\n3,47\n", text)
    at.put("id,post\n1,a\n1,b\n1,c\n2,d\n3,e\n", "posts.csv")
    files = [at.folder / "people.csv", at.folder / "posts.csv"]
    outcome = at.anonymize("--json", "--private", at.folder / "own", data=files)
    assert outcome.exit_code == 0
    assert outcome.json["data"]["persons"] == 3
    assert sorted(row[1] for row in rows_of(at.released.read_bytes())[1:]) == list("abcde")
    against = [option for file in files for option in ("--against", file)]
    assert at.verify("--private", at.folder / "own", *against).exit_code == 0


def test_a_numeric_key_joins_a_key_of_text(desk: Any) -> None:
    text = {**plan(id={"role": "identifier"}, age=NUMERIC, post=PLAIN)}
    at = desk(
        in_format(pl.DataFrame({"id": [1.0, 2.0], "age": [3, 4]}), "parquet"),
        {**text, "data": {"person": "id", "join": [{"table": "posts", "on": "id"}]}},
        name="people.parquet",
    )
    at.put("id,post\n1,a\n2,b\n", "posts.csv")
    assert at.anonymize(data=[at.folder / at.name, at.folder / "posts.csv"]).exit_code == 0


def test_persons_without_rows_in_a_joined_table_stay_if_the_plan_says_so(desk: Any) -> None:
    text = {**plan(id={"role": "identifier"}, age=NUMERIC, post=PLAIN)}
    join = {"table": "posts", "on": "id", "how": "left"}
    at = desk("id,age\n1,31\n2,32\n3,47\n", {**text, "data": {"person": "id", "join": [join]}})
    at.put("id,post\n1,a\n1,b\n3,e\n", "posts.csv")
    outcome = at.anonymize("--json", data=[at.folder / "people.csv", at.folder / "posts.csv"])
    assert outcome.exit_code == 0
    assert outcome.json["data"]["persons"] == 3
    assert sorted(row[1] for row in rows_of(at.released.read_bytes())[1:]) == ["", "a", "b", "e"]
    at.put("id,post\n1,a\n9,b\n", "posts.csv")  # a key of nobody is an error all the same
    outcome = at.anonymize("--overwrite", data=[at.folder / "people.csv", at.folder / "posts.csv"])
    assert (outcome.exit_code, "row 2" in outcome.err) == (2, True)


def test_tables_are_joined_on_several_columns(desk: Any) -> None:
    roles = plan(clinic=PLAIN, number={"role": "identifier"}, age=NUMERIC, post=PLAIN)
    data = {"join": [{"table": "posts", "on": ["clinic", "number"]}]}
    at = desk("clinic,number,age\nN,1,31\nN,2,32\nS,1,47\n", {**roles, "data": data})
    at.put("number,clinic,post\n1,S,c\n2,N,b\n1,N,a\n", "posts.csv")
    files = [at.folder / "people.csv", at.folder / "posts.csv"]
    assert at.anonymize("--k", 3, data=files).exit_code == 0
    released = rows_of(at.released.read_bytes())[1:]
    assert sorted((row[0], row[2]) for row in released) == [("N", "a"), ("N", "b"), ("S", "c")]
    at.put("number,clinic,post\n1,S,c\n2,N,b\n2,S,a\n", "posts.csv")
    outcome = at.anonymize("--overwrite", "--k", 3, data=files)
    assert (outcome.exit_code, "row 1" in outcome.err) == (2, True)


def used(at: Any) -> Any:
    return json.loads((at.release / "facts.json").read_text())["method"]


OPTIONS: list[tuple[tuple[str, ...], Any, Any]] = [
    (("--k", "4"), lambda m: m["privacy"][0]["k"], 4),
    (("--seed", "9"), lambda m: m["seed"], 9),
    (("--method", "mondrian"), lambda m: m["partition"]["method"], "mondrian"),
    (("--cut", "widest"), lambda m: m["partition"]["cut"], "widest"),
    (("--relational-weight", "0.75"), lambda m: m["partition"]["relational_weight"], 0.75),
]


@pytest.mark.parametrize(
    ("options", "look", "value"), OPTIONS, ids=lambda v: "-".join(v) if isinstance(v, tuple) else ""
)
def test_an_option_overrides_the_plan(options: tuple[str, ...], look: Any, value: Any, desk: Any) -> None:
    at = desk(PEOPLE, {**PEOPLE_PLAN, "partition": {"method": "mondrian", "cut": "gain"}})
    assert at.anonymize(*options).exit_code == 0
    assert look(used(at)) == value


def test_the_released_plan_says_what_was_used(desk: Any) -> None:
    at = desk()
    at.anonymize("--k", "3", "--seed", "7")
    released = yaml.safe_load((at.release / "plan.yaml").read_text())
    assert (released["privacy"][0]["k"], released["seed"]) == (3, 7)


def test_json_is_one_object_and_nothing_else(desk: Any) -> None:
    outcome = desk().anonymize("--json")
    assert isinstance(json.loads(outcome.out), dict)
    assert len(outcome.out.splitlines()) == 1
    assert outcome.json["verdict"]["holds"] is True


def test_quiet_says_nothing(desk: Any) -> None:
    outcome = desk().anonymize("-q")
    assert (outcome.exit_code, outcome.out, outcome.err) == (0, "", "")


FACTS = [
    "version",
    "verdict.holds",
    "verdict.unit",
    "verdict.models",
    "measures.ncp.relational",
    "measures.ncp.total",
    "measures.ncp.by_attribute",
    "measures.ncp.published",
    "measures.groups.count",
    "measures.groups.mean",
    "measures.groups.std",
    "measures.groups.min",
    "measures.groups.max",
    "measures.splits.relational",
    "timing.read",
    "timing.encode",
    "timing.partition",
    "timing.recode",
    "timing.write",
    "timing.verify",
    "timing.measure",
    "peak_memory_mb",
    "data.persons",
    "data.rows",
    "data.terms",
    "data.mentions",
    "method.seed",
    "method.plan_hash",
    "method.versions",
]


def test_the_facts_have_the_agreed_names(desk: Any) -> None:
    facts = desk().anonymize("--json").json
    for path in FACTS:
        at = facts
        for name in path.split("."):
            assert name in at, path
            at = at[name]


def test_a_release_has_these_files_and_no_others(desk: Any) -> None:
    at = desk()
    at.anonymize()
    assert sorted(path.name for path in at.release.iterdir()) == [
        "data.csv",
        "facts.json",
        "plan.yaml",
        "report.html",
    ]


NAMES = [
    "role",
    "attributes",
    "a.b",
    "a:b",
    "a\nb",
    "a,b",
    'a"b',
    "ü😀",
    "x" * 5000,
    " lead",
    "trail ",
    "*",
    "^a",
    "{}",
    "no",
    "on",
    "1",
    "2004-05-01",
    "null",
    "~",
    "a\x00b",
    "index",
    "literal",
    "row",
    "#",
    "- a",
    "label",
    "person",
]


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:20])
def test_a_column_may_have_any_name(name: str, desk: Any) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows([[name, "sex"], [1, "m"], [2, "f"], [3, "m"], [4, "f"]])
    at = desk(out.getvalue(), plan(**{name: NUMERIC, "sex": QUASI}))
    assert at.anonymize().exit_code == 0
    assert rows_of(at.released.read_bytes())[0] == [name, "sex"]
    assert at.verify().exit_code == 0


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:20])
def test_a_draft_plan_is_accepted_whatever_the_columns_are_called(name: str, desk: Any) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows([[name, "sex"], [1, "m"], [2, "f"], [1, "m"], [4, "f"]])
    at = desk(out.getvalue())
    assert (
        at.command("profile", at.folder / at.name, "-o", at.folder / "plan.yaml", "--overwrite").exit_code
        == 0
    )
    assert at.anonymize("--k", "2").exit_code == 0


def test_paths_may_be_anywhere_below_folders_that_are_not_there_yet(desk: Any, tmp_path: Path) -> None:
    at = desk()
    outcome = at.command(
        "anonymize",
        at.folder / at.name,
        "-c",
        at.folder / "plan.yaml",
        "-o",
        tmp_path / "new" / "deep" / "release",
    )
    assert outcome.exit_code == 0
    assert (tmp_path / "new" / "deep" / "release" / "facts.json").is_file()
