"""Ladders: true of the term, growing, and silent about what they hide."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest

from heteronym.knowledge.bases import base, without_accents
from heteronym.knowledge.dates import is_period, nested_periods
from heteronym.knowledge.ladders import ladder
from heteronym.knowledge.wordlists import lines


def labels(term: str, type: str, sense: str = "") -> list[str]:
    return [rung.label for rung in ladder(term, type, sense).rungs]


@pytest.mark.parametrize(
    ("term", "type", "expected"),
    [
        ("madrid", "GPE", ["Madrid", "Spanish city", "European city"]),
        ("tarragona", "GPE", ["Tarragona", "city in Catalonia", "Spanish city", "European city"]),
        ("uk", "GPE", ["United Kingdom", "European country"]),
        ("britain", "GPE", ["United Kingdom", "European country"]),
        ("california", "GPE", ["California", "American state", "North American state"]),
        ("2004", "DATE", ["2004", "the 2000s", "the 21st century"]),
        ("14 may", "DATE", ["14 May", "May"]),
        ("36 years old", "AGE", ["35-39 years old", "30-39 years old", "20-39 years old"]),
        ("aged 7", "AGE", ["aged 5-9", "aged 0-9", "aged 0-19"]),
        ("engineer", "JOB", ["science and engineering professional", "professional"]),
        ("teacher", "JOB", ["teaching professional", "professional"]),
        ("university of basel", "ORG", ["university", "educational institution", "institution"]),
    ],
)
def test_a_ladder_climbs_from_the_thing_to_the_last_label_that_tells_more_than_its_type(
    term: str, type: str, expected: list[str]
) -> None:
    assert labels(term, type) == expected


@pytest.mark.parametrize(
    "written",
    ["14 may 2004", "may 14, 2004", "14th of may 2004", "2004-05-14", "friday, 14 may 2004", "14.5.2004"],
)
def test_all_spellings_of_a_day_climb_one_ladder(written: str) -> None:
    expected = [
        "14 May 2004",
        "May 2004",
        "the second quarter of 2004",
        "2004",
        "the 2000s",
        "the 21st century",
    ]
    assert labels(written, "DATE") == expected


@pytest.mark.parametrize(
    "written",
    [
        "since 2004",
        "2003 or 2004",
        "30 february 2004",
        "yesterday",
        "may 14 and 15",
        "2004 to 2005",
        "3 days",
        "",
        "x",
    ],
)
def test_a_phrase_that_is_no_one_period_has_no_ladder(written: str) -> None:
    assert nested_periods(written) == []


def test_a_date_that_may_be_two_days_tells_its_year_alone() -> None:
    assert labels("5/6/2004", "DATE")[0] == "2004"
    assert labels("5/16/2004", "DATE")[0] == "16 May 2004"
    assert labels("16/5/2004", "DATE")[0] == "16 May 2004"
    found = ladder("5/6/2004", "DATE")
    assert found.information(found.rungs[0].size) < 1


def test_every_period_holds_its_day() -> None:
    quarter = {"first": (1, 3), "second": (4, 6), "third": (7, 9), "fourth": (10, 12)}
    for back in range(0, 60_000, 617):
        day = date(2024, 3, 1) - timedelta(days=back)
        _, month, part, year, *_ = found = [p.name for p in nested_periods(day.isoformat())]
        assert month == f"{day:%B} {day.year}"
        low, high = quarter[part.split()[1]]
        assert low <= day.month <= high
        assert part.endswith(str(day.year))
        assert year == str(day.year)
        if day.year % 100:
            assert int(re.findall(r"\d+", found[4])[0]) == day.year // 10 * 10
        assert int(re.findall(r"\d+", found[-1])[0]) == (day.year + 99) // 100
        assert all(is_period(name) for name in found[1:])
        assert not is_period(found[0])


def test_terms_of_more_than_one_are_generalized_to_more_than_one() -> None:
    assert labels("nurses", "JOB")[-1] == "professionals"
    assert labels("nurse", "JOB")[-1] == "professional"


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("clerk", ["clerical worker"]),
        ("surgeon", ["surgeon", "specialist medical practitioner", "medical doctor", "health professional"]),
        ("thatcher", ["thatcher", "roofer", "building finisher", "building worker", "craft worker"]),
        ("cabbie", ["cabbie", "car, taxi or van driver", "car or motorcycle driver"]),
        ("miners", ["miners", "mining or mineral plant operators", "plant or machine operators"]),
        ("waitress", ["waiter", "restaurant or bar worker", "personal service worker"]),
        ("translators", ["translators, interpreters or linguists", "writing or language professionals"]),
    ],
)
def test_words_of_the_street_for_jobs_climb_the_groups_of_occupations(term: str, expected: list[str]) -> None:
    found = labels(term, "JOB")
    assert found[: len(expected)] == expected or found[1 : len(expected) + 1] == expected


def test_nearly_every_listed_word_for_a_job_climbs_the_same_groups() -> None:
    listed = {
        word.replace("_", " ").replace("-", " ") for line in lines("occupations.txt") for word in line.split()
    }
    whole = base("occupations").leaves[0]
    unknown = [word for word in listed if ladder(word, "JOB").whole != whole or not labels(word, "JOB")]
    assert len(unknown) < 0.02 * len(listed)  # "student", "veteran", "stay at home mum"


def test_what_reads_alike_tells_as_little_as_the_widest_of_them() -> None:
    found = ladder("programmer", "JOB")
    assert len({rung.label for rung in found.rungs}) == len(found.rungs)
    assert found.information(found.rungs[0].size) < 1  # a software developer is more than a programmer


def test_a_sense_picks_the_place() -> None:
    assert labels("georgia", "GPE", "country")[-1] == "Asian country"
    assert "American state" in labels("georgia", "GPE", "state")


def test_a_title_tells_a_role_and_a_name_tells_nothing() -> None:
    assert labels("dr. jones", "PERSON")[0] == "doctor"
    assert labels("chanel jones", "PERSON") == []
    assert labels("doctor", "PERSON") == []


def _terms() -> list[tuple[str, str]]:
    found = [(term, "GPE") for term in list(base("places").terms())[::97]]
    found += [(term, "JOB") for term in list(base("occupations").terms())[::61]]
    found += [(term, "DISEASE") for term in list(base("diseases").terms())[::149]]
    found += [(line.split("\t")[0].lower(), "GPE") for line in lines("countries.tsv")]
    return found


def test_rungs_grow_keep_less_and_never_hold_the_term_they_hide() -> None:
    for term, kind in _terms():
        found = ladder(term, kind)
        sizes = [rung.size for rung in found.rungs]
        told = [found.information(size) for size in sizes]
        assert sizes == sorted(set(sizes)), (term, kind)
        assert all(0 < share <= 1 for share in told)
        assert told == sorted(told, reverse=True)
        for rung in found.rungs:
            if rung.size > found.own:
                plain = f" {without_accents(rung.label.lower())} "
                assert f" {without_accents(term.lower())} " not in plain
