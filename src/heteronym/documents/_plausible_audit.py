"""How many originals a generalized text may have had, counted from the two texts alone.

The texts are laid side by side. Where they differ, the new words must name a concept above the old ones;
the concepts without children below it are counted by walking down the data file. Nothing of the search, and
nothing of how words were found, is used. What cannot be explained counts as one original.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, NamedTuple

from heteronym.documents._recount import base_words, bits, children, nouns, terms
from heteronym.knowledge.taxonomy import Taxonomy
from heteronym.model.document import Document

_TOKEN = re.compile(r"\[[A-Z_ ]+\]|[^\W_]+(?:[-.][^\W_]+)*")
_ARTICLES = frozenset({"a", "an", "the"})
_BASES = ("wordnet", "places", "occupations", "diseases", "diagnoses")
_KINDS = frozenset(
    {"city", "region", "state", "province", "canton", "prefecture", "country", "continent", "place"}
)
_SHORT = frozenset("Mr Mrs Ms Dr Prof St Jr vs No".split())
_ORDINARY = 3.0  # bits
_LONGEST = 8
_AROUND = 3
_DRIFT = 60  # words that one text may be ahead of the other within a window, beside growing evenly
_ODD = 10.0


class Needs(NamedTuple):
    """What was promised, and which words of the original are sensitive."""

    t: int
    of_type: dict[str, int]
    bits: float | None
    unit: str
    sensitive: str  # phrases | mentions | words
    words: tuple[str, ...] = ()


class Change(NamedTuple):
    at: int
    term: str
    type: str | None
    volume: int


def recount(
    document: Document, released: str, needs: Needs, own: Sequence[Taxonomy]
) -> tuple[int, int, float]:
    """Units below their t, units counted, and the fewest bits of one."""
    counted = list(_counted(document, released, needs, own))
    fewest = min((math.log2(product) for _, product, _ in counted), default=0.0)
    return sum(product < asked for _, product, asked in counted), len(counted), fewest


def short_units(document: Document, released: str, needs: Needs, own: Sequence[Taxonomy]) -> set[int]:
    """The numbers of the units below their t, from 1."""
    counted = _counted(document, released, needs, own)
    return {number for number, product, asked in counted if product < asked}


def _counted(
    document: Document, released: str, needs: Needs, own: Sequence[Taxonomy]
) -> Iterator[tuple[int, int, int]]:
    """Of every unit and type with a t of its own: its number, plausible originals, and how many it needs."""
    changes = list(_changes(document, released, own))
    watched = sorted(_watched(document, needs))
    changes.sort(key=lambda change: change.at)
    places = [change.at for change in changes]
    for number, (start, end) in enumerate(_units(document, needs.unit), 1):
        groups: dict[str, dict[str, int]] = {}
        first = bisect_left(watched, start)
        if first < len(watched) and watched[first] < end:
            groups[""] = {}  # a sensitive word stands here: something must have become of it
        for change in changes[bisect_left(places, start) : bisect_left(places, end)]:
            if change.volume > 1 or "" in groups:
                kind = change.type if change.type in needs.of_type else ""
                known = groups.setdefault(kind or "", {})
                known[change.term] = max(known.get(change.term, 1), change.volume)
        for kind, volumes in groups.items():
            product = math.prod(volumes.values())
            asked = needs.of_type.get(kind, needs.t)
            if needs.bits is not None and not kind:
                bits = needs.bits * len(volumes)  # those left as they were are not known
                asked = math.floor(2**bits) if bits < 1000 else 1 << math.floor(bits)  # floats end at 2^1024
            yield number, product, asked


def _watched(document: Document, needs: Needs) -> Iterator[int]:
    """Where sensitive words stand that a base knows, and whose type has no t of its own."""
    spans: list[tuple[int, str]]
    if needs.sensitive == "words":
        spans = [
            (m.start(), m[0])
            for word in needs.words
            for m in re.finditer(rf"(?i)\b{re.escape(word)}\b", document.text)
        ]
    elif needs.sensitive == "mentions":
        spans = [(m.start, document.text[m.start : m.end]) for m in document.mentions]
    else:
        spans = nouns(document.text)
    own = [(m.start, m.end) for m in document.mentions if m.type in needs.of_type]
    for at, word in spans:
        known = any(_above(name, sense) for name in _BASES for sense in _senses(name, word.lower()))
        known = known and not _is_time(word.lower())
        if needs.sensitive == "phrases":  # "mother" and "history" are no words that anybody hides
            known = known and bits(word) > _ORDINARY
        if known and not any(a <= at < b for a, b in own):
            yield at


@cache
def _is_time(word: str) -> bool:
    """Whether a word is first a stretch of time: "week", "evening", "Tuesday"."""
    own = _senses("wordnet", word)
    times = {_senses("wordnet", one)[0] for one in ("time period", "time unit")}
    return bool(own) and bool(times & {own[0], *_above("wordnet", own[0])})


def _units(document: Document, unit: str) -> list[tuple[int, int]]:
    size = len(document.text)
    if unit == "document":
        return [(0, size)]
    if unit == "paragraph":
        starts = [0] + [m.end() for m in re.finditer(r"\n[ \t\r\f\v]*\n\s*", document.text)]
        return [(a, b) for a, b in zip(starts, [*starts[1:], size], strict=True) if a < b]
    cuts = [0]
    for stop in re.finditer(r"[.!?…][\"'”’)\]]*\s+(?=[\"'“‘(\[]*[^\Wa-z])|\n+", document.text):
        last = document.text[cuts[-1] : stop.start()].rsplit(None, 1)[-1:] or [""]
        short = last[0].lstrip("(") in _SHORT or re.fullmatch(r"\(?[A-Z]", last[0])
        if not (short and document.text[stop.start()] == "."):
            cuts.append(stop.end())
    return [(a, b) for a, b in pairwise([*cuts, size]) if a < b]


def _changes(document: Document, released: str, own: Sequence[Taxonomy]) -> Iterator[Change]:
    mention_at = {i: m for m in document.mentions for i in range(m.start, m.end)}
    for begin, before, after in _side_by_side(document.text, released):
        yield from _changes_between(begin, before, after, mention_at, own)


def _side_by_side(old: str, new: str) -> Iterator[tuple[int, str, str]]:
    """Sentences of two texts in pairs, where both have as many; else the two texts."""
    olds, news = _cut(old), _cut(new)
    if len(olds) != len(news):
        olds, news = [(0, old)], [(0, new)]
    for (begin, before), (_, after) in zip(olds, news, strict=True):
        yield begin, before, after


def _cut(text: str) -> list[tuple[int, str]]:
    ends = [0, *(m.end() for m in re.finditer(r"[.!?]\s+|\n+", text)), len(text)]
    return [(a, text[a:b]) for a, b in pairwise(ends)]


def _changes_between(
    begin: int, before: str, after: str, mention_at: Mapping[int, Any], own: Sequence[Taxonomy]
) -> Iterator[Change]:
    if before == after:
        return
    old = [m for m in _TOKEN.finditer(before) if m[0].lower() not in _ARTICLES]
    new = [m[0] for m in _TOKEN.finditer(after) if m[0].lower() not in _ARTICLES]
    starts, ends = [begin + m.start() for m in old], [begin + m.end() for m in old]
    for a, b, c, d in _windows([m[0] for m in old], new):
        said = [m[0] for m in old[a:b]]
        # a mention speaks for its words only where all of them, and no others, are meant
        kinds = {
            (at - a, bisect_left(starts, mention.end) - a): mention.type
            for at in range(a, b)
            if (mention := mention_at.get(starts[at])) and (at == 0 or ends[at - 1] <= mention.start)
        }
        for first, last, volume in _explained(said, kinds, new[c:d], own):
            kind = mention_at.get(starts[a + first])
            term = _one(" ".join(said[first:last]).lower())
            yield Change(starts[a + first], term, kind.type if kind else None, volume)


def _windows(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Where the texts differ, with a few equal words around: "phantom limb pain" may have become "pain"."""
    found: list[tuple[int, int, int, int]] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        left = min(_AROUND, a, c)
        right = min(_AROUND, len(old) - b, len(new) - d)
        window = (a - left, b + right, c - left, d + right)
        if found and window[0] <= found[-1][1]:
            window = (found[-1][0], window[1], found[-1][2], window[3])
            found.pop()
        found.append(window)
    return found


