"""Checks that rows of rules name where no key of a row can say what decides (text.guards).

Each takes a match and says whether it counts. Their lists and patterns are in the pack of the language,
in the file of the rows that use them.

Cost        a look at the words around a match
Randomness  none
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice

from heteronym.knowledge.wordlists import first_names, nationalities, words
from heteronym.text.clinical import is_clinical
from heteronym.text.fields import column_kind
from heteronym.text.guards import behind
from heteronym.text.index import index_of
from heteronym.text.lexicon import lexicon
from heteronym.text.rule import NAME_WORD, UPPER, Check


@cache
def _pattern(file: str, name: str) -> re.Pattern[str]:
    return lexicon(file).compiled(name)


# --- dates


def is_month(match: re.Match[str]) -> bool:
    """'May', 'March' and abbreviations alone are months only after a word that places them in time."""
    return match.group() not in lexicon("dates").words("WORDS_TOO") or bool(
        behind(match, _pattern("dates", "MONTH_CUE"), 8)
    )


_TIME_AFTER = re.compile(r",?\s(?:at\s)?\d{1,2}:\d\d|,?\s\d{1,2}\s?[ap]m\b")


def among_dates(match: re.Match[str]) -> bool:
    """'6/19' is a day behind a word for one, before a time, or where a day cannot be a part of a whole."""
    text, start, end = match.string, match.start(), match.end()
    first, second = map(int, match.group().split("/"))
    if _TIME_AFTER.match(text, end) or behind(match, _pattern("dates", "LETTER_OF"), 20):
        return True
    if behind(match, _pattern("dates", "DATES_WORDS"), 16) and (
        first > second or second > 12 or text[start - 2 : start - 1] != "f"
    ):
        return _has_other_date(text, start, end) or first > 12 or second > 12
    if not (text[start - 1 : start] in ("(", "\n", "") or text[max(0, start - 2) : start] == ", "):
        return False
    return _has_other_date(text, start, end)


def _has_other_date(text: str, start: int, end: int) -> bool:
    others = _pattern("dates", "DAY_MONTHS").finditer(text, max(0, start - 300), end + 300)
    return any(other.start() != start and _plausible(other.group()) for other in islice(others, 8))


def _plausible(surface: str) -> bool:
    parts = [int(part) for part in surface.split("/")]
    return len(parts) == 3 or max(parts[:2]) > 12


def after_a_word_for_dates(match: re.Match[str]) -> bool:
    """'cert of 12.02.' is a day; 'and 3.9.' is a version, unless the words are German."""
    if behind(match, _GERMAN_DATE_WORD, 6) or _TIME_AFTER.match(match.string, match.end()):
        return True
    month = match.group().split(".")[1]
    return len(month) == 2 and behind(match, _pattern("dates", "DATE_WORD"), 12) is not None


_GERMAN_DATE_WORD = re.compile(r"(?<!\w)(?:am|vom|bis|ab|zum|und)[ ]$")


def is_an_answer(match: re.Match[str]) -> bool:
    """Three numbers are a date where birth was asked for, and they begin the answer."""
    asked = behind(match, re.compile(r"(?i)\b(?:dob|d\.o\.b|birth|born|birthday)\b"), 160)
    return asked is not None and behind(match, _pattern("dates", "ANSWER"), 12) is not None


def duration_of_a_note(match: re.Match[str]) -> bool:
    """'review 2/52' is two weeks in a note about a patient; nothing else is a part of 52."""
    said = behind(match, _pattern("dates", "NOTE_CUE"), 14) or _pattern("dates", "NOTE_NEXT").match(
        match.string, match.end()
    )
    return said is not None and is_clinical(match.string)


# --- times


def after_a_time_word(match: re.Match[str]) -> bool:
    """'due 0800' and 'paged 2350' are times; 'about 1200' is an amount, 'since 1848' a year."""
    cue = behind(match, _pattern("times", "TIME_CUE"), 24)
    if cue is None:
        return False
    numbers = _pattern("times", "ALSO_OF_NUMBERS").match(cue.group())
    return match.group()[0] == "0" or "." in match.group() or numbers is None


def in_a_log(match: re.Match[str]) -> bool:
    """One line with a number proves nothing; a log has several of them near each other."""
    low, high = max(0, match.start() - 400), match.end() + 400
    return sum(1 for _ in islice(_pattern("times", "LOG_LINE").finditer(match.string, low, high), 2)) > 1


def is_spoken_hour(match: re.Match[str]) -> bool:
    """'three in the morning' is an hour behind a word for times; 'cut from ten to six' is none."""
    surface = match.group()
    if "past" in surface or "clock" in surface or surface.startswith("half"):
        return True
    if " to " in surface or " till " in surface:
        return "uarter" in surface or behind(match, _AN_HOUR_FOLLOWS, 10) is not None
    return behind(match, _pattern("times", "HOUR_CUE"), 10) is not None


_AN_HOUR_FOLLOWS = re.compile(r"(?<!\w)(?:[Aa]t|about)\s$")


def hours_not_years(match: re.Match[str]) -> bool:
    """'0800-1600' are hours; '1914-1918' and '1960-1987' are years."""
    return match.group()[0] == "0" or behind(match, _pattern("times", "TIME_CUE"), 24) is not None


def no_measure(match: re.Match[str]) -> bool:
    """'home by six' tells an hour, 'cut by six' and 'pain at 8' do not."""
    changed = match.string.startswith("by", match.start()) and " " not in match.group("m")
    if changed and behind(match, _pattern("times", "CHANGED"), 12):
        return False
    return behind(match, _pattern("times", "MEASURED"), 32) is None


# --- quantities


def is_exact(match: re.Match[str]) -> bool:
    """A count that few others share: of three digits and more, or a compound number in words."""
    digits = re.sub(r"\D", "", match.group("n"))
    noun = match.group("noun").lower()
    if noun in lexicon("quantities").words("NOT_COUNTED") or noun.endswith("ss"):
        return False
    return not digits or (int(digits) > 20 and not 1500 <= int(digits) <= 2049)


_FINDING_UNIT = re.compile(r"(?<![a-z])(?:mm|cm|ml|g|degrees|litres?|liters?)$")


def no_finding(match: re.Match[str]) -> bool:
    """'a 9 mm nodule' is a finding that many have; height and weight belong to a person."""
    text, start, end = match.string, match.start(), match.end()
    if _FINDING_UNIT.search(match.group()) is None:
        return True
    if _pattern("quantities", "BUILD").search(text, max(0, start - 24), end + 12):
        return True
    finding = _pattern("quantities", "FINDING").search(text, max(0, start - 60), end + 40)
    return finding is None and not is_clinical(text)


# --- ages

_HYPHENS = re.compile("[-‑]")
_NEXT_NAME = re.compile(rf"\),?\s(?:and\s|&\s)?(?P<name>{NAME_WORD})\s\([1-9]\d?\)")
_NAME_BEFORE = re.compile(rf"(?<!\w)(?P<name>{NAME_WORD})\s(?:[A-Z]\.?\s)?$")


def no_other_word(match: re.Match[str]) -> bool:
    return match.group().split()[0] not in lexicon("ages").words("NOT_NAMES")


def is_first_name(match: re.Match[str]) -> bool:
    """A known first name that is no country and no everyday word."""
    name = match.group("name")
    if name in lexicon("ages").words("NOT_NAMES") or name in nationalities().values():
        return False
    return any(part in first_names() for part in (name, *_HYPHENS.split(name)))


def given_name(match: re.Match[str]) -> bool:
    """A number in brackets is an age behind a first name, and behind what a relative is called."""
    if is_first_name(match):
        return True
    following = _NEXT_NAME.match(match.string, match.end())
    if following is not None and is_first_name(following):
        return True
    return behind(match, _pattern("ages", "RELATIVE_BEFORE"), 24) is not None


def of_a_person(match: re.Match[str]) -> bool:
    """A number behind a comma is an age if a title, a relative or a first name comes before it."""
    name = match.group("name")
    if name in lexicon("ages").words("NOT_NAMES"):
        return False
    if name == "Me" or is_first_name(match) or behind(match, _pattern("ages", "TITLE_BEFORE"), 40):
        return True
    if behind(match, _pattern("ages", "RELATIVE_BEFORE"), 24):
        return True
    first = behind(match, _NAME_BEFORE, 40)
    return first is not None and is_first_name(first)


# --- family and schooling

_NAME_FOLLOWS = re.compile(rf"\s(?:[{UPPER}]|of\s(?:the\s[A-Z]|Mercy|Charity))")
_ANYBODY = re.compile(r"(?:^|\W)(?:[Aa]n?|[Aa]ny|[Ee]very|[Ee]ach|[Nn]o|what|or)\s$")


def is_kin(match: re.Match[str]) -> bool:
    """Not "Father Brown", "Sons of Mercy", "the Son Hotel", "Warner Brothers" or "a mother needs sleep"."""
    said, before = match.group("m"), match.string[max(0, match.start() - 16) : match.start()]
    if _ANYBODY.search(before) and not _pattern("demographics", "HAVING").search(before):
        return False
    if said[0].islower() or said.lower() not in lexicon("demographics").words("TITLES_TOO"):
        return True
    if _NAME_FOLLOWS.match(match.string, match.end()):
        return said == "Uncle"
    return not (said.endswith("s") and before.rstrip("& ")[-1:].isalpha())


def several_or_own(match: re.Match[str]) -> bool:
    """'one' counts before somebody's child or sibling only."""
    said = match.group().lower().split()
    return said[0] != "one" or said[-1] in ("son", "daughter", "child", "brother", "sister", "twins")


