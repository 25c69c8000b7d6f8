"""Handles and account names: @name, u/name, and names after a word that says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import Rule, find, rule

_RULES: tuple[Rule, ...] = (
    rule("at sign and name", r"(?<![\w@./])@[A-Za-z_](?:[\w.]{0,38}\w)?(?!@|\.\w)", "USERNAME", 0.9),
    rule("reddit name", r"(?<![\w/])/?u/[\w-]{3,30}\b", "USERNAME", 0.9),
    rule(
        "after a word for an account",
        r"\b(?i:user\s?name|screen\s?name|user\s?id|login|handle|nick(?:name)?|skype"
        r"|instagram|twitter|aim|msn|icq|discord|snapchat)"
        r"(?:\sname|\sid)?(?:\sis\s|\s?[:=]\s?)(?P<m>[\w.@#-]{3,40}\w)",
        "USERNAME",
        0.85,
    ),
)


@recognizers.register("usernames")
@dataclass(frozen=True)
class Usernames:
    """Handles and account names by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="usernames")
