"""A text that tells an event of its person never tells more of it than the event's column shows."""

from __future__ import annotations

import random
import re
from datetime import date, timedelta
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.errors import PromiseError
from heteronym.privacy import _group_choice

WARDS = ["surgery", "oncology", "maternity", "urology"]
MONTHS = "January February March April May June July August September October November December".split()
SPELT = ("%Y-%m-%d", "%d %B %Y", "%d.%m.%Y")


def visits(seed: int) -> pl.DataFrame:
    """Persons with up to three visits; every note tells the day of its own row, and the ward."""
    r = random.Random(seed)
    rows = []
    for person in range(24):
        age = r.randint(30, 33)
        for _ in range(r.randint(1, 3)):
            day = date(2022, 1, 1) + timedelta(days=r.randint(0, 120))
            ward = r.choices(WARDS, [8, 4, 2, 1])[0]
            note = f"Moved to {ward} on {day.strftime(r.choice(SPELT))}."
            rows.append((f"P{person}", age, day.isoformat(), ward, note))
    return pl.DataFrame(rows, schema=["id", "age", "day", "ward", "note"], orient="row")


def plan(m: int) -> dict[str, Any]:
    return {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric"},
            "day": {"role": "event", "scale": "date", "entities": ["DATE"]},
            "ward": {"role": "event", "entities": ["VALUE"]},
            "note": {"role": "text"},
        },
        "text": {"model": "none"},
        "privacy": [{"model": "joint", "k": 3, "m": m}],
        "partition": {"method": "joint", "delta": 0.6},
        "recode": {"terms": "generalize"},
    }


def ends(label: str) -> tuple[str, str]:
    """First and last month of a label of the column, or of a period in a text, as YYYY-MM."""
    if found := re.fullmatch(r"\[(.+)-(\d{4}(?:-\d\d)?)\]", label):
        return ends(found[1])[0], ends(found[2])[1]
    if found := re.fullmatch(r"(\d{4})-Q(\d)", label):
        return f"{found[1]}-{int(found[2]) * 3 - 2:02}", f"{found[1]}-{int(found[2]) * 3:02}"
    if found := re.fullmatch(r"the (\w+) quarter of (\d{4})", label):
        return ends(f"{found[2]}-Q{['first', 'second', 'third', 'fourth'].index(found[1]) + 1}")
    if found := re.fullmatch(r"(\w+) (\d{4})", label):
        return (f"{found[2]}-{MONTHS.index(found[1]) + 1:02}",) * 2
    if found := re.fullmatch(r"the (\d{3})0s", label):
        return f"{found[1]}0-01", f"{found[1]}9-12"
    if re.fullmatch(r"the 21st century", label):
        return "2001-01", "2100-12"
    return (f"{label}-01", f"{label}-12") if len(label) == 4 else (label[:7],) * 2


def told_days(data: pl.DataFrame) -> list[tuple[str, str]]:
    """What texts tell and what their row shows, of days; whether that fits is asserted."""
    found = []
    for day, ward, note in data.select("day", "ward", "note").iter_rows():
        told = re.fullmatch(r"Moved to (.+?) (?:on|in) (.+)\.", note or "")
        if told is None:
            assert note is None
            continue
        assert told[1] in ("[VALUE]", ward)
        if any(told[2] == date.fromisoformat(day).strftime(form) for form in SPELT if len(day) == 10):
            continue
        if told[2] != "[DATE]":
            (first, last), (low, high) = ends(told[2]), ends(day)
            assert first <= low
            assert high <= last
            found.append((told[2], day))
    return found


@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_texts_tell_no_more_than_the_column(seed: int, m: int) -> None:
    release = hn.anonymize(visits(seed), plan(m))
    assert release.verdict.holds
    assert told_days(release.data) or m == 2


def test_a_day_becomes_the_month_that_its_column_shows() -> None:
    days = ["2022-03-01", "2022-03-09", "2022-03-17", "2022-03-25"]
    frame = pl.DataFrame(
        {
            "id": list("abcd"),
            "age": [30] * 4,
            "day": days,
            "ward": ["surgery"] * 4,
            "note": [f"Moved to surgery on {day}." for day in days],
        }
    )
    data = hn.anonymize(frame, plan(1)).data
    assert set(data["day"]) == {"2022-03"}
    assert set(data["note"]) == {"Moved to surgery in March 2022."}


def test_the_audit_refuses_texts_that_tell_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_group_choice, "widened", lambda problem, choice, narrowest: None)
    monkeypatch.setattr("heteronym.mending._LEAST", ())
    told_more = [seed for seed in range(6) if not _holds(seed)]
    assert told_more
    with pytest.raises(PromiseError, match="left in the texts"):
        hn.anonymize(visits(told_more[0]), plan(1))


def _holds(seed: int) -> bool:
    try:
        told_days(hn.anonymize(visits(seed), plan(1)).data)
    except PromiseError:
        return False
    return True
