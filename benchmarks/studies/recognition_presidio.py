"""How much of the personal data in the synthetic sentences of presidio-research does the pipeline find?

    python benchmarks/studies/recognition_presidio.py [--model accurate|fast|none] [--errors LABEL ...]

Templates of bank chats, posts and forms, filled with invented names, addresses and numbers of many
countries. No model was trained on it, but rules for addresses and telephones were improved by looking at
it: a development set. An entity counts as found if every word of it is covered, whatever the type. The files
hold tokens, so the text is glued together again first (as people type it); line breaks are lost. Precision is
not told: the data leaves plenty unmarked (times, amounts, names in quotations) that the default plan hides.
"""

from __future__ import annotations

import argparse
import os
import re
from collections import defaultdict
from pathlib import Path

from heteronym.text.combine import pipeline

SHARED = Path(os.environ.get("HETERONYM_SHARED", Path(__file__).resolve().parents[3] / "shared"))
TOKEN = re.compile(r"\w+")
_CLOSING = frozenset(", . : ; ? ! ) ] } % @ /".split())
_OPENING = frozenset("( [ { @ / +".split())


def glued(tokens: list[str]) -> tuple[str, list[tuple[int, int]]]:
    """The text of a sentence and where its tokens lie in it."""
    text, places = "", []
    quoted = False
    for i, token in enumerate(tokens):
        before = tokens[i - 1] if i else ""
        space = bool(text) and token not in _CLOSING and before not in _OPENING
        if before == ":" and token.isdigit() and i > 1 and tokens[i - 2].isdigit():
            space = False  # 12:45
        if token == '"':
            space = bool(text) and not quoted
            quoted = not quoted
        elif before == '"' and quoted:
            space = False
        text += " " * space
        places.append((len(text), len(text) + len(token)))
        text += token
    return text, places


def sentences(path: Path) -> list[tuple[str, list[tuple[int, int, str]]]]:
    """Texts with their entities (start, end, label of the source)."""
    result = []
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n")]
        text, places = glued([row[0] for row in rows])
        entities: list[tuple[int, int, str]] = []
        for (start, end), (_, _, tag) in zip(places, rows):
            if tag.startswith("B-"):
                entities.append((start, end, tag[2:]))
            elif tag.startswith("I-"):
                entities[-1] = (entities[-1][0], end, tag[2:])
        result.append((text, entities))
    return result


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="accurate")
    parser.add_argument("--errors", nargs="*", metavar="LABEL")
    options = parser.parse_args()
    documents = sentences(SHARED / "data" / "ner" / "presidio_synth" / "test.iob2")
    found = pipeline(options.model).recognize([text for text, _ in documents])
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for (text, entities), spans in zip(documents, found):
        covered = bytearray(len(text))
        for span in spans:
            covered[span.start : span.end] = b"\1" * (span.end - span.start)
        for start, end, label in entities:
            whole = all(all(covered[t.start() : t.end()]) for t in TOKEN.finditer(text, start, end))
            counts[label][0] += whole
            counts[label][1] += 1
            if not whole and options.errors is not None and (not options.errors or label in options.errors):
                print(f"{label:16s} [{text[start:end]}] in: {text}")
    for label, (right, all_of) in sorted(counts.items(), key=lambda item: -item[1][1]):
        print(f"{label:18s} {right:4d}/{all_of:<4d} {right / all_of:.3f}")
    right, all_of = (sum(column) for column in zip(*counts.values()))
    print(f"{'all':18s} {right:4d}/{all_of:<4d} {right / all_of:.3f}")


if __name__ == "__main__":
    main()
