"""Patterns from kept numbers are the patterns that Python would make."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from heteronym.text import own_patterns
from heteronym.text.lexicon import lexicon

PACKS = sorted(
    (path.parent.name, path.name.removesuffix(".toml"))
    for path in Path(str(files("heteronym.knowledge"))).glob("*/*.toml")
)
TEXT = "Dr Anna Berg (36), a nurse from Ulm, rang +49 731 5550 12 on 3 May 2021"
TEXT += " IBAN DE02 1203 0000 0000 2020 51."


def test_every_rule_of_the_packs_is_the_same_pattern(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HETERONYM_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(own_patterns, "_known", {})
    seen = 0
    for language, name in PACKS:
        pack = lexicon(name, language)
        expressions = [pack.expanded(row["pattern"]) for row in pack.rows("rules") if "pattern" in row]
        for _ in range(2):  # made, then read
            own_patterns._known.clear()
            own_patterns.make_known(expressions)
            for expression in expressions:
                own_patterns.compiled.cache_clear()
                found, wanted = own_patterns.compiled(expression), re.compile(expression)
                assert found == wanted  # flags, code and text
                assert (found.groups, found.groupindex) == (wanted.groups, wanted.groupindex)
                assert [m.span() for m in found.finditer(TEXT)] == [m.span() for m in wanted.finditer(TEXT)]
                seen += 1
    assert seen > 400


def test_patterns_of_others_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HETERONYM_CACHE_DIR", str(tmp_path))
    assert own_patterns.compiled("Anna (?P<m>Berg)").search("Anna Berg")
    assert list(tmp_path.iterdir()) == []
