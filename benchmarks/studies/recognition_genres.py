"""How much of what identifies a person does the default pipeline find in everyday genres of English text?

    python benchmarks/studies/recognition_genres.py [--model accurate|fast|none] [--errors] [FOLDER ...]

Reads the annotated files `NN_genre.txt` of the folders (by default all folders in `genres`). A span is
written `⟦TYPE|surface⟧`; `!` before the type makes it DIRECT, no mark QUASI, and `?` says that it counts
neither for nor against. Recall is per mention: covered if found spans of any type cover all its words apart
from articles, prepositions and conjunctions. Precision is per word: the share of masked words that are
annotated. Titles (Mr, Dr, ...) are overlooked, whether masked or not.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from heteronym.api.scan import find_in_documents
from heteronym.model.plan import TextPlan
from heteronym.text.entity_types import TYPES

GENRES = Path(__file__).resolve().parent / "genres"
TOKEN = re.compile(r"\w+")
MARKED = re.compile(r"⟦([!?]?)([A-Z_]+)\|([^⟦⟧|]+)⟧")
OVERLOOKED = frozenset("a an the of and or to in on at by for from with between until as".split())
TITLES = frozenset("mr mrs ms miss dr prof rev".split())
KINDS = {"!": "DIRECT", "": "QUASI", "?": "EITHER"}


@dataclass(frozen=True)
class Mention:
    start: int
    end: int
    type: str
    kind: str  # DIRECT | QUASI | EITHER


@dataclass(frozen=True)
class Document:
    name: str
    genre: str
    text: str
    mentions: tuple[Mention, ...]


def parsed(name: str, annotated: str) -> Document:
    """The plain text and the mentions with their offsets in it."""
    pieces: list[str] = []
    mentions: list[Mention] = []
    length = last = 0
    for match in MARKED.finditer(annotated):
        mark, type_name, surface = match.groups()
        if type_name not in TYPES:
            raise ValueError(f"{name}: unknown type {type_name} of {surface!r}")
        if surface != surface.strip() or not TOKEN.search(surface):
            raise ValueError(f"{name}: blank at the edge or no word in {surface!r}")
        between = annotated[last : match.start()]
        length += len(between)
        mentions.append(Mention(length, length + len(surface), type_name, KINDS[mark]))
        length += len(surface)
        pieces += (between, surface)
        last = match.end()
    text = "".join(pieces) + annotated[last:]
    if stray := re.search(r".{0,20}[⟦⟧].{0,20}", text):
        raise ValueError(f"{name}: malformed annotation near {stray.group()!r}")
    return Document(name, name.partition("_")[2], text, tuple(mentions))


def documents_of(folders: list[Path]) -> list[Document]:
    documents = []
    for folder in folders:
        for file in sorted(folder.glob("*.txt")):
            documents.append(parsed(file.stem, file.read_text(encoding="utf-8")))
    return documents


def context(text: str, start: int, end: int, width: int = 30) -> str:
    before, after = text[max(0, start - width) : start], text[end : end + width]
    return f"{before}[{text[start:end]}]{after}".replace("\n", "⏎")


def is_covered(text: str, mention: Mention, covered: bytearray) -> bool:
    tokens = list(TOKEN.finditer(text, mention.start, mention.end))
    weighty = [token for token in tokens if token.group().lower() not in OVERLOOKED] or tokens
    return all(all(covered[token.start() : token.end()]) for token in weighty)


def measure(documents: list[Document], found: list[list]) -> dict:
    recall: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])  # group and name: found, all
    precision: dict[str, list[int]] = defaultdict(lambda: [0, 0])  # genre: right, masked
    missed: dict[str, list[str]] = defaultdict(list)
    wrong: dict[str, list[str]] = defaultdict(list)
    for document, spans in zip(documents, found):
        text = document.text
        covered = bytearray(len(text))
        label: dict[int, str] = {}
        for span in spans:
            covered[span.start : span.end] = b"\1" * (span.end - span.start)
            for i in range(span.start, span.end):
                label[i] = f"{span.type} ({span.source})"
        needed, either = bytearray(len(text)), bytearray(len(text))
        for mention in document.mentions:
            marks = either if mention.kind == "EITHER" else needed
            marks[mention.start : mention.end] = b"\1" * (mention.end - mention.start)
            if mention.kind == "EITHER":
                continue
            hit = is_covered(text, mention, covered)
            name = f"{mention.kind} {mention.type}"
            for key in (
                ("all", mention.kind),
                ("type", name),
                ("genre", f"{document.genre} {mention.kind}"),
            ):
                recall[key][0] += hit
                recall[key][1] += 1
            if not hit:
                missed[name].append(f"{document.name}: {context(text, mention.start, mention.end)}")
        for token in TOKEN.finditer(text):
            place = slice(token.start(), token.end())
            if not any(covered[place]) or any(either[place]):
                continue
            right = any(needed[place])
            if not right and token.group().lower() in TITLES:
                continue
            for genre in ("", document.genre):
                precision[genre][0] += right
                precision[genre][1] += 1
            if not right:
                first = next(i for i in range(token.start(), token.end()) if covered[i])
                wrong[label[first]].append(f"{document.name}: {context(text, token.start(), token.end())}")
    return {"recall": recall, "precision": precision, "missed": missed, "wrong": wrong}


def share(pair: list[int]) -> str:
    right, all_of = pair
    return f"{right / all_of:.3f} ({right}/{all_of})" if all_of else "- (0)"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--model", default="accurate", choices=("accurate", "fast", "none"))
    parser.add_argument("--errors", action="store_true")
    options = parser.parse_args()
    folders = options.folders or sorted(folder for folder in GENRES.iterdir() if folder.is_dir())
    documents = documents_of(folders)
    texts = [document.text for document in documents]
    plan = TextPlan(model=options.model)
    find_in_documents(["Warm up 12345/06."], plan)
    begin = time.process_time()
    found = find_in_documents(texts, plan)
    seconds = time.process_time() - begin
    result = measure(documents, found)
    recall, precision = result["recall"], result["precision"]
    number = sum(len(text.split()) for text in texts)
    print(
        f"model {options.model}, {len(texts)} documents, {number} words, {number / seconds:,.0f} "
        f"words per CPU second"
    )
    for kind in ("DIRECT", "QUASI"):
        print(f"{kind:6s} recall {share(recall['all', kind])} mentions")
    print(f"token precision {share(precision[''])} masked words")
    print("by type")
    for (group, name), pair in sorted(recall.items()):
        if group == "type":
            print(f"  {name:18s} {share(pair)}")
    print("by genre: recall DIRECT, recall QUASI, precision")
    for genre in sorted({document.genre for document in documents}):
        print(
            f"  {genre:12s} {share(recall['genre', f'{genre} DIRECT']):18s} "
            f"{share(recall['genre', f'{genre} QUASI']):18s} {share(precision[genre])}"
        )
    if options.errors:
        for title, lists in (("MISSED", result["missed"]), ("WRONG", result["wrong"])):
            for name, cases in sorted(lists.items(), key=lambda item: (-len(item[1]), item[0])):
                print(title, name, len(cases))
                for case in cases:
                    print("   ", case)


if __name__ == "__main__":
    main()
