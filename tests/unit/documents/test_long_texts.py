"""Long texts, small units and many bits: search and audit grow with the text, and nothing overflows."""

from __future__ import annotations

import pytest

from heteronym.api.sanitize import documents_of, sanitized
from heteronym.documents._plausible_audit import _units
from heteronym.documents._plausible_words import units_of
from heteronym.documents.plausibility import Plausibility
from heteronym.model.edit import edited
from heteronym.model.plan import TextPlan

NOUNS = "asthma violin carpenter lettuce trumpet surgeon limestone penguin cathedral saxophone".split()


@pytest.mark.parametrize("parameters", [{"bits": 3.0}, {"unit": "sentence", "t": 10}, {"unit": "paragraph"}])
def test_long_texts_pass_their_audit(parameters: dict[str, object]) -> None:
    sentences = [f"The {NOUNS[i % 10]} met a {NOUNS[(3 * i + 1) % 10]} near the harbour." for i in range(120)]
    text = "\n\n".join(" ".join(sentences[i : i + 6]) for i in range(0, 120, 6))
    [document] = documents_of([text], TextPlan(model="none"))
    method = Plausibility(**parameters)  # type: ignore[arg-type]
    out = sanitized([document], lambda: method)
    assert method.audit(document, edited(text, out.result.edits[0])).holds


def test_more_bits_than_a_float_holds() -> None:
    from heteronym.documents._plausible import count_of_bits

    assert count_of_bits(4500.5) == 1 << 4501


def test_both_readers_cut_sentences_alike() -> None:
    text = (
        'Dr. Voss came (at 3 p.m.). "Why?" he asked. St. Ives is far... Mr. Q. Lee left!\nYes. No. 7 is free.'
    )
    [document] = documents_of([text], TextPlan(model="none"))
    assert units_of(document, "sentence") == _units(document, "sentence")
    assert len(units_of(document, "sentence")) >= 6
