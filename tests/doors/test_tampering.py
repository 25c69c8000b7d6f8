"""Whoever changes a release, its plan or the owner's files is noticed, even if all digests are made anew.

Every kind of change is tried as it is, by somebody who then also mends the digests in facts.json and in the
owner's folder, and by somebody who knows the owner's secret, too. What only a sealed digest can tell (a label
that is wider and still true) is marked so; so is what a recipient notices without the owner.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

import heteronym as hn
from heteronym.io.owner_files import seal_of
from heteronym.publish import draw_again
from heteronym.run import Run
from heteronym.verify.promises import owners_promise
from heteronym.verify.tables import read_table

JOBS = "cook;food;*\nbaker;food;*\nnurse;health;*\ndoctor;health;*\n"
HEAD = ["id", "age", "job", "zip", "born", "codes", "found", "illness", "visits", "text"]
PEOPLE = [
    ("p1", 31, "cook", "8810", "1990-01-05", "A B", "GPE:Rome|JOB:cook", "flu", 3, "Mr Trippel is 31."),
    ("p1", 31, "cook", "8810", "1990-01-05", "A", "GPE:Rome", "flu", 4, "Rome again, she said."),
    ("p2", 32, "baker", "8811", "1990-02-05", "A B", "GPE:Rome", "cold", 1, "I am 32 and like Rome."),
    ("p3", 33, "nurse", "8820", "1991-01-05", "A B", "GPE:Rome", "cold", 2, "We met in Rome."),
    ("p4", 34, "doctor", "8822", "1991-06-05", "A B", "GPE:Rome", "flu", 9, "Dr Whitfield of Rome."),
    ("p5", 51, "cook", "9910", "1970-01-05", "C", "GPE:Oslo", "gout", 3, "Back from Oslo, aged 51."),
    ("p5", 51, "cook", "9910", "1970-01-05", "C D", "GPE:Oslo", "gout", 7, "Nothing new."),
    ("p6", 52, "baker", "9911", "1971-01-05", "C D", "GPE:Oslo", "flu", 5, "Oslo is cold."),
    ("p7", 53, "nurse", "9920", "1972-01-05", "C D", "GPE:Oslo", "flu", 6, "Ask Mrs Brown in Oslo."),
    ("p8", 54, "doctor", "9922", "1973-01-05", "C D", "GPE:Oslo", "cold", 8, "At 54, Oslo it is."),
]
PLAN: dict[str, Any] = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
        "job": {"role": "quasi", "hierarchy": "job.csv"},
        "zip": {"role": "quasi", "recode": "prefix"},
        "born": {"role": "quasi", "scale": "date"},
        "codes": {"role": "items", "separator": " "},
        "found": {"role": "terms", "separator": "|"},
        "illness": {"role": "sensitive"},
        "visits": {"role": "plain"},
        "text": {"role": "text"},
    },
    "text": {"model": "none", "patterns": {"GPE": "Rome|Oslo"}},
    "privacy": [
        {"model": "k-anonymity", "k": 2},
        {"model": "kkm-anonymity", "k": 2, "m": 1},
        {"model": "l-diversity", "l": 2, "attribute": "illness"},
    ],
}


def table(rows: list[tuple[Any, ...]]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows([HEAD, *rows])
    return out.getvalue()


class House:
    """A release, its owner's folder and the data, to be tampered with."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.release, self.own = folder, folder / "release", folder / "own"
        self.data = folder / "people.csv"

    def verify(self, **given: Any) -> Any:
        options = {"against": self.data, "private": self.own} | given
        return hn.verify(self.release, **options)

    @property
    def cells(self) -> pl.DataFrame:
        return pl.read_csv(self.release / "data.csv", infer_schema=False)

    def put_cells(self, frame: pl.DataFrame) -> None:
        frame.write_csv(self.release / "data.csv")

    def cell(self, name: str, change: Callable[[Any], Any], row: int = 0) -> None:
        """One cell of the release, changed."""
        frame = self.cells
        values = frame[name].to_list()
        values[row] = change(values[row])
        self.put_cells(frame.with_columns(pl.Series(name, values, pl.String)))

    def column(self, name: str, change: Callable[[list[Any]], list[Any]]) -> None:
        frame = self.cells
        self.put_cells(frame.with_columns(pl.Series(name, change(frame[name].to_list()), pl.String)))

    def plan(self, change: Callable[[dict[str, Any]], None]) -> None:
        content = yaml.safe_load((self.release / "plan.yaml").read_text("utf-8"))
        change(content)
        (self.release / "plan.yaml").write_text(yaml.safe_dump(content, sort_keys=False), "utf-8")

    def owned(self, name: str, change: Callable[[str], str]) -> None:
        path = self.own / name
        path.write_text(change(path.read_text("utf-8")), "utf-8")

    def facts(self, change: Callable[[dict[str, Any]], None]) -> None:
        path = self.release / "facts.json"
        content = json.loads(path.read_bytes())
        change(content)
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False), "utf-8")

    def report(self, change: Callable[[str], str]) -> None:
        path = self.release / "report.html"
        before = path.read_text("utf-8")
        after = change(before)
        assert after != before
        path.write_text(after, "utf-8")

    def redraw(self) -> None:
        """The report of the facts as they are now, as the program draws it."""
        facts = json.loads((self.release / "facts.json").read_bytes())
        whole = owners_promise((self.own / "plan.json").read_bytes())
        drawn = draw_again(facts, read_table((self.release / "data.csv").read_bytes(), "data.csv"), whole)
        (self.release / "report.html").write_text(str(drawn), "utf-8")

    def mend_digests(self, *, secret: bool = False) -> None:
        """What somebody does who wants that nobody notices; with the secret, the seal is made anew, too."""
        here = {path.name: path.read_bytes() for path in self.release.iterdir() if path.is_file()}
        told = {name: hashlib.sha256(content).hexdigest() for name, content in here.items()}
        try:
            self.facts(lambda f: f.update(files={name: told[name] for name in told if name != "facts.json"}))
        except (OSError, ValueError):
            return  # without facts there is nothing to mend
        told["facts.json"] = hashlib.sha256((self.release / "facts.json").read_bytes()).hexdigest()
        if not (self.own / "release.json").is_file():
            return
        bound = json.loads((self.own / "release.json").read_bytes())
        files = [path for path in self.own.iterdir() if path.name != "release.json"]
        bound["files"] = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
        bound["release"] = told
        if self.data_changed:
            bound["data"] = {"files": [hashlib.sha256(self.data.read_bytes()).hexdigest()]}
        if secret:
            bound["seal"] = seal_of(bound, (self.own / "secret").read_bytes())
        (self.own / "release.json").write_text(json.dumps(bound))

    @property
    def data_changed(self) -> bool:
        told = json.loads((self.own / "release.json").read_bytes())["data"]
        return told != {"files": [hashlib.sha256(self.data.read_bytes()).hexdigest()]}


