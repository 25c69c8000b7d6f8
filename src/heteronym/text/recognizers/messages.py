"""Names that the form of a message gives away: speakers of chats and transcripts, senders, signatures.

"Amina: hi" names a speaker if the label returns or follows a time stamp, and is no word for a role
("Therapist:"). "On Monday Jane Doe <...> wrote:" names a sender. What stands alone on a line behind "Kind
regards" is a signature.

Cost        one search for lines with a label, and one for the words that close a letter
Randomness  none
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from heteronym.knowledge.wordlists import first_names, words
from heteronym.model.mention import Span
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.rows import reader

_LEXICON = lexicon("messages")

_LABEL = _LEXICON.compiled("LABEL")
_ROLES = _LEXICON.words("ROLES")


@reader("messages")
def read(text: str, spans: list[Span]) -> list[Span]:
    """Speakers, senders and signers by the form of a message."""
    return [*spans, *_speakers(text)] if ": " in text or ":\n" in text else spans


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
        if not _may_be_a_name(parts, dialogue) or not (
            match.group("stamp")
            or (returns and (known or dialogue))
            or (known and len(parts) == 1 and len(labels) > 1)
        ):
            continue
        kind = "USERNAME" if "_" in label or any(map(str.isdigit, label)) else "PERSON"
        yield Span(*match.span("label"), kind, 0.85, "messages", "speaker")


def _is_dialogue(text: str, often: Counter[str]) -> bool:
    """Most lines begin with one of a few labels: then a label nobody knows is a speaker as well."""
    returning = sum(times for times in often.values() if times > 1)
    return len(often) <= 8 and returning >= 4 and 2 * returning > text.count("\n")


def _may_be_a_name(parts: Sequence[str], dialogue: bool) -> bool:
    """No role, no heading, no everyday word: "Allergies:" returns in many forms."""
    head = parts[0]
    if head.lower() in _ROLES or len(head) < 2 or (head.isupper() and head.lower() in words("common_words")):
        return False
    known = first_names()
    if head in known or head.capitalize() in known:
        return True
    return head.lower() not in words("common_words") and (len(parts) > 1 or dialogue or not head.isupper())
