"""What of annotated identifiers still stands in texts that were released with the preset hipaa-safe-harbor?

    python -m benchmarks.studies.hipaa_texts --data FILE.json [--write PAGE]

FILE is a list of {text, mentions: [{start, end, type}]}. A mention counts as left if the released text holds
its spelling anywhere.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import polars as pl

import heteronym as hn
from benchmarks.figures import show
from heteronym.io.plans import make_plan, override

ATTRIBUTES = {"id": {"role": "identifier"}, "note": {"role": "text"}}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    options = parser.parse_args()
    documents = json.loads(options.data.read_text("utf-8"))
    frame = pl.DataFrame(
        {"id": [str(n) for n in range(len(documents))], "note": [one["text"] for one in documents]}
    )
    plain = {"attributes": ATTRIBUTES, "privacy": [{"model": "k-anonymity", "k": 2}]}
    release = hn.anonymize(frame, override(make_plan(plain), {"preset": "hipaa-safe-harbor"}))
    annotated, left = Counter[str](), Counter[str]()
    for row, source in enumerate(release.source_row.tolist()):
        text, shown = documents[source]["text"], release.data["note"][row]
        for mention in documents[source]["mentions"]:
            annotated[mention["type"]] += 1
            left[mention["type"]] += text[mention["start"] : mention["end"]] in shown
    rows: list[dict[str, object]] = [
        {"type": type_, "annotated": count, "left": left[type_]} for type_, count in annotated.items()
    ]
    show(rows, name="hipaa texts", page=options.write)
    print(f"verified: {release.verdict.holds}")


if __name__ == "__main__":
    main()
