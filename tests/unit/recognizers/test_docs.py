"""The table of types in the docs is the table in the code."""

from __future__ import annotations

from pathlib import Path

from heteronym.text.entity_types import TYPES

PAGE = Path(__file__).resolve().parents[3] / "docs" / "recognition.md"


def table() -> str:
    rows = ["| type | default | HIPAA | GDPR | NIST | what |", "| --- | --- | --- | --- | --- | --- |"]
    for row in TYPES.values():
        words = {"remove": "direct", "joint": "joint", "leave": "leave"}[row.treatment]
        words += "; leave in tables" * row.measure
        rows.append(f"| {row.name} | {words} | {row.hipaa} | {row.gdpr} | {row.nist} | {row.help} |")
    return "\n".join(rows)


def test_the_docs_show_the_table_of_types() -> None:
    text = PAGE.read_text(encoding="utf-8")
    shown = text.split("<!-- types -->")[1].split("<!-- /types -->")[0].strip()
    assert shown == table()
