# ruff: noqa: E501 -- markup is planted in one piece
"""A name, a number and a mail address planted in every place of a document: gone, or the file is refused.

The result is read with zipfile and regular expressions, not with the program's own readers.
"""

from __future__ import annotations

import base64
import html
import io
import os
import re
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import pytest
from pypdf import PdfReader

import heteronym as hn
from tests.unit.documents.files import docx, pdf, runs

NAME, OTHER = "Jane Whitfield", "Whitfield"
MAIL = "jane.whitfield@clinic.org"
TOLD = f"Mrs {NAME} wrote to {MAIL}."
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
VML = 'xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'


def workbook() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as package:
        package.writestr("xl/sharedStrings.xml", f"<sst><si><t>{TOLD}</t></si></sst>")
        package.writestr("xl/workbook.xml", f'<workbook><sheets><sheet name="{NAME}"/></sheets></workbook>')
    return made.getvalue()


# place -> (XML in the body, further parts)
PLACES: dict[str, tuple[str, dict[str, Any]]] = {
    "watermark": ("", {"word/header1.xml": f'<w:hdr {W} {VML}><v:shape alt="x"><v:textpath string="{TOLD}"/></v:shape></w:hdr>'}),
    "shape alt": (f'<w:pict {VML}><v:shape alt="{TOLD}"/></w:pict>', {}),
    "alternative text": (f'<wp:docPr xmlns:wp="wp" id="1" name="Picture of {NAME}" descr="{TOLD}" title="{TOLD}"/>', {}),
    "form field": (f'<w:ffData><w:name w:val="Text1"/><w:helpText w:type="text" w:val="{TOLD}"/><w:statusText w:val="{TOLD}"/>'
                   f'<w:textInput><w:default w:val="{TOLD}"/></w:textInput><w:ddList><w:listEntry w:val="{NAME}"/></w:ddList></w:ffData>', {}),
    "content control": (f'<w:sdt><w:sdtPr><w:alias w:val="{TOLD}"/><w:tag w:val="{NAME}"/><w:dropDownList>'
                        f'<w:listItem w:displayText="{TOLD}" w:value="{NAME}"/></w:dropDownList></w:sdtPr>'
                        f"<w:sdtContent>{runs(TOLD)}</w:sdtContent></w:sdt>", {}),
    "custom data": ("", {"customXml/item1.xml": f'<r a="{TOLD}"><name>{NAME}</name><!-- {TOLD} --><?note {TOLD}?></r>'}),
    "chart": ("", {"word/charts/chart1.xml": f'<c:chart xmlns:c="c" xmlns:a="a"><a:p><a:t>{TOLD}</a:t></a:p><c:cat><c:v>{NAME}</c:v></c:cat></c:chart>',
                   "word/embeddings/book.xlsx": workbook()}),
    "altChunk page": ("", {"word/afchunk.htm": f"<html><body title='{TOLD}'>{TOLD}</body></html>"}),
    "altChunk document": ("", {"word/afchunk.docx": docx(runs(TOLD))}),
    "altChunk text": ("", {"word/afchunk.txt": TOLD}),
    "properties": ("", {"docProps/core.xml": f'<c:p xmlns:c="c" xmlns:d="d"><d:creator>{NAME}</d:creator><d:subject>{TOLD}</d:subject></c:p>',
                        "docProps/app.xml": f"<P><Manager>{NAME}</Manager><Template>{NAME}.dotm</Template></P>",
                        "docProps/custom.xml": f'<P><property name="{NAME}"><lpwstr>{TOLD}</lpwstr></property></P>'}),
    "link": ("", {"word/_rels/document.xml.rels": f'<R xmlns="r"><S Target="mailto:{MAIL}?subject={quote(NAME)}" TargetMode="External"/></R>'}),
    "settings": ("", {"word/settings.xml": f'<w:settings {W}><w:docVars><w:docVar w:name="{NAME}" w:val="{TOLD}"/></w:docVars>'
                                           f'<w:mailMerge><w:query w:val="SELECT {NAME}"/></w:mailMerge></w:settings>'}),
    "tracked change": (f'<w:p><w:del w:author="{NAME}" w:date="2019-12-24T10:00:00Z"><w:r><w:delText>{TOLD}</w:delText></w:r></w:del></w:p>', {}),
    "field": (f'<w:p><w:r><w:instrText>HYPERLINK "mailto:{MAIL}"</w:instrText></w:r></w:p><w:fldSimple w:instr="AUTHOR {NAME}"/>', {}),
    "text box": (f"<w:pict {VML}><v:textbox><w:txbxContent>{runs(TOLD)}</w:txbxContent></v:textbox></w:pict>", {}),
    "SmartArt": ("", {"word/diagrams/data1.xml": f'<dgm:d xmlns:dgm="d" xmlns:a="a"><dgm:pt><dgm:prSet phldrT="{NAME}"/><a:p><a:t>{TOLD}</a:t></a:p></dgm:pt></dgm:d>'}),
    "people": ("", {"word/people.xml": f'<w15:people xmlns:w15="p"><w15:person w15:author="{NAME}"><w15:presenceInfo w15:userId="{MAIL}"/></w15:person></w15:people>'}),
    "glossary": ("", {"word/glossary/document.xml": f'<w:g {W}><w:docPartPr><w:name w:val="{NAME}"/><w:description w:val="{TOLD}"/></w:docPartPr>{runs(TOLD)}</w:g>'}),
    "bookmark": (f'<w:bookmarkStart w:id="0" w:name="{NAME.replace(" ", "_")}"/>' + runs(TOLD), {}),
    "notes": ("", {f"word/{part}.xml": f"<w:n {W}>{runs(TOLD)}</w:n>" for part in ("footnotes", "endnotes", "comments", "footer2")}),
    "unknown attribute": (f'<x:y xmlns:x="x" x:never="{TOLD}"/>', {}),
    "unknown part": ("", {"word/strange.xml": f"<a>{TOLD}<b><![CDATA[{TOLD}]]></b></a>"}),
    "split runs": (runs("Mrs Jane Whit", "field wrote to ja", f"{MAIL[2:]}."), {}),
    "picture of lines": ("", {"word/media/image1.svg": f"<svg><title>{TOLD}</title><text>{NAME}</text></svg>"}),
}  # fmt: skip


