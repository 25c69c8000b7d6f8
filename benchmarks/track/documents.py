"""Many documents through a document method: CPU seconds of the whole command, its processes included.

    python -m benchmarks.track.documents [--documents 1000] [--words 600] [--data tab_dev.json]

The documents are made of sentences with nouns, names and places of the package's own lists, so that none is
like another; with --data, of court decisions of the Text Anonymization Benchmark, each beginning elsewhere.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from heteronym.knowledge import places
from heteronym.knowledge.bases import base
from heteronym.knowledge.wordlists import words

SENTENCES = (
    "{name} from {place} was seen by the {noun} on {day} May {year}.",
    "The {noun}'s {other} was taken to {place}, because the {plain} was closed.",
    "In {year} he bought an old {noun} and sold two of his {plain}s.",
    "She has had a {noun} since {year}, and takes it for the {other}.",
    "\"A {noun}\", said {name}, \"is no {other}.\"",
    "They moved to {place} with a {plain}, a {noun} and {number} children.",
    "There was nothing to be done about it until the next morning.",
    "His mother, a {plain}, never spoke about {place} again.",
)  # fmt: skip


def made(count: int, length: int, seed: int) -> Iterator[str]:
    chance = random.Random(seed)
    nouns = [term for term in base("wordnet").terms() if term.isalpha() and term.isascii()]
    plain = sorted(word for word in words("common_words") if len(word) > 3)
    towns = sorted(places.cities())
    first, last = sorted(words("first_names")), sorted(words("surnames"))
    for _ in range(count):
        text: list[str] = []
        while len(text) < length:
            sentence = chance.choice(SENTENCES).format(
                name=f"{chance.choice(first)} {chance.choice(last)}",
                place=chance.choice(towns),
                noun=chance.choice(nouns),
                other=chance.choice(nouns),
                plain=chance.choice(plain),
                day=chance.randint(1, 28),
                year=chance.randint(1950, 2020),
                number=chance.randint(2, 9),
            )
            text += sentence.split()
        yield " ".join(text[:length])


def cut(path: Path, count: int, length: int) -> Iterator[str]:
    decisions = [row["text"].split() for row in json.loads(path.read_text(encoding="utf-8"))]
    for number, decision in enumerate(islice(cycle(decisions), count)):
        begin = number // len(decisions) * 37 % max(len(decision) - length, 1)
        yield " ".join(decision[begin : begin + length])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--words", type=int, default=600)
    parser.add_argument("--method", default="information-content")
    parser.add_argument("--model", default="fast")
    parser.add_argument("--data", type=Path)
    given = parser.parse_args()
    texts = made(given.documents, given.words, 1) if given.data is None else cut(
        given.data, given.documents, given.words
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "in")
        source.mkdir()
        total = 0
        for number, text in enumerate(texts):
            total += len(text.split())
            Path(source, f"{number}.txt").write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "heteronym", "sanitize", str(source), "-o", str(Path(folder, "out"))]
        command += ["--method", given.method, "--model", given.model, "-q"]
        subprocess.run(command, check=True)
        written = len(list(Path(folder, "out").iterdir()))
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    print("| method | documents | words | CPU s | documents per CPU s | largest process, MB |")
    print("|---" * 6 + "|")
    print(
        f"| {given.method} | {written} | {total} | {seconds:.1f} | {written / seconds:.1f} "
        f"| {used.ru_maxrss / 1024:.0f} |"
    )


if __name__ == "__main__":
    main()
