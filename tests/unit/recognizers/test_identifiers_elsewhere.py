"""Identifiers as they are written elsewhere: flats and blocks, tickets, logs, chats, letters of old style."""

from __future__ import annotations

import pytest
from tests.counting import growth

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.combine import pipeline
from heteronym.text.whole_codes import with_whole_codes


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


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("His driver's license number is US-DL-73164773250.", "US-DL-73164773250"),
        ("Licence US-DL-73164773250 was shown.", "US-DL-73164773250"),
        ("chassis US-VIN-1HGCM82633A004352 was stolen", "US-VIN-1HGCM82633A004352"),
        ("to X-DE89370400440532013000 by Monday", "X-DE89370400440532013000"),
        ("account number ACC_2023_99812-X is closed", "ACC_2023_99812-X"),
        ("card AB/4111 1111 1111 1111-02 expired", "AB/4111 1111 1111 1111-02"),
    ],
)
def test_codes_are_whole_tokens(text: str, code: str) -> None:
    assert code in {text[s.start : s.end] for s in pipeline("none").recognize([text])[0]}


def test_words_and_names_beside_a_code_are_no_part_of_it() -> None:
    text = "ask GP/Kowalski-44170-reopened.Then"
    code = Span(text.index("44170"), text.index("-re"), "CODE", 1.0, "any")
    ((_, whole),) = with_whole_codes(text, [(0, code)])
    assert text[whole.start : whole.end] == "44170"


@pytest.mark.parametrize(
    "text",
    [
        *("mount k.pem there", "spring.datasource.password is set", "open server.key and ca.crt and id.pub"),
        *("log4j.rootLogger=INFO", "user.name and app.config.name", "import java.io.File", "a photo.jpg"),
        *("os.path.join them", "see com.acme.app.Main", "in request.host or page.style"),
    ],
)
def test_files_and_settings_of_programs_are_no_addresses(text: str) -> None:
    assert not [s for s in recognizers.build("structured").recognize([text])[0] if s.type == "URL"]


@pytest.mark.parametrize(
    "text", ["at kowalski.name.", "go to db.acme.com:3306 now", "see foo.co.uk, please", "jo.page/x is mine"]
)
def test_hosts_stay_addresses(text: str) -> None:
    assert [s for s in recognizers.build("structured").recognize([text])[0] if s.type == "URL"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("cheers #TeamJohnSmith", "PERSON"),
        ("cheers #LisaCookForMayor", "PERSON"),
        ("says @mary_lopez84 today", "PERSON"),
        ("says @MaryLopez today", "PERSON"),
        ("says @DairyFarmer_22 today", "JOB"),
    ],
)
def test_tags_and_handles_are_read_as_words(text: str, kind: str) -> None:
    assert kind in {s.type for s in recognizers.build("hashtags").recognize([text])[0]}


def test_a_name_in_a_handle_counts_where_handles_do_not() -> None:
    text = "says @mary_lopez84 today"
    assert "PERSON" not in {s.type for s in pipeline("none").recognize([text])[0]}
    assert {s.type for s in pipeline("none", listed=["PERSON"]).recognize([text])[0]} == {"PERSON"}
