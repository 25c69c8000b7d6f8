"""What mentions cover of invented records: identifiers that must go, words that must stay.

    python benchmarks/studies/trial_places.py [--persons 300] [--seeds 1 2] [--kinds visits orders ...]
                                              [--stages alone person others] [--show KIND]

The records are made by tools/make_trial.py of the shared folder, which also says where in each text something
was planted. Nothing is grouped or released here, so what a search cuts out of texts does not blur the count.
Stages: `alone`, what the recognizers say of each text; `person`, with the cells of the text's person, which
is what every release masks or generalizes; `others`, with everybody's values, as `joint` reads.

missed   places of identifiers that no mention covers whole, by kind and by whose they are
hit      places of words and measurements that a mention touches, by kind, and by the rules that touched them
`--show` prints the places missed and hit of one kind of place, with what stands around them.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

sys.path.insert(0, str(Path(__file__).resolve().parent))

from recognition_bars import remember

from heteronym.io.tables import Table, from_frame
from heteronym.model.mention import Mentions
from heteronym.model.plan import Plan
from heteronym.pipeline import make_dataset, recognize_texts
from heteronym.reading.missed_mentions import add_mentions_missed_in_other_texts
from heteronym.reading.read_person import read_persons, reading_for, unlinked
from heteronym.reading.values_of_others import add_mentions_of_others_values
from heteronym.run import Run

SHARED = Path(os.environ.get("HETERONYM_SHARED", Path(__file__).resolve().parents[3] / "shared"))
KINDS = ("visits", "survey", "tickets", "chats", "orders", "incidents")
STAGES = ("alone", "person", "others")
WORD = re.compile(r"\w+")
PERSON = "whose_row"
AROUND = 30  # characters beside a place that `--show` prints

Row = dict[str, Any]
Mark = tuple[int, int, str]  # start, end, what marked it


def trial(kind: str, persons: int, seed: int, folder: Path) -> tuple[list[Row], Row]:
    """Rows as a flat table's, and the truth about them."""
    tool = [sys.executable, str(SHARED / "tools" / "make_trial.py"), "--kind", kind, "--out", str(folder)]
    flat = ["--flat"] if kind == "tickets" else []
    subprocess.run(
        [*tool, *flat, "--persons", str(persons), "--seed", str(seed)], check=True, stdout=subprocess.DEVNULL
    )
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    file = truth["file"]
    lines = (folder / file["name"]).read_text(encoding=file["encoding"]).splitlines(keepends=True)
    if file["format"] == "csv":
        rows = list(csv.DictReader(lines, delimiter=file["delimiter"]))
    else:
        rows = [json.loads(line) for line in lines]
    return rows, truth


def plan_of(truth: Row, language: str, model: str) -> Plan:
    """What the truth says of each column; sensitive and plain ones are not looked for."""
    attributes: dict[str, Row] = {PERSON: {"role": "identifier"}}
    for name, about in truth["columns"].items():
        role = about["is"]
        attributes[name] = {"role": role}
        if role in ("quasi", "event"):
            attributes[name]["entities"] = ["VALUE"]
        if role == "items":
            attributes[name] |= {"separator": about.get("separator", ","), "entities": ["VALUE"]}
    return Plan.model_validate(
        {
            "version": 1,
            "data": {"person": PERSON},
            "attributes": attributes,
            "privacy": [{"model": "joint", "k": 5, "m": 1}],
            "partition": {"method": "joint"},
            "text": {"language": language, "model": model},
        }
    )


def table_of(rows: list[Row], truth: Row) -> Table:
    cells = {
        name: [row.get(name) if isinstance(row.get(name), list) else str(row.get(name) or "") for row in rows]
        for name in truth["columns"]
    }
    cells[PERSON] = [f"zq{one['person']:06}zq" for one in truth["rows"]]
    return from_frame(pl.DataFrame(cells))[0]


def mentions_of(stage: str, table: Table, plan: Plan) -> Mentions:
    run = Run()
    dataset = make_dataset(table, plan)
    with run.active():
        reading = reading_for(dataset, plan.text)
        found = recognize_texts(dataset, plan, run)
        if stage == "alone":
            return read_persons(dataset, found, replace(unlinked(reading), counts=reading.counts))
        found = read_persons(dataset, found, reading)
        if stage == "others":
            found = add_mentions_of_others_values(dataset, found, reading)
            found = add_mentions_missed_in_other_texts(dataset, found)
        return found


def marks_of(found: Mentions) -> dict[tuple[int, str], list[Mark]]:
    """By row and column, where something is marked and by what."""
    marks: dict[tuple[int, str], list[Mark]] = {}
    every = found.spans(slice(None))
    places = zip(found.row.tolist(), found.column.tolist(), found.link.tolist(), every, strict=True)
    for row, column, link, span in places:
        told = f" = {found.links[link]}" if link >= 0 else ""
        said = f"{span.type} {span.source}: {span.rule}{told}"
        marks.setdefault((row, found.columns[column]), []).append((span.start, span.end, said))
    return marks