def every_byte(content: bytes) -> list[str]:
    """All members of all packages as text, with references and escapes read and without tags."""
    found = []
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            for name in package.namelist():
                found += [name, *every_byte(package.read(name))]
        return found
    if content[:5] == b"%PDF-":
        reader = PdfReader(io.BytesIO(content))
        said = "\n".join(page.extract_text() for page in reader.pages)
        return [
            said,
            *(repr(reader.get_object(number)) for number in range(1, len(reader.xref_objStm) + 400)),
        ]
    text = content.decode("utf-8", "replace")
    found += [text, re.sub(r"<[^>]*>", "", text)]
    for run in re.findall(r"[A-Za-z0-9+/]{16,}={0,2}", text):
        try:
            found.append(base64.b64decode(run).decode("utf-8"))
        except ValueError:
            continue
    return [html.unescape(unquote(one)) for one in found]


def leaks(content: bytes) -> bool:
    return any(
        re.search(r"whit\W*field|clinic\.org|24 December|2019-12-24", one, re.I)
        for one in every_byte(content)
    )


@pytest.mark.parametrize("method", ["redact", "pseudonyms"])
@pytest.mark.parametrize("place", PLACES)
def test_nothing_planted_in_a_word_file_is_left(place: str, method: str, tmp_path: Path) -> None:
    body, parts = PLACES[place]
    (tmp_path / "a.docx").write_bytes(docx(runs("A letter.") + body, parts))
    assert leaks((tmp_path / "a.docx").read_bytes())
    done = hn.sanitize(
        tmp_path / "a.docx", output=tmp_path / "out", method=method, model="none", private=tmp_path / "own"
    )
    assert not leaks((tmp_path / "out" / "a.docx").read_bytes())
    assert done.to_dict()["verdict"] == "sanitized"
    if method == "pseudonyms":
        hn.restore(tmp_path / "out" / "a.docx", private=tmp_path / "own", output=tmp_path / "back")
        original, back = (text_of(tmp_path / name / "a.docx") for name in (".", "back"))
        assert back == original


def text_of(path: Path) -> str:
    from heteronym.io.formats import open_document

    return open_document(path).text


