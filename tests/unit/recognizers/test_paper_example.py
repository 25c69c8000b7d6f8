"""The running example of paper 000 (Tables 1 and 4), without any word list or pattern of the owner."""

from __future__ import annotations

import pytest

from heteronym.text.combine import pipeline
from heteronym.text.entity_types import is_sensitive
from heteronym.text.models.pipelines import model_folder

ROWS = {
    "My name is Pedro, I'm a 36 years old engineer from Mexico.": {
        ("PERSON", "Pedro"),
        ("AGE", "36 years old"),
        ("JOB", "engineer"),
        ("GPE", "Mexico"),
    },
    "A quick follow up: I will post updates about my education in more detail.": set(),
    "I will start working for a big tech company as an engineer.": {("JOB", "engineer")},
    "During my last business trip to Canada I met my friend Ben from college.": {
        ("GPE", "Canada"),
        ("PERSON", "Ben"),
    },
    "As a scientist from the UK, you can be proud!": {("JOB", "scientist"), ("GPE", "UK")},
    "Four days ago, I started my blog. Stay tuned for more content.": {("DATE", "Four days ago")},
    "2004 will be a great year for science and for my career as a biologist.": {
        ("DATE", "2004"),
        ("JOB", "biologist"),
    },
    "Did you know that Pisces is the last constellation of the zodiac.": set(),
    "Rainy weather again here in the UK. I hope you all have a good day!": {("GPE", "UK")},
}


@pytest.mark.parametrize("model", ["none", "accurate", "fast"])
def test_the_paper_s_terms_are_found(model: str) -> None:
    if model != "none" and not model_folder(model).is_dir():
        pytest.skip(f"the weights of '{model}' are not in this checkout")
    texts = list(ROWS)
    found = [
        {(s.type, text[s.start : s.end]) for s in spans if is_sensitive(s.type)}
        for text, spans in zip(texts, pipeline(model).recognize(texts))
    ]
    assert found == list(ROWS.values())
