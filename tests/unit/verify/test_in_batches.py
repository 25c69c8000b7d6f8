"""The audit in batches finds what it is there to find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import polars as pl
import pytest

from heteronym.io.plans import make_plan
from heteronym.model.release import Verdict
from heteronym.verify.in_batches import Claim, audit_in_batches

PLAN = {
    "attributes": {
        "age": {"role": "quasi", "scale": "numeric"},
        "town": {"role": "quasi"},
        "ill": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 2}],
}
DATA = pl.DataFrame(
    {"age": ["30", "31", "40", "40"], "town": ["Ulm", "Ulm", "Bonn", None], "ill": ["a", "b", "a", None]}
)
LABELS = pl.DataFrame({"age": ["[30-31]", "40"], "town": ["Ulm", "{Bonn,}"]})
RELEASED = pl.DataFrame(
    {
        "age": ["40", "40", "[30-31]", "[30-31]"],
        "town": ["*", "*", "Ulm", "Ulm"],
        "ill": [None, "a", "b", "a"],
    }
)
MEMBERS = DATA.select("age", "town").with_columns(of=pl.Series([0, 0, 1, 1]))


def audited(
    data: pl.DataFrame = DATA,
    released: pl.DataFrame = RELEASED,
    labels: pl.DataFrame | None = None,
    members: pl.DataFrame = MEMBERS,
    plan: dict[str, Any] | None = None,
) -> Verdict:
    labels = LABELS.with_columns(town=pl.Series(["Ulm", "*"])) if labels is None else labels

    def read(frame: pl.DataFrame) -> Any:
        def batches(columns: Sequence[str]) -> Iterator[pl.DataFrame]:
            yield from frame.select(columns).iter_slices(3)
            yield frame.select(columns).clear()  # an empty part

        return batches

    claim = Claim(labels, lambda: members.iter_slices(2), who="who", of_class="of")
    made = make_plan({**PLAN, **(plan or {})})
    return audit_in_batches(read(data), read(released), released.columns, made, claim, {})


def failed(verdict: Verdict) -> set[str]:
    return {check.name for check in verdict.checks if check.holds is False}


def test_a_true_release_passes_and_its_persons_are_counted() -> None:
    verdict = audited()
    assert verdict.holds
    assert verdict.models[0].smallest_group == 2
    assert verdict.risk["prosecutor"] == 0.5
    assert verdict.risk["inference"] == 0.5  # one of two is guessed in both classes


def test_a_class_with_too_few_persons_breaks_the_model() -> None:
    verdict = audited(plan={"privacy": [{"model": "k-anonymity", "k": 3}]})
    assert verdict.holds is False
    assert not verdict.models[0].holds


@pytest.mark.parametrize(
    ("changed", "check"),
    [
        ({"released": RELEASED[:3]}, "rows"),
        ({"released": pl.concat([RELEASED, RELEASED[:1]])}, "rows"),
        ({"released": RELEASED.with_columns(age=pl.lit("*"))}, "rows"),
        ({"data": DATA[1:]}, "rows"),
        ({"data": pl.concat([DATA, DATA[:1].with_columns(age=pl.lit("32"))])}, "rows"),
        ({"members": pl.concat([MEMBERS, MEMBERS[:1].with_columns(of=pl.lit(1, pl.Int64))])}, "rows"),
        ({"released": RELEASED.with_columns(ill=pl.Series([None, "a", "b", "c"]))}, "unchanged"),
        ({"released": RELEASED.with_columns(ill=pl.Series(["b", "a", None, "a"]))}, "unchanged"),
        ({"released": RELEASED.drop("ill")}, "columns"),
        ({"released": RELEASED.with_columns(more=pl.lit("x"))}, "columns"),
    ],
)
def test_whatever_is_not_the_data_is_found(changed: dict[str, Any], check: str) -> None:
    verdict = audited(**changed)
    assert verdict.holds is False
    assert check in failed(verdict)


@pytest.mark.parametrize("label", ["[31-32]", "30", "Ulm"])
def test_a_label_that_is_not_true_is_found(label: str) -> None:
    labels = pl.DataFrame({"age": [label, "40"], "town": ["Ulm", "*"]})
    released = RELEASED.with_columns(age=pl.col("age").replace("[30-31]", label))
    assert failed(audited(labels=labels, released=released)) == {"truth"}


def test_rows_of_one_person_count_once() -> None:
    plan = {"data": {"person": "who"}, "attributes": {**PLAN["attributes"], "who": {"role": "identifier"}}}
    data = DATA.with_columns(who=pl.Series(["p", " p", "q", "r"]))
    members = pl.DataFrame({"who": ["p", "q", "r"], "of": [0, 1, 1]})
    verdict = audited(data=data, members=members, plan=plan)
    assert verdict.models[0].smallest_group == 1
    assert verdict.holds is False


def test_a_person_in_two_classes_is_found() -> None:
    plan = {"data": {"person": "who"}, "attributes": {**PLAN["attributes"], "who": {"role": "identifier"}}}
    data = DATA.with_columns(who=pl.Series(["p", "q", "r", "s"]))
    members = pl.DataFrame({"who": ["p", "q", "r", "s", "s"], "of": [0, 0, 1, 1, 0]})
    assert "rows" in failed(audited(data=data, members=members, plan=plan))


def test_a_sensitive_column_without_a_model_is_remarked() -> None:
    remarks = [check.detail for check in audited().checks if check.name == "certain"]
    assert remarks == [
        "no model is about the sensitive column 'ill'; its value is certain for 0 persons in 0 of 2 groups"
    ]
