"""Presets put a policy's figures into a plan."""

from __future__ import annotations

from typing import Any

import pytest

from heteronym.errors import UsageError
from heteronym.io.plans import make_plan, override
from heteronym.io.presets import preset_names, read_preset

BASE: dict[str, Any] = {"attributes": {"age": {"role": "quasi"}, "ill": {"role": "sensitive"}}}


def privacy(*models: dict[str, Any], **options: Any) -> list[dict[str, Any]]:
    plan = override(make_plan({**BASE, "privacy": list(models)}), {"preset": "ema-0.09", **options})
    return [{"model": model.name, **model.parameters} for model in plan.privacy]


def test_the_agencys_risk_is_eleven_persons() -> None:
    assert privacy({"model": "k-anonymity", "k": 2}) == [{"model": "k-anonymity", "k": 11}]
    assert round(1 / 11, 2) == 0.09


def test_a_plan_without_k_gets_k_anonymity_beside_its_models() -> None:
    models = privacy({"model": "l-diversity", "l": 3})
    assert models == [{"model": "k-anonymity", "k": 11}, {"model": "l-diversity", "l": 3}]


def test_an_option_of_its_own_is_stronger() -> None:
    assert privacy({"model": "k-anonymity", "k": 2}, k=20) == [{"model": "k-anonymity", "k": 20}]


def test_an_unknown_preset_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"ema-0\.09"):
        override(make_plan({**BASE, "privacy": [{"model": "k-anonymity", "k": 2}]}), {"preset": "ema-0.9"})


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_says_what_it_asks_for(name: str) -> None:
    assert set(read_preset(name)) in ({"about", "k"}, {"about", "model"})


def test_an_option_that_is_a_number_for_one_part_and_a_word_for_another_fits_both() -> None:
    items = {"age": {"role": "quasi"}, "codes": {"role": "items", "separator": " "}}
    for model, given, kept in (("kkm-anonymity", "1", 1), ("joint", "3", 3), ("joint", "all", "all")):
        plan = make_plan({"attributes": items, "privacy": [{"model": model, "k": 2, "m": 2}]})
        assert override(plan, {"m": given}).privacy[0].parameters["m"] == kept
