"""Identifiers as they are written elsewhere: flats and blocks, tickets, logs, chats, letters of old style."""

from __future__ import annotations

import pytest
from tests.counting import growth

from heteronym.registry import recognizers
from heteronym.text.combine import pipeline


def test_a_company_does_not_swallow_the_name_in_the_line_above() -> None:
    text = "With regards,\nAgnieszka Nowak, Senior Clerk\nBank Halny S.A., Opole\n"
    spans = {(text[s.start : s.end], s.type) for s in pipeline("none").recognize([text])[0]}
    assert ("Agnieszka Nowak", "PERSON") in spans


def test_names_of_fields_are_no_names() -> None:
    text = "Dear Mr. Ketill,\nplease sign.\n\nSigned O. Adeyemi\nD.O.B.: 7 Dec 1988\n"
    spans = {text[s.start : s.end] for s in pipeline("none").recognize([text])[0]}
    assert "Mr. Ketill" in spans
    assert "O. Adeyemi" in spans
    assert not {"Dear", "Signed O", "Signed O. Adeyemi", "D.O.B."} & spans


UNITS = [
    *("12-", "1 ", "A-", "Aa-", "1 / ", "log 1 ", "Flat 1 ", "1/2, "),
    *("Aa of ", "Court, ", "Ministry of the ", "Mr "),
]


@pytest.mark.parametrize("unit", UNITS)
def test_long_runs_take_no_longer_than_their_length(unit: str) -> None:
    recognizer, text = pipeline("none"), unit * (40_000 // len(unit))
    assert all(0 <= s.start < s.end <= len(text) for s in recognizer.recognize([text])[0])
    assert growth(lambda n: recognizer.recognize([unit * n]), 300) < 6


@pytest.mark.parametrize(
    "text", ["by ISO-9001-2015", "see RFC-2119", "CVE-2021-44228 is fixed", "an RTX-3090"]
)
def test_standards_and_chips_are_no_codes(text: str) -> None:
    assert recognizers.build("codes").recognize([text]) == [[]]
