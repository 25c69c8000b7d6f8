"""Every row of every language pack finds its example and leaves its counter-example alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import heteronym.knowledge
from heteronym.registry import recognizers
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.rows import rules_of
from heteronym.text.rule import Rule, find

recognizers.names()  # checks stand beside the readers
PACKS = Path(heteronym.knowledge.__path__[0])


def rows() -> list[tuple[str, Rule, str, str]]:
    """File and rule, with the example and the counter-example of its row."""
    found = []
    for path in sorted(PACKS.glob("??/*.toml")):
        language, file = path.parent.name, path.stem
        told = lexicon(file, language).rows("rules")
        found += [
            (f"{language}/{file}", rule, row["finds"], row["leaves"])
            for row, rule in zip(told, rules_of(file, language) if told else (), strict=True)
        ]
    return found


ROWS = rows()
NAMES = [f"{file}: {rule.name}" for file, rule, _, _ in ROWS]


@pytest.mark.parametrize(("file", "rule", "finds", "leaves"), ROWS, ids=NAMES)
def test_a_row_finds_its_example_and_leaves_its_counter_example(
    file: str, rule: Rule, finds: str, leaves: str
) -> None:
    start, end = finds.index("⟦"), finds.index("⟧") - 1
    spans = find([re.sub("[⟦⟧]", "", finds)], (rule,), source=file)[0]
    assert (start, end) in {(span.start, span.end) for span in spans}
    assert find([leaves], (rule,), source=file) == [[]]
