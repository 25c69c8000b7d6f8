"""Names that the form of a message gives away: speakers of chats and transcripts, senders, signatures.

"Amina: hi" names a speaker if the label returns or follows a time stamp, and is no word for a role
("Therapist:"). "On Monday Jane Doe <...> wrote:" names a sender. What stands alone on a line behind "Kind
regards" is a signature.

Cost        one search for lines with a label, and one for the words that close a letter
Randomness  none
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.knowledge.wordlists import first_names, words
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import NAME_WORD, UPPER, Rule, find, rule

_STAMP = (
    r"(?:\[[^\]\n]{4,40}\]\s?(?:-\s)?|\(?\d{1,2}[:.]\d\d(?:[:.]\d\d)?\s?(?:[AaPp]\.?[Mm]\.?)?\)?,?\s?"
    r"(?:[-–]\s)?|\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s\d{1,2}:\d\d(?::\d\d)?\s?(?:[AP]M)?\s?(?:-\s)?)"
)
_LABEL = re.compile(
    rf"(?:^|(?<=\n))[ \t]*(?:>\s?)?(?P<stamp>{_STAMP})?(?:~\s?)?(?P<label><?[^\W\d_][\w.’'-]*"
    rf"(?:\s[{UPPER}][\w.’'-]*){{0,2}}>?):(?=\s|$)"
)
# Within a line a label must be a known first name behind the end of a sentence.
_INLINE = re.compile(rf"(?<=[.!?]\s)(?P<label>{NAME_WORD}):\s(?=[{UPPER}])")
_ROLES = frozenset(
    "therapist client patient doctor nurse interviewer interviewee agent customer user bot system admin "
    "moderator host "
    "guest caller operator officer suspect witness judge counsel speaker student teacher counsellor "
    "counselor q a re fw "
    "fwd subject from to cc bcc sent date note ps nb tel fax mob name address phone email allergies "
    "medication medications "
    "diagnosis plan assessment".split()
)
_NAMES = (
    rf"(?:{NAME_WORD}|[{UPPER}]\.)(?:[ -](?:(?:van|von|de|der|di|la|bin|al)[ ])?(?:{NAME_WORD}"
    rf"|[{UPPER}]\.|[{UPPER}]{{3,}})){{0,3}}"
)
_CLOSING = (
    r"(?:(?:[Mm]any\s|[Ww]ith\s)?[Tt]hanks(?:\s(?:again|so\smuch|a\slot|in\sadvance|and\sregards))?"
    r"|[Tt]hank\syou|[Cc]heers|[Aa]ll\sthe\sbest|[Bb]est(?:\s(?:wishes|regards))?"
    r"|(?:[Ww]ith\s)?(?:[Kk]ind(?:est)?|[Ww]arm(?:est)?|[Bb]est)?\s?[Rr]egards|[Yy]ours(?:\s(?:sincerely"
    r"|truly|faithfully|ever))?|[Ss]incerely(?:\syours)?|[Rr]espectfully"
    r"|(?:[Ll]ots\sof\s|[Mm]uch\s)?[Ll]ove(?:\sfrom)?|[Hh]ugs|[Tt]ake\scare|[Ss]ee\syou(?:\ssoon)?"
    r"|[Tt]alk\ssoon|[Ss]peak\ssoon|[Xx][Oo]+(?:[Xx][Oo]*)*|[Rr]egards|[Bb]less)"
)

_DAY = (
    r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|[Tt]oday|[Yy]esterday|(?:Mon|Tues?|Wed(?:nes)?|Thur?s?|Fri"
    r"|Sat(?:ur)?|Sun)(?:day)?"
    r"|\d{1,2}[ ][A-Z][a-z]{2,8}(?:[ ]\d{4})?|[A-Z][a-z]{2,8}[ ]\d{1,2}(?:,[ ]\d{4})?"
)
_NOT_SIGNED = frozenset(
    "for to the a an and but i we you he she it they please if when this that hope in on at with from "
    "all everyone team "
    "sales support info admin payroll office reception unit tel phone mobile dear hi hello re sent".split()
)

_HEADING = (
    rf"(?:[{UPPER}]{{2,}}(?:[ ’'-][{UPPER}]+){{1,5}}"
    rf"|{NAME_WORD}(?:[ ](?:(?:van|von|de|der|di|la|bin|binti|al)[ ])?(?:{NAME_WORD}|[{UPPER}]\.)){{1,4}})"
)


def _holds_a_name(match: re.Match[str]) -> bool:
    known = first_names()
    parts = [part.capitalize() for part in match.group("m").split()]
    return any(part in known and part.lower() not in words("common_words") for part in parts)


_RULES: tuple[Rule, ...] = (
    rule(
        "signature",
        rf"(?:^|(?<=\n))[> \t]*{_CLOSING}[ ,.!]*(?:\n[> \t]*){{0,3}}(?:[-–—~*]\s?)?(?P<m>{_NAMES})"
        rf"(?=[ .!]*(?:x+|xo+|:\)|\()?[ .!]*(?:\n|$|\s\(|,[ ][{UPPER}][a-z]))",
        "PERSON",
        0.85,
        check=lambda match: match.group("m").split()[0].lower() not in _NOT_SIGNED,
    ),
    # The heading of a CV, and who a letter in capitals is sent to
    rule(
        "heading of a career",
        rf"(?:(?<=\n)|(?<![\s\S]))[ \t]*(?i:curriculum\svitae|r[ée]sum[ée]|cv)[ \t]*(?:\n[ \t]*){{1,3}}"
        rf"(?P<m>{_HEADING})(?=[ \t]*(?:\n|$))",
        "PERSON",
        0.88,
    ),
    rule(
        "name above an address in capitals",
        rf"(?:(?<=\n)|(?<![\s\S]))[ \t]*(?P<m>[{UPPER}][{UPPER}’'-]*(?:[ ]"
        rf"(?:&[ ])?[{UPPER}][{UPPER}’'-]*){{1,6}})[ \t]*\n"
        rf"(?=[ \t]*(?:\d{{1,6}}[ ](?:[NSEW][ ])?[{UPPER}\d]|(?:BLK|Blk|FLAT|Flat|UNIT|Unit|APT|Apt"
        rf"|P\.?[ ]?O\.?[ ]BOX)[ ]))",
        "PERSON",
        0.85,
        check=_holds_a_name,
    ),
    # Lim Soo Cheng, project director, +60 7-555 0139: who can be reached there
    rule(
        "name before how to reach them",
        rf"(?:(?<=\n)|(?<=\n[-•*]\s))(?P<m>{NAME_WORD}(?:[ ](?:(?:van|von|de|der|di|la|bin|binti"
        rf"|al)[ ])?(?:{NAME_WORD}|[{UPPER}]\.)){{1,3}}),[ ](?=[^\n]{{0,60}}(?:@\w|\+\d|\b0\d{{3}}))",
        "PERSON",
        0.72,
    ),
    # [12/04/2025, 07:41] Ifeoma created group "...", Shanelle W. joined the chat
    rule(
        "member of a chat",
        rf"(?:(?<=\n)|(?<=[\]-][ ])|(?<![\s\S]))(?:~[ ]?)?(?P<m>{_NAMES})[ ](?:created[ ]"
        rf"(?:the[ ]|this[ ])?group|added[ ](?:you|\+?\w)"
        rf"|joined(?:[ ](?:the|using|via|this)|[.\n]|$)|left(?:[ ](?:the[ ](?:chat|group|conversation"
        rf"|meeting|channel))|[.\n]|$)"
        rf"|changed[ ](?:the|this|their|to)\b|was[ ](?:added|removed)|removed[ ](?:you|\+?\w)"
        rf"|has[ ](?:left|joined)|pinned[ ]"
        rf"|started[ ]a[ ](?:call|video|meeting)|deleted[ ]this[ ]message|is[ ]typing)",
        "PERSON",
        0.82,
        check=lambda match: match.group("m").split()[0].lower() not in _NOT_SIGNED | _ROLES,
    ),
    # "... added Emeka", "removed Bola Ige"
    rule(
        "added to a chat",
        rf"(?<=\w[ ])(?:added|removed|invited)[ ](?:~[ ]?)?(?P<m>{_NAMES})(?=[ ]?(?:\n|$"
        rf"|to[ ]the[ ](?:group|chat|channel|call)))",
        "PERSON",
        0.75,
    ),
    # Agent (Pieter): hello
    rule(
        "role and name of a speaker",
        rf"(?:(?<=\n)|(?<![\s\S]))[ \t]*(?:\[[^\]\n]{{4,24}}\][ ])?(?i:agent|advis[eo]r|nurse"
        rf"|caller|operator|host|guest|interviewer"
        rf"|interviewee|participant|speaker|client|patient|customer|therapist|moderator|support|teacher"
        rf"|student|officer"
        rf"|counsell?or|doctor|mum|dad|mother|father|p|i)[ ]?\d{{0,2}}[ ]?\((?P<m>{_NAMES})\):",
        "PERSON",
        0.85,
    ),
    # Ana Berg  10:32 AM; ana_b — 12/04/2025 10:32; Ana Berg, [12.04.25 07:44]: the message stands below
    rule(
        "sender above a message",
        rf"(?:(?<=\n)|(?<![\s\S]))(?P<m>{_NAMES})(?:[ ]{{1,3}}"
        rf"|[ ][—–|·-][ ]|,[ ])[\[(]?(?:(?:{_DAY}),?[ ](?:at[ ])?)?"
        rf"\d{{1,2}}[:.]\d\d(?:[:.]\d\d)?[ ]?(?:[AaPp]\.?[Mm]\.?)?[\])]?(?=[ ]?\n\S)",
        "PERSON",
        0.8,
        check=lambda match: (
            _may_be_a_name(match.group("m").split())
            and match.group("m").split()[0].lower() not in _NOT_SIGNED
        ),
    ),
    # <ana_b> hello, as in the rooms of old
    rule(
        "nick of a speaker",
        r"(?:(?<=\n)|(?<=[\]\d][ ])|(?<![\s\S]))<(?P<m>[@+]?[A-Za-z][\w|^-]{1,20})>[ ](?=\S)",
        "USERNAME",
        0.82,
        check=lambda match: f"</{match.group('m')}" not in match.string,
    ),
    # A letter that signs: a line of its own between empty lines
    rule(
        "letter as signature",
        rf"(?<=\n\n)(?P<m>[{UPPER}])\.?(?=\n\n)",
        "PERSON",
        0.8,
    ),
    rule(
        "name and kisses",
        rf"(?<=\n)(?P<m>{NAME_WORD})\s(?:x+|xo+x?|:-?\)|❤️?)\s*(?=\n|$)",
        "PERSON",
        0.75,
    ),
    rule(
        "sender of a quoted mail",
        rf"(?<=[\s,])(?P<m>{_NAMES}(?:,[ ]{NAME_WORD})?)\s?(?:<[^>\n]{{3,60}}>\s?)?"
        rf"(?:\[[^\]\n]{{3,40}}\]\s?)?(?:wrote|schrieb|writes):",
        "PERSON",
        0.85,
    ),
    rule(
        "name before a mail address",
        rf"(?<![\w.])(?P<m>{_NAMES}|[{UPPER}][\w-]+,[ ]{_NAMES})\s?<(?=[^\s<>]+@)",
        "PERSON",
        0.85,
        check=lambda match: match.group("m").split()[0].lower() not in _NOT_SIGNED,
    ),
)


@recognizers.register("messages")
@dataclass(frozen=True)
class Messages:
    """Speakers, senders and signers by the form of a message."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        result = find(texts, _RULES, source="messages")
        for text, spans in zip(texts, result):
            if ": " in text or ":\n" in text:
                spans.extend(_speakers(text))
        return result


