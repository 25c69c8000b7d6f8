"""What `redact` finds of identifiers and names is gone under every method, counted from the outside."""

from __future__ import annotations

import re

import pytest

import heteronym as hn
from heteronym.api.sanitize import documents_of
from heteronym.model.plan import TextPlan
from heteronym.text.entity_types import is_direct

TEXTS = [
    "Mr. Jonas Pelletier (jonas.pelletier@posteo.example) called from +44 20 7946 0958 about his asthma. "
    "Mr. Pelletier lives at 14 Alder Road. His IBAN is DE89 3702 0044 0532 0130 00.",
    "Dear Ingrid Halvorsen,\nyour card 4111 1111 1111 1111 was charged. Yours, Tomasz",
    "Amara Okonkwo, NHS number 943 476 5919. Amara takes warfarin. Her husband Chidi agrees.",
    "## Grace May\n\nGrace May was born on 3 May 1984 and lives with Peter Lindqvist.",
]


@pytest.mark.parametrize("method", ["information-content", "plausibility", "assertions", "pseudonyms"])
@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_nothing_that_redact_masks_of_them_is_left(method: str, number: int) -> None:
    text = TEXTS[number]
    [document] = documents_of([text], TextPlan(model="fast"))
    direct = [text[m.start : m.end] for m in document.mentions if m.type == "PERSON" or is_direct(m.type)]
    assert direct
    released = hn.sanitize(text, method=method, model="fast")
    left = [one for one in direct if re.search(rf"(?<!\w){re.escape(one)}(?!\w)", released)]
    assert left == []
