"""All bars of recognition in one table: recall, precision and over-masking.

    python benchmarks/studies/recognition_bars.py [--model accurate|fast|none] [--cache DIR] [--rules FILE]
                                                  [--sets NAME ...]

What the model `accurate` says of a text is kept in DIR (its weights do not change when rules do), so that a
second run costs what the rules cost. `--rules FILE` writes, per rule and set, how many words it masked and
how many of them needed it: counts only, never a text. Sets whose errors nobody reads (blind, wide_blind,
fresh_blind, plain_*) appear there as counts like all others.

Recall of tab and of the genres as in recognition_tab.py and recognition_genres.py; of asqphi_pos, calls
and nano: a mention counts when all its words are covered. Over-masking: the share of content words (all
but `FUNCTION_WORDS`) inside a mention, in texts that name nobody.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import recognition_genres as genres
import recognition_tab as tab

from heteronym.api.scan import find_in_documents
from heteronym.model.plan import TextPlan
from heteronym.text.recognizers import accurate

SHARED = tab.SHARED / "data"
ROOM = Path(accurate.__file__).resolve().parents[1]
WORD = re.compile(r"\w+")
FUNCTION_WORDS = frozenset("the a an of in and or to at on by for with from".split())
RECALL = ("asqphi_pos", "calls", "nano")
PLAIN = ("plain_physics", "plain_rustbook", "plain_recipes", "asqphi_neg")
BLIND = ("blind", "wide_blind", "terse_blind", "fresh_blind")
SETS = ("tab", *BLIND, *RECALL, *PLAIN, "later", "terse", "fresh", "unseen", "wide", "seen")
BARS = {
    "tab": "DIRECT .99, QUASI .93, precision .80",
    "blind": "DIRECT .93, QUASI .87, precision .90",
    "wide_blind": "DIRECT .93, QUASI .87, precision .90",
    "asqphi_pos": ".98",
    "calls": ".98",
    "nano": ".90",
    "plain_physics": "3 %",
    "plain_rustbook": "3 %",
    "plain_recipes": "4 %",
}


class Remembered:
    """A token classifier whose answers are kept in a file by the hash of what it read."""

    def __init__(self, model: Any, file: Path) -> None:
        self._model, self._file = model, file
        self._known: dict[str, list] = json.loads(file.read_text()) if file.exists() else {}

    def tag(self, texts: Sequence[str]) -> list:
        keys = [hashlib.blake2b(text.encode("utf-8", "surrogatepass")).hexdigest()[:32] for text in texts]
        fresh = {key: text for key, text in zip(keys, texts) if key not in self._known}
        if fresh:
            self._known.update(zip(fresh, self._model.tag(list(fresh.values()))))
            self._file.write_text(json.dumps(self._known))
        return [[tuple(entity) for entity in self._known[key]] for key in keys]


def remember(folder: Path) -> None:
    """Let `accurate` ask the file first."""
    folder.mkdir(parents=True, exist_ok=True)
    read = sorted(accurate.model_folder("accurate").glob("*.[jo][sn]*"))  # weights and settings
    stamp = hashlib.blake2b(b"".join(file.read_bytes() for file in read), digest_size=8).hexdigest()
    loaded = accurate._classifier
    kept: dict[str, Remembered] = {}

    def classifier(name: str, threads: int) -> Remembered:
        if name not in kept:
            kept[name] = Remembered(loaded(name, threads), folder / f"accurate-{stamp}.json")
        return kept[name]

    accurate._classifier = classifier


def texts_of(name: str) -> list[str]:
    if name == "tab":
        return [document["text"] for document in _read(SHARED / "tab_dev" / "tab_dev.json")]
    if name in RECALL + PLAIN:
        return [document["text"] for document in _read(SHARED / "deid_dev" / f"{name}.json")]
    return [document.text for document in genres.documents_of([genres.GENRES / name])]


def _read(file: Path) -> list[dict]:
    return json.loads(file.read_text(encoding="utf-8"))


def needed_of(name: str) -> list[list[tuple[int, int]]]:
    """What should be masked, per document."""
    if name == "tab":
        return [
            [
                (mention["start_offset"], mention["end_offset"])
                for mention in document["entity_mentions"]
                if mention["identifier_type"] != "NO_MASK"
            ]
            for document in _read(SHARED / "tab_dev" / "tab_dev.json")
        ]
    if name in RECALL + PLAIN:
        documents = _read(SHARED / "deid_dev" / f"{name}.json")
        return [[(m["start"], m["end"]) for m in document["mentions"]] for document in documents]
    return [
        [(mention.start, mention.end) for mention in document.mentions]
        for document in genres.documents_of([genres.GENRES / name])
    ]


def score(name: str, texts: list[str], found: list[list]) -> str:
    if name == "tab":
        documents = _read(SHARED / "tab_dev" / "tab_dev.json")
        c = tab.measure(documents, found)["counts"]
        direct, quasi = (c[kind, "strict"] / c[kind] for kind in ("DIRECT", "QUASI"))
        return f"DIRECT {direct:.3f} QUASI {quasi:.3f} precision {c['right'] / c['masked']:.3f}"
    if name in RECALL + PLAIN:
        return _deid_score(texts, needed_of(name), found)
    result = genres.measure(genres.documents_of([genres.GENRES / name]), found)
    direct, quasi, right = (
        pair[0] / pair[1]
        for pair in (
            result["recall"]["all", "DIRECT"],
            result["recall"]["all", "QUASI"],
            result["precision"][""],
        )
    )
    return f"DIRECT {direct:.3f} QUASI {quasi:.3f} precision {right:.3f}"


def _deid_score(texts: list[str], needed: list[list[tuple[int, int]]], found: list[list]) -> str:
    inside = words = hit = mentions = 0
    for text, wanted, spans in zip(texts, needed, found):
        covered = bytearray(len(text))
        for span in spans:
            covered[span.start : span.end] = b"\1" * (span.end - span.start)
        for word in WORD.finditer(text):
            if word.group().lower() not in FUNCTION_WORDS:
                words += 1
                inside += any(covered[word.start() : word.end()])
        mentions += len(wanted)
        hit += sum(
            all(all(covered[word.start() : word.end()]) for word in WORD.finditer(text, *place))
            for place in wanted
        )
    line = f"masked {100 * inside / words:4.1f} % of {words} content words"
    return f"recall {hit / mentions:.3f} of {mentions}, {line}" if mentions else line


def by_rule(texts: list[str], needed: list[list[tuple[int, int]]], found: list[list]) -> Counter:
    """Words that a rule masked, and how many of them needed it."""
    counts: Counter = Counter()
    for text, wanted, spans in zip(texts, needed, found):
        right = bytearray(len(text))
        for start, end in wanted:
            right[start:end] = b"\1" * (end - start)
        for span in spans:
            key = f"{span.source}/{span.rule}/{span.type}"
            for word in WORD.finditer(text, span.start, span.end):
                if word.group().lower() not in FUNCTION_WORDS:
                    counts[key, "masked"] += 1
                    counts[key, "right"] += any(right[word.start() : word.end()])
    return counts


def rows_of_rules() -> int:
    """Rows of rules in data files."""
    return sum(
        line.strip().startswith("[[")
        for file in (ROOM.parent / "knowledge").rglob("*.toml")
        for line in file.read_text("utf-8").splitlines()
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="accurate")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--rules", type=Path)
    parser.add_argument("--sets", nargs="*", default=SETS)
    options = parser.parse_args()
    if options.cache and options.model == "accurate":
        remember(options.cache)
    plan = TextPlan(model=options.model)
    print(f"model {options.model}; rows of rules {rows_of_rules()}")
    rules: dict[str, dict[str, dict[str, int]]] = {}
    for name in options.sets:
        texts = texts_of(name)
        begin = time.process_time()
        found = [spans for text in texts for spans in find_in_documents([text], plan)]
        seconds = time.process_time() - begin
        bar = f"   (bar {BARS[name]})" if name in BARS else ""
        print(f"{name:15s} {score(name, texts, found)}{bar}  [{seconds:.1f} s]", flush=True)
        for (key, what), number in by_rule(texts, needed_of(name), found).items():
            rules.setdefault(key, {}).setdefault(name, {})[what] = number
    if options.rules:
        options.rules.write_text(json.dumps(rules, indent=1, sort_keys=True))


if __name__ == "__main__":
    main()
