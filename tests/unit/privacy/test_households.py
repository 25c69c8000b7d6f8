"""Households as the unit: a group of k persons out of one household is no protection."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.naive.risk import fewest_households

import heteronym as hn
from heteronym.errors import InputError, PlanError

ATTRIBUTES: dict[str, Any] = {
    "id": {"role": "identifier"},
    "home": {"role": "identifier"},
    "age": {"role": "quasi", "scale": "numeric"},
    "town": {"role": "quasi"},
    "ill": {"role": "sensitive"},
}


def families(sizes: list[int], seed: int = 0) -> pl.DataFrame:
    """Members of a household live in one town and are about as old: alike, and so grouped together."""
    rng = np.random.default_rng(seed)
    home = np.repeat(np.arange(len(sizes)), sizes)
    return pl.DataFrame(
        {
            "id": [f"p{n}" for n in range(len(home))],
            "home": [f"h{n}" for n in home],
            "age": 20 + home * 3 % 50 + rng.integers(0, 2, len(home)),
            "town": [f"t{n % 4}" for n in home],
            "ill": rng.choice(["flu", "gout", "cold"], len(home)),
        }
    )


def plan(k: int = 3, *, household: bool = True, **more: Any) -> dict[str, Any]:
    data = {"person": "id"} | ({"household": "home"} if household else {})
    return {"data": data, "attributes": ATTRIBUTES, "privacy": [{"model": "k-anonymity", "k": k}]} | more


def fewest(frame: pl.DataFrame, release: Any) -> int:
    source = frame[release.source_row]
    return fewest_households(list(release.data.select("age", "town").iter_rows()), source["home"].to_list())


def test_without_households_a_family_is_a_group_and_with_them_it_is_not() -> None:
    frame = families([4] * 12)
    assert fewest(frame, hn.anonymize(frame, plan(household=False))) < 3
    release = hn.anonymize(frame, plan())
    assert fewest(frame, release) >= 3
    told = {model.model: model for model in release.verdict.models}
    assert told["k-households"].holds
    assert told["k-households"].smallest_group == fewest(frame, release)
    assert release.measures["risk"]["household"]["after"] == 1 / fewest(frame, release)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    sizes=st.lists(st.integers(1, 6), min_size=6, max_size=25),
    k=st.integers(2, 5),
    method=st.sampled_from(["mondrian", "k-member"]),
    seed=st.integers(0, 99),
)
def test_every_group_of_every_method_has_k_households(
    sizes: list[int], k: int, method: str, seed: int
) -> None:
    frame = families(sizes, seed)
    release = hn.anonymize(frame, plan(k, partition={"method": method}))
    assert release.verdict.holds
    assert fewest(frame, release) >= k
    assert release.data.height == frame.height


def test_other_models_may_be_beside() -> None:
    frame = families([3] * 20)
    more = [{"model": "k-anonymity", "k": 3}, {"model": "l-diversity", "l": 2, "attribute": "ill"}]
    release = hn.anonymize(frame, plan(privacy=more))
    assert [model.model for model in release.verdict.models] == ["k-anonymity", "l-diversity", "k-households"]
    assert fewest(frame, release) >= 3
    own = plan(privacy=[{"model": "k-anonymity", "k": 8}, {"model": "k-households", "k": 2}])
    assert hn.anonymize(frame, own).verdict.models[1].parameters == {"k": 2}


def test_a_larger_k_by_option_counts_for_households_as_well() -> None:
    frame = families([3] * 20)
    assert fewest(frame, hn.anonymize(frame, plan(), k=7)) >= 7


def test_the_auditor_finds_a_group_of_one_family(tmp_path: Path) -> None:
    """The release of a plan without households, with a plan that promises them."""
    frame = families([4] * 12)
    release, owner = tmp_path / "release", tmp_path / "owner"
    hn.anonymize(frame, plan(household=False), output=release, private=owner)
    assert hn.verify(release, private=owner, against=frame).holds is True
    promised = json.loads((owner / "plan.json").read_text())
    promised["data"]["household"] = "home"
    promised["privacy"].append({"model": "k-households", "k": 3})
    (owner / "plan.json").write_text(json.dumps(promised))
    verdict = hn.verify(release, private=owner, against=frame)
    [of_households] = [model for model in verdict.models if model.model == "k-households"]
    assert of_households.holds is False
    assert "fewer than 3 households" in of_households.detail


def test_who_has_no_data_cannot_tell(tmp_path: Path) -> None:
    frame = families([4] * 12)
    release, owner = tmp_path / "release", tmp_path / "owner"
    hn.anonymize(frame, plan(), output=release, private=owner)
    assert hn.verify(release, private=owner, against=frame).holds is True
    assert hn.verify(release, private=owner).holds is None
    assert "h1" not in (release / "data.parquet").read_text("latin-1")


def test_those_without_a_household_count_as_one() -> None:
    frame = families([1] * 12).with_columns(home=pl.Series([None, ""] * 3 + [f"h{n}" for n in range(6)]))
    release = hn.anonymize(frame, plan())
    known = frame.with_columns(pl.col("home").replace("", None))
    assert fewest(known, release) >= 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"data": {"person": "id", "household": "house"}}, "data.household: no column 'house'"),
        (
            {"attributes": {**ATTRIBUTES, "home": {"role": "plain"}}},
            "the household key must have role identifier",
        ),
        ({"data": {"person": "id"}, "privacy": [{"model": "k-households", "k": 3}]}, "needs data.household"),
        ({"privacy": [{"model": "t-closeness", "t": 0.2}]}, "no model says how many"),
        ({"privacy": [{"model": "kkm-anonymity", "k": 3, "m": 1}]}, "by columns only"),
    ],
)
def test_plans_that_cannot_be_meant_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(PlanError, match=message):
        hn.anonymize(families([3] * 9), plan() | change)


def test_data_that_cannot_be_is_refused_without_its_values() -> None:
    with pytest.raises(InputError, match="larger than the number of households, 2"):
        hn.anonymize(families([9, 9]), plan())
    twice = families([3] * 9)
    twice = pl.concat([twice, twice.head(1).with_columns(home=pl.lit("h8"))])
    with pytest.raises(InputError, match="rows of one person differ in column 'home', rows 1, 28") as error:
        hn.anonymize(twice, plan())
    assert "h8" not in str(error.value)


@pytest.mark.parametrize("bad", [0.0, -1.0, None])
def test_weights_are_numbers_above_nothing(bad: float | None) -> None:
    frame = families([3] * 9).with_columns(w=pl.Series([bad] + [2.0] * 26))
    given = plan() | {"attributes": {**ATTRIBUTES, "w": {"role": "plain"}}, "data": {"weight": "w"}}
    with pytest.raises(InputError, match="must be numbers above 0, row 1"):
        hn.anonymize(frame, given)


def test_weights_make_the_journalist_weaker_and_are_told_for_the_population() -> None:
    frame = families([3] * 30).with_columns(w=pl.lit(25.0))
    given = plan(household=False) | {"attributes": {**ATTRIBUTES, "w": {"role": "identifier"}}}
    risk = hn.anonymize(frame, {**given, "data": {"person": "id", "weight": "w"}}).measures["risk"]
    assert risk["journalist"]["after"] == pytest.approx(risk["prosecutor"]["after"] / 25)
    assert 0 <= risk["population_unique"]["before"] <= 1
    assert risk["population_unique"]["after"] == 0


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    sizes=st.lists(st.integers(1, 5), min_size=8, max_size=20),
    method=st.sampled_from([{"method": "gdf"}, {"method": "mondrian", "relational_weight": 0.5}]),
    seed=st.integers(0, 99),
)
def test_terms_beside_households_and_persons_left_out(
    sizes: list[int], method: dict[str, Any], seed: int
) -> None:
    frame = families(sizes, seed).with_columns(
        said=pl.Series([f"TEAM:t{n % 3}|JOB:j{n % 2}" for n in range(sum(sizes))])
    )
    given_plan = plan(2, partition=method, release={"suppress_up_to": 0.2})
    given_plan["attributes"] = {**ATTRIBUTES, "said": {"role": "terms", "separator": "|"}}
    release = hn.anonymize(frame, given_plan)
    assert release.verdict.holds
    assert fewest(frame, release) >= 2