def make(folder: Path, rows: list[tuple[Any, ...]]) -> House:
    folder.mkdir(exist_ok=True)
    house = House(folder)
    house.data.write_text(table(rows), "utf-8")
    (folder / "job.csv").write_text(JOBS)
    run = Run(folder=folder)
    hn.anonymize(house.data, PLAN, output=house.release, private=house.own, run=run)
    return house


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[House, House]:
    """Two releases, of the data and of a part of it."""
    top = tmp_path_factory.mktemp("houses")
    return make(top / "one", PEOPLE), make(top / "two", [*PEOPLE[:-1], ("p8", 59, *PEOPLE[-1][2:])])


@pytest.fixture
def house(made: tuple[House, House], tmp_path: Path) -> House:
    for number, one in enumerate(made):
        shutil.copytree(one.folder, tmp_path / str(number))
    return House(tmp_path / "0")


def other(house: House) -> House:
    return House(house.folder.parent / "1")


def swapped(values: list[Any], a: int = 0, b: int = -1) -> list[Any]:
    values[a], values[b] = values[b], values[a]
    return values


def moved(house: House, rows: list[int]) -> None:
    house.put_cells(house.cells[rows])


def row_map(house: House, change: Callable[[list[list[str]]], list[list[str]]]) -> None:
    lines = list(csv.reader((house.own / "rows.csv").read_text("utf-8").splitlines()))
    text = "\n".join(",".join(line) for line in [lines[0], *change(lines[1:])]) + "\n"
    (house.own / "rows.csv").write_text(text, "utf-8")


