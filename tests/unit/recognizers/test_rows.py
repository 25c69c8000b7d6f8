"""Every row of every language pack finds its example and leaves its counter-example alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import heteronym.knowledge
from heteronym.registry import recognizers
from heteronym.text.grammar import forms_of, grammar
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.rows import rules_of
from heteronym.text.recognizers.structured import Identifier, identifiers
from heteronym.text.rule import Rule, find

recognizers.names()  # checks stand beside the readers
PACKS = Path(heteronym.knowledge.__path__[0])


def rows() -> list[tuple[str, Rule, str, str]]:
    """File and rule, with the example and the counter-example of its row."""
    found = []
    for path in sorted(PACKS.glob("??/*.toml")):
        language, file = path.parent.name, path.stem
        told = lexicon(file, language).rows("rules")
        found += [
            (f"{language}/{file}", rule, row["finds"], row["leaves"])
            for row, rule in zip(told, rules_of(file, language) if told else (), strict=True)
        ]
    return found


def marked(example: str) -> set[tuple[int, int]]:
    """Where ⟦what is found⟧ stands once the marks are gone; a row of several patterns shows each."""
    places = [match.span() for match in re.finditer("⟦[^⟧]+⟧", example)]
    assert places
    return {(start - 2 * n, end - 2 * n - 2) for n, (start, end) in enumerate(places)}


ROWS = rows()
NAMES = [f"{file}: {rule.name}" for file, rule, _, _ in ROWS]


@pytest.mark.parametrize(("file", "rule", "finds", "leaves"), ROWS, ids=NAMES)
def test_a_row_finds_its_example_and_leaves_its_counter_example(
    file: str, rule: Rule, finds: str, leaves: str
) -> None:
    spans = find([re.sub("[⟦⟧]", "", finds)], (rule,), source=file)[0]
    assert marked(finds) <= {(span.start, span.end) for span in spans}
    assert find([leaves], (rule,), source=file) == [[]]


FORMS = [
    (path.parent.name, path.stem, row)
    for path in sorted(PACKS.glob("??/*.toml"))
    for row in lexicon(path.stem, path.parent.name).rows("forms")
]


@pytest.mark.parametrize(("language", "file", "row"), FORMS, ids=[f"{f}: {r['name']}" for _, f, r in FORMS])
def test_a_form_finds_its_example_and_leaves_its_counter_example(
    language: str, file: str, row: dict[str, str]
) -> None:
    def found(text: str) -> set[tuple[int, int]]:
        return {one[:2] for one in grammar(language).find(text, file) if one.form.name == row["name"]}

    assert marked(row["finds"]) <= found(re.sub("[⟦⟧]", "", row["finds"]))
    assert found(row["leaves"]) == set()


def found_by(identifier: Identifier, text: str) -> set[tuple[int, int]]:
    return {(span.start, span.end) for span in identifier.find(text, text.lower())}


@pytest.mark.parametrize(
    ("row", "identifier"),
    list(zip(lexicon("structured").rows("identifiers"), identifiers(), strict=True)),
    ids=[one.name for one in identifiers()],
)
def test_an_identifier_is_found_in_its_example_and_not_in_its_counter_example(
    row: dict[str, Any], identifier: Identifier
) -> None:
    known = set("name type form capitals score words proof refused finds leaves".split())
    assert known >= row.keys()
    assert bool(row.get("words")) == (not row.get("score") and not row.get("proof")) or row.get("proof")
    assert found_by(identifier, re.sub("[⟦⟧]", "", row["finds"])) == marked(row["finds"])
    assert found_by(identifier, row.get("leaves", "")) == set()


def test_a_pack_is_put_together_once_whether_or_not_english_is_named() -> None:
    assert lexicon("dates") is lexicon("dates", "en") is lexicon("dates", language="en")
    assert grammar() is grammar("en") is grammar(language="en")
    assert lexicon("dates") is not lexicon("dates", "de")


def test_a_form_is_found_wherever_its_words_stand() -> None:
    """`near` only says where to look: without it the same is found."""
    text = " ".join(re.sub("[⟦⟧]", "", row["finds"]) for _, _, row in FORMS)
    made = grammar("en")
    reduced = made.reduced(text)
    for file in ("dates", "times"):
        for form in forms_of(file, "en"):
            everywhere = set(made.found(reduced, form._replace(near=""), strict=True))
            near = set(made.found(reduced, form, strict=True))
            assert {one[:2] for one in near} == {one[:2] for one in everywhere}, form.name
