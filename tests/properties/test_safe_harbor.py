"""Random notes with planted identifiers go through the preset; an independent counter finds none left."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from datetime import date, timedelta

import polars as pl
import pytest

import heteronym as hn
from heteronym.io.plans import make_plan, override

AS_OF = 2026
MONTHS = "January February March April May June July August September October November December".split()
ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third "
    "twenty-fourth "
    "twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
).split()
ONES = "one two three four five six seven eight nine".split()


def suffixed(day: int) -> str:
    return f"{day}{'th' if 10 < day < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


# a writing of a day, and what of it must not be left in any text
WRITINGS: list[Callable[[date], str]] = [
    lambda d: d.isoformat(),
    lambda d: d.strftime("%Y/%m/%d"),
    lambda d: d.strftime("%Y.%m.%d"),
    lambda d: d.strftime("%d.%m.%Y"),
    lambda d: d.strftime("%m/%d/%Y"),
    lambda d: d.strftime("%d-%m-%Y"),
    lambda d: d.strftime("%m/%d/%y"),
    lambda d: d.strftime("%Y%m%d"),
    lambda d: d.strftime("%Y-%m-%dT%H:%M:%SZ"),
    lambda d: d.strftime("%Y-%m"),
    lambda d: d.strftime("%m/%Y"),
    lambda d: d.strftime("%d-%b-%Y"),
    lambda d: d.strftime("%d%b%Y").upper(),
    lambda d: f"{MONTHS[d.month - 1]} {d.day}, {d.year}",
    lambda d: f"{MONTHS[d.month - 1]} {suffixed(d.day)}",
    lambda d: f"the {suffixed(d.day)} of {MONTHS[d.month - 1]}",
    lambda d: f"the {ORDINALS[d.day - 1]} of {MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{MONTHS[d.month - 1]} {ORDINALS[d.day - 1]}",
    lambda d: f"{d.day} {MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{MONTHS[d.month - 1]} {d.year}",
    lambda d: f"{MONTHS[d.month - 1][:3]} '{d.year % 100:02}",
    lambda d: d.strftime("%A, %B %d, %Y"),
    lambda d: d.strftime("%a %b %d %Y"),
    lambda d: f"{MONTHS[d.month - 1].lower()} {suffixed(d.day)}, {d.year}",
]


def old_age(rng: random.Random) -> str:
    years, ones = rng.randint(91, 99), rng.randrange(9)
    return rng.choice(
        [
            f"{years} years old",
            f"{years}-year-old",
            f"{years}yo",
            f"{years} y/o",
            f"{years} y.o.",
            f"aged {years}",
            f"age {years}",
            f"Age: {years}",
            f"{years}F",
            f"aged {years + 10}",
            f"ninety-{ONES[ones]} years old",
            f"turned {years}",
            f"{years} yrs old",
            f"born in {rng.randint(1905, 1935)}",
            f"DOB {rng.randint(1905, 1935)}",
        ]
    )


def digits(rng: random.Random, count: int) -> str:
    return "".join(rng.choice("123456789") for _ in range(count))


def number(rng: random.Random) -> str:
    n = [digits(rng, size) for size in (3, 2, 4, 3, 7)]
    return rng.choice(
        [
            f"SSN {n[0]}-{n[1]}-{n[2]}",
            f"{n[0]} {n[1]} {n[2]}",
            f"{n[0]}.{n[1]}.{n[2]}",
            f"{n[0]}{n[1]}{n[2]}",
            f"MRN {n[4]}",
            f"MRN: {n[2]}-{n[1]}",
            f"account number {n[4]}",
            f"serial number SN{n[4]}X",
            f"license {n[4]}",
            f"({n[0]}) {n[3]}-{n[2]}",
            f"{n[0]}-{n[3]}-{n[2]}",
            f"{n[0]}.{n[3]}.{n[2]}",
            f"+1 {n[0]} {n[3]} {n[2]}",
            f"mail u{n[4]}@example.org",
            f"https://example.org/u{n[4]}",
            f"10.{n[1]}.{n[1]}.{n[1]}",
            f"VIN 1HGCM8263{n[4]}A",
            f"MA {n[0]}{n[1]}",
            f"{n[0]}{n[1]}-{n[2]}",
            f"zip {n[0]}{n[1]}",
        ]
    )


FRAMES = ["Seen on {}.", "Noted {} today.", "See {}, again.", "Chart: {}."]
FILLERS = [
    "Patient feels well.", "No fever.", "BP 120/80, pulse 72.", "Continue aspirin 81 mg daily.", "Pain 3/10.",
    "Takes 2 pills twice a day.", "WBC 7.5, platelets normal.", "Follow up as needed.",
]  # fmt: skip


def left_over(planted: str, text: str) -> bool:
    """Whether a text still has the planted words, or a piece of them that tells more than a year."""
    if planted in text:
        return True
    pieces = [
        piece for piece in "".join(c if c.isalnum() else " " for c in planted).split() if len(piece) > 3
    ]
    told = [p for p in pieces if p.isdecimal() and not (p.startswith(("19", "20")) and len(p) == 4)]
    told += [p for p in pieces if p.lower() in {m.lower() for m in MONTHS}]
    ages = re.findall(r"(?<!\d)(?:9[1-9]|10\d)(?!\d|[-./]\d)", planted)
    stands = any(re.search(rf"(?<![\d.]){age}(?![\d.]\d)", text) for age in ages)
    return stands or any(piece in text for piece in told)


@pytest.mark.parametrize("seed", range(6))
def test_no_planted_identifier_is_left(seed: int) -> None:
    rng = random.Random(seed)
    notes, planted = [], []
    for number_of_note in range(48):
        day = date(1950, 1, 1) + timedelta(days=rng.randrange(27_000))
        mine = [WRITINGS[number_of_note % len(WRITINGS)](day), old_age(rng), number(rng)]
        rng.shuffle(mine)
        frames = [
            rng.choice(["Seen on {}.", "Noted {} today.", "See {}, again.", "Chart: {}."]) for _ in mine
        ]
        told = [frame.format(one) for frame, one in zip(frames, mine, strict=True)]
        notes.append(" ".join(part for one in told for part in (rng.choice(FILLERS), one)))
        planted.append(mine)
    columns = {"id": {"role": "identifier"}, "note": {"role": "text"}}
    content = {
        "attributes": columns,
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "text": {"model": "none"},
    }
    content["text"] = {"model": "none"}
    plan = override(make_plan(content), {"preset": "hipaa-safe-harbor", "as_of": AS_OF})
    frame = pl.DataFrame({"id": [f"p{n:04}x" for n in range(len(notes))], "note": notes})
    release = hn.anonymize(frame, plan)
    assert release.verdict.holds
    texts = dict(zip(release.source_row.tolist(), release.data["note"].to_list(), strict=True))
    left = [one for row, mine in enumerate(planted) for one in mine if left_over(one, texts[row])]
    assert left == []
