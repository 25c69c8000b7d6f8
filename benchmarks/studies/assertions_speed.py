"""CPU seconds of the analyzer on 100 documents of 600 words, with the fast model.

python -m benchmarks.studies.assertions_speed [DOCUMENTS]

The documents are stretches of the texts that the recognition studies ship.
"""

from __future__ import annotations

import sys
from pathlib import Path

from heteronym.analyzing import analyze_texts, told
from heteronym.model.plan import TextPlan
from heteronym.run import cpu_seconds, peak_memory_mb

DOCUMENTS = 100
WORDS = 600


def stretches(count: int) -> list[str]:
    """Documents of 600 words; they overlap where more are wanted than the texts have."""
    folder = Path(__file__).parent / "genres"
    texts = [path.read_text("utf-8") for path in sorted(folder.rglob("*.txt"))]
    words = [word for text in texts for word in text.split(" ")]
    steps = max(1, (len(words) - WORDS) // count)
    return [" ".join(words[i * steps : i * steps + WORDS]) for i in range(count)]


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENTS
    texts = stretches(count)
    begin = cpu_seconds()
    corpus = analyze_texts(texts, TextPlan(model="fast"))
    content = told(corpus)
    seconds = cpu_seconds() - begin
    assertions = sum(len(analysis.assertions) for analysis in corpus.analyses)
    print(f"{count} documents of {WORDS} words: {seconds:.1f} CPU seconds, {peak_memory_mb():.0f} MB, "
          f"{assertions} assertions, {len(content['persons'])} persons")  # fmt: skip
