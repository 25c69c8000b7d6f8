"""References to laws, articles, rules and conventions. They are not sensitive; marking them keeps their
numbers from being taken for dates and codes, and their names for organizations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import UPPER, Rule, find, rule

_REF = r"(?:\d+[A-Za-z]?(?:[-‑.]\d+)?|[IVXLC]+)(?:\s?\([\da-z]{1,4}\)|\sbis|\ster)*"
_PARTS = (
    rf"(?:,?\s(?:§§?|and|or|to|in\sconjunction\swith|taken\stogether\swith|read\sin\sconjunction\swith"
    rf"|paras?\.|paragraphs?|sub-paragraphs?|point|lit\.)?\s?§*\s?{_REF})"
)
_HEAD = (
    r"(?:Code|Act|Law|Laws|Convention|Constitution|Regulations?|Ordinance|Decree"
    r"|Statute|Statutes|Treaty|Charter|Protocol|Directive|Rules|Bill|Covenant"
    r"|Declaration|Instrument|Order)"
)
_CAP = rf"(?:[{UPPER}][\w’'‑-]*)"
# "the Turkish Civil Code", "the Code of Criminal Procedure", "the Prevention of Terrorism Act 1991"
_NAME = (
    rf"(?:(?:{_CAP}|of|on|and|the|for|to|in|against|with|by|de)\s){{0,10}}?{_HEAD}\b"
    rf"(?:\s(?:of|on|for|to|concerning|relating\sto|against)\s(?:the\s)?{_CAP}"
    rf"(?:\s(?:{_CAP}|of|and|the|in|for|on)(?=\s|[,.;)])){{0,10}})?"
    rf"(?:\s(?:no\.\s?[\d/]+|\(?(?:1[5-9]|20)\d\d\)?))?(?:,?\s(?:1[5-9]|20)\d\d)?"
)
_ARTICLE = (
    rf"(?:(?:former\s|Former\s)?(?i:articles?|art\.|sections?|sect\.|rules?|paragraphs?"
    rf"|§§?|regulations?|chapters?|protocol\sno\.|provisional\ssections?))\s{_REF}{_PARTS}{{0,6}}"
)

_RULES: tuple[Rule, ...] = (
    rule(
        "article of a law",
        rf"\b{_ARTICLE}(?:\s(?:of|to)\s(?:the\s)?(?:former\s|new\s|said\s|same\s|above-mentioned\s)?{_NAME}"
        rf")?",
        "LAW",
        0.98,
    ),
    rule(
        "numbered law",
        r"\b(?:Legislative\s|Presidential\s|Government\s)?(?:Law|Act|Decree|Directive"
        r"|Regulation|Resolution|Ordinance|Decision|Protocol|Series\sA|Recommendation)s?\s(?:[Nn]os?\.|\(["
        r"A-Z]+\))\s?[\d/:.-]+(?:\s(?:and|of)\s[\d/:.-]+)*",
        "LAW",
        0.98,
    ),
    rule(
        "title of a law",
        rf"(?<![\w’'])(?!The\b|In\b|On\b|Under\b|By\b)(?:(?:1[5-9]|20)\d\d\s)?(?:{_CAP}\s(?:"
        rf"(?:{_CAP}|of|on|and|the|for|against|to)\s){{0,8}}?){_HEAD}\b(?:\s(?:of\s)?\(?"
        rf"(?:1[5-9]|20)\d\d\)?(?!\w))?",
        "LAW",
        0.9,
    ),
    rule(
        "code or convention by subject",
        rf"\b(?:Code\sof\s{_CAP}(?:\s(?:and\s)?{_CAP}){{0,3}}|Convention\s(?:for|on"
        rf"|against|relating)\s(?:the\s)?{_CAP}(?:\s(?:{_CAP}|of|and|the|in|for|on)){{0,12}}(?<![a-z]\sand)"
        rf"(?<!\sof)(?<!\sthe)|Rules\sof\sCourt|Bill\sof\sRights|Basic\sLaw)\b",
        "LAW",
        0.97,
    ),
    rule(
        "convention alone",
        r"\b(?:[Tt]he\s)?(?P<m>Convention|Constitution|Covenant|Treaty|Statute)(?=[\s,.;:)’'”])",
        "LAW",
        0.9,
    ),
    rule("paragraph sign", r"(?<!\w)§§?\s?\d+(?:\s?\(\d+\))?(?:\s(?:and|to)\s\d+)?", "LAW", 0.9),
    rule(
        "law by subject",
        rf"\b(?:Law|Act|Decree)\s(?:of|on)\s(?:the\s)?{_CAP}(?:\s(?:{_CAP}|of|and"
        rf"|the|in|for|on))*",
        "LAW",
        0.85,
    ),
)


@recognizers.register("laws")
@dataclass(frozen=True)
class Laws:
    """References to laws by pattern; not sensitive."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="laws")
