"""Does a plan that lists types of entities release a name because some recognizer called it something else?

    python benchmarks/studies/recognition_listed.py [--plans 2000] [--seed 1] [--cache DIR] [--show]

Each plan lists PERSON and random other types, and is carried out on one of the development documents of
`genres`, which mark every name. What is masked is blotted out letter by letter, so that the marks still
tell where a name stood. Counted is every marked name that can be read under the plan and cannot if all types
count: somebody found it and called it something else. `--show` prints these with the words around them.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import recognition_bars as bars
import recognition_genres as genres

from heteronym.api.scan import find_in_documents
from heteronym.model.mention import Span
from heteronym.model.plan import TextPlan
from heteronym.text.entity_types import TYPES

SETS = ("seen", "unseen", "wide", "fresh", "later", "terse")
OFFICES = frozenset("rn pc professor md".split())  # marked with some names, and no names
BLOT = "\u2588"


def blotted(text: str, spans: Sequence[Span]) -> str:
    """The text with every letter and digit of the spans blotted out; all places stay."""
    letters = list(text)
    for span in spans:
        letters[span.start : span.end] = BLOT * (span.end - span.start)
    return "".join(letters)


def readable(released: str, mention: genres.Mention) -> bool:
    """Whether a word of a name can still be read, but for words that join names and titles."""
    overlooked = genres.OVERLOOKED | genres.TITLES | OFFICES
    words = genres.TOKEN.findall(released[mention.start : mention.end])
    return any(BLOT not in word and not word.isdigit() and word.lower() not in overlooked for word in words)


def count(documents: Sequence[genres.Document], plans: int, seed: int, *, show: bool) -> Counter[str]:
    chance = random.Random(seed)
    everything = [
        blotted(document.text, spans)
        for document, spans in zip(
            documents, find_in_documents([document.text for document in documents], TextPlan()), strict=True
        )
    ]
    others = sorted(TYPES.keys() - {"PERSON", "NOTHING"})
    counts: Counter[str] = Counter()
    for _ in range(plans):
        number = chance.randrange(len(documents))
        listed = ("PERSON", *chance.sample(others, chance.randint(0, 8)))
        document = documents[number]
        [spans] = find_in_documents([document.text], TextPlan(entities=listed))
        released = blotted(document.text, spans)
        counts["plans"] += 1
        for mention in document.mentions:
            if mention.type != "PERSON" or readable(everything[number], mention):
                continue
            counts["names"] += 1
            if readable(released, mention):
                counts["released"] += 1
                if show:
                    print(document.name, genres.context(document.text, mention.start, mention.end))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--plans", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cache", type=Path, default=None)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if options.cache is not None:
        bars.remember(options.cache)
    documents = genres.documents_of([genres.GENRES / name for name in SETS])
    counts = count(documents, options.plans, options.seed, show=options.show)
    print(
        f"{counts['plans']} plans, {counts['names']} names that all types together mask; "
        f"{counts['released']} of them released by a plan that lists PERSON"
    )


if __name__ == "__main__":
    main()
