"""Paper 001 (Sanchez et al. 2013) again: detection by information against names alone, and what use is left.

    python -m benchmarks.studies.ic_paper [--documents person organization place foreign] [--write PAGE]

Four documents (`entities/*.txt`, made up or common knowledge), each at three features that may be revealed,
from the most special to the most general one. The gold lists (`entities/*.gold`) were written by one reader
before the first run, without regard to a feature. Compared are:

    detection   noun phrases above beta, against names of persons, places and organizations (names only)
    utility     suppression, generalization by WordNet alone, by all bases, and the ideal (eq. 9), in bits

Every sanitized text is audited. What the paper's Figure 1 shows is asserted at the end, for the most general
feature: gold lists that know no feature hold much that a special one may reveal.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.drawing import save
from benchmarks.figures import show
from heteronym.documents._oracles import oracle_of
from heteronym.documents._phrases import phrases_of
from heteronym.documents.information_content import InformationContent
from heteronym.model.document import Document
from heteronym.model.edit import edited
from heteronym.model.plan import TextPlan
from heteronym.report.plots import Axis, bars
from heteronym.sanitizing import documents_of

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


def check_trends(detection: Sequence[Row], utility: Sequence[Row]) -> None:
    for at in range(0, len(detection), 3):
        rows = detection[at : at + 3]
        where = rows[0]["document"]
        assert all(row["audit"] == "passed" for row in rows), where
        recall = [float(str(row["R, IC"])) for row in rows]
        assert recall == sorted(recall), f"{where}: a more general feature finds more"
        assert 0.85 <= recall[-1] <= 1.0, f"{where}: recall"
        assert float(str(rows[-1]["F, IC"])) > float(str(rows[-1]["F, names"])), (
            f"{where}: F above names only"
        )
    for row in utility:
        bits = [float(str(row[key])) for key in ("suppression", "WordNet", "all bases", "ideal")]
        assert bits[0] < bits[1] < bits[3], "generalizing keeps more than suppressing"
        assert bits[2] > bits[1] - 0.5, "further bases cost nothing"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", nargs="+", default=list(FEATURES), choices=list(FEATURES))
    parser.add_argument("--write", type=Path, metavar="PAGE")
    args = parser.parse_args()
    detection: list[Row] = []
    utility: list[Row] = []
    for name in args.documents:
        [document] = documents_of([(ENTITIES / f"{name}.txt").read_text("utf-8")], TextPlan(model="fast"))
        gold = {line.lower() for line in (ENTITIES / f"{name}.gold").read_text("utf-8").splitlines() if line}
        for table, rows in zip((detection, utility), study(name, document, gold), strict=True):
            table += rows
    show(detection, name="ic detection", page=args.write)
    show(utility, name="ic utility", page=args.write)
    if args.write:
        names = [f"{row['document']}: {row['feature']}" for row in detection]
        series = {title: [float(str(row[f"F, {title}"])) for row in detection] for title in ("IC", "names")}
        save(bars("F of detection", names, series, value=Axis("F")), PLOTS / "ic_f.svg")
    check_trends(detection, utility)
    print("\nall trends hold")


if __name__ == "__main__":
    main()
