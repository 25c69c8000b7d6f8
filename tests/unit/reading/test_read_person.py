"""One term per entity, and what a release may keep of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.unit.reading.data import read

import heteronym as hn
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Status
from heteronym.model.plan import TextPlan
from heteronym.model.schema import Attribute, Role, Schema
from heteronym.model.terms import Term
from heteronym.reading.scan import scan
from heteronym.text.atoms import split_at_words
from heteronym.text.recognizers.patterns import Patterns

PATTERNS = {"PERSON": r"\b(?:John )?Smith\b|\bSmihth\b", "GPE": r"\bBerlin\b|\bGeorgia\b|\bAtlanta\b"}
PLAN = TextPlan(model="none", entities=("PERSON", "GPE"), patterns=PATTERNS)


def terms(texts: list[str], *, contexts: bool = False) -> list[Term]:
    """Terms of one person's mentions, in order."""
    schema = Schema({"id": Attribute(role=Role.IDENTIFIER), "text": Attribute(role=Role.TEXT)}, "id")
    dataset = Dataset(schema, pl.DataFrame({"id": ["a"] * len(texts), "text": texts}))
    plan = PLAN.model_copy(update={"contexts": contexts})
    found = read(dataset, scan(dataset, plan, recognizers=[Patterns(PATTERNS)]), plan)
    return [found.terms[t] for t in found.term]


@pytest.mark.parametrize(
    "texts",
    [
        ["John Smith came", "Smith went"],
        ["Smith went, then John Smith came"],
        ["John Smith", "John Smith's dog"],
    ],
)
def test_a_surname_joins_the_full_name_through_all_rows(texts: list[str]) -> None:
    assert set(terms(texts)) == {Term("PERSON", "john smith")}


def test_a_misspelt_repeat_joins_its_entity() -> None:
    assert len(set(terms(["Smith and Smith and Smihth"]))) == 1


def test_a_place_carries_the_kind_that_the_text_tells() -> None:
    first, other = terms(["in Atlanta, Georgia", "from Georgia"])[1:]
    assert (first, other) == (Term("GPE", "georgia", sense="state"), Term("GPE", "georgia"))


def test_with_contexts_equal_terms_differ_by_what_governs_them() -> None:
    texts = ["I live in Berlin", "I love Berlin"]
    assert len(set(terms(texts))) == 1
    assert {term.context for term in terms(texts, contexts=True)} == {"liv in", "lov"}