Explained = list[tuple[int, int, int]]
Steps = tuple[Any, tuple[int, int, int]] | None  # the steps before, and the last one


def _explained(
    said: Sequence[str], kinds: Mapping[tuple[int, int], str], new: Sequence[str], own: Sequence[Taxonomy]
) -> Explained:
    """Old words (from, to) and the volumes of what they became; what cannot be explained counts nothing."""
    best: dict[tuple[int, int], tuple[float, Steps]] = {(0, 0): (0.0, None)}
    volumes: dict[tuple[str, str | None, str], int | None] = {}  # texts repeat themselves

    def offer(at: tuple[int, int], score: float, steps: Steps) -> None:
        if at not in best or score > best[at][0]:
            best[at] = (score, steps)

    for i in range(len(said) + 1):
        even = i * len(new) // max(len(said), 1)
        for j in range(max(0, even - _DRIFT), min(len(new), even + _DRIFT) + 1):
            if (i, j) not in best:
                continue
            score, steps = best[i, j]
            if i < len(said) and j < len(new) and said[i] == new[j]:
                offer((i + 1, j + 1), score, steps)
            if i < len(said):
                offer((i + 1, j), score - _ODD, steps)
            if j < len(new):
                offer((i, j + 1), score - _ODD, steps)
            for i2 in range(i + 1, min(i + _LONGEST, len(said)) + 1):
                term, kind = " ".join(said[i:i2]), kinds.get((i, i2))
                for j2 in range(j + 1, min(j + _LONGEST, len(new)) + 1):
                    asked = term, kind, " ".join(new[j:j2])
                    if asked not in volumes:
                        volumes[asked] = _volume(*asked, own) if own else _known_volume(*asked)
                    volume = volumes[asked]
                    if volume is not None:
                        offer((i2, j2), score + 0.01 * math.log2(volume) - 0.001, (steps, (i, i2, volume)))
    steps, found = best.get((len(said), len(new)), (0.0, None))[1], []
    while steps is not None:
        steps, step = steps
        found.append(step)
    return found[::-1]


