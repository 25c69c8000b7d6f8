"""The judgement on anybody's release: one HTML file, and the forms in which pipelines take it (SARIF, JUnit).

Draws what `judge` found: rows, columns and counts, no value of a cell and no word of a text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from heteronym.report.pages import render

_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
_ROWS = 20  # that a message names


def render_judgement(figures: Mapping[str, Any]) -> str:
    """The page."""
    leaks = [one for one in figures["findings"] if one["counts"]]
    notes = [one for one in figures["findings"] if not one["counts"]]
    return render("judgement.html.jinja", figures=figures, leaks=leaks, notes=notes)


def _message(one: Mapping[str, Any]) -> str:
    rows = ", ".join(map(str, one["rows"][:_ROWS]))
    more = one["rows_in_all"] - min(len(one["rows"]), _ROWS)
    where = f"; rows {rows}" + (f" and {more} more" if more > 0 else "") if rows else ""
    detail = f"; {one['detail']}" if one["detail"] else ""
    return f"{one['title']}: {', '.join(one['columns'])}{where}{detail}. {one['advice']}"


def sarif(figures: Mapping[str, Any], released: str = "released data") -> dict[str, Any]:
    """Static analysis results, version 2.1.0: a rule per kind of finding, a result per finding."""
    rules = {one["kind"]: one for one in figures["findings"]}
    results = [
        {
            "ruleId": one["kind"],
            "level": "error" if one["counts"] else "note",
            "message": {"text": _message(one)},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": released},
                        "region": {"startLine": row + 1},  # behind the line with the names
                    },
                    "logicalLocations": [{"name": name, "kind": "column"} for name in one["columns"]],
                }
                for row in (one["rows"][:_ROWS] or [0])
            ],
        }
        for one in figures["findings"]
    ]
    driver = {
        "name": "heteronym judge",
        "informationUri": "https://pypi.org/project/heteronym/",
        "rules": [
            {"id": kind, "shortDescription": {"text": one["title"]}, "help": {"text": one["advice"]}}
            for kind, one in rules.items()
        ],
    }
    return {"$schema": _SARIF, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def junit(figures: Mapping[str, Any]) -> str:
    """A test case per finding; those that count are failures, what cannot be told is an error."""
    leaks = [one for one in figures["findings"] if one["counts"]]
    told = figures["sound"] is not None
    cases = max(len(figures["findings"]), 1)
    suite = ElementTree.Element(
        "testsuite",
        name="heteronym judge",
        tests=str(cases),
        failures=str(len(leaks)),
        errors=str(int(not told)),
        skipped="0",
    )
    if not figures["findings"]:
        case = ElementTree.SubElement(suite, "testcase", classname="release", name=figures["verdict"])
        if not told:
            ElementTree.SubElement(case, "error", message=figures["verdict"])
    for one in figures["findings"]:
        name = f"{one['title']}: {', '.join(one['columns'])}"
        case = ElementTree.SubElement(suite, "testcase", classname=one["kind"], name=name)
        if one["counts"]:
            ElementTree.SubElement(case, "failure", message=_message(one))
    if not told and figures["findings"]:
        ElementTree.SubElement(suite, "system-err").text = figures["verdict"]
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
