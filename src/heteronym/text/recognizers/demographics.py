"""Facts about a person that no name tells: family, marital status, schooling.

They count where they are said of somebody, not wherever the word stands: "his wife", "a widow",
"divorced", "he holds a degree in law". "The married women's act" says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.lexicon import lexicon
from heteronym.text.rule import UPPER, find

_LEXICON = lexicon("demographics")


_DEGREE = _LEXICON.compiled("DEGREE")
_ALSO_ELSE = _LEXICON.words("ALSO_ELSE")
_SCHOOLING = tuple(_LEXICON.listed("SCHOOLING"))


def _schooling(match: re.Match[str]) -> bool:
    """Short capitals are a certificate where school is spoken of."""
    around = match.string[max(0, match.start() - 120) : match.end() + 120].lower()
    return any(word in around for word in _SCHOOLING)


_NAME_FOLLOWS = re.compile(rf"\s(?:[{UPPER}]|of\s(?:the\s[A-Z]|Mercy|Charity))")
_ANYBODY = re.compile(r"(?:^|\W)(?:[Aa]n?|[Aa]ny|[Ee]very|[Ee]ach|[Nn]o|what|or)\s$")
_HAVING = _LEXICON.compiled("HAVING")
_TITLES_TOO = frozenset("father sister brother mother brothers sisters sons daughters son uncle".split())


def _is_kin(match: re.Match[str]) -> bool:
    """Not "Father Brown", "Sons of Mercy", "the Son Hotel", "Warner Brothers" or "a mother needs sleep"."""
    said, before = match.group("m"), match.string[max(0, match.start() - 16) : match.start()]
    if _ANYBODY.search(before) and not _HAVING.search(before):
        return False
    if said[0].islower() or said.lower() not in _TITLES_TOO:
        return True
    if _NAME_FOLLOWS.match(match.string, match.end()):
        return said == "Uncle"
    return not (said.endswith("s") and before.rstrip("& ")[-1:].isalpha())


_RULES = _LEXICON.rules(
    checks={
        "children_and_siblings_counted": lambda match: (
            match.group().split()[0].lower() != "one"
            or match.group().split()[-1].lower() in ("son", "daughter", "child", "brother", "sister", "twins")
        ),
        "kin_in_another_tongue_before_a_name": lambda match: (
            match.group("m") != "Ate"
            or match.string[max(0, match.start() - 2) : match.start()].rstrip(" ").isalpha()
        ),
        "is_kin": _is_kin,
        "the_relatives": lambda match: (
            match.group("m") not in ("partner", "spouse", "parents", "gran", "nan")
            or (
                match.group().split()[0].lower() in ("with", "both", "from", "support", "me", "the")
                and (
                    match.group("m") not in ("partner", "spouse")
                    or match.group().split()[0].lower() in ("with", "from")
                )
            )
        ),
        "somebody_s_boy_or_girl": lambda match: (
            match.group("m") not in ("man", "family", "household", "lads", "fella", "bloke")
            or (
                match.group().lower().startswith(("my", "our"))
                and match.group("m") not in ("family", "household")
            )
        ),
        "degree_of_the_world": lambda match: match.group().rstrip(".") not in _ALSO_ELSE or _schooling(match),
        "leaving_certificate": lambda match: (
            not match.group().startswith(("SPM", "HSC", "GED")) or _schooling(match)
        ),
        "class_of_a_degree": lambda match: (
            _DEGREE.search(match.string, max(0, match.start() - 90), match.start()) is not None
        ),
    }
)


@recognizers.register("demographics")
@dataclass(frozen=True)
class Demographics:
    """Family, marital status and education, where they are said of a person."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="demographics")