def words_in(text: str, start: int, end: int) -> list[tuple[int, int]]:
    return [word.span() for word in WORD.finditer(text, start, end)]


class Count:
    """Places by what became of them."""

    def __init__(self, shown: str) -> None:
        self.planted: Counter[tuple[str, str]] = Counter()
        self.missed: Counter[tuple[str, str]] = Counter()
        self.whose: Counter[tuple[str, str]] = Counter()
        self.hit: Counter[str] = Counter()
        self.rules: Counter[tuple[str, str]] = Counter()
        self.words: Counter[str] = Counter()
        self.over: Counter[str] = Counter()
        self.shown = shown

    def add(self, text: str, truth: Row, column: str, marks: list[Mark]) -> None:
        covered = bytearray(len(text))
        for start, end, _ in marks:
            covered[start:end] = b"\1" * (end - start)
        planted = bytearray(len(text))
        for place in (one for one in truth["places"] if one["column"] == column):
            start, end = place["start"], place["end"]
            planted[start:end] = b"\1" * (end - start)
            kind = (place["class"], place["kind"])
            self.planted[kind] += 1
            if not all(any(covered[a:b]) for a, b in words_in(text, start, end)):
                self.missed[kind] += 1
                self.whose[place["class"], place["whose"]] += 1
                self._show(text, place, "missed", "")
        for place in (one for one in truth["keep"] if one["column"] == column and not one.get("own_name")):
            start, end = place["start"], place["end"]
            self.planted["keep", place["kind"]] += 1
            by = {said for a, b, said in marks if a < end and start < b}
            if by:
                self.hit[place["kind"]] += 1
                self.rules.update((place["kind"], said) for said in by)
                self._show(text, place, "hit", "; ".join(sorted(by)))
        for start, end in words_in(text, 0, len(text)):
            self.words["neutral"] += not any(planted[start:end])
            self.words["masked"] += not any(planted[start:end]) and any(covered[start:end])
        for start, end, said in marks:
            if not any(planted[start:end]):
                self.over[said] += 1

    def _show(self, text: str, place: Row, what: str, by: str) -> None:
        if place["kind"] == self.shown or self.shown == "all":
            start, end = place["start"], place["end"]
            before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
            print(f"  {what} {place['kind']}: {before!r} [{text[start:end]!r}] {after!r} {by}")

    def report(self, rules: int) -> None:
        for group, what, counts in (
            ("identifier", "missed", self.missed),
            ("quasi", "missed", self.missed),
            ("keep", "hit", None),
        ):
            kinds = sorted(kind for own, kind in self.planted if own == group)
            for kind in kinds:
                planted = self.planted[group, kind]
                some = self.hit[kind] if counts is None else counts[group, kind]
                print(f"  {group:11}{kind:15}{planted:7} {what:7}{some:6} {100 * some / planted:6.1f} %")
        print("  missed by whose they are:", dict(sorted(self.whose.items())))
        share = 100 * self.words["masked"] / self.words["neutral"]
        print(f"  words outside planted places masked: {share:.1f} %")
        for (kind, said), some in self.rules.most_common(rules):
            print(f"  hit {kind:10} {some:5}  {said}")
        for said, some in self.over.most_common(rules):
            print(f"  beside planted places {some:5}  {said}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--persons", type=int, default=300)
    parser.add_argument("--seeds", type=int, nargs="*", default=[1])
    parser.add_argument("--kinds", nargs="*", default=KINDS)
    parser.add_argument("--stages", nargs="*", default=STAGES, choices=STAGES)
    parser.add_argument("--model", default="accurate")
    parser.add_argument(
        "--language", nargs="*", default=["orders=de"], help="kind=language, others are English"
    )
    parser.add_argument("--rules", type=int, default=12, help="how many rules to name")
    parser.add_argument("--show", default="", help="a kind of place, or all")
    parser.add_argument(
        "--cache", type=Path, help="what the model says is kept here, as in recognition_bars.py"
    )
    options = parser.parse_args()
    if options.cache:
        remember(options.cache)
    languages = dict(one.split("=") for one in options.language)
    for kind in options.kinds:
        for stage in options.stages:
            count = Count(options.show)
            for seed in options.seeds:
                with tempfile.TemporaryDirectory() as folder:
                    rows, truth = trial(kind, options.persons, seed, Path(folder))
                plan = plan_of(truth, languages.get(kind, "en"), options.model)
                marks = marks_of(mentions_of(stage, table_of(rows, truth), plan))
                columns = [name for name, about in truth["columns"].items() if about["is"] == "text"]
                for number, (row, told) in enumerate(zip(rows, truth["rows"], strict=True)):
                    for column in columns:
                        count.add(row.get(column) or "", told, column, marks.get((number, column), []))
            print(f"{kind}, {stage}, seeds {options.seeds}, {options.persons} persons")
            count.report(options.rules)


if __name__ == "__main__":
    main()
