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
from heteronym.text.rule import Rule, find, rule

_SERVICES = (
    r"(?:insta(?:gram|gam)?|twitter|snap(?:chat)?|discord|tik\s?tok|telegram|skype|aim|msn|icq|kik|steam|twitch|reddit|facebook|fb|venmo"
    r"|paypal|cashapp|wechat|psn|gamertag|signal)"
)


def _is_a_handle(match: re.Match[str]) -> bool:
    """With a digit, a point or a line in it, or unknown to the dictionary."""
    handle = match.group("m")
    return any(not c.isalpha() for c in handle) or handle.lower() not in words("common_words")


def _is_a_column(match: re.Match[str]) -> bool:
    """The name of a column or member: "member_id;first", '"last_ip":'."""
    text, start, end = match.string, match.start(), match.end()
    beside = text[max(0, start - 1) : start] + text[end : end + 1]
    return any(sign in beside for sign in ";,|\t\"':<>`") and column_kind(match.group()) is not None


_HOST = re.compile(
    r"^\d|\.(?:com|org|net|edu|gov|io|uk|de|fr|eu|us|ca|au|nz|info|example|txt|pdf|docx?|xlsx?|csv|py|js|html?|json|exe|zip|png|jpe?g|md)$"
)

_RULES: tuple[Rule, ...] = (
    rule(
        "at sign and name",
        r"(?<![\w@./])@[A-Za-z_](?:[\w.]{0,38}\w)?(?!@|\.\w)",
        "USERNAME",
        0.9,
    ),
    rule("user path", r"(?<![\w/])(?:/?u|[Uu]sers?)/(?P<m>[\w-]{3,30})\b", "USERNAME", 0.9),
    rule(
        "after a word for accounts",
        rf"\b(?i:user\s?name|screen\s?name|user\s?id|user|login|handle|nick(?:name)?|{_SERVICES})"
        r"(?:\sname|\sid|\shandle|\saccount)?(?:\sis\s|\s?[:=]\s?@?)(?P<m>[\w.@#-]{3,40}\w)",
        "USERNAME",
        0.85,
        check=_is_a_handle,
    ),
    # acacia\\j.kamau2: an account of a domain; a path has more than one stroke
    rule(
        "account of a domain",
        r"(?<![\w\\/:.])[A-Za-z][\w-]{1,14}\\[A-Za-z][\w.-]{1,30}\w(?![\w\\])",
        "USERNAME",
        0.85,
        check=lambda match: match.group().partition("\\")[2][0] not in "nrt" or not match.group().isalpha(),
    ),
    # username jkamau2, login nk_svens: without a colon it must look like one
    rule(
        "account name behind its word",
        r"\b(?i:user\s?name|login|log-in|user|handle)\s(?P<m>(?=[\w.-]*[\d_.])[A-Za-z][\w.-]{2,30}\w)(?![\w@])",
        "USERNAME",
        0.8,
        check=lambda match: not _HOST.search(match.group("m")),
    ),
    # (moth.girl.draws, 2.3k followers)
    rule(
        "account name in brackets",
        r"(?<=\()(?P<m>[a-z][a-z0-9]+(?:[._][a-z0-9]{2,}){2,4})(?=[),])",
        "USERNAME",
        0.8,
        check=lambda match: not _HOST.search(match.group("m")),
    ),
    rule(
        "who posted",
        r"\b(?:[Pp]osted|[Rr]eply|[Rr]eplied|[Cc]omment(?:ed)?|[Ss]ubmitted|[Aa]sked|[Aa]nswered|[Uu]ploaded|[Ww]ritten|[Ss]tarted)\s(?:by|from|to)\s(?:user\s)?@?"
        r"(?P<m>[A-Za-z][\w.-]*[\w])(?=\s?(?:on\s|[:»|,\n(]|$|at\s\d|\d))",
        "USERNAME",
        0.8,
        check=lambda match: (
            any(not c.isalpha() for c in match.group("m"))
            or match.group("m")[1:] != match.group("m")[1:].lower()
        ),
    ),
    rule(
        "letters, line and digits",
        r"(?<![\w.@/#-])(?=\w*_)(?=\w*[A-Za-z])[A-Za-z]\w{2,30}[A-Za-z0-9](?![\w@./(=\[]|-\w)",
        "USERNAME",
        0.6,
        check=lambda match: (
            "__" not in match.group() and not match.group().isupper() and not _is_a_column(match)
        ),
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
