"""Where a person's own values stand in that person's texts: one index per person, one pass per text.

Every value is put in by its normal forms (`text.forms`), every text is read as atoms (`text.atoms`),
and words are looked up by hash; numbers, days and long runs of digits are read and compared by what
they mean. A text that is written oddly is searched once more as it is meant (`text.disguises`), and
words that are no ordinary ones are compared with names up to one slip of the pen. Nothing here knows what
a mention is; the rules are those of docs/own-values.md.

Cost        O(forms of the values) to build, O(words of a text) to search, whatever the number of values
Randomness  none
"""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rapidfuzz.distance import OSA

from heteronym.text.atoms import Atoms, continues_number, is_mixed, pieces_of, plain, words_of
from heteronym.text.dates import find_days
from heteronym.text.disguises import View, letters_for_signs, mail_signs, view_of
from heteronym.text.forms import Form, When, is_counted_time, ordinary, squeezed, titles
from heteronym.text.written_numbers import find_written, leading_digits

_LOOSE = re.compile(r"[\s\-_+/]{0,24}|\.")
_SPACES = re.compile(r"\s+")
_LABEL = re.compile(
    r"(?:#|\b(?:no|nr|num|number|id|mrn|ref|record|case|patient|pt|member|customer)\b)[\s.:#=]{0,3}\Z", re.I
)
_UNIT = re.compile(r"[\s\-]{0,2}(?:years?|yrs?|yo|y)(?![^\W_])", re.IGNORECASE)
_DIGIT_RUN = re.compile(r"\d(?:(?:[\s().\-/_·•\u2010-\u2015]{0,3}|,)\d){5,}")
_GROUPED_RUN = re.compile(r"\d(?:[\s(),.\-\u2010-\u2015/'’_:·+]{0,3}\d){4,}")
_NO_CENTS = re.compile(r"[.,]0{1,2}(?!\d)")  # "48213.0" of a table, "48,213.00"
_GROUP = re.compile(r"\d+")
_CODE_TAIL = re.compile(r"-\d{2,5}(?!\d)")
_INITIAL_BEFORE = re.compile(r"(?<![^\W_])([^\W\d_])(?:\.\s?|[\s\-])\Z")
_INITIAL_BEHIND = re.compile(r",?\s?([^\W\d_])\.")
# "36F", "44y M", "36 yo F", "36-year-old F": a letter that belongs to a number
_LETTER_BEHIND = re.compile(
    r"(?:\s?-?(?:years?|yrs?|y/o|yo|y)(?:[\s\-]?old)?)?(?:[ ,/-]{0,2}([A-Z])|([a-z]))(?![^\W_])"
)
_LETTER_BEFORE = re.compile(r"(?<![^\W_])([^\W\d_])[ ,/-]{0,2}\Z")
_LEAST_DIGITS = 6
_LEAST_GROUPED = 5  # digits of a number that is found whatever stands between its groups
_MOST_READ = 7  # digits of a number that somebody may write in words
_LEAST_SLIP = 5  # letters of a name that is found with a slip of the pen
_SURE_SLIP = 7  # letters from which on the first one may be the slip
_LEAST_DIGITS_SLIP = 8
_ONE_GAP = frozenset((" ", "-", "\n", "\r\n", "'"))
_NEAR = 2  # characters between two parts of a name


class Hit(NamedTuple):
    """An occurrence, in offsets of the text as it came."""

    start: int
    end: int
    target: int
    item: str = ""  # what a set-valued column calls it


