"""Own values in texts, from the data to the release: what follows what, what is mended, what is no reason."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym import mending
from heteronym.errors import PromiseError
from heteronym.text.own_values import OwnValues


def released(columns: dict[str, list[Any]], attributes: dict[str, Any], **plan: Any) -> hn.Release:
    given = {
        "attributes": {name: {"role": "text"} if name == "note" else attributes[name] for name in columns},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "text": {"model": "none"},
    }
    return hn.anonymize(pl.DataFrame(columns), given | plan)


AGE = {"role": "quasi", "scale": "numeric", "entities": ["AGE"]}
NAME = {"role": "identifier"}


def notes_of(release: hn.Release) -> set[str]:
    return set(release.data["note"].to_list())


def test_an_identifier_never_stays_whatever_the_group_shares() -> None:
    names = ["Bill Bishop", "Bill Bishop", "Ana Okafor", "Ana Okafor"]
    found = released(
        {"name": names, "age": [30, 30, 31, 31], "note": [f"pt {n.lower()} seen" for n in names]},
        {"name": NAME, "age": AGE},
        text={"model": "none", "patterns": {"PERSON": "(?i)bill bishop|ana okafor"}},
    )
    assert notes_of(found) == {"pt [PERSON] seen"}


def test_what_is_allowed_is_masked_all_the_same_if_it_is_the_persons_own() -> None:
    found = released(
        {"name": ["Okafor"] * 2, "age": [30, 30], "note": ["Okafor came", "x"]},
        {"name": NAME, "age": AGE},
        text={"model": "none", "allow": ["Okafor"]},
    )
    assert notes_of(found) == {"[PERSON] came", "x"}


def test_an_item_in_a_text_follows_the_label_of_the_item() -> None:
    columns = {
        "drugs": ["Qwerin Xylofen", "Qwerin Zomba", "Qwerin Xylofen", "Qwerin Zomba"],
        "note": ["I take Xylofen daily", "zomba and Qwerin", "fine", "none"],
    }
    found = released(
        columns,
        {"drugs": {"role": "items", "separator": " ", "entities": ["PRODUCT"]}},
        privacy=[{"model": "kkm-anonymity", "k": 3, "m": 2}, {"model": "k-anonymity", "k": 2}],
    )
    assert set(found.data["drugs"]) == {"(Xylofen,Zomba) Qwerin"}
    label = "(Xylofen,Zomba)"
    assert notes_of(found) == {f"I take {label} daily", f"{label} and Qwerin", "fine", "none"}


def test_what_the_producer_misses_is_mended_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OwnValues, "find", lambda self, text: [])
    columns = {
        "name": ["Bill Bishop", "Ana Okafor", "Ivo Petrov", "Mei Haddad"],
        "age": [30, 31, 40, 41],
        "note": ["Bishop, 30, came", "an 31 year old", "see Petrov", "nothing"],
    }
    found = released(columns, {"name": NAME, "age": AGE})
    labels = {"[30-31]", "[40-41]"}
    assert set(found.data["age"]) == labels
    assert notes_of(found) == {"[VALUE], [30-31], came", "a [30-31] year old", "see [VALUE]", "nothing"}
    assert found.facts["data"]["mended_rounds"] == 1
    assert found.facts["data"]["mended_masked"] >= 3


def test_what_masking_does_not_mend_goes_with_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OwnValues, "find", lambda self, text: [])
    monkeypatch.setattr(mending, "mended", lambda *given: None)
    notes = ["Bishop came. All was well.", "All was well."]
    found = released(
        {"name": ["Bill Bishop", "Ana Okafor"], "age": [30, 31], "note": notes}, {"name": NAME, "age": AGE}
    )
    assert notes_of(found) == {"All was well."}
    assert found.facts["data"]["mended_sentences"] >= 1


def test_a_refusal_tells_where_and_not_what(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OwnValues, "find", lambda self, text: [])
    monkeypatch.setattr(mending, "_LEAST", ())
    columns = {"name": ["Bill Bishop", "Ana Okafor"], "age": [30, 31], "note": ["Bishop came", "x"]}
    with pytest.raises(PromiseError, match=r"1 of 'name', released row 1") as told:
        released(columns, {"name": NAME, "age": AGE})
    assert "Bishop" not in str(told.value)


def test_a_label_that_is_its_value_is_no_residue() -> None:
    columns = {"age": [36, 36, 36], "note": ["a 36-year-old", "36F", "36 years"]}
    assert notes_of(released(columns, {"age": AGE})) >= {"a 36-year-old"}


def test_a_plain_cell_that_equals_a_kept_term_is_no_reason_to_refuse() -> None:
    columns = {"age": [30, 31], "town": ["Berlin", "Ulm"], "note": ["in Berlin", "at Berlin"]}
    found = released(
        columns,
        {"age": AGE, "town": {"role": "plain"}},
        text={"model": "none", "patterns": {"GPE": "Berlin"}},
    )
    assert notes_of(found) == {"in Berlin", "at Berlin"}


@pytest.mark.parametrize("other", ["St Luke’s", "St Luke's.", "ST LUKE'S", "St Luke\u2019s."])
def test_spellings_of_one_term_are_one_term(other: str) -> None:
    found = released(
        {"age": [30, 31], "note": ["at St Luke's", f"by {other}"]},
        {"age": AGE},
        text={"model": "none", "patterns": {"ORG": "(?i)St Luke['’]s\\.?"}},
    )
    assert notes_of(found) == {"at St Luke's", f"by {other}"}


@pytest.mark.parametrize(("one", "other"), [("Zürich", "Zu\u0308rich"), ("Stoke-on", "Stoke\u2010on")])
def test_encodings_of_one_term_are_one_term(one: str, other: str) -> None:
    found = released(
        {"age": [30, 31], "note": [f"in {one}", f"to {other}"]},
        {"age": AGE},
        text={"model": "none", "patterns": {"GPE": f"{one}|{other}"}},
    )
    assert notes_of(found) == {f"in {one}", f"to {other}"}


@pytest.mark.parametrize("age", [8, 11, 18, 80, 17, 36])
def test_the_article_does_not_tell(age: int) -> None:
    columns = {"age": [age, age + 1], "note": [f"an {age} year old", f"a {age + 1} year old"]}
    notes = notes_of(released(columns, {"age": AGE}))
    assert len(notes) == 1, "both are told alike"
    assert f"[{age}-{age + 1}] year old" in notes.pop()


@pytest.mark.parametrize("word", ["Mark Long", "May", "C++", "N.Y.", "R"])
def test_what_the_owner_denies_is_masked_whatever_it_is_made_of(word: str) -> None:
    found = released(
        {"age": [30, 31], "note": [f"so {word} it is", "x"]},
        {"age": AGE},
        text={"model": "none", "deny": [word]},
    )
    assert word not in " ".join(notes_of(found))
    assert any("[DENIED]" in note for note in notes_of(found))


def test_a_denied_name_is_found_in_paths_and_camels() -> None:
    found = released(
        {"age": [30, 31], "note": ["/x/Pedro%20Gomez/thePedroGomezShow", "x"]},
        {"age": AGE},
        text={"model": "none", "deny": ["Pedro Gomez"]},
    )
    assert notes_of(found) == {"/x/[DENIED]/[DENIED]", "x"}
