"""The cache believes only what it wrote itself, for the rules that are in force."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from pathlib import Path

import pytest

from heteronym.model.mention import Span
from heteronym.text import cache as room
from heteronym.text.cache import SpanCache, fingerprint
from heteronym.text.recognizers.patterns import Patterns
from heteronym.text.recognizers.words import Words

SPAN = Span(0, 3, "PERSON", 1.0, "words", "word list")


def entries(folder: Path) -> list[tuple[bytes, bytes]]:
    with sqlite3.connect(folder / "spans.sqlite") as base:
        return base.execute("select hash, found from spans").fetchall()


def replace(folder: Path, found: bytes) -> None:
    base = sqlite3.connect(folder / "spans.sqlite")
    base.execute("update spans set found = ?", (found,))
    base.commit()
    base.close()


@pytest.mark.parametrize("forged", ["empty", "unsealed", "short", "of another"])
def test_an_entry_that_others_wrote_is_not_believed(forged: str, tmp_path: Path) -> None:
    cache = SpanCache(tmp_path)
    one, two = cache.hash_of("Ann", "r"), cache.hash_of("Bob", "r")
    cache.put([(one, [SPAN])])
    sealed = entries(tmp_path)[0][1]
    hidden = json.dumps([]).encode()
    replace(
        tmp_path,
        {"empty": b"", "unsealed": hidden, "short": sealed[:-1], "of another": sealed[:16] + hidden}[forged],
    )
    assert cache.get([one]) == {}
    cache.put([(two, [])])
    assert cache.get([two]) == {two: []}
    cache.close()


def test_an_entry_cannot_be_moved_to_another_text(tmp_path: Path) -> None:
    cache = SpanCache(tmp_path)
    one, two = cache.hash_of("Ann", "r"), cache.hash_of("nobody", "r")
    cache.put([(two, [])])
    base = sqlite3.connect(tmp_path / "spans.sqlite")
    base.execute("update spans set hash = ?", (one,))
    base.commit()
    base.close()
    assert cache.get([one]) == {}
    cache.close()


def test_the_files_are_the_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        cache = SpanCache(tmp_path / "c")
        cache.put([(cache.hash_of("Ann", "r"), [SPAN])])
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "c").iterdir()}
        cache.close()
    finally:
        os.umask(before)
    assert set(modes.values()) == {0o600}


def test_word_lists_of_one_length_are_told_apart() -> None:
    one, two = Words({"TEAM": ("Reds", "Blues")}), Words({"TEAM": ("Reds", "Greens")})
    assert repr(one) == repr(two)
    assert fingerprint(one) != fingerprint(two)
    assert fingerprint(one) == fingerprint(Words({"TEAM": ("Reds", "Blues")}))


def test_patterns_are_told_apart() -> None:
    assert fingerprint(Patterns({"JOB": "a+"})) != fingerprint(Patterns({"JOB": "b+"}))


def test_a_changed_rule_of_the_program_changes_the_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(Patterns({"JOB": "a+"}))
    monkeypatch.setattr(room, "_rules_of_the_program", lambda: "others")
    assert fingerprint(Patterns({"JOB": "a+"})) != before


def test_the_rules_of_the_program_are_read_from_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("text", "knowledge", "model"):
        (tmp_path / name).mkdir()
    (tmp_path / "text" / "rules.py").write_text("a")
    monkeypatch.setattr(room, "files", lambda package: tmp_path)
    digests = []
    for content in ("a", "b", "a"):
        (tmp_path / "text" / "rules.py").write_text(content)
        digests.append(room._rules_of_the_program.__wrapped__())
    assert digests[0] == digests[2] != digests[1]


@pytest.mark.parametrize("weights", ["accurate/model.onnx", "fast/ner/model"])
def test_other_weights_beside_unchanged_settings_meet_no_old_entries(
    weights: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "text" / "models" / weights
    path.parent.mkdir(parents=True)
    (path.parent / "config.json").write_text("{}")
    monkeypatch.setattr(room, "files", lambda package: tmp_path)
    digests = []
    for content in (b"a", b"b", b"a"):
        path.write_bytes(content)
        digests.append(room._rules_of_the_program.__wrapped__())
    assert digests[0] == digests[2] != digests[1]
