"""What a recoder writes for a set of values is read back as that set, however nasty the values are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heteronym.model.person_view import Domain
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.model.sets import Sets
from heteronym.recode._item_labels import block_label, plain_label
from heteronym.registry import recoders
from heteronym.verify.label_forms import is_starred
from heteronym.verify.labels import item_members, meaning, split_entries

NASTY = st.text("ab*{}[](),\\- 1", min_size=1, max_size=5).filter(lambda text: text == text.strip())
VALUES = st.lists(NASTY, min_size=2, max_size=6, unique=True)


def labels_of(values: list[str], covers: list[list[int]], attribute: Attribute) -> list[Any]:
    domain = Domain("x", attribute, np.array(values, object), len(values))
    sets = Sets(np.cumsum([0, *map(len, covers)]), np.array([c for one in covers for c in one], np.int32))
    return list(recoders.build(attribute.labelled_by, {}).labels(domain, sets))


@given(VALUES, st.data())
def test_a_set_of_values_is_read_as_it_was_written(values: list[str], data: st.DataObject) -> None:
    values = sorted(values)
    attribute = Attribute(role=Role.QUASI)
    codes = sorted(data.draw(st.sets(st.integers(0, len(values)), min_size=1)))  # the last is missing
    [label] = labels_of(values, [codes], attribute)
    told = meaning(label, attribute)
    everybody = [*values, None]
    assert not is_starred(label)
    assert [told(value) for value in everybody] == [code in codes for code in range(len(everybody))]


@given(VALUES, st.data())
def test_a_range_of_categories_is_read_as_it_was_written(values: list[str], data: st.DataObject) -> None:
    attribute = Attribute(role=Role.QUASI, scale=Scale.ORDINAL, order=tuple(values), recode="range")
    low, high = sorted(data.draw(st.tuples(*[st.integers(0, len(values) - 1)] * 2)))
    codes = sorted({low, high, *([len(values)] if data.draw(st.booleans()) else [])})
    [label] = labels_of(values, [codes], attribute)
    told = meaning(label, attribute)
    assert [told(value) for value in values] == [low <= code <= high for code in range(len(values))]
    assert told(None) == (len(values) in codes)


@given(st.lists(st.lists(NASTY, min_size=1, max_size=3, unique=True), min_size=1, max_size=4), st.data())
def test_items_are_read_as_they_were_written(blocks: list[list[str]], data: st.DataObject) -> None:
    separator = data.draw(st.sampled_from(["|", ";", "; "]))
    blocks = [[item.replace(";", ".") for item in block] for block in blocks]
    cell = separator.join(plain_label(b[0]) if len(b) == 1 else block_label(b).text for b in blocks)
    read = [item_members(entry) for entry in split_entries(cell, separator)]
    assert read == [frozenset(block) for block in blocks]


@pytest.mark.parametrize("separator", ["\\", "(", ")", "a\\b"])
def test_a_separator_that_items_are_written_with_is_refused(separator: str) -> None:
    import heteronym as hn

    plan = {
        "attributes": {"codes": {"role": "items", "separator": separator}},
        "privacy": [{"model": "kkm-anonymity", "k": 2, "m": 1}],
    }
    with pytest.raises(hn.PlanError, match="separator"):
        hn.anonymize({"t": [1]}, plan)
