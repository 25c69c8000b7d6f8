"""Plans keep their comments when a value changes, and errors know their line."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from heteronym.web.columns import with_choice
from heteronym.web.plan_text import check_plan, line_of, with_value
from heteronym.web.promise import k_of, with_k

MODEL = "{model: k-anonymity, k: 2}"
PLAN = """# for the partner
attributes:
  # the person key
  id: {role: identifier}
  age: {role: quasi, scale: numeric}   # in years
  job:
    role: quasi
    weight: 2.0
privacy:
  - {model: k-anonymity, k: 5}
  - model: l-diversity   # two diagnoses
    l: 2
    attribute: job
seed: 0
"""


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["attributes", "age", "role"], "plain"),
        (["attributes", "age", "weight"], 0.5),
        (["attributes", "age", "scale"], None),
        (["attributes", "job", "role"], "sensitive"),
        (["attributes", "job", "scale"], "ordinal"),
        (["attributes", "note: odd", "role"], "text"),
        (["privacy", 0, "k"], 11),
        (["privacy", 1, "l"], 3),
        (["seed"], 7),
        (["data"], {"person": "id"}),
    ],
)
def test_a_change_changes_one_thing(path: list[str | int], value: object) -> None:
    after = yaml.safe_load(with_value(PLAN, path, value))
    expected = yaml.safe_load(PLAN)
    at = expected
    for key in path[:-1]:
        at = at.setdefault(key, {}) if isinstance(at, dict) else at[key]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    assert after == expected


@pytest.mark.parametrize(
    "path", [["attributes", "age", "role"], ["privacy", 0, "k"], ["attributes", "job", "scale"]]
)
def test_comments_stay(path: list[str | int]) -> None:
    after = with_value(PLAN, path, 3)
    for comment in ("# for the partner", "# the person key", "# in years", "# two diagnoses"):
        assert comment in after


def test_a_plan_with_anchors_is_written_anew_rather_than_wrong() -> None:
    text = "attributes: {a: &x {role: quasi}, b: *x}\nprivacy: [{model: k-anonymity, k: 2}]\n"
    after = yaml.safe_load(with_value(text, ["attributes", "a", "role"], "plain"))
    assert after["attributes"] == {"a": {"role": "plain"}, "b": {"role": "quasi"}}


def test_k_is_set_in_every_model_that_has_one() -> None:
    after = with_k(PLAN, 11)
    assert [m.get("k") for m in yaml.safe_load(after)["privacy"]] == [11, None]
    assert k_of(after) == 11
    assert "# two diagnoses" in after


def test_where_no_model_has_a_k_one_is_added() -> None:
    after = yaml.safe_load(with_k("privacy: [{model: l-diversity, l: 2, attribute: a}]\n", 3))
    assert after["privacy"][0] == {"model": "k-anonymity", "k": 3}
    assert len(after["privacy"]) == 2


def test_a_single_model_without_a_list_is_understood() -> None:
    assert yaml.safe_load(with_k("privacy: {model: k-anonymity, k: 5}\n", 3))["privacy"]["k"] == 3


def test_a_nominal_scale_is_left_out() -> None:
    after = yaml.safe_load(with_choice(PLAN, "age", role="quasi", scale="nominal"))
    assert after["attributes"]["age"] == {"role": "quasi"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("attributes:\n  age: {rol: quasi}\nprivacy: [{model: k-anonymity, k: 2}]\n", 2),
        (
            f"attributes:\n  a: {{role: plain}}\n  age:\n    role: quasy\nprivacy: [{MODEL}]\n",
            4,
        ),
        ("attributes:\n  age: {role: quasi\nprivacy: 3\n", 3),
        (
            f"attributes:\n  age: {{role: quasi}}\nprivacy:\n  - {MODEL}\n  - {{model: l-divers}}\n",
            5,
        ),
        ("attributes: {age: {role: quasi}}\nprivacy: [{model: k-anonymity, k: 2}]\nfoo: 1\n", 3),
    ],
)
def test_an_error_is_shown_at_its_line(text: str, line: int, tmp_path: Path) -> None:
    fault = check_plan(text, tmp_path)
    assert fault is not None
    assert str(tmp_path) not in fault.message
    assert fault.line == line


def test_a_good_plan_has_no_fault(tmp_path: Path) -> None:
    assert check_plan(PLAN, tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_a_message_without_a_place_has_no_line() -> None:
    assert line_of(PLAN, "plan.yaml: a plan is a mapping") is None
