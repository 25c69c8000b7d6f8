"""Cells into persons as integers."""

from __future__ import annotations

import polars as pl
import pytest
from tests.naive.tables import ROLES, persons_of, random_dataset

from heteronym.encode import encode
from heteronym.errors import InputError, PlanError
from heteronym.io.plans import make_plan
from heteronym.io.tables import from_frame
from heteronym.model.dataset import Dataset
from heteronym.model.person_view import PersonView
from heteronym.model.schema import Attribute, Role, Scale, Schema
from heteronym.pipeline import make_dataset, make_draft

TERMS = Attribute(role=Role.TERMS, separator="|")
ITEMS = Attribute(role=Role.ITEMS, separator=" ")


def view_of(cells: list[object], attribute: Attribute, **more: list[object]) -> PersonView:
    columns = {"x": pl.Series(cells, strict=False), **{k: pl.Series(v) for k, v in more.items()}}
    schema = Schema(
        {name: attribute if name == "x" else Attribute(role=Role.IDENTIFIER) for name in columns},
        "id" if "id" in more else None,
    )
    return encode(Dataset(schema, pl.DataFrame(columns)))


def elements_of(view: PersonView) -> list[set[str]]:
    elements = view.elements
    return [
        {f"{elements.domains[elements.domain[e]].name}:{elements.names[e]}" for e in elements.of_person[p]}
        for p in range(view.persons)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_value_sets_hold_all_values_of_a_person(seed: int) -> None:
    dataset = random_dataset(seed, rows_per_person=4)
    view, people = encode(dataset), persons_of(dataset)
    for column in view.columns:
        values = [*column.domain.values.tolist(), None]
        for person, expected in enumerate(people):
            held = {values[code] for code in column.sets[int(column.person_set[person])]}
            assert held == expected[column.name]
    assert [c.name for c in view.columns] == list(ROLES)


def test_equal_value_sets_are_one() -> None:
    view = view_of(["a", "b", "b", "a", "a"], Attribute(role=Role.QUASI), id=["1", "1", "2", "2", "3"])
    assert view.columns[0].person_set.tolist() == [0, 0, 1] or view.columns[0].person_set.tolist() == [
        1,
        1,
        0,
    ]


def test_terms_differ_by_type_and_not_by_spelling() -> None:
    view = view_of(["ORG:Apple|GPE:Paris", "ORG:APPLE|PERSON:Paris", "ORG: apple |ORG:Apple", None], TERMS)
    assert elements_of(view) == [
        {"ORG:Apple", "GPE:Paris"}, {"ORG:Apple", "PERSON:Paris"}, {"ORG:Apple"}, set(),
    ]  # fmt: skip


def test_terms_made_of_stop_words_stay_different() -> None:
    view = view_of(["ORG:WHO", "ORG:IT"], TERMS)
    assert elements_of(view) == [{"ORG:WHO"}, {"ORG:IT"}]


def test_a_term_may_hold_a_colon() -> None:
    assert elements_of(view_of(["TIME:10:30"], TERMS)) == [{"TIME:10:30"}]


def test_terms_without_a_type_are_refused_by_row() -> None:
    with pytest.raises(InputError, match="row 2") as refused:
        view_of(["ORG:a", "secret"], TERMS)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("cells", "attribute"),
    [
        (["a b", "b  c b", "", None], ITEMS),
        ([["a", "b"], ["b", "c", "b"], [], None], Attribute(role=Role.ITEMS)),
        (['["a","b"]', '["b","c","b"]', "[]", None], Attribute(role=Role.ITEMS)),
    ],
)
def test_items_come_from_delimited_text_lists_and_json(cells: list[object], attribute: Attribute) -> None:
    found = elements_of(view_of(cells, attribute))
    assert found == [{"x:a", "x:b"}, {"x:b", "x:c"}, set(), set()]


def test_items_may_come_one_row_at_a_time() -> None:
    view = view_of(["a", "b", "a", "a"], Attribute(role=Role.ITEMS), id=["1", "1", "1", "2"])
    assert elements_of(view) == [{"x:a", "x:b"}, {"x:a"}]
    shown = view.elements.of_row()
    assert [len(shown[row]) for row in range(4)] == [1, 1, 1, 1]


def test_a_cell_repeated_on_every_row_is_stored_once() -> None:
    view = view_of(["X:a|X:b"] * 1_000, TERMS, id=["1"] * 500 + ["2"] * 500)
    (cells,) = view.elements.cells.values()
    assert len(cells.of_cell.codes) == 2
    assert elements_of(view) == [{"X:a", "X:b"}] * 2


def test_a_missing_person_key_is_refused_by_row() -> None:
    with pytest.raises(InputError, match="row 2"):
        view_of([1, 2, 3], Attribute(role=Role.QUASI, scale=Scale.NUMERIC), id=["a", None, "b"])


def test_an_ordinal_column_needs_its_order() -> None:
    with pytest.raises(PlanError, match="order"):
        view_of(["a"], Attribute(role=Role.QUASI, scale=Scale.ORDINAL))
    with pytest.raises(InputError, match="rows 1, 3"):
        view_of(["x", "a", "y"], Attribute(role=Role.QUASI, scale=Scale.ORDINAL, order=("a",)))


def test_an_element_tells_its_term() -> None:
    view = view_of(["ORG:Apple"], TERMS)
    assert view.elements.term(0) == ("ORG", "Apple", "", "")


def test_linked_mentions_and_direct_types_are_no_terms_of_a_person() -> None:
    plan = make_plan(
        {
            "attributes": {
                "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
                "note": {"role": "text"},
            },
            "privacy": [{"model": "k-anonymity", "k": 2}],
            "text": {
                "model": "none",
                "entities": ["AGE", "GPE", "PHONE"],
                "patterns": {"AGE": "[0-9]+ years", "GPE": "Rome", "PHONE": "555-[0-9]+"},
            },
        }
    )
    frame = pl.DataFrame({"age": [30, 31], "note": ["30 years in Rome, 555-1", "50 years in Rome, 555-2"]})
    draft = make_draft(make_dataset(from_frame(frame)[0], plan), plan)
    told = [{entry.partition(":")[0] for entry in held} for held in elements_of(draft.view)]
    assert told == [{"GPE"}, {"GPE", "AGE"}]  # 50 years is nobody's age: a term like any other


def test_an_order_that_names_a_value_twice_is_refused_in_our_words() -> None:
    twice = Attribute(role=Role.QUASI, scale=Scale.ORDINAL, order=("zq", "b", "zq"))
    with pytest.raises(PlanError, match="names a value twice") as refused:
        view_of(["zq", "b"], twice)
    assert "zq" not in str(refused.value)
