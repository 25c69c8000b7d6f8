"""Models about sensitive values and presets, from the command line."""

from __future__ import annotations

import random
from typing import Any

import pytest

RNG = random.Random(3)
ROWS = "".join(
    f"{RNG.randint(20, 60)},{RNG.choice('fm')},{RNG.choice(['flu', 'gout', 'cold'])}\n" for _ in range(60)
)
DATA = "age,sex,ill\n" + ROWS


def plan(*models: dict[str, Any]) -> dict[str, Any]:
    return {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric"},
            "sex": {"role": "quasi"},
            "ill": {"role": "sensitive"},
        },
        "privacy": [{"model": "k-anonymity", "k": 2}, *models],
    }


def test_a_missing_model_is_said_on_the_terminal_in_the_report_and_in_the_facts(desk: Any) -> None:
    at = desk(DATA, plan())
    outcome = at.anonymize()
    assert outcome.exit_code == 0
    assert "remark: no model is about the sensitive column 'ill'" in outcome.out
    assert "no model is about the sensitive column" in (at.release / "report.html").read_text()
    assert "no model is about the sensitive column" in (at.release / "facts.json").read_text()


def test_l_is_an_option_and_verify_holds_the_release_against_it(desk: Any) -> None:
    at = desk(DATA, plan({"model": "l-diversity", "l": 2}))
    outcome = at.anonymize("--l", 3, "--json")
    assert [m["parameters"].get("l") for m in outcome.json["verdict"]["models"]] == [None, 3]
    assert at.verify().exit_code == 0
    written = at.release / "plan.yaml"
    written.write_text(written.read_text().replace("l: 3", "l: 4"))
    assert at.verify().exit_code == 1


def test_a_policy_can_be_named(desk: Any) -> None:
    at = desk(DATA, plan())
    outcome = at.anonymize("--preset", "ema-0.09", "--json")
    assert outcome.json["verdict"]["models"][0]["smallest_group"] >= 11
    assert desk(DATA, plan()).anonymize("--preset", "ema").exit_code == 2


def test_safe_harbor_is_a_preset(desk: Any) -> None:
    at = desk(DATA, plan())
    outcome = at.anonymize("--preset", "hipaa-safe-harbor", "--json")
    assert outcome.exit_code == 0
    assert outcome.json["verdict"]["models"][0]["model"] == "hipaa"
    assert outcome.json["verdict"]["holds"]


CODES = {
    "one value": ({"model": "l-diversity", "l": 2}, DATA.replace("gout", "flu").replace("cold", "flu"), 2),
    "out of reach": ({"model": "l-diversity", "l": 3, "kind": "entropy"}, DATA.replace("gout", "flu"), 2),
    "too uneven": ({"model": "alpha-k-anonymity", "alpha": 0.2, "k": 2}, DATA, 1),
}


@pytest.mark.parametrize("case", CODES)
def test_what_cannot_be_reached_ends_with_its_code_and_leaves_nothing(case: str, desk: Any) -> None:
    model, data, code = CODES[case]
    at = desk(data, plan(model))
    assert at.anonymize().exit_code == code
    assert at.left_behind() == []
