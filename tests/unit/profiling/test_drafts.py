"""Drafts for a corpus of small tables of all kinds: safe roles, most of them right, and they run unedited."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
import yaml
from tests.drafts import DraftTable, draft_tables

import heteronym as hn
from heteronym.io.plans import make_plan
from heteronym.io.tables import Format, Table
from heteronym.io.unplanned import join_for_profile
from heteronym.knowledge.column_names import naming_of, words_of
from heteronym.profiling import Profile, look_at
from heteronym.profiling.purposes import purpose_called, setups
from heteronym.profiling.shapes import holds_full_names, set_separator

TABLES = list(draft_tables())
by_name = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)


def profiled(table: DraftTable) -> Profile:
    return look_at(Table(table.frame, Format(), table.name, table.name), with_entities=False)


def test_the_corpus_is_large_enough_to_say_something() -> None:
    assert len(TABLES) >= 60
    assert {role for table in TABLES for roles in table.roles.values() for role in roles} == {
        "identifier",
        "quasi",
        "sensitive",
        "text",
        "items",
        "plain",
    }


@by_name
def test_no_identifier_gets_a_role_that_releases_it(table: DraftTable) -> None:
    found = {column.name: column.role for column in profiled(table).columns}
    released = [
        n for n, roles in table.roles.items() if roles == ("identifier",) and found[n] != "identifier"
    ]
    assert released == []


def test_nine_of_ten_roles_are_right() -> None:
    # an event is what others may know of a row
    right = [
        ("quasi" if column.role == "event" else column.role) in table.roles[column.name]
        for table in TABLES
        for column in profiled(table).columns
    ]
    assert sum(right) >= 0.9 * len(right)


def test_nine_of_ten_person_keys_are_right() -> None:
    right = [profiled(table).person == table.person for table in TABLES]
    assert sum(right) >= 0.9 * len(right)


def test_every_draft_runs_unedited_and_loses_little() -> None:
    losses = []
    for table in TABLES:
        found = profiled(table)
        assert yaml.safe_load(found.text) == found.plan
        release = hn.anonymize(table.frame, found.plan)
        assert release.verdict.holds
        if table.person is None:  # values of rows are hard to share where a person has many of them
            losses.append(release.measures["ncp"]["total"])
    assert sum(losses) / len(losses) < 0.5


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("firstName", "first_name"),
        ("GEBURTSDATUM", "birth"),
        ("Date de naissance", "birth"),
        ("número de teléfono", "phone"),
        ("Kundennr.", "record"),
        ("fødselsnummer", "national_number"),
        ("EmailAddress2", "mail"),
        ("生年月日", "birth"),
        ("имя", "first_name"),
    ],
)
def test_a_column_name_is_understood_in_many_spellings(name: str, meaning: str) -> None:
    assert meaning in naming_of(name)


@pytest.mark.parametrize("name", ["product_name", "company name", "file_name", "city name"])
def test_the_name_of_a_thing_is_no_name_of_a_person(name: str) -> None:
    assert naming_of(name).identifying is None


@pytest.mark.parametrize("name", ["number of children", "no_of_visits", "num_items", "anzahl_kinder"])
def test_a_count_is_no_key(name: str) -> None:
    assert naming_of(name).identifying is None
    values = pl.Series([str(n % 5) for n in range(60)])
    table = Table(pl.DataFrame({name: values, "age": values}), Format(), "t", "t")
    assert look_at(table, with_entities=False).columns[0].role == "quasi"


def test_words_are_cut_at_capitals_marks_and_digits() -> None:
    assert words_of("PatientenID_Größe2 (cm)") == ["patienten", "id", "grosse", "cm"]


@pytest.mark.parametrize("between", [" ", ", "])
def test_names_of_persons_are_never_items(between: str) -> None:
    first, last = ["Ann", "Bob", "Cleo", "Dan", "Eva"], ["Stone", "Wood", "Field", "Hill", "Brook"]
    names = pl.Series([f"{last[n % 5]}{between}{first[n // 5 % 5]}" for n in range(400)])
    assert set_separator(names) is None
    assert holds_full_names(names)
    table = Table(pl.DataFrame({"c": names, "age": [str(n % 9) for n in range(400)]}), Format(), "t", "t")
    assert look_at(table, with_entities=False).columns[0].role == "identifier"


@pytest.mark.parametrize("said", ["Lives with {}.", "asked for {}", "{} called again", "Follow-up in {}"])
def test_a_remark_that_names_somebody_is_no_name(said: str) -> None:
    remarks = pl.Series([said.format(name) for name in ("Hope", "May", "Mark", "An", "Owen") * 20])
    assert not holds_full_names(remarks)


def test_names_that_no_list_knows_are_still_identifiers() -> None:
    names = pl.Series([f"{a}{b}uka Ty{c}rvi" for a in "KLMN" for b in "aeiou" for c in "aeiou"])
    assert holds_full_names(names)


def test_several_tables_get_their_join(tmp_path: Path) -> None:
    pl.DataFrame({"pid": range(30), "sex": ["f", "m"] * 15}).write_csv(tmp_path / "people.csv")
    pl.DataFrame({"pid": [n % 30 for n in range(60)], "day": ["2020-01-01"] * 60}).write_csv(
        tmp_path / "visits.csv"
    )
    paths = [tmp_path / "people.csv", tmp_path / "visits.csv"]
    plan = look_at(join_for_profile(paths)).plan
    assert plan["data"] == {"person": "pid", "join": [{"table": "visits", "on": "pid"}]}
    assert make_plan(plan).data.join[0].table == "visits"
    assert hn.profile(paths).plan == plan


@pytest.mark.parametrize(("years", "recode"), [(1, "calendar"), (11, "calendar"), (40, None)])
def test_dates_that_lie_close_get_quarters(years: int, recode: str | None) -> None:
    days = [f"{2000 + n % years}-{1 + n % 12:02}-{1 + n % 28:02}" for n in range(200)]
    seen = hn.profile(pl.DataFrame({"admitted": days, "sex": ["f", "m"] * 100}))
    assert seen.plan["attributes"]["admitted"].get("recode") == recode


def test_a_date_whose_order_is_open_is_said_to_be() -> None:
    frame = pl.DataFrame({"seen": [f"0{1 + n % 9}/0{1 + n % 7}/2020" for n in range(40)], "age": ["1"] * 40})
    column = look_at(Table(frame, Format(), "t", "t"), with_entities=False).columns[0]
    assert "could be swapped" in column.reason
    assert column.settings["format"] == "%d/%m/%Y"


def test_roles_beside_text_get_the_types_under_which_their_values_occur() -> None:
    table = next(table for table in TABLES if table.name == "visits_en")
    attributes = profiled(table).plan["attributes"]
    assert attributes["age"]["entities"] == ["AGE"]
    assert attributes["visit_date"]["entities"] == ["DATE"]


def test_short_remarks_are_texts_beside_which_values_turn_up() -> None:
    rows = range(60)
    frame = pl.DataFrame(
        {
            "age": [str(20 + n) for n in rows],
            "since": [str(1990 + n % 30) for n in rows],
            "score": [str(1990 + n % 30) for n in rows],
            "note": [f"Aged {20 + n}, sleeps well." for n in rows],
        }
    )
    columns = look_at(Table(frame, Format(), "s.csv", "s"), with_entities=False).columns
    found = {c.name: (c.role, c.settings.get("entities")) for c in columns}
    assert found["note"] == ("text", None)
    assert found["age"] == ("quasi", ["AGE"])
    # years are dates in texts, unless the name of the column says what else they are
    assert found["since"] == ("quasi", ["DATE"])
    assert found["score"][1] != ["DATE"]


def test_columns_beside_texts_sets_or_events_get_one_guarantee() -> None:
    known = set()
    for table in TABLES:
        found = profiled(table)
        roles = {column.role for column in found.columns}
        model = found.plan["privacy"][0]
        joint = model["model"] == "joint"
        assert joint == ("quasi" in roles and bool(roles & {"text", "items", "terms", "event"}))
        assert (found.plan["partition"]["method"] == "joint") == joint
        if joint:  # where rows could be linked, one label at a time: how two lie over rows is not counted
            linked = found.rows > found.persons and roles & {"plain", "sensitive"}
            assert model["m"] == (1 if linked else 2)
            known.add(model["m"])
    assert known == {1, 2}


def test_what_differs_between_the_rows_of_a_person_is_an_event() -> None:
    days = [f"2021-0{month}-1{day}" for month in range(1, 7) for day in range(8)]
    frame = pl.DataFrame(
        {
            "patient_id": [f"p{n // 2}" for n in range(48)],
            "age": [30 + n // 4 for n in range(48)],
            "admitted": days,
            "ward": [("north", "south", "east")[n % 3] for n in range(48)],
            "city": [("Oslo", "Rome")[n // 4 % 2] for n in range(48)],
        }
    )
    attributes = hn.profile(frame).plan["attributes"]
    assert {name: attributes[name]["role"] for name in frame.columns[1:]} == {
        "age": "quasi", "admitted": "event", "ward": "event", "city": "quasi",
    }  # fmt: skip
    assert attributes["admitted"]["scale"] == "date"
    assert hn.anonymize(frame, hn.profile(frame).plan).verdict.holds
    # one row each: nothing belongs to a row alone
    assert hn.profile(frame[::2]).plan["attributes"]["admitted"]["role"] == "quasi"


def test_the_draft_of_the_bundled_clinic_runs_unedited() -> None:
    folder = Path(hn.__file__).parent / "examples" / "clinic"
    frame = pl.read_csv(folder / "visits.csv", infer_schema=False)
    plan = hn.profile(frame).plan
    assert plan["attributes"]["admitted"]["role"] == plan["attributes"]["therapy"]["role"] == "event"
    release = hn.anonymize(frame, plan)
    assert release.verdict.holds
    # a cell of an event names its values, however many; only texts shorten a list
    assert not release.data["therapy"].str.contains("one of").any()


@pytest.mark.parametrize("rows", [3, 40])
def test_a_column_that_repeats_an_identifier_in_other_writing_is_proposed_as_one(rows: int) -> None:
    frame = pl.DataFrame(
        {
            "patient_id": [f"S-{1001 + n}" for n in range(rows)],
            "sample": [f"s{1001 + n}" for n in range(rows)],
            "age": [30 + n % 7 for n in range(rows)],
        }
    )
    columns = {column.name: column for column in hn.profile(frame).columns}
    assert columns["sample"].role == "identifier"
    assert columns["age"].role != "identifier"


def test_below_joint_columns_with_an_item_come_before_items_for_themselves() -> None:
    research, given = purpose_called("research"), {"linked": True, "joint": True, "thorough": False}
    tried = setups(research, ["items", "quasi"], 300, **given)
    assert [setup.rank for setup in tried[-2:]] == ["items", "separate"]
    assert tried[-2].promise == "all columns and any item: 5 persons"
    assert tried[-1].promise == "all columns: 5 persons; any 2 items for themselves: 5 persons"
    without = setups(research, ["quasi", "text"], 300, **given)
    assert "items" not in {setup.rank for setup in without}
