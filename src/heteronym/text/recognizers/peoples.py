"""Nationalities, peoples, creeds' and parties' members (NORP), languages, and facts of origin.

A nation's adjective before its organs and laws ("the Turkish authorities", "Polish law") tells of a
state, not of a person, and is left alone. A word that is both a people and a language is a language
where it is spoken, written or translated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from heteronym.knowledge.wordlists import first_names, nationalities, peoples, words
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import UPPER, Rule, find, rule

_WORD = re.compile(rf"(?<![\w’'])[{UPPER}][\w'’]*[\w](?:[-‑][{UPPER}a-z]\w+)*")
_OF_A_STATE = re.compile(
    r"\s(?:(?:domestic|national|federal|central|criminal|civil|administrative"
    r"|constitutional|military|prison|tax|local"
    r"|competent|public|judicial|State|state)\s)?"
    r"(?:[Gg]overnments?|[Aa]uthorit(?:y|ies)|[Ss]tates?|[Rr]epublic|[Ll]aws?"
    r"|[Ll]egislation|[Ll]egislature|[Cc]ourts?|[Pp]arliament"
    r"|[Cc]onstitution|[Cc]odes?|[Aa]cts?|[Ll]egal|[Jj]urisprudence|[Ll]iras?"
    r"|[Zz]lotys?|[Kk]ron(?:or|er|a)|pounds?|dollars?|francs?|marks?"
    r"|[Ee]mpire|[Ff]ederation|Kingdom|Embassy|embassy|territor(?:y|ies)|border"
    r"|soil|judges?|judiciary|Convention|Bar)\b"
)
_LANGUAGE_BEFORE = re.compile(
    r"(?:\b(?:speaks?|spoke|spoken|speaking|learn(?:s|ed|ing|t)?|stud(?:y|ies"
    r"|ied|ying)|teach(?:es|ing)?|taught|fluent\sin"
    r"|translat(?:e|ed|ion|ing)\s(?:\w+\s)?(?:in)?to|(?:written|published|printed"
    r"|drafted|broadcast|conducted|said|says|sing|sung|lyrics|read|reads|words?)\sin"
    r"|[Ii]n|[Ff]rom|understands?|and|or|,)\s(?:the\s)?|language[s:]?\s)$"
)
_LANGUAGE_AFTER = re.compile(
    r"[\s-](?:language|speaking|speakers?|dialects?|lessons?|classes|class|teacher"
    r"|translations?|words?|grammar|subtitles|version|text|alphabet|script)\b"
)
_AFTER_IN = re.compile(
    r"\s*(?:$|[.,;:!?)\"”’]|and\b|or\b|on\b|as\b|but\b|by\b|with\b|for\b|to\b|at\b|is\b|was\b|because\b)"
)


@cache
def _is_people() -> frozenset[str]:
    return peoples()


@cache
def _no_languages() -> frozenset[str]:
    return first_names() | frozenset("Monday Tuesday Wednesday Thursday Friday Saturday Sunday The".split())


_ORIGIN: tuple[Rule, ...] = (
    rule(
        "origin or descent",
        r"\b(?:[Oo]f\s)(?P<m>(?:[A-Z]\w+(?:[-\s][A-Z]\w+)?|mixed|foreign|immigrant"
        r"|noble|Jewish)\s(?:origins?|descent|ancestry|extraction|heritage|ethnicity"
        r"|background|birth|roots|parentage))\b",
        "ORIGIN",
        0.9,
    ),
    # "I would describe him as white, 19 or 20", "a white male, mid 30s"
    rule(
        "described as of a race",
        r"\b(?:[Dd]escrib(?:e|es|ed|ing)\s(?:him|her|them|the\s\w+|one|both)?\s?(?:as|to\sbe)\s(?:being\s)?(?:an?\s)?|(?:[Hh]e|[Ss]he|[Ss]uspect|[Mm]ale|[Ff]emale|[Dd]river|[Aa]ssailant|I)\s(?:is|was|am)\s(?:an?\s)?)"
        r"(?P<m>white|black|brown-skinned|light-skinned|dark-skinned|mixed[-\s]race|biracial|half-caste|olive-skinned)(?=[,;.)]|\s(?:male|female|man|woman|boy|girl|guy|and\s(?:about|around|in))\b)",
        "ORIGIN",
        0.75,
    ),
    rule(
        "refugee or immigrant",
        r"\b(?:asylum[\s-]seekers?|refugees?|stateless\spersons?|illegal\simmigrants?"
        r"|immigrants?|undocumented\smigrants?)\b(?=[\s,.](?!Act|Convention|Board"
        r"|Law|law|status|Appeals))",
        "ORIGIN",
        0.5,
        check=lambda match: _predicated(match),
    ),
    # "speaks Maay only", "interpreter booked (Sylheti)": any name there is a language
    rule(
        "language behind a word for speaking",
        r"\b(?:[Ss]p(?:eaks?|oke|eaking)|[Ff]luent\sin|[Ff]irst\slanguage(?:\sis|:)?|[Mm]other\stongue(?:\sis|:)?|[Ll]anguages?\sspoken:?|[Ii]nterpreter\s(?:for|in)|[Ii]nterpreter\srequired:?)\s(?:only\s|some\s|fluent\s|a\slittle\s|mainly\s|mostly\s|both\s)?"
        r"(?P<m>[A-Z][a-z]{2,}(?:[-\s](?:French|English|Creole|Arabic|Portuguese|Pidgin|Spanish|Chinese))?)(?=[\s,.;)/]|$)(?!\s(?:[A-Z][a-z]+ly|to|with|at)\b)",
        "LANGUAGE",
        0.75,
        check=lambda match: match.group("m").split()[0] not in _no_languages(),
    ),
    rule(
        "creed of several words",
        r"\b(?:Jehovah['’]?s\sWitness(?:es)?|JW|LDS|Latter[-\s][Dd]ay\sSaints?|(?:Seventh[-\s]?[Dd]ay|7th\s[Dd]ay|SDA)\sAdventists?|[Bb]orn[-\s][Aa]gain(?:\sChristians?)?"
        r"|(?:Plymouth|Open|Exclusive)\sBrethren|Roman\sCatholics?|RC(?=\s(?:church|school|faith))|(?:Greek|Russian|Serbian|Ethiopian|Eritrean|Coptic|Syriac|Ukrainian)"
        r"\sOrthodox|Dutch\sReformed|Church\sof\s(?:England|Scotland|Ireland|Christ)|C\sof\sE|Free\sPresbyterian|Salvation\sArmy|Hare\sKrishna|Nation\sof\sIslam|Full\sGospel"
        r"|Assembl(?:y|ies)\sof\sGod|Iglesia\sni\sCristo|Redeemed\sChristian|Southern\sBaptists?)(?!\w)",
        "RELIGION",
        0.85,
    ),
    rule(
        "belonging to a creed",
        r"(?<!\w)(?:(?:[Ii]['’]?m|I\sam|[Hh]e['’]?s|[Ss]he['’]?s|is|was|are|were|am)\s(?:an?\s)?(?:(?:very|quite|not|strict|strictly|devout|lapsed|practi[sc]ing|lifelong|raised|brought\sup)\s){0,2}"
        r"|(?:devout|lapsed|practi[sc]ing|lifelong|strict|observant)\s)(?P<m>(?:atheists?|agnostics?|brethren|evangelical|charismatic|pentecostal|churchgoers?|parishioners?|sacristan|altar\s(?:server|boy)"
        r"|church\s?warden|lay\s(?:preacher|reader)|catechist|humanist|born[-\s]again|muslim|christian|catholic|hindu|sikh|jewish|buddhist|protestant|mormon|quaker|pagan|rasta(?:farian)?)|Brethren)(?!\w)",
        "RELIGION",
        0.75,
    ),
    rule(
        "office in a congregation",
        r"(?<!\w)(?:as\s(?:an?\s|the\s)?|a\slifelong\s|an?\s|the\s)(?P<m>parishioner|sacristan|altar\sserver|church\s?warden|lay\s(?:preacher|reader)|catechist|church\selder)(?!\w)",
        "RELIGION",
        0.7,
    ),
    rule(
        "kind of child",
        r"\b(?:native|adopted|orphaned?|illegitimate|foster)\s(?:child|son|daughter)\b",
        "ORIGIN",
        0.7,
    ),
)

_PREDICATE = re.compile(
    r"(?:\b(?:is|was|am|are|were|be|been|as|['’]m|['’]s)\s(?:an?\s|the\s)?(?:\w+\s)?"
    r"|\b(?:I|he|she),\san?\s)$",
    re.IGNORECASE,
)


def _predicated(match: re.Match[str]) -> bool:
    return _PREDICATE.search(match.string, max(0, match.start() - 30), match.start()) is not None


@recognizers.register("peoples")
@dataclass(frozen=True)
class Peoples:
    """Nationalities and other groups, languages, origin, by word list and neighbouring words."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        known, tongues, creeds = _is_people(), words("languages"), words("creeds")
        adjectives, named = nationalities(), words("first_names")
        result = find(texts, _ORIGIN, source="peoples")
        for text, spans in zip(texts, result):
            for match in _WORD.finditer(text):
                word = match.group()
                if word.endswith(("'s", "’s")):
                    word = word[:-2]
                if word not in known and word not in tongues:
                    # "Turkish-born", "Polish-speaking", "German-Austrian"
                    head, dash, tail = word.replace("‑", "-").partition("-")
                    if not dash or head not in known or not (tail in known or tail in _SUFFIXES):
                        continue
                    if tail == "speaking":
                        spans.append(
                            Span(
                                match.start(),
                                match.start() + len(head),
                                "LANGUAGE",
                                0.9,
                                "peoples",
                                "language spoken",
                            )
                        )
                        continue
                start, end = match.start(), match.start() + len(word)
                if word in tongues and _spoken(text, start, end, only=word not in known):
                    spans.append(Span(start, end, "LANGUAGE", 0.9, "peoples", "language spoken"))
                elif word in adjectives and _OF_A_STATE.match(text, end):
                    continue
                elif word in known:
                    kind, how = (
                        ("RELIGION", "list of creeds") if word in creeds else ("NORP", "list of peoples")
                    )
                    # "Christian" and "Dane" are first names too; there the model knows better.
                    sure = 0.7 if word in named else 0.85
                    spans.append(Span(start, end, kind, sure, "peoples", how))
        return result


_SUFFIXES = frozenset("born speaking based American British language origin style".split())


def _spoken(text: str, start: int, end: int, *, only: bool) -> bool:
    if _LANGUAGE_AFTER.match(text, end):
        return True
    before = _LANGUAGE_BEFORE.search(text, max(0, start - 40), start)
    if before is None:
        return only and text[start:end] not in ("Latin", "Mandarin", "Basque")
    weak = before.group().strip(" ,").lower() in (
        "in",
        "from",
        "and",
        "or",
        "in the",
        "from the",
        "and the",
        "or the",
        "",
    )
    return not weak or (
        before.group().strip().lower() in ("in", "from") and _AFTER_IN.match(text, end) is not None
    )
