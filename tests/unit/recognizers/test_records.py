"""Exports inside a text: tables with heads, objects; exact offsets and linear cost."""

from __future__ import annotations

import pytest
from tests.counting import growth

from heteronym.registry import recognizers

SEMICOLONS = """# dump
member_id;first;last;dob;street;zip;city;note
10442;Annegret;Pfaffenzeller;1954-11-03;Am Mühlbach 7;83999;Unterwössing;"widowed; says ""hi"", often"
10451;Piotr;N.;;;;;x
# 2 rows
The end; of it
"""
COMMAS = 'First Name,Last Name,Email,Comment\nAna,"Berg, MD",ana@example.org,"a, b"\nBo,Li,,\n'
PIPES = "| Name | Age | Diagnosis |\n|---|---|---|\n| Ana Berg | 34 | asthma |\n\nBo | Li | ill\n"
BLANKS = """Name            Relationship    Age   School
Ana Berg        daughter        12    St Mary's
Bo Berg         son                   Hill Primary

Cy Berg         was not there
"""


def told(text: str) -> set[tuple[str, str]]:
    return {(text[s.start : s.end], s.type) for s in recognizers.build("records").recognize([text])[0]}


def test_cells_are_what_their_column_says() -> None:
    assert told(SEMICOLONS) == {
        ("10442", "CODE"),
        ("Annegret", "PERSON"),
        ("Pfaffenzeller", "PERSON"),
        ("1954-11-03", "DATE"),
        ("Am Mühlbach 7", "ADDRESS"),
        ("83999", "POSTCODE"),
        ("Unterwössing", "GPE"),
        ("10451", "CODE"),
        ("Piotr", "PERSON"),
        ("N.", "PERSON"),
    }
    people = {("Ana", "PERSON"), ("Berg, MD", "PERSON"), ("Bo", "PERSON"), ("Li", "PERSON")}
    assert told(COMMAS) == people | {("ana@example.org", "MAIL")}
    assert told(PIPES) == {("Ana Berg", "PERSON"), ("34", "AGE"), ("asthma", "HEALTH")}


def test_columns_of_blanks_are_aligned() -> None:
    assert told(BLANKS) == {
        ("Ana Berg", "PERSON"),
        ("daughter", "FAMILY"),
        ("12", "AGE"),
        ("St Mary's", "ORG"),
        ("Bo Berg", "PERSON"),
        ("son", "FAMILY"),
        ("Hill Primary", "ORG"),
    }


def test_two_columns_of_keys_and_values_are_no_table() -> None:
    assert told("Occupation    nurse\nEmployer    Arup\nMother    teacher\n") == set()


@pytest.mark.parametrize(
    "piece",
    [
        "Name; age\n",
        '"a": "',
        "a=",
        '"',
        "<a>",
        "name;first\n",
        "('a',",
        "\n A b c  ",
        '"a": ["b", ',
        'x;"y\n',
        'a;b;dob\nx;"y\n',
        "insert into a (b) values (",
    ],
)
def test_repetitions_cost_little(piece: str) -> None:
    recognizer = recognizers.build("records")
    text = piece * (200_000 // len(piece))
    assert all(0 <= s.start < s.end <= len(text) for s in recognizer.recognize([text])[0])
    assert growth(lambda n: recognizer.recognize([piece * n]), 300) < 6
