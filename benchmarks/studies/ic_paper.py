"""Paper 001 (Sanchez et al. 2013) again: detection by information against names alone, and what use is left.

    python -m benchmarks.studies.ic_paper [--documents person organization place foreign] [--write PAGE]

Four documents (`entities/*.txt`, made up or common knowledge), each at three features that may be revealed,
from the most special to the most general one. Two readers marked what tells too much, each alone, before any
run and without regard to a feature (`entities/README.md`); what either marked is gold. Compared are:

    readers     how far they agree: Cohen's kappa over the words of a text, F over terms
    detection   noun phrases above beta, against names of persons, places and organizations (names only)
    golds       the same for the most general feature, by the list of each reader and by what both marked
    utility     suppression, generalization by WordNet alone, by all bases, and the ideal (eq. 9), in bits

Every sanitized text is audited. What the paper's Figure 1 shows is checked at the end, and where it does not
hold is said: for the most general feature, since gold lists that know no feature hold much that a special one
may reveal; that WordNet alone gains under half of what the ideal gains, for the most special one.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.drawing import save
from benchmarks.figures import show
from heteronym.api.sanitize import documents_of
from heteronym.documents._oracles import oracle_of
from heteronym.documents._phrases import phrases_of
from heteronym.documents.information_content import InformationContent
from heteronym.model.document import Document
from heteronym.model.edit import edited
from heteronym.model.plan import TextPlan
from heteronym.report.plots import Axis, bars

ENTITIES = Path(__file__).with_name("entities")
PLOTS = Path(__file__).with_name("plots")
FEATURES = {
    "person": ("marine biologist", "engineer", "Europe"),
    "organization": ("wind turbine", "Norway", "company"),
    "place": ("Montenegro", "Mediterranean", "town"),
    "foreign": ("hydrology", "Iceland", "family"),
}
NAMES = ("PERSON", "GPE", "LOC", "FAC", "ORG")  # what a tagger of names marks
Row = dict[str, object]


def scores(found: set[str], gold: set[str]) -> tuple[float, float, float]:
    """Precision, recall and F (eq. 6 to 8); a phrase and a gold term meet if one holds the other."""
    right = sum(any(_meet(phrase, term) for term in gold) for phrase in found)
    hit = sum(any(_meet(phrase, term) for phrase in found) for term in gold)
    precision, recall = right / max(len(found), 1), hit / max(len(gold), 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def _meet(phrase: str, term: str) -> bool:
    """Whole words of one stand in the other."""
    words, others = phrase.split(), term.split()
    short, long = sorted((words, others), key=len)
    return any(long[i : i + len(short)] == short for i in range(len(long) - len(short) + 1))


def lists_of(name: str) -> tuple[set[str], set[str]]:
    """What the first and the second reader marked."""
    first, second = (
        {line.lower() for line in (ENTITIES / f"{name}.{reader}").read_text("utf-8").splitlines() if line}
        for reader in ("first", "second")
    )
    return first, second


def golds_of(name: str) -> dict[str, set[str]]:
    first, second = lists_of(name)
    return {"first": first, "second": second, "both": first & second, "either": first | second}


def kappa(text: str, first: set[str], second: set[str]) -> tuple[float, int]:
    """Cohen's kappa of two readers over the words of a text, and how many words there are."""
    spoken = " ".join(text.lower().split())
    words = [found.span() for found in re.finditer(r"\w(?:[\w,'-]*\w)?", spoken)]
    marked = [
        [any(start <= a and b <= end for start, end in _places(spoken, terms)) for a, b in words]
        for terms in (first, second)
    ]
    agreed = sum(a == b for a, b in zip(*marked, strict=True)) / len(words)
    shares = [sum(marks) / len(words) for marks in marked]
    by_chance = shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])
    return (agreed - by_chance) / (1 - by_chance), len(words)


def _places(text: str, terms: set[str]) -> list[tuple[int, int]]:
    return [f.span() for term in terms for f in re.finditer(rf"\b{re.escape(term)}\b", text)]


def agreement(name: str, document: Document) -> Row:
    first, second = lists_of(name)
    value, words = kappa(document.text, first, second)
    row: Row = {"document": name, "words": words, "first": len(first), "second": len(second)}
    row |= {"both, letter by letter": len(first & second), "either": len(first | second)}
    return row | {"F of one by the other": f"{scores(first, second)[2]:.2f}", "kappa": f"{value:.2f}"}


def by_reader(name: str, document: Document) -> list[Row]:
    """Detection at the most general feature, by every way to settle what is gold."""
    oracle = oracle_of(None, None, synonyms=False)
    beta = InformationContent(reveal=(FEATURES[name][-1],)).threshold(oracle)
    rows: list[Row] = []
    for title, gold in golds_of(name).items():
        row: Row = {"document": name, "gold": title, "terms": len(gold)}
        for method, found in (("IC", by_information(document, beta)), ("names", by_names(document))):
            values = zip("PRF", scores(found, gold), strict=True)
            row |= {f"{part}, {method}": f"{value:.2f}" for part, value in values}
        rows.append(row)
    return rows


def by_information(document: Document, beta: float) -> set[str]:
    oracle = oracle_of(None, None, synonyms=False)
    read = phrases_of([document.text], [document.mentions])[0]
    surfaces = {document.text[p.start : p.end].lower() for p in read}
    return {surface for surface in surfaces if oracle(surface) > beta}


def by_names(document: Document) -> set[str]:
    return {document.text[m.start : m.end].lower() for m in document.mentions if m.type in NAMES}


