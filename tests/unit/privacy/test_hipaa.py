"""HIPAA Safe Harbor: columns and texts as the rule wants them, and an audit that finds what breaks it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.naive import hipaa as by_hand

import heteronym as hn
from heteronym.errors import PlanError, PromiseError, UsageError
from heteronym.io.plans import make_plan, override
from heteronym.knowledge.hipaa import LISTED_TYPES, SPARSE_AREAS, shown_as
from heteronym.privacy._hipaa_audit import LISTED
from heteronym.privacy.hipaa import SafeHarbor
from heteronym.verify.audit import audit
from heteronym.verify.groups import rebuild

AS_OF = 2026
MODEL = {"model": "hipaa", "as_of": AS_OF}
COLUMNS: dict[str, Any] = {
    "id": {"role": "identifier"},
    "age": {"role": "quasi", "scale": "numeric"},
    "born": {"role": "quasi", "scale": "date"},
    "zip": {"role": "quasi", "recode": "prefix"},
    "admitted": {"role": "sensitive", "scale": "date"},
    "city": {"role": "quasi"},
    "state": {"role": "quasi"},
    "first_name": {"role": "plain"},
    "ill": {"role": "sensitive"},
}


def preset(columns: dict[str, Any], *models: dict[str, Any], **more: Any) -> Any:
    plan = make_plan({"attributes": columns, "privacy": list(models) or [MODEL], **more})
    return override(plan, {"preset": "hipaa-safe-harbor"})


def people(seed: int, rows: int = 60) -> pl.DataFrame:
    rng = np.random.default_rng(seed)

    def pick(values: list[Any], lacking: float = 0.1) -> list[Any]:
        return [
            None if rng.random() < lacking else values[int(rng.integers(len(values)))] for _ in range(rows)
        ]

    days = [f"{y}-{m:02}-{d:02}" for y in range(1915, 2025, 7) for m in (1, 12) for d in (1, 31)]
    zips = ["02139", "03601", "601", "2138", "90210-1234", "021391234", "82100", "K1A 0B1", "893991111"]
    return pl.DataFrame(
        {
            "id": [str(n) for n in range(rows)],
            "age": pick(list(range(0, 111, 3))),
            "born": pick(days),
            "zip": pick(zips),
            "admitted": pick(days),
            "city": pick(["Boston", "Reno"]),
            "state": pick(["MA", "NV"], 0),
            "first_name": pick(["Ann", "Bob"]),
            "ill": pick(["flu", "gout"], 0),
        },
        schema_overrides={"age": pl.Int64},
    )


@pytest.mark.parametrize("seed", range(4))
def test_columns_are_what_one_would_make_by_hand(seed: int) -> None:
    frame = people(seed)
    release = hn.anonymize(frame, preset(COLUMNS))
    assert release.verdict.holds
    rows, out = frame[release.source_row.tolist()], release.data
    assert out.columns == ["age", "born", "zip", "admitted", "state", "ill"]
    assert out["age"].cast(pl.String).to_list() == [by_hand.age(v) for v in rows["age"]]
    assert out["zip"].to_list() == [by_hand.area(v) for v in rows["zip"]]
    for name in ("born", "admitted"):
        assert out[name].to_list() == [by_hand.year(v, AS_OF) for v in rows[name]]
    assert out["state"].to_list() == rows["state"].to_list()


def test_years_of_birth_as_numbers_are_pooled_and_months_go() -> None:
    frame = pl.DataFrame({"year_of_birth": [1920, 1936, 1937, None], "month_of_birth": [1, 2, 3, 4]})
    columns = {name: {"role": "quasi", "scale": "numeric"} for name in frame.columns}
    out = hn.anonymize(frame, preset(columns)).data
    assert out.columns == ["year_of_birth"]
    assert sorted(out["year_of_birth"], key=str) == ["1936 or less", "1936 or less", "1937", None]
    plain = make_plan({"attributes": columns, "privacy": [MODEL]})
    with pytest.raises(PromiseError, match="years that tell an age over 89"):
        hn.anonymize(frame, plain)


def test_beside_k_anonymity_both_hold() -> None:
    plan = preset(COLUMNS, MODEL, {"model": "k-anonymity", "k": 5})
    release = hn.anonymize(people(9, 200), plan)
    assert [model.holds for model in release.verdict.models] == [True, True]
    assert release.verdict.models[1].smallest_group >= 5


def test_the_rule_takes_the_place_of_other_models_unless_it_is_named_beside_them() -> None:
    alone = preset(COLUMNS, {"model": "k-anonymity", "k": 5})
    assert [model.name for model in alone.privacy] == ["hipaa"]
    both = preset(COLUMNS, {"model": "k-anonymity", "k": 5}, MODEL)
    assert [model.name for model in both.privacy] == ["k-anonymity", "hipaa"]


def test_options_of_the_model_reach_the_columns() -> None:
    plain = make_plan(
        {"attributes": {"zip": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    )
    plan = override(plain, {"preset": "hipaa-safe-harbor", "as_of": 2010, "sparse": ["021"]})
    assert dict(plan.privacy[0].parameters) == {"as_of": 2010, "sparse": ["021"], "fit": True}
    assert hn.anonymize(pl.DataFrame({"zip": ["02139"]}), plan).data["zip"].to_list() == ["000"]


def test_an_owner_may_give_another_list_of_sparse_areas() -> None:
    plan = preset({"zip": {"role": "quasi"}}, {**MODEL, "sparse": ["021"]})
    out = hn.anonymize(pl.DataFrame({"zip": ["02139", "03601"]}), plan).data
    assert sorted(out["zip"]) == ["000", "036"]
    with pytest.raises(PlanError, match="in quotes"):
        preset({"zip": {"role": "quasi"}}, {**MODEL, "sparse": [21]})


def test_the_list_is_that_of_the_census_of_2000() -> None:
    assert list(SPARSE_AREAS) == by_hand.SPARSE
    assert len(SPARSE_AREAS) == 17


def test_the_auditor_lists_the_types_that_the_letters_name() -> None:
    assert LISTED == LISTED_TYPES


@pytest.mark.parametrize(
    ("type_", "text", "shown"),
    [
        ("DATE", "14 may 2004", "2004"),
        ("DATE", "2004-05-14", "2004"),
        ("DATE", "2004", "2004"),
        ("DATE", "may 1931", "1936 or earlier"),
        ("DATE", "1936", "1936 or earlier"),
        ("DATE", "yesterday", None),
        ("DATE", "14 may", None),
        ("AGE", "34", "34"),
        ("AGE", "93 years old", "90+ years old"),
        ("AGE", "93-year-old", "90+ year-old"),
        ("AGE", "89", "89"),
        ("AGE", "in her 90s", None),
        ("AGE", "ninety-two", None),
        ("AGE", "a teenager", "a teenager"),
        ("POSTCODE", "02139", "021"),
        ("POSTCODE", "03601", "000"),
        ("POSTCODE", "k1a 0b1", None),
        ("PERSON", "smith", None),
        ("GPE", "boston", None),
        ("HEALTH", "diabetes", "diabetes"),
    ],
)
def test_what_a_mention_is_shown_as(type_: str, text: str, shown: str | None) -> None:
    assert shown_as(type_, text, until=AS_OF - 90) == shown


NOTES = [
    "Seen on March 3, 2024. She is 34 years old, phone 617-555-0188.",
    "93 year old man, admitted 2024-03-15. MRN 4455667.",
    "Her mother died at 95 in 1987. John Smith called.",
    "Mail: jo@example.com, ZIP 90210, diabetes since 2010.",
    "Born 12 May 1930, now 94 years old, in Boston.",
]


def noted(notes: list[str]) -> Any:
    frame = pl.DataFrame({"id": list("abcde")[: len(notes)], "note": notes})
    return hn.anonymize(frame, preset({"id": {"role": "identifier"}, "note": {"role": "text"}}))


def test_texts_keep_years_and_what_is_not_listed() -> None:
    release = noted(NOTES)
    out = [release.data["note"][release.source_row.tolist().index(row)] for row in range(len(NOTES))]
    assert out == [
        "Seen in 2024. She is 34 years old, phone [PHONE].",
        "90+ year old man, admitted 2024. MRN [CODE].",
        "Her mother died at 90+ in 1987. [PERSON] called.",
        "Mail: [MAIL], ZIP 902, diabetes since 2010.",
        "Born 1936 or earlier, now 90+ years old, in [GPE].",
    ]


def test_what_no_recognizer_found_is_masked_by_the_audit() -> None:
    frame = pl.DataFrame({"id": ["a", "b"], "note": ["Seen 2024-03-15 again.", "Aged 97, SSN 123-45-6789."]})
    columns = {"id": {"role": "identifier"}, "note": {"role": "text"}}
    out = hn.anonymize(frame, preset(columns, text={"model": "none"}))
    text = " ".join(out.data["note"])
    assert out.verdict.holds
    assert not any(told in text for told in ("2024-03", "97", "6789"))


@pytest.mark.parametrize(
    ("column", "cell", "what"),
    [
        ("born", "1990-03", "dates finer than a year"),
        ("born", "1990-03-04", "dates finer than a year"),
        ("born", "1990-Q2", "dates finer than a year"),
        ("born", "1931", "years that tell an age over 89"),
        ("born", "[1931-1950]", "years that tell an age over 89"),
        ("age", "91", "ages over 89"),
        ("age", "[85-93]", "ages over 89"),
        ("age", "95+", "ages over 89"),
        ("zip", "02139", "ZIP codes"),
        ("zip", "0213", "ZIP codes"),
        ("zip", "036", "ZIP codes"),
        ("zip", "{021,036}", "ZIP codes"),
        ("ill", "flu since 3/4/2024", "dates finer than a year"),
        ("ill", "since May 2004", "dates finer than a year"),
        ("ill", "call (617) 555-0188", "telephone numbers"),
        ("ill", "jo@example.com", "mail addresses"),
        ("ill", "123-45-6789", "social security"),
        ("ill", "see www.example.com", "web addresses"),
        ("ill", "from 10.1.2.20", "IP addresses"),
        ("ill", "a 93-year-old", "ages over 89"),
        ("ill", "Boston, MA 02139", "ZIP codes"),
    ],
)
def test_the_audit_finds_a_cell_that_was_tampered_with(column: str, cell: str, what: str) -> None:
    good = {
        "age": ["90+", "34"],
        "born": ["1936 or earlier", "1990"],
        "zip": ["000", "{,021}"],
        "ill": ["flu"] * 2,
    }
    plan = preset({name: COLUMNS[name] for name in good})
    model = SafeHarbor(AS_OF)
    assert model.audit(rebuild(pl.DataFrame(good), plan)).holds
    assert audit(pl.DataFrame(good), plan).holds  # whoever has only the release
    told = model.audit(rebuild(pl.DataFrame(good | {column: [cell, good[column][1]]}), plan))
    assert told.holds is False
    assert what in told.detail
    assert f"in '{column}'" in told.detail


@pytest.mark.parametrize(
    "cell",
    [
        "flu",
        "2004",
        "[2001-2012]",
        "1990s",
        "120/80 mmHg",
        "20/40",
        "v1.2.10.3.4",
        "1,234.56",
        "ICD 10.1",
        "may 2 pills",
    ],
)
def test_the_audit_lets_other_figures_stand(cell: str) -> None:
    plan = preset({"ill": {"role": "plain"}})
    assert SafeHarbor(AS_OF).audit(rebuild(pl.DataFrame({"ill": [cell]}), plan)).holds


def test_a_tampered_release_is_found_out_without_the_originals(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(people(3).drop("first_name").write_csv())
    columns = {name: said for name, said in COLUMNS.items() if name != "first_name"}
    folder = tmp_path / "release"
    hn.anonymize(tmp_path / "people.csv", preset(columns), output=folder)
    assert hn.verify(folder).holds
    data, facts = folder / "data.csv", json.loads((folder / "facts.json").read_text("utf-8"))
    cells = pl.read_csv(data, infer_schema=False)
    cells.with_columns(born=pl.Series(["1990-05", *cells["born"][1:]])).write_csv(data)
    facts["files"]["data.csv"] = hashlib.sha256(data.read_bytes()).hexdigest()
    (folder / "facts.json").write_text(json.dumps(facts), "utf-8")
    verdict = hn.verify(folder)
    assert verdict.holds is False
    assert any(told.holds is False and "dates finer than a year" in told.detail for told in verdict.models)


def test_a_plain_column_with_dates_becomes_years_under_the_preset_and_is_refused_without() -> None:
    frame = pl.DataFrame({"sex": ["f", "m"], "seen": ["2024-03-15", "2024-04-01"]})
    columns = {"sex": {"role": "quasi"}, "seen": {"role": "plain"}}
    assert hn.anonymize(frame, preset(columns)).data["seen"].to_list() == ["2024", "2024"]
    with pytest.raises(PromiseError, match="dates finer than a year: 2 in 'seen'"):
        hn.anonymize(frame, make_plan({"attributes": columns, "privacy": [MODEL]}))


def test_terms_by_rule_need_the_rule() -> None:
    frame = pl.DataFrame({"note": ["in Rome", "in Rome"]})
    plan = {
        "attributes": {"note": {"role": "text"}},
        "text": {"model": "none", "patterns": {"GPE": "Rome"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "recode": {"terms": "hipaa"},
    }
    with pytest.raises((PlanError, UsageError), match="needs the model hipaa"):
        hn.anonymize(frame, plan)