CODED = base64.b64encode(f"<p>{TOLD}</p>".encode()).decode()
PAGES = {
    "srcdoc": f'<iframe srcdoc="{html.escape(f"<p title=x>{TOLD}</p>")}"></iframe>',
    "link": f'<a href="mailto:{MAIL}">x</a><a href="https://x.org/?q={quote(TOLD)}">y</a>',
    "relative link": f'<p>{TOLD}</p><a href="patients/jane-whitfield.html">x</a><img src="../img/Jane%20Whitfield.png">',
    "action": f'<form action="/find?name=Jane+Whitfield&amp;m={MAIL}"><input value="{TOLD}"></form><p>{TOLD}</p>',
    "download": f'<a href="x" download="{TOLD}">x</a>',
    "aria": f'<b aria-label="{TOLD}" aria-description="{NAME}" aria-valuetext="{TOLD}">x</b><p>{TOLD}</p>',
    "attributes": f'<p title="{TOLD}" data-patient="{TOLD}"><img alt="{TOLD}"><input placeholder="{TOLD}" value="{TOLD}"></p>',
    "unknown attribute": f'<x-card holder="{TOLD}" v-bind:text="{TOLD}"></x-card>',
    "meta": f'<meta name="description" content="{TOLD}"><meta name="author" content="Mrs {NAME}">',
    "comment": f"<!-- {TOLD} --><!--[if mso]><p>{TOLD}</p><![endif]-->",
    "instruction": f"<?php {TOLD} ?><?xml-stylesheet href='{TOLD}'?>",
    "script": f"<script>var who = \"{TOLD}\"; // {TOLD}\n/* {TOLD} */ f('{TOLD}', `{TOLD}`);</script>",
    "escaped script": '<script>var who = "Mrs J\\u0061ne Whitfield wrote to jane\\x2ewhitfield@clinic.org";</script>',
    "handler": f'<b onclick="alert(&quot;{TOLD}&quot;)">x</b><a href="javascript:say(\'{TOLD}\')">y</a>',
    "JSON-LD": f'<script type="application/ld+json">{{"@type": "Person", "name": "Mrs {NAME}", "email": "{MAIL}"}}</script>',
    "style": f'<style>p::after {{ content: "{TOLD}"; }} /* {TOLD} */</style><p style="--x: \'{TOLD}\'">x</p>',
    "template": f"<template><p>{TOLD}</p></template><noscript>{TOLD}</noscript>",
    "svg": f"<svg><title>{TOLD}</title><desc>{TOLD}</desc><text>Mrs Jane <tspan>Whitfield</tspan></text></svg>",
    "data page": f'<iframe src="data:text/html;base64,{CODED}"></iframe><a href="data:text/html,{quote(TOLD)}">x</a>',
    "tags between letters": f"<p>{TOLD}</p><p>J<b>a</b>ne W<i>hit</i>field and W-h-i-t-f-i-e-l-d</p>",
    "references": "<p>Mrs Jane Whitfield</p><p>J&#97;ne Whit&shy;field, &#74;ane&nbsp;Whitfield</p>",
    "cdata": f"<![CDATA[{TOLD}]]><p>{TOLD}</p>",
}


@pytest.mark.parametrize("method", ["redact", "pseudonyms"])
@pytest.mark.parametrize("place", PAGES)
def test_nothing_planted_in_a_page_is_left(place: str, method: str, tmp_path: Path) -> None:
    page = f"<!DOCTYPE html><html><body>{PAGES[place]}</body></html>"
    (tmp_path / "a.html").write_text(page, "utf-8")
    call = {"method": method, "model": "none", "private": tmp_path / "own"}
    hn.sanitize(tmp_path / "a.html", output=tmp_path / "out", **call)
    assert not leaks((tmp_path / "out" / "a.html").read_bytes())


WRITINGS = ["JANE WHITFIELD", "jane whitfield", "Jane  Whitfield", "Jane Whit-\nfield", "J a n e W h i t f i e l d",
            "Jаne Whitfiеld", "Jane%20Whitfield", "Jane&#32;Whitfield", "jane_whitfield", "JaneWhitfield", "Whitfields",
            "Jáne Whitfield", "Jane Whit\u00adfield", "Ｊａｎｅ Whitfield", "Jane<br>Whitfield"]  # fmt: skip


