"""Forms, notes, mails and chats as wholes: what lines, columns and labels tell."""

from __future__ import annotations

import pytest
from tests.counting import growth

from heteronym.registry import recognizers
from heteronym.text.combine import pipeline

FORM = """HOUSING FORM
Title: Mr
Surname: Haddad
First name(s): Elias George
Date of Birth: 27 Nov 1969
Gender: Male
National Insurance number: JG103759A
Address:
40 Beaufort Street, Leeds
Employer: Arup
Name: Maya Haddad    Relationship: daughter    DOB: 14.2.2011    School: Windsor Primary
"""
CHAT = """Amina: hi
Fatou D: no what happened??
Amina: he got sacked
Fatou D: omg
tinder_mike99: same
tinder_mike99: bye
"""
MAIL = """Hi Becky,
see you then.

Thanks again
Raj

Rajesh Subramaniam
Warehouse Operations Manager | Northwind Logistics
"""


def told(part: str, text: str) -> set[tuple[str, str]]:
    return {(text[s.start : s.end], s.type) for s in recognizers.build(part).recognize([text])[0]}


def test_a_form_tells_the_type_of_each_value() -> None:
    assert told("forms", FORM) == {
        ("Haddad", "PERSON"),
        ("Elias George", "PERSON"),
        ("27 Nov 1969", "DATE"),
        ("JG103759A", "CODE"),
        ("40 Beaufort Street, Leeds", "ADDRESS"),
        ("Arup", "ORG"),
        ("Maya Haddad", "PERSON"),
        ("daughter", "FAMILY"),
        ("14.2.2011", "DATE"),
        ("Windsor Primary", "ORG"),
    }


def test_a_wide_gap_stands_for_a_colon() -> None:
    text = "STUDENT RECORD\nStudent ID        S2041187\nOccupation\tbaker\nWe saw    nothing\n"
    assert told("forms", text) == {("S2041187", "CODE"), ("baker", "JOB")}


def test_keys_may_stand_above_their_values() -> None:
    text = "Full name\nAna Berg\nDate of birth\n3/4/1990\nNationality\nDanish\nNotes\nnone\n"
    assert told("forms", text) == {("Ana Berg", "PERSON"), ("3/4/1990", "DATE"), ("Danish", "NORP")}
    assert told("forms", "Nationality\nIt matters to many.\n") == set()


def test_a_dash_may_stand_for_the_colon() -> None:
    text = "Surname - Berg\n4. Religion – Christian\nShe came - late\n"
    assert told("forms", text) == {("Berg", "PERSON"), ("Christian", "RELIGION")}


def test_names_of_rules_hold_no_words_of_the_text() -> None:
    text = "Ana's policy no: AB123\nName of Ana: Bo Li\nDate of Maria: 3/4/1990\n"
    rules = {span.rule for span in recognizers.build("forms").recognize([text])[0]}
    assert rules == {"field code", "field name", "field date"}


def test_a_field_names_several_people() -> None:
    text = "Present: Cllrs Mrs J Armitstead (Chair), R Holm, Capt. D Fothergill\nSeen by: Dr Ana Roy, SpR"
    assert told("forms", text) == {
        ("Mrs J Armitstead", "PERSON"),
        ("R Holm", "PERSON"),
        ("Capt. D Fothergill", "PERSON"),
        ("Dr Ana Roy", "PERSON"),
    }


def test_items_of_minutes_are_no_codes() -> None:
    text = "Present: all.\n25/031  Apologies. None.\n25/032  Planning. As in 25/031, file 24/119.\n"
    assert told("codes", text) == {("24/119", "CODE")}


def test_exports_of_chats_name_their_members() -> None:
    text = (
        "Shanelle W. joined the chat\nAna Berg  10:32 AM\nhello\nBo Li — 12/04/2025 10:33\nhi\n"
        "Agent (Pieter): I'm sorry\n[12/04/2025, 07:51:13] ~ chichi_glam: what\n"
    )
    assert told("messages", text) == {
        ("Shanelle W.", "PERSON"),
        ("Ana Berg", "PERSON"),
        ("Bo Li", "PERSON"),
        ("Pieter", "PERSON"),
        ("chichi_glam", "USERNAME"),
    }


def test_no_mention_goes_on_in_the_next_field() -> None:
    keys = ("Surname", "First name", "Gender", "National Insurance", "Relationship", "Employer:")
    for span in pipeline("none").recognize([FORM])[0]:
        assert not any(key in FORM[span.start : span.end] for key in keys)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Maria Lopez\nSex: F", "Maria Lopez"),
        ("Maria Lopez   Ward", "Maria Lopez"),
        ("Maria Lopez\n\nSummary of facts", "Maria Lopez"),
    ],
)
def test_a_name_ends_with_its_line_or_column(text: str, name: str) -> None:
    people = [text[s.start : s.end] for s in pipeline("none").recognize([text])[0] if s.type == "PERSON"]
    assert people == [name]


def test_a_name_in_a_wrapped_line_goes_on() -> None:
    text = "When all of us had gone home that evening, the old Mr John\nSmith locked the door."
    people = [text[s.start : s.end] for s in pipeline("none").recognize([text])[0] if s.type == "PERSON"]
    assert people == ["Mr John\nSmith"]


def test_labels_that_return_are_speakers() -> None:
    assert told("messages", CHAT) == {
        ("Amina", "PERSON"),
        ("Fatou D", "PERSON"),
        ("tinder_mike99", "USERNAME"),
    }


def test_a_time_stamp_makes_a_label_a_speaker() -> None:
    assert told("messages", "[12/05/2023, 19:02] Ubul: hi") == {("Ubul", "PERSON")}
    assert told("messages", "Ubul: hi") == set()


def test_roles_and_headings_are_no_speakers() -> None:
    text = "THERAPIST: hello\nCLIENT: yes\nTHERAPIST: go on\nCLIENT: well\nAllergies: none\nAllergies: dust\n"
    assert told("messages", text) == set()


def test_a_signature_is_a_name_and_the_line_below_an_office() -> None:
    assert ("Raj", "PERSON") in told("messages", MAIL)
    assert ("Warehouse Operations Manager", "JOB") in told("jobs", MAIL)


def test_shorthand_counts_in_notes_about_patients_only() -> None:
    assert told("health", "Pt has MS and DM, takes 40 mg daily.") == {("MS", "HEALTH"), ("DM", "HEALTH")}
    assert told("health", "We wrote it in MS Word and sent a DM.") == set()


@pytest.mark.parametrize(
    "part", ["forms", "phones", "health", "messages", "addresses", "codes", "jobs", "dates", "ages"]
)
@pytest.mark.parametrize(
    "piece", ["word ", "1", "1 ", "A", "Aa ", "\n", "Name: ", "a:", "12-", "of the ", "x_", "Dr ", "1 Aa "]
)
def test_long_repetitions_cost_little(part: str, piece: str) -> None:
    recognizer = recognizers.build(part)
    text = piece * (200_000 // len(piece))
    assert all(0 <= s.start < s.end <= len(text) for s in recognizer.recognize([text])[0])
    assert growth(lambda n: recognizer.recognize([piece * n]), 300) < 6
