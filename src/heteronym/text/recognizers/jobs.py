"""Occupations, ranks and offices where they are said of a person: "I am an engineer", "worked as a
teacher", "a lawyer by profession", "Jane, a retired nurse,", "Site Manager" below a name. An occupation
word alone ("ask a lawyer", "the judge decided") tells nothing about anybody.

Cost        one pass over the tokens for words of occupations; the words around are read only there
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from heteronym.knowledge.wordlists import first_names, words
from heteronym.model.mention import Span
from heteronym.text.lexicon import lexicon
from heteronym.text.phrases import Phrases
from heteronym.text.recognizers.rows import reader
from heteronym.text.rule import NAME_WORD

_LEXICON = lexicon("jobs")


class _Frame(NamedTuple):
    """What stands before an occupation and behind it, so that it is said of a person."""

    name: str
    before: str  # a pattern, compiled when an occupation first stands behind it
    score: float
    after: str | None = None
    capital: bool = False  # the occupation is written as a title
    # One of these stands before it: a plain search is far cheaper than the pattern.
    signs: tuple[str, ...] = ()
    alone: bool = False  # one person's: no plural, no word that is an adjective too


# Heads that are jobs only with a word before them ("line lead", "deck hand"), and those that are adjectives
# or say something else where no article stands before them ("he is general", "she is major").
_NEEDS_KIND = _LEXICON.words("NEEDS_KIND")
_ADJECTIVES = _LEXICON.words("ADJECTIVES")
_SPEAKS_FOR = _LEXICON.words("SPEAKS_FOR")
_ACTS = _SPEAKS_FOR | _LEXICON.words("ACTS")
_THINGS = _LEXICON.words("THINGS")
_GREETINGS = _LEXICON.words("GREETINGS")
# Short forms that are written in capitals or not; other words in capitals are headings and labels.
_SHORT = _LEXICON.words("SHORT")


_pattern = cache(re.compile)


def _frame(row: dict[str, Any]) -> _Frame:
    """A row of the pack with its patterns put together."""
    around = {key: _LEXICON.expanded(row[key]) for key in ("before", "after") if key in row}
    return _Frame(**(row | around | {"signs": tuple(row.get("signs", ()))}))


_FRAMES = tuple(_frame(row) for row in _LEXICON.rows("frames"))
_WINDOW = 96
_JOINED = re.compile(r"\s(?:(?:and|/|&)\s(?:an?\s|the\s)?(?:[a-z]+\s)?)?")
_MOST_JOINED = 4
_DETERMINERS = _LEXICON.compiled("DETERMINERS")
_LISTED = _LEXICON.compiled("LISTED")
_GRADE = re.compile(r"\s(?:I{1,3}|IV|VI{0,3})(?![\w.])")
_IN_CHIEF = re.compile(r"-in-chief\b")


@cache
def _heads() -> Phrases[str]:
    heads: Phrases[str] = Phrases()
    for word in sorted(words("occupations") | _LEXICON.words("COLLOQUIAL")):
        heads.add(word.replace("-", " "), word, plural=True)
    return heads


@reader("jobs")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """Occupations said of a person, by word list and sentence frame."""
    yield from spans
    found = _heads().find(text)
    done = article_end = 0  # the end of the last occupation, and of the last one that had an article
    for number, (start, end, head) in enumerate(found):
        if start < done or (not head.islower() and text[start:end] != head):
            continue
        chief = _IN_CHIEF.match(text, end)
        end = chief.end() if chief else end
        # "nurse practitioner", "writer and editor": what is joined to an occupation belongs to it
        for other_start, other_end, _ in found[number + 1 : number + _MOST_JOINED]:
            if not _JOINED.fullmatch(text, end, other_start):
                break
            end = other_end
        listed = (
            _LISTED.fullmatch(text, article_end, start)
            if 0 < start - article_end < _WINDOW and article_end
            else None
        )
        if listed and not text.endswith("s", 0, end):
            done = article_end = end
            yield Span(listed.start("kind"), end, "JOB", 0.65, "jobs", "occupations in a row")
            continue
        before = text[max(0, start - _WINDOW) : start].replace("\n", " ")
        for frame in _FRAMES:
            if frame.signs and not any(sign in before for sign in frame.signs):
                continue
            span = _said(text, start, end, frame)
            if span is not None:
                done = end
                if frame.signs and frame.name not in _BEHIND_NAMES:
                    article_end = end
                if grade := _GRADE.match(text, end) if frame.capital else None:
                    span = span._replace(end=grade.end())
                yield span
                break


def _said(text: str, start: int, end: int, frame: _Frame) -> Span | None:
    if frame.capital and (not text[start].isupper() or (text[start:end].isupper() and text[end - 1] == "S")):
        return None
    if frame.after is not None and not _pattern(frame.after).match(text, end):
        return None
    if frame.alone and not _is_one(text[start:end].lower(), frame.name):
        return None
    match = _pattern(frame.before).search(text, max(0, start - _WINDOW), start)
    if match is None:
        return None
    if frame.name in _BEHIND_NAMES and _represents(text, match.start()):
        return None
    head = text[start:end].lower()
    if match.start("kind") == start and head in _NEEDS_KIND:
        return None
    if frame.name in _NAMED_LIKE and _is_a_full_name(text[match.start("kind") : start].split(), text[start]):
        return None
    if frame.name in _BARE and _is_nobody(text, match.start("kind"), start, end, frame.name):
        return None
    begin = match.start("kind") + _DETERMINERS.match(match.group("kind")).end()  # type: ignore[union-attr]
    return Span(begin, end, "JOB", frame.score, "jobs", frame.name)


# Frames in which no article and no verb says that somebody is meant.
_BARE = frozenset(("occupation by itself", "occupation before a place", "occupation before a name"))
_NAMED_LIKE = _BARE | {"title on a line"}
_BEHIND_NAMES = _LEXICON.words("BEHIND_NAMES")


def _is_one(head: str, frame: str) -> bool:
    """Whether a head is one person's, and says of what calling it is without an article."""
    if head.endswith("s") and not head.endswith("ss"):
        return False
    if frame in ("somebody's helper by name", "occupation before a name"):
        return head not in _SPEAKS_FOR
    return head not in _ADJECTIVES or frame in ("was an occupation", "once an occupation")