@pytest.mark.parametrize("writing", WRITINGS)
@pytest.mark.parametrize("ending", ["txt", "md", "html", "docx", "pdf"])
def test_a_masked_name_is_masked_in_every_writing(writing: str, ending: str, tmp_path: Path) -> None:
    told = [TOLD, f"See {writing} again."]
    if ending == "pdf" and not writing.isascii():
        pytest.skip("the small PDF of the tests has Latin letters only")
    if ending == "docx":
        content = docx("".join(runs(html.escape(line)) for line in told))
    else:
        content = pdf(" ".join(told).split("\n")) if ending == "pdf" else "\n".join(told).encode()
    path = tmp_path / f"a.{ending}"
    path.write_bytes(content)
    [written] = hn.sanitize(path, output=tmp_path / "out", model="none").written
    left = every_byte(written.read_bytes())
    assert not any(re.search(r"W\W?h\W?i\W?t\W{0,3}f|fiеld|WHITF", one) for one in left)
    assert any(re.search(r"See \[(?:PERSON|USERNAME)\]", re.sub("<[^>]*>", "", one)) for one in left)


UNREAD = {
    "picture": {"word/media/image1.png": "\x89PNG"},
    "macro": {"word/vbaProject.bin": "\x00\x01"},
    "embedded object": {"word/embeddings/oleObject1.bin": "\x00\x01"},
    "embedded file": {"word/afchunk.rtf": "{\\rtf1 x}"},
    "digital signature": {"_xmlsignatures/sig1.xml": "<s/>"},
    "encoded data": {"word/settings.xml": f"<w:s {W}>{'QUJD' * 80}</w:s>"},
}


