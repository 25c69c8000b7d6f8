"""Surrogates as plain functions of type, term and key: the same for documents and tables."""

from __future__ import annotations

import random
import re

import pytest

from heteronym.surrogates.codes import code_surrogate, passed
from heteronym.surrogates.dates import day_comes_first, shifted_date, shifted_time, weeks_for
from heteronym.surrogates.draws import Draws
from heteronym.surrogates.terms import surrogate

KEY = b"k" * 32


@pytest.mark.parametrize(
    ("kind", "term", "form"),
    [
        ("CODE", "P17", r"[A-Z]\d\d"),
        ("CODE", "MRN 00123-x", r"MRN 00\d{3}-[a-z]"),
        ("PHONE", "+44 (0)1584 872345", r"\+44 \(0\)\d{4} \d{6}"),
        ("CARD", "4111 1111 1111 1111", r"4\d{3} \d{4} \d{4} \d{4}"),
        ("IBAN", "GB82 WEST 1234 5698 7654 32", r"GB\d\d [A-Z]{4} \d{4} \d{4} \d{4} \d\d"),
        ("POSTCODE", "SY8 1AB", r"[A-Z]{2}\d \d[A-Z]{2}"),
        ("IP", "192.168.0.1", r"\d{3}\.\d{3}\.\d\.\d"),
        ("USERNAME", "@jane_w99", r"@[a-z]{4}_[a-z]\d\d"),
        ("MAIL", "jane.doe@mail.acme.org", r"\w+\.\w+@[\w.-]+\.example"),
        ("URL", "https://www.acme.org/jane", r"https://www\.[\w-]+\.example/[\w-]+"),
        ("ORG", "St Mary's Hospital", r"St [\w-]+'s Hospital"),
        ("ORG", "WHO", r"[A-Z]{3}"),
        ("ADDRESS", "14 Castle Street", r"14 .*|\d\d [\w-]* ?Castle Street|\d\d Castle Street"),
        ("GPE", "Berlin", r"[A-Z][a-z]+( [A-Z][a-z]+)?"),
        ("GPE", "the UK", r"the [A-Z].*"),
        ("GPE", "Texas", r"[A-Z].*"),
        ("AGE", "36 years old", r"3\d years old"),
        ("PERSON", "Jane Doe", r"\w+ [\w-]+"),
    ],
)
def test_a_surrogate_has_the_form_of_its_term(kind: str, term: str, form: str) -> None:
    made = surrogate(kind, term, KEY)
    assert made is not None
    assert re.fullmatch(form, made), made
    assert made != term
    assert made == surrogate(kind, term, KEY)


def test_types_without_form_have_no_surrogate() -> None:
    assert surrogate("HEALTH", "asthma", KEY) is None


# Valid codes: examples that the rules' own documents give, or made by their rule.
VALID = {
    "card": "4111111111111111",
    "iban": "DE89370400440532013000",
    "isin": "US0378331005",
    "german tax number": "86095742719",
    "aadhaar": "234123412346",
    "cpf": "52998224725",
    "nhs": "9434765919",
    "ean": "9780306406157",
    "aba": "011000015",
    "bsn": "111222333",
    "tfn": "123456782",
    "pesel": "44051401359",
    "dni": "12345678Z",
    "vin": "1M8GDM9AXKP042788",
    "nir": "255081416802538",
    "dea": "AB1234563",
}


@pytest.mark.parametrize(("name", "code"), VALID.items())
def test_valid_check_digits_stay_valid(name: str, code: str) -> None:
    assert name in passed(code)
    for attempt in range(3):
        made = code_surrogate(code, KEY, attempt=attempt)
        assert made is not None
        assert name in passed(made)
        assert made != code
        assert [c.isdigit() for c in made] == [c.isdigit() for c in code]


@pytest.mark.parametrize("name", VALID)
def test_a_wrong_check_digit_is_seen(name: str) -> None:
    code = VALID[name]
    place = next(i for i in range(len(code) - 1, -1, -1) if code[i].isdigit())
    wrong = [code[:place] + str((int(code[place]) + step) % 10) + code[place + 1 :] for step in range(1, 10)]
    assert sum(name in passed(one) for one in wrong) == 0


