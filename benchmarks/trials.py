"""Drafts of messy records, and plans varied by hand, released and counted by a program of its own.

    python -m benchmarks.trials [--cases 300] [--first 0] [--persons N] [--show]

Every case is one of the six kinds that `tools/make_trial.py` of the shared data makes (40 to 150 persons, or
as many as are asked for), or a sample of real adverse-event reports or hotel reviews (300 to 800 rows).
Half of the plans are the draft of `profile` as it is, the others have another model, k, m, search, recoding
or pseudonyms. The release is written, read back with the standard library, and counted from the
definitions; then `verify` is asked, with the owner's folder and the data, and must say the same as the run,
model by model and check by check.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from benchmarks.fuzz import disagreements

SHARED = Path(os.environ.get("HETERONYM_SHARED", Path(__file__).parents[2] / "shared"))
KINDS = ("visits", "survey", "tickets", "chats", "orders", "incidents", "vaers", "hotel")
_PLACEHOLDER = re.compile(r"\[[A-Z_]+\]")
_WORDS = {"couple", "group"}  # tags of the reviews that are words where they have no capital: "a couple of"
Label = tuple[str, str]
Row = dict[str, str]


class Trial(NamedTuple):
    """A data set: its file, how it is called, and the column of its persons where a draft may miss it."""

    kind: str
    path: Path
    person: str | None


def make_trial(seed: int, folder: Path, persons: int | None = None) -> Trial:
    """The data set of a seed, written into a folder."""
    chance = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    if kind in ("vaers", "hotel"):
        return Trial(kind, _sample(kind, folder, chance), "VAERS_ID" if kind == "vaers" else None)
    tool = SHARED / "tools" / "make_trial.py"
    flat = ["--flat"] if kind == "tickets" and chance.random() < 0.5 else []
    count = chance.randint(40, 150) if persons is None else persons
    options = ["--kind", kind, "--persons", str(count), "--seed", str(1_000 + seed), *flat]
    subprocess.run(
        [sys.executable, str(tool), *options, "--out", str(folder)], check=True, stdout=subprocess.DEVNULL
    )
    return Trial(kind, next(folder.glob("data.*")), None)


def _sample(kind: str, folder: Path, chance: random.Random) -> Path:
    csv.field_size_limit(10**8)
    with open(SHARED / "data" / kind / "data.csv", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    path = folder / "data.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *chance.sample(rows, chance.randint(300, 800))])
    return path


# --- plans ------------------------------------------------------------------------------------------


def plan_of(seed: int, trial: Trial) -> dict[str, Any]:
    """The draft, as it is or varied."""
    import heteronym as hn

    chance = random.Random(-1 - seed)
    plan = deepcopy(dict(hn.profile(trial.path, person=trial.person).plan))
    if chance.random() < 0.65 or trial.kind == "vaers":
        plan.setdefault("text", {})["model"] = "none"
    if seed // len(KINDS) % 2:
        _vary(plan, chance)
    return plan


def _vary(plan: dict[str, Any], chance: random.Random) -> None:
    roles: dict[str, list[str]] = defaultdict(list)
    for name, attribute in plan["attributes"].items():
        roles[attribute["role"]].append(name)
    k, m = chance.choice([2, 3, 5, 8]), chance.choice([1, 1, 2])
    models: list[dict[str, Any]]
    if chance.random() < 0.5:
        models = [{"model": "joint", "k": k, "m": m} | ({"absence": True} if chance.random() < 0.2 else {})]
        plan["partition"] = {"method": chance.choice(["joint", "mondrian"])}
    else:
        for name in roles["event"]:
            chosen = "quasi" if chance.random() < 0.5 else "identifier"
            kept = {
                key: plan["attributes"][name][key]
                for key in ("scale", "format", "entities")
                if key in plan["attributes"][name]
            }
            plan["attributes"][name] = {"role": chosen} | (kept if chosen == "quasi" else {})
        models = [{"model": "k-anonymity", "k": k}]
        searches = ["mondrian", "mondrian", "gdf", "k-member"]
        if roles["items"]:
            models.append({"model": chance.choice(["kkm-anonymity", "km-anonymity"]), "k": k, "m": m})
            searches = ["mondrian", "r-first", "tum-bound"]
        plan["partition"] = {"method": chance.choice(searches)}
        if plan["partition"]["method"] == "tum-bound":
            plan["partition"]["delta"] = 1.0
    models += [one for one in plan["privacy"] if one["model"] == "l-diversity"]
    if (
        roles["sensitive"]
        and not any(one["model"] == "l-diversity" for one in models)
        and chance.random() < 0.7
    ):
        models.append({"model": "l-diversity", "l": 2, "attribute": chance.choice(roles["sensitive"])})
    plan["privacy"] = models
    plan.setdefault("recode", {})["terms"] = chance.choice(["suppress", "generalize"])
    release = plan.setdefault("release", {})
    person = plan.get("data", {}).get("person")
    if person and chance.random() < 0.25 and models[0]["model"] != "joint":
        release["person_key"] = "pseudonym"
    if chance.random() < 0.4:
        release["suppress_up_to"] = chance.choice([0.02, 0.1])
    own = [name for name in roles["identifier"] if name != person]
    if own and chance.random() < 0.2 and models[0]["model"] != "joint":
        plan["attributes"][chance.choice(own)] |= {"recode": "surrogate", "entities": ["CODE"]}


# --- the count --------------------------------------------------------------------------------------


def rows_of(path: Path, delimiter: str | None, encoding: str | None) -> list[Row]:
    """Cells as texts; lists and objects as JSON."""
    csv.field_size_limit(10**8)
    encoding = encoding or ("utf-8-sig" if _is_utf8(path) else "cp1252")
    with path.open(encoding=encoding, newline="") as file:
        if path.suffix in (".json", ".jsonl"):
            found = [json.loads(line) for line in file if line.strip()]
            flat = [dict(_cells_of(row)) for row in found]
            names = list(dict.fromkeys(name for row in flat for name in row))
            return [{name: row.get(name, "") for name in names} for row in flat]
        if delimiter is None:
            first = file.readline()
            delimiter = max(",;\t|", key=first.count)
            file.seek(0)
        return list(csv.DictReader(file, delimiter=delimiter))


def _cells_of(value: Any, name: str = "") -> Iterable[tuple[str, str]]:
    """Cells of an object, each named by the way to it; a list of values is one cell."""
    if isinstance(value, list) and any(isinstance(one, dict) for one in value):
        value = dict(enumerate(value))
    if isinstance(value, dict):
        for inner, one in value.items():
            yield from _cells_of(one, f"{name}.{inner}" if name else str(inner))
    else:
        yield name, _text(value)


def _is_utf8(path: Path) -> bool:
    try:
        path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    return cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)


class Count:
    """A release beside its data: what of the definitions does not hold, in words."""

    def __init__(
        self, plan: Mapping[str, Any], before: Sequence[Row], after: Sequence[Row], known: Sequence[Row]
    ) -> None:
        self.plan, self.before, self.after = plan, before, after
        self.source = [int(row["source_row"]) - 1 for row in known]
        key = plan.get("data", {}).get("person")
        self.person = [before[at][key] if key else str(at) for at in self.source]
        self.everybody = {row[key] if key else str(at) for at, row in enumerate(before)}
        self.roles: dict[str, list[str]] = defaultdict(list)
        for name, attribute in plan["attributes"].items():
            self.roles[attribute["role"]].append(name)
        keys = [tuple(row[name] for name in self.roles["quasi"]) for row in after]
        self.groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for at, one in enumerate(keys):
            self.groups[one].append(at)

    def violations(self) -> list[str]:
        found = [*self._rows(), *self._columns(), *self._own_identifiers()]
        for model in self.plan["privacy"]:
            found += getattr(self, "_" + model["model"].replace("-", "_"))(model)
        return found

    def _rows(self) -> Iterable[str]:
        if len(set(self.source)) != len(self.source) or len(self.source) != len(self.after):
            yield "rows are doubled or missing"
        gone = self.everybody - set(self.person)
        if len(gone) > self.plan.get("release", {}).get("suppress_up_to", 0) * len(self.everybody):
            yield f"{len(gone)} persons are left out"
        if self.everybody - gone and len(self.source) != sum(
            self._key(at) not in gone for at in range(len(self.before))
        ):
            yield "some rows of a released person are missing"

    def _key(self, at: int) -> str:
        key = self.plan.get("data", {}).get("person")
        return self.before[at][key] if key else str(at)

    def _columns(self) -> Iterable[str]:
        person = self.plan.get("data", {}).get("person")
        pseudonym = self.plan.get("release", {}).get("person_key") == "pseudonym"
        for name in self.roles["identifier"]:
            shown = name in self.after[0]
            if (
                shown
                and self.plan["attributes"][name].get("recode") != "surrogate"
                and not (name == person and pseudonym)
            ):
                yield f"{name} is released"
            elif shown and any(
                now[name] and now[name] == self.before[at][name]
                for at, now in zip(self.source, self.after, strict=True)
            ):
                yield f"{name} shows an original"
        for name in (*self.roles["sensitive"], *self.roles["plain"]):
            if any(
                now[name].strip() != self.before[at][name].strip()
                for at, now in zip(self.source, self.after, strict=True)
            ):
                yield f"{name} changed"

    def _own_identifiers(self) -> Iterable[str]:
        """Values of identifier columns, as they are written, in texts of their own person."""
        mine: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for at, row in enumerate(self.before):
            for name in self.roles["identifier"]:
                value = row[name].strip().casefold()
                if len(re.sub(r"\W", "", value)) >= 5 and "{" not in value and len(value) < 80:
                    mine[self._key(at)].add((name, value))
        for who, now in zip(self.person, self.after, strict=True):
            texts = [now[name].casefold() for name in self.roles["text"]]
            for name, value in mine[who]:
                if any(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) for text in texts):
                    yield f"a value of {name} is left in a text"

    def _persons(self, rows: Iterable[int]) -> set[str]:
        return {self.person[at] for at in rows}

    def _k_anonymity(self, model: Mapping[str, Any]) -> Iterable[str]:
        for rows in self.groups.values():
            if len(self._persons(rows)) < model["k"]:
                yield f"a group of {len(self._persons(rows))} persons"

    def _l_diversity(self, model: Mapping[str, Any]) -> Iterable[str]:
        for rows in self.groups.values():
            values = {self.after[at][model["attribute"]] for at in rows}
            if len(values) < model["l"] or len(self._persons(rows)) < model["l"]:
                yield f"{len(values)} values of {model['attribute']} in a group"

    def _kkm_anonymity(self, model: Mapping[str, Any]) -> Iterable[str]:
        yield from self._k_anonymity(model)
        for rows in self.groups.values():
            yield from self._few({at: self._entries(at) for at in rows}, model)

    def _km_anonymity(self, model: Mapping[str, Any]) -> Iterable[str]:
        yield from self._few({at: self._entries(at) for at in range(len(self.after))}, model)

    def _entries(self, at: int) -> set[Label]:
        return {
            (name, entry)
            for name in self.roles["items"]
            for entry in entries_of(self.after[at][name], self.plan["attributes"][name].get("separator"))
        }

    def _few(
        self,
        shown: Mapping[int, set[Label]],
        model: Mapping[str, Any],
        *,
        counted: Mapping[int, Counter[Label]] = MappingProxyType({}),
        by_row: bool = False,
    ) -> Iterable[str]:
        """Combinations of up to m that fewer than k persons show: by person, or within a row.

        Labels in `counted` are shown at least so often: of a person in all rows together.
        """
        m = model.get("m", 2)
        records: dict[Any, set[Label]] = defaultdict(set)
        often: dict[Any, Counter[Label]] = defaultdict(Counter)
        for at, labels in shown.items():
            records[at if by_row else self.person[at]] |= labels
        for at, times in counted.items():
            often[at if by_row else self.person[at]].update(times)
        holders: dict[Any, set[str]] = defaultdict(set)
        for who in {**records, **often}:
            features = [(label, 1) for label in records[who]]
            features += [(one, j) for one, n in often[who].items() for j in range(1, min(n, m) + 1)]
            for size in range(1, m + 1):
                for some in combinations(sorted(features), size):
                    holders[some].add(self.person[who] if by_row else who)
        few = Counter(len(who) for who in holders.values() if len(who) < model["k"])
        yield from (f"{size} persons show some labels ({times} times)" for size, times in few.items())

    def _joint(self, model: Mapping[str, Any]) -> Iterable[str]:
        """Items, event labels and placeholders; other labels in texts are not told apart from words here.

        Who has an item's letters in a text shows it, whoever put them there.
        """
        yield from self._k_anonymity(model)
        for rows in self.groups.values():
            shown = {at: self._entries(at) for at in rows}
            spelt: dict[tuple[str, str], set[str]] = defaultdict(set)
            for name in self.roles["event"]:
                labels = {at: self.after[at][name] for at in rows}
                if len(set(labels.values())) > 1:  # one label on every row tells nothing but their number
                    for at, label in labels.items():
                        shown[at].add((name, label))
            for name, label in set().union(*shown.values()):
                spelt[name, _read(label)].add(label)
            several = Counter(name for (name, _), all_ in spelt.items() if len(all_) > 1)
            yield from (f"{n} labels of {name} stand in several writings" for name, n in several.items())
            shown = {at: {(name, _read(x)) for name, x in here} for at, here in shown.items()}
            for at in rows:
                shown[at] |= self._items_in_texts(at, set().union(*shown.values()))
            counted = {at: Counter(("", one) for one in self._placeholders(at)) for at in rows}
            yield from self._few(shown, model, counted=counted)
            if model["m"] > 1:
                yield from self._few(shown, model, counted=counted, by_row=True)

    def _placeholders(self, at: int) -> Iterable[str]:
        """Those of a row's texts that did not stand there before."""
        for name in self.roles["text"]:
            before = self.before[self.source[at]][name]
            yield from (p for p in _PLACEHOLDER.findall(self.after[at][name]) if p not in before)

    def _items_in_texts(self, at: int, labels: Iterable[Label]) -> set[Label]:
        texts = " ".join(" ".join(self.after[at][name].split()) for name in self.roles["text"])
        words = (
            " " + " ".join(re.findall(r"\w+", " ".join(t for t in texts.split() if t not in _WORDS))) + " "
        )
        return {
            one
            for one in labels
            if one[0] in self.roles["items"]
            and " " + " ".join(re.findall(r"\w+", one[1])) + " " in words.casefold()
        }


