# ruff: noqa: E501 -- markup is planted in one piece
"""A name and a mail address planted in every part of mails, sheets, RTF, ODF, JSON, subtitles: gone, and the file still opens.

The result is read with the standard library and regular expressions, not with the program's own readers.
"""

from __future__ import annotations

import base64
import csv
import email
import email.policy
import io
import json
import quopri
import re
import zipfile
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import heteronym as hn
from heteronym.io.formats import open_document
from tests.unit.documents.files import msg, odt, xlsx

NAME, MAIL = "Jane Whitfield", "jane.whitfield@clinic.org"
TOLD = f"Mrs {NAME} wrote to {MAIL}."
CODED = base64.b64encode(TOLD.encode()).decode()


def mail(headers: str, body: str = "A letter.\r\n") -> bytes:
    return f"From: {NAME} <{MAIL}>\r\nSubject: x\r\nMIME-Version: 1.0\r\n{headers}\r\n{body}".encode()


def parts(*some: str) -> bytes:
    inner = "".join(f"--b1\r\n{part}\r\n" for part in some)
    return mail('Content-Type: multipart/mixed; boundary="b1"\r\n', f"{inner}--b1--\r\n")


def attached(content: bytes, kind: str, name: str) -> bytes:
    made = EmailMessage()
    made["To"], made["Subject"] = f"{NAME} <{MAIL}>", TOLD
    made.set_content(TOLD)
    made.add_attachment(content, maintype="application", subtype=kind, filename=name)
    return made.as_bytes()


def rtf(inside: str) -> bytes:
    return (r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Arial;}}\pard " + inside + r"\par}").encode(
        "latin-1"
    )


def cell(attributes: str, inside: str) -> str:
    return f'<row r="1"><c r="A1" {attributes}>{inside}</c></row>'


