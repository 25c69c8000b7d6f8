"""CPU seconds of information-content on documents of 600 words, recognition, tagging and audit included.

    python -m benchmarks.studies.sanitize_speed [DOCUMENTS]

The documents are stretches of the texts that the recognition studies ship, as many as are asked for.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.studies.recognition_genres import documents_of as documents_of_genres
from heteronym.documents.information_content import InformationContent
from heteronym.model.plan import TextPlan
from heteronym.run import cpu_seconds
from heteronym.sanitizing import documents_of, sanitized

WORDS = 600


def stretches(count: int) -> list[str]:
    """Documents of 600 words; they overlap where more are wanted than the texts have."""
    genres = Path(__file__).parent / "genres"
    read = documents_of_genres([genres / name for name in ("seen", "unseen", "wide")])
    words = [word for document in read for word in document.text.split(" ")]
    steps = max(1, (len(words) - WORDS) // count)
    return [" ".join(words[i * steps : i * steps + WORDS]) for i in range(count)]


def main(count: int) -> None:
    texts = stretches(count)
    begin = cpu_seconds()
    documents = documents_of(texts, TextPlan(model="fast"))
    found = cpu_seconds()
    _, result = sanitized(documents, InformationContent(reveal=("United States",)))
    done = cpu_seconds()
    print(f"{count} documents of {WORDS} words: {done - begin:.0f} CPU s")
    print(f"  recognition {found - begin:.0f}, sanitizing and audit {done - found:.0f}; {dict(result.facts)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
