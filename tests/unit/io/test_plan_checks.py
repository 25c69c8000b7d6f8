"""Nothing in a plan is ignored silently, and no proposal leads to a weaker promise."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.errors import PlanError
from heteronym.io.plan_checks import APPLIES, check_listed
from heteronym.io.plan_yaml import parse_yaml
from heteronym.io.plans import make_plan
from heteronym.io.tables import from_frame
from heteronym.model.schema import Role
from heteronym.pipeline import make_dataset
from heteronym.registry import privacy_models
from heteronym.text.recognizers import patterns as room
from heteronym.text.recognizers.patterns import Patterns


def plan(**changes: Any) -> dict[str, Any]:
    return {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "note": {"role": "text"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        **changes,
    }


def with_attribute(**settings: Any) -> dict[str, Any]:
    return plan(attributes={"age": {"role": "quasi"}, "odd": settings})


IDLE = {
    "a scale of a text": {"role": "text", "scale": "numeric"},
    "a separator of a quasi": {"role": "quasi", "separator": ","},
    "sensitive of a quasi": {"role": "quasi", "sensitive": ["x"]},
    "a weight of a plain": {"role": "plain", "weight": 2.0},
    "entities of a plain": {"role": "plain", "entities": ["AGE"]},
    "a hierarchy of an identifier": {"role": "identifier", "hierarchy": "h.csv"},
    "an order of a number": {"role": "quasi", "scale": "numeric", "order": ["1", "2"]},
    "a format of a number": {"role": "quasi", "scale": "numeric", "format": "%Y"},
    "an order with a value twice": {"role": "quasi", "scale": "ordinal", "order": ["a", "b", "a"]},
}


@pytest.mark.parametrize("case", IDLE)
def test_a_key_that_does_not_apply_is_refused_by_its_place(case: str) -> None:
    with pytest.raises(PlanError, match=r"attributes\.odd\."):
        make_plan(with_attribute(**IDLE[case]))


def test_every_role_says_which_keys_apply() -> None:
    assert {role.value for role in Role} <= set(APPLIES)


@pytest.mark.parametrize(
    "changes",
    [
        {"text": {"entities": ["PERSN"]}},
        {"text": {"direct": ["MAIL", "PHON"]}},
        {"attributes": {"age": {"role": "quasi", "entities": ["AGES"]}, "note": {"role": "text"}}},
    ],
)
def test_a_type_that_nobody_knows_is_refused_with_the_nearest(changes: dict[str, Any]) -> None:
    with pytest.raises(PlanError, match=r"no type '\w+'\. Did you mean '(PERSON|PHONE|AGE)'"):
        make_plan(plan(**changes))


def test_a_plan_may_bring_types_of_its_own() -> None:
    own = {"patterns": {"TEAM": "Reds|Blues"}, "entities": ["TEAM", "PERSON"]}
    assert make_plan(plan(text=own)).text.entities == ("TEAM", "PERSON")


def test_a_language_that_nobody_reads_is_refused() -> None:
    with pytest.raises(PlanError, match=r"nothing reads 'de'.*spaCy"):
        make_plan(plan(text={"language": "de"}))
    assert make_plan(plan(text={"language": "de", "model": "none"})).text.language == "de"
    without = plan(attributes={"age": {"role": "quasi"}}, text={"language": "de"})
    assert make_plan(without).text.language == "de"


@pytest.mark.parametrize("role", ["private", "plan", "hidden", "secret"])
def test_no_role_that_releases_is_proposed_for_what_is_far_from_it(role: str) -> None:
    with pytest.raises(PlanError) as refused:
        make_plan(with_attribute(role=role))
    assert ("Did you mean 'plain'" in str(refused.value)) == (role == "plan")


@pytest.mark.parametrize(
    ("name", "never"), [("l-diversity2", "lm-"), ("kkm2-anonymity", "k-anon"), ("m-anonymity", "k")]
)
def test_no_weaker_model_is_proposed(name: str, never: str) -> None:
    if name in privacy_models.names():
        pytest.skip("there is one of this name")
    with pytest.raises(PlanError) as refused:
        make_plan(plan(privacy=[{"model": name, "k": 2}]))
    assert f"Did you mean '{never}" not in str(refused.value)


def test_diversity_of_items_needs_sensitive_items() -> None:
    content = plan(
        attributes={"codes": {"role": "items", "separator": " "}, "pay": {"role": "sensitive"}},
        privacy=[{"model": "lm-diversity", "k": 2, "l": 2, "m": 1}],
    )
    with pytest.raises(PlanError, match="no items column names any"):
        make_plan(content)


def dataset(frame: pl.DataFrame, attributes: dict[str, Any]) -> Any:
    made = make_plan({"attributes": attributes, "privacy": [{"model": "k-anonymity", "k": 2}]})
    return make_dataset(from_frame(frame)[0], made)


@pytest.mark.parametrize("kind", ["text", "json", "list"])
def test_a_sensitive_item_that_never_occurs_is_refused_by_its_place(kind: str) -> None:
    lists = [["A", "HIV"], ["B"], ["A"], ["B"]]
    cells: Any = {
        "text": [" ".join(entry) for entry in lists],
        "json": [str(entry).replace("'", '"') for entry in lists],
        "list": lists,
    }[kind]
    frame = pl.DataFrame({"age": [1, 1, 2, 2], "codes": cells})
    settings: dict[str, Any] = {"role": "items", "sensitive": ["B", "HIV"]}
    settings |= {"separator": " "} if kind == "text" else {}
    assert dataset(frame, {"age": {"role": "quasi"}, "codes": settings}).rows == 4
    with pytest.raises(PlanError, match=r"codes\.sensitive: entry 2 of 2") as refused:
        dataset(frame, {"age": {"role": "quasi"}, "codes": {**settings, "sensitive": ["B", "AIDS"]}})
    assert "AIDS" not in str(refused.value)


def test_a_value_of_an_order_that_never_occurs_is_told() -> None:
    frame = pl.DataFrame({"size": ["s", "m", "s", "m"]})
    ordinal = {"role": "quasi", "scale": "ordinal", "order": ["s", "m", "l"]}
    assert check_listed(dataset(frame, {"size": ordinal})) == [
        "attributes.size.order: entry 3 never occurs in the data"
    ]


NAMES = ["Ann Stone", "Bob Wood", "Cleo Field", "Dan Hill"] * 5
REPEATS: dict[str, tuple[list[Any], bool]] = {
    "the same": (NAMES, True),
    "in other capitals": ([name.upper() for name in NAMES], True),
    "inside a cell": ([f"{name} (mother)" for name in NAMES], True),
    "in a few rows": ([name if n in (3, 9) else "x" for n, name in enumerate(NAMES)], True),
    "something else": (["x", "y"] * 10, False),
    "another's": ([NAMES[n - 1] for n in range(20)], False),
    "missing": ([None] * 20, False),
}


@pytest.mark.parametrize("role", ["plain", "sensitive"])
@pytest.mark.parametrize("case", REPEATS)
def test_a_column_that_repeats_an_identifier_is_not_released_as_it_is(case: str, role: str) -> None:
    cells, refused = REPEATS[case]
    frame = pl.DataFrame({"name": NAMES, "odd": pl.Series(cells, dtype=pl.String), "age": [1, 2] * 10})
    attributes = {"name": {"role": "identifier"}, "odd": {"role": role}, "age": {"role": "quasi"}}
    if not refused:
        assert dataset(frame, attributes).rows == 20
        return
    with pytest.raises(PlanError, match="repeats the identifier 'name' in row") as told:
        dataset(frame, attributes)
    assert "Stone" not in str(told.value)


@pytest.mark.parametrize(
    ("keys", "cells", "refused"),
    [
        (["S-1001", "S-1002", "S-1003"], ["S1001", "s1002", "S 1003"], "repeats"),
        (["S-1001", "S-1002", "S-1003"], ["x", "s1002", "y"], "repeats"),
        (["00017", "00018", "00020"], ["17", "18", "20"], "repeats"),
        (["1", "2", "3"], ["1", "2", "3"], "repeats"),
        (["17", "18", "19"], ["17.0", "18.0", "19.0"], "repeats"),
        (["Zoë Field", "Bob Wood", "Dan Hill"], ["ZOE FIELD", "", "x"], "repeats"),
        (["S-1001", "S-1002", "S-1003"], ["S1003", "S1003", "S1001"], "of others"),
        (["1", "2", "3"], ["3", "1", "2"], ""),
        (["5", "6", "7"], ["5", "1", "2"], ""),
        (["S-1001", "S-1002", "S-1003"], ["T1001", "x", "1"], ""),
    ],
)
def test_an_identifier_in_other_writing_is_not_released_at_any_number_of_rows(
    keys: list[str], cells: list[str], refused: str
) -> None:
    frame = pl.DataFrame({"key": keys, "copy": cells, "age": [1, 1, 2]})
    attributes = {"key": {"role": "identifier"}, "copy": {"role": "plain"}, "age": {"role": "quasi"}}
    if not refused:
        assert dataset(frame, attributes).rows == 3
        return
    with pytest.raises(PlanError, match=refused) as told:
        dataset(frame, attributes)
    assert "Give it role identifier" in str(told.value)
    assert not any(cell in str(told.value) for cell in cells if len(cell) > 3)


def test_small_numbers_that_agree_by_chance_are_no_repetition() -> None:
    frame = pl.DataFrame(
        {"id": list(range(1, 201)), "count": [n % 7 for n in range(200)], "age": [1, 2] * 100}
    )
    attributes = {"id": {"role": "identifier"}, "count": {"role": "plain"}, "age": {"role": "quasi"}}
    assert dataset(frame, attributes).rows == 200


# --- robust ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 5000 + "]" * 5000,
        "a: " + "{b: " * 5000 + "1" + "}" * 5000,
        "\n".join(["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40))]),
        "a: &a [*a]",
    ],
    ids=["lists", "mappings", "aliases of aliases", "an alias of itself"],
)
def test_yaml_that_unfolds_without_end_is_refused(text: str) -> None:
    with pytest.raises(PlanError, match="nested too deeply"):
        parse_yaml(text, "plan.yaml")


def test_an_alias_is_fine() -> None:
    assert parse_yaml("a: &a {role: quasi}\nb: *a", "plan.yaml") == {
        "a": {"role": "quasi"},
        "b": {"role": "quasi"},
    }


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|aa)+$b", "(.*a){12}b", "([a-z]+)*[0-9]"])
def test_a_pattern_that_would_never_end_is_refused(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_SECONDS", 0.2)
    with pytest.raises(PlanError, match=r"text\.patterns\.JOB: took more than"):
        Patterns({"JOB": pattern}).recognize(["a" * 5000 + "!"])


def test_patterns_are_read_as_re_reads_them() -> None:
    import re

    texts = ["Ann's 3 cats, Bob & 12 dogs", "ÄÖ ß 7", "", "a\nb"]
    for pattern in (
        r"\d+",
        r"[A-Z]\w+",
        r"(?i)ann|BOB",
        r"\b\w\b",
        r"(?m)^.",
        r"[^\W\d]+(?=')",
        r"(?P<x>\d)\d*",
    ):
        expected = [[m.span() for m in re.finditer(pattern, text)] for text in texts]
        found = [[(s.start, s.end) for s in spans] for spans in Patterns({"T": pattern}).recognize(texts)]
        assert found == expected


def test_a_draft_never_names_a_key_that_does_not_apply() -> None:
    frame = pl.DataFrame(
        {"visit_id": range(40), "age": [20, 30] * 20, "born": ["03.04.1980", "05.06.1990"] * 20}
    )
    assert make_plan(hn.profile(frame).plan)


def test_what_the_plan_lists_in_vain_is_remarked() -> None:
    frame = pl.DataFrame(
        {
            "size": ["s", "m", "s", "m"],
            "age": ["31", "32", "n/a", "32"],
            "text": ["Rome", "in Rome", "x", "y"],
        }
    )
    plan = {
        "data": {"missing": ["n/a", "unknown"]},
        "attributes": {
            "size": {"role": "quasi", "scale": "ordinal", "order": ["s", "m", "xl"]},
            "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
            "text": {"role": "text"},
        },
        "text": {
            "model": "none",
            "patterns": {"GPE": "Rome", "TEAM": "Reds"},
            "entities": ["GPE", "TEAM"],
            "direct": ["IBAN"],
        },
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    release = hn.anonymize(frame, plan)
    told = [check["detail"] for check in release.facts["verdict"]["checks"] if check["name"] == "listed"]
    assert told == [
        "attributes.size.order: entry 3 never occurs in the data",
        "data.missing: entry 2 never occurs in the data",
        "listed in the plan, and found in no text: attributes.age.entities: AGE; text.entities: TEAM; "
        "text.patterns: TEAM",
    ]
    assert release.verdict.holds is True


def test_types_for_texts_are_idle_where_there_are_none() -> None:
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    release = hn.anonymize(pl.DataFrame({"age": [1, 2, 3, 4]}), plan)
    told = [check["detail"] for check in release.facts["verdict"]["checks"] if check["name"] == "listed"]
    assert told == ["attributes.age.entities: no column has role text"]


def test_a_threshold_of_an_unknown_type_is_refused() -> None:
    plan = {
        "attributes": {"text": {"role": "text"}},
        "text": {"thresholds": {"PERSN": 0.9}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    with pytest.raises(PlanError, match="PERSON"):
        make_plan(plan)
