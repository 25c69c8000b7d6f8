"""The noun phrases of a text: runs of adjectives, nouns and numbers that end in a noun or number.

A run goes as far as it can, possessors included ("Germany's capital"), so that every shorter phrase another
chunker may see lies inside of one. A mention that a recognizer found counts as a phrase with its type.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from heteronym.knowledge.bases import base
from heteronym.knowledge.frequencies import is_acronym, singulars
from heteronym.knowledge.inflect import Use, is_sentence_start
from heteronym.knowledge.wordlists import words
from heteronym.model.mention import Span
from heteronym.text.parse import parse_all

_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_INSIDE = _NOUNS | {"JJ", "JJR", "JJS", "CD", "POS", "ADD", "HYPH", "AFX", "FW"}
_BEFORE_ADJECTIVES = frozenset({"RB", "RBR", "RBS"})
_FIRM = _NOUNS | {"CD", "ADD", "FW"}
_LOOSE = frozenset({"DT", "PDT", "PRP", "PRP$", "VB", "VBD", "VBP", "VBZ", "MD"})
_DESCRIBED = frozenset({"JOB", "HEALTH", "KIN"})  # by common nouns, whatever stands before them
_PRONOUNS = frozenset({"WP", "PRP", "WDT"})
_DETERMINED = frozenset({"DT", "PDT", "PRP$", "WDT", "WP$", "CD", "POS"})
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


def phrases_of(texts: Sequence[str], mentions: Sequence[Sequence[Span]]) -> list[list[Phrase]]:
    """The phrases of each text in reading order; none overlap."""
    found = []
    for text, pieces, spans in zip(texts, parse_all(texts, tags_only=True), mentions, strict=True):
        hidden = [match.span() for match in PLACEHOLDER.finditer(text)]
        runs = [run for offset, doc in pieces for run in _runs(doc, offset, hidden)]
        loose = {token.idx + offset for offset, doc in pieces for token in doc if token.tag_ in _LOOSE}
        found.append(_with_mentions(text, runs, [_of_words(text, m, loose) for m in spans], hidden))
    return found


def _runs(doc: Any, offset: int, hidden: Sequence[tuple[int, int]]) -> Iterable[Phrase]:
    """Maximal runs of the tags that stand in noun phrases."""
    run: list[Any] = []
    tokens = list(doc)
    for i, token in enumerate(tokens):
        inside = _is_inside(tokens, i) and not _touches(
            hidden, token.idx + offset, token.idx + len(token) + offset
        )
        if inside:
            run.append(token)
        if run and (not inside or i + 1 == len(tokens)):
            phrase = _phrase(run, offset)
            if phrase is not None:
                yield phrase
            run = []


def _is_inside(tokens: Sequence[Any], i: int) -> bool:
    tag = tag_of(tokens[i])
    if tag in _INSIDE:
        return True
    if i + 1 == len(tokens):
        return False
    following = tag_of(tokens[i + 1])
    if tag in _BEFORE_ADJECTIVES and "." not in tokens[i].text:  # "e.g." goes with nothing
        return following in ("JJ", "JJR", "JJS")
    return tag in ("VBN", "VBG") and following in _NOUNS  # "required fees"


def _phrase(run: list[Any], offset: int) -> Phrase | None:
    while run and (tag_of(run[0]) in ("POS", "HYPH") or not _has_letter(run[0])):
        run = run[1:]
    while run and (tag_of(run[-1]) not in _FIRM or not _has_letter(run[-1])):
        run = run[:-1]
    if not run or (all(tag_of(token) == "CD" for token in run) and not any(len(token) > 1 for token in run)):
        return None
    head = run[-1]
    before = head.doc[run[0].i - 1].tag_ if run[0].i else ""
    many = tag_of(head) in ("NNS", "NNPS") and not head.text.isupper()  # "AIDS" is no plural
    use = Use(many, False, before in _DETERMINED, tag_of(head) in ("NNP", "NNPS"))
    spans = tuple((token.idx + offset, token.idx + len(token) + offset) for token in run)
    if _ENDS_SENTENCE.fullmatch(head.text) and _is_last(head):  # "hepatitis C." ends with its sentence
        spans = (*spans[:-1], (spans[-1][0], spans[-1][1] - 1))
    numbers = all(tag_of(token) == "CD" for token in run)
    kind = _kind_of_number(head.text) if numbers else None
    tags = tuple(tag_of(token) for token in run)
    return Phrase(spans[0][0], spans[-1][1], spans, kind, use, tag_of(head) in ("NN", "NNS"), tags)


_ENDS_SENTENCE = re.compile(r"[A-Z]\.|[^.]*[^\W\d_]{3,}\.")


def _is_last(token: Any) -> bool:
    following = token.doc[token.i + 1].text if token.i + 1 < len(token.doc) else ""
    return not following.strip() or following[:1].isupper() or "\n" in following


def tag_of(token: Any) -> str:
    """The tag of a token; "WHO" and "IT" in capitals are names, whatever a tagger of words says."""
    tag: str = token.tag_
    if tag in _PRONOUNS and token.text.isupper() and is_acronym(token.text):
        return "NNP" if any(map(str.islower, token.doc.text)) else tag
    return tag


def _has_letter(token: Any) -> bool:
    return any(map(str.isalnum, token.text))


def _kind_of_number(text: str) -> str:
    return "DATE" if re.fullmatch(r"(?:1[5-9]|20)\d\d", text) else "CARDINAL"


def _with_mentions(
    text: str, runs: list[Phrase], mentions: Sequence[Span], hidden: Sequence[tuple[int, int]]
) -> list[Phrase]:
    """Runs with the types of mentions; a run grows by a mention that holds its head."""
    result: list[Phrase] = []
    waiting = [m for m in mentions if not _touches(hidden, m.start, m.end)]
    # "he is Turkish" has no noun, and no noun could stand there
    waiting = [
        m for m in waiting if m.type != "NORP" or any(r.start < m.end and m.start < r.end for r in runs)
    ]
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
    while mention.type in _DESCRIBED and start in loose:
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
