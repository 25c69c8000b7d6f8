"""Paper 001 on documents: detection against a gold list; utility beside suppression, WordNet and the ideal.

    python -m benchmarks.studies.information_content [--data tab_dev.json] [--decisions 56]

Three documents of our own (a person, an organization, a place; `entities/*.txt`, made up or common knowledge)
at three features each, and court decisions of tab_dev, whose DIRECT and QUASI mentions are the gold list. For
our own documents every phrase with a capital letter or a digit is gold, a stand-in for an expert's list.
`by labels` is the utility that the bases' own labels allow, `named` the share of telling phrases for which
they have one at all. Every result is audited: no noun phrase of the written text may tell more than beta.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path

from heteronym.api.sanitize import documents_of
from heteronym.documents._oracles import oracle_of
from heteronym.documents._phrases import phrases_of
from heteronym.documents.information_content import InformationContent, _Chooser, utility
from heteronym.model.document import Document
from heteronym.model.edit import edited
from heteronym.model.plan import TextPlan

FEATURES = {
    "person": ("marine biologist", "engineer", "Europe"),
    "organization": ("wind turbine", "Norway", "company"),
    "place": ("Montenegro", "Mediterranean", "town"),
    "court decisions": ("Court of Human Rights", "United States", "lawyer"),
}


def detected(
    documents: Sequence[Document], gold: Sequence[set[str]], beta: float
) -> tuple[float, float, float]:
    """Precision, recall and F (eq. 6 to 8) over sets of terms; found is what a phrase above beta holds."""
    oracle = oracle_of(None, None, synonyms=False)
    right = said = hit = wanted = 0
    read = phrases_of([d.text for d in documents], [d.mentions for d in documents])
    for document, phrases, terms in zip(documents, read, gold, strict=True):
        surfaces = {document.text[p.start : p.end].lower() for p in phrases}
        above = {s for s in surfaces if oracle(s) > beta}
        right += sum(any(term in s or s in term for term in terms) for s in above)
        hit += sum(any(term in s or s in term for s in above) for term in terms)
        said, wanted = said + len(above), wanted + len(terms)
    precision, recall = 100 * right / max(said, 1), 100 * hit / max(wanted, 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def reachable(documents: Sequence[Document], method: InformationContent) -> tuple[float, float]:
    """Utility if each telling phrase got the most telling label below beta that its bases have, however odd,
    and for how many of these phrases they have one."""
    oracle = oracle_of(None, None, synonyms=False)
    beta = method.threshold(oracle)
    chooser = _Chooser(method, oracle, beta, ())
    original = kept = above = named = 0.0
    read = phrases_of([d.text for d in documents], [d.mentions for d in documents])
    for document, phrases in zip(documents, read, strict=True):
        for phrase in phrases:
            bits = oracle(document.text[phrase.start : phrase.end])
            original += bits
            if bits <= beta:
                kept += bits
                continue
            labels = [label for source in chooser._sources(document.text, phrase) for label in source]
            below = [told for label in labels if (told := oracle(label)) < beta]
            kept += max(below, default=oracle("thing") if oracle("thing") < beta else 0.0)
            above, named = above + 1, named + bool(below)
    return utility(kept, original), 100 * named / max(above, 1)


def row(name: str, feature: str, documents: Sequence[Document], gold: Sequence[set[str]]) -> float:
    method = InformationContent(reveal=(feature,))
    full = method.sanitize(documents)
    wordnet = InformationContent(reveal=(feature,), bases="wordnet").sanitize(documents)
    texts = [edited(d.text, e) for d, e in zip(documents, full.edits, strict=True)]
    failed = sum(method.audit(d, t).holds is False for d, t in zip(documents, texts, strict=True))
    precision, recall, f = detected(documents, gold, full.facts["beta"])
    best, named = reachable(documents, method)
    _, by_wordnet = reachable(documents, InformationContent(reveal=(feature,), bases="wordnet"))
    share = 100 * full.facts["utility"] / full.facts["utility_ideal"]
    print(
        f"| {name} | {feature} | {full.facts['beta']:.2f} | {precision:.0f} | {recall:.0f} | {f:.0f} "
        f"| {full.facts['utility_suppression']:.1f} | {wordnet.facts['utility']:.1f} "
        f"| {full.facts['utility']:.1f} | {full.facts['utility_ideal']:.1f} | {share:.0f} "
        f"| {best:.1f} | {by_wordnet:.0f} | {named:.0f} | {failed} |"
    )
    return share


def main(data: Path | None, court_decisions: int) -> None:
    print(
        "| document | feature | beta | P | R | F | suppression | WordNet | all bases | ideal | % of ideal "
        "| by labels | named, WordNet | named, all | audits failed |"
    )
    print("|---" * 15 + "|")
    plan = TextPlan(model="fast")
    folder = Path(__file__).parent / "entities"
    for name in ("person", "organization", "place"):
        text = (folder / f"{name}.txt").read_text(encoding="utf-8")
        documents = documents_of([text], plan)
        phrases = phrases_of([text], [documents[0].mentions])[0]
        gold = {s.lower() for p in phrases if re.search(r"[A-Z0-9]", s := text[p.start : p.end])}
        for feature in FEATURES[name]:
            row(name, feature, documents, [gold])
    if data is None:
        return
    decisions = json.loads(data.read_text(encoding="utf-8"))[:court_decisions]
    documents = documents_of([d["text"] for d in decisions], plan)
    marked = [
        {
            m["span_text"].lower()
            if "span_text" in m
            else d["text"][m["start_offset"] : m["end_offset"]].lower()
            for m in d["entity_mentions"]
            if m["identifier_type"] in ("DIRECT", "QUASI")
        }
        for d in decisions
    ]
    for feature in FEATURES["court decisions"]:
        row(f"{court_decisions} court decisions", feature, documents, marked)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    options.add_argument("--data", type=Path, help="court decisions with gold mentions, see docs/data.md")
    options.add_argument("--decisions", type=int, default=56)
    given = options.parse_args()
    main(given.data, given.decisions)
