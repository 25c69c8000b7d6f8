"""sanitize and restore on folders and formats: what is broken is left out and listed, the rest keeps form."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import heteronym as hn
from tests.unit.documents.files import docx, msg, parts_of, pdf, runs

LETTER = "Dear Mrs Whitfield,\r\rborn 3 March 1957.\r\nMrs Whitfield\u2019s file.\n"
PAGE = "<p>Dear <b>Mrs Whit</b>field, born 3&nbsp;March 1957.</p><!-- Mrs Whitfield -->\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "in"
    (made / "sub" / "deep").mkdir(parents=True)
    (made / "letter.txt").write_bytes(LETTER.encode())
    (made / "empty.md").write_bytes(b"")
    (made / "sub" / "letter.txt").write_bytes(LETTER.encode())
    (made / "sub" / "page.html").write_bytes(PAGE.encode())
    (made / "sub" / "deep" / "note.docx").write_bytes(
        docx(runs("Dear Mrs Whit", "field, born 3 March 1957."))
    )
    (made / "sub" / "scan.pdf").write_bytes(pdf(["Dear Mrs Whitfield,", "born 3 March 1957."]))
    (made / "sub" / "data.csv").write_bytes(b"not,a,document\n")
    (made / ".hidden.txt").write_bytes(b"Mrs Whitfield\n")
    return made


def pages_of(path: Path) -> str:
    from pypdf import PdfReader

    text = "".join(page.extract_text() for page in PdfReader(path).pages)
    return re.sub(r" (?=[,.])", "", text).strip()  # its reader takes a change of fonts for a blank


def files_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_folder_comes_out_as_it_went_in(command: Any, folder: Path, tmp_path: Path) -> None:
    out = folder / "clean"  # inside the input: it is not read again
    for _ in range(2):
        done = command("sanitize", folder, "-o", out, "--model", "none", "--overwrite")
        assert done.exit_code == 0, done.err
    assert files_in(out) == {
        "letter.txt", "empty.md", "sub/letter.txt", "sub/page.html", "sub/deep/note.docx", "sub/scan.pdf",
        "sub/data.csv",
    }  # fmt: skip
    assert (out / "letter.txt").read_bytes().decode() == (
        "Dear [PERSON],\r\rborn [DATE].\r\n[PERSON]\u2019s file.\n"
    )
    assert (out / "empty.md").read_bytes() == b""
    assert (out / "sub" / "page.html").read_text() == (
        "<p>Dear <b>[PERSON]</b>, born [DATE].</p><!-- [PERSON] -->\n"
    )
    assert pages_of(out / "sub" / "scan.pdf") == "Dear [PERSON],\nborn [DATE]."
    word = parts_of((out / "sub" / "deep" / "note.docx").read_bytes())["word/document.xml"].decode()
    assert re.sub("<[^>]*>", "", word).strip() == "Dear [PERSON], born [DATE]."
    assert word.count("<w:r>") == 2


def test_what_cannot_be_read_among_many_is_left_out_and_listed(
    command: Any, folder: Path, tmp_path: Path
) -> None:
    (folder / "latin.txt").write_bytes("Mrs Whitfield, Zürich".encode("latin-1"))
    (folder / "sub" / "broken.docx").write_bytes(b"PK\x03\x04 Mrs Whitfield")
    (folder / "sub" / "broken.pdf").write_bytes(b"%PDF-1.7 Mrs Whitfield")
    done = command("sanitize", folder, "-o", tmp_path / "out", "--model", "none", "--json")
    assert done.exit_code == 4
    assert len(done.json["documents"]) == 7
    assert [line.split(":")[0].rsplit("/", 1)[1] for line in done.json["skipped"]] == [
        "latin.txt", "broken.docx", "broken.pdf",
    ]  # fmt: skip
    assert "3 documents were left out" in done.err
    assert "Whitfield" not in done.err + done.out
    alone = command("sanitize", folder / "sub" / "broken.docx", "-o", tmp_path / "alone", "--model", "none")
    assert alone.exit_code == 2
    assert not (tmp_path / "alone").exists()


def test_a_message_and_a_mail_of_one_name_stay_apart(command: Any, tmp_path: Path) -> None:
    (tmp_path / "a.msg").write_bytes(msg({"0037": "Mrs Whitfield"}))
    (tmp_path / "a.eml").write_bytes(b"Subject: Mr Okafor\n\nx\n")
    call = ("sanitize", tmp_path / "a.msg", tmp_path / "a.eml", "-o", tmp_path / "out", "--model", "none")
    assert command(*call).exit_code == 0
    assert files_in(tmp_path / "out") == {"a.eml", "a.msg.eml"}


def test_two_folders_with_equal_names_stay_apart(command: Any, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text("Mr Okafor", "utf-8")
    call = ("sanitize", tmp_path / "one", tmp_path / "two", "-o", tmp_path / "out", "--model", "none")
    assert command(*call).exit_code == 0
    assert files_in(tmp_path / "out") == {"one/a.txt", "two/a.txt"}


def test_original_and_result_stand_side_by_side_for_the_owner_alone(
    command: Any, folder: Path, tmp_path: Path
) -> None:
    (folder / "sly.txt").write_text("Mrs Whitfield <script>alert(1)</script>", "utf-8")
    call = ("sanitize", folder, "-o", tmp_path / "out", "--private", tmp_path / "owner", "--model", "none")
    assert command(*call).exit_code == 0
    page = (tmp_path / "owner" / "side_by_side.html").read_text("utf-8")
    assert (tmp_path / "owner").stat().st_mode & 0o077 == 0
    assert "<del>Mrs Whitfield</del>" in page
    assert "<ins>[PERSON]</ins>" in page
    assert '<html lang="en">' in page
    assert page.count('<th scope="col">') == 2 * 8
    assert "<script" not in page
    assert not re.search(r"(?:src|href)=|@import|url\(", page)
    assert not list((tmp_path / "out").rglob("side_by_side*"))


def test_pseudonyms_come_back_exactly(command: Any, folder: Path, tmp_path: Path) -> None:
    out, owner, back = tmp_path / "out", tmp_path / "owner", tmp_path / "back"
    call = ("sanitize", folder, "-o", out, "--method", "pseudonyms", "--private", owner, "--model", "none")
    assert command(*call).exit_code == 0
    assert all(b"Whitfield" not in (out / name).read_bytes() for name in files_in(out))
    assert command("restore", out, "--private", owner, "-o", back).exit_code == 0
    assert files_in(back) == files_in(out)
    for name in ("letter.txt", "empty.md", "sub/letter.txt"):
        assert (back / name).read_bytes() == (folder / name).read_bytes()
    assert pages_of(back / "sub" / "scan.pdf") == "Dear Mrs Whitfield,\nborn 3 March 1957."
    word = parts_of((back / "sub" / "deep" / "note.docx").read_bytes())["word/document.xml"].decode()
    assert re.sub("<[^>]*>", "", word).strip() == "Dear Mrs Whitfield, born 3 March 1957."


def test_a_document_that_was_changed_since_comes_back_word_by_word(command: Any, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Mrs Whitfield wrote on 3 March 1957.", "utf-8")
    out, owner = tmp_path / "out", tmp_path / "owner"
    call = (
        "sanitize",
        tmp_path / "a.txt",
        "-o",
        out,
        "--method",
        "pseudonyms",
        "--private",
        owner,
        "--model",
        "none",
    )
    assert command(*call).exit_code == 0
    (out / "a.txt").write_text(
        "Summary: " + (out / "a.txt").read_text("utf-8").replace("wrote", "called"), "utf-8"
    )
    done = command("restore", out / "a.txt", "--private", owner, "-o", tmp_path / "back", "--json")
    assert done.json["by_word"] == 1
    assert (tmp_path / "back" / "a.txt").read_text(
        "utf-8"
    ) == "Summary: Mrs Whitfield called on 3 March 1957."
    (out / "foreign.txt").write_text("nothing of this", "utf-8")
    foreign = command("restore", out / "foreign.txt", "--private", owner, "-o", tmp_path / "more")
    assert foreign.exit_code == 2
    assert "the vault knows neither" in foreign.err


def test_a_passphrase_seals_the_vault(
    command: Any, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, owner = tmp_path / "out", tmp_path / "owner"
    call = (
        "sanitize",
        folder / "letter.txt",
        "--method",
        "pseudonyms",
        "--private",
        owner,
        "--model",
        "none",
    )
    monkeypatch.setenv("HETERONYM_PASSPHRASE", "a long one")
    assert command(*call, "-o", out).exit_code == 0
    assert files_in(owner) == {"vault.json"}
    assert b"hitfield" not in (owner / "vault.json").read_bytes().lower()
    again = ("restore", out, "--private", owner, "-o")
    assert command(*again, tmp_path / "back").exit_code == 0
    assert (tmp_path / "back" / "letter.txt").read_bytes() == LETTER.encode()
    monkeypatch.setenv("HETERONYM_PASSPHRASE", "another one")
    wrong = command(*again, tmp_path / "wrong")
    assert (wrong.exit_code, "does not open" in wrong.err) == (2, True)
    assert command(*call, "-o", tmp_path / "more").exit_code == 2
    monkeypatch.delenv("HETERONYM_PASSPHRASE")
    assert command(*again, tmp_path / "wrong").exit_code == 2
    typed = command(*again, tmp_path / "typed", "--passphrase", input="a long one\n")
    assert typed.exit_code == 0, typed.err
    assert not (tmp_path / "wrong").exists()
    assert not (tmp_path / "more").exists()
    assert command("restore", out, "--private", tmp_path / "none", "-o", tmp_path / "wrong").exit_code == 2


def test_python_keeps_a_vault_too(tmp_path: Path) -> None:
    first, second = (
        hn.sanitize("Mrs Whitfield", method="pseudonyms", model="none", private=tmp_path / "owner")
        for _ in range(2)
    )
    assert first == second != "Mrs Whitfield"
    vault = json.loads((tmp_path / "owner" / "vault.json").read_text())
    assert ["NAME", "whitfield", first.split()[1]] in vault["given"]


def test_who_wrote_a_document_is_found_in_all_of_it(command: Any, tmp_path: Path) -> None:
    core = '<c:p xmlns:c="c" xmlns:d="d"><d:creator>Zelda Quimby</d:creator></c:p>'
    (tmp_path / "a.docx").write_bytes(
        docx(runs("as Quimby told; Zelda Quimby left"), {"docProps/core.xml": core})
    )
    for method in ("redact", "pseudonyms"):
        out = tmp_path / method
        call = ("sanitize", tmp_path / "a.docx", "-o", out, "--method", method, "--model", "none")
        assert command(*call).exit_code == 0
        parts = parts_of((out / "a.docx").read_bytes())
        assert not any(b"Quimby" in part for part in parts.values())


def test_without_a_private_folder_the_owner_is_told_that_there_is_no_way_back(
    command: Any, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("Mrs Whitfield", "utf-8")
    call = ("sanitize", tmp_path / "a.txt", "--method", "pseudonyms", "--model", "none")
    assert "nobody can restore" in command(*call, "-o", tmp_path / "out").err
    assert (
        command(
            "sanitize", tmp_path / "a.txt", "-o", tmp_path / "no", "--passphrase", input="x\nx\n"
        ).exit_code
        == 2
    )