class OwnValues:
    """What one person's texts are searched for; `target` is the number of the column."""

    def __init__(self) -> None:
        self._forms: dict[str, dict[tuple[Form, int], str]] = {}  # by first word: items by form and column
        self._numbers: dict[float, list[int]] = defaultdict(list)
        self._leading: set[str] = set()
        self._days: dict[dt.date, list[int]] = defaultdict(list)
        self._digits: dict[str, int] = {}
        self._grouped: dict[str, int] = {}  # digits without zeros in front -> column
        self._slips: dict[str, list[tuple[str, int]]] = defaultdict(list)  # by two letters at either end
        self._mails = False
        self._letters: dict[str, int] = {}  # initial of a value -> column
        self._initials: dict[int, set[str]] = defaultdict(set)  # column of names -> initials

    def add(self, forms: Iterable[Form], target: int, item: str = "") -> None:
        for form in forms:
            self._forms.setdefault(form.words[0], {}).setdefault((form, target), item)

    def add_number(self, value: float, target: int) -> None:
        self._numbers[abs(value)].append(target)
        self._leading |= leading_digits(value)

    def add_day(self, day: dt.date, target: int) -> None:
        self._days[day].append(target)

    def add_digits(self, value: str, target: int) -> None:
        """A long number, in whatever groups its digits are written."""
        digits = "".join(character for character in value if character.isdigit())
        if len(digits) >= _LEAST_DIGITS:
            self._digits.setdefault(digits, target)
        for run in (digits, *_GROUP.findall(value)):
            if len(core := run.lstrip("0")) >= _LEAST_GROUPED:
                self._grouped.setdefault(core, target)
                if len(core) <= _MOST_READ:
                    self.add_number(int(core), target)
        self._mails |= "@" in value

    def add_slips(self, names: Iterable[str], target: int) -> None:
        """Names that are found with one letter changed, lacking, too many or swapped."""
        for name in names:
            if len(name) >= _LEAST_SLIP and name.isalpha():
                for end in {name[:2], name[-2:]}:
                    self._slips[end].append((name, target))

    def add_letter(self, letter: str, target: int) -> None:
        """The initial of a value that no other value of its column has: "36F"."""
        self._letters.setdefault(letter.lower(), target)

    def add_initials(self, names: Iterable[str], target: int) -> None:
        self._initials[target] |= {name[0] for name in names}

    def find(self, text: str) -> list[Hit]:
        """All occurrences; they may overlap."""
        view = plain(text)
        found = [
            Hit(view.origin(hit.start), view.origin(hit.end), hit.target, hit.item)
            for hit in self._all_in(view.text)
        ]
        meant = view_of(text, digits=bool(self._grouped))
        if meant.odd:
            found += _carried_back(self._all_in, meant)
        if self._slips and (lettered := letters_for_signs(meant)) is not meant:
            found += _carried_back(self._names_in, lettered)
        if self._mails and (mail := mail_signs(meant)) is not meant:
            found += _carried_back(self._words_in, mail)
        return list(dict.fromkeys(found))

    def _names_in(self, text: str) -> Iterator[Hit]:
        yield from self._words_in(text)
        yield from self._slips_in(text)

    def _all_in(self, text: str) -> Iterator[Hit]:
        """All occurrences in a plain text."""
        found = list(self._words_in(text))
        if self._slips:
            found += self._slips_in(text)
        if self._leading:
            found += self._numbers_in(text)
        if self._grouped:
            found += self._digits_in(text)
        if self._days:
            found += self._days_in(text)
        return (self._with_initials(text, hit) for hit in found)

    # --- words

    def _words_in(self, text: str) -> Iterator[Hit]:
        sure: list[Hit] = []
        doubtful: list[Hit] = []
        for atoms in (words_of(text), pieces_of(text)) if is_mixed(text) else (words_of(text),):
            for place in [place for place, word in enumerate(atoms.words) if word in self._forms]:
                for (form, target), item in self._forms[atoms.words[place]].items():
                    span = stands(form, place, text, atoms)
                    if span is None:
                        continue
                    counts = _counts(form, text, span, atoms, place)
                    if counts is not None:
                        start, end = _whole_code(text, *span)
                        (sure if counts else doubtful).append(Hit(start, end, target, item))
        yield from sure
        # "do" is grammar, but not in "hanh do"
        named = (hit for hit in sure if hit.target in self._initials)
        reach = {place for hit in named for place in range(hit.start - _NEAR, hit.end + _NEAR + 1)}
        for hit in doubtful:
            if hit.target in self._initials and not reach.isdisjoint((hit.start, hit.end)):
                yield hit

    def _slips_in(self, text: str) -> Iterator[Hit]:
        """Words that are no ordinary ones and one slip away from a name."""
        atoms = words_of(text)
        known: dict[str, list[int]] = {}
        torn: dict[str, list[tuple[str, int]]] = {}
        words = set(atoms.words)
        for word in words:
            near = {*self._slips.get(word[:2], ()), *self._slips.get(word[-2:], ())}
            for name, target in sorted(near):
                if word not in ordinary() and _is_slip(word, name):
                    known.setdefault(word, []).append(target)
                elif _is_torn(word, name) and name[len(word) :] in words:
                    torn.setdefault(word, []).append((name, target))
        if torn:
            yield from _torn_in(text, atoms, torn)
        if known:
            for place, word in enumerate(atoms.words):
                for target in known.get(word, ()):
                    yield Hit(atoms.borders[2 * place], atoms.borders[2 * place + 1], target)

    # --- what is read

    def _numbers_in(self, text: str) -> Iterator[Hit]:
        for written in find_written(text, self._leading):
            for value in written.values:
                for target in self._numbers.get(value, ()):
                    yield Hit(written.start, written.end, target)
                    yield from self._letters_at(text, written.start, written.end)

    def _letters_at(self, text: str, start: int, end: int) -> Iterator[Hit]:
        behind = _LETTER_BEHIND.match(text, end)
        if behind is not None:
            which = 1 if behind[1] else 2
            target = self._letters.get(behind[which].lower())
            if target is not None:
                yield Hit(*behind.span(which), target)
        before = _LETTER_BEFORE.search(text, max(start - 4, 0), start)
        if before is not None and (before.end(1) == start or before[1].isupper()):
            target = self._letters.get(before[1].lower())
            if target is not None:
                yield Hit(*before.span(1), target)

    def _digits_in(self, text: str) -> Iterator[Hit]:
        for run in _DIGIT_RUN.finditer(text) if self._digits else ():
            digits = "".join(character for character in run.group() if character.isdigit())
            for known, target in self._digits.items():
                if known in digits or digits in known or _ends_alike(known, digits):
                    yield Hit(*run.span(), target)
        longest = max(map(len, self._grouped))
        for run in _GROUPED_RUN.finditer(text):
            groups = [group.span() for group in _GROUP.finditer(text, *run.span())]
            for number, (start, _) in enumerate(groups):
                digits = ""
                for first, end in groups[number:]:
                    digits = (digits + text[first:end]).lstrip("0")
                    if len(digits) > longest:
                        break
                    if digits in self._grouped:
                        zeros = _NO_CENTS.match(text, end)
                        last = zeros.end() if zeros else end
                        if not continues_number(text, start, last):
                            yield Hit(start, last, self._grouped[digits])

    def _days_in(self, text: str) -> Iterator[Hit]:
        for reading in find_days(text, self._days):
            year = reading.date.year
            # two digits of a year are those of any century
            short = year is not None and str(year) not in text[reading.start : reading.end]
            for day, targets in self._days.items():
                same = short and (day.year - (year or 0)) % 100 == 0
                date = reading.date._replace(year=day.year) if same else reading.date
                if date.contains(day):
                    for target in targets:
                        yield Hit(reading.start, reading.end, target)

    def _with_initials(self, text: str, hit: Hit) -> Hit:
        """ "P. Gomez" and "Gomez, P." are one name; nothing of it may stay."""
        initials = self._initials.get(hit.target)
        if not initials:
            return hit
        start, end = hit.start, hit.end
        for _ in range(2):
            before = _INITIAL_BEFORE.search(text, max(start - 4, 0), start)
            if before is None or not before[1].isupper() or before[1].lower() not in initials:
                break
            start = before.start(1)
        behind = _INITIAL_BEHIND.match(text, end)
        if behind is not None and behind[1].isupper() and behind[1].lower() in initials:
            end = behind.end()
        return hit._replace(start=start, end=end)


