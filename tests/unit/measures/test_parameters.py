"""What the plan may say about measures and recoders, and figures that hierarchies must not distort."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.errors import PlanError

QUASI = {"role": "quasi", "scale": "numeric"}
TREE = "\n".join(f"i{n},g{n // 4},h{n // 8}" for n in range(16)) + "\n"


def baskets(seed: int, persons: int = 40) -> pl.DataFrame:
    rng = random.Random(seed)
    return pl.DataFrame(
        {
            "age": [rng.randint(20, 60) for _ in range(persons)],
            "codes": [" ".join(sorted({f"i{rng.randrange(10)}" for _ in range(3)})) for _ in range(persons)],
        }
    )


def plan(**more: Any) -> dict[str, Any]:
    base = {
        "attributes": {"age": QUASI, "codes": {"role": "items", "separator": " "}},
        "privacy": [{"model": "kkm-anonymity", "k": 4, "m": 2}],
        "partition": {"method": "rum-bound", "delta": 0.7},
    }
    return base | more


def released(folder: Path, given: dict[str, Any]) -> Any:
    (folder / "plan.yaml").write_text(json.dumps(given))
    return hn.anonymize(folder / "data.csv", folder / "plan.yaml", output=folder / "out").measures


@pytest.mark.parametrize("secret", [[], ["i3"], ["i3", "i7"]])
@pytest.mark.parametrize("seed", range(4))
def test_tncp_is_never_above_1_with_a_hierarchy(seed: int, secret: list[str], tmp_path: Path) -> None:
    (tmp_path / "tree.csv").write_text(TREE)
    baskets(seed).write_csv(tmp_path / "data.csv")
    items = {"role": "items", "separator": " ", "hierarchy": "tree.csv", "sensitive": secret}
    given = plan(
        attributes={"age": QUASI, "codes": items},
        privacy=[{"model": "kkm-anonymity", "k": 12, "m": 3}],
        partition={"method": "k-member"},
        recode={"items": "hierarchy"},
    )
    found = released(tmp_path, given)["transaction"]
    assert 0.0 <= found["tncp"] <= 1.0
    assert 0.0 <= found["ul"] <= 1.0
    # the root stands for all sixteen leaves but the sensitive ones that occur
    labels = pl.read_csv(tmp_path / "out" / "data.csv")["codes"].str.split(" ").explode()
    if set(labels) - set(secret) == {"*"}:
        assert found["tncp"] == 1.0


def test_the_headline_is_the_published_loss_of_a_hierarchy(tmp_path: Path) -> None:
    """Half of the persons get a node of four of five leaves; of the three cities that occur it covers two."""
    (tmp_path / "cities.csv").write_text("a,N,all\nb,N,all\nc,N,all\nd,N,all\ne,S,all\n")
    frame = pl.DataFrame({"age": [1, 1, 9, 9], "city": ["a", "b", "e", "e"]})
    frame.write_csv(tmp_path / "data.csv")
    given = {
        "attributes": {"age": QUASI, "city": {"role": "quasi", "hierarchy": "cities.csv"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    ncp = released(tmp_path, given)["ncp"]
    assert ncp["published"]["city"] == pytest.approx(0.5 * 4 / 5)
    assert ncp["covered"]["city"] == pytest.approx(0.5 * 2 / 3)
    assert ncp["by_attribute"]["city"] == ncp["published"]["city"]
    assert ncp["relational"] == ncp["relational_published"] == pytest.approx((0 + 0.5 * 4 / 5) / 2)
    assert ncp["relational_covered"] == pytest.approx((0 + 0.5 * 2 / 3) / 2)


def texts(weights: tuple[float, float] = (1.0, 1.0), **more: Any) -> hn.Release:
    """Two groups by age; `good` keeps X:a in the first group, `bad` keeps nothing but Y:z in the second."""
    frame = pl.DataFrame(
        {
            "age": [1, 1, 50, 90],
            "good": ["X:a|X:b", "X:a", "X:c", "X:d"],
            "bad": ["Y:k", "Y:l", "Y:z", "Y:z|X:q"],
        }
    )
    terms = {"role": "terms", "separator": "|"}
    given = {
        "attributes": {
            "age": QUASI,
            "good": terms | {"weight": weights[0]},
            "bad": terms | {"weight": weights[1]},
        },
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "partition": {"method": "mondrian", "relational_weight": 1.0},
        **more,
    }
    return hn.anonymize(frame, given)


def test_losses_are_told_per_text_and_type() -> None:
    ncp = texts().measures["ncp"]
    # kept: X:a of both in the first group, Y:z of both in the second
    assert ncp["by_text"]["good"] == {
        "all": pytest.approx((0.5 + 0 + 1 + 1) / 4),
        "X": pytest.approx(2.5 / 4),
    }
    assert ncp["by_text"]["bad"] == {
        "all": pytest.approx((1 + 1 + 0 + 0.5) / 4),
        "X": pytest.approx(1 / 4),
        "Y": pytest.approx(2 / 4),
    }
    assert ncp["textual"] == pytest.approx((2 / 3 + 1 / 2 + 1 / 2 + 2 / 3) / 4)


def test_losses_are_counted_alike_in_whatever_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = texts()
    monkeypatch.setattr("heteronym.model.sets.AT_ONCE", 2)  # persons hold three terms: blocks end within them
    in_blocks = texts()
    assert in_blocks.measures == at_once.measures
    assert in_blocks.facts["fates"] == at_once.facts["fates"]


def test_a_text_weighs_as_its_attribute_says() -> None:
    found = texts((3.0, 1.0)).measures["ncp"]["textual"]
    # shares of weight lost: (3 + 1) / 7, 1 / 4, 3 / 4, (3 + 1) / 5
    assert found == pytest.approx((4 / 7 + 1 / 4 + 3 / 4 + 4 / 5) / 4)


def test_the_total_weighs_columns_and_terms_as_the_plan_says() -> None:
    plain = texts().measures["ncp"]
    assert plain["total"] == pytest.approx((plain["relational"] + plain["textual"]) / 2)
    weighed = texts(measures={"ncp": {"relational_weight": 3.0, "textual_weight": 1.0}}).measures["ncp"]
    assert weighed["total"] == pytest.approx((3 * plain["relational"] + plain["textual"]) / 4)
    other = texts(measures={"ncp": {"relational_weight": 1.0, "textual_weight": 4.0}}).measures["ncp"]
    assert other["total"] == pytest.approx((plain["relational"] + 4 * plain["textual"]) / 5)
    with pytest.raises(PlanError, match="more than 0"):
        texts(measures={"ncp": {"relational_weight": 0.0, "textual_weight": 0.0}})


def test_distinct_terms_are_counted_by_type_and_text() -> None:
    found = texts().measures["terms"]
    assert found["distinct"] == {"X": 5, "Y": 3}
    assert found["by_text"] == {"good": {"X": 4}, "bad": {"X": 1, "Y": 3}}


def test_the_plan_names_kinds_and_number_of_queries() -> None:
    measures = {"query_error": {"kinds": ["1,0", "1,2", "0,3"], "queries": 17}}
    found = hn.anonymize(baskets(0), plan(measures=measures)).measures["query_error"]
    assert set(found) == {"1,0", "both", "0,3"}
    assert {figures["queries"] for figures in found.values()} == {17}
    usual = hn.anonymize(baskets(0), plan()).measures["query_error"]
    assert set(usual) == {"items", "both"}  # there are no two columns to ask for


@pytest.mark.parametrize(
    ("measures", "word"),
    [
        ({"query_eror": {}}, "query_error"),
        ({"query_error": {"kinds": ["two"]}}, "kinds"),
        ({"query_error": {"queries": 0}}, "queries"),
        ({"ncp": {"w": 1}}, "'w'"),
    ],
)
def test_a_wrong_measure_is_refused_by_name(measures: dict[str, Any], word: str) -> None:
    with pytest.raises(PlanError, match=word):
        hn.anonymize(baskets(0), plan(measures=measures))


def test_blocks_lose_less_utility_if_the_plan_asks_for_it() -> None:
    lost = {}
    for objective in ("tncp", "ul"):
        found = hn.anonymize(baskets(3), plan(recode={"items": {"method": "sets", "objective": objective}}))
        lost[objective] = found.measures["transaction"]
    assert lost["ul"]["ul"] < lost["tncp"]["ul"]
    assert lost["ul"]["tncp"] >= lost["tncp"]["tncp"]


def test_tum_bound_weighs_items_as_they_will_be_recoded() -> None:
    """A bound between both losses can be kept by blocks of the one objective only."""

    def run(delta: float, objective: str) -> Any:
        return hn.anonymize(
            baskets(3, 90),
            plan(
                privacy=[{"model": "kkm-anonymity", "k": 9, "m": 1}],
                partition={"method": "tum-bound", "delta": delta},
                recode={"items": {"method": "sets", "objective": objective}},
            ),
        ).measures

    lost = {objective: run(1.0, objective)["transaction"]["ul"] for objective in ("tncp", "ul")}
    assert lost["ul"] < lost["tncp"]
    between = (lost["ul"] + lost["tncp"]) / 2
    assert run(between, "ul")["splits"] == {"merges": 0}
    assert run(between, "tncp")["splits"]["merges"] > 0


def test_items_columns_weigh_as_their_attributes_say() -> None:
    """`rare` has to be generalized, `common` has not: the weight of the one decides the mean."""
    frame = pl.DataFrame({"common": ["a b"] * 6, "rare": ["x", "x", "x", "y", "y", "z"]})
    lost = {}
    for weight in (1.0, 4.0):
        items = {"role": "items", "separator": " "}
        given = {
            "attributes": {"common": items, "rare": items | {"weight": weight}},
            "privacy": [{"model": "km-anonymity", "k": 3, "m": 1}],
        }
        lost[weight] = hn.anonymize(frame, given).measures["transaction"]["tncp"]
    # three of six occurrences of `rare` stand in a block of two out of three: 3 * 1/2 of 12 + 6 w
    assert lost[1.0] == pytest.approx(1.5 / 18)
    assert lost[4.0] == pytest.approx(4 * 1.5 / (12 + 24))