@lru_cache(1 << 17)
def _known_volume(term: str, kind: str | None, label: str) -> int | None:
    """The same words stand in many windows, and each audit asks for them again."""
    return _volume(term, kind, label, ())


def _volume(term: str, kind: str | None, label: str, own: Sequence[Taxonomy]) -> int | None:
    """Base words below what `label` says of `term`; None if it says nothing of it."""
    if label.startswith("["):
        return 1
    low, one = term.lower(), _one(label.lower())
    if low == label.lower():
        return 1
    found = [count for taxonomy in own for count in _own_volumes(taxonomy, low, {label.lower(), one})]
    for name in _asked(kind):
        for sense in () if found else _senses(name, low):  # the first that the label generalizes was meant
            found = [base_words(name, n) for n in _above(name, sense) if _is_called(name, n, label, one)]
            if found:
                break
    if not found and kind is not None:
        possible = _of_type(kind) | (_kinds_of_organization(low) if kind in ("ORG", "INSTITUTION") else set())
        found = [base_words("wordnet", n) for n in possible if _is_called("wordnet", n, label, one)]
        found = found or (_days(label) if kind == "DATE" else [])
    return min(found) if found else None


def _kinds_of_organization(term: str) -> set[int]:
    """Concepts that the nouns in an organization's name stand for, and all above them."""
    text = files("heteronym.knowledge").joinpath("data", "organization_kinds.tsv").read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", term))
    found: set[int] = set()
    for line in text.splitlines():
        listed, _, kind = line.partition("\t")
        if kind and words & set(listed.split()) and not line.startswith("#"):
            noun, _, sense = kind.partition("#")
            node = _senses("wordnet", noun)[int(sense) - 1]
            found |= {node, *_above("wordnet", node)}
    return found


def _senses(name: str, term: str) -> list[int]:
    known = terms(name)
    return known.get(term) or known.get(_one(term)) or []


@cache
def _above(name: str, node: int) -> frozenset[int]:
    parents = children(name)[1]
    seen, queue = set(), [node]
    for now in queue:
        for parent in parents[now]:
            if parent not in seen:
                seen.add(parent)
                queue.append(parent)
    return frozenset(seen)


