"""Random persons with several rows, events, items, terms and two texts: what a plain reader finds.

The reader knows the templates of the texts and nothing of the program. HETERONYM_JOINT_DATASETS says how
many datasets are tried.
"""

from __future__ import annotations

import datetime as dt
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest

import heteronym as hn
from tests.naive.joint import PLAIN, Row, Shown, violations

DATASETS = int(os.environ.get("HETERONYM_JOINT_DATASETS", "10"))
CITIES = ["Rome", "Oslo", "Paris", "Lyon", "Bonn"]
JOBS = ["nurse", "clerk", "pilot"]
ITEMS = list("ABCD")


def random_people(seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    rows: list[tuple[Any, ...]] = []
    for person in range(int(rng.integers(6, 30))):
        age = int(rng.integers(30, 40))
        for _ in range(int(rng.integers(1, 4))):
            sentences = [
                rng.choice(
                    [
                        f"I saw {rng.choice(CITIES, p=[0.4, 0.2, 0.2, 0.1, 0.1])}.",
                        f"The {rng.choice(JOBS)} of {rng.choice(CITIES)} came.",
                        "Nothing happened then.",
                        f"Call 555{rng.integers(1000, 9999)} now.",
                        f"I am {age} years old.",
                        f"She is {rng.integers(30, 40)} years old.",
                    ]
                )
                for _ in range(int(rng.integers(0, 3)))
            ]
            day = dt.date(2021, 1, 1) + dt.timedelta(days=int(rng.integers(0, 400)))
            rows.append(
                (
                    person,
                    age,
                    " ".join(rng.choice(ITEMS, int(rng.integers(0, 3)), replace=False)) or None,
                    f"GPE:{rng.choice(CITIES)}" if rng.random() < 0.4 else None,
                    " ".join(sentences),
                    f"The {rng.choice(JOBS)} was here." if rng.random() < 0.5 else None,
                    None if rng.random() < 0.1 else day,
                    str(rng.choice(["east", "west", "north"], p=[0.6, 0.3, 0.1])),
                )
            )
    names = ["id", "age", "codes", "found", "text", "note", "visit", "ward"]
    return pl.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)


def plan_for(k: int, m: Any, absence: bool, method: dict[str, Any]) -> dict[str, Any]:
    return {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
            "codes": {"role": "items", "separator": " "},
            "found": {"role": "terms", "separator": "|"},
            "text": {"role": "text"},
            "note": {"role": "text"},
            "visit": {"role": "event", "scale": "date"},
            "ward": {"role": "event"},
        },
        "text": {
            "model": "none",
            "entities": ["GPE", "JOB", "PHONE", "AGE"],
            "patterns": {
                "GPE": "|".join(CITIES),
                "JOB": "|".join(JOBS),
                "PHONE": "555[0-9]{4}",
                "AGE": "[0-9]+ years old",
            },
        },
        "privacy": [{"model": "joint", "k": k, "m": m, "absence": absence}],
        "partition": method,
    }


LABEL = r"\[[A-Z]+\]|\[\d+-\d+\]|\b3\d\b|\b(?:" + "|".join([*CITIES, *JOBS]) + r")\b"
SENTENCES = (
    r"I saw (L)\.",
    r"The (L) of (L) came\.",
    r"Nothing happened then\.",
    r"Call (L) now\.",
    r"(?:I am|She is) (L)(?: years old)?\.",
    r"The (L) was here\.",
)
SENTENCE = re.compile("|".join(f"(?:{one.replace('L', LABEL)})" for one in SENTENCES))


def read_text(text: str | None, age: str) -> Shown:
    """Every label in its sentence: names and ages that are kept are there or not; all others are counted.

    An age inside the group's own label would be the column's value told in full: it must have become the
    label, which is counted. Nothing may stand between the sentences but a space.
    """
    shown: Shown = Counter()
    low, high = (int(end) for end in (re.findall(r"\d+", age) * 2)[:2])
    for one in _sentences(text):
        for label in filter(None, one.groups()):
            if label.isdigit() and label != age:
                assert not low <= int(label) <= high
            if label in CITIES or label in JOBS or (label.isdigit() and label != age):
                shown[PLAIN, label.lower()] = 1
            else:
                shown["", label] += 1
    return shown


