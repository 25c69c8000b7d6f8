"""Occupations, ranks and offices where they are said of a person: "I am an engineer", "worked as a
teacher", "a lawyer by profession", "Jane, a retired nurse,". An occupation word alone ("ask a
lawyer", "the judge decided") tells nothing about anybody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from heteronym.knowledge.wordlists import words
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import NAME_WORD, Rule, any_of, find, rule


def _not_a_representative(match: re.Match[str]) -> bool:
    """The lawyer who speaks for somebody: the name is found, the calling says nothing more."""
    before = match.string[max(0, match.start() - 80) : match.start()]
    return not ("represented by" in before or "counsel" in before)


@cache
def _rules() -> tuple[Rule, ...]:
    heads = any_of(word.replace("-", " ") for word in words("occupations"))
    # "retired primary school teacher", "assistant professor", "non-commissioned officer", "editor-in-chief"
    job = (
        rf"(?:(?!(?:is|was|the|an?|his|her|and|or|of|in|for|to|who|that|very|good"
        rf"|bad|great|best)\b)[A-Za-z][a-z]+(?:-[a-z]+)*\s){{0,3}}?"
        rf"(?i:{heads}s?)(?:-in-chief)?\b(?:\s(?:and|/|&)\s(?:an?\s|the\s)?(?:[a-z]+\s)?"
        rf"(?i:{heads})(?:-in-chief)?\b)?"
    )
    be = (
        r"\b(?:(?:I(?:['’]m|\sam|\swas)|(?:[Hh]e|[Ss]he)(?:['’]s|\sis|\swas)|(?:who"
        r"|applicant|plaintiff|claimant|victim|father|mother|husband|wife|brother"
        r"|sister|son|daughter)\s(?:is|was)|became|becoming|become|been|being))\s(?:now\s|then\s|also\s|cu"
        r"rrently\s|formerly\s|at\sthe\smaterial\stime\s|once\s|just\s)?"
    )
    work = (
        r"(?:\b(?:[Ww]ork(?:s|ed|ing)?|employed|serv(?:e|es|ed|ing)|act(?:s|ed|ing)?"
        r"|appointed|job|career|trained|training|qualified|practis(?:es|ed|ing)|retired"
        r"|post|position|profession|occupation|elected|promoted(?:\sto)?)\s(?:is\s|was\s)?"
        r"(?:as|of|to\sbe|to)\s)"
    )
    return (
        rule("being an occupation", rf"{be}an?\s(?P<m>{job})", "JOB", 0.85),
        rule("holding an office", rf"{be}(?P<m>(?:the\s)?{job})(?=\s(?:of|at|for|in|with|by)\b)", "JOB", 0.7),
        rule(
            "occupation after an age",
            rf"[\s-](?:old|aged\s\d\d)\s(?P<m>{job})",
            "JOB",
            0.85,
            needs=("old ", "aged "),
        ),
        rule("working as", rf"{work}(?:an?\s|the\s)?(?P<m>{job})", "JOB", 0.85),
        rule(
            "occupation behind a name",
            rf"\b(?:{NAME_WORD}|applicant|plaintiff|claimant|patient|victim|defendant|suspect)\)?,\s(?:an?|the)\s(?P<m>{job})",
            "JOB",
            0.7,
            check=_not_a_representative,
        ),
        rule(
            "working for somebody as",
            rf"\b(?:[Ww]ork(?:s|ed|ing)?|employed)\s(?:for|at|with)\s[^.;\n]{{2,40}}?\sas\s(?:an?\s)?(?P<m>{job})",
            "JOB",
            0.8,
        ),
        rule("name is an occupation", rf"(?:\b{NAME_WORD}|,)\s(?:is|was)\san?\s(?P<m>{job})", "JOB", 0.75),
        rule(
            "retired or former",
            rf"\b(?P<m>(?:[Rr]etired|[Ff]ormer|[Ss]elf-employed)\s{job})",
            "JOB",
            0.7,
            needs=("etired", "ormer", "elf-employed"),
        ),
        rule(
            "by profession",
            rf"\b(?P<m>{job})\sby\s(?:profession|trade|training|occupation)\b",
            "JOB",
            0.9,
            needs=("by profession", "by trade", "by training", "by occupation"),
        ),
        rule(
            "as an occupation",
            rf"\b[Aa]s\san?\s(?P<m>{job})\b(?=[\s,.]+(?:I|he|she|you|we|my|his|her|at|for|in|from|with)\b|[.;](?!\w))",
            "JOB",
            0.7,
        ),
        rule(
            "whose job is",
            rf"(?:\b(?:[Mm]y|[Hh]is|[Hh]er)\s(?:job|profession|occupation|work)\s(?:is"
            rf"|was)\s(?:an?\s)?)(?P<m>{job})",
            "JOB",
            0.8,
        ),
        rule(
            "occupation field",
            r"\b(?i:occupation|profession|job\stitle|job)\s?:\s?(?P<m>[A-Za-z][\w /-]{2,40})",
            "JOB",
            0.85,
        ),
        rule(
            "employment status",
            r"(?:\b(?:is|was|am|['’]m|become|became|currently|and)|,)\s(?P<m>unemployed"
            r"|self-employed|retired|jobless)\b",
            "JOB",
            0.7,
            needs=("employed", "retired", "jobless"),
        ),
        rule(
            "head of something",
            rf"\b(?:owner|founder|co-founder|CEO|CFO|CTO|COO|head|chief|vice[-\s]president"
            rf"|editor)(?:\sand\s(?:the\s)?(?:owner|founder|editor(?:-in-chief)?|CEO|{heads}))?\s(?=of\s(?:an?\s|"
            rf"the\s)?[A-Za-z])",
            "JOB",
            0.5,
        ),
    )


@recognizers.register("jobs")
@dataclass(frozen=True)
class Jobs:
    """Occupations said of a person, by word list and sentence frame."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _rules(), source="jobs")
