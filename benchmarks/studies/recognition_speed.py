"""What does recognition cost, in words per CPU second, on documents of 600 words?

    python benchmarks/studies/recognition_speed.py [accurate|fast|none ...]

The default pipeline (structured identifiers, all rules, the model) in one process and one thread; the
share of each part; the time from start to the first mention; and 10,000 short texts, to see that cost
follows the number of words and not the number of texts.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
import time
from pathlib import Path

from heteronym.text.combine import Combined, pipeline

SHARED = Path(os.environ.get("HETERONYM_SHARED", Path(__file__).resolve().parents[3] / "shared"))
WORDS, DOCUMENTS = 600, 60
WARM = "Mail jane.doe@example.com, call +1 415 555 2671, card 4111 1111 1111 1111."  # loads numbering plans
FIRST = (
    "import sys, time; begin = time.time(); from heteronym.text.combine import pipeline; "
    "found = pipeline(sys.argv[1]).recognize(['Pedro lives in Berlin.'])[0]; assert found; "
    "print(f'{time.time() - begin:.2f} s (wall) to the first mention')"
)


def running_text() -> list[str]:
    """Words of two test treebanks (web texts, news, speech, fiction)."""
    words: list[str] = []
    for corpus in ("gum", "ud_ewt"):
        path = SHARED / "data" / "ner" / corpus / "test.conllu.gz"
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            words += [line[9:].strip() for line in lines if line.startswith("# text = ")]
    return " ".join(words).split()


def main() -> None:
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        # numpy reads this when it is imported, which has happened already: start again
        one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        sys.exit(
            subprocess.run([sys.executable, *sys.argv], env={**os.environ, **one}, check=False).returncode
        )
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="*", default=["accurate", "fast", "none"])
    words = running_text()
    texts = [" ".join(words[i : i + WORDS]) for i in range(0, min(len(words), WORDS * DOCUMENTS), WORDS)]
    short = [" ".join(words[i : i + 8]) for i in range(0, len(words) - 8, 8)]
    short = (short * (10_000 // len(short) + 1))[:10_000]
    print(f"load average {os.getloadavg()[0]:.1f}")
    for name in parser.parse_args().models:
        recognizer = pipeline(name)
        assert isinstance(recognizer, Combined)
        recognizer.recognize([*texts[:10], WARM])  # patterns are compiled when they are first needed
        begin = time.process_time()
        recognizer.recognize(texts)
        seconds = time.process_time() - begin
        count = sum(len(text.split()) for text in texts)
        print(f"{name}: {count / seconds:,.0f} words per CPU second, {len(texts)} documents")
        for part in recognizer.parts:
            begin = time.process_time()
            part.recognize(texts)
            share = (time.process_time() - begin) * 1e6 / count
            print(f"    {type(part).__name__:14s} {share:6.1f} microseconds per word alone")
        begin = time.process_time()
        recognizer.recognize(short)
        seconds = time.process_time() - begin
        print(
            f"    10,000 texts of 8 words: {seconds:.1f} CPU s, {80_000 / seconds:,.0f} words per CPU second"
        )
        sys.stdout.flush()
        subprocess.run([sys.executable, "-c", FIRST, name], check=False)


if __name__ == "__main__":
    main()
