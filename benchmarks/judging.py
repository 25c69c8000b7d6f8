"""How many planted leaks `heteronym judge` finds in releases of six makers; whether it accuses sound ones.

python -m benchmarks.judging [--persons 240] [--seeds 3]

Ends with 1 below 95 % found, or if a sound release is accused. The makers are imitated by rules: ours (a
release of heteronym, one place damaged), arx (whole columns one level up), sdcmicro (cells suppressed),
presidio (placeholders in brackets), regex (crosses and black boxes), paraphrase (notes written anew). A
leak counts as found if a finding of its kind names the planted row, or the column where
the leak is a column's. What is planted is what people do wrong, not what `heteronym.judging` lists.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import polars as pl

import heteronym as hn

Row = dict[str, Any]
K = 4
FIRST = (
    "Maren Tobias Yasmin Ferdinand Ludmila Crispin Solveig Bartosz Imogen Thaddeus Roswitha Aurelio".split()
)
LAST = "Vanterpool Kowalczyk Brandvold Ostrander Mbeki Szymanski Fairweather Delacroix Ogunleye".split()
TOWNS = {"north": ["Tromso", "Umea", "Oulu", "Akureyri"], "south": ["Murcia", "Bari", "Patras", "Faro"]}
JOBS = ["florist", "welder", "notary", "piano tuner", "glazier", "cartographer"]
ILLS = ["angina", "psoriasis", "epilepsy", "glaucoma", "sarcoidosis"]
TALES = [
    "Sleeps through the night again.",
    "Walks two miles a day without a stick.",
    "Asked for a second opinion on the knee.",
    "Was not seen by anybody else since spring.",
]


@dataclass(frozen=True)
class Planted:
    """A leak: what a judgement must say of it."""

    name: str
    kinds: frozenset[str]
    rows: frozenset[int] = frozenset()  # counted from 1; empty: of a column
    columns: frozenset[str] = frozenset()


def people(persons: int, seed: int) -> list[Row]:
    rng = random.Random(seed)
    found = []
    for _ in range(persons):
        name = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
        area = rng.choice(["north", "south"])
        age, town = rng.randint(21, 78), rng.choice(TOWNS[area])
        day = date(2021, 1, 1) + timedelta(days=rng.randrange(700))
        phone = f"0{rng.randint(300, 899)} {rng.randint(100000, 999999)}"
        mail = f"{name.split()[0].lower()}.{rng.randint(10, 99)}@post.example"
        ill, job = rng.choice(ILLS), rng.choice(JOBS)
        found.append(
            {
                "file_no": f"{rng.choice('ACDFH')}{rng.randint(10**6, 10**7 - 1)}",
                "name": name,
                "age": age,
                "sex": rng.choice(["male", "female"]),
                "town": town,
                "visit": day.isoformat(),
                "income": rng.randint(180, 920) * 100 + rng.randint(1, 99),
                "drugs": "|".join(
                    sorted(rng.sample(["heparin", "insulin", "codeine", "lithium"], rng.randint(1, 2)))
                ),
                "illness": ill,
                "remark": (
                    f"{name} ({mail}, tel. {phone}) is {age} years old, lives in {town} and works as a "
                    f"{job}. "
                    f"Seen on {day.isoformat()} for {ill}. {rng.choice(TALES)}"
                ),
                "mail": mail,
                "phone": phone,
                "area": area,
                "job": job,
            }
        )
    return found


COLUMNS = ["file_no", "name", "age", "sex", "town", "visit", "income", "drugs", "illness", "remark"]
PLAN = {
    "attributes": {
        "file_no": {"role": "identifier"},
        "name": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
        "sex": {"role": "quasi"},
        "town": {"role": "quasi", "entities": ["GPE"]},
        "visit": {"role": "quasi", "scale": "date", "entities": ["DATE"]},
        "income": {"role": "quasi", "scale": "numeric"},
        "drugs": {"role": "items", "separator": "|"},
        "illness": {"role": "sensitive"},
        "remark": {"role": "text"},
    },
    "text": {"model": "none"},
    "privacy": [{"model": "joint", "k": K, "m": 1}, {"model": "l-diversity", "l": 2, "attribute": "illness"}],
    "partition": {"method": "joint"},
}

# --- makers -----------------------------------------------------------------------------------------

Mask = Callable[[str, str], str]  # kind, text


def masked(row: Row, put: Mask) -> str:
    text = str(row["remark"])
    for kind, value in [
        ("PERSON", row["name"]),
        ("EMAIL_ADDRESS", row["mail"]),
        ("PHONE_NUMBER", row["phone"]),
        ("AGE", f"{row['age']} years old"),
        ("LOCATION", row["town"]),
        ("DATE_TIME", row["visit"]),
        ("JOB", row["job"]),
        ("CONDITION", row["illness"]),
    ]:
        text = text.replace(str(value), put(kind, str(value)))
    return text


def reworded(row: Row, rng: random.Random) -> str:
    who = rng.choice(["The client", "This person", "The one who came"])
    why = rng.choice(["came in because of an ongoing complaint", "was seen for a known condition"])
    more = {
        TALES[0]: "Nights are quiet now.",
        TALES[1]: "Mobility is good, no aid needed.",
        TALES[2]: "Would like another view on a joint.",
        TALES[3]: "No other visits for months.",
    }
    tale = next(tale for tale in TALES if tale in row["remark"])
    return f"{who} {why}. {more[tale]}"


def coarse(row: Row) -> Row:
    """Columns that at least K share, in most tables; `supported` sees to the rest."""
    low = row["age"] // 30 * 30
    return {
        "age": f"[{low}, {low + 30}[",
        "sex": "*",
        "town": row["area"],
        "visit": row["visit"][:4],
        "income": "<50000" if row["income"] < 50000 else ">=50000",
        "drugs": "",
        "illness": row["illness"],
    }


def supported(rows: list[Row]) -> list[Row]:
    """Rows whose labels fewer than K share are blanked column by column, the income and the year first."""
    names = ["income", "visit", "town", "age"]
    for name in names:
        counts = Counter(tuple(row[n] for n in [*names, "sex"]) for row in rows)
        for row in rows:
            if counts[tuple(row[n] for n in [*names, "sex"])] < 2 * K:
                row[name] = "*"
    return rows


def release(maker: str, data: list[Row], rng: random.Random) -> list[Row]:
    puts: dict[str, Mask] = {
        "arx": lambda kind, text: f"[{kind}]",
        "sdcmicro": lambda kind, text: "NA",
        "presidio": lambda kind, text: f"<{kind}>",
        "regex": lambda kind, text: rng.choice(["XXXXX", "█" * 6]),
    }
    made = []
    for row in data:
        out = coarse(row)
        if maker == "sdcmicro":
            out["visit"] = row["visit"][:4]
        out["remark"] = reworded(row, rng) if maker == "paraphrase" else masked(row, puts[maker])
        made.append(out)
    return supported(made)


# --- leaks ------------------------------------------------------------------------------------------

TEXT = frozenset({"identifier-in-text"})
HIDES = frozenset({"text-tells-column", "text-contradicts-column", "alone-with-words"})
LONE = frozenset({"alone-by-columns", "alone-with-items", "text-tells-column"})


def _say(released: list[Row], at: int, words: str) -> None:
    released[at]["remark"] = f"{released[at]['remark']} {words}"


def plant(name: str, data: list[Row], released: list[Row], rng: random.Random) -> Planted:
    """One leak more; which row is drawn."""
    at = rng.randrange(len(data))
    row, out, here = data[at], released[at], frozenset([at + 1])
    first, last = row["name"].split()
    day = date.fromisoformat(row["visit"])
    texts: dict[str, tuple[str, frozenset[str]]] = {
        "full name": (f"Signed for {row['name']}.", TEXT),
        "surname first": (f"Patient: {last}, {first}.", TEXT),
        "name in capitals": (f"RE: {row['name'].upper()}", TEXT),
        "initial and surname": (f"Spoke to Ms {first[0]}. {last} again.", TEXT),
        "name run together": (f"see {first}{last}_scan.pdf", TEXT),
        "mail": (f"Results to {row['mail']}.", TEXT),
        "telephone": (f"Ring {row['phone']} first.", TEXT),
        "telephone regrouped": (f"Ring {row['phone'].replace(' ', '/')}.", TEXT),
        "file number": (f"Old file {row['file_no']}.", TEXT),
        "file number spaced": (f"Old file {_spaced(row['file_no'])}.", TEXT),
        "age": (f"At {row['age']} years old that is to be expected.", HIDES),
        "age with a dash": (f"A {row['age']}-year-old in good shape.", HIDES),
        "age in words": (f"Turned {_in_words(row['age'])}.", HIDES),
        "town": (f"Will return to {row['town']} by train.", HIDES),
        "day": (f"Seen on {row['visit']}.", HIDES),
        "day written out": (f"Seen on {day.day} {day.strftime('%B %Y')}.", HIDES),
        "day by figures": (f"Seen {day.strftime('%d.%m.%Y')}.", HIDES),
        "income": (f"Earns {row['income']} a year.", HIDES),
        "income with a comma": (f"Earns {row['income']:,} a year.", HIDES),
    }
    if name in texts:
        words, kinds = texts[name]
        _say(released, at, words)
        return Planted(name, kinds, here)
    if name == "raw row":
        out |= {n: str(row[n]) for n in ("age", "sex", "town", "visit", "income")}
        return Planted(name, LONE, here)
    if name == "raw income":
        out["income"] = str(row["income"])
        return Planted(name, LONE, here)
    if name == "raw text":
        out["remark"] = row["remark"]
        return Planted(name, TEXT, here)
    if name == "text of before":
        out["remark"] = str(row["remark"]).replace(row["name"], "<PERSON>")
        return Planted(name, TEXT, here)
    return of_column(name, data, released)


def of_column(name: str, data: list[Row], released: list[Row]) -> Planted:
    """Leaks of a whole column."""

    def column(title: str, make: Callable[[Row], str], *kinds: str) -> Planted:
        for row, out in zip(data, released, strict=True):
            out[title] = make(row)
        return Planted(name, frozenset(kinds), columns=frozenset([title]))

    if name == "sha1 of the file number":
        return column("key", lambda r: hashlib.sha1(r["file_no"].encode()).hexdigest(), "unkeyed-hash")
    if name == "short md5 of the name":
        return column("who", lambda r: hashlib.md5(r["name"].encode()).hexdigest()[:10], "unkeyed-hash")
    if name == "hash in small letters":
        return column("key", lambda r: hashlib.sha256(r["name"].lower().encode()).hexdigest(), "unkeyed-hash")
    if name == "column left":
        return column("file_no", lambda r: r["file_no"], "identifier-in-column")
    if name == "column renamed":
        return column(
            "ref",
            lambda r: r["file_no"].lower(),
            "copied-column",
            "identifier-in-cells",
            "identifier-in-column",
        )
    if name == "file number half masked":
        return column("file_no", lambda r: f"{r['file_no'][:6]}**", "identifier-in-column")
    if name == "exact copy":
        return column("age_at_visit", lambda r: str(r["age"]), "copied-column", "alone-by-columns")
    if name == "days shifted":
        return column(
            "visit",
            lambda r: str(date.fromisoformat(r["visit"]) + timedelta(days=133)),
            "shifted-by-constant",
        )
    if name == "income shifted":
        return column("income", lambda r: str(r["income"] + 5150), "shifted-by-constant")
    if name == "towns coded":
        names = sorted({row["town"] for row in data})
        return column("town", lambda r: f"T{names.index(r['town']) * 7 % 11:02}", "counted-back")
    if name == "one illness":
        group = [n for n, out in enumerate(released) if out["town"] == released[0]["town"]]
        labels = {tuple(released[n][c] for c in ("age", "sex", "town", "visit", "income")) for n in group}
        label = sorted(labels)[0]
        for n in group:
            if tuple(released[n][c] for c in ("age", "sex", "town", "visit", "income")) == label:
                released[n]["illness"] = "glaucoma"
        return Planted(name, frozenset({"group-tells-value"}), columns=frozenset(["illness"]))
    raise ValueError(name)


def _spaced(number: str) -> str:
    return f"{number[0]} {number[1:4]} {number[4:]}"


def _in_words(age: int) -> str:
    tens = "twenty thirty forty fifty sixty seventy".split()[age // 10 - 2]
    units = "one two three four five six seven eight nine".split()
    return tens if age % 10 == 0 else f"{tens}-{units[age % 10 - 1]}"


IN_TEXTS = [
    "full name",
    "surname first",
    "name in capitals",
    "initial and surname",
    "name run together",
    "mail",
    "telephone",
    "telephone regrouped",
    "file number",
    "file number spaced",
    "age",
    "age with a dash",
    "age in words",
    "town",
    "day",
    "day written out",
    "day by figures",
    "income",
    "income with a comma",
    "raw row",
    "raw income",
    "raw text",
    "text of before",
]
OF_COLUMNS = [
    "sha1 of the file number",
    "short md5 of the name",
    "hash in small letters",
    "column left",
    "column renamed",
    "file number half masked",
    "exact copy",
    "days shifted",
    "income shifted",
    "towns coded",
    "one illness",
]
MAKERS = ["ours", "arx", "sdcmicro", "presidio", "regex", "paraphrase"]


def ours(data: list[Row], folder: str) -> tuple[list[Row], list[int]]:
    """A release of heteronym, and the original row of each released one."""
    pl.DataFrame(data).select(COLUMNS).write_csv(f"{folder}/data.csv")
    made = hn.anonymize(
        f"{folder}/data.csv", PLAN, output=f"{folder}/release", private=f"{folder}/owner", overwrite=True
    )
    assert made.verdict.holds
    rows = pl.read_csv(f"{folder}/owner/rows.csv").drop_nulls("released_row").sort("released_row")
    table = pl.read_csv(f"{folder}/release/data.csv", infer_schema=False)
    return table.fill_null("").to_dicts(), (rows["source_row"].cast(pl.Int64) - 1).to_list()


def is_found(judged: Any, planted: Planted) -> bool:
    for one in judged.findings:
        is_there = planted.rows & set(one.rows) or planted.columns & set(one.columns)
        if one.counts and one.kind in planted.kinds and is_there:
            return True
    return False


def main(persons: int, seeds: int) -> int:
    found: Counter[str] = Counter()
    planted: Counter[str] = Counter()
    missed: list[str] = []
    accused: list[str] = []
    sound = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(seeds):
            data = people(persons, seed)
            made_by_us, source = ours(data, folder)
            for maker in MAKERS:
                rng = random.Random(f"{maker} {seed}")
                base = made_by_us if maker == "ours" else release(maker, data, rng)
                behind = [data[at] for at in source] if maker == "ours" else data
                original = pl.DataFrame(data).select(COLUMNS)
                more: dict[str, Any] = {"rows": source} if maker == "ours" else {}

                def judged(table: list[Row], original: pl.DataFrame = original, more: Any = more) -> Any:
                    return hn.judge(pl.DataFrame(table), against=original, plan=PLAN, k=K, **more)

                verdict = judged(base)
                sound += 1
                if verdict.exit_code == 1:
                    accused.append(
                        f"{maker} {seed}: "
                        + ", ".join(sorted({one.kind for one in verdict.findings if one.counts}))
                    )
                for batch in (IN_TEXTS[seed % 3 :: 3], *([name] for name in OF_COLUMNS[seed % 2 :: 2])):
                    table = [dict(row) for row in base]
                    leaks = [plant(name, behind, table, rng) for name in batch]
                    verdict = judged(table)
                    for leak in leaks:
                        planted[maker] += 1
                        if is_found(verdict, leak):
                            found[maker] += 1
                        else:
                            missed.append(f"{maker} {seed}: {leak.name}")
    for maker in MAKERS:
        print(f"{maker:12} {found[maker]:4} of {planted[maker]:4} planted leaks found")
    share = sum(found.values()) / max(sum(planted.values()), 1)
    print(f"{'all':12} {sum(found.values()):4} of {sum(planted.values()):4} ({share:.1%})")
    print(f"{len(accused)} of {sound} sound releases accused")
    print(*(f"missed   {one}" for one in missed), *(f"accused  {one}" for one in accused), sep="\n")
    return int(share < 0.95 or bool(accused))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--persons", type=int, default=240)
    parser.add_argument("--seeds", type=int, default=3)
    given = parser.parse_args()
    raise SystemExit(main(given.persons, given.seeds))
