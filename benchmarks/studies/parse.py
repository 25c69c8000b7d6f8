"""How well the fast model parses: attachment (UAS) and sentence boundaries on the UD test files.

python -m benchmarks.studies.parse --data ewt_test.conllu.gz gum_test.conllu.gz

Texts are the documents' sentences joined by blanks, twenty at a time, with the model's own tokens. UAS
counts words whose span agrees with a gold word; a head is right if its span is. Boundaries: F of sentence
starts, by the parser and with the rules of assertions/sentences.py.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import show
from heteronym.assertions.sentences import sentences_of
from heteronym.text.parse import parse_all

Word = tuple[int, int, int]  # start, end in the sentence; number of the head word, 0 for the root
_TOGETHER = 20


def sentences(path: Path) -> Iterator[tuple[str, list[Word]]]:
    text, rows = "", []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            if line.startswith("# text = "):
                text = line[9:].rstrip("\n")
            elif line == "\n":
                yield text, _placed(text, rows)
                rows = []
            elif not line.startswith("#"):
                cells = line.split("\t")
                if cells[0].isdigit():
                    rows.append((cells[1], int(cells[6])))


def _placed(text: str, rows: list[tuple[str, int]]) -> list[Word]:
    found, at = [], 0
    for form, head in rows:
        start = text.find(form, at)
        if start < 0:
            return []
        at = start + len(form)
        found.append((start, at, head))
    return found


def study(path: Path) -> dict[str, object]:
    gold = [pair for pair in sentences(path) if pair[1]]
    texts, heads, starts = [], [], []
    for begin in range(0, len(gold), _TOGETHER):
        offset, here, first = 0, {}, set()
        for text, words in gold[begin : begin + _TOGETHER]:
            first.add(offset + words[0][0])
            spans = [(offset + start, offset + end) for start, end, _ in words]
            here |= {span: (spans[head - 1] if head else span) for span, (*_, head) in zip(spans, words)}
            offset += len(text) + 1
        texts.append(" ".join(text for text, _ in gold[begin : begin + _TOGETHER]))
        heads.append(here)
        starts.append(first)
    total = right = 0
    found: dict[str, list[int]] = {"parser": [0, 0, 0], "rules": [0, 0, 0]}
    for parsed, here, first in zip(parse_all(texts), heads, starts):
        by_parser, by_rules = set(), set()
        for offset, doc in parsed:
            for token in doc:
                span = (offset + token.idx, offset + token.idx + len(token))
                if span in here:
                    head = token.head
                    total += 1
                    right += here[span] == (offset + head.idx, offset + head.idx + len(head))
            by_parser |= {offset + s[0].idx for s in doc.sents}
            by_rules |= {offset + s[0].idx for s in sentences_of(doc)}
        for name, told in (("parser", by_parser), ("rules", by_rules)):
            found[name] = [a + b for a, b in zip(found[name], (len(first & told), len(first), len(told)))]
    row: dict[str, object] = {"file": f"{path.parent.name}/{path.name}", "words": total, "UAS": right / total}
    return row | {f"boundaries {name}": 2 * hit / (want + told) for name, (hit, want, told) in found.items()}


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    options.add_argument(
        "--data", type=Path, required=True, nargs="+", help="gzipped treebanks (docs/data.md)"
    )
    show([study(path) for path in options.parse_args().data])
