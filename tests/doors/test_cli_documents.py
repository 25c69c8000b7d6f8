"""scan and sanitize on single documents: exact offsets, nothing left standing, all or nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import heteronym as hn
from heteronym.model.plan import TextPlan

LETTER = (
    "Dear Mrs Whitfield,\n\nyou were born on 3 March 1957. Write to jane@example.org.\n"
    "Mrs Whitfield’s file.\n"
)
OTHER = "Mr Okafor called on 12 May 2020. His number: +44 1584 872345.\n"


@pytest.fixture
def documents(tmp_path: Path) -> list[Path]:
    made = [tmp_path / "letter.txt", tmp_path / "other.txt"]
    for path, text in zip(made, (LETTER, OTHER)):
        path.write_text(text, "utf-8")
    return made


def mentions(output: str) -> list[dict[str, Any]]:
    *lines, last = [json.loads(line) for line in output.splitlines()]
    assert set(last) == {"covered", "digest"}
    return lines


@pytest.mark.parametrize("model", ["none", "fast", "accurate"])
def test_scan_gives_exact_offsets_and_no_text(model: str, command: Any, documents: list[Path]) -> None:
    done = command("scan", *documents, "--model", model)
    assert done.exit_code == 0
    found = mentions(done.out)
    assert {m["file"] for m in found} == {str(path) for path in documents}
    texts = {str(path): path.read_text("utf-8") for path in documents}
    surfaces = {texts[m["file"]][m["start"] : m["end"]] for m in found}
    assert {"Mrs Whitfield", "3 March 1957", "jane@example.org", "12 May 2020"} <= surfaces
    assert all(set(m) == {"file", "start", "end", "type", "score", "source"} for m in found)
    assert "Whitfield" not in done.out
    assert json.loads(done.out.splitlines()[-1])["covered"] == {"files": [str(path) for path in documents]}


def test_the_cache_answers_a_second_scan(command: Any, documents: list[Path], tmp_path: Path) -> None:
    call = ("scan", *documents, "--model", "none", "--cache", tmp_path / "cache")
    first, second = command(*call), command(*call)
    assert first.out == second.out
    assert b"Whitfield" not in (tmp_path / "cache" / "spans.sqlite").read_bytes()


def test_sanitize_leaves_nothing_that_was_found(command: Any, documents: list[Path], tmp_path: Path) -> None:
    done = command("sanitize", *documents, "-o", tmp_path / "clean", "--model", "none")
    assert done.exit_code == 0
    clean = (tmp_path / "clean" / "letter.txt").read_text("utf-8")
    assert clean == "Dear [PERSON],\n\nyou were born on [DATE]. Write to [MAIL].\n[PERSON]’s file.\n"
    assert "Okafor" not in (tmp_path / "clean" / "other.txt").read_text("utf-8")


def test_a_plan_says_what_counts_in_documents(command: Any, documents: list[Path], tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("file\n", "utf-8")
    (tmp_path / "plan.yaml").write_text(
        "attributes: {text: {role: text}}\nprivacy: [{model: k-anonymity, k: 2}]\n"
        "text: {model: none, words: {THING: words.txt}, entities: [THING], direct: [MAIL]}\n",
        "utf-8",
    )
    call = ("sanitize", documents[0], "-o", tmp_path / "clean", "-c", tmp_path / "plan.yaml")
    assert command(*call).exit_code == 0
    clean = (tmp_path / "clean" / "letter.txt").read_text("utf-8")
    assert clean == LETTER.replace("jane@example.org", "[MAIL]").replace("file", "[THING]")


def test_wrong_input_is_refused_and_nothing_is_written(
    command: Any, documents: list[Path], tmp_path: Path
) -> None:
    folder = tmp_path / "clean"
    (tmp_path / "latin.txt").write_bytes("Zürich".encode("latin-1"))
    (tmp_path / "empty").mkdir()
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "letter.txt").write_text(LETTER, "utf-8")
    refused = (
        ("sanitize", tmp_path / "latin.txt", "-o", folder, "--model", "none"),
        ("sanitize", tmp_path / "empty", "-o", folder, "--model", "none"),
        ("sanitize", documents[0], "-o", folder, "--style", "placeholders"),
        ("sanitize", documents[0], "-o", folder, "--method", "pseudonyms", "--style", "silly"),
        ("sanitize", documents[0], "-o", folder, "--method", "pseudonyms", "--private", folder / "in"),
        ("sanitize", documents[0], tmp_path / "absent.txt", "-o", folder, "--model", "none"),
        ("sanitize", documents[0], tmp_path / "more" / "letter.txt", "-o", folder, "--model", "none"),
        ("sanitize", documents[0], "-o", tmp_path, "--overwrite", "--model", "none"),
        ("sanitize", documents[0], "-o", folder, "--method", "redakt"),
        ("sanitize", documents[0], "-o", folder, "--model", "fsat"),
    )
    for call in refused:
        done = command(*call)
        assert done.exit_code == 2, call
        assert "Whitfield" not in done.out + done.err
    assert not folder.exists()


def test_python_can_run_the_package() -> None:
    done = subprocess.run([sys.executable, "-m", "heteronym", "--version"], capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stdout.startswith("heteronym")


def test_explain_shows_the_text_with_source_and_rule_of_every_mention(command: Any, tmp_path: Path) -> None:
    text = "Mr Smith <b>wrote</b> & left.\nPhone: 555-0123-456.\n"
    (tmp_path / "a.txt").write_text(text)
    call = ("scan", tmp_path / "a.txt", "--model", "none", "--explain")
    done = command(*call, "--private", tmp_path / "own")
    spans = hn.scan(text, plan=TextPlan(model="none"))
    assert len(spans) == 2
    for number, span in enumerate(spans, 1):
        assert f"{text[span.start : span.end]}[{number}]" in done.out
        line = next(line for line in done.out.splitlines() if line.split()[:2] == [str(number), span.type])
        assert line.endswith(f"{span.source}, {span.rule}")
    page = (tmp_path / "own" / "marked.html").read_text()
    assert "Mr Smith<small>1</small>" in page
    assert "&lt;b&gt;wrote&lt;/b&gt; &amp; left." in page
    assert all(span.rule in page for span in spans)
    assert (tmp_path / "own" / "marked.html").stat().st_mode & 0o077 == 0
    # the mentions file is as without, and a page without its owner's folder is refused
    told = command("scan", tmp_path / "a.txt", "--model", "none").out
    command(*call, "-q", "-o", tmp_path / "found.jsonl")
    assert (tmp_path / "found.jsonl").read_text() == told
    assert command(*call[:-1], "--private", tmp_path / "own2").exit_code == 2
    assert not (tmp_path / "own2").exists()


def test_explain_of_a_table_marks_each_text(command: Any, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("age,note\n30,Mr Smith came.\n31,Nothing here.\n32,See Mrs Jones.\n")
    (tmp_path / "plan.yaml").write_text(
        "attributes: {age: {role: quasi}, note: {role: text}}\ntext: {model: none}\n"
        "privacy: {model: k-anonymity, k: 2}\n"
    )
    done = command("scan", tmp_path / "t.csv", "-c", tmp_path / "plan.yaml", "--explain")
    assert "row 1, note" in done.out
    assert "row 3, note" in done.out
    assert "row 2, note" not in done.out
    assert "See Mrs Jones[1]." in done.out
    assert "2 mentions in 2 texts" in done.out
