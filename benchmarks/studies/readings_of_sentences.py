"""Prints what documents of five genres become, sentence beside sentence, for somebody to read and mark.

    python -m benchmarks.studies.readings_of_sentences [--half later] [--methods plausibility]

Fifty short documents, made up (`readings/*.txt`): clinical notes, mails, news, legal texts, posts. Twenty are
there to work with, twenty to judge by; ten were written after the rules that choose and word replacements
(some of what surrounds them changed later: the README says what). A reader marks
every changed sentence as fine, clumsy (odd, but a reader gets through), broken (no English sentence any
more) or wrong (says what the original does not say). `--marks FILE` counts such a list (one
`method number mark` per line).
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from heteronym.api.sanitize import documents_of, sanitized
from heteronym.documents._identifiers_first import IdentifiersFirst
from heteronym.model.edit import Edit, edited
from heteronym.model.plan import TextPlan
from heteronym.registry import document_methods

FOLDER = Path(__file__).with_name("readings")
METHODS = ("information-content", "plausibility")
MARKS = ("fine", "clumsy", "broken", "wrong")
_SENTENCE = re.compile(r"(?<=[.!?])(?<!Mr\.)(?<!Ms\.)(?<!Dr\.)\s+(?=[A-Z0-9])")


class Changed(NamedTuple):
    """A sentence before and after."""

    genre: str
    before: str
    after: str


def documents_in(half: str) -> Iterator[tuple[str, str]]:
    """Genre and text of the documents of one half."""
    for block in (FOLDER / f"{half}.txt").read_text(encoding="utf-8").split("# ")[1:]:
        title, _, text = block.partition("\n")
        yield title.split()[0], text.strip()


def changed_sentences(half: str, method: str) -> list[Changed]:
    """The sentences of one half that a method changes."""
    genres, texts = zip(*documents_in(half), strict=True)
    documents = documents_of(texts, TextPlan(model="fast"))
    built = IdentifiersFirst(document_methods.build(method, {}))
    result = sanitized(documents, lambda: built).result
    found = []
    for genre, text, edits in zip(genres, texts, result.edits, strict=True):
        starts = [0, *(match.end() for match in _SENTENCE.finditer(text)), len(text)]
        for start, end in pairwise(starts):
            inside = [e for e in edits if start <= e.start < end]
            if inside:
                moved = [Edit(e.start - start, min(e.end, end) - start, e.text) for e in inside]
                found.append(Changed(genre, text[start:end].strip(), edited(text[start:end], moved).strip()))
    return found


def count_marks(path: Path) -> None:
    """Shares of the marks that a reader gave, by method."""
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    for method in dict.fromkeys(row[0] for row in rows):
        marks = Counter(row[2] for row in rows if row[0] == method)
        shares = ", ".join(f"{mark} {marks[mark]} ({marks[mark] / marks.total():.1%})" for mark in MARKS)
        print(f"{method}: {marks.total()} sentences: {shares}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--half", choices=("develop", "judge", "later"), default="judge")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--marks", type=Path, help="count what a reader marked")
    options = parser.parse_args()
    if options.marks is not None:
        count_marks(options.marks)
        return
    for method in options.methods:
        for number, one in enumerate(changed_sentences(options.half, method), 1):
            print(f"{method} {number} [{one.genre}]\n  - {one.before}\n  + {one.after}")


if __name__ == "__main__":
    main()