def released(texts: list[str], **text: Any) -> list[str]:
    plan = {
        "attributes": {"text": {"role": "text"}},
        "text": {"model": "none", "entities": ["PERSON", "GPE"], "patterns": PATTERNS, **text},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    found = hn.anonymize(pl.DataFrame({"text": texts}), plan)
    assert found.verdict.holds
    return sorted(found.data["text"].to_list())


def test_a_term_that_members_spell_differently_is_suppressed() -> None:
    found = released(["John Smith and Smith", "Smith and John Smith"])
    assert found == ["[PERSON] and [PERSON]", "[PERSON] and [PERSON]"]


def test_a_term_that_all_spell_alike_is_kept() -> None:
    assert released(["by Smith", "of Smith"]) == ["by Smith", "of Smith"]


def test_contexts_keep_a_term_only_where_they_agree() -> None:
    texts = ["I live in Berlin", "I love Berlin"]
    assert released(texts) == texts
    assert released(texts, contexts=True) == ["I live in [GPE]", "I love [GPE]"]


def test_contexts_are_refused_for_other_languages() -> None:
    with pytest.raises(hn.errors.PlanError, match="contexts needs language: en"):
        released(["I live in Berlin"], contexts=True, language="de")


@pytest.mark.parametrize(
    ("guess", "spans"),
    [
        (r"[Cc]ode \w+", ["473", "473"]),  # a code with the words beside it
        (r"[Cc]ode \w+ needs", ["473"]),
        (r"sour cream today", ["sour cream"]),
        (r"Grade 473", ["473"]),
        (r"type 2 473", ["type 2 473"]),  # a number beside it tells more
        (r"Qwerin 473", ["Qwerin 473"]),  # no ordinary word
    ],
)
def test_what_a_set_holds_counts_before_a_guess_around_it(guess: str, spans: list[str]) -> None:
    text = "Code 473 is well, code 473 needs rest; sour cream today; Grade 473; type 2 473; Qwerin 473."
    schema = Schema(
        {"codes": Attribute(role=Role.ITEMS, separator="|"), "text": Attribute(role=Role.TEXT)}, None
    )
    # the codes are those of somebody else
    dataset = Dataset(schema, pl.DataFrame({"codes": ["x", "473|sour cream"], "text": [text, ""]}))
    plan = TextPlan(model="none", entities=("HEALTH",), patterns={"HEALTH": guess})
    found = read(dataset, scan(dataset, plan, recognizers=[Patterns({"HEALTH": guess})]), plan)
    told = {text[a:b] for a, b in zip(found.start.tolist(), found.end.tolist(), strict=True)}
    assert set(spans) <= told
    assert not any(len(span) > len(max(spans, key=len)) for span in told)


def test_a_name_around_what_a_set_holds_stays_whole() -> None:
    text = "Bank of America it was."
    schema = Schema({"codes": Attribute(role=Role.ITEMS), "text": Attribute(role=Role.TEXT)}, None)
    dataset = Dataset(schema, pl.DataFrame({"codes": ["x", "America"], "text": [text, ""]}))
    plan = TextPlan(model="none", entities=("ORG",), patterns={"ORG": "Bank of America"})
    found = read(dataset, scan(dataset, plan, recognizers=[Patterns({"ORG": "Bank of America"})]), plan)
    assert [text[found.start[0] : found.end[0]]] == ["Bank of America"]


def test_rows_of_a_person_may_lie_apart_and_what_a_reviewer_said_stays_with_its_place() -> None:
    texts = ["Smith came to Berlin", None, "no Berlin", "Berlin, he said", "John Smith went", ""]
    persons = ["a", "b", "b", "a", "a", "b"]
    schema = Schema(
        {
            "id": Attribute(role=Role.IDENTIFIER),
            "seen": Attribute(role=Role.TEXT),
            "text": Attribute(role=Role.TEXT),
        },
        "id",
    )
    dataset = Dataset(schema, pl.DataFrame({"id": persons, "seen": texts[::-1], "text": texts}))
    found = scan(dataset, PLAN, recognizers=[Patterns(PATTERNS)])
    said = np.zeros(len(found), np.int8)
    said[(found.row == 2) & (found.column == 1)] = Status.REJECTED
    said[(found.row == 0) & (found.column == 1) & (found.start == 14)] = Status.CONFIRMED
    result = read(dataset, replace(found, status=said), PLAN)
    columns = [dataset.frame[name].to_list() for name in result.columns]
    spelt = [
        (row, result.columns[column], (columns[column][row] or "")[start:end], Status(status).name)
        for row, column, start, end, status in zip(
            result.row.tolist(),
            result.column.tolist(),
            result.start.tolist(),
            result.end.tolist(),
            result.status.tolist(),
        )
    ]
    assert spelt == [
        (0, "text", "Smith", "FOUND"),
        (0, "text", "Berlin", "CONFIRMED"),
        (1, "seen", "John Smith", "FOUND"),
        (2, "seen", "Berlin", "FOUND"),
        (2, "text", "Berlin", "FOUND"),
        (3, "seen", "Berlin", "FOUND"),
        (3, "text", "Berlin", "FOUND"),
        (4, "text", "John Smith", "FOUND"),
        (5, "seen", "Smith", "FOUND"),
        (5, "seen", "Berlin", "FOUND"),
    ]
    whole = {result.terms[term].text for term, row in zip(result.term, result.row) if persons[row] == "a"}
    assert whole == {"john smith", "berlin"}


def test_no_text_is_kept_when_its_person_is_read() -> None:
    assert terms(["John Smith came", "Smith went to Berlin"])
    assert split_at_words.cache_info().currsize == 0


def test_entries_of_lists_inside_of_lists_are_the_persons_own(tmp_path: Path) -> None:
    rows = [
        {"codes": [[f"K-{n:04}", None], [f"Q{n:03}x"]], "note": f"K-{n:04} by Q{n:03}x."} for n in range(12)
    ]
    at = tmp_path / "data.jsonl"
    at.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    plan = {
        "attributes": {
            "codes": {"role": "identifier"},
            "note": {"role": "text"},
        },
        "text": {"model": "none"},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    hn.anonymize(str(at), plan, output=str(tmp_path / "release"), private=str(tmp_path / "owner"))
    released = pl.read_ndjson(tmp_path / "release" / "data.jsonl")
    assert released["note"].unique().to_list() == ["[CODE] by [VALUE]."]
    assert hn.verify(str(tmp_path / "release"), against=str(at), private=str(tmp_path / "owner")).holds
