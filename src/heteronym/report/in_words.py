"""What the facts of a release say in words: promises, attackers, columns and advice."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from heteronym.report.plots import three


@cache
def wording() -> dict[str, Any]:
    return tomllib.loads(files("heteronym.report").joinpath("wording.toml").read_text("utf-8"))


def models_in_words(facts: Mapping[str, Any], said_of: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What each model promises, in words, and what became of it.

    `said_of` are the models' own words by their names (`contracts.PromiseInWords`).
    """
    found = []
    meanings, known = facts["method"].get("meanings", {}), _known(facts)
    for verdict in facts["verdict"]["models"]:
        given = _InWords(known | verdict["parameters"])
        if "m" in given:
            given["m_items"] = f"{given['m']} item{'' if given['m'] == 1 else 's'}"
            given["any_m"] = "all" if given["m"] == "all" else f"any {given['m']}"
        name = verdict["model"]
        said = said_of[name]._asdict() if name in said_of else {}
        found.append(
            {
                **verdict,
                "promise": said.get("promise", meanings.get(name, name)).format_map(given),
                "attacker": said.get("attacker", "").format_map(given),
                "not_promised": [line.format_map(given) for line in said.get("not_promised", ())],
                "given": _given(verdict["parameters"]),
                "about": verdict["parameters"].get("attribute"),
            }
        )
    return found


def _given(parameters: Mapping[str, Any]) -> str:
    """Parameters that say something; what is left off or not given says nothing."""
    return ", ".join(f"{n} = {v}" for n, v in parameters.items() if v is not None and v is not False)


def _known(facts: Mapping[str, Any]) -> dict[str, str]:
    """What a record of this data consists of, in words."""
    roles = {attribute["role"] for attribute in facts["method"]["attributes"].values()}
    has_terms = bool(roles & {"text", "terms"})
    kinds = [kind for kind, has in (("items", "items" in roles), ("events", "event" in roles)) if has]
    kinds += ["terms"] if has_terms or not kinds else []
    return {
        "record": "a person's columns" + " and the recognized terms in the person's texts" * has_terms,
        "knowledge": "all of the person's quasi-identifying columns"
        + " and every recognized term" * has_terms,
        "elements": " and ".join([", ".join(kinds[:-1]), kinds[-1]]) if len(kinds) > 1 else kinds[0],
    }


class _InWords(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return f"the given {key}"


def threshold(facts: Mapping[str, Any]) -> float | None:
    """The chance of a match that the models of the plan allow: 1 / k."""
    parameters = [m["parameters"] for m in facts["verdict"]["models"] if "population" not in m["parameters"]]
    sizes = [given["k"] for given in parameters if given.get("k")]
    return 1 / max(sizes) if sizes else None


def columns_in_words(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Each column with what it is and what was done to it."""
    found = []
    for name, attribute in facts["method"]["attributes"].items():
        role = attribute["role"]
        recode = attribute.get("recode") if role == "quasi" else role
        technique = wording()["techniques"].get(recode, f"recoded by {recode}")
        found.append(
            {
                "name": name,
                "role": wording()["roles"].get(role, role),
                "technique": technique,
                "counts": role in ("quasi", "items", "terms", "text", "event"),
                "as_is": role in ("sensitive", "plain"),
            }
        )
    return found


def advice(facts: Mapping[str, Any]) -> dict[str, str]:
    """A line for each column and entity type that lost much."""
    said, measures = wording()["advice"], facts["measures"]
    found = {}
    for name, loss in measures.get("ncp", {}).get("by_attribute", {}).items():
        attribute = facts["method"]["attributes"].get(name, {})
        kind = "hierarchy" if attribute.get("hierarchy") else attribute.get("scale", "nominal")
        if loss >= said["threshold"]:
            found[name] = f"{name} lost {three(loss, percent=True)}: {said[kind]}"
    is_general = facts["method"]["recode"]["terms"] == "generalize"
    if measures.get("ncp", {}).get("information" if is_general else "textual", 0) >= said["threshold"]:
        found["terms"] = said["terms_generalized" if is_general else "terms"]
    if measures.get("events", {}).get("event_loss", 0) >= said["threshold"]:
        found["events"] = said["events"]
    if measures.get("transaction", {}).get("tncp", 0) >= said["threshold"]:
        found["items"] = said[
            "items" if facts["method"]["partition"].get("delta") is not None else "items_alone"
        ]
    return found
