"""The 21 defects shown in the public code of paper 000, by number: none of them is ours.

Texts are recognized by patterns here, so that nothing depends on a trained model.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import heteronym as hn
from heteronym.encode import encode
from heteronym.model.dataset import Dataset
from heteronym.model.schema import Attribute, Role, Scale, Schema
from heteronym.partition._search import Search, _WidestCuts
from heteronym.privacy.k_anonymity import KAnonymity

PATTERNS = {
    "ORG": r"\b(?:Apple|APPLE|apple|WHO|IT)\b",
    "GPE": r"\bin Paris\b|\bUK\b",
    "PERSON": r"\bPedro\b|(?<=friend )Paris\b",
    "DATE": r"\b(?:19|20)\d\d\b|\b[Ff]our days ago\b",
}


def released(
    columns: dict[str, list[Any]], *, k: int = 2, roles: dict[str, dict[str, Any]] | None = None, **more: Any
) -> pl.DataFrame:
    roles = roles or {}
    attributes = {name: roles.get(name, {"role": "quasi"}) for name in columns}
    plan = {
        "version": 1,
        "attributes": attributes,
        "text": {"model": "none", "entities": list(PATTERNS), "patterns": PATTERNS},
        "privacy": [{"model": "k-anonymity", "k": k}],
        **more,
    }
    if "id" in columns:
        plan["data"] = {"person": "id"}
        attributes["id"] = {"role": "identifier"}
    release = hn.anonymize(pl.DataFrame(columns, strict=False), plan)
    assert release.verdict.holds
    assert isinstance(release.data, pl.DataFrame)
    return release.data


TEXT = {"text": {"role": "text"}}
DATED = {"text": {"role": "text"}, "date": {"role": "quasi", "scale": "date", "entities": ["DATE"]}}
NUMBER = {"x": {"role": "quasi", "scale": "numeric"}}


def test_01_a_mention_is_not_skipped_because_another_of_its_type_is_redundant() -> None:
    data = released(
        {
            "id": ["a", "a", "b"],
            "date": ["2004-01-13", "2004-01-17", "2004-03-01"],
            "text": ["2004 will be great", "Four days ago I began", "hello"],
        },
        roles=DATED,
    )
    assert sorted(data["text"]) == ["2004 will be great", "[DATE] I began", "hello"]


def test_02_terms_of_stop_words_do_not_match_each_other() -> None:
    data = released({"text": ["ask WHO", "ask IT"]}, roles=TEXT)
    assert data["text"].to_list() == ["ask [ORG]", "ask [ORG]"]


def test_03_spellings_of_one_term_share_its_fate() -> None:
    texts = ["an Apple", "an APPLE", "an apple"]
    assert sorted(released({"text": texts}, k=3, roles=TEXT)["text"]) == sorted(texts)


def test_04_a_kept_place_keeps_no_person_of_its_name() -> None:
    data = released({"text": ["in Paris", "in Paris with my friend Paris"]}, roles=TEXT)
    assert sorted(data["text"]) == ["in Paris", "in Paris with my friend [PERSON]"]


def test_05_a_missing_category_is_labelled_like_its_group() -> None:
    assert released({"x": ["a", "a", "a", None]}, k=4)["x"].to_list() == ["{,a}"] * 4


def test_06_k_larger_than_the_number_of_persons_is_refused() -> None:
    with pytest.raises(hn.InputError, match="larger than the number of persons"):
        released({"x": ["a", "b"]}, k=3)


def test_07_every_member_of_a_group_is_credited_with_its_kept_terms() -> None:
    plan = {
        "attributes": TEXT,
        "text": {"model": "none", "patterns": PATTERNS},
        "privacy": [{"model": "k-anonymity", "k": 5}],
    }
    found = hn.anonymize(pl.DataFrame({"text": ["the UK"] * 5}), plan)
    assert found.measures["ncp"]["textual"] == 0.0


def test_08_a_term_used_in_one_branch_still_cuts_in_another_and_in_the_next_run() -> None:
    texts = ["Apple UK"] * 2 + ["Apple"] * 2 + ["UK"] * 2 + ["nothing"] * 2
    first = released({"text": texts}, roles=TEXT, partition={"method": "gdf"})
    again = released({"text": texts}, roles=TEXT, partition={"method": "gdf"})
    assert first["text"].to_list() == again["text"].to_list() == sorted(texts)


def test_09_ranges_are_exact() -> None:
    plan = {"attributes": NUMBER, "privacy": [{"model": "k-anonymity", "k": 2}]}
    whole = hn.anonymize(pl.DataFrame({"x": [0, 11, 30, 40]}), plan)
    assert whole.measures["ncp"]["by_attribute"]["x"] == pytest.approx((0.275 + 0.25) / 2)
    parts = hn.anonymize(pl.DataFrame({"x": [0.1, 0.4, 2.0, 2.1]}), plan)
    assert parts.measures["ncp"]["by_attribute"]["x"] == pytest.approx((0.15 + 0.05) / 2)


@pytest.mark.parametrize(
    ("values", "role", "expected"),
    [
        ([0, 0, 0, 0], NUMBER, ["0"] * 4),  # 10
        (["2004-05-14"] * 4, {"x": {"role": "quasi", "scale": "date"}}, ["2004-05-14"] * 4),  # 11
        ([7.5, 7.5, 7.5, 7.5], NUMBER, ["7.5"] * 4),  # 20
        (["London"] * 4, {"x": {"role": "quasi"}}, ["London"] * 4),
    ],
)
def test_10_11_20_columns_with_one_value_stay_as_they_are(
    values: list[Any], role: dict[str, Any], expected: list[str]
) -> None:
    assert released({"x": values, "y": [1, 2, 3, 4]}, roles=role)["x"].to_list() == expected


def test_12_texts_may_all_be_empty() -> None:
    data = released({"x": [1, 2, 3, 4], "text": ["", None, "", None]}, roles=NUMBER | TEXT)
    assert data["text"].fill_null("").to_list() == [""] * 4


def test_13_several_models_may_hold_at_once() -> None:
    models = [{"model": "k-anonymity", "k": 2}, {"model": "k-anonymity", "k": 3}]
    data = released({"x": list(range(12))}, roles=NUMBER, privacy=models)
    assert data["x"].value_counts()["count"].min() >= 3


def test_15_missing_numbers_drop_nobody() -> None:
    data = released({"x": [1, None, 2, None, 3, None]}, roles=NUMBER)
    assert data.height == 6
    may_lack = data["x"].is_null() | data["x"].str.starts_with("{,").fill_null(False)
    assert may_lack.sum() >= 3


def test_16_a_person_whose_first_text_is_empty_keeps_its_other_texts() -> None:
    data = released({"id": ["a", "a", "b", "b"], "text": ["", "the UK", None, "the UK"]}, roles=TEXT)
    assert sorted(data["text"].fill_null("")) == ["", "", "the UK", "the UK"]


def test_17_a_constant_plain_column_comes_through_whole() -> None:
    roles = NUMBER | {"city": {"role": "plain"}}
    assert (
        released({"x": [1, 2, 3, 4], "city": ["London"] * 4}, roles=roles)["city"].to_list() == ["London"] * 4
    )


def test_18_gdf_goes_on_when_its_top_term_does_not_cut() -> None:
    texts = ["UK Apple"] * 2 + ["UK"] * 3
    data = released({"text": texts}, roles=TEXT, partition={"method": "gdf"})
    assert sorted(data["text"]) == sorted(texts)


def test_19_a_median_equal_to_the_minimum_misses_no_cut() -> None:
    data = released({"x": [1, 1, 1, 9, 9]}, roles=NUMBER, partition={"method": "mondrian", "cut": "widest"})
    assert data["x"].to_list() == ["1", "1", "1", "9", "9"]


def test_21_bias_is_added_once() -> None:
    attributes = {
        "a": Attribute(role=Role.QUASI, scale=Scale.NUMERIC, weight=1.5),
        "b": Attribute(role=Role.QUASI, scale=Scale.NUMERIC),
    }
    view = encode(Dataset(Schema(attributes), pl.DataFrame({"a": [0, 1, 2, 3], "b": [0, 5, 9, 9]})))
    cuts = _WidestCuts(Search(view, [KAnonymity(2)], cut="widest"))
    members = np.arange(4, dtype=np.int32)
    # (span + bias + lambda) / 2 with span 1, lambda 1 (columns only): 1.25 for a, 1.0 for b
    assert [-score for score, *_ in cuts.scored(members)] == pytest.approx([1.25, 1.0])


def test_persons_are_counted_not_rows() -> None:
    rows = {"id": ["a"] * 5 + ["b"] * 5 + ["c"] * 2, "x": [1] * 5 + [9] * 5 + [5] * 2}
    assert released(rows, k=3, roles=NUMBER)["x"].to_list() == ["[1-9]"] * 12