QUOTED = quopri.encodestring(TOLD.replace("J", "é J").encode()).decode()
LONG = f"{'many words ' * 9}{TOLD}"
PLANTED: dict[str, bytes] = {
    "header.eml": mail(f"To: {NAME} <{MAIL}>\r\nX-Note: {TOLD}\r\nReceived: from pc ({MAIL})\r\n by {MAIL}\r\n"),
    "encoded header.eml": mail(f"X-Note: =?utf-8?B?{CODED}?=\r\nReply-To: =?iso-8859-1?Q?Jane_Whit?=\r\n =?iso-8859-1?Q?field?= <{MAIL}>\r\n"),
    "folded header.eml": mail(f"To: Mrs Jane\r\n\tWhitfield <{MAIL}>\r\n"),
    "quoted body.eml": mail("Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n", QUOTED),
    "wrapped body.eml": mail("Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n", quopri.encodestring(LONG.encode()).decode()),
    "coded body.eml": mail("Content-Transfer-Encoding: base64\r\n", base64.encodebytes(TOLD.encode()).decode()),
    "page.eml": parts(f"Content-Type: text/html\r\n\r\n<p title='{TOLD}'>Jane <b>Whitfield</b></p><!-- {TOLD} -->"),
    "around parts.eml": mail('Content-Type: multipart/mixed; boundary="b1"\r\n', f"{TOLD}\r\n--b1\r\n\r\nx\r\n--b1--\r\n{TOLD}\r\n"),
    "forwarded.eml": parts(f"Content-Type: message/rfc822\r\n\r\nTo: {NAME} <{MAIL}>\r\n\r\n{TOLD}"),
    "name of attachment.eml": parts(f'Content-Type: text/csv; name="{NAME}.csv"\r\nContent-Disposition: attachment; filename*=utf-8\'\'{quote(NAME)}.csv\r\n\r\nname,mail\r\n{NAME},{MAIL}'),
    "attached document.eml": attached(odt(f"<text:p>{TOLD}</text:p>"), "vnd.oasis.opendocument.text", "a.odt"),
    "attached table.eml": attached(xlsx(cell('t="s"', "<v>0</v>"), [TOLD]), "octet-stream", "a.xlsx"),
    "message.msg": msg({"0037": TOLD, "0C1A": NAME, "5D01": MAIL, "1000": TOLD, "__recip_version1.0_#00000000/3001": NAME, "__recip_version1.0_#00000000/39FE": MAIL,
                        "__attach_version1.0_#00000000/3707": f"{NAME}.txt"}, {"__attach_version1.0_#00000000/__substg1.0_37010102": TOLD.encode()}),
    "text.rtf": rtf(rf"Mrs \b Jane\b0  Whitfield wrote to {MAIL}"),
    "letters.rtf": rtf(r"Mrs J\'61ne \u87?hitfield wrote. Mrs Jane Whitfield."),
    "notes.rtf": rtf(rf"{{\header {TOLD}}}{{\footnote {TOLD}}}{{\*\annotation {TOLD}}}{{\*\atnauthor {NAME}}}{{\v {TOLD}}}"),
    "properties.rtf": rtf(rf"{{\info{{\author {NAME}}}{{\title {TOLD}}}{{\*\company Mrs {NAME}}}}}{{\*\userprops{{\propname x}}{{\staticval {TOLD}}}}}{{\*\bkmkstart Mrs {NAME}}}"),
    "field.rtf": rtf(rf'{{\field{{\*\fldinst HYPERLINK "mailto:{MAIL}"}}{{\fldrslt {TOLD}}}}}{{\*\unknown {TOLD}}}'),
    "text.odt": odt(f"<text:p>Mrs Jane <text:span>Whit</text:span>field</text:p><text:h>{TOLD}</text:h>"),
    "notes.odt": odt(f"<office:annotation><dc:creator>{NAME}</dc:creator><text:p>{TOLD}</text:p></office:annotation><text:a xlink:href='mailto:{MAIL}'>x</text:a><!-- {TOLD} -->"
                     f"<draw:frame draw:name='Mrs {NAME}'><svg:desc>{TOLD}</svg:desc></draw:frame>"),
    "properties.odt": odt("<text:p>x</text:p>", {"meta.xml": f'<m xmlns:dc="d" xmlns:meta="m"><dc:creator>{NAME}</dc:creator><dc:subject>{TOLD}</dc:subject><meta:user-defined meta:name="a">{TOLD}</meta:user-defined></m>',
                                                 "styles.xml": f'<s xmlns:text="t"><text:p>{TOLD}</text:p></s>'}),
    "cells.ods": odt(f'<table:table table:name="Mrs {NAME}"><table:table-row><table:table-cell office:string-value="{TOLD}"><text:p>{TOLD}</text:p></table:table-cell></table:table-row></table:table>', kind="spreadsheet"),
    "cells.xlsx": xlsx(cell('t="s"', "<v>0</v>"), [TOLD, f"An orphan: {TOLD}"]),
    "in the cell.xlsx": xlsx(cell('t="inlineStr"', f"<is><t>{TOLD}</t></is>") + cell('t="str"', f'<f>"{TOLD}"&amp;B2</f><v>{TOLD}</v>')),
    "hidden.xlsx": xlsx("", [], {"xl/worksheets/sheet2.xml": f'<worksheet>{cell("t=`inlineStr`".replace("`", chr(34)), f"<is><t>{TOLD}</t></is>")}<headerFooter><oddHeader>{TOLD}</oddHeader></headerFooter></worksheet>',
                                   "xl/comments1.xml": f"<comments><authors><author>{NAME}</author></authors><comment><text><t>{TOLD}</t></text></comment></comments>",
                                   "xl/tables/table1.xml": f'<table name="T"><tableColumn name="Mrs {NAME}"/></table>',
                                   "xl/pivotCache/pivotCacheRecords1.xml": f'<r><s v="Mrs {NAME}"/></r>'}, sheet=f"Mrs {NAME}"),
    "values.json": json.dumps({"a": {"b": [TOLD, {"c": TOLD.replace("J", "\u00e9 J")}]}, f"Mrs {NAME}": {"x": 1}, "page": f"<p>Jane <b>Whitfield</b></p><p>{TOLD}</p>"}).encode(),
    "escaped.json": b'{"a": "Mrs J\\u0061ne Whitfield wrote to jane\\u002ewhitfield@clinic.org."}',
    "coded.json": json.dumps({"file": base64.b64encode(odt(f"<text:p>{TOLD}</text:p>")).decode(), "name": NAME}).encode(),
    "lines.jsonl": "".join(json.dumps({"name": NAME, "note": TOLD}) + "\n" for _ in range(3)).encode(),
    "table.csv": f'name;mail;note\n{NAME};{MAIL};"{TOLD}; ""{NAME}"""\n'.encode(),
    "heading.md": f"## Mrs {NAME}\n\n* [Mrs {NAME}](mailto:{MAIL})\n\n| who |\n|---|\n| {TOLD} |\n".encode(),
    "said.srt": f"1\n00:00:01,000 --> 00:00:02,000\n{TOLD}\nMrs Jane\nWhitfield\n".encode(),
    "said.vtt": f"WEBVTT Mrs {NAME}\n\nNOTE {TOLD}\n\n1\n00:01.000 --> 00:02.000\n<v Mrs {NAME}>{TOLD}</v>\n".encode(),
    "card.vcf": f"BEGIN:VCARD\nFN:Mrs {NAME}\nEMAIL:{MAIL}\nEND:VCARD\n".encode(),
    "tags.xml": f'<a note="{TOLD}"><name>Mrs {NAME}</name><!-- {TOLD} --></a>'.encode(),
}  # fmt: skip
LEFT = re.compile(r"whitfield|jane", re.IGNORECASE)