def _carried_back(search: Callable[[str], Iterable[Hit]], view: View) -> Iterator[Hit]:
    """What is found in a view where it differs, in offsets of the text as it came."""
    for begin, text in view.windows():
        for hit in search(text):
            start, end = view.back(begin + hit.start, begin + hit.end)
            yield hit._replace(start=start, end=end)


def _is_slip(word: str, name: str) -> bool:
    """One letter changed, lacking, too many or swapped; of short names not the first one."""
    if word == name or abs(len(word) - len(name)) > 1 or not word.isalpha() or len(word) < _LEAST_SLIP:
        return False
    if len(name) < _SURE_SLIP and word[0] != name[0]:
        return False
    return OSA.distance(word, name, score_cutoff=1) <= 1


def _is_torn(word: str, name: str) -> bool:
    """Whether a name begins with a word and goes on with another one, not both of them ordinary."""
    rest = name[len(word) :]
    return (
        1 < len(word) < len(name) - 1
        and len(name) >= _SURE_SLIP
        and name.startswith(word)
        and not (word in ordinary() and rest in ordinary())
    )


def _torn_in(text: str, atoms: Atoms, torn: Mapping[str, Sequence[tuple[str, int]]]) -> Iterator[Hit]:
    """ "Brand vold", "Brand-vold": a name with one blank, break or hyphen too much."""
    for place, word in enumerate(atoms.words[:-1]):
        for name, target in torn.get(word, ()):
            first, last = atoms.borders[2 * place : 2 * place + 4 : 3]
            between = text[atoms.borders[2 * place + 1] : atoms.borders[2 * place + 2]]
            if word + atoms.words[place + 1] == name and between in _ONE_GAP:
                yield Hit(first, last, target)


