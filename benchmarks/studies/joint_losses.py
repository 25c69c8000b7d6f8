"""Where does the joint model lose information: which kind of thing, and because of what?

    python -m benchmarks.studies.joint_losses FOLDER [--sets visits survey tickets chats orders incidents]
        [--m 1 2] [--k 5] [--causes] [--write PAGE]

FOLDER holds one folder per set with its data file and truth.json (the trial sets; tickets flat). Plans are
written here by hand, so that the model is measured and not somebody's reading of the columns. Nothing is
audited or mended: figures are those of the first draft. Shares of what the data has: words that still stand;
sentences with mentions that went, by the types because of which they went (a sentence counts for every one of
them); words masked, made more general or replaced by a column's label; texts of which nothing is left; items
and event values by what their labels are worth (1 as they were, 0 masked); 1 - NCP of the columns. `kept` is
the mean of columns, words, items and events, as far as a set has them.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from benchmarks.figures import show
from heteronym.io.plans import make_plan
from heteronym.io.tables import Table, read_table
from heteronym.model.mention import Mentions
from heteronym.model.plan import DataPlan, Plan
from heteronym.model.recoding import Fate
from heteronym.pipeline import Draft, find, make_dataset, make_draft
from heteronym.recode.event_labels import ladders
from heteronym.run import Run

DATE = {"role": "event", "scale": "date", "entities": ["DATE"]}
PERSON = "person of the truth"
TEXT, IDENTIFIER = {"role": "text"}, {"role": "identifier"}
VALUE = {"entities": ["VALUE"]}
YEAR = r"(?:19|20)\d\d"


def each(names: Sequence[str], what: Mapping[str, Any]) -> dict[str, Any]:
    return {name: {**what} for name in names}


COLUMNS: dict[str, dict[str, Any]] = {
    "visits": {
        "data": {},
        "attributes": {
            **each(("rec_no", "patient"), IDENTIFIER),
            "dob": {"role": "quasi", "scale": "numeric"},
            "sex": {"role": "quasi"},
            "pc": {"role": "quasi", "recode": "prefix", "entities": ["POSTCODE"]},
            "ward": {"role": "event", **VALUE},
            "seen_on": {**DATE, "format": "%d-%b-%Y"},
            "note_type": {"role": "event"},
            "dx_codes": {"role": "items", "separator": "; ", **VALUE},
            "drugs": {"role": "items", "separator": ", ", **VALUE},
            "note": TEXT,
        },
    },
    "survey": {
        "data": {},
        "attributes": {
            "respondent": IDENTIFIER,
            **each(("dept", "grade", "age_band"), {"role": "quasi", **VALUE}),
            **each(("pay", "started"), {"role": "quasi", "scale": "numeric"}),
            **each(
                ("q1_workload", "q2_manager", "q3_tools", "q4_fair_pay", "q5_safe", "q6_stay"),
                {"role": "sensitive"},
            ),
            **each(("good_thing", "other_remarks"), TEXT),
        },
    },
    "tickets": {
        "data": {},
        "attributes": {
            **each(
                (
                    "ticket",
                    "customer_id",
                    "customer_name",
                    "customer_mail",
                    "customer_phone",
                    "street",
                ),
                IDENTIFIER,
            ),
            "postcode": {"role": "quasi", "recode": "prefix", "entities": ["POSTCODE"]},
            "city": {"role": "quasi", "entities": ["GPE"]},
            "born": {"role": "quasi", "scale": "numeric"},
            "opened": DATE,
            "channel": {"role": "event"},
            "priority": {"role": "event"},
            "escalated": {"role": "event"},
            **each(("devices", "tags"), {"role": "items", **VALUE}),
            **each(("subject", "description", "messages"), TEXT),
        },
    },
    "chats": {
        "data": {"delimiter": "\t"},
        "attributes": {
            "user": IDENTIFIER,
            "city": {"role": "quasi", "entities": ["GPE"]},
            "phone": {"role": "quasi", **VALUE},
            "sent": DATE,
            "text": TEXT,
        },
    },
    "orders": {
        "data": {"delimiter": ";"},
        "attributes": {
            **each(("Bestellnr", "Kundennr", "Kunde", "Straße"), IDENTIFIER),
            "PLZ": {"role": "quasi", "recode": "prefix", "entities": ["POSTCODE"]},
            "Ort": {"role": "quasi", "entities": ["GPE"]},
            "Bestelldatum": {**DATE, "format": "%d.%m.%Y"},
            "Artikel": {"role": "items", "separator": "|", **VALUE},
            "Betrag": {"role": "event"},
            "Zahlart": {"role": "event"},
            "Bemerkung": TEXT,
        },
    },
    "incidents": {
        "data": {},
        "attributes": {
            **each(("report_no", "payroll_no", "injured", "witness"), IDENTIFIER),
            "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
            **each(("employer", "trade", "site"), {"role": "quasi", **VALUE}),
            "occurred": {**DATE, "format": "%Y/%m/%d"},
            "body_parts": {"role": "items", "separator": " ", **VALUE},
            "days_lost": {"role": "event", "scale": "numeric"},
            "over_7_days": {"role": "event"},
            "narrative": TEXT,
        },
    },
}


# numbers in cells that are written in several ways: the pattern finds what counts
CLEANED = {"dob": YEAR, "started": YEAR, "pay": r"\d+,\d+", "age": r"\d+"}


def table_of(name: str, folder: Path, data: DataPlan) -> Table:
    """A set as a careful owner would hand it in: with a key of persons, and numbers that are numbers."""
    [path] = sorted((folder / name).glob("data.*"))
    table = read_table(path, data)
    cells = [name for name in CLEANED if name in table.frame.columns]
    numbers = [
        pl.col(name).cast(pl.String).str.extract(f"({CLEANED[name]})").str.replace(",", "") for name in cells
    ]
    rows = json.loads((folder / name / "truth.json").read_text("utf-8"))["rows"]
    persons = pl.Series(PERSON, [str(row["person"]) for row in rows])
    return replace(table, frame=table.frame.with_columns(persons, *numbers))


def plan_of(name: str, *, k: int, m: int) -> dict[str, Any]:
    return {
        "version": 1,
        "data": {**COLUMNS[name]["data"], "person": PERSON},
        "attributes": {PERSON: IDENTIFIER, **COLUMNS[name]["attributes"]},
        "privacy": [{"model": "joint", "k": k, "m": m}],
        "partition": {"method": "joint"},
        "recode": {"terms": "generalize"},
        "seed": 0,
    }


def losses(draft: Draft) -> tuple[dict[str, Any], Counter[str]]:
    """Shares kept and lost, and the types because of which sentences went."""
    found = _of_texts(draft)
    causes: Counter[str] = found.pop("causes")
    found |= _of_cells(draft)
    ncp = draft.measures.get("ncp", {})
    found["columns"] = 1.0 - float(ncp.get("relational", 0.0))
    kinds = [found[one] for one in ("columns", "words", "items", "events") if one in found]
    found["kept"] = float(np.mean(kinds))
    found["groups"] = draft.partition.count
    return found, causes


def _of_texts(draft: Draft) -> dict[str, Any]:
    assert draft.mentions is not None
    assert draft.edits is not None
    mentions, elements = draft.mentions, draft.view.elements
    names = mentions.columns
    before = {name: draft.dataset.frame[name].cast(str).fill_null("").to_list() for name in names}
    rows = draft.source_row.tolist()
    words = sum(len(before[name][row].split()) for name in names for row in rows)
    texts = sum(bool(before[name][row]) for name in names for row in rows)
    after = {name: draft.frame[name].fill_null("").to_list() for name in names}
    empty = sum(
        bool(before[name][row]) and not after[name][n] for name in names for n, row in enumerate(rows)
    )
    edits, lost = draft.edits, {"with sentences": 0, "masked": 0, "labels": 0}
    for column, row, start, end, text in zip(
        edits.column.tolist(),
        edits.row.tolist(),
        edits.start.tolist(),
        edits.end.tolist(),
        edits.text.tolist(),
        strict=True,
    ):
        now = edits.texts[text]
        what = (
            "with sentences"
            if not now
            else "masked"
            if now[:1] == "[" and (now.isupper() or now == "[...]")
            else "labels"
        )
        lost[what] += len(before[names[column]][row][start:end].split())
    group = draft.partition.group[draft.view.person_of_row[elements.mention_row]]
    causing = draft.recoding.elements.dropped(elements, group)
    gone = np.unique(elements.mention_sentence[causing])
    types = np.array(mentions.types)[mentions.type]
    pairs = {*zip(elements.mention_sentence[causing].tolist(), types[causing].tolist(), strict=True)}
    causes = Counter(type_ for _, type_ in pairs)
    shares = {what: count / max(words, 1) for what, count in lost.items()}
    return {
        "words": 1.0 - sum(shares.values()),
        **shares,
        "texts emptied": empty / max(texts, 1),
        "sentences gone": len(gone) / max(len(np.unique(elements.mention_sentence)), 1),
        "causes": causes,
    }


def _of_cells(draft: Draft) -> dict[str, float]:
    """What the labels of items and of events are worth, over all entries of all cells."""
    view, labels = draft.view, draft.recoding.elements
    group, worth = draft.partition.group[view.person_of_row], {"items": [0.0, 0], "events": [0.0, 0]}
    values = {column.name: column for column in view.events}
    for name, cells in view.elements.cells.items():
        row, element = cells.of_cell.expand(cells.of_row)
        row, element = row[group[row] >= 0], element[group[row] >= 0]
        fate, label = labels.fate_and_label(group[row], element)
        if name in values:
            steps = ladders(values[name])
            number = dict(zip(view.event_elements(values[name]).tolist(), steps, strict=True))
            told = [
                1.0
                if f == Fate.KEPT
                else next((w for t, w in number[e] if t == labels.labels[at]), 0.0)
                if f == Fate.GENERALIZED
                else 0.0
                for f, at, e in zip(fate.tolist(), label.tolist(), element.tolist(), strict=True)
            ]
            kind = "events"
        else:
            size = np.array([one.stands_for for one in labels.labels] + [1])
            many = max(int((view.elements.domain == view.elements.domain[element[:1]]).sum()), 1)
            wide = 1.0 - (size[label] - 1) / max(many - 1, 1)
            told = np.select([fate == Fate.KEPT, fate == Fate.GENERALIZED], [1.0, wide], 0.0).tolist()
            kind = "items"
        if getattr(labels, "entries", None) is not None and kind == "items":
            span = len(view.elements)
            gone = labels.entries.owners() * span + labels.entries.codes
            told = np.where(np.isin(row.astype(np.int64) * span + element, gone), 0.0, told).tolist()
        worth[kind][0] += float(np.sum(told))
        worth[kind][1] += len(told)
    return {kind: total / count for kind, (total, count) in worth.items() if count}


def draft_of(name: str, folder: Path, plan: Plan, mentions: Mentions | None) -> Draft:
    return make_draft(make_dataset(table_of(name, folder, plan.data), plan), plan, mentions=mentions)


def found_in(name: str, folder: Path, plan: Plan) -> Mentions:
    """What is recognized; it does not depend on the model."""
    return find(make_dataset(table_of(name, folder, plan.data), plan), plan)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("folder", type=Path)
    options.add_argument("--sets", nargs="*", default=list(COLUMNS), choices=list(COLUMNS))
    options.add_argument("--m", type=int, nargs="*", default=[1, 2])
    options.add_argument("--k", type=int, default=5)
    options.add_argument("--causes", action="store_true", help="also the types that took sentences")
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    rows: list[dict[str, Any]] = []
    for name in given.sets:
        mentions = None
        for m in given.m:
            plan = make_plan(plan_of(name, k=given.k, m=m))
            mentions = mentions if mentions is not None else found_in(name, given.folder, plan)
            began, run = time.process_time(), Run()
            with run.active():
                draft = draft_of(name, given.folder, plan, mentions)
            figures, causes = losses(draft)
            figures = {"items": "-", "events": "-"} | figures
            rows.append({"set": name, "m": m, **figures, "CPU s": round(time.process_time() - began, 1)})
            if given.causes:
                print(name, m, causes.most_common(12), flush=True)
    show(rows, name="joint losses", page=given.write)


if __name__ == "__main__":
    main()
