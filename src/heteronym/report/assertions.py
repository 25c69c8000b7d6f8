"""The analyzer's page: one HTML file that opens offline, for the owner alone. It draws, nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heteronym.report.pages import render

_GOLDEN = 137.508  # degrees: neighbours on the list get hues far apart


def render_analysis(content: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    variables = {p["variable"] for d in content["documents"] for p in d["persons"]}
    hues = {variable: round(number * _GOLDEN) % 360 for number, variable in enumerate(sorted(variables))}
    documents = [
        {**document, "pieces": _pieces(document, texts[document["name"]])}
        for document in content["documents"]
    ]
    return render("assertions.html.jinja", content=content, documents=documents, hues=hues)


def _pieces(document: Mapping[str, Any], text: str) -> list[dict[str, Any]]:
    """The text in order: what no assertion covers, and the assertions."""
    variable = {person["label"]: person["variable"] for person in document["persons"]}
    pieces: list[dict[str, Any]] = []
    at = 0
    for assertion in document["assertions"]:
        if assertion["start"] > at:
            pieces.append({"text": text[at : assertion["start"]], "assertion": None, "variables": []})
        pieces.append(
            {
                "text": text[assertion["start"] : assertion["end"]],
                "assertion": assertion,
                "variables": [variable[label] for label in assertion["proprietors"]],
            }
        )
        at = assertion["end"]
    pieces.append({"text": text[at:], "assertion": None, "variables": []})
    return pieces