def _is_called(name: str, node: int, label: str, one: str) -> bool:
    names, _, _, forms = children(name)
    called = {names[node].lower(), (forms[node] or names[node]).lower()}
    if name != "places":
        return bool(called & {label.lower(), one})
    words = set(re.findall(r"\w+", one))
    if names[node] == "place":
        return one in _KINDS
    return names[node].lower() in f"{label.lower()} " or bool(
        words & _adjectives().get(names[node], frozenset())
    )


@cache
def _adjectives() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for file in ("countries.tsv", "continent_adjectives.tsv"):
        for line in (
            files("heteronym.knowledge").joinpath("data", file).read_text(encoding="utf-8").splitlines()
        ):
            row = line.split("\t")
            if not line.startswith("#") and row[-1]:
                found[row[0]] = frozenset(row[-1].lower().replace("|", " ").split())
    return found


@cache
def _rows_of_types() -> dict[str, list[str]]:
    text = files("heteronym.knowledge").joinpath("data", "type_words.tsv").read_text(encoding="utf-8")
    return {line.split("\t")[0]: line.split("\t") for line in text.splitlines() if not line.startswith("#")}


def _asked(kind: str | None) -> Sequence[str]:
    row = _rows_of_types().get(kind or "")
    return [*(name for name in row[1].split() if name in _BASES), *_BASES] if row else _BASES


@cache
def _of_type(kind: str) -> frozenset[int]:
    """The concept of an entity type, and all above it."""
    row = _rows_of_types().get(kind)
    if row is None:
        return frozenset()
    term, _, sense = row[2].partition("#")
    node = _senses("wordnet", term)[int(sense) - 1]
    return _above("wordnet", node) | {node}


def _days(label: str) -> list[int]:
    """Days in the period that a label names."""
    if label == "date":
        return [365000]
    if re.fullmatch(r"\d+(?:st|nd|rd|th) century", label):
        return [36500]
    if re.fullmatch(r"[A-Z][a-z]+", label):
        return [3000]
    if re.fullmatch(r"[A-Z][a-z]+ \d{4}", label):
        return [30]
    if re.fullmatch(r"\d{4}", label):
        return [365]
    return [3650] if re.fullmatch(r"\d{3}0s", label) else []


def _own_volumes(taxonomy: Taxonomy, term: str, labels: set[str]) -> list[int]:
    """The same count in a hierarchy of the user."""
    below: dict[int, list[int]] = {}
    for node in range(len(taxonomy)):
        for parent in taxonomy.parents(node):
            below.setdefault(parent, []).append(node)
    counts = []
    for sense in taxonomy.senses(term) or taxonomy.senses(_one(term)):
        queue = list(taxonomy.parents(sense))
        for now in queue:
            queue += [p for p in taxonomy.parents(now) if p not in queue]
            if taxonomy.names[now].lower() in labels:
                reach, todo = set(), [now]
                while todo:
                    here = todo.pop()
                    if here not in reach:
                        reach.add(here)
                        todo += below.get(here, [])
                counts.append(sum(node not in below for node in reach))
    return counts


@cache
def _one(phrase: str) -> str:
    """A phrase in the singular, by what WordNet knows; "states of matter" by its first noun."""
    known = terms("wordnet")
    head, of, rest = phrase.partition(" of ")
    if of and phrase not in known:
        return f"{_one(head)} of {rest}" if head not in ("kinds",) else _one(rest)
    if phrase in known and not phrase.endswith("s"):
        return _irregular().get(phrase, phrase)
    first, blank, last = phrase.rpartition(" ")
    tries = [
        last[: -len(e)] + n
        for e, n in (("ies", "y"), ("s", ""), ("es", ""))
        if last.endswith(e) and len(last) > 3
    ]
    tries = [_irregular().get(last, ""), *tries] if last in _irregular() else tries
    for form in tries:
        if first + blank + form in known or (blank and form in known):
            return first + blank + form
    return phrase


@cache
def _irregular() -> dict[str, str]:
    text = files("heteronym.knowledge").joinpath("data", "irregular_plurals.txt").read_text(encoding="utf-8")
    pairs = [p.split("_") for line in text.splitlines() if not line.startswith("#") for p in line.split()]
    return {many: one for one, many in pairs if one != many}
