"""Numbers that stand for one case, record, document or thing: after a word that says so, or by their
shape ("12345/06"). Numbers of laws and articles are no codes of a person and are left to `laws`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import Rule, find, rule

_CODE = r"(?:[A-Z]{0,5}[-–/.:]?\d[\dA-Za-z]*(?:[-–/.:][\dA-Za-z]+)*|[A-Z]{1,4}(?:[-/][A-Z0-9]{1,8})+)"
_WHAT = (
    r"(?i:application|case|file|docket|record|chart|passport|licen[cs]e|permit"
    r"|certificate|registration|register|account|policy|"
    r"invoice|order|contract|reference|ref|tracking|ticket|booking|reservation"
    r"|serial|identity|identification|id|personal|"
    r"social\ssecurity|national\sinsurance|tax|vat|insurance|member|membership"
    r"|customer|client|patient|medical\srecord|mrn|"
    r"student|employee|staff|badge|plate|vehicle|chassis|vin|imei|device|plot"
    r"|parcel|block|land\sregister|title\sdeed|"
    r"house|flat|apartment|room|cell|sheet/plan|petition|complaint|claim|decision"
    r"|judgment|verdict|protocol|warrant|prisoner|inmate|fax)"
)
_WHAT_BEFORE = re.compile(rf"\b{_WHAT}\s?(?:\((?:no\.)?)?\s?$")
_LAW_BEFORE = re.compile(
    r"(?i:\b(?:law|laws|act|acts|articles?|sections?|rules?|protocols?|decrees?"
    r"|legislative\sdecree|directive|regulation|ordinance|"
    r"statute|convention|resolution|recommendation|code|paragraph|chapter|series\sa|reports)\s?\(?)$"
)


def _not_of_a_law(match: re.Match[str]) -> bool:
    return _LAW_BEFORE.search(match.string, max(0, match.start() - 24), match.start()) is None


def _of_something(match: re.Match[str]) -> bool:
    """The marker stands behind a word for something that is numbered."""
    return _WHAT_BEFORE.search(
        match.string, max(0, match.start() - 24), match.start()
    ) is not None and _not_of_a_law(match)


_LIST = rf"{_CODE}(?:(?:,\s|\sand\s|,\sand\s|;\s|\s?&\s?)(?!\d{{1,2}}\s[A-Z]){_CODE}(?=[\s),.;]))*"

_RULES: tuple[Rule, ...] = (
    rule(
        "number of a record or thing",
        rf"(?<!\w)(?:[Nn]os?\.?|NO\.?|[Nn]umbers?:?|[Nn]um\.?|n[°º]|№|#|:|\()\s?(?P<m>{_LIST})",
        "CODE",
        0.95,
        check=_of_something,
    ),
    rule(
        "after a word for a document",
        r"\b(?:[Pp]assport|[Ll]icen[cs]e|[Ff]ile|[Rr]ef|[Rr]eference|ID|MRN|SSN|VIN"
        r"|IMEI|[Dd]ocket|[Tt]icket|[Pp]olicy|[Ss]erial)[\s#:]+(?P<m>[A-Z]{0,4}[-]?\d[\dA-Z]*"
        r"(?:[-/.][\dA-Z]+)*)\b",
        "CODE",
        0.85,
        check=lambda match: sum(map(str.isdigit, match.group("m"))) >= 3,
    ),
    rule(
        "after a number sign",
        rf"(?<!\w)(?i:nos?\.|n[°º]|№|#)\s?(?P<m>{_LIST})",
        "CODE",
        0.8,
        check=lambda match: len(match.group("m")) > 1 and _not_of_a_law(match),
    ),
    # 12345/06, 24/59W2, 119/6, 1998:43, A-12345/06, 2003/1234
    rule(
        "number with slash",
        r"(?<![\w/.,:§-])(?P<m>[A-Z]{0,3}-?\d{2,6}/\d{2,4}[A-Z]?\d?)(?![\w/%]|,\d|\.\d)",
        "CODE",
        0.75,
        check=_not_of_a_law,
    ),
    rule(
        "number with several slashes", r"(?<![\w/.,:§-])(?P<m>\d{1,4}(?:/\d{1,4}){2,4})(?![\w/])", "CODE", 0.5
    ),
    # II K 123/98, SK 45/02, 2 BvR 123/99: file numbers of courts
    rule(
        "file number of a court",
        r"(?<![\w.])(?P<m>(?:[IVX]{1,5}\s|\d{1,2}\s)?[A-Z][A-Za-z]{0,5}\s\d{1,5}/\d{2,4})"
        r"(?![\w/])",
        "CODE",
        0.85,
        check=_not_of_a_law,
    ),
    rule(
        "shape of a code",
        r"(?<![\w.-])(?P<m>[A-Z]{1,4}-\d{3,}(?:-\d+)*|\d{3,}-\d{2,}(?:-\d+)+|[A-Z]{2,3}\d{5,}[A-Z]?"
        r"|[A-Z]{1,2}\d{6,}[A-Z]?|\d{9,})(?![\w-])",
        "CODE",
        0.6,
    ),
)


@recognizers.register("codes")
@dataclass(frozen=True)
class Codes:
    """Case, record, document and serial numbers by cue and shape."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="codes")
