"""The noun phrases of a text: runs of adjectives, nouns and numbers that end in a noun or number.

A run goes as far as it can, possessors included ("Germany's capital"), so that every shorter phrase another
chunker may see lies inside of one. A mention that a recognizer found counts as a phrase with its type.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from heteronym.documents._readings import ADJECTIVES, NOUNS, Token, listed, tagged
from heteronym.knowledge.bases import base, chain_of
from heteronym.knowledge.frequencies import singulars
from heteronym.knowledge.inflect import Use, is_sentence_start
from heteronym.knowledge.word_classes import is_plural
from heteronym.knowledge.wordlists import words
from heteronym.model.mention import Span
from heteronym.text.parse import parse_all

_INSIDE = NOUNS | {"JJ", "JJR", "JJS", "CD", "POS", "ADD", "HYPH", "AFX", "FW"}
_BEFORE_ADJECTIVES = frozenset({"RB", "RBR", "RBS"})
_FIRM = NOUNS | {"CD", "ADD", "FW"}
_LOOSE = frozenset({"DT", "PDT", "PRP", "PRP$", "VB", "VBD", "VBP", "VBZ", "MD"})
# Types of things that are described by nouns of the dictionary, whatever stands around them.
DESCRIBED = frozenset(
    "JOB HEALTH DISEASE DIAGNOSIS KIN FAMILY RELIGION MARITAL EDUCATION MONEY QUANTITY PERCENT CARDINAL "
    "ORDINAL AGE".split()
)
_TIMES = frozenset({"DATE", "TIME"})
_DETERMINED = frozenset({"DT", "PDT", "PRP$", "WDT", "WP$", "CD", "POS"})
_DETERMINING = words("determiners") | {"a", "an", "the"}
PLACEHOLDER = re.compile(r"\[[A-Z][A-Z_ ]*(?: \d+)?\]")


class Phrase(NamedTuple):
    """A noun phrase, or a mention, in a text. Holds personal data."""

    start: int
    end: int
    words: tuple[tuple[int, int], ...]  # of its tokens
    type: str | None
    use: Use
    is_common: bool  # its head is a common noun: what modifies it may be left out
    tags: tuple[str, ...] = ()  # of its words; none for a mention that is no run
    before_name: int = 0  # how many of its words stand before a name: "her colleague Ann"
    is_adjective: bool = False  # "she is arthritic": what is said of somebody, without a noun


def phrases_of(texts: Sequence[str], mentions: Sequence[Sequence[Span]]) -> list[list[Phrase]]:
    """The phrases of each text in reading order; none overlap."""
    found = []
    for text, pieces, spans in zip(texts, parse_all(texts, tags_only=True), mentions, strict=True):
        hidden = [match.span() for match in PLACEHOLDER.finditer(text)]
        read = [tagged(doc, offset) for offset, doc in pieces]
        runs = [run for tokens in read for run in _runs(tokens, hidden)]
        loose = {token.start for tokens in read for token in tokens if token.tag in _LOOSE}
        found.append(_with_mentions(text, runs, [_of_words(text, m, loose) for m in spans], hidden))
    return found


def listed_phrases_of(text: str) -> list[Phrase]:
    """The phrases of a text by word lists alone: what an audit without a tagger would see."""
    hidden = [match.span() for match in PLACEHOLDER.finditer(text)]
    return list(_runs(listed(text), hidden))


def _runs(tokens: Sequence[Token], hidden: Sequence[tuple[int, int]]) -> Iterable[Phrase]:
    """Maximal runs of the tags that stand in noun phrases."""
    run: list[int] = []
    for i, token in enumerate(tokens):
        inside = _is_inside(tokens, i) and not _touches(hidden, token.start, token.end)
        if run and inside and token.low in ("last", "next"):  # "refused the vaccine last spring"
            phrase = _phrase(tokens, run)
            if phrase is not None:
                yield phrase
            run = []
        if inside:
            run.append(i)
        if run and (not inside or i + 1 == len(tokens)):
            phrase = _phrase(tokens, run)
            if phrase is not None:
                yield phrase
            run = []


def _is_inside(tokens: Sequence[Token], i: int) -> bool:
    tag = tokens[i].tag
    if tag in _INSIDE:
        return True
    if i + 1 == len(tokens):
        return False
    following = tokens[i + 1].tag
    if tag in _BEFORE_ADJECTIVES and "." not in tokens[i].text:  # "e.g." goes with nothing
        return following in ADJECTIVES
    if tag not in ("VBN", "VBG") or following not in NOUNS:
        return False
    before = (
        tokens[i - 1] if i else None
    )  # "required fees", but "was given penicillin", "the court awarded damages"
    return (
        before is None or before.low in words("determiners") or before.tag in ADJECTIVES | {"IN", "CD", "DT"}
    )


def _phrase(tokens: Sequence[Token], places: list[int]) -> Phrase | None:
    run = [tokens[i] for i in places]
    while run and (run[0].tag in ("POS", "HYPH") or not _has_letter(run[0])):
        run, places = run[1:], places[1:]
    while run and (run[-1].tag not in _FIRM or not _has_letter(run[-1])):
        run, places = run[:-1], places[:-1]
    if not run or (all(token.tag == "CD" for token in run) and not any(len(t.text) > 1 for t in run)):
        return None
    head = run[-1]
    before = tokens[places[0] - 1] if places[0] else None
    many = head.tag in NOUNS and is_plural(head.low) and not head.text.isupper()  # "AIDS" is no plural
    determined = before is not None and (before.tag in _DETERMINED or before.low in _DETERMINING)
    use = Use(many, False, determined, head.tag in ("NNP", "NNPS"))
    spans = tuple((token.start, token.end) for token in run)
    if _ENDS_SENTENCE.fullmatch(head.text) and _is_last(tokens, places[-1]):  # "hepatitis C."
        spans = (*spans[:-1], (spans[-1][0], spans[-1][1] - 1))
    numbers = all(token.tag == "CD" for token in run)
    kind = _kind_of_number(head.text) if numbers else None
    tags = tuple(token.tag for token in run)
    return Phrase(spans[0][0], spans[-1][1], spans, kind, use, head.tag in ("NN", "NNS"), tags)


_ENDS_SENTENCE = re.compile(r"[A-Z]\.|[^.]*[^\W\d_]{3,}\.")


def _is_last(tokens: Sequence[Token], i: int) -> bool:
    following = tokens[i + 1].text if i + 1 < len(tokens) else ""
    return not following.strip() or following[:1].isupper() or "\n" in following


def _has_letter(token: Token) -> bool:
    return any(map(str.isalnum, token.text))


def _kind_of_number(text: str) -> str:
    return "DATE" if re.fullmatch(r"(?:1[5-9]|20)\d\d", text) else "CARDINAL"


def _with_mentions(
    text: str, runs: list[Phrase], mentions: Sequence[Span], hidden: Sequence[tuple[int, int]]
) -> list[Phrase]:
    """Runs with the types of mentions; a run grows by a name that holds its head."""
    seen = [part for m in mentions if not _touches(hidden, m.start, m.end) for part in _places_of(text, m)]
    # "he is Turkish" has no noun, and no noun could stand there
    seen = [m for m in seen if m.type != "NORP" or any(r.start < m.end and m.start < r.end for r in runs)]
    names = [m for m in seen if _is_name(text, m)]
    others = [m for m in seen if not _is_name(text, m)]
    runs = [_typed(text, run, others) for run in runs]
    return _with_names(text, runs, names)


def _places_of(text: str, mention: Span) -> list[Span]:
    """ "San Francisco, California" are two places, of which one may be revealed."""
    if mention.type not in ("GPE", "LOC", "FAC"):
        return [mention]
    parts = re.finditer(r"[^,\s][^,]*", text[mention.start : mention.end])
    return [
        mention._replace(
            start=mention.start + part.start(), end=mention.start + part.start() + len(part[0].rstrip())
        )
        for part in parts
    ]


def _is_name(text: str, mention: Span) -> bool:
    """Whether a mention is one thing by its name, or a date with its parts, and no common noun."""
    if mention.type in DESCRIBED:
        return False
    surface = text[mention.start : mention.end]
    if mention.type in _TIMES:
        return bool(chain_of(surface, "DATE"))
    return any(map(str.isupper, surface)) or any(map(str.isdigit, surface))


def _typed(text: str, run: Phrase, mentions: Sequence[Span]) -> Phrase:
    """A run with the type of the mention that its head stands in."""
    head = run.words[-1][0]
    found = next((m for m in mentions if m.start <= head < m.end), None)
    return run if found is None or run.type is not None else run._replace(type=found.type)


def _with_names(text: str, runs: list[Phrase], waiting: list[Span]) -> list[Phrase]:
    result: list[Phrase] = []
    waiting = list(waiting)
    for run in runs:
        while waiting and waiting[0].end <= run.start:
            _add(result, _of_mention(text, waiting.pop(0)))
        grown = run
        while waiting and waiting[0].start < grown.end:
            mention = waiting.pop(0)
            if _are_several(text, mention):
                grown = grown._replace(use=grown.use._replace(plural=True, proper=False), is_common=True)
                continue
            if mention.end >= grown.end:
                last = _of_mention(text, mention)
                start = min(grown.start, mention.start)
                spans = (*(s for s in grown.words if s[1] <= mention.start), *last.words)
                use = grown.use
                if mention.type == "NORP" and text[mention.end - 1] == "s":
                    use = use._replace(plural=True)
                ahead = len(spans) - len(last.words)
                tags = (*grown.tags[:ahead], *(["NNP"] * len(last.words)))
                if mention.end == grown.end and mention.start > grown.start:
                    tags = grown.tags if len(grown.tags) == len(spans) else tags
                grown = Phrase(start, mention.end, spans, mention.type, use, grown.is_common, tags, ahead)
        _add(result, grown)
    for mention in waiting:
        _add(result, _of_mention(text, mention))
    return result


def _are_several(text: str, mention: Span) -> bool:
    """Whether a name at the beginning of a sentence is none: "Kangaroos are", not "Brooks is"."""
    word = text[mention.start : mention.end]
    if mention.type != "PERSON" or not word.isalpha() or not word.endswith("s") or not word[1:].islower():
        return False
    low = word.lower()
    if (
        word in words("surnames")
        or word in words("first_names")
        or not is_sentence_start(text, mention.start)
    ):
        return False
    wordnet = base("wordnet")
    return low not in wordnet and any(
        wordnet.form(nodes[0]).islower() for one in singulars(low) if (nodes := wordnet.senses(one))
    )


def _of_words(text: str, mention: Span, loose: Collection[int]) -> Span:
    """ "This violinist" and "broke his femur" without what stands before the noun."""
    start = mention.start
    while mention.type in DESCRIBED and start in loose:
        behind = re.compile(r"\S+\s+").match(text, start, mention.end)
        if behind is None:
            break
        start = behind.end()
    return mention._replace(start=start)


def _add(result: list[Phrase], phrase: Phrase) -> None:
    """A phrase that reaches into the one before joins it."""
    if result and phrase.start < result[-1].end:
        last = result[-1]
        if phrase.end > last.end:
            spans = (*last.words, *(s for s in phrase.words if s[0] >= last.end))
            result[-1] = last._replace(end=phrase.end, words=spans)
        return
    result.append(phrase)


def _of_mention(text: str, mention: Span) -> Phrase:
    spans = tuple(
        (match.start() + mention.start, match.end() + mention.start)
        for match in re.finditer(r"\S+", text[mention.start : mention.end])
    )
    return Phrase(
        mention.start,
        mention.end,
        spans or ((mention.start, mention.end),),
        mention.type,
        Use(proper=True),
        False,
    )


def _touches(spans: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    return any(start < b and a < end for a, b in spans)
