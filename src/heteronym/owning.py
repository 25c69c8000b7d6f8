"""What a run leaves to the owner of the data: who is who, the plan, what was decided, mentions, the vault."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from heteronym.io.closing import closing_line
from heteronym.io.mentions import mention_lines
from heteronym.io.recodings import recoding_files
from heteronym.model.edit import Edits
from heteronym.model.plan import Plan
from heteronym.model.schema import Role, Schema
from heteronym.pipeline import Draft
from heteronym.recode.cuts import mentions_as_they_came
from heteronym.recode.remember import remember_cells, remember_texts
from heteronym.release_facts import promises_in_words, shown_in
from heteronym.report.html import render_report
from heteronym.run import Run
from heteronym.verify.evidence import EDITS_FILE, MENTIONS_FILE
from heteronym.verify.folder import PLAN_FILE, ROWS_FILE, TREES_FILE

REPORT_FILE = "report.html"
MEASURES_FILE = "measures.json"  # with all digits


def hierarchy_texts(schema: Schema, folder: Path) -> dict[str, dict[str, str]]:
    """Column -> name and text of the file that the plan names."""
    named = {
        name: folder / one.hierarchy
        for name, one in schema
        if one.hierarchy is not None and one.role in (Role.QUASI, Role.ITEMS, Role.EVENT)
    }
    return {
        name: {"name": path.name, "text": path.read_text("utf-8-sig")}
        for name, path in named.items()
        if path.is_file()
    }


def edit_lines(edits: Edits) -> Iterator[str]:
    """One JSON object per edit: replayed on the data's texts, they give the released ones."""
    m = edits
    for row, column, start, end, text in zip(
        m.row.tolist(), m.column.tolist(), m.start.tolist(), m.end.tolist(), m.text.tolist(), strict=True
    ):
        place = {"row": row, "column": m.columns[column], "start": start, "end": end}
        yield json.dumps({**place, "text": m.texts[text]})


def _vault_files(draft: Draft) -> dict[str, bytes]:
    """The vault of a release, with the way back from its surrogates."""
    if draft.names is None:
        return {}
    vault, renamed = draft.names.vault, draft.names.renamed
    group_of_row = draft.partition.group[draft.view.person_of_row]
    remember_cells(vault, draft.dataset, draft.recoding, group_of_row, renamed)
    if draft.mentions is not None and draft.edits is not None:
        remember_texts(vault, draft.dataset, draft.mentions, draft.edits, renamed)
    return vault.files()


def owner_files(draft: Draft, plan: Plan, facts: Mapping[str, Any], run: Run) -> dict[str, bytes]:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["released_row", "source_row", "person"])
    key = draft.dataset.schema.person
    keys = draft.dataset.frame[key][draft.source_row].to_list() if key else (draft.source_row + 1).tolist()
    for released, (source, person) in enumerate(zip(draft.source_row.tolist(), keys, strict=True), 1):
        writer.writerow([released, source + 1, person])
    for source in np.flatnonzero(draft.partition.group[draft.view.person_of_row] < 0).tolist():
        writer.writerow(["", source + 1, draft.dataset.frame[key][source] if key else source + 1])
    files = {ROWS_FILE: out.getvalue().encode(), PLAN_FILE: json.dumps(plan.to_dict(), indent=1).encode()}
    files[MEASURES_FILE] = json.dumps(draft.measures, indent=1).encode()
    both = shown_in(draft.frame, plan, draft.dataset.frame)
    files[REPORT_FILE] = render_report(facts, both, promises_in_words(facts)).encode()
    found = None
    if draft.mentions is not None and draft.cuts is not None:
        found = mentions_as_they_came(draft.mentions, draft.cuts)
    files |= recoding_files(draft.dataset, draft.view, draft.partition, draft.recoding, found)
    files |= _vault_files(draft)
    trees = hierarchy_texts(draft.dataset.schema, run.folder or Path())
    if trees:
        files[TREES_FILE] = json.dumps(trees, indent=1, ensure_ascii=False).encode()
    if draft.evidence is not None:
        mentions, edits = draft.evidence
        lines = [
            *mention_lines(mentions, rules=True),
            closing_line(draft.original or draft.dataset, len(mentions)),
        ]
        files[MENTIONS_FILE] = "".join(f"{line}\n" for line in lines).encode()
        files[EDITS_FILE] = "".join(f"{line}\n" for line in edit_lines(edits)).encode()
    return files