def study(name: str, document: Document, gold: set[str]) -> tuple[list[Row], list[Row]]:
    detection: list[Row] = []
    utility: list[Row] = []
    named = scores(by_names(document), gold)
    for feature in FEATURES[name]:
        method = InformationContent(reveal=(feature,))
        full = method.sanitize([document])
        wordnet = InformationContent(reveal=(feature,), bases="wordnet").sanitize([document])
        told = method.audit(document, edited(document.text, full.edits[0]))
        found = scores(by_information(document, full.facts["beta"]), gold)
        row: Row = {"document": name, "feature": feature, "beta": f"{full.facts['beta']:.2f}"}
        for title, values in (("IC", found), ("names", named)):
            row |= {f"{part}, {title}": f"{value:.2f}" for part, value in zip("PRF", values, strict=True)}
        detection.append(row | {"audit": "passed" if told.holds else "failed"})
        ideal = full.facts["utility_ideal"]
        lost: Row = {"document": name, "feature": feature}
        lost |= {"suppression": full.facts["utility_suppression"], "WordNet": wordnet.facts["utility"]}
        lost |= {"all bases": full.facts["utility"], "ideal": ideal}
        lost["WordNet, % of the gain"] = 100 * _gain(wordnet.facts["utility"], full.facts)
        lost["all bases, % of the gain"] = 100 * _gain(full.facts["utility"], full.facts)
        utility.append({k: f"{v:.1f}" if isinstance(v, float) else v for k, v in lost.items()})
    return detection, utility


def _gain(bits: float, facts: Mapping[str, Any]) -> float:
    """Of what the ideal keeps beyond suppression, the share that is kept."""
    least, most = facts["utility_suppression"], facts["utility_ideal"]
    return (bits - least) / (most - least) if most > least else 1.0


def trends(tables: Mapping[str, Sequence[Row]]) -> list[Row]:
    """What the paper's figure shows, and where it does not hold here."""
    detection, utility = tables["detection"], tables["utility"]
    failed: dict[str, list[str]] = {}

    def check(trend: str, where: str, *, holds: bool) -> None:
        failed.setdefault(trend, []).extend([] if holds else [where])

    for at in range(0, len(detection), 3):
        rows, kept = detection[at : at + 3], utility[at : at + 3]
        where = str(rows[0]["document"])
        check("every audit passes", where, holds=all(row["audit"] == "passed" for row in rows))
        recall = [_number(row, "R, IC") for row in rows]
        check("a more general feature finds more", where, holds=recall == sorted(recall))
        for part in ("all bases", "ideal"):
            bits = [_number(row, part) for row in kept]
            check("and keeps less", where, holds=bits == sorted(bits, reverse=True))
        share = _number(kept[0], "WordNet, % of the gain")
        check(
            "WordNet alone gains under half of the ideal at the most special feature", where, holds=share < 50
        )
    for row in tables["golds"]:
        where = f"{row['document']}, {row['gold']}"
        check("recall is 85 to 100 %", where, holds=0.85 <= _number(row, "R, IC") <= 1.0)
        for part in ("R", "F"):
            above = _number(row, f"{part}, IC") > _number(row, f"{part}, names")
            check(f"{part} is above names only", where, holds=above)
        check("P is below names only", where, holds=_number(row, "P, IC") < _number(row, "P, names"))
    for row in utility:
        where = f"{row['document']}, {row['feature']}"
        told = [_number(row, key) for key in ("suppression", "WordNet", "all bases", "ideal")]
        check("generalizing keeps more than suppressing", where, holds=told[0] < told[1] < told[3])
        check("further bases cost nothing", where, holds=told[2] > told[1] - 0.5)
    for row in tables["readers"]:
        check("readers agree", str(row["document"]), holds=_number(row, "kappa") > 0.6)
    return [{"trend": t, "holds": f"no: {'; '.join(w)}" if w else "yes"} for t, w in failed.items()]


def _number(row: Row, key: str) -> float:
    return float(str(row[key]))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", nargs="+", default=list(FEATURES), choices=list(FEATURES))
    parser.add_argument("--write", type=Path, metavar="PAGE")
    args = parser.parse_args()
    tables: dict[str, list[Row]] = {"readers": [], "detection": [], "golds": [], "utility": []}
    for name in args.documents:
        [document] = documents_of([(ENTITIES / f"{name}.txt").read_text("utf-8")], TextPlan(model="fast"))
        detection, utility = study(name, document, golds_of(name)["either"])
        tables["readers"].append(agreement(name, document))
        tables["detection"] += detection
        tables["golds"] += by_reader(name, document)
        tables["utility"] += utility
    for name, rows in tables.items():
        show(rows, name=f"ic {name}", page=args.write)
    if args.write:
        _draw(tables)
    found = trends(tables)
    show(found, name="ic trends", page=args.write)
    missed = sum(row["holds"] != "yes" for row in found)
    print(f"\n{len(found) - missed} of {len(found)} trends hold everywhere")


def _draw(tables: Mapping[str, Sequence[Row]]) -> None:
    names = [f"{row['document']}: {row['feature']}" for row in tables["detection"]]
    for title, part in (("Recall", "R"), ("F", "F")):
        series = {m: [_number(row, f"{part}, {m}") for row in tables["detection"]] for m in ("IC", "names")}
        plot = bars(f"{title} of detection", names, series, value=Axis(title))
        save(plot, PLOTS / f"ic_{title.lower()}.svg")
    kept = ("suppression", "WordNet", "all bases", "ideal")
    series = {key: [_number(row, key) for row in tables["utility"]] for key in kept}
    save(bars("Information kept", names, series, value=Axis("% of the original's")), PLOTS / "ic_utility.svg")


if __name__ == "__main__":
    main()
