"""Handles and account names: @name, u/name, and names after a word that says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.knowledge.wordlists import words
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.fields import column_kind
from heteronym.text.lexicon import lexicon
from heteronym.text.rule import find

_LEXICON = lexicon("usernames")


def _is_a_handle(match: re.Match[str]) -> bool:
    """With a digit, a point or a line in it, or unknown to the dictionary."""
    handle = match.group("m")
    return any(not c.isalpha() for c in handle) or handle.lower() not in words("common_words")


def _is_a_column(match: re.Match[str]) -> bool:
    """The name of a column or member: "member_id;first", '"last_ip":'."""
    text, start, end = match.string, match.start(), match.end()
    beside = text[max(0, start - 1) : start] + text[end : end + 1]
    return any(sign in beside for sign in ";,|\t\"':<>`") and column_kind(match.group()) is not None


_HOST = _LEXICON.compiled("HOST")

_RULES = _LEXICON.rules(
    checks={
        "is_a_handle": _is_a_handle,
        "account_of_a_domain": lambda match: (
            match.group().partition("\\")[2][0] not in "nrt" or not match.group().isalpha()
        ),
        "account_name_behind_its_word": lambda match: not _HOST.search(match.group("m")),
        "account_name_in_brackets": lambda match: not _HOST.search(match.group("m")),
        "who_posted": lambda match: (
            any(not c.isalpha() for c in match.group("m"))
            or match.group("m")[1:] != match.group("m")[1:].lower()
        ),
        "letters_line_and_digits": lambda match: (
            "__" not in match.group() and (not match.group().isupper()) and (not _is_a_column(match))
        ),
    }
)


@recognizers.register("usernames")
@dataclass(frozen=True)
class Usernames:
    """Handles and account names by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="usernames")
