"""What is refused names columns, counts and what may help; the owner gets the list, `--json` its object."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from heteronym import mending
from heteronym.text.own_values import OwnValues
from tests.conftest import PEOPLE_PLAN

NOTES = "name,age,note\nBill Bishop,30,Bishop came. He left.\nAna Okafor,31,Okafor came. Fine.\n"
PLAN = {
    "attributes": {
        "name": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric"},
        "note": {"role": "text"},
    },
    "privacy": [{"model": "k-anonymity", "k": 2}],
    "text": {"model": "none"},
}


@pytest.fixture
def at(desk: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A desk whose own names are not found by the scan, and are not mended either."""
    monkeypatch.setattr(OwnValues, "find", lambda self, text: [])
    monkeypatch.setattr(mending, "_LEAST", ())
    return desk(NOTES, PLAN)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_message_names_columns_counts_and_what_may_help(at: Any) -> None:
    outcome = at.anonymize()
    assert outcome.exit_code == 1
    assert "2 places in 'note' of 2 persons" in outcome.err
    assert "text.deny" in outcome.err
    assert "Bishop" not in outcome.err


def test_the_owner_gets_rows_places_and_terms_for_nobody_else_to_read(at: Any) -> None:
    at.anonymize("--private", at.folder / "own")
    path = at.folder / "own" / "refused.jsonl"
    reason, *places = lines_of(path)
    assert reason["refused"].endswith("Nothing was released")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [(one["row"], one["column"], one["start"], one["end"], one["term"]) for one in places] == [
        (0, "note", 0, 6, "Bishop"),
        (1, "note", 0, 6, "Okafor"),
    ]


def test_json_has_an_object_also_when_refused(at: Any) -> None:
    outcome = at.anonymize("--json")
    told = json.loads(outcome.out)
    assert (outcome.exit_code, told["error"]["code"], told["error"]["exit_code"]) == (1, "promise", 1)
    assert told["verdict"]["holds"] is False
    assert "Bishop" not in outcome.out


def test_json_has_an_object_for_a_plan_that_cannot_be_read(desk: Any) -> None:
    at = desk(NOTES, "attributes: [")
    outcome = at.anonymize("--json")
    assert (outcome.exit_code, json.loads(outcome.out)["error"]["code"]) == (2, "plan")


def test_a_group_that_is_too_small_is_listed_row_by_row(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    from heteronym.model.partition import Partition
    from heteronym.partition.mondrian import Mondrian

    def alone(self: Any, view: Any, models: Any, rng: Any) -> Partition:
        return Partition(np.arange(view.persons, dtype=np.int32))

    monkeypatch.setattr(Mondrian, "partition", alone)
    at = desk()
    outcome = at.anonymize("--private", at.folder / "own", "--method", "mondrian")
    assert "4 persons in groups that are too small" in outcome.err
    assert "a smaller k of k-anonymity" in outcome.err
    _, *places = lines_of(at.folder / "own" / "refused.jsonl")
    assert sorted((one["row"], one["model"]) for one in places) == [(n, "k-anonymity") for n in range(4)]


UNEVEN = "age,sex,note\n31,m,a\n32,f,b\n47,m,c\n48,m,d\n"
IMPOSSIBLE = {
    "attributes": {
        "age": {"role": "quasi", "scale": "numeric"},
        "sex": {"role": "sensitive"},
        "note": {"role": "plain"},
    },
    "privacy": [{"model": "l-diversity", "l": 2, "attribute": "sex", "kind": "entropy"}],
}


def test_what_is_impossible_leaves_its_reason_too(desk: Any) -> None:
    at = desk(UNEVEN, IMPOSSIBLE)
    outcome = at.anonymize("--private", at.folder / "own")
    assert outcome.exit_code == 1
    [reason] = lines_of(at.folder / "own" / "refused.jsonl")
    assert reason["refused"] in outcome.err


def test_a_release_takes_the_place_of_an_earlier_refusal(desk: Any) -> None:
    at = desk(UNEVEN, IMPOSSIBLE)
    own = at.folder / "own"
    at.anonymize("--private", own)
    assert (own / "refused.jsonl").is_file()
    at.plan(PEOPLE_PLAN)
    assert at.anonymize("--private", own).exit_code == 0
    assert not (own / "refused.jsonl").exists()


def test_too_many_texts_to_empty_says_which_share_would_do(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OwnValues, "find", lambda self, text: [])
    monkeypatch.setattr(mending, "_LEAST", (mending.PERSON,))
    at = desk(NOTES, {**PLAN, "release": {"suppress_texts_up_to": 0.0}})
    outcome = at.anonymize()
    assert outcome.exit_code == 1
    assert "all texts of 2 of 2 persons" in outcome.err
    assert "release.suppress_texts_up_to: 1" in outcome.err


K_AND_L = [{"model": "k-anonymity", "k": 2}, {"model": "l-diversity", "l": 5, "attribute": "ill"}]
DEMANDS = {
    "k = 9 is larger": [{"model": "k-anonymity", "k": 9}],
    "different values of 'ill'": K_AND_L,
    "no grouping reaches alpha": [{"model": "alpha-k-anonymity", "k": 2, "alpha": 0.01, "attribute": "ill"}],
}


@pytest.mark.parametrize("said", DEMANDS)
def test_what_is_impossible_comes_with_a_change_that_was_tried_and_does_it(desk: Any, said: str) -> None:
    rows = "".join(f"{20 + n},{'flu' if n % 2 else 'cold'}\n" for n in range(8))
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "ill": {"role": "sensitive"}},
        "privacy": DEMANDS[said],
    }
    outcome = desk("age,ill\n" + rows, plan).anonymize()
    assert outcome.exit_code
    assert said in outcome.err
    [(change, model)] = re.findall(r"would do: (\w: \d+|alpha: [\d.]+) of ([\w-]+)", outcome.err)
    name, value = change.split(": ")
    number = float(value) if "." in value else int(value)
    easier = [{**one, name: number} if one["model"] == model else one for one in DEMANDS[said]]
    assert desk("age,ill\n" + rows, {**plan, "privacy": easier}).anonymize().exit_code == 0
