"""Surrogates in tables: one entity, one surrogate, in columns, rows, texts and documents; none tells more."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.surrogates.names import lists
from heteronym.surrogates.renaming import Renaming
from heteronym.surrogates.terms import revealed_by_surrogate
from heteronym.surrogates.vault import open_vault
from heteronym.verify.surrogates import tells

_ORIGINS = sorted({origin for origin, _ in lists()})[:5]
NAMES = {
    kind: [name for origin in _ORIGINS for name in lists()[origin, kind][:12]]
    for kind in ("female", "male", "surname")
}
NUMBER = re.compile(r"\[[A-Z]+ \d+\]")
# all of one origin, and of genders that are clear: groups of one sex may show their surrogates
ENGLISH = {
    kind: [name for name in lists()["english", kind] if sum(name in names for names in lists().values()) == 1]
    for kind in NAMES
}
PLAN: dict[str, Any] = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier", "entities": ["CODE"], "recode": "surrogate"},
        "name": {"role": "identifier", "entities": ["PERSON"], "recode": "surrogate"},
        "doctor": {"role": "identifier", "entities": ["PERSON"], "recode": "surrogate"},
        "age": {"role": "quasi", "scale": "numeric"},
        "sex": {"role": "quasi"},
        "note": {"role": "text"},
    },
    "text": {"model": "none"},
    "privacy": [{"model": "k-anonymity", "k": 3}],
}


def table(seed: int, persons: int = 40, *, names: dict[str, list[str]] = NAMES) -> pl.DataFrame:
    chance = random.Random(seed)
    doctors = [f"{chance.choice(names['male'])} {chance.choice(names['surname'])}" for _ in range(3)]
    rows = []
    for number in chance.sample(range(1000, 9999), persons):
        sex = chance.choice(("female", "male"))
        first, last = chance.choice(names[sex]), chance.choice(names["surname"])
        full = chance.choice((f"{first} {last}",) * 4 + (f"{last}, {first}", f"{first} {last}".upper()))
        name = None if chance.random() < 0.05 else full
        key = f"{chance.choice(('A', 'B-', 'MRN '))}{number}"
        for _ in range(chance.choice((1, 1, 2))):
            written = chance.choice((f"{first} {last}", last, first, f"{last}'s mother", last.upper()))
            note = f"Seen: {written}. File {key}; ask again."
            rows.append((key, name, chance.choice(doctors), chance.randrange(20, 80), sex, note))
    columns = ("id", "name", "doctor", "age", "sex", "note")
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    # one age for each person, so that the column is a person's
    return frame.with_columns(pl.col("age", "doctor").first().over("id"))


@pytest.mark.parametrize("seed", range(12))
def test_one_entity_has_one_surrogate_and_no_original_stands(seed: int) -> None:
    data = table(seed)
    release = hn.anonymize(data, PLAN)
    assert release.verdict.holds
    source = data[release.source_row]
    for column in ("id", "name", "doctor"):
        known = {value.lower() for value in data[column].drop_nulls()}
        called: dict[str, set[str]] = defaultdict(set)
        for old, new in zip(source[column], release.data[column], strict=True):
            assert new is None or new.lower() not in known
            if old is not None and new is not None and not new.startswith("["):
                called[old].add(new)
        assert all(len(new) == 1 for new in called.values())
        different = [next(iter(new)) for new in called.values()]
        assert len(set(different)) == len(different)
    for name, note, new in zip(source["id"], release.data["note"], release.data["id"], strict=True):
        assert name not in note
        assert new in note  # what the table calls a person, the note does, too


@pytest.mark.parametrize("seed", range(12))
def test_within_a_group_surrogates_tell_the_same_of_all(seed: int) -> None:
    data = table(seed)
    release = hn.anonymize(data, PLAN)
    source = data[release.source_row]
    groups: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    for column in ("id", "name", "doctor"):
        holders: dict[str, set[str]] = defaultdict(set)
        for key, value in zip(data["id"], data[column], strict=True):
            holders[str(value)].add(key)
        groups.clear()
        for row in range(release.data.height):
            old, new = source[column][row], release.data[column][row]
            told = "missing" if new is None else "[]" if new.startswith("[") else _told(column, old, holders)
            group = tuple(release.data[name][row] for name in ("age", "sex"))
            groups[group].add(told)
        assert all(len(told) == 1 for told in groups.values()), column
        numbers = [new for new in release.data[column] if new is not None and NUMBER.fullmatch(new)]
        persons = [k for k, new in zip(source["id"], release.data[column]) if new in set(numbers)]
        assert len(set(zip(persons, numbers))) == len(set(numbers))  # a number is one person's alone


def _told(column: str, old: str, holders: dict[str, set[str]]) -> str:
    return (
        old if len(holders[old]) > 1 else revealed_by_surrogate("CODE" if column == "id" else "PERSON", old)
    )


def test_same_key_same_surrogates_another_key_others(tmp_path: Path) -> None:
    data = table(5, names=ENGLISH)

    def made(folder: str, phrase: str) -> pl.DataFrame:
        place = tmp_path / folder
        release = hn.anonymize(data, PLAN, output=place / "r", private=place / "own", passphrase=phrase)
        shown = release.data.with_columns(pl.Series("row", release.source_row)).sort("row")
        return shown.drop("row")

    first, again, other = made("a", "one"), made("b", "one"), made("c", "two")
    assert first.equals(again)
    for column in ("name",):
        both = [(a, b) for a, b in zip(first[column], other[column]) if a is not None and a[0] != "["]
        assert both
        assert all(a != b for a, b in both)


def test_documents_and_tables_call_an_entity_alike(tmp_path: Path) -> None:
    data = table(7, names=ENGLISH)
    owner = tmp_path / "own"
    release = hn.anonymize(data, PLAN, output=tmp_path / "r", private=owner)
    source = data[release.source_row]
    shown = [(o, n) for o, n in zip(source["name"], release.data["name"]) if n is not None and n[0] != "["]
    old, new = shown[0]
    text = hn.sanitize(
        f"Then {old} came.", method="pseudonyms", private=owner, plan={"model": "none", "deny": [old]}
    )
    assert text != f"Then {old} came."
    named = hn.sanitize(
        f"Then {old} came.",
        method="pseudonyms",
        private=owner,
        plan={"model": "none", "patterns": {"PERSON": re.escape(old)}},
    )
    assert named == f"Then {new} came."


def test_what_tells_the_same_to_the_search_does_so_to_the_auditor() -> None:
    chance, renaming = random.Random(3), Renaming(open_vault({}, None))
    kinds: dict[tuple[str, str], set[str]] = defaultdict(set)
    everyone = [(origin, kind, name) for (origin, kind), names in lists().items() for name in names]
    for _ in range(6000):
        (_, _, one), (_, _, two) = chance.choice(everyone), chance.choice(everyone)
        form = chance.choice(("{0} {1}", "{1}, {0}", "{0}", "Dr {0}", "{0} van {1}", "J. {1}", "{0}-{1} {1}"))
        name = form.format(one, two)
        renaming.look_at("PERSON", name, name)
        kinds["PERSON", renaming.revealed_by_surrogate("PERSON", name, name)].add(tells("PERSON", name))
    for _ in range(2000):
        shape = chance.choice(("MRN ######", "AB ###", "x##-Y##", "+44 #### ####", "######"))
        code = "".join(chance.choice("0123456789") if c == "#" else c for c in shape)
        kind = chance.choice(("CODE", "PHONE", "USERNAME"))
        kinds[kind, revealed_by_surrogate(kind, code)].add(tells(kind, code))
    assert all(len(told) == 1 for told in kinds.values()), [t for t in kinds.items() if len(t[1]) > 1][:5]


def test_terms_of_a_type_are_renamed_and_counted_as_kept() -> None:
    """A surrogate hides nothing: what may not be shown is masked, what may be is called the same for all."""
    rows = [(str(n), 30 + n // 4, f"Seen in {'Leeds' if n < 6 else 'York'} by Finch.") for n in range(8)]
    data = pl.DataFrame(rows, schema=("id", "age", "note"), orient="row")
    plan = {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric"},
            "note": {"role": "text"},
        },
        "text": {"model": "none", "patterns": {"GPE": "Leeds|York", "PERSON": "Finch"}},
        "recode": {"surrogates": ["GPE", "PERSON"]},
        "privacy": {"model": "k-anonymity", "k": 4},
    }
    release = hn.anonymize(data, plan)
    assert release.verdict.holds
    notes = release.data.sort("age")["note"].to_list()
    assert len(set(notes[:4])) == 1
    assert not re.search(r"Leeds|York|Finch|\[", notes[0])  # all four hold the same: renamed
    assert all("[GPE]" in note for note in notes[4:])  # two and two: masked, as without surrogates
    assert len({note.split(" by ")[1] for note in notes}) == 1  # Finch has one surrogate everywhere


def test_dates_move_by_one_distance_for_each_person() -> None:
    rows = [(f"p{n}", 30, f"Seen on 3 May 2004 and on 5 May 2004, nr {n}.") for n in range(6)]
    data = pl.DataFrame(rows, schema=("id", "age", "note"), orient="row")
    plan = {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric"},
            "note": {"role": "text"},
        },
        "text": {"model": "none", "patterns": {"DATE": r"\d May 2004"}},
        "recode": {"surrogates": ["DATE"]},
        "release": {"shift": "person"},
        "privacy": {"model": "k-anonymity", "k": 3},
    }
    notes = hn.anonymize(data, plan).data["note"].to_list()
    dates = [re.findall(r"(\d+) (\w+) (\d+)", note) for note in notes]
    assert all("May 2004" not in note for note in notes)
    assert len({tuple(found[0]) for found in dates}) > 1  # each person has a distance
    together = hn.anonymize(data, {**plan, "release": {"shift": "all"}}).data["note"].to_list()
    assert len({note.split(", nr")[0] for note in together}) == 1


def test_a_code_that_is_valid_stays_valid_where_the_column_is() -> None:
    cards = ["4539578763621486", "4485275742308327", "4716461583322103", "4929710426637678"]
    data = pl.DataFrame({"card": cards, "age": [30, 30, 30, 30]})
    plan = {
        "attributes": {
            "card": {"role": "identifier", "entities": ["CARD"], "recode": "surrogate"},
            "age": {"role": "quasi", "scale": "numeric"},
        },
        "privacy": {"model": "k-anonymity", "k": 4},
    }
    from heteronym.surrogates.codes import passed

    shown = hn.anonymize(data, plan).data["card"].to_list()
    assert all("card" in passed(one) for one in cards)
    assert all("card" in passed(one) and one not in cards and one[0] == "4" for one in shown)


@pytest.mark.parametrize("label", ["", "MRN ", "Case no. "])
def test_a_code_behind_a_label_becomes_nobody_elses(label: str) -> None:
    """Half of all codes are taken, so that each draw would meet one of them by chance."""
    codes = [f"{label}{number}" for number in range(10, 100, 2)]
    data = pl.DataFrame({"id": codes, "age": [30] * len(codes)})
    plan = {
        "attributes": {
            "id": {"role": "identifier", "entities": ["CODE"], "recode": "surrogate"},
            "age": {"role": "quasi", "scale": "numeric"},
        },
        "privacy": {"model": "k-anonymity", "k": 4},
    }
    shown = hn.anonymize(data, plan).data["id"].to_list()
    assert not set(shown) & set(codes)
    assert any(one.startswith(label) and one[-1].isdigit() for one in shown)


def test_a_new_vault_has_a_key_of_its_own() -> None:
    assert open_vault({}, None).key != open_vault({}, None).key


@pytest.mark.parametrize("seed", range(4))
def test_groups_of_equal_labels_that_surrogates_tell_apart_are_told_as_risk(seed: int) -> None:
    """One group shows [CODE], another of the same labels numbers: each is a class of its own."""
    chance = random.Random(seed)
    rows = range(60)
    frame = pl.DataFrame(
        {
            "id": [f"P{row // 2:03}" for row in rows],
            "ward": [chance.choice("xyz") for _ in rows],
            "bed": [chance.choice("xyz") for _ in rows],
            "note": [chance.choice(("fine today.", "seen by Dr. Ann Lee.", "aged 44.")) for _ in rows],
        }
    )
    plan = {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "ward": {"role": "quasi"},
            "bed": {"role": "identifier", "recode": "surrogate", "entities": ["CODE"]},
            "note": {"role": "text"},
        },
        "text": {"model": "none"},
        "privacy": [{"model": "k-anonymity", "k": 3}],
    }
    release = hn.anonymize(frame, plan)  # refused, if facts told less risk than the table shows
    assert release.verdict.holds