def no_verb(match: re.Match[str]) -> bool:
    """'Ate' is an elder sister inside of a sentence, and a verb at its start."""
    before = match.string[max(0, match.start() - 2) : match.start()].rstrip(" ")
    return match.group("m") != "Ate" or before.isalpha()


def told_whose(match: re.Match[str]) -> bool:
    """'the partner' may be of a firm; 'with partner' lives with somebody."""
    said, first = match.group("m"), match.group().split()[0].lower()
    if said in ("partner", "spouse"):
        return first in ("with", "from")
    return said not in ("parents", "gran", "nan") or first in ("with", "both", "from", "support", "me", "the")


def my_man(match: re.Match[str]) -> bool:
    """'my man' and 'our lads' are somebody's; 'his man', 'my family' need not be."""
    said = match.group("m")
    if said in ("family", "household"):
        return False
    return said not in ("man", "lads", "fella", "bloke") or match.group().lower().startswith(("my", "our"))


def surely_a_degree(match: re.Match[str]) -> bool:
    said = match.group().rstrip(".")
    return said not in lexicon("demographics").words("ALSO_ELSE") or schooling(match)


def schooling(match: re.Match[str]) -> bool:
    """Short capitals are a certificate where school is spoken of."""
    around = match.string[max(0, match.start() - 120) : match.end() + 120].lower()
    return any(word in around for word in lexicon("demographics").listed("SCHOOLING"))


