"""How much of what identifies an applicant does the default pipeline find in court decisions?

    python benchmarks/studies/recognition_tab.py [--model accurate|fast|none] [--errors] [--data FILE]

Measures of the Text Anonymization Benchmark by character offsets: an entity counts as masked only if all
its mentions are covered; recall over DIRECT and QUASI entities apart; precision per token (tokens masked
that needed masking). `strict` asks for every letter and digit of a mention; `plain` overlooks articles,
prepositions and conjunctions, as the benchmark's own script does. Mentions are those of `heteronym scan`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from collections import Counter, defaultdict
from pathlib import Path

from heteronym.api.scan import find_in_documents
from heteronym.model.plan import TextPlan

SHARED = Path(os.environ.get("HETERONYM_SHARED", Path(__file__).resolve().parents[3] / "shared"))
TOKEN = re.compile(r"\w+")
OVERLOOKED = frozenset("a an the of and or to in on at by for from with between until as".split())


def measure(documents: list[dict], found: list[list]) -> dict:
    counts: Counter = Counter()
    missed: dict[str, list] = defaultdict(list)
    wrong: Counter = Counter()
    by_type: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for document, spans in zip(documents, found):
        text = document["text"]
        covered = bytearray(len(text))
        label: dict[int, str] = {}
        for span in spans:
            covered[span.start : span.end] = b"\1" * (span.end - span.start)
            for i in range(span.start, span.end):
                label[i] = f"{span.type} ({span.source})"
        needed = bytearray(len(text))
        entities: dict[tuple[str, str], list[dict]] = defaultdict(list)
        for mention in document["entity_mentions"]:
            if mention["identifier_type"] != "NO_MASK":
                entities[mention["entity_id"], mention["identifier_type"]].append(mention)
                needed[mention["start_offset"] : mention["end_offset"]] = b"\1" * (
                    mention["end_offset"] - mention["start_offset"]
                )
        for (_, kind), mentions in entities.items():
            bare = {"strict": True, "plain": True}
            for mention in mentions:
                start, end = mention["start_offset"], mention["end_offset"]
                for token in TOKEN.finditer(text, start, end):
                    if not all(covered[token.start() : token.end()]):
                        bare["strict"] = False
                        if token.group().lower() not in OVERLOOKED:
                            bare["plain"] = False
            counts[kind] += 1
            for name, masked in bare.items():
                counts[kind, name] += masked
            by_type[f"{kind} {mentions[0]['entity_type']}"][0] += bare["strict"]
            by_type[f"{kind} {mentions[0]['entity_type']}"][1] += 1
            if not bare["strict"]:
                missed[f"{kind} {mentions[0]['entity_type']}"].append(
                    (document["doc_id"], [m["span_text"] for m in mentions])
                )
        for token in TOKEN.finditer(text):
            if any(covered[token.start() : token.end()]):
                counts["masked"] += 1
                if any(needed[token.start() : token.end()]):
                    counts["right"] += 1
                else:
                    wrong[label.get(token.start(), label.get(token.end() - 1, "?")), token.group()] += 1
    return {"counts": counts, "missed": missed, "wrong": wrong, "by_type": by_type}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="accurate")
    parser.add_argument("--errors", action="store_true")
    parser.add_argument("--data", default=str(SHARED / "data" / "tab_dev" / "tab_dev.json"))
    options = parser.parse_args()
    documents = json.loads(Path(options.data).read_text(encoding="utf-8"))
    texts = [document["text"] for document in documents]
    plan = TextPlan(model=options.model)
    find_in_documents(["Warm up 12345/06."], plan)
    begin = time.process_time()
    found = find_in_documents(texts, plan)
    seconds = time.process_time() - begin
    result = measure(documents, found)
    c = result["counts"]
    number = sum(len(text.split()) for text in texts)
    print(
        f"model {options.model}, {len(texts)} documents, {number} words, {number / seconds:,.0f} "
        f"words per CPU second"
    )
    for kind in ("DIRECT", "QUASI"):
        print(
            f"{kind:6s} recall strict {c[kind, 'strict'] / c[kind]:.3f}, "
            f"plain {c[kind, 'plain'] / c[kind]:.3f} ({c[kind]} entities)"
        )
    print(f"token precision {c['right'] / c['masked']:.3f} ({c['masked']} tokens masked)")
    for name, (right, all_of) in sorted(result["by_type"].items()):
        print(f"  {name:16s} {right}/{all_of} {right / all_of:.2f}")
    if options.errors:
        for name, cases in sorted(result["missed"].items()):
            print("MISSED", name)
            for case in cases:
                print("   ", *case)
        groups: dict[str, Counter] = defaultdict(Counter)
        for (label, token), n in result["wrong"].items():
            groups[label][token] += n
        for label, tokens in sorted(groups.items(), key=lambda item: -item[1].total()):
            print("WRONG", label, tokens.total(), tokens.most_common(40))


if __name__ == "__main__":
    main()