def stands(form: Form, place: int, text: str, atoms: Atoms) -> tuple[int, int] | None:
    """Where a form stands that begins with the word at a place; None if its other words do not follow."""
    count = len(form.words)
    if count > 1:
        if tuple(atoms.words[place : place + count]) != form.words:
            return None
        for i, wanted in enumerate(form.gaps, start=place):
            between = text[atoms.borders[2 * i + 1] : atoms.borders[2 * i + 2]]
            if not _gap_agrees(between, wanted):
                return None
    start, end = atoms.borders[2 * place], atoms.borders[2 * (place + count) - 1]
    if continues_number(text, start, end) or (count == 1 and _is_in_a_code(form.words[0], text, start, end)):
        return None
    return start, end


def _gap_agrees(found: str, wanted: str) -> bool:
    if wanted == "":
        return _LOOSE.fullmatch(found) is not None
    if _SPACES.sub("", found) == wanted:
        return True
    return wanted in ("'", ",", ".,") and _LOOSE.fullmatch(found) is not None


def _is_in_a_code(word: str, text: str, start: int, end: int) -> bool:
    """Digits between letters are another code: 19 is not in "COVID19"."""
    if not word.isdigit() or len(word) >= _LEAST_DIGITS:
        return False
    before = start > 0 and text[start - 1].isalpha()
    return before or (end < len(text) and text[end].isalpha())


def _counts(form: Form, text: str, span: tuple[int, int], atoms: Atoms, place: int) -> bool | None:
    """Whether the form may be taken for the value here; None: never, False: only beside another part."""
    start, end = span
    if form.when is When.ALWAYS:
        return not (len(form.words) == 1 and is_counted_time(text, start, end))
    if form.when is When.EXACT:
        return True if squeezed(text[start:end]) == form.exact else None
    if form.when is When.UNIT:
        return True if _UNIT.match(text, end) else None
    if form.when is When.LABELLED:
        return True if _LABEL.search(text, max(start - 16, 0), start) else None
    if all(text[atoms.borders[2 * i]].isupper() for i in range(place, place + len(form.words))):
        return True
    if place and atoms.words[place - 1] in titles():
        return True
    return _GENITIVE.match(text, end) is not None and form.words[-1] not in _SHORTENED_IS


# "do's wife"; but "he's ill"
_GENITIVE = re.compile(r"'s(?![^\W_])")
_SHORTENED_IS = frozenset("he it she so that there this who".split())


def _whole_code(text: str, start: int, end: int) -> tuple[int, int]:
    """ "12345-6789" tells more than 12345."""
    if end - start >= 5 and text[start:end].isdigit():
        tail = _CODE_TAIL.match(text, end)
        if tail is not None:
            return start, tail.end()
    return start, end


def _ends_alike(first: str, second: str) -> bool:
    """Two ways to write one telephone number differ in what stands before the last digits, or by a slip."""
    if min(len(first), len(second)) >= 9 and first[-8:] == second[-8:]:
        return True
    return len(first) >= _LEAST_DIGITS_SLIP and OSA.distance(first, second, score_cutoff=1) <= 1