def text_of(house: House, word: str) -> int:
    return next(row for row, text in enumerate(house.cells["text"]) if word in text)


def without_map(house: House, rows: list[int], *, map_too: bool) -> None:
    moved(house, rows)
    if map_too:
        # the map follows the rows that are left, and forgets the source row of the others
        row_map(house, lambda lines: [[str(n), lines[r][1], lines[r][2]] for n, r in enumerate(rows, 1)])


def weaken_both(house: House) -> None:
    def weaker(text: str) -> str:
        plan = json.loads(text)
        return json.dumps({**plan, "privacy": plan["privacy"][:2]})

    house.plan(lambda plan: plan["privacy"].pop())
    house.owned("plan.json", weaker)


# What it is -> who does it. All are noticed whether or not digests are mended.
CONTENT: dict[str, Callable[[House], None]] = {
    "a number's label of another group": lambda h: h.column("age", swapped),
    "a number's label narrowed for all": lambda h: h.column("age", lambda v: ["31"] * len(v)),
    "a number's label narrowed beside a star": lambda h: h.column("age", lambda v: ["{*,31}"] * len(v)),
    "a hierarchy label narrowed beside a star": lambda h: h.column("job", lambda v: ["{*,food}"] * len(v)),
    "a day's label narrowed beside a star": lambda h: h.column("born", lambda v: ["{,*,1990}"] * len(v)),
    "a label of nothing beside a star": lambda h: h.column("zip", lambda v: ["{,*}"] * len(v)),
    "withholding allowed in the plan": lambda h: h.plan(
        lambda p: p.update(release={"suppress_cells_up_to": 0.9})
    ),
    "a number's label emptied": lambda h: h.cell("age", lambda _: None),
    "a number's label that is no label": lambda h: h.cell("age", lambda _: "[31-x]"),
    "a day's label of another year": lambda h: h.column("born", swapped),
    "a day's label moved": lambda h: h.column("born", lambda v: ["2001"] * len(v)),
    "a prefix of other values": lambda h: h.column("zip", swapped),
    "a prefix that is longer": lambda h: h.column("zip", lambda v: ["88100*"] * len(v)),
    "hierarchy labels swapped": lambda h: h.column(
        "job", lambda v: [{"food": "health", "health": "food"}.get(x, "food") for x in v]
    ),
    "a hierarchy label that does not exist": lambda h: h.column("job", lambda v: ["trade"] * len(v)),
    "labels of all columns of two rows swapped": lambda h: h.put_cells(
        h.cells.with_columns(*(pl.Series(n, swapped(h.cells[n].to_list())) for n in HEAD[1:5]))
    ),
    "an item label changed": lambda h: h.cell("codes", lambda _: "Z"),
    "an item label added": lambda h: h.cell("codes", lambda v: f"{v} Z"),
    "an item lost": lambda h: h.cell("codes", lambda _: ""),
    "items of two rows swapped": lambda h: h.column("codes", swapped),
    "an item narrowed": lambda h: h.column("codes", lambda v: ["A" for _ in v]),
    "a term invented in a set": lambda h: h.cell("found", lambda v: f"{v or ''}|GPE:Paris"),
    "terms of two rows swapped": lambda h: h.column("found", swapped),
    "a term shown that had to go": lambda h: h.cell("found", lambda v: f"{v}|JOB:cook", 0),
    "a sensitive cell altered": lambda h: h.cell("illness", lambda _: "plague"),
    "a sensitive cell emptied": lambda h: h.cell("illness", lambda _: None),
    "sensitive cells of two rows swapped": lambda h: h.column(
        "illness", lambda v: swapped(v, v.index("gout"), v.index("flu"))
    ),
    "a plain cell altered": lambda h: h.cell("visits", lambda v: str(int(v) + 1)),
    "a plain column rotated": lambda h: h.column("visits", lambda v: v[1:] + v[:1]),
    "a row twice": lambda h: moved(h, [0, *range(10)]),
    "a row gone": lambda h: moved(h, list(range(9))),
    "a row gone, and from the map": lambda h: without_map(h, list(range(9)), map_too=True),
    "a row made up": lambda h: h.put_cells(pl.concat([h.cells, h.cells.tail(1)])),
    "rows in another order": lambda h: moved(h, list(range(9, -1, -1))),
    "a column gone": lambda h: h.put_cells(h.cells.drop("visits")),
    "the sensitive column gone": lambda h: h.put_cells(h.cells.drop("illness")),
    "a quasi column gone": lambda h: h.put_cells(h.cells.drop("age")),
    "the text column gone": lambda h: h.put_cells(h.cells.drop("text")),
    "the items column gone": lambda h: h.put_cells(h.cells.drop("codes")),
    "a column too many": lambda h: h.put_cells(h.cells.with_columns(more=pl.lit("x"))),
    "the identifier put back": lambda h: h.put_cells(h.cells.with_columns(id=pl.lit("p1"))),
    "text changed outside of edits": lambda h: h.cell(
        "text", lambda t: t.replace("met", "saw"), text_of(h, "met")
    ),
    "a comma put into a text": lambda h: h.cell("text", lambda t: t + ",", text_of(h, "cold")),
    "a placeholder put into a text": lambda h: h.cell("text", lambda t: "[PERSON] " + t, text_of(h, "cold")),
    "a word lost from a text": lambda h: h.cell(
        "text", lambda t: t.replace(" again", ""), text_of(h, "again")
    ),
    "a masked name restored": lambda h: h.cell(
        "text", lambda t: t.replace("[PERSON]", "Mrs Brown"), text_of(h, "Ask")
    ),
    "another name in its place": lambda h: h.cell(
        "text", lambda t: t.replace("[PERSON]", "Mrs Green"), text_of(h, "Ask")
    ),
    "an age restored": lambda h: h.column(
        "text", lambda v: [t.replace("aged [51-52]", "aged 51") for t in v]
    ),
    "a term invented in a text": lambda h: h.cell(
        "text", lambda t: t.replace("Oslo", "Bergen").replace("[GPE]", "Bergen"), text_of(h, "is cold")
    ),
    "texts of two rows swapped": lambda h: h.column("text", swapped),
    "a text emptied": lambda h: h.cell("text", lambda _: None, text_of(h, "Nothing")),
    "the plan's m changed": lambda h: h.plan(lambda p: p["privacy"][1].update({"m": 2})),
    "a model taken out of the plan": lambda h: h.plan(lambda p: p["privacy"].pop()),
    "the plan's l changed": lambda h: h.plan(lambda p: p["privacy"][2].update({"l": 3})),
    "a role changed in the plan": lambda h: h.plan(
        lambda p: p["attributes"].update({"age": {"role": "plain"}})
    ),
    "persons forgotten in the plan": lambda h: h.plan(lambda p: p["data"].pop("person")),
    "leaving out allowed in the plan": lambda h: h.plan(lambda p: p.update(release={"suppress_up_to": 0.9})),
    "the row map permuted": lambda h: row_map(
        h, lambda lines: [[a[0], *b[1:]] for a, b in zip(lines, lines[1:] + lines[:1])]
    ),
    "persons exchanged in the row map": lambda h: row_map(
        h, lambda lines: [[*a[:2], b[2]] for a, b in zip(lines, lines[1:] + lines[:1])]
    ),
    "all rows one person's in the map": lambda h: row_map(h, lambda lines: [[*a[:2], "p1"] for a in lines]),
    "every row a person in the map": lambda h: row_map(h, lambda lines: [[*a[:2], a[1]] for a in lines]),
    "a mention cut from the trace": lambda h: h.owned(
        "mentions.jsonl", lambda t: "\n".join(t.splitlines()[1:])
    ),
    "the trace cut off": lambda h: h.owned("mentions.jsonl", lambda t: "\n".join(t.splitlines()[:-1])),
    "the trace gone": lambda h: (h.own / "mentions.jsonl").unlink(),
    "a mention moved in the trace": lambda h: h.owned(
        "mentions.jsonl",
        lambda t: t.replace('"start": 0', '"start": 1', 1).replace('"start": 3', '"start": 2', 1),
    ),
    "a hierarchy of the owner's changed": lambda h: h.owned(
        "hierarchies.json", lambda t: t.replace("cook;food", "cook;health")
    ),
    "the owner's plan not readable": lambda h: h.owned("plan.json", lambda t: t[: len(t) // 2]),
    "a row of the data changed": lambda h: h.data.write_text(h.data.read_text().replace("p1,31", "p1,92")),
    "rows of the data sorted": lambda h: h.data.write_text(table(PEOPLE[::-1])),
    "a name in the data changed": lambda h: h.data.write_text(h.data.read_text().replace("p8,54", "p7,54")),
    "data of another release": lambda h: h.data.write_bytes(other(h).data.read_bytes()),
}


def with_risk(figure: float) -> Callable[[dict[str, Any]], None]:
    def change(facts: dict[str, Any]) -> None:
        for one in facts["measures"]["risk"].values():
            if isinstance(one, dict) and "after" in one:
                one["after"] = figure
        facts["verdict"]["risk"] = dict.fromkeys(facts["verdict"]["risk"], figure)

    return change


def put(value: Any, *way: str | int) -> Callable[[dict[str, Any]], None]:
    """Another value at a place of facts.json."""

    def change(facts: Any) -> None:
        for step in way[:-1]:
            facts = facts[step]
        assert facts[way[-1]] != value
        facts[way[-1]] = value

    return change


def greater_k(facts: dict[str, Any]) -> None:
    facts["verdict"]["models"][0]["parameters"]["k"] = 1000
    facts["verdict"]["models"][0]["smallest_group"] = 1000
    facts["method"]["privacy"][0]["k"] = 1000


def larger_groups(facts: dict[str, Any]) -> None:
    persons = facts["data"]["persons"]
    facts["measures"]["groups"] = {
        "count": 1, "mean": float(persons), "std": 0.0, "min": persons, "max": persons,
        "histogram": {str(persons): 1},
    }  # fmt: skip


# Figures that the released files tell: whoever has them, and nothing else, notices.
CLAIMS: dict[str, Callable[[House], None]] = {
    f"facts: {name}": (lambda h, change=change: h.facts(change))
    for name, change in {
        "k = 1000": greater_k,
        "a larger k of one model": put(50, "verdict", "models", 1, "parameters", "k"),
        "a larger smallest group": put(1000, "verdict", "models", 0, "smallest_group"),
        "a model more": lambda f: f["verdict"]["models"].append(f["verdict"]["models"][0]),
        "a model less": lambda f: f["verdict"]["models"].pop(),
        "another model": put("t-closeness", "verdict", "models", 2, "model"),
        "a promise that does not hold": put(False, "verdict", "holds"),
        "no risk": with_risk(0.0),
        "less prosecutor risk": put(0.01, "measures", "risk", "prosecutor", "after"),
        "less marketer risk": put(0.01, "verdict", "risk", "marketer"),
        "larger groups": larger_groups,
        "a larger smallest size": put(5, "measures", "groups", "min"),
        "a smaller largest size": put(1, "measures", "groups", "max"),
        "fewer groups": put(1, "measures", "groups", "count"),
        "a larger mean size": put(4.5, "measures", "groups", "mean"),
        "another spread of sizes": put(3.5, "measures", "groups", "std"),
        "another histogram": put({"8": 1}, "measures", "groups", "histogram"),
        "more rows": put(1000, "data", "rows"),
        "fewer rows": put(8, "data", "rows"),
        "more persons": put(1000, "data", "persons"),
        "persons left out": put(2, "data", "persons_left_out"),
        "another title": put("Census", "data", "title"),
        "more cells kept": put(99, "fates", "cells", "age", "kept"),
        "cells suppressed": put(3, "fates", "cells", "age", "suppressed"),
        "cells missing": put(3, "fates", "cells", "zip", "missing"),
        "rows left out": put(3, "fates", "cells", "zip", "left_out"),
        "a column's fates gone": lambda f: f["fates"]["cells"].pop("job"),
        "more mentions found": lambda f: next(iter(f["fates"]["mentions"].values())).update(found=99),
        "another method": put("gdf", "method", "partition", "method"),
        "another seed": put(17, "method", "seed"),
        "models of another plan": put([], "method", "privacy"),
        "another role": put("quasi", "method", "attributes", "illness", "role"),
        "a column less": lambda f: f["method"]["attributes"].pop("illness"),
        "other rules of release": put(0.5, "method", "release", "suppress_up_to"),
        "no verdict": lambda f: f.pop("verdict"),
        "no measures": lambda f: f.update(measures={}),
        "a list in its place": lambda f: f.clear(),
    }.items()
} | {
    "report: a figure": lambda h: h.report(
        lambda t: re.sub(r'(data-fact="/measures/groups/min">)[^<]*', r"\g<1>1,000", t)
    ),
    "report: a share": lambda h: h.report(
        lambda t: re.sub(r'(data-fact="/measures/ncp[^"]*">)[^<]*', r"\g<1>0.1 %", t, count=1)
    ),
    "report: no marked figures": lambda h: h.report(lambda t: t.replace("data-fact", "data-fiction")),
    "report: a word": lambda h: h.report(lambda t: t.replace("</main>", "<p>Quite safe.</p></main>")),
    "report: an example row": lambda h: h.report(lambda t: t.replace(">flu<", ">none<", 1)),
    "report: a bar of a plot": lambda h: h.report(
        lambda t: re.sub(r' width="[\d.]+"', ' width="1"', t, count=3)
    ),
    "report: a script": lambda h: h.report(lambda t: t.replace("</body>", "<script>1</script></body>")),
    "report: of other facts": lambda h: (
        h.facts(put(0.01, "measures", "risk", "prosecutor", "after")), h.redraw()
    ),
    "report: all is well": lambda h: h.report(lambda _: "all is well"),
    "a folder more in the release": lambda h: (
        (h.release / "more").mkdir(), (h.release / "more" / "names.csv").write_text("p1,Trippel")
    ),
    "a link that leads nowhere": lambda h: (h.release / "more.csv").symlink_to(h.folder / "nowhere"),
}  # fmt: skip

# Nothing in these is untrue of the released files, and no file but the owner's tells: digests do. They are
# sealed with the owner's secret, so that only who has it could make them anew.
BY_DIGEST: dict[str, Callable[[House], None]] = {
    "a cell of the data changed within its label": lambda h: h.data.write_text(
        h.data.read_text().replace("p2,32", "p2,31")
    ),
    "the release's data exchanged for another's": lambda h: (h.release / "data.csv").write_bytes(
        (other(h).release / "data.csv").read_bytes()
    ),
    "a label widened": lambda h: h.column("age", lambda v: ["[0-99]"] * len(v)),
    "a label suppressed": lambda h: h.column("zip", lambda v: ["*"] * len(v)),
    "facts gone": lambda h: (h.release / "facts.json").unlink(),
    "facts not readable": lambda h: (h.release / "facts.json").write_text("[not json"),
    "facts of another release": lambda h: (h.release / "facts.json").write_bytes(
        (other(h).release / "facts.json").read_bytes()
    ),
    "less loss in facts and report": lambda h: (
        h.facts(put(0.01, "measures", "ncp", "total")), h.redraw()
    ),
    "another time in facts": lambda h: h.facts(put("2001-01-01", "made")),
    "the report gone": lambda h: (h.release / "report.html").unlink(),
    "a file more in the release": lambda h: (h.release / "names.csv").write_text("p1"),
    "a kept term masked": lambda h: h.column("text", lambda v: [t.replace("Oslo", "[GPE]") for t in v]),
    "what binds the files gone": lambda h: (h.own / "release.json").unlink(),
    "the seal gone": lambda h: h.owned("release.json", lambda t: json.dumps(without(json.loads(t), "seal"))),
    "another seal": lambda h: h.owned("release.json", lambda t: json.dumps(json.loads(t) | {"seal": "00"})),
    "another secret": lambda h: (h.own / "secret").write_bytes(b"x" * 32),
    "the secret gone": lambda h: (h.own / "secret").unlink(),
    "the owner's plan gone": lambda h: (h.own / "plan.json").unlink(),
    "the owner's hierarchies gone": lambda h: (h.own / "hierarchies.json").unlink(),
    "the owner's report changed": lambda h: h.owned("report.html", lambda t: t.replace("</main>", "")),
    "the row map gone": lambda h: (h.own / "rows.csv").unlink(),
    "both plans weakened": lambda h: weaken_both(h),
}  # fmt: skip


def edit_lines(house: House, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> None:
    path = house.own / "edits.jsonl"
    if not path.is_file():
        pytest.skip("the owner's folder holds no edits")
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    path.write_text("".join(json.dumps(line) + "\n" for line in change(lines)), "utf-8")


# The edits that made the released texts: replayed, they give other texts.
EDITS: dict[str, Callable[[House], None]] = {
    "an edit lost": lambda h: edit_lines(h, lambda lines: lines[1:]),
    "all edits lost": lambda h: edit_lines(h, lambda _: []),
    "an edit twice": lambda h: edit_lines(h, lambda lines: [lines[0], *lines]),
    "an edit of other words": lambda h: edit_lines(h, lambda lines: [lines[0] | {"text": "X"}, *lines[1:]]),
    "an edit moved": lambda h: edit_lines(
        h, lambda lines: [lines[0] | {"start": lines[0]["start"] + 1, "end": lines[0]["end"] + 1}, *lines[1:]]
    ),
    "an edit that takes more": lambda h: edit_lines(
        h, lambda lines: [lines[0] | {"end": lines[0]["end"] + 2}, *lines[1:]]
    ),
    "an edit of another row": lambda h: edit_lines(
        h, lambda lines: [lines[0] | {"row": (lines[0]["row"] + 3) % 10}, *lines[1:]]
    ),
    "an edit of no row": lambda h: edit_lines(h, lambda lines: [lines[0] | {"row": 10**6}, *lines[1:]]),
    "an edit of another column": lambda h: edit_lines(
        h, lambda lines: [lines[0] | {"column": "visits"}, *lines[1:]]
    ),
    "an edit that is none": lambda h: edit_lines(h, lambda lines: [{"row": 0}, *lines]),
    "an edit and the text after it": lambda h: (
        edit_lines(
            h, lambda lines: [one | {"text": one["text"].replace("[PERSON]", "Mrs Green")} for one in lines]
        ),
        h.column("text", lambda v: [t.replace("[PERSON]", "Mrs Green") for t in v]),
    ),
}  # fmt: skip


def without(content: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name != key}


def noticed(house: House) -> bool:
    try:
        return house.verify().holds is False
    except hn.HeteronymError as error:  # refused: what was given does not belong together
        return "does not belong" in str(error) or "row map" in str(error)


def test_nothing_is_noticed_where_nothing_was_done(house: House) -> None:
    verdict = house.verify()
    assert verdict.holds is True, [c for c in verdict.checks if c.holds is False]
    assert {c.name for c in verdict.checks if c.holds is None} == set()


def test_made_anew_digests_are_right(house: House) -> None:
    house.mend_digests(secret=True)
    assert house.verify().holds is True


def test_digests_made_anew_without_the_secret_are_noticed(house: House) -> None:
    house.facts(lambda facts: facts.update(made="2001-01-01"))
    house.redraw()
    house.mend_digests()
    failed = [check for check in house.verify().checks if check.holds is False]
    assert [check.name for check in failed] == ["intact"]
    assert "secret" in failed[0].detail


@pytest.mark.parametrize("case", [*CONTENT, *CLAIMS, *BY_DIGEST, *EDITS])
def test_every_change_is_noticed(case: str, house: House) -> None:
    (CONTENT | CLAIMS | BY_DIGEST | EDITS)[case](house)
    assert noticed(house)


@pytest.mark.parametrize("case", [*CONTENT, *CLAIMS, *BY_DIGEST, *EDITS])
def test_every_change_is_noticed_if_its_digests_are_made_anew(case: str, house: House) -> None:
    (CONTENT | CLAIMS | BY_DIGEST | EDITS)[case](house)
    house.mend_digests()
    assert noticed(house)


@pytest.mark.parametrize("case", [*CONTENT, *CLAIMS, *EDITS])
def test_what_is_not_true_is_noticed_without_any_digest(case: str, house: House) -> None:
    """Even by an owner whose secret is known to whoever did it."""
    (CONTENT | CLAIMS | EDITS)[case](house)
    house.mend_digests(secret=True)
    assert noticed(house)


@pytest.mark.parametrize("case", CLAIMS)
def test_a_recipient_notices_what_the_released_files_tell(case: str, house: House) -> None:
    CLAIMS[case](house)
    house.mend_digests()
    assert house.verify(against=None, private=None).holds is False


def test_facts_that_say_two_things_are_noticed_by_anybody(house: House) -> None:
    """Of a key that stands twice one reader takes the first value, and another the last."""
    path = house.release / "facts.json"
    path.write_text(path.read_text("utf-8").replace('"k": 2', '"k": 1000, "k": 2', 1), "utf-8")
    verdict = house.verify(against=None, private=None)
    assert next(check.name for check in verdict.checks if check.holds is False) == "facts"


def test_a_plan_that_says_two_things_is_no_plan(house: House) -> None:
    path = house.release / "plan.yaml"
    weaker = "privacy:\n- {model: k-anonymity, k: 1000}\n"
    path.write_text(weaker + path.read_text("utf-8"), "utf-8")
    with pytest.raises(hn.HeteronymError, match="not readable as a plan"):
        house.verify(against=None, private=None)


@pytest.mark.parametrize("case", ["a label widened", "the report gone", "a file more in the release"])
def test_a_recipient_notices_files_that_are_not_those_of_the_audit(case: str, house: House) -> None:
    BY_DIGEST[case](house)
    assert house.verify(against=None, private=None).holds is False


def test_the_owners_folder_of_another_release_is_refused(house: House) -> None:
    with pytest.raises(hn.HeteronymError, match="does not belong"):
        house.verify(private=other(house).own)


# --- what a recipient can tell ----------------------------------------------------------------------


def test_a_recipient_is_told_what_cannot_be_told(house: House) -> None:
    verdict = house.verify(against=None, private=None)
    assert (verdict.holds, verdict.unit) == (None, "rows")
    assert [model.holds for model in verdict.models] == [None, None, None]
    told = {check.name: check.detail for check in verdict.checks if check.holds is None}
    assert {"persons", "texts"} <= set(told)
    assert "--private" in told["persons"]


def test_fewer_than_k_rows_are_broken_for_anybody(house: House) -> None:
    house.cell("age", lambda _: "7")
    assert house.verify(against=None, private=None).holds is False


def test_an_item_of_fewer_than_k_rows_is_broken_for_anybody(house: House) -> None:
    house.cell("codes", lambda v: f"{v} Z")
    assert house.verify(against=None, private=None).holds is False


def test_persons_without_texts_are_not_enough_for_a_promise_about_terms(house: House) -> None:
    verdict = house.verify(against=None)
    assert (verdict.holds, verdict.unit) == (None, "persons")
    assert [model.holds for model in verdict.models] == [None, True, True]


def test_a_recipient_hears_that_facts_are_missing(house: House) -> None:
    (house.release / "facts.json").unlink()
    verdict = house.verify(against=None, private=None)
    assert any(check.name == "intact" and "missing" in check.detail for check in verdict.checks)


@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow"])
def test_the_data_may_come_as_a_frame(kind: str, house: House) -> None:
    frame = pl.read_csv(house.data, infer_schema=kind != "polars", schema_overrides={"zip": pl.String})
    given = {"polars": frame, "pandas": frame.to_pandas(), "pyarrow": frame.to_arrow()}[kind]
    verdict = house.verify(against=given)
    assert verdict.holds is True, [c for c in verdict.checks if c.holds is False]
    assert [c.name for c in verdict.checks if c.holds is None] == ["data"]
