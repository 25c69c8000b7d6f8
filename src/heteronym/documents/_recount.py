"""Reads written texts again for the audits, by code that shares nothing with the methods.

Phrases are found by word lists (which words can be nouns, and how usual that is) without a tagger, word
frequencies come straight from the file, and concepts are counted below a label by walking down. Only the data
files are the same; docs/guarantees/information-content.md says how a text is read.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

_BRACKET = re.compile(r"\[[A-Z][A-Z_ ]*(?: [0-9]+)?\]")
_PIECE = re.compile(r"[^\W_]+(?:[.&][^\W_]+)*|['’]s?(?![^\W_])|\S")
_PLURALS = (("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
            ("men", "man"), ("ies", "y"))  # fmt: skip
_OWNERS = frozenset("my your his her its our their".split())
_NOUN_NEXT = frozenset(
    "the a an this that these those my your his her its our their no any some each every".split()
)
_VERB_NEXT = frozenset(
    "i you he she it we they who to not n't will would can could may might must shall should do does did "
    "don't".split()
)


class _Word(NamedTuple):
    text: str
    start: int
    end: int
    code: str


def phrases_above(text: str, beta: float, tell: Callable[[str], float] | None = None) -> tuple[int, int]:
    """How many noun phrases tell more than beta, and how many there are; a neutral one tells as its word."""
    tell = tell or bits
    found = list(phrases(text))
    return sum(min(map(tell, _readings(phrase))) > beta + 1e-9 for phrase in found), len(found)


def _readings(phrase: str) -> list[str]:
    plain = _neutral().get(phrase.lower())
    return [phrase] if plain is None else [phrase, plain]


def phrases(text: str) -> list[str]:
    """Noun phrases of a text by word lists alone, without placeholders."""
    found: list[str] = []
    run: list[_Word] = []
    for word in [*_words(text), _Word("", len(text), len(text), ".")]:
        breaks = word.code not in "NJDPH" or (run and word.text.lower() in ("last", "next"))
        if breaks and run:
            found += _as_phrase(text, run)
            run = []
        if word.code in "NJDPH":
            run.append(word)
    return found


def _as_phrase(text: str, run: list[_Word]) -> list[str]:
    while run and run[0].code in "PH":
        run = run[1:]
    while run and run[-1].code not in "ND":
        run = run[:-1]
    tells = any(word.code == "N" for word in run) or any(len(word.text) > 1 for word in run)
    return [text[run[0].start : run[-1].end]] if run and tells else []


def nouns(text: str) -> list[tuple[int, str]]:
    """The last common noun of each noun phrase, and where it stands."""
    words = _words(text)
    following = [word.code for word in words[1:]] + ["."]
    return [
        (word.start, word.text)
        for word, code in zip(words, following, strict=False)
        if word.code == "N" and word.text.islower() and code not in "NDP"
    ]


def _words(text: str) -> list[_Word]:
    """Words with what the lists say: N noun, J adjective, D number, P possessive, H hyphen, or neither."""
    masked = [match.span() for match in _BRACKET.finditer(text)]
    mixed = text != text.upper()
    found: list[_Word] = []
    for match in _PIECE.finditer(text):
        inside = any(a < match.end() and match.start() < b for a, b in masked)
        before = found[-1] if found else _Word("", 0, 0, ".")
        code = "." if inside else _code_of(text, match, before, mixed=mixed)
        found.append(_Word(match[0], *match.span(), code))
    return _without_idioms(_without_short_forms(found))


def _code_of(text: str, match: re.Match[str], before: _Word, *, mixed: bool) -> str:
    word, low = match[0], match[0].lower()
    if low in ("'s", "’s", "'", "’"):
        return "P" if before.end == match.start() and before.text else "."
    if not re.search(r"[^\W_]", word):
        joins = word in "-‐" and before.end == match.start() and re.match(r"[^\W_]", text[match.end() :])
        return "H" if joins and before.text else "."
    if re.search(r"\d", word) or low in _list("number_words"):
        return "D"
    if mixed and len(word) > 1 and word.isupper():
        return "N"
    if low in _list("function_words"):
        return "."
    if mixed and word[0].isupper() and not _begins_sentence(text, match.start()):
        return "N"
    return _usual(low, before.text.lower())


def _usual(low: str, before: str) -> str:
    noun, verb, adjective, adverb = _levels(low)
    if not (verb or adjective or adverb):
        formed = len(low) > 5 and low.endswith(("ed", "ing", "ly"))
        return "N" if noun or not formed else "."
    if not noun:
        return "J" if adjective > verb else "."
    if verb and not (verb == 1 and _is_ailment(low)):
        if before in _VERB_NEXT:
            return "."
        return "N" if before in _NOUN_NEXT or noun >= verb + 2 else "."
    if max(adjective, adverb) > noun and not (verb < 2 and _is_ailment(low)):
        return "J" if adjective else "."
    return "N"


@cache
def _is_ailment(low: str) -> bool:
    """Whether a word is first an illness or a drug."""
    known = terms("wordnet").get(low)
    if not known:
        one = [low[: -len(end)] + new for end, new in _PLURALS if low.endswith(end)]
        return any(form in terms("diseases") for form in (low, *one))
    above = {terms("wordnet")[kind][0] for kind in ("illness", "drug")}
    parents, now = children("wordnet").parents, known[0]
    while now not in above and parents[now]:
        now = parents[now][0]
    return now in above


def _begins_sentence(text: str, start: int) -> bool:
    line = re.sub(r"[\s\"'“‘(\[*•\-]+$", "", text[:start])
    return (
        not line
        or line[-1] in ".!?…:)]\"'”’"
        or "\n" in text[len(line) : start]
        or bool(re.search(r"(?:^|\n)\s*\d+[.)]$", line))
    )


def _without_short_forms(found: list[_Word]) -> list[_Word]:
    """ "c/o" and "y/o" are no nouns; what a stroke joins otherwise is one."""
    for i in range(1, len(found) - 1):
        one, stroke, other = found[i - 1 : i + 2]
        if stroke.text == "/" and one.end == stroke.start and stroke.end == other.start:
            if max(len(one.text), len(other.text)) <= 2:
                found[i - 1 : i + 2] = [word._replace(code=".") for word in (one, stroke, other)]
            elif one.code == other.code == "N":
                found[i] = stroke._replace(code="H")
    return found


def _without_idioms(found: list[_Word]) -> list[_Word]:
    low = [word.text.lower() for word in found]
    done = 0
    for i in range(len(found)):
        if i < done:
            continue
        for first in _bases(low[i]):
            for rest in _idioms().get(first, ()):
                behind = low[i + 1 : i + 1 + len(rest)]
                same = (a == b or (a in ("one's", "someone's", "somebody's") and b in _OWNERS)
                        for a, b in zip(rest, behind, strict=False))  # fmt: skip
                if len(behind) == len(rest) and all(same):
                    done = max(done, i + 1 + len(rest))
        for k in range(i, done):
            if found[k].code in "NJ":
                found[k] = found[k]._replace(code=".")
    return found


@cache
def _list(name: str) -> frozenset[str]:
    text = files("heteronym.knowledge").joinpath("data", f"{name}.txt").read_text(encoding="utf-8")
    rows = (line for line in text.splitlines() if not line.startswith("#"))
    return frozenset(word.replace("_", " ") for row in rows for word in row.split())


@cache
def _neutral() -> dict[str, str]:
    """Neutral phrases of several words, and their plurals -> the word that tells as much."""
    text = files("heteronym.knowledge").joinpath("data", "neutral_phrases.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]
    found = {phrase: word for _, phrase, word in rows if " " in phrase}
    for phrase, word in list(found.items()):
        head, of, rest = phrase.partition(" of ")
        found[re.sub(r"([^aeiou])ys$", r"\1ies", head + "s") + of + rest] = word
    return found


@cache
def _classes() -> tuple[
    dict[str, tuple[int, int, int, int]], dict[str, list[str]], dict[str, list[list[str]]]
]:
    """Levels of words as noun, verb, adjective, adverb; bases of irregular forms; idioms by first word."""
    arrays, texts = _raw("word_classes")
    rows = zip(*(arrays[kind].tolist() for kind in ("noun", "verb", "adj", "adv")), strict=True)
    irregular: dict[str, list[str]] = {}
    for pair in texts["irregular"]:
        form, one = pair.split(" ")
        irregular[form] = [one]
    idioms: dict[str, list[list[str]]] = {}
    for idiom in texts["idioms"]:
        first, *rest = idiom.split(" ")
        idioms.setdefault(first, []).append(rest)
    return dict(zip(texts["words"], rows, strict=True)), irregular, idioms


def _idioms() -> dict[str, list[list[str]]]:
    return _classes()[2]


def _bases(low: str) -> list[str]:
    """Forms of which a form of a verb may come."""
    made = [low, *_classes()[1].get(low, [])]
    for end, new in (("ies", "y"), ("ied", "y"), ("es", ""), ("es", "e"), ("s", ""), ("ed", ""), ("ed", "e"),
                     ("ing", ""), ("ing", "e")):  # fmt: skip
        if low.endswith(end) and len(low) > len(end) + 1:
            made.append(low[: -len(end)] + new)
    twice = re.search(r"([b-df-hj-np-tv-z])\1(ed|ing)$", low)
    return [*made, low[: twice.end(1)]] if twice else made


@lru_cache(1 << 16)
def _levels(low: str) -> tuple[int, int, int, int]:
    known = _classes()[0]
    none = (0, 0, 0, 0)
    own = known.get(low, none)
    verb = max(known.get(form, none)[1] for form in _bases(low))
    adjective = own[2]
    if not adjective:
        for end in ("er", "est"):
            if low.endswith(end):
                stem = low[: -len(end)]
                adjective = max(known.get(stem, none)[2], known.get(stem + "e", none)[2])
    singular = [
        low[: -len(end)] + new for end, new in _PLURALS if low.endswith(end) and len(low) > len(end) + 1
    ]
    noun = max([own[0], *(known.get(form, none)[0] for form in singular)])
    if not noun:
        listed = (terms("wordnet"), terms("diseases"), terms("occupations"))
        noun = int(any(form in one for one in listed for form in (low, *singular)))
    if noun or verb or adjective or own[3]:
        return noun, verb, adjective, own[3]
    for british, american in (("ise", "ize"), ("yse", "yze"), ("our", "or"), ("isation", "ization")):
        if british in low:
            return _levels(low.replace(british, american))
    return none


@cache
def _frequencies() -> tuple[list[bytes], bytes]:
    """Words in the order of the file, and its planes of hundredths of powers of ten."""
    raw = zlib.decompress(files("heteronym.knowledge").joinpath("data", "frequencies.base").read_bytes())
    line, _, rest = raw.partition(b"\n")
    (count, width) = json.loads(line)["arrays"]["centibels"]
    return rest[count * width :].split(b"\n"), rest[: count * width]


@cache
def _places_in_list() -> dict[bytes, int]:
    return {word: at for at, word in enumerate(_frequencies()[0])}


def _share(word: str) -> float | None:
    low = word.lower().replace("’", "'")
    digits = sum(c.isdigit() for c in low)
    spread = 1.0
    if digits and len(low) > 1:
        spread = 150.0 if re.fullmatch(r"(1[89]|20)\d\d", low) else 9.0 * 10 ** (digits - 1)
        low = re.sub(r"\d", "0", low)
        tries = [low]
    else:
        tries = [low]
        if low.endswith("'s"):
            tries.append(low[:-2])
        for end, new in _PLURALS:
            if low.endswith(end) and len(low) > len(end) + 1:
                tries.append(low[: len(low) - len(end)] + new)
    planes = _frequencies()[1]
    count = len(_frequencies()[0])
    for form in tries:
        at = _places_in_list().get(form.encode())
        if at is not None:
            level = sum(planes[at + byte * count] << (8 * byte) for byte in range(len(planes) // count))
            return float(10.0 ** (-level / 100.0) / spread)
    return None


@cache
def _stands_for() -> dict[str, list[str]]:
    """Acronym -> the words it stands for, and in which letters it counts."""
    text = files("heteronym.knowledge").joinpath("data", "acronyms.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]
    return {row[0]: row[1:] for row in rows}


def _alone(word: str) -> float:
    """Bits of one word; of an acronym at least those of what it stands for."""
    short = word.replace(".", "")
    for mark in ("'s", "’s"):
        short = short.removesuffix(mark)
    if short[:-1].isupper() and short.endswith("s"):
        short = short[:-1]
    long, where = _stands_for().get(short.lower(), ("", ""))
    bits = -math.log2(_share(word) or 5e-9)
    if not long or (where == "capitals" and not short.isupper()):
        return bits
    return max(bits, _sum([-math.log2(_share(part) or 5e-9) for part in _telling(long)]))


def bits(phrase: str) -> float:
    """Bits that a phrase tells, on the paper's scale."""
    each = [_alone(part) for part in _telling(phrase)]
    return max(0.0, 0.56 * (_sum(each) - 9.05)) if each else 0.0


