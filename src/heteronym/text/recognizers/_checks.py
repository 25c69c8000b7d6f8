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


def _is_first_name(match: re.Match[str]) -> bool:
    """A known first name that is no country and no everyday word."""
    name = match.group("name")
    if name in lexicon("ages").words("NOT_NAMES") or name in nationalities().values():
        return False
    return any(part in first_names() for part in (name, *_HYPHENS.split(name)))


def given_name(match: re.Match[str]) -> bool:
    """A number in brackets is an age behind a first name, and behind what a relative is called."""
    if _is_first_name(match):
        return True
    following = _NEXT_NAME.match(match.string, match.end())
    if following is not None and _is_first_name(following):
        return True
    return behind(match, _pattern("ages", "RELATIVE_BEFORE"), 24) is not None


def of_a_person(match: re.Match[str]) -> bool:
    """A number behind a comma is an age if a title, a relative or a first name comes before it."""
    name = match.group("name")
    if name in lexicon("ages").words("NOT_NAMES"):
        return False
    if name == "Me" or _is_first_name(match) or behind(match, _pattern("ages", "TITLE_BEFORE"), 40):
        return True
    if behind(match, _pattern("ages", "RELATIVE_BEFORE"), 24):
        return True
    first = behind(match, _NAME_BEFORE, 40)
    return first is not None and _is_first_name(first)


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
    return said not in lexicon("demographics").words("ALSO_ELSE") or _schooling(match)


def _schooling(match: re.Match[str]) -> bool:
    """Short capitals are a certificate where school is spoken of."""
    around = match.string[max(0, match.start() - 120) : match.end() + 120].lower()
    return any(word in around for word in lexicon("demographics").listed("SCHOOLING"))


def certificate(match: re.Match[str]) -> bool:
    return not match.group().startswith(("SPM", "HSC", "GED")) or _schooling(match)


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
