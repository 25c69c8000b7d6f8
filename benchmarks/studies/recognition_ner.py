"""How well do the recognizers find names on the test files of eight corpora?

    python benchmarks/studies/recognition_ner.py [accurate|fast|none ...] [--pipeline]

Typed exact spans of PERSON, ORG and LOC (GPE and FAC count as LOC), micro-averaged, and the share of
PERSON tokens that any mention covers. A model is measured as the recognizer that `scan` runs, with its
repairs of labels and edges; `--pipeline` adds all rules, whose longer spans ("Mr Smith") cost exact matches
and gain coverage. The weights alone are measured by training/evaluate.py.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from pathlib import Path

from heteronym.contracts import Recognizer
from heteronym.registry import recognizers
from heteronym.text.combine import pipeline

SHARED = Path(os.environ.get("HETERONYM_SHARED", Path(__file__).resolve().parents[3] / "shared"))
CORPORA = ("ewt_uner", "btc", "wnut17", "wikigold", "gum", "docred", "crossner", "litbank")
KINDS = {"PERSON": "PERSON", "ORG": "ORG", "INSTITUTION": "ORG", "LOC": "LOC", "GPE": "LOC", "FAC": "LOC"}


def sentences(corpus: str) -> list[tuple[list[str], list[str]]]:
    """Tokens and tags of a test file."""
    found: list[tuple[list[str], list[str]]] = [([], [])]
    for line in (SHARED / "data" / "ner" / corpus / "test.iob2").read_text(encoding="utf-8").splitlines():
        if not line.strip():
            if found[-1][0]:
                found.append(([], []))
            continue
        token, tag, *_ = line.split("\t")
        found[-1][0].append(token)
        found[-1][1].append(tag)
    return [sentence for sentence in found if sentence[0]]


def as_text(
    tokens: list[str], tags: list[str]
) -> tuple[str, set[tuple[int, int, str]], list[tuple[int, int]]]:
    """The sentence as text, its typed spans, and the places of its PERSON tokens."""
    position, begin, kind, end = 0, 0, "", 0
    spans: set[tuple[int, int, str]] = set()
    persons: list[tuple[int, int]] = []
    for token, tag in zip(tokens, tags):
        if kind and not tag.startswith("I-"):
            spans.add((begin, end, kind))
            kind = ""
        if tag.startswith("B-"):
            begin, kind = position, KINDS.get(tag[2:], "")
        end = position + len(token)
        if tag[2:] == "PERSON":
            persons.append((position, end))
        position = end + 1
    if kind:
        spans.add((begin, end, kind))
    return " ".join(tokens), spans, persons


def measure(recognizer: Recognizer, corpus: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    rows = [as_text(*sentence) for sentence in sentences(corpus)]
    for (_, gold, persons), spans in zip(rows, recognizer.recognize([text for text, _, _ in rows])):
        mine = {(s.start, s.end, KINDS[s.type]) for s in spans if s.type in KINDS}
        counts.update(right=len(gold & mine), found=len(mine), wanted=len(gold), persons=len(persons))
        counts["covered"] += sum(
            any(s.start < end and start < s.end for s in spans) for start, end in persons
        )
    return counts


def row(name: str, c: Counter[str]) -> str:
    precision, recall = 100 * c["right"] / max(c["found"], 1), 100 * c["right"] / max(c["wanted"], 1)
    f = 200 * c["right"] / max(c["found"] + c["wanted"], 1)
    covered = 100 * c["covered"] / max(c["persons"], 1)
    return f"| {name} | {precision:.1f} | {recall:.1f} | {f:.1f} | {covered:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="*", default=["accurate", "fast"])
    parser.add_argument("--pipeline", action="store_true")
    options = parser.parse_args()
    for name in options.models:
        whole = options.pipeline or name == "none"
        recognizer = pipeline(name) if whole else recognizers.build(name)
        print(f"\n{name}{' with all rules' if whole else ''}\n")
        print("| corpus | P | R | F | PERSON tokens covered |\n| --- | --- | --- | --- | --- |")
        total: Counter[str] = Counter()
        for corpus in CORPORA:
            counts = measure(recognizer, corpus)
            total.update(counts)
            print(row(corpus, counts), flush=True)
        print(row("micro average", total))


if __name__ == "__main__":
    main()