def test_codes_without_another_of_their_shape_have_no_surrogate() -> None:
    assert code_surrogate("000", KEY) is None
    assert code_surrogate("", KEY) is None


@pytest.mark.parametrize(
    ("phrase", "moved"),
    [
        ("3 March 1957", "10 August 1958"),
        ("Monday, 3rd of March 2003", "Monday, 9th of August 2004"),
        ("MARCH 3, 2003", "AUGUST 9, 2004"),
        ("2003-03-03", "2004-08-09"),
        ("03/13/2003", "08/19/2004"),
        ("3.3.03", "9.8.04"),
        ("1-3 March 2003", "7-9 August 2004"),
        ("20030303", "20040809"),
        ("from May 2003 to June 2004", "from October 2004 to November 2005"),
        ("2003-2004", "2004-2005"),
        ("03/2003", "08/2004"),
        ("Sept. 2001", "Feb. 2003"),
        ("in March", "in August"),
        ("4 May '98", "11 October '99"),
        ("last Monday", "last Monday"),
        ("three weeks", "three weeks"),
        ("the 1980s", None),
        ("30 February 2001", None),
        ("the nineteenth century", None),
        ("9999-12-31", None),
    ],
)
def test_dates_move_in_their_own_writing(phrase: str, moved: str | None) -> None:
    assert shifted_date(phrase, 75) == moved


def test_every_date_that_is_told_becomes_another_one_whatever_the_key() -> None:
    rng = random.Random(5)
    for number in range(200):
        weeks = weeks_for(str(number), KEY)
        year, month, day = rng.randint(1900, 2090), rng.randint(1, 12), rng.randint(1, 28)
        name = "January February March April May June July August September October November December".split()
        for phrase in (
            str(year),
            name[month - 1],
            f"{day} {name[month - 1]}",
            f"{year}-{month:02d}-{day:02d}",
        ):
            assert shifted_date(phrase, weeks) not in (phrase, None)


def test_dates_there_and_back_are_the_same_dates() -> None:
    rng = random.Random(6)
    for _ in range(300):
        phrase = f"{rng.randint(1900, 2090)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
        weeks = weeks_for(str(rng.random()), KEY)
        moved = shifted_date(phrase, weeks)
        assert moved is not None
        assert shifted_date(moved, -weeks) == phrase


def test_which_number_is_the_day_is_read_off_the_other_dates() -> None:
    assert day_comes_first(["13/05/2004 and 05/06/2004"]) is True
    assert day_comes_first(["05/13/2004"]) is False
    assert day_comes_first(["05/06/2004"]) is None
    assert shifted_date("05/06/2004", 75, day_first=True) == "12/11/2005"


@pytest.mark.parametrize(
    ("phrase", "moved"),
    [
        ("14:30", "16:05"),
        ("3.30 p.m.", "5.05 p.m."),
        ("11:00 am", "12:35 pm"),
        ("23:59", "1:34"),
        ("two hours", "two hours"),
    ],
)
def test_clock_times_move_and_durations_stay(phrase: str, moved: str) -> None:
    assert shifted_time(phrase, 95) == moved


def test_draws_depend_on_key_and_purpose() -> None:
    def row(key: bytes, *labels: str) -> list[int]:
        draws = Draws(key, *labels)
        return [draws.below(1000) for _ in range(20)]

    assert row(KEY, "a", "bc") == row(KEY, "a", "bc")
    assert row(KEY, "a", "bc") != row(KEY, "ab", "c")
    assert row(KEY, "a") != row(b"x" * 32, "a")
    counts = [Draws(KEY, str(n)).below(4) for n in range(4000)]
    assert all(900 < counts.count(n) < 1100 for n in range(4))


def test_words_behind_a_mail_address_are_replaced() -> None:
    made = surrogate("MAIL", "jane.doe@acme.org?subject=Jane Doe", KEY)
    assert made is not None
    assert not re.search("jane|doe", made, re.IGNORECASE)