def _read(text: str) -> str:
    return " ".join(text.split()).casefold()


def entries_of(cell: str, separator: str | None) -> list[str]:
    """The entries of a set: what stands between separators outside of brackets and escapes."""
    if cell.startswith("["):
        try:
            return [str(one) for one in json.loads(cell)]
        except ValueError:
            pass
    if separator is None:
        return [cell] if cell else []
    found, depth, now, escaped = [], 0, "", False
    for sign in cell:
        if escaped:
            now, escaped = now + sign, False
        elif sign == "\\":
            now, escaped = now + sign, True
        elif sign == separator and not depth:
            found.append(now)
            now = ""
        else:
            depth += (sign == "(") - (sign == ")")
            now += sign
    return [one.strip() for one in [*found, now] if one.strip()]


# --- one case ---------------------------------------------------------------------------------------


def run_case(seed: int, folder: Path, persons: int | None = None) -> tuple[str, list[str], dict[str, Any]]:
    """released | refused | crashed, what is wrong or was said, and how the case was made."""
    import heteronym as hn
    from heteronym.errors import InputError, PlanError, PromiseError

    trial = make_trial(seed, folder, persons)
    made: dict[str, Any] = {"kind": trial.kind}
    try:
        plan = plan_of(seed, trial)
        made |= {"privacy": plan["privacy"], "partition": plan["partition"], "release": plan.get("release")}
        made["model"] = plan.get("text", {}).get("model", "default")
        begin = time.process_time()
        release = hn.anonymize(trial.path, plan, output=folder / "out", private=folder / "own")
        middle = time.process_time()
        later = hn.verify(folder / "out", against=trial.path, private=folder / "own")
        made |= {"run": round(middle - begin, 2), "verify": round(time.process_time() - middle, 2)}
    except PromiseError as error:
        return "refused", [str(error)], made
    except (PlanError, InputError) as error:  # a draft must be a plan; one that was varied need not be
        is_draft = seed // len(KINDS) % 2 == 0
        return "crashed" if is_draft else "no plan", [str(error)], made
    except Exception:  # noqa: BLE001 - whatever it is, it counts as a crash
        return "crashed", [traceback.format_exc()], made
    made["mended"] = {name: n for name, n in release.facts["data"].items() if name.startswith("mended") and n}
    told = disagreements(release.verdict, later)
    layout = (plan["data"].get("delimiter"), plan["data"].get("encoding")) if "data" in plan else (None, None)
    with open(next((folder / "own").rglob("rows.csv")), encoding="utf-8", newline="") as file:
        known = sorted(
            (r for r in csv.DictReader(file) if r["released_row"]), key=lambda r: int(r["released_row"])
        )
    before, after = (rows_of(path, *layout) for path in (trial.path, next((folder / "out").glob("data.*"))))
    return "released", told + Count(plan, before, after, known).violations(), made


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.trials")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--persons", type=int, help="of the made kinds; as the seed says if left out")
    parser.add_argument("--show", action="store_true", help="a line for every case, not only what is wrong")
    args = parser.parse_args()
    counts: Counter[str] = Counter()
    begin = time.process_time()
    for seed in range(args.first, args.first + args.cases):
        with tempfile.TemporaryDirectory() as folder:
            outcome, told, made = run_case(seed, Path(folder), args.persons)
        counts[outcome] += 1
        counts[f"{made['kind']} {outcome}"] += 1
        counts["wrong"] += bool(told) and outcome == "released"
        if told or args.show:
            print(f"seed {seed}: {outcome}: {json.dumps(made)} {'; '.join(told[:3])}", flush=True)
    print(f"{args.cases} data sets, {time.process_time() - begin:.0f} CPU s: {dict(counts)}")


if __name__ == "__main__":
    main()
