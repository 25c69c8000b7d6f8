"""Reads off a pattern what must stand in a text for it to match: `heteronym.text.triggers`.

`derive` takes the pattern apart with the parser of the standard library, which has no public name (so this
is no part of the package), and chooses the rarest words, strings, numbers, capitals or line starts of which
each match must have one. `docs/make_reference.py` writes what it finds for the package's own rules.

Cost        O(size of the pattern) times the number of strings a part of it stands for (at most _MOST)
Randomness  none
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from itertools import accumulate
from math import prod
from typing import Any, NamedTuple

from heteronym.text.triggers import (
    CAPITAL,
    CAPITAL_LETTERS,
    CAPITALS,
    DIGIT,
    FAR,
    LINE,
    NARROW,
    NUMBER,
    Trigger,
    folded,
    key_of,
)

_parser: Any = import_module("re._parser")
_op: Any = import_module("re._constants")

_MOST = 1500  # strings that a part of a pattern may stand for
_FINITE = 8  # characters that a class may have to be spelt out
_CAPITAL = re.compile(f"[{CAPITAL_LETTERS}]")
_WORD = re.compile(r"[^\W\d_]+")


def cost(trigger: Trigger) -> float:
    """About how often, among a thousand words, the pattern is tried because of it."""
    often = sum(_FREQUENT.get(word, _RARE) for word in trigger.words)
    often += sum(map(_frequency, trigger.strings)) + sum(_KINDS[kind] for kind in trigger.kinds)
    spread = trigger.high - trigger.low
    return often * (spread + 1 if spread <= NARROW else 4 + min(spread, FAR) / 16)


# Rough frequencies per thousand words of English, to choose between triggers.
_RARE = 0.1
_FREQUENT = {
    word: often
    for often, listed in (
        (50.0, "the"),
        (22.0, "of and to a in"),
        (10.0, "i is was that it for s"),
        (6.0, "you on with as he at by be are have this from t his her my had not but or she they we"),
        (3.0, "an all been can do has him if me mr no one our so their them there were what when which who"),
        (2.0, "will would your its about out up said than then more into time two new am also any could"),
        (1.0, "after back before call come day days did down even first get go going good how just know"),
        (1.0, "last like long made make may most much must need never next now off old only other over"),
        (1.0, "own people see should some such take these think this those three through too use very want"),
        (1.0, "way well went where while year years m re d"),
    )
    for word in listed.split()
}
_SIGNS = {".": 60.0, ",": 60.0, "'": 12.0, "’": 12.0, "-": 9.0, "\n": 8.0, '"': 5.0, ":": 5.0, "(": 4.0}
_KINDS = {NUMBER: 15.0, DIGIT: 35.0, CAPITAL: 150.0, CAPITALS: 200.0, LINE: 8.0}


_LETTERS = dict(zip("etaoinshrdlcum", (127, 91, 82, 75, 70, 67, 63, 61, 60, 43, 40, 28, 28, 24)))
_LETTERS |= dict(zip("wfgypbvkjxqz", (24, 22, 20, 20, 19, 15, 10, 8, 2, 2, 1, 1)))


def _frequency(string: str) -> float:
    if not string.isalnum():
        return _SIGNS.get(string, 1.0)
    # As if letters came independently, five to a word; and each string must be searched for in every text.
    return 0.5 + 5000 * prod(_LETTERS.get(letter, 5) / 1000 for letter in string)


def derive(expression: str) -> Trigger | None:
    """The cheapest trigger of a pattern; None if it has none."""
    tree = _parser.parse(expression)
    found = _of_sequence(
        list(tree), _Place(False, False, False, 0, 0, bool(tree.state.flags & re.IGNORECASE))
    )
    return None if found is None else found._replace(length=min(_reach(tree), FAR))


class _Place(NamedTuple):
    """Where a part of a pattern stands: whether no letter and no digit can be beside it, and how far it
    begins behind the start of the match."""

    no_letter_left: bool
    no_letter_right: bool
    no_digit_left: bool
    low: int
    high: int
    ignore_case: bool


def _of_sequence(items: list[Any], place: _Place) -> Trigger | None:
    widths = [_width([item]) for item in items]
    lows = list(accumulate((low for low, _ in widths), initial=place.low))
    highs = list(accumulate((high for _, high in widths), initial=place.high))
    languages = [None if width == (0, 0) else _language([item]) for item, width in zip(items, widths)]
    found: list[Trigger | None] = []
    for start, item in enumerate(items):
        before = items[:start]
        alone = _Place(
            _free(before, _LETTER, place.no_letter_left, left=True),
            _free(items[start + 1 :], _LETTER, place.no_letter_right, left=False),
            _free(before, _DIGIT, place.no_digit_left, left=True),
            *(lows[start], highs[start], place.ignore_case),
        )
        end, strings = _spelt_out(languages, start)
        if end > start:
            closed = _free(items[end:], _LETTER, place.no_letter_right, left=False)
            found += _of_strings(strings, alone._replace(no_letter_right=closed))
        if end == start or item[0] in (_op.SUBPATTERN, _op.BRANCH):  # it may know more of its own sides
            found.append(_of_item(item, alone))
    known = [trigger for trigger in found if trigger is not None]
    return min(known, key=cost, default=None)


def _spelt_out(languages: Sequence[set[str] | None], start: int) -> tuple[int, set[str]]:
    """The longest run of parts from `start` whose strings can be listed, and these strings."""
    strings = {""}
    for end in range(start, len(languages)):
        language = languages[end]
        if language is None or len(strings) * len(language) > _MOST:
            return end, strings
        strings = {left + right for left in strings for right in language}
    return len(languages), strings


def _of_strings(strings: Iterable[str], place: _Place) -> list[Trigger | None]:
    """Triggers of which each string has one: the rarest word of each, or the first of each."""
    rarest: list[tuple[float, int, str, bool]] = []
    first: list[tuple[float, int, str, bool]] = []
    for string in strings:
        choices = list(_choices(string, place))
        if not choices:
            return []
        rarest.append(min(choices))
        first.append(min(choices, key=lambda choice: choice[1]))
    return [_united_choices(rarest, place), _united_choices(first, place)]


def _choices(string: str, place: _Place) -> Iterable[tuple[float, int, str, bool]]:
    """Frequency, offset, spelling and wholeness of what a string has to offer."""
    known = string.find(_BLANKS) + 1 or len(string)  # behind blanks, no offset is known
    for match in _WORD.finditer(string, 0, known):
        start, end = match.span()
        whole = (start or place.no_letter_left) and (end < len(string) or place.no_letter_right)
        word = match.group()
        if whole:
            yield _FREQUENT.get(word, _RARE), start, word, True
        else:
            yield _frequency(word), start, word, False
    for offset, sign in enumerate(string[:known]):
        if not sign.isalpha() and (sign == "\n" or not sign.isspace()):
            yield _frequency(sign), offset, sign, False


def _united_choices(choices: list[tuple[float, int, str, bool]], place: _Place) -> Trigger:
    offsets = [offset for _, offset, _, _ in choices]
    return Trigger(
        frozenset(spelling for _, _, spelling, whole in choices if whole),
        _without_longer(spelling for _, _, spelling, whole in choices if not whole),
        frozenset(),
        place.low + min(offsets),
        place.high + max(offsets),
    )


def _without_longer(strings: Iterable[str]) -> frozenset[str]:
    """Where "days" begins, "day" does."""
    kept: list[str] = []
    for string in sorted(strings):
        if not kept or not string.startswith(kept[-1]):
            kept.append(string)
    return frozenset(kept)


def _of_item(item: Any, place: _Place) -> Trigger | None:
    code, value = item
    if code is _op.SUBPATTERN:
        _, added, removed, inner = value
        ignore = (place.ignore_case or bool(added & re.IGNORECASE)) and not removed & re.IGNORECASE
        return _of_sequence(list(inner), place._replace(ignore_case=ignore))
    if code is _op.ATOMIC_GROUP:
        return _of_sequence(list(value), place)
    if code is _op.BRANCH:
        return _united([_of_sequence(list(branch), place) for branch in value[1]])
    if code in _REPEATS and value[0] > 0:
        once = value[1] == 1
        return _of_sequence(list(value[2]), place._replace(no_letter_right=place.no_letter_right and once))
    if code is _op.IN:
        kind = _kind(value, place)
        return None if kind is None else Trigger(_NONE, _NONE, frozenset([kind]), place.low, place.high)
    if code is _op.ASSERT:
        direction, inner = value
        if direction > 0:
            return _of_sequence(list(inner), place._replace(no_letter_right=False))
        low, high = _width(inner)
        place = place._replace(no_letter_left=False, no_digit_left=False)
        before = place._replace(low=place.low - high, high=place.high - low)
        return _of_sequence(list(inner), before)
    if code is _op.AT and value in (_op.AT_BEGINNING, _op.AT_BEGINNING_STRING):
        return Trigger(_NONE, _NONE, frozenset([LINE]), place.low, place.high)
    return None


_NONE: frozenset[str] = frozenset()
_WITHOUT_WIDTH = (_op.ASSERT, _op.ASSERT_NOT, _op.AT)
_REPEATS = (_op.MAX_REPEAT, _op.MIN_REPEAT, _op.POSSESSIVE_REPEAT)


def _united(triggers: list[Trigger | None]) -> Trigger | None:
    known = [trigger for trigger in triggers if trigger is not None]
    if len(known) < len(triggers):
        return None
    return Trigger(
        frozenset().union(*(trigger.words for trigger in known)),
        _without_longer(string for trigger in known for string in trigger.strings),
        frozenset().union(*(trigger.kinds for trigger in known)),
        min(trigger.low for trigger in known),
        max(trigger.high for trigger in known),
    )


def _kind(members: list[Any], place: _Place) -> str | None:
    """Whether all characters of a class are digits, or capitals."""
    number = NUMBER if place.no_digit_left else DIGIT
    capital = CAPITAL if place.no_letter_left else CAPITALS
    if all(code is _op.CATEGORY and value is _op.CATEGORY_DIGIT for code, value in members):
        return number
    listed: list[str] = []
    for code, value in members:
        if code is _op.LITERAL:
            listed.append(chr(value))
        elif code is _op.RANGE:
            listed += map(chr, range(value[0], value[1] + 1))
        else:
            return None
    if all(map(str.isdigit, listed)):
        return number
    if not place.ignore_case and all(map(_CAPITAL.match, listed)):
        return capital
    return None


# --- sizes


def _width(items: Iterable[Any]) -> tuple[int, int]:
    low = high = 0
    for code, value in items:
        if code in (_op.LITERAL, _op.NOT_LITERAL, _op.ANY, _op.IN):
            one = (1, 1)
        elif code is _op.SUBPATTERN:
            one = _width(value[3])
        elif code is _op.ATOMIC_GROUP:
            one = _width(value)
        elif code is _op.BRANCH:
            widths = [_width(branch) for branch in value[1]]
            one = min(low for low, _ in widths), max(high for _, high in widths)
        elif code in _REPEATS:
            inner = _width(value[2])
            one = inner[0] * value[0], inner[1] * min(int(value[1]), _MANY)
        elif code in _WITHOUT_WIDTH:
            one = (0, 0)
        else:
            one = (0, FAR)
        low, high = low + one[0], high + one[1]
    return low, high


_MANY = 40  # characters that a repetition without end is followed


def _reach(items: Iterable[Any]) -> int:
    """The longest match together with all it looks ahead at."""
    total = 0
    for code, value in items:
        if code is _op.SUBPATTERN:
            total += _reach(value[3])
        elif code is _op.ATOMIC_GROUP:
            total += _reach(value)
        elif code is _op.BRANCH:
            total += max(_reach(branch) for branch in value[1])
        elif code in _REPEATS:
            total += _reach(value[2]) * min(int(value[1]), _MANY)
        elif code in (_op.ASSERT, _op.ASSERT_NOT):
            total += _reach(value[1]) if value[0] > 0 else 0
        elif code is _op.AT:
            total += 1  # the character that decides about a boundary
        else:
            total += _width([(code, value)])[1]
    return total


# --- what a part of a pattern stands for


def _language(items: Iterable[Any]) -> set[str] | None:
    """The strings that a part matches, in small letters, with one blank for any; None: too many."""
    strings = {""}
    for code, value in items:
        if code is _op.LITERAL:
            more: set[str] | None = {_small(chr(value))}
        elif code is _op.IN:
            more = _characters(value)
        elif code is _op.SUBPATTERN:
            more = _language(value[3])
        elif code is _op.ATOMIC_GROUP:
            more = _language(value)
        elif code is _op.BRANCH:
            branches = [_language(branch) for branch in value[1]]
            more = None if None in branches else set().union(*(b for b in branches if b is not None))
        elif code in _REPEATS:
            more = _repeated(value)
        elif code in _WITHOUT_WIDTH:
            more = {""}
        else:
            more = None
        if more is None or len(strings) * len(more) > _MOST:
            return None
        strings = {left + right for left in strings for right in more}
    return strings


def _small(character: str) -> str:
    return " " if character.isspace() and character != "\n" else folded(character)


def _characters(members: list[Any]) -> set[str] | None:
    found: set[str] = set()
    for code, value in members:
        if code is _op.LITERAL:
            found.add(_small(chr(value)))
        elif code is _op.RANGE and value[1] - value[0] < _FINITE:
            found.update(_small(chr(one)) for one in range(value[0], value[1] + 1))
        elif code is _op.CATEGORY and value is _op.CATEGORY_SPACE:
            found.add(" ")
        else:
            return None
    if len(found) > _FINITE or (len(found) > 1 and all(map(str.isdigit, found))):
        return None  # digits are better told by their kind
    return found


_BLANKS = "\v"  # any number of them


def _repeated(value: Any) -> set[str] | None:
    least, most, inner = value
    if most is _op.MAXREPEAT and _language(inner) == {" "}:
        return {_BLANKS} if least else {"", _BLANKS}
    once = _language(inner) if int(most) <= 2 else None
    if once is None or len(once) ** int(most) > _MOST:
        return None
    return set().union(*(_power(once, times) for times in range(least, int(most) + 1)))


def _power(strings: set[str], times: int) -> set[str]:
    result = {""}
    for _ in range(times):
        result = {left + right for left in result for right in strings}
    return result


# --- whether a word or number ends at a place


class _Run(NamedTuple):
    """Characters that make up a word, or a number."""

    holds: Callable[[str], bool]
    categories: tuple[Any, ...]  # named classes of characters that hold some of them
    whole: tuple[Any, ...]  # those that hold all of them


_LETTER = _Run(str.isalpha, (_op.CATEGORY_WORD, _op.CATEGORY_NOT_DIGIT), (_op.CATEGORY_WORD,))
_DIGIT = _Run(str.isdigit, (_op.CATEGORY_WORD, _op.CATEGORY_DIGIT), (_op.CATEGORY_WORD, _op.CATEGORY_DIGIT))


def _free(items: list[Any], run: _Run, outside: bool, *, left: bool) -> bool:
    """Whether no character of a run can stand beside a place, to the left or right of it."""
    said = _edge(items, run, left)
    return outside if said is None else said


def _edge(items: Iterable[Any], run: _Run, left: bool) -> bool | None:
    """True: no run goes on there; False: one may; None: these parts do not tell."""
    ordered = list(items)
    for code, value in reversed(ordered) if left else ordered:
        said = _edge_of(code, value, run, left)
        if said is not None:
            return said
    return None


def _edge_of(code: Any, value: Any, run: _Run, left: bool) -> bool | None:
    if code is _op.LITERAL:
        return not run.holds(chr(value))
    if code is _op.IN:
        return _holds_none(value, run)
    if code is _op.AT:
        if value is _op.AT_NON_BOUNDARY:
            return False
        return True if value is _op.AT_BOUNDARY or value in (_BEGINNINGS if left else _ENDS) else None
    if code is _op.ASSERT:
        return True if (value[0] < 0) == left and _edge(value[1], run, left) else None
    if code is _op.ASSERT_NOT:
        return True if (value[0] < 0) == left and _holds_all(list(value[1]), run) else None
    if code is _op.SUBPATTERN:
        return _edge(value[3], run, left)
    if code is _op.ATOMIC_GROUP:
        return _edge(value, run, left)
    if code is _op.BRANCH:
        said = [_edge(branch, run, left) for branch in value[1]]
        return False if False in said else None if None in said else True
    if code in _REPEATS:
        inner = _edge(value[2], run, left)
        return None if inner and value[0] == 0 else inner
    return False


_BEGINNINGS = (_op.AT_BEGINNING, _op.AT_BEGINNING_STRING)
_ENDS = (_op.AT_END, _op.AT_END_STRING)


def _holds_none(members: list[Any], run: _Run) -> bool:
    if members[0][0] is _op.NEGATE:
        return any(value in run.whole for _, value in members[1:])
    for code, value in members:
        if code is _op.LITERAL:
            some = run.holds(chr(value))
        elif code is _op.RANGE:
            some = any(run.holds(chr(one)) for one in range(value[0], value[1] + 1))
        else:
            some = value in run.categories or value is _op.CATEGORY_NOT_SPACE
        if some:
            return False
    return True


def _holds_all(items: list[Any], run: _Run) -> bool:
    """Whether what must not stand there includes every character of the run."""
    if len(items) != 1:
        return False
    code, value = items[0]
    if code is _op.IN:
        return value[0][0] is not _op.NEGATE and any(one in run.whole for _, one in value)
    if code is _op.SUBPATTERN:
        return _holds_all(list(value[3]), run)
    if code is _op.BRANCH:
        return any(_holds_all(list(branch), run) for branch in value[1])
    return False


def stored_text(expressions: Iterable[str]) -> str:
    """What STORED should hold for these patterns."""
    told = {}
    for expression in expressions:
        one = derive(expression)
        told[key_of(expression)] = one and [
            *(" ".join(sorted(one.words)), sorted(one.strings), sorted(one.kinds)),
            *(one.low, one.high, one.length),
        ]
    lines = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(told[key], ensure_ascii=False)}" for key in sorted(told)
    )
    return f"{{\n{lines}\n}}\n"