def _sentences(text: str | None) -> Iterator[re.Match[str]]:
    at = 0
    while text is not None and at < len(text):
        found = SENTENCE.match(text, at)
        assert found is not None
        yield found
        at = found.end()
        if at < len(text):
            assert text[at] == " "
            at += 1
            assert at < len(text)  # no trace of a sentence that went


def with_names(data: pl.DataFrame) -> pl.DataFrame:
    """The same with untyped placeholders that look like those of a type, and have no points in them."""
    return data.with_columns(pl.col("text", "note").str.replace_all("[...]", "[UNTYPED]", literal=True))


def read_release(data: pl.DataFrame, person: list[int]) -> list[Row]:
    rows: list[Row] = []
    data = with_names(data)
    group = data["age"].cast(pl.String).rank("dense").to_list()
    for n, row in enumerate(data.iter_rows(named=True)):
        shown: Shown = Counter()
        for name in ("text", "note"):
            for label, often in read_text(row[name], str(row["age"])).items():
                shown[label] = 1 if label[0] == PLAIN else shown[label] + often
        if row["found"]:
            shown[PLAIN, row["found"].split(":")[1].lower()] = 1
        for item in re.findall(r"\([^)]*\)|[^ ]+", row["codes"] or ""):
            shown["codes" if item.startswith("(") else PLAIN + "codes", item] += 1
        for name in ("visit", "ward"):
            everywhere = data.filter(pl.Series(group) == group[n])[name].n_unique() == 1
            if not everywhere:
                shown[name, row[name] or ""] += 1
        rows.append((group[n], person[n], shown))
    return rows


ALONE = (
    r"I saw (.+?)\.",
    r"Call (.+?) now\.",
    r"(?:I am|She is) (.+?)(?: years old)?\.",
    r"The (\w+|\[\w+\]) was here\.",
)


def depending_on_the_holder(before: pl.DataFrame, after: pl.DataFrame) -> list[str]:
    """Values that read as two things in one group; that a sentence is gone is none, as any sentence may be.

    Where a text lost one of several sentences, nobody can tell which it was, and nothing is read.
    """
    became: dict[tuple[str, str], set[str]] = defaultdict(set)
    shown_rows = with_names(after).iter_rows(named=True)
    for was, now in zip(before.iter_rows(named=True), shown_rows, strict=True):
        for name in ("text", "note"):
            for sentence in ALONE:
                told, shown = (re.findall(sentence, row[name] or "") for row in (was, now))
                if len(shown) != len(told):
                    continue
                for value, label in zip(told, shown, strict=True):
                    kind = "phone" if value.startswith("555") else value  # direct: one kind of thing
                    became[str(now["age"]), kind].add(label)
    return [value for (_, value), labels in became.items() if len(labels) > 1]


@pytest.mark.parametrize("seed", range(DATASETS))
def test_a_plain_reader_finds_k_persons_for_every_combination(seed: int) -> None:
    rng = np.random.default_rng(seed)
    people = random_people(seed)
    k, m = int(rng.integers(2, 4)), [1, 2, 3, "all"][seed % 4]
    absence = m in (1, 2) and seed % 8 >= 4
    method = {"method": "joint", "delta": 0.7} if seed % 3 else {"method": "mondrian"}
    release = hn.anonymize(people, plan_for(k, m, absence, method))
    assert release.verdict.holds
    person = people["id"].to_numpy()[release.source_row].tolist()
    assert not violations(read_release(release.data, person), k=k, m=m, absence=absence)
    assert not depending_on_the_holder(people[release.source_row.tolist()], release.data)