def _speakers(text: str) -> Iterator[Span]:
    labels = list(_LABEL.finditer(text))
    often = Counter(match.group("label") for match in labels)
    first = first_names()
    dialogue = _is_dialogue(text, often)
    for match in labels:
        label = match.group("label")
        parts = label.strip("<>").split()
        known = parts[0] in first
        returns = often[label] > 1 and len(parts) < 3
        if not _may_be_a_name(parts) or not (
            match.group("stamp")
            or (returns and (known or dialogue))
            or (known and len(parts) == 1 and len(labels) > 1)
        ):
            continue
        kind = "USERNAME" if "_" in label or any(map(str.isdigit, label)) else "PERSON"
        yield Span(*match.span("label"), kind, 0.85, "messages", "speaker")
    if len(_INLINE.findall(text)) > 1:
        for match in _INLINE.finditer(text):
            if match.group("label") in first:
                yield Span(*match.span("label"), "PERSON", 0.75, "messages", "speaker within a line")


def _is_dialogue(text: str, often: Counter[str]) -> bool:
    """Most lines begin with one of a few labels: then a label nobody knows is a speaker as well."""
    returning = sum(times for times in often.values() if times > 1)
    return len(often) <= 8 and returning >= 4 and 2 * returning > text.count("\n")


def _may_be_a_name(parts: Sequence[str]) -> bool:
    """No role, no heading, no everyday word: "Allergies:" returns in many forms."""
    head = parts[0]
    if head.lower() in _ROLES or len(head) < 2 or (head.isupper() and head.lower() in words("common_words")):
        return False
    known = first_names()
    if head in known or head.capitalize() in known:
        return True
    return head.lower() not in words("common_words") and (len(parts) > 1 or not head.isupper())
