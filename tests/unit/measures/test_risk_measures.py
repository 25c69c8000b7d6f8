"""Risk before and after, and sensitive values that are certain, in facts and as a remark of the auditor."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import heteronym as hn

PLAN: dict[str, Any] = {
    "attributes": {
        "age": {"role": "quasi", "scale": "numeric"},
        "sex": {"role": "quasi"},
        "ill": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 2}],
}
PEOPLE = pl.DataFrame(
    {
        "age": [20, 21, 30, 31, 31, 50],
        "sex": ["f", "f", "m", "m", "m", "m"],
        "ill": ["flu", "flu", "flu", "gout", None, "gout"],
    }
)


def test_risk_is_told_before_and_after() -> None:
    release = hn.anonymize(PEOPLE, PLAN)
    risk = release.measures["risk"]
    assert risk["prosecutor"] == {"before": 1.0, "after": 1 / release.measures["groups"]["min"]}
    assert risk["unique"] == {"before": 4, "after": 0}
    assert risk["marketer"]["before"] == pytest.approx(5 / 6)
    assert risk["marketer"]["after"] == pytest.approx(release.measures["groups"]["count"] / 6)


def remark(release: Any) -> list[str]:
    return [check.detail for check in release.verdict.checks if check.name == "certain"]


def test_a_sensitive_column_without_a_model_is_warned_of_with_counts() -> None:
    release = hn.anonymize(PEOPLE, PLAN)
    certain = release.measures["certain"]["ill"]
    assert certain["persons"] >= 2  # the two who are 20 and 21 share flu
    [told] = remark(release)
    assert f"certain for {certain['persons']} persons in {certain['groups']} of" in told
    assert "flu" not in told


@pytest.mark.parametrize("attribute", ["ill", None])
def test_a_column_with_a_model_is_not_warned_of(attribute: str | None) -> None:
    model = {"model": "l-diversity", "l": 2, **({"attribute": attribute} if attribute else {})}
    release = hn.anonymize(PEOPLE, {**PLAN, "privacy": [*PLAN["privacy"], model]})
    assert remark(release) == []
    assert release.measures["certain"]["ill"]["groups"] == 0


def test_sensitive_items_without_a_model_are_warned_of() -> None:
    people = PEOPLE.drop("ill").with_columns(codes=pl.Series(["a x", "b x", "a x", "b y", "a y", "b"]))
    plan = {
        "attributes": {
            **{name: PLAN["attributes"][name] for name in ("age", "sex")},
            "codes": {"role": "items", "separator": " ", "sensitive": ["x", "y"]},
        },
        "privacy": [{"model": "kkm-anonymity", "k": 2, "m": 1}],
    }
    [told] = remark(hn.anonymize(people, plan))
    assert "items of 'codes'" in told
    assert (
        remark(
            hn.anonymize(
                PEOPLE.drop("ill"), {**PLAN, "attributes": {n: PLAN["attributes"][n] for n in ("age", "sex")}}
            )
        )
        == []
    )