def certificate(match: re.Match[str]) -> bool:
    return not match.group().startswith(("SPM", "HSC", "GED")) or schooling(match)


# --- account names


def is_a_handle(match: re.Match[str]) -> bool:
    """With a digit, a point or a line in it, or unknown to the dictionary."""
    return not match.group("m").isalpha() or match.group("m").lower() not in words("common_words")


def is_a_secret(match: re.Match[str]) -> bool:
    """Behind "memorable word" any word is one; behind "password is" what the dictionary does not have."""
    return re.match(r"(?i)(?:memorable|secret|safe)\W", match.group()) is not None or is_a_handle(match)


def no_escape(match: re.Match[str]) -> bool:
    """'corp\\\\jsmith' is an account, 'line\\\\nnext' a line break."""
    return match.group().partition("\\")[2][0] not in "nrt" or not match.group().isalpha()


def no_plain_word(match: re.Match[str]) -> bool:
    said = match.group("m")
    return not said.isalpha() or said[1:] != said[1:].lower()


def no_column(match: re.Match[str]) -> bool:
    """Not the name of a column or member: "member_id;first", '"last_ip":'."""
    text, said = match.string, match.group()
    if "__" in said or said.isupper() or index_of(text).told(_is_about_programs):
        return False
    beside = text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
    return not (any(sign in beside for sign in ";,|\t\"':<>`") and column_kind(said) is not None)


_IDENTIFIER = re.compile(r"\b\w+\(\)|\w::\w|`[^`\n]{1,40}`")


def _is_about_programs(text: str) -> bool:
    """Names of variables and functions return in it: what looks like an account is one of them."""
    return len(set(islice((found.group() for found in _IDENTIFIER.finditer(text)), 40))) > 4


# Readers add their own.
CHECKS: dict[str, Check] = {
    name: value
    for name, value in list(globals().items())
    if callable(value) and getattr(value, "__module__", "") == __name__ and not name.startswith("_")
}
