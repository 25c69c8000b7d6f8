"""Texts that name values which their persons lack, on drafts: counted from the definition by a plain reader.

The reader knows the sentences and nothing of the program. Drafts are read before any audit.
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter, defaultdict
from itertools import combinations
from typing import Any, NamedTuple

import polars as pl
import pytest

from heteronym.io.plans import make_plan
from heteronym.io.tables import from_frame
from heteronym.pipeline import Draft, make_dataset, make_draft

DATASETS = int(os.environ.get("HETERONYM_JOINT_DATASETS", "10"))
VALUES = {
    "town": ["Zwolle", "Brno", "Graz"],
    "codes": ["E11", "J45", "I10", "insulin", "K21.9"],
    "ward": ["oncology", "Dermatology"],
}
SECRET = ["HIV", "syphilis"]
SENTENCES = {
    "town": "Likes {} most.",
    "codes": "Asked about {} again.",
    "ward": "Stayed in {} long.",
    "secret": "Speaks of {} a lot.",
    "mrn": "File {} was read.",
}
ENTRY = re.compile(r"\([^)]*\)|[^|]+")
Said = list[tuple[str, str]]


class Case(NamedTuple):
    frame: pl.DataFrame
    said: list[Said]
    plan: dict[str, Any]
    k: int
    m: int


def case_of(seed: int) -> Case:
    rng = random.Random(seed)
    rows: list[dict[str, Any]] = []
    said: list[Said] = []
    persons = rng.randint(8, 20)
    for number in range(persons):
        kinds = rng.sample(sorted(SENTENCES), rng.randint(0, 3))
        pool = VALUES | {"secret": SECRET, "mrn": [f"MX-{4000 + rng.randrange(persons)}"]}
        said.append([(kind, rng.choice(pool[kind])) for kind in kinds])
        held = rng.sample([*VALUES["codes"], *SECRET], rng.randint(0, 3)) if number > 1 else [SECRET[number]]
        rows.append(
            {
                "mrn": f"MX-{4000 + number}",
                "age": rng.randint(30, 36),
                "town": rng.choice(VALUES["town"]),
                "codes": "|".join(held) or None,
                "ward": rng.choice(VALUES["ward"]),
                "text": " ".join(SENTENCES[kind].format(value) for kind, value in said[-1]),
            }
        )
    k, m = rng.randint(2, 3), rng.choice([1, 2])
    typed = rng.random() < 0.5
    plan = {
        "attributes": {
            "mrn": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric"},
            "town": {"role": "quasi"} | ({"entities": ["GPE"]} if typed else {}),
            "codes": {"role": "items", "separator": "|", "sensitive": SECRET}
            | ({"entities": ["HEALTH"]} if rng.random() < 0.5 else {}),
            "ward": {"role": "event"},
            "text": {"role": "text"},
        },
        "privacy": [{"model": "joint", "k": k, "m": m}],
        "partition": rng.choice([{"method": "joint", "delta": 1.0}, {"method": "mondrian"}]),
        "text": {"model": "none"},
    }
    return Case(pl.DataFrame(rows), said, plan, k, m)


def draft_of(case: Case) -> Draft:
    plan = make_plan(case.plan)
    return make_draft(make_dataset(from_frame(case.frame)[0], plan), plan)


def places(said: Said, text: str) -> list[tuple[str, str, str]]:
    """Kind, value and what stands there now, of the sentences that are left; nothing else changed."""
    parts = []
    for number, (kind, _) in enumerate(said):
        before, behind = map(re.escape, SENTENCES[kind].split("{}"))
        parts.append(rf"(?:{before}(?P<p{number}>.+?){behind}\s*)?")
    found = re.fullmatch("".join(parts), text)
    assert found is not None
    now = [found[f"p{number}"] for number in range(len(said))]
    return [(kind, value, label) for (kind, value), label in zip(said, now, strict=True) if label is not None]


def problems(case: Case, draft: Draft) -> list[str]:
    bad: list[str] = []
    in_data = {name: set("|".join(filter(None, case.frame[name])).split("|")) for name in VALUES}
    shown: dict[tuple[str, int], Counter[tuple[str, str]]] = {}
    became: dict[Any, set[str]] = defaultdict(set)
    label_of: dict[Any, str] = {}
    for row, source in zip(draft.frame.to_dicts(), draft.source_row.tolist(), strict=True):
        group = f"{row['age']} {row['town']}"
        entries = ENTRY.findall(row["codes"] or "")
        label_of |= {(group, item): e for e in entries for item in e.strip("()").split(",")}
        here = Counter({("codes", entry): 1 for entry in entries if entry not in SECRET})
        here["ward", str(row["ward"])] += 1
        for kind, value, now in places(case.said[source], row["text"] or ""):
            if kind == "secret":
                if now == value and value not in entries:
                    bad.append("a sensitive item stands in a text whose row lacks it")
                here["", now] += now != value
                continue
            if kind == "mrn":
                bad += ["an identifier is left"] if now == value else []
            elif value not in in_data[kind]:
                continue  # nobody's: a word
            else:
                became[group, kind, value].add(now)
            here["codes" if kind == "codes" and not now.startswith("[") else "", now] += 1
            if kind == "town" and now == value != row["town"] and re.search(rf"\b{value}\b", row["town"]):
                bad.append("a value inside its column's label is open")
        shown[group, source] = here
    for (group, kind, value), labels in became.items():
        if len(labels) > 1:
            bad.append("one value became several things in a group")
        item = label_of.get((group, value)) if kind == "codes" else None
        if item is not None and item not in labels and not any(label.startswith("[") for label in labels):
            bad.append("a text shows another label than the item")
    return bad + too_few(case, shown)


def too_few(case: Case, shown: dict[tuple[str, int], Counter[tuple[str, str]]]) -> list[str]:
    wards: dict[str, set[Any]] = defaultdict(set)
    for (group, _), here in shown.items():
        wards[group] |= {label for label in here if label[0] == "ward"}
    holders: Counter[Any] = Counter()
    for (group, _), here in shown.items():
        labels = sorted(
            one for one, often in here.items() if often and (one[0] != "ward" or len(wards[group]) > 1)
        )
        for size in range(case.m + 1):
            holders.update((group, some) for some in combinations(labels, size))
    return [f"{number} persons show some labels" for number in holders.values() if number < case.k]


@pytest.mark.parametrize("seed", range(DATASETS))
def test_values_of_others_follow_the_group_s_map_or_go(seed: int) -> None:
    case = case_of(seed)
    assert not problems(case, draft_of(case))


def test_a_sensitive_item_stays_in_the_text_of_its_own_row() -> None:
    frame = pl.DataFrame(
        {
            "age": [30] * 6,
            "codes": ["HIV", "E11", "E11", "E11|HIV", "E11", "E11"],
            "text": ["Speaks of HIV a lot."] * 3 + ["Nothing."] * 3,
        }
    )
    plan = {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric"},
            "codes": {"role": "items", "separator": "|", "sensitive": ["HIV"]},
            "text": {"role": "text"},
        },
        "privacy": [{"model": "joint", "k": 2, "m": 1}],
        "text": {"model": "none"},
    }
    draft = draft_of(Case(frame, [], plan, 2, 1))
    texts = dict(zip(draft.source_row.tolist(), draft.frame["text"].to_list(), strict=True))
    assert texts[0] == "Speaks of HIV a lot."
    assert not any("HIV" in (texts[row] or "") for row in (1, 2))
