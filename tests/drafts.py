"""Makes the tables of tests/data/drafts: a line per column says its name, the right role, how it is drawn.

A file has blocks. `= name rows=80 persons=20 person=key` begins a table; with `persons`, a generator behind
@ is drawn once per person. A role `a/b` means that both are right. Everything is seeded by the table's name.
"""

from __future__ import annotations

import datetime as dt
import random
import tomllib
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

FOLDER = Path(__file__).parent / "data" / "drafts"
POOLS = tomllib.loads((FOLDER / "pools.toml").read_text("utf-8"))


@dataclass(frozen=True)
class DraftTable:
    name: str
    frame: pl.DataFrame
    roles: dict[str, tuple[str, ...]]
    person: str | None


def draft_tables(pattern: str = "*.txt") -> Iterator[DraftTable]:
    for path in sorted(FOLDER.glob(pattern)):
        for block in path.read_text("utf-8").split("\n= ")[1:]:
            head, *lines = block.strip().splitlines()
            yield _table(head, [line for line in lines if line.strip() and not line.startswith("#")])


def _table(head: str, lines: list[str]) -> DraftTable:
    head, _, person = head.partition(" person=")
    name, *options = head.split()
    given = dict(option.split("=", 1) for option in options)
    rows, rng = int(given.get("rows", 60)), random.Random(name)
    persons = int(given.get("persons", rows))
    of_row = [*range(persons), *(rng.randrange(persons) for _ in range(rows - persons))]
    rng.shuffle(of_row)
    columns: dict[str, list[str | None]] = {}
    roles: dict[str, tuple[str, ...]] = {}
    for line in lines:
        column, role, maker = (part.strip() for part in line.split("|", 2))
        roles[column] = tuple(role.split("/"))
        if maker.startswith("@"):
            drawn = _cells(maker[1:].strip(), persons, rng)
            columns[column] = [drawn[person] for person in of_row]
        else:
            columns[column] = _cells(maker, rows, rng)
    frame = pl.DataFrame({name: pl.Series(name, cells, pl.String) for name, cells in columns.items()})
    return DraftTable(name, frame, roles, person or None)


def _cells(maker: str, count: int, rng: random.Random) -> list[str | None]:
    kind, _, rest = maker.partition(" ")
    if kind == "some":  # a share of the cells is missing
        share, _, rest = rest.partition(" ")
        return [None if rng.random() < float(share) else cell for cell in _cells(rest, count, rng)]
    if kind == "seq":  # every value once, in an order of its own
        numbers = list(range(count))
        rng.shuffle(numbers)
        start, _, form = rest.partition(" ")
        return [form.format(int(start) + number) for number in numbers]
    draw = KINDS[kind]
    return [draw(rest, rng) for _ in range(count)]


def _full_name(rest: str, rng: random.Random) -> str:
    return f"{_first(rest, rng)} {_last(rest, rng)}"


def _first(rest: str, rng: random.Random) -> str:
    return rng.choice(POOLS["first"][rest].split())


def _last(rest: str, rng: random.Random) -> str:
    return rng.choice(POOLS["last"][rest].split())


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.replace("ł", "l").replace("ß", "ss").replace("ı", "i"))
    return "".join(c for c in plain if c.isascii() and c.isalnum()).lower()


def _street(rest: str, rng: random.Random) -> str:
    road, number = rng.choice(POOLS["street"][rest].split(";")), rng.randrange(1, 190)
    return f"{number} {road}" if rest in ("en", "fr") else f"{road} {number}"


def _phone(rest: str, rng: random.Random) -> str:
    return "".join(str(rng.randrange(10)) if c == "#" else c for c in rest or "+44 20 7### ####")


def _day(rest: str, rng: random.Random) -> str:
    first, last, form = rest.split(" ", 2)
    low, high = dt.date.fromisoformat(first), dt.date.fromisoformat(last)
    day = low + dt.timedelta(rng.randrange((high - low).days))
    moment = dt.datetime.combine(day, dt.time(rng.randrange(24), rng.randrange(60), rng.randrange(60)))
    return moment.strftime(form)


def _list(rest: str, rng: random.Random) -> str:
    most, separator, words = rest.split(" ", 2)
    between = {"space": " ", "comma": ", ", "tight": ","}.get(separator, separator)
    pool = words.split(",")
    return between.join(rng.sample(pool, rng.randint(1, min(int(most), len(pool)))))


def _number(rest: str, rng: random.Random) -> str:
    low, high = (int(part) for part in rest.split())
    return str(rng.randint(low, high))


def _decimal(rest: str, rng: random.Random) -> str:
    low, high, digits = rest.split()
    return f"{rng.uniform(float(low), float(high)):.{digits}f}"


def _hex(rest: str, rng: random.Random) -> str:
    return "".join(rng.choice("0123456789abcdef") for _ in range(int(rest)))


def _uuid(rest: str, rng: random.Random) -> str:
    return "-".join(_hex(str(size), rng) for size in (8, 4, 4, 4, 12))


def _talk(rest: str, rng: random.Random) -> str:
    return " ".join(rng.sample(POOLS["talk"][rest].split(";"), rng.randint(1, 3)))


KINDS: dict[str, Callable[[str, random.Random], str]] = {
    "name": _full_name,
    "backwards": lambda rest, rng: f"{_last(rest, rng)}, {_first(rest, rng)}",
    "first": _first,
    "last": _last,
    "initial": lambda rest, rng: f"{_first(rest, rng)[0]}. {_last(rest, rng)}",
    "doctor": lambda rest, rng: f"Dr. {_first(rest, rng)} {_last(rest, rng)}",
    "mail": lambda rest, rng: (
        f"{_ascii(_first(rest, rng))}.{_ascii(_last(rest, rng))}{rng.randrange(99)}@mail.example"
    ),
    "login": lambda rest, rng: (
        f"{_ascii(_first(rest, rng))[:1]}{_ascii(_last(rest, rng))}{rng.randrange(99)}"
    ),
    "street": _street,
    "city": lambda rest, rng: rng.choice(POOLS["city"][rest].split(";")),
    "pattern": _phone,  # every # is a digit
    "num": _number,
    "dec": _decimal,
    "date": _day,
    "pick": lambda rest, rng: rng.choice(rest.split(",")),
    "list": _list,
    "talk": _talk,
    "const": lambda rest, rng: rest,
    "hex": _hex,
    "uuid": _uuid,
    "ip": lambda rest, rng: ".".join(str(rng.randrange(1, 254)) for _ in range(4)),
}
