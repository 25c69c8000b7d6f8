"""Where the auditor sees a masked spelling stand: whole words and whole numbers."""

from __future__ import annotations

import pytest

from heteronym.verify.missed import _standing


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("aged 38, well", True),
        ("at 38.", True),
        ("38, then home", True),
        ("T 38.1, well", False),
        ("BP 99/38 today", False),
        ("1,38 litres", False),
        ("at 10:38", False),
        ("138 or 380", False),
        ("[38-40]", False),
    ],
)
def test_a_masked_number_stands_only_as_a_whole_number(text: str, stands: bool) -> None:
    assert bool(list(_standing(text, {"38": {"38": "AGE"}}))) is stands


def test_a_masked_name_stands_before_a_point() -> None:
    text = "I saw Ann. Ann-Marie came."
    assert [text[start:end] for start, end, _ in _standing(text, {"Ann": {"Ann": "PERSON"}})] == [
        "Ann",
        "Ann",
    ]