_TWO_NAMES = re.compile(rf"\s{NAME_WORD}\s{NAME_WORD}")


def _is_nobody(text: str, kind: int, start: int, end: int, frame: str) -> bool:
    """A word that is a thing, a name or somebody's part in a story where it stands by itself."""
    head, alone = text[start:end], kind == start
    if any(word in words("grammar_words") for word in text[kind:start].lower().split()):
        return True  # "We rang bishop at home": a sentence, no kind of bishop
    if head.isupper() and head.lower() not in _SHORT and (len(head) < 3 or len(head) > 4):
        return True
    if frame == "occupation before a name":
        if head.lower() in _ACTS and alone:
            return True
        if " " in head and head.split()[-1].islower():  # "Lollipop man Ken"
            return False
        if head[0].isupper() and not head.isupper():  # "Farmer John Tindall, 61, told": as newspapers begin
            return not (alone and _TWO_NAMES.match(text, end) and (start < 2 or text[start - 2] in '.\n"“'))
        return False
    if alone and head.lower() in (_THINGS if frame == "occupation before a place" else _THINGS | _ACTS):
        return True
    if head[0].isupper() and text[max(0, kind - 3) : kind].rstrip()[-1:] in (",", ";"):
        return True  # "Rails, Docker, Chef": names of things
    return head[0].isupper() and alone and (head in words("surnames") or head in first_names())


def _is_a_full_name(before: list[str], letter: str) -> bool:
    """Whether an occupation is a surname: a capital behind a greeting or a first name ("Dear John Smith")."""
    if not before or not letter.isupper():
        return False
    names = first_names()
    return before[0].lower().strip(",") in _GREETINGS or any(
        word.strip(",.").capitalize() in names for word in before if word[0].isupper()
    )


def _represents(text: str, start: int) -> bool:
    """The lawyer who speaks for somebody: the name is found, the calling says nothing more."""
    before = text[max(0, start - 80) : start]
    return "represented by" in before or "counsel" in before
