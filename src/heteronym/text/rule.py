"""Rules: a name, a pattern, the type it finds, how sure it is. What the rule recognizers share.

The name says in plain words what the pattern recognizes; the owner's trace shows it for each mention, so
it stays when the pattern is improved. A rule marks the named group `m` of its pattern if there is one,
else the whole match. A pattern is compiled when a text first gives it something to do: compiling all of
them takes longer than reading a letter. The package's own rules are rows of a language pack (text.lexicon).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from heteronym.model.mention import Span
from heteronym.text.index import Index, index_of
from heteronym.text.stretches import joined
from heteronym.text.triggers import CAPITAL_LETTERS, FAR, NARROW, Trigger, trigger_of

Check = Callable[[re.Match[str]], bool]


class Rule(NamedTuple):
    """Finds spans of one type; `check` may refuse a match that the pattern cannot tell apart."""

    name: str
    expression: str
    type: str
    score: float
    check: Check | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        return compiled(self.expression)


# Python's own cache holds 512 patterns; language packs have more.
compiled = cache(re.compile)


def find(texts: Sequence[str], rules: tuple[Rule, ...], *, source: str) -> list[list[Span]]:
    """The spans of all rules, text by text."""
    result: list[list[Span]] = []
    triggered = _by_trigger(rules)
    for text in texts:
        spans: list[Span] = []
        for number, matches in triggered.tried(text):
            name, expression, kind, score, check = rules[number]
            group = "m" if "(?P<m>" in expression else 0
            for match in matches:
                if check is not None and not check(match):
                    continue
                start, end = match.span(group)
                if start < end:
                    spans.append(Span(start, end, kind, score, source, name))
        result.append(spans)
    return result


class _ByTrigger:
    """Rules by what must stand in a text for them to match."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self._rules = rules
        self._triggers = [trigger_of(one.expression) for one in rules]
        self._words: dict[str, list[int]] = {}
        self._kinds: dict[str, list[int]] = {}
        self._strings: dict[str, list[int]] = {}
        for number, trigger in enumerate(self._triggers):
            if trigger is not None:
                for word in trigger.words:
                    self._words.setdefault(word, []).append(number)
                for kind in trigger.kinds:
                    self._kinds.setdefault(kind, []).append(number)
                for string in trigger.strings:
                    self._strings.setdefault(string, []).append(number)

    def tried(self, text: str) -> Iterator[tuple[int, Iterable[re.Match[str]]]]:
        """The rules that may match, in order, each with its matches."""
        places = self._places(index_of(text))
        for number, (one, trigger) in enumerate(zip(self._rules, self._triggers)):
            if trigger is None:
                yield number, one.pattern.finditer(text)
            elif number in places:
                yield number, _matches(one.pattern, text, trigger, places[number])

    def _places(self, index: Index) -> dict[int, list[int]]:
        shared = self._words.keys() & index.words.keys()
        found = [(self._words[word], index.words[word]) for word in shared]
        found += [(of, index.strings(one)) for one, of in self._strings.items() if one in index.folded]
        found += [(of, index.kind(one)) for one, of in self._kinds.items()]
        places: dict[int, list[int]] = {}
        for numbers, more in found:
            for number in numbers if more else ():
                places[number] = places[number] + more if number in places else more
        return places


_by_trigger = cache(_ByTrigger)


def _matches(
    pattern: re.Pattern[str], text: str, trigger: Trigger, places: list[int]
) -> Iterator[re.Match[str]]:
    """What `pattern.finditer` gives, tried only where a match can begin."""
    low, high = trigger.low, trigger.high
    if high - low <= NARROW:
        end = 0
        starts = places if low == high == 0 else [p - d for p in places for d in range(low, high + 1)]
        for start in sorted(set(starts)):
            if start >= end and (match := pattern.match(text, start)) is not None:
                end = match.end()
                yield match
        return
    # Where matches may begin, and as far as they depend on what follows; neighbours are one window.
    around = ((max(0, place - min(high, FAR)), place - low + trigger.length) for place in places)
    done = 0
    for start, end in joined(around, touching=True):
        for match in pattern.finditer(text, max(start, done), _word_end(text, end + 1)):
            if match.start() > end - trigger.length:
                break  # too near to the end to be read to its own
            done = match.end()
            yield match


def _word_end(text: str, place: int) -> int:
    space = _SPACE.search(text, place, place + FAR)
    return place + FAR if space is None else space.start()


_SPACE = re.compile(r"\s|$")


def any_of(words: Iterable[str]) -> str:
    """An alternation that prefers the longest word; blanks match any run of blanks.

    Words are grouped by their first letter, so that a place where none begins costs few comparisons.
    """
    groups: dict[str, list[str]] = {}
    for word in sorted(set(words), key=lambda word: (-len(word), word)):
        groups.setdefault(word[0], []).append(re.escape(word[1:]).replace(r"\ ", r"\s+"))
    return "(?:" + "|".join(f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in groups.items()) + ")"


# Capital and small letters of Latin script with their accents, so that `Çalış` and `Łódź` are words.
UPPER = CAPITAL_LETTERS
LOWER = "a-zß-öø-ÿāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįıĳĵķĺļľŀłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷźżžșțſ"
# `++` gives no letter back: half of a word is no name, and trying would take longer than all the rest.
NAME_WORD = rf"[{UPPER}](?:[{LOWER}]++|['’][{UPPER}][{LOWER}]++)(?:[-‑'’]?[{UPPER}][{LOWER}]++){{0,7}}"
