"""What hashtags and handles tell of who writes them: jobs, places, illnesses, peoples, family, names, bodies.

    #DairyFarmer #bakerslife #WacoTX #ACLrecovery #teamKofi #FAMU28 @mary_lopez84

A tag is read as its words joined: without the words that stand around such things ("proud", "life"), it is
one of a list or ends in an occupation or a relative. Capitals in it part its words where there are any.

Cost        a look at each tag; the lists are joined once
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

from heteronym.knowledge.places import plain_places, states
from heteronym.knowledge.wordlists import first_names, peoples, words
from heteronym.model.mention import Span
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.rows import reader

_LEXICON = lexicon("hashtags")
_BEFORE, _AFTER, _NAMED = (_LEXICON.words(name) for name in ("BEFORE", "AFTER", "NAMED"))
_ILL, _NO_ILLNESS, _NOBODYS = (_LEXICON.words(name) for name in ("ILL", "NO_ILLNESS", "NOBODYS"))
_CRAFTS, _CRAFTED, _KIN = (_LEXICON.words(name) for name in ("CRAFTS", "CRAFTED", "KIN"))
_TAG = re.compile(r"(?<![\w&#/.'\"(=])#(?P<tag>[^\W\d_]\w{2,48})")
_HANDLE = re.compile(r"(?<![\w&#/.'\"(=@:-])@(?P<tag>[^\W\d_][\w.-]{2,48}\w)")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_BODY = re.compile(r"[A-Z]{3,6}(?:'?\d{2,4})?")
_LONGEST = 20  # letters of what is cut off
_SHORTEST_JOB, _SHORTEST_REST = 5, 3


def _joined(phrases: Iterable[str]) -> Iterator[str]:
    for phrase in phrases:
        yield re.sub(r"[^\w]", "", phrase.lower())


@cache
def _known() -> dict[str, str]:
    """Joined words of the lists, and what they tell; the first list that has one decides."""
    found: dict[str, str] = {}
    common = words("common_words")
    people = (name for name in peoples() if name.lower() not in common)
    for kind, phrases in (
        ("JOB", words("occupations") | lexicon("jobs").words("COLLOQUIAL")),
        ("HEALTH", words("conditions")),
        ("RELIGION", words("creeds")),
        ("NORP", people),
        ("GPE", plain_places()),
    ):
        for word in _joined(phrases):
            found.setdefault(word, kind)
            if kind == "JOB":
                found.setdefault(word + "s", kind)
    return found


@reader("hashtags")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """What hashtags and handles tell of who writes them."""
    yield from spans
    for sign, form in (("#", _TAG), ("@", _HANDLE)):
        for tag in form.finditer(text) if sign in text else ():
            kind = _told(tag["tag"])
            if kind is not None:
                yield Span(*tag.span("tag"), kind, 0.85, "hashtags", f"tag {kind.lower()}")


def _told(tag: str) -> str | None:
    key = re.sub(r"[\d_]", "", tag.lower())
    if key in _NOBODYS:
        return None
    parts = [part.lower() for part in _WORD.findall(tag)]
    cases = len(parts) > 1
    return (
        ("PERSON" if _is_full_name(parts) else None)
        or _listed(key, tag)
        or _by_ending(key, parts if cases else None)
        or (_named(key, tag) if cases or tag.islower() else None)
        or ("ORG" if _BODY.fullmatch(tag) else None)
    )


def _listed(key: str, tag: str) -> str | None:
    """The tag without the words around it, if it is one of a list."""
    known, common = _known(), words("common_words")
    for rest in _bare(key):
        kind = known.get(rest)
        if kind in ("JOB", "HEALTH", "RELIGION", "NORP") and len(rest) > 3:
            return kind
        if kind == "GPE" and (len(rest) > 3 or tag[0].isupper()) and (rest not in common or rest in _great()):
            return kind
        if len(rest) > 5 and any(known.get(rest[: -len(s)]) == "GPE" for s in _states() if rest.endswith(s)):
            return "GPE"
        for cut in range(4, len(rest) - 3):
            if rest[:cut] in _peoples() and rest[cut:] in _peoples():
                return "NORP"
            if known.get(rest[:cut]) == known.get(rest[cut:]) == "GPE":
                return "GPE"
    return None


@cache
def _great() -> frozenset[str]:
    """Large cities, which mean the place even as everyday words."""
    return frozenset(_joined(words("great_cities")))


@cache
def _peoples() -> frozenset[str]:
    return frozenset(_joined(peoples()))


def _bare(key: str) -> Iterator[str]:
    """The tag, and what is left of it without words that stand around."""
    yield key
    heads = [key[n:] for n in range(1, min(_LONGEST, len(key) - 2)) if key[:n] in _BEFORE]
    for whole in (key, *heads):
        yield whole
        for n in range(_SHORTEST_REST, len(whole)):
            if whole[n:] in _AFTER:
                yield whole[:n]
                yield whole[: n - 1] if whole[n - 1] == "s" else whole[:n]


@cache
def _states() -> frozenset[str]:
    return frozenset(code.lower() for code in states()) | {"uk", "usa", "nyc"}


def _by_ending(key: str, parts: list[str] | None) -> str | None:
    """An occupation, a relative or an illness at the end, behind words that are some."""
    known = _known()
    for n in range(_SHORTEST_REST, len(key)):
        head, tail = key[:n], key[n:]
        if parts is not None and tail != "".join(parts)[n:]:
            continue
        if tail in _CRAFTED and (head in _CRAFTS or head.removesuffix("s") in _CRAFTS):
            return "JOB"
        if tail in _ILL and head not in _NO_ILLNESS and len(head) < 16:
            return "HEALTH" if known.get(head) in (None, "HEALTH") else known[head]
        job = len(tail) >= _SHORTEST_JOB and known.get(tail) == "JOB"
        if (job or tail in _KIN) and (
            _at_a_border(parts, tail) if parts else len(head) < 4 or head in known or _is_words(head)
        ):
            return "JOB" if job else "FAMILY"
    return None


def _at_a_border(parts: list[str], tail: str) -> bool:
    return any("".join(parts[n:]) == tail for n in range(1, len(parts)))


def _is_words(run: str) -> bool:
    """Whether letters are everyday words one behind the other."""
    common, reach = words("common_words"), [True] + [False] * len(run)
    for end in range(1, len(run) + 1):
        reach[end] = any(
            reach[start]
            and (run[start:end] in common or run[start:end] in _CRAFTS or run[start:end] in "aisx")
            for start in range(max(0, end - 12), end)
        )
    return reach[-1]


def _named(key: str, tag: str) -> str | None:
    """Somebody who is thanked or wished well, or a first name and a surname."""
    names, common = _names(), words("common_words")
    for n in range(2, len(key) - 2):
        if key[:n] in _NAMED and key[n:] in names and key[n:] not in common:
            return "PERSON"
    parts = _WORD.findall(tag)
    if len(parts) == 2 and parts[0] in first_names() and parts[1] in words("surnames"):
        return "PERSON"
    return None


def _is_full_name(parts: list[str]) -> bool:
    """A first name and a surname side by side, whatever stands around: #TeamJohnSmith speaks of no smith."""
    common = words("common_words")
    return any(
        first not in common and first.capitalize() in first_names() and last.capitalize() in words("surnames")
        for first, last in pairwise(parts)
    )


@cache
def _names() -> frozenset[str]:
    return frozenset(name.lower() for name in first_names())
