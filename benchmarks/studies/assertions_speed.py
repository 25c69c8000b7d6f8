"""CPU seconds of the analyzer: 100 documents of 600 words, or one long document, with the fast model.

python -m benchmarks.studies.assertions_speed [DOCUMENTS]
python -m benchmarks.studies.assertions_speed --long prose [--characters 1000000]

The documents are stretches of the texts that the recognition studies ship; `unbroken` is prose without
line breaks, `table` rows of names, addresses and diagnoses, `persons` prose of many people.
Of a long document the owner's files are made, too. Run one kind at a time to read its peak of memory.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from heteronym.api.analyze import analyze_texts, corpus_to_dict, owner_files
from heteronym.knowledge.wordlists import words
from heteronym.model.plan import TextPlan
from heteronym.run import cpu_seconds, peak_memory_mb

DOCUMENTS = 100
FAST = TextPlan(model="fast")
_ILL = ("asthma", "diabetes", "a broken arm", "lymphoma", "migraine", "no complaints")
_TOWNS = ("Paris", "Leeds", "Malmo", "Vienna", "Boston", "Porto")
WORDS = 600


def stretches(count: int) -> list[str]:
    """Documents of 600 words; they overlap where more are wanted than the texts have."""
    folder = Path(__file__).parent / "genres"
    texts = [path.read_text("utf-8") for path in sorted(folder.rglob("*.txt"))]
    every = [word for text in texts for word in text.split(" ")]
    steps = max(1, (len(every) - WORDS) // count)
    return [" ".join(every[i * steps : i * steps + WORDS]) for i in range(count)]


def many(count: int) -> None:
    texts = stretches(count)
    begin = cpu_seconds()
    corpus = analyze_texts(texts, FAST)
    content = corpus_to_dict(corpus)
    seconds = cpu_seconds() - begin
    assertions = sum(len(analysis.assertions) for analysis in corpus.analyses)
    print(f"{count} documents of {WORDS} words: {seconds:.1f} CPU seconds, {peak_memory_mb():.0f} MB, "
          f"{assertions} assertions, {len(content['persons'])} persons")  # fmt: skip


def long_text(kind: str, characters: int) -> str:
    if kind in ("prose", "unbroken"):
        some = stretches(100)
        whole = "\n\n".join(some * (characters // sum(map(len, some)) + 1))
        return (whole if kind == "prose" else " ".join(whole.split()))[:characters]
    rng = random.Random(1)
    names = [
        sorted(word for word in words(some) if word.istitle() and word.isalpha())
        for some in ("first_names", "surnames")
    ]
    lines: list[str] = []
    size = 0
    while size < characters:
        one, other = ([rng.choice(some) for some in names] for _ in range(2))
        ill, town, digits = rng.choice(_ILL), rng.choice(_TOWNS), rng.randrange(1000, 9999)
        if kind == "table":
            mail = f"{one[0]}.{one[1]}@example.org".lower()
            lines.append(f"{' '.join(one)};{mail};+44 20 7946 {digits};{ill};{town}")
        else:
            lines.append(
                f"{' '.join(one)} met {' '.join(other)} in {town}. She told him that her brother had {ill}. "
                f"They are in love, and {one[0]} wrote to {other[1]}."
            )
        size += len(lines[-1]) + 1
    return "\n".join(lines)[:characters]


def one(kind: str, characters: int) -> None:
    text = long_text(kind, characters)
    begin = cpu_seconds()
    corpus = analyze_texts([text], FAST)
    read = cpu_seconds()
    files = owner_files(corpus, corpus_to_dict(corpus))
    found = len(corpus.analyses[0].assertions)
    print(f"{kind}, {len(text):,} characters: {read - begin:.1f} CPU seconds, owner's files "
          f"{cpu_seconds() - read:.1f}, {peak_memory_mb():.0f} MB, {found} assertions, "
          f"{len(corpus.roster.labels)} persons, {len(files)} files")  # fmt: skip


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    options.add_argument("documents", nargs="?", type=int, default=DOCUMENTS)
    options.add_argument("--long", choices=("prose", "unbroken", "table", "persons"))
    options.add_argument("--characters", type=int, default=1_000_000)
    given = options.parse_args()
    if given.long is None:
        many(given.documents)
    else:
        one(given.long, given.characters)