def every_text(content: bytes) -> list[str]:
    """A file as other programs would read it: members of packages, parts of mails, strings of JSON."""
    texts = [content.decode("utf-8", "replace"), re.sub("<[^>]*>", "", content.decode("utf-8", "replace"))]
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            for name in package.namelist():
                texts += [name, *every_text(package.read(name))]
    elif content.startswith(b"{\\rtf"):
        plain = re.sub(rb"\\'([0-9a-f]{2})", lambda m: bytes.fromhex(m[1].decode()), content).decode("cp1252")
        texts.append(
            re.sub(r"\\[a-z]+-?\d* ?|[{}\r\n]", "", re.sub(r"\\u(\d+)\?", lambda m: chr(int(m[1])), plain))
        )
    elif re.match(rb"[A-Za-z-]+: ", content):
        for part in email.message_from_bytes(content, policy=email.policy.default).walk():
            texts.append(str(part.items()) + str(part.get_filename()))
            if not part.is_multipart():
                texts += every_text(part.get_payload(decode=True) or b"")
    else:
        texts += [
            base64.b64decode(run + "==").decode("latin-1")
            for run in re.findall(r"[A-Za-z0-9+/]{40,}", texts[0])
        ]
    return texts


@pytest.mark.parametrize("method", ["redact", "pseudonyms"])
@pytest.mark.parametrize("name", PLANTED)
def test_nothing_planted_is_left(name: str, method: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(PLANTED[name])
    assert any(map(LEFT.search, every_text(PLANTED[name]))) or name.endswith(".msg")
    call: dict[str, Any] = {"method": method, "model": "none", "private": tmp_path / "own"}
    [written] = hn.sanitize(path, output=tmp_path / "out", **call).written
    assert not any(map(LEFT.search, every_text(written.read_bytes())))
    _opens(written)
    if method == "pseudonyms":
        hn.restore(written, private=tmp_path / "own", output=tmp_path / "back")
        if not name.endswith(".msg"):
            assert open_document(tmp_path / "back" / written.name).text == open_document(path).text


def _opens(path: Path) -> None:
    content = path.read_bytes()
    if path.suffix in (".json", ".jsonl"):
        [json.loads(line) for line in content.decode().splitlines()]
    elif path.suffix == ".csv":
        rows = list(csv.reader(io.StringIO(content.decode()), delimiter=";"))
        assert [len(row) for row in rows] == [3, 3]
    elif path.suffix == ".eml":
        assert not email.message_from_bytes(content, policy=email.policy.default).defects


@pytest.mark.parametrize("name", ["lines.jsonl", "table.csv", "heading.md", "said.vtt", "text.rtf", "quoted body.eml", "coded body.eml",
                                  "forwarded.eml", "page.eml", "notes.rtf"])  # fmt: skip
def test_what_is_restored_is_the_file_byte_for_byte(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(PLANTED[name])
    call: dict[str, Any] = {"method": "pseudonyms", "model": "none", "private": tmp_path / "own"}
    [written] = hn.sanitize(path, output=tmp_path / "out", **call).written
    assert written.read_bytes() != PLANTED[name]
    hn.restore(written, private=tmp_path / "own", output=tmp_path / "back")
    assert (tmp_path / "back" / name).read_bytes() == PLANTED[name]


def test_every_file_of_a_folder_is_accounted_for(command: Any, tmp_path: Path) -> None:
    inside = tmp_path / "in"
    (inside / "deep" / ".git").mkdir(parents=True)
    files = {"a.txt": TOLD, "b.csv": f"name,mail\n{NAME},{MAIL}\n", "deep/c.md": "# x", "deep/.git/d": "x", ".DS_Store": "x",
             "photo.jpg": "x", "old.zip": "x", "run.exe": "x", "broken.docx": "x"}  # fmt: skip
    for name, text in files.items():
        (inside / name).write_text(text, "utf-8")
    (inside / "link").symlink_to(inside / "deep")
    (inside / "nothing").symlink_to(inside / "absent")
    done = command("sanitize", inside, "-o", inside / "out", "--model", "none", "--json")
    said = json.loads(done.out)
    assert done.exit_code == 4
    assert [Path(name).name for name in said["documents"]] == ["a.txt", "b.csv", "c.md"]
    reasons = {
        line.partition(": ")[0].removeprefix(f"{inside}/"): line.partition(": ")[2]
        for line in said["skipped"]
    }
    assert set(reasons) == {"photo.jpg", "old.zip", "run.exe", "broken.docx", "link", "nothing"}
    assert "unfold" in reasons["old.zip"]
    assert all(reasons.values())
    assert sorted(Path(line.partition(": ")[0]).name for line in said["hidden"]) == [".DS_Store", ".git"]
    for name in [*reasons, ".DS_Store", ".git"]:
        assert name in done.err
