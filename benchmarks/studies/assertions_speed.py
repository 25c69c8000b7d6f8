"""CPU seconds of the analyzer on 100 documents of 600 words, with the fast model.

python -m benchmarks.studies.assertions_speed
"""

from __future__ import annotations

import gzip

from benchmarks.shared_data import need_shared, peak_mb
from heteronym.analyzing import analyze_texts, told
from heteronym.model.plan import TextPlan
from heteronym.run import cpu_seconds

DOCUMENTS, WORDS = 100, 600


def documents() -> list[str]:
    path = need_shared() / "data" / "ner" / "gum" / "train.conllu.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        words = " ".join(line[9:].strip() for line in file if line.startswith("# text = ")).split()
    return [" ".join(words[n * WORDS : (n + 1) * WORDS]) for n in range(DOCUMENTS)]


if __name__ == "__main__":
    texts = documents()
    begin = cpu_seconds()
    corpus = analyze_texts(texts, TextPlan(model="fast"))
    content = told(corpus)
    seconds = cpu_seconds() - begin
    assertions = sum(len(analysis.assertions) for analysis in corpus.analyses)
    print(f"{DOCUMENTS} documents of {WORDS} words: {seconds:.1f} CPU seconds, {peak_mb():.0f} MB, "
          f"{assertions} assertions, {len(content['persons'])} persons")  # fmt: skip