def _sum(each: list[float]) -> float:
    """The most telling word in full, half of the others."""
    return max(each) / 2 + sum(each) / 2


def _telling(phrase: str) -> list[str]:
    parts: list[str] = []
    for token in re.findall(r"[^\W_]+(?:['’.&-][^\W_]+)*", phrase):
        whole = _share(token) is not None or token.isalnum()
        parts += [token] if whole else re.findall(r"[^\W_]+", token)
    return [part for part in parts if part.lower() not in _list("phrase_stopwords")] or parts


class Tree(NamedTuple):
    names: list[str]
    parents: list[list[int]]
    below: list[list[int]]
    forms: list[str]


@cache
def _raw(name: str) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Arrays and lists of a taxonomy, straight from its file."""
    raw = zlib.decompress(files("heteronym.knowledge").joinpath("data", f"{name}.base").read_bytes())
    line, _, rest = raw.partition(b"\n")
    head = json.loads(line)
    arrays: dict[str, Any] = {}
    for key, (count, width) in head["arrays"].items():
        block = np.frombuffer(rest[: count * width], np.uint8).reshape(width, count).astype(np.int64)
        arrays[key] = (block << (8 * np.arange(width)[:, None])).sum(axis=0)
        rest = rest[count * width :]
    texts: dict[str, list[str]] = {}
    for key, size in head["texts"].items():
        texts[key], rest = rest[:size].decode().split("\n"), rest[size:]
    return arrays, texts


@cache
def terms(name: str) -> dict[str, list[int]]:
    """Which concepts a term means."""
    arrays, texts = _raw(name)
    ends = np.cumsum(arrays["sense_count"])
    starts = ends - arrays["sense_count"]
    senses = arrays["senses"].tolist()
    return {term: senses[a:b] for term, a, b in zip(texts["terms"], starts, ends, strict=True)}


@cache
def children(name: str) -> Tree:
    """Names, parents, children and forms of a taxonomy."""
    arrays, texts = _raw(name)
    names = texts["names"]
    bounds = np.concatenate([[0], np.cumsum(arrays["parent_count"])])
    parents = [arrays["parents"][a:b].tolist() for a, b in pairwise(bounds)]
    below: list[list[int]] = [[] for _ in names]
    for node, above in enumerate(parents):
        for parent in above:
            below[parent].append(node)
    return Tree(names, parents, below, texts["forms"])


@cache
def base_words(name: str, node: int) -> int:
    """Distinct concepts without children at or below a concept, by walking down."""
    below = children(name).below
    seen, queue, count = {node}, [node], 0
    for now in queue:
        count += not below[now]
        for child in below[now]:
            if child not in seen:
                seen.add(child)
                queue.append(child)
    return count
