"""Producer and audit of Safe Harbor, each alone, against the cases of docs/guarantees/safe-harbor.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.io.plans import make_plan, override
from heteronym.knowledge.hipaa import SPARSE_AREAS, cell_shown_as
from heteronym.knowledge.listed_identifiers import find_listed
from heteronym.privacy._hipaa_patterns import breaches_in_prose, breaches_in_words

UNTIL = 1936
CASES: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[3] / "docs" / "guarantees" / "safe-harbor.toml").read_text("utf-8")
)


def each(kind: str) -> list[Any]:
    return [
        pytest.param(case, id=f"{letter}-{case}")
        for letter, row in CASES.items()
        for case in row.get(kind, ())
    ]


def marked(case: str) -> tuple[str, range]:
    """The phrase, and which of its characters must not be left."""
    start, end = case.index("{"), case.index("}") - 1
    return case.replace("{", "").replace("}", ""), range(start, end)


def audited(text: str) -> list[tuple[int, int, str]]:
    return [*breaches_in_prose(text, UNTIL, frozenset(SPARSE_AREAS))]


def test_every_letter_of_the_rule_is_listed() -> None:
    assert [*CASES] == [*"ABCDEFGHIJKLMNOPQR"]
    keys = {"what", "columns", "elements", "texts", "listed", "allowed"}
    assert all(keys <= {*row} for row in CASES.values())


@pytest.mark.parametrize("case", each("listed"))
def test_the_producer_covers_what_is_listed(case: str) -> None:
    text, listed = marked(case)
    covered = {place for one in find_listed(text, until=UNTIL) for place in range(one.start, one.end)}
    assert [text[place] for place in listed if text[place].isalnum() and place not in covered] == []


@pytest.mark.parametrize("case", each("listed"))
def test_the_audit_finds_what_is_listed(case: str) -> None:
    text, listed = marked(case)
    assert any(start < listed.stop and listed.start < end for start, end, _ in audited(text))


@pytest.mark.parametrize("text", each("allowed"))
def test_what_is_allowed_stays(text: str) -> None:
    # the area of a postcode is shown in its place, so that the producer may look at it
    assert [one for one in find_listed(text, until=UNTIL) if one.type != "POSTCODE"] == []
    assert audited(text) == []


@pytest.mark.parametrize("cell", each("cells"))
def test_cells_that_are_listed_are_found_and_recoded(cell: str) -> None:
    assert [*breaches_in_words(cell, UNTIL, frozenset(SPARSE_AREAS))]
    shown = cell_shown_as(cell, until=UNTIL)
    assert shown != cell
    assert [*breaches_in_words(shown, UNTIL, frozenset(SPARSE_AREAS))] == []


@pytest.mark.parametrize("cell", each("cells_allowed"))
def test_other_cells_stay(cell: str) -> None:
    assert cell_shown_as(cell, until=UNTIL) == cell


def released(columns: dict[str, Any], frame: pl.DataFrame, **more: Any) -> pl.DataFrame:
    content = {"attributes": columns, "privacy": [{"model": "k-anonymity", "k": 2}], **more}
    plan = override(make_plan(content), {"preset": "hipaa-safe-harbor", "as_of": UNTIL + 90})
    release = hn.anonymize(frame, plan)
    assert release.verdict.holds
    data: pl.DataFrame = release.data
    return data[release.source_row.argsort().tolist()]


def listed_cells() -> Iterator[str]:
    yield from (cell for row in CASES.values() for cell in row.get("cells", ()))


@pytest.mark.parametrize("role", ["quasi", "plain", "sensitive"])
def test_columns_of_every_role_are_made_fit(role: str) -> None:
    cells = [*listed_cells(), "flu", "gout"]
    frame = pl.DataFrame({"sex": ["f"] * len(cells), "seen": cells})
    shown = released({"sex": {"role": "quasi"}, "seen": {"role": role}}, frame)["seen"].to_list()
    assert shown[-2:] == ["flu", "gout"]
    assert {*shown[:-2]} <= {"*", "2004", "2021", "90+"}


def test_birth_dates_with_ages_events_items_and_terms_are_released() -> None:
    frame = pl.DataFrame(
        {
            "who": ["a", "a", "b"],
            "dob": ["1930-05-14", "1930-05-14", "1960-01-02"],
            "seen": ["2004-05-14", "2005-06-01", "2004-02-03"],
            "ward": ["since 3/4/2004", "north", "north"],
            "codes": ["I10;2004-05-14", "E11", "I10;93 years"],
            "found": ["DATE:14 May 2004|HEALTH:flu", "HEALTH:flu", "AGE:93 years"],
            "note": ["Born 14 May 1930, 74 years old.", "Seen again.", "A 44-year-old, seen 3 Feb 2004."],
        }
    )
    columns = {
        "who": {"role": "identifier"},
        "dob": {"role": "quasi", "scale": "date", "entities": ["DATE", "AGE"]},
        "seen": {"role": "event", "scale": "date", "entities": ["DATE"]},
        "ward": {"role": "event"},
        "codes": {"role": "items", "separator": ";"},
        "found": {"role": "terms", "separator": "|"},
        "note": {"role": "text"},
    }
    more = {"data": {"person": "who"}, "text": {"model": "none"}}
    content = {"attributes": columns, "privacy": [{"model": "joint", "k": 2}], **more}
    content["partition"] = {"method": "joint"}
    plan = override(make_plan(content), {"preset": "hipaa-safe-harbor", "as_of": 2026})
    release = hn.anonymize(frame, plan)
    assert release.verdict.holds
    data = release.data[release.source_row.argsort().tolist()]
    assert data["dob"].to_list() == ["1936 or earlier", "1936 or earlier", "1960"]
    assert data["seen"].to_list() == ["2004", "2005", "2004"]
    assert data["ward"].to_list() == ["*", "north", "north"]
    assert data["codes"].to_list() == ["*;I10", "E11", "*;I10"]
    assert "14 May" not in data["found"][0]
    assert "93" not in str(data["found"][2])
    assert not any("May" in text or "Feb" in text for text in data["note"])


def test_beside_a_model_that_counts_persons_events_are_still_refused() -> None:
    columns = {"sex": {"role": "quasi"}, "seen": {"role": "event", "scale": "date"}}
    models = [{"model": "k-anonymity", "k": 2}, {"model": "hipaa", "as_of": 2026}]
    frame = pl.DataFrame({"sex": ["f", "f"], "seen": ["2004-05-14", "2004-05-14"]})
    with pytest.raises(hn.errors.PlanError, match="no model protects the events"):
        hn.anonymize(frame, {"attributes": columns, "privacy": models})
