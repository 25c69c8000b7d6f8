"""analyze, and sanitize by assertions: what the owner sees, what leaves the house, and what never does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

TEXT = "Mary is in London. John saw Mary's uncle, Jim, in Paris.\n"
OTHER = "Mary has cancer. Write to mary@example.org.\n"


@pytest.fixture
def documents(tmp_path: Path) -> list[Path]:
    made = [tmp_path / "one.txt", tmp_path / "two.txt"]
    for path, text in zip(made, (TEXT, OTHER)):
        path.write_text(text, "utf-8")
    return made


def test_analyze_says_who_and_what(command: Any, documents: list[Path]) -> None:
    done = command("analyze", *documents, "--model", "fast")
    assert done.exit_code == 0
    assert "(Jim, Proprietor is an uncle of someone)" in done.out
    assert "Mary: 3 statements, level 3 (health" in done.out
    assert "instead: Mary has a condition." in done.out


def test_json_holds_class_proprietors_and_canonical_forms(command: Any, documents: list[Path]) -> None:
    told = command("analyze", documents[0], "--model", "fast", "--json").json
    first, second = told["documents"][0]["assertions"]
    assert (first["class"], first["proprietors"]) == ("atomic", ["Mary"])
    assert (second["class"], second["proprietors"]) == ("compound", ["John", "Mary", "Jim"])
    assert told["documents"][0]["identities"] == ["Mary", ["John", "Mary", "Jim"]]


def test_the_private_folder_has_the_lists_a_page_and_restores(
    command: Any, documents: list[Path], tmp_path: Path
) -> None:
    owner = tmp_path / "owner"
    assert command("analyze", *documents, "--model", "fast", "-q", "--private", owner).exit_code == 0
    assert owner.stat().st_mode & 0o777 == 0o700
    page = (owner / "analysis.html").read_text("utf-8")
    assert "http" not in page
    assert "Mary" in page
    open_files = (owner / "zero.json").read_text("utf-8") + (owner / "pointers.json").read_text("utf-8")
    assert not [name for name in ("Mary", "John", "Jim", "mary@example.org") if name in open_files]
    assert "London" in open_files
    assert command("analyze", "--private", owner, "--restore", tmp_path / "back").exit_code == 0
    assert (tmp_path / "back" / "one.txt").read_text("utf-8") == TEXT
    assert (tmp_path / "back" / "two.txt").read_text("utf-8") == OTHER


def test_a_passphrase_seals_what_names_persons(command: Any, documents: list[Path], tmp_path: Path) -> None:
    owner = tmp_path / "owner"
    call = ("analyze", *documents, "--model", "fast", "-q", "--private", owner, "--passphrase", "secret")
    assert command(*call).exit_code == 0
    assert not [path.name for path in owner.iterdir() if b"Mary" in path.read_bytes()]
    wrong = command("analyze", "--private", owner, "--restore", tmp_path / "back", "--passphrase", "guess")
    assert wrong.exit_code == 2
    assert not (tmp_path / "back").exists()


def test_nobody_in_a_text_is_said(command: Any, tmp_path: Path) -> None:
    path = tmp_path / "plain.txt"
    path.write_text("The bridge is closed.\n", "utf-8")
    done = command("analyze", path, "--model", "fast")
    assert done.exit_code == 0
    assert "No individual is referred to" in done.out


def test_a_table_says_which_rows_tell_of_others_and_no_value(command: Any, tmp_path: Path) -> None:
    data = tmp_path / "posts.csv"
    data.write_text('id,text\n1,"I like tea."\n2,"My sister Anna has cancer."\n3,"It rains."\n', "utf-8")
    plan = tmp_path / "plan.yaml"
    plan.write_text(
        "version: 1\nattributes:\n  id: {role: identifier}\n  text: {role: text}\n"
        "privacy: [{model: k-anonymity, k: 2}]\n",
        "utf-8",
    )
    told = command("analyze", data, "-c", plan, "--model", "fast", "--json").json
    assert [row["about_others"] for row in told["rows"]] == [0, 1, 0]
    assert told["rows"][1]["level"] == 3
    assert told["rows"][0]["about_author"] == 1
    shown = command("analyze", data, "-c", plan, "--model", "fast").out
    assert "1 of 3 texts tell private facts of people other than their author" in shown
    assert "texts tell of their own author" in shown
    assert "Anna" not in shown + json.dumps(told)


@pytest.mark.parametrize(
    ("options", "one", "two"),
    [
        ((), "X is in London. Y saw X's uncle, Z, in Paris.\n", "X has cancer. Write to [MAIL].\n"),
        (("--by", "content", "--level", "3"), TEXT,
         "There is a statement about Mary. Write to mary@example.org.\n"),
        (("--persons", "Jim"), "Mary is in London. John saw Mary's uncle, Z, in Paris.\n", None),
        (("--by", "both"), "There is a statement about someone. There is a statement about someone.\n", None),
    ],
)  # fmt: skip
def test_sanitize_by_assertions(
    options: tuple[str, ...], one: str, two: str | None, command: Any, documents: list[Path], tmp_path: Path
) -> None:
    out = tmp_path / "clean"
    done = command("sanitize", *documents, "-o", out, "--method", "assertions", "--model", "fast", *options)
    assert done.exit_code == 0
    assert (out / "one.txt").read_text("utf-8") == one
    if two is not None:
        assert (out / "two.txt").read_text("utf-8") == two


def test_pseudonyms_are_the_same_in_all_documents(
    command: Any, documents: list[Path], tmp_path: Path
) -> None:
    out = tmp_path / "clean"
    call = ("sanitize", *documents, "-o", out, "--method", "assertions", "--naming", "pseudonyms")
    assert command(*call, "--model", "fast").exit_code == 0
    one, two = ((out / name).read_text("utf-8") for name in ("one.txt", "two.txt"))
    assert one.split()[0] == two.split()[0] != "Mary"
    assert "Mary" not in one + two


def test_a_person_who_does_not_occur_is_refused(command: Any, documents: list[Path], tmp_path: Path) -> None:
    call = ("sanitize", documents[0], "-o", tmp_path / "clean", "--method", "assertions", "--persons", "Zoe")
    done = command(*call, "--model", "fast")
    assert done.exit_code == 2
    assert "Zoe" not in done.err
    assert not (tmp_path / "clean").exists()


def test_the_audit_finds_a_name_that_was_left() -> None:
    from heteronym.api.sanitize import documents_of
    from heteronym.documents.assertions import RewrittenAssertions
    from heteronym.model.plan import TextPlan

    (document,) = documents_of([TEXT], TextPlan(model="fast"))
    assert RewrittenAssertions().audit(document, "X is in London. Y saw X's uncle, Jim.").holds is False
    assert RewrittenAssertions().audit(document, "X is in London. Y saw X's uncle, Z.").holds is True
    assert RewrittenAssertions(by="content").audit(document, TEXT).holds is False
    assert RewrittenAssertions(persons="Jim").audit(document, "Mary saw Z.").holds is True
