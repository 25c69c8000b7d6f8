"""Replacements written into sentences: each agrees with the words around it, and none is said twice.

"asthma, eczema and psoriasis" would become a medical condition three times: it becomes "medical conditions".
"the surgeon, a urologist," would become "the doctor, a doctor": what stands beside its like goes.

Cost        linear in the number of replacements
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from heteronym.documents._generalize import Choice, shortened
from heteronym.documents._phrases import Phrase
from heteronym.knowledge.inflect import fitted
from heteronym.knowledge.nouns import is_name
from heteronym.model.edit import Edit

_LISTED = re.compile(r"\s*(?:,|;|/|,?\s*(and|or|&|,\s*and))\s+(?:an?\s+|the\s+)?", re.IGNORECASE)
_INDEFINITE = re.compile(r"(?<![\w'’-])an?\s+$", re.IGNORECASE)


class Replaced(NamedTuple):
    """A phrase and what it becomes; None where nothing tells little enough."""

    phrase: Phrase
    choice: Choice | None


def edits_of(text: str, replaced: Sequence[Replaced], placeholder: str) -> list[Edit]:
    """The edits that write replacements into a text."""
    edits: list[Edit] = []
    at = 0
    while at < len(replaced):
        end = _end_of_list(text, replaced, at)
        phrase, choice = replaced[at]
        if choice is None:
            edits.append(Edit(phrase.start, phrase.end, placeholder))
        elif choice.is_own:
            edits.append(Edit(*shortened(choice.text, text, phrase.start, phrase.end)))
        else:
            use, behind = phrase.use, replaced[end - 1].phrase.end
            if end > at + 1 and _joint(text, replaced[end - 2], replaced[end - 1]) == "and":
                use = use._replace(plural=True, determined=None)
            start, stop, label = fitted(choice.text, text, phrase.start, phrase.end, use=use)
            if use.plural and (found := _INDEFINITE.search(text, max(0, start - 4), start)):
                start = found.start()
            again = re.compile(rf",?\s+{re.escape(label)}(?!\w)").match(text, max(stop, behind))
            stop = again.end() if again and is_name(label) else stop  # "in Tarragona, Spain" is in Spain
            edits.append(Edit(start, max(stop, behind), label))
        at = end
    edits.sort()
    for i in range(1, len(edits)):
        if edits[i].start < edits[i - 1].end:  # an article that two edits claimed
            edits[i] = edits[i]._replace(start=edits[i - 1].end)
    return edits


def _end_of_list(text: str, replaced: Sequence[Replaced], at: int) -> int:
    """Behind the last of replacements that say the same, one beside the other."""
    first = replaced[at].choice
    if first is None or first.is_own or is_name(first.text):
        return at + 1
    end = at + 1
    while end < len(replaced) and replaced[end].choice == first:
        if _joint(text, replaced[end - 1], replaced[end]) is None:
            break
        end += 1
    return end


def _joint(text: str, one: Replaced, other: Replaced) -> str | None:
    """ "and", "or", "," between two phrases; None if they do not stand in one list."""
    between = text[one.phrase.end : other.phrase.start]
    found = _LISTED.fullmatch(between)
    if found is None or "\n" in between:
        return None
    if found[1] is None:
        return ","
    return "or" if found[1].lower() == "or" else "and"
