"""Audit, mend, again: the loop ends, with a release or with a refusal."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym import publish
from heteronym.errors import PromiseError
from heteronym.mending import ROUNDS
from heteronym.model.release import Check
from heteronym.verify.audit import Audited
from heteronym.verify.residue import Left

PEOPLE = pl.DataFrame(
    {"age": [30, 30, 31, 31], "note": [f"One came. {word} came. All was well." for word in "abcd"]}
)
PLAN: dict[str, Any] = {
    "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "note": {"role": "text"}},
    "privacy": [{"model": "k-anonymity", "k": 2}],
    "text": {"model": "none"},
    "release": {"suppress_texts_up_to": 1.0},
}


def audits_until(passes_after: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How long the first text was at each audit, by an auditor who finds its first letters so many times."""
    seen: list[int] = []
    examine = publish.examine

    def stubborn(written: pl.DataFrame, *given: Any, **named: Any) -> Audited:
        audited = examine(written, *given, **named)
        if "note" not in written.columns:  # what would help is tried without the text
            return audited
        lengths = [len(text or "") for text in written["note"].to_list()]
        seen.append(sum(lengths))
        if len(seen) > passes_after:
            return audited
        failed = replace(audited.verdict, checks=(*audited.verdict.checks, Check("residue", False, "found")))
        row = max(range(len(lengths)), key=lengths.__getitem__)
        return Audited(failed, [Left(row, "note", 0, 3, "term", "CODE")] if lengths[row] else [])

    monkeypatch.setattr(publish, "examine", stubborn)
    return seen


@pytest.mark.parametrize("times", [1, 3, ROUNDS])
def test_a_draft_is_mended_as_often_as_the_audit_finds_something(
    times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = audits_until(times, monkeypatch)
    release = hn.anonymize(PEOPLE, PLAN)
    assert release.verdict.holds
    assert len(seen) == times + 1
    assert release.facts["data"]["mended_rounds"] == times


def test_an_audit_that_never_passes_ends_in_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = audits_until(1000, monkeypatch)
    nothing_tried = SimpleNamespace(persons=1, of=1)  # what would help is tried by runs of its own
    monkeypatch.setattr("heteronym.api.anonymize.remedies", lambda *given: ([], nothing_tried))
    with pytest.raises(PromiseError):
        hn.anonymize(PEOPLE, PLAN)
    assert 1 < len(seen) <= ROUNDS + 1
    assert seen[-1] < seen[0]


def test_a_place_that_is_found_twice_in_one_round_is_only_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    examine = publish.examine
    first = [True]

    def double(written: pl.DataFrame, *given: Any, **named: Any) -> Audited:
        audited = examine(written, *given, **named)
        if not first:
            return audited
        first.clear()
        failed = replace(audited.verdict, checks=(*audited.verdict.checks, Check("sweep", False, "found")))
        return Audited(failed, [Left(0, "note", a, 8, "term", kind) for a in (0, 4) for kind in ("X", "Y")])

    monkeypatch.setattr(publish, "examine", double)
    release = hn.anonymize(PEOPLE, PLAN)
    texts = [text or "" for text in release.data["note"].to_list()]
    assert sum("All was well." in text for text in texts) == PEOPLE.height  # no sentence went
    assert sum(text.startswith("[") for text in texts) == 1
    assert release.facts["data"]["mended_sentences"] == 0