@pytest.mark.parametrize("kind", UNREAD)
def test_what_is_not_read_is_named_and_refused_unless_accepted(
    command: Any, kind: str, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.docx").write_bytes(docx(runs(TOLD), UNREAD[kind]))
    (tmp_path / "in" / "b.txt").write_text(TOLD, "utf-8")
    call = ("sanitize", tmp_path / "in", "--model", "none", "--json")
    done = command(*call, "-o", tmp_path / "some")
    assert done.exit_code == 4
    assert f"a.docx: holds parts that are not read (1 {kind})" in done.json["skipped"][0]
    assert sorted(os.listdir(tmp_path / "some")) == ["b.txt"]
    alone = command("sanitize", tmp_path / "in" / "a.docx", "--model", "none", "-o", tmp_path / "none")
    assert alone.exit_code == 2
    assert not (tmp_path / "none").exists()
    accepted = command(*call, "-o", tmp_path / "all", "--accept-unread")
    assert accepted.exit_code == 0
    assert accepted.json["unread"] == {"a.docx": {kind: 1}}
    assert accepted.json["verdict"] == "sanitized except for parts not read"
    said = command(*call[:-1], "-o", tmp_path / "all", "--accept-unread", "--overwrite").out.splitlines()
    assert said[0].startswith(f"sanitized except for parts not read (1 {kind}): ")
    assert said[1].startswith("sanitized: ")


def test_a_masked_name_inside_an_accepted_picture_fails_the_audit(command: Any, tmp_path: Path) -> None:
    picture = "\x89PNG\r\n\x00\x00tEXtAuthor\x00Jane Whitfield\x00"
    (tmp_path / "a.docx").write_bytes(docx(runs(TOLD), {"word/media/image1.png": picture}))
    done = command(
        "sanitize", tmp_path / "a.docx", "-o", tmp_path / "out", "--model", "none", "--accept-unread"
    )
    assert done.exit_code == 1
    assert "a part that cannot be rewritten: media" in done.err
    assert "Whitfield" not in done.err
    assert not (tmp_path / "out").exists()


def test_times_comments_and_leftovers_of_a_package_are_not_written(tmp_path: Path) -> None:
    made = io.BytesIO(docx(runs("Nothing here."), {"docProps/core.xml": '<c xmlns:d="d"><d:created>2019-12-24T10:00:00Z</d:created></c>',
                                                   "docProps/thumbnail.jpeg": "x",
                                                   "_rels/.rels": '<R><Relationship Type="http://x/relationships/metadata/thumbnail" Target="docProps/thumbnail.jpeg"/></R>'}))  # fmt: skip
    with zipfile.ZipFile(made, "a") as package:
        package.comment = TOLD.encode()
    path = tmp_path / "a.docx"
    path.write_bytes(made.getvalue())
    os.utime(path, (1_000_000_000, 1_000_000_000))
    [written] = hn.sanitize(path, output=tmp_path / "out", model="none").written
    with zipfile.ZipFile(written) as package:
        assert package.comment == b""
        assert {member.date_time for member in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert "docProps/thumbnail.jpeg" not in package.namelist()
        assert b"thumbnail" not in package.read("_rels/.rels")
        assert b"2019" not in package.read("docProps/core.xml")
    assert written.stat().st_mtime != path.stat().st_mtime


def test_a_file_name_that_holds_a_masked_name_is_changed_and_told_to_the_owner_alone(
    command: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("Jane Whitfield.txt", "jane-whitfield_letter.md", "notes.txt", "PERSON.txt"):
        (folder / name).write_text(TOLD, "utf-8")
    done = command(
        "sanitize", folder, "-o", tmp_path / "out", "--model", "none", "--private", tmp_path / "own"
    )
    assert done.exit_code == 0
    assert sorted(os.listdir(tmp_path / "out")) == [
        "PERSON-2.txt",
        "PERSON.txt",
        "PERSON_letter.md",
        "notes.txt",
    ]
    assert "Whitfield" not in done.out + done.err
    assert "2 names of files" in done.err
    assert "Jane Whitfield.txt" in (tmp_path / "own" / "renamed.json").read_text("utf-8")


IDENTIFIERS = "Mrs Jane Whitfield of Ludlow has diabetes. Call +44 1584 872345, IBAN GB33BUKB20201555555555."


@pytest.mark.parametrize("method", ["information-content", "plausibility", "assertions"])
def test_a_method_that_generalizes_masks_identifiers_first(command: Any, method: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(IDENTIFIERS, "utf-8")
    call = ("sanitize", tmp_path / "a.txt", "--method", method, "--model", "none")
    done = command(*call, "-o", tmp_path / "out")
    assert done.exit_code == 0, done.err
    assert done.out.startswith("sanitized: ")
    made = (tmp_path / "out" / "a.txt").read_text("utf-8")
    assert not re.search("Whitfield|872345|2020155", made)
    assert method == "assertions" or "Ludlow" not in made
    kept = command(*call, "-o", tmp_path / "kept", "--identifiers", "keep")
    assert kept.exit_code == 0, kept.err
    assert kept.out.startswith("generalized; identifiers kept as asked: ")
    assert "kept as asked" in kept.err
    assert "sanitized:" not in kept.out


def test_people_who_are_named_on_purpose_are_not_called_sanitized(command: Any, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("John was accused of fraud.", "utf-8")
    call = ("sanitize", tmp_path / "a.txt", "--method", "assertions", "--by", "content", "--model", "fast")
    done = command(*call, "-o", tmp_path / "out")
    assert done.out.startswith("generalized; names kept as asked: ")


def test_notes_and_fields_of_a_pdf_are_read_and_the_rest_is_named(command: Any, tmp_path: Path) -> None:
    from pypdf import PdfReader, PdfWriter
    from pypdf.annotations import FreeText

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf(["A letter."]))))
    writer.add_annotation(0, FreeText(text=TOLD, rect=(10, 10, 90, 40)))
    writer.add_attachment("a.txt", TOLD.encode())
    writer.add_metadata({"/Author": NAME})
    made = io.BytesIO()
    writer.write(made)
    (tmp_path / "a.pdf").write_bytes(made.getvalue())
    done = command("sanitize", tmp_path / "a.pdf", "-o", tmp_path / "out", "--model", "none", "--json")
    assert done.exit_code == 0, done.err
    lines = text_of(tmp_path / "out" / "a.pdf").split("\n")
    assert [line for line in lines if line] == ["A letter.", "[PERSON] wrote to [MAIL]."]
    assert done.json["left_out"] == {"a.pdf": {"attachment": 1, "set of properties": 1}}
    assert not leaks((tmp_path / "out" / "a.pdf").read_bytes())
