from __future__ import annotations

import random
import string

from heteronym.text.disguises import letters_for_signs, mail_signs, view_of

ODD = [
    "\u00ad",
    "%20",
    "%41",
    "&#97;",
    "&amp;",
    "é",
    "e\u0301",
    "<b>",
    "К",
    "\\u0061",
    "-\n",
    "a b c d",
    "J.o.h.n",
    " ",
]


def test_a_plain_text_has_no_other_view() -> None:
    view = view_of("Nothing odd here, of 17 words - none (at all).", digits=True)
    assert view.before is None
    assert not view.odd


def test_stretches_that_are_as_they_were_are_found_at_their_place() -> None:
    """Between rewritten stretches a view has the characters of the text, and says where they stand."""
    rng = random.Random(5)
    for _ in range(300):
        words = ["".join(rng.choices(string.ascii_lowercase, k=7)) for _ in range(6)]
        text = " ".join(part for word in words for part in (word, "".join(rng.choices(ODD, k=2))))
        view = view_of(text, digits=True)
        for word in words:
            at = view.text.find(word)
            if at >= 0 and all(end <= at or start >= at + len(word) for start, end in view.odd):
                start, end = view.back(at, at + len(word))
                assert text[start:end] == word


def test_windows_hold_whatever_is_odd() -> None:
    rng = random.Random(6)
    for _ in range(300):
        gaps = [
            "".join(rng.choices(string.ascii_lowercase + " ", k=rng.choice([3, 90, 300]))) for _ in range(5)
        ]
        text = "".join(part for gap in gaps for part in (gap, rng.choice(ODD)))
        for view in (view_of(text), letters_for_signs(view_of(text)), mail_signs(view_of(text))):
            held = {i for start, part in view.windows() for i in range(start, start + len(part))}
            assert all(view.text[start : start + len(part)] == part for start, part in view.windows())
            assert all(set(range(start, end)) <= held for start, end in view.odd)
