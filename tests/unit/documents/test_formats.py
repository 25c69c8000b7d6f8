"""Formats: a document is one text, and an edit changes its own letters and nothing else."""

from __future__ import annotations

import contextlib
import io
import random
import zipfile
from collections.abc import Callable

import pytest
from pypdf import PdfReader
from tests.counting import growth
from tests.unit.documents.files import docx, parts_of, pdf, runs

from heteronym.errors import InputError
from heteronym.io.formats import read_content
from heteronym.io.formats.source import Source
from heteronym.model.edit import Edit, edited


def replaced(source: Source, old: str, new: str) -> bytes:
    start = source.text.index(old)
    return source.write([Edit(start, start + len(old), new)])


PAGE = (
    '<!DOCTYPE html>\n<html><head><title>Jo &amp; Co</title><meta name="author" content="Ann Lee">\n'
    "<style>p { color: red }</style><script>var p = '<p>Ann</p>';</script></head>\n"
    "<body class=x><!-- by Ann Lee --><p>Dear <b>An</b>n\nLee,</p><p>AT&amp;T &#38; caf&eacute; "
    '<img alt="Ann\'s" src=a>'
    '<a href="mailto:ann@x.org?subject=a">write</a><br/>5 < 6</p></body></html>\n'
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", b"a\rb\r\nc\n\xef\xbb\xbf"),
        ("a.txt", b""),
        ("a.txt", "\ufeffGr\u00fc\u00dfe".encode("utf-16-le")),
        ("a.md", b"# A *b* [c](d)\r\n"),
        ("a.html", PAGE.encode()),
        ("a.html", b""),
        ("a.htm", "<meta charset=windows-1252><p>Caf\u00e9 \u2019</p>".encode("windows-1252")),
        ("a.docx", docx(runs("Ann ", "Lee &amp; Co"))),
    ],
)
def test_a_document_without_edits_keeps_its_bytes(name: str, content: bytes) -> None:
    assert read_content(content, name).write([]) == content


def test_html_text_is_what_a_reader_sees_then_what_attributes_say() -> None:
    text = read_content(PAGE.encode(), "a.html").text
    assert "Jo & Co" in text
    assert "Dear Ann Lee," in text
    assert "AT&T & café " in text
    assert "5 < 6" in text
    behind = text[text.index("5 < 6") :].splitlines()
    assert {"Ann Lee", " by Ann Lee ", "Ann's", "ann@x.org?subject=a"} <= set(behind)
    assert "<p>Ann</p>" in behind  # a string of the script
    assert "color" not in text
    assert "var p" not in text


def test_an_edit_over_several_html_nodes_leaves_the_tags() -> None:
    made = replaced(read_content(PAGE.encode(), "a.html"), "Ann Lee,", "Bo <X>,").decode()
    assert made == PAGE.replace("<b>An</b>n\nLee,", "<b>Bo &lt;X&gt;,</b>")


@pytest.mark.parametrize(
    ("old", "new", "before", "after"),
    [
        ("AT&T", "B&W", "AT&amp;T", "B&amp;W"),
        ("café", "bar", "caf&eacute;", "bar"),
        ("Ann's", 'X"s', "Ann's\"", 'X&quot;s"'),
        (" by Ann Lee ", " by --> X ", " by Ann Lee ", " by - - X "),
        ("ann@x.org", "b@y.example", "ann@x.org", "b@y.example"),
    ],
)
def test_what_is_written_into_html_stays_text(old: str, new: str, before: str, after: str) -> None:
    made = replaced(read_content(PAGE.encode(), "a.html"), old, new).decode()
    assert made == PAGE.replace(before, after, 1)


def test_an_address_stays_an_address_when_it_is_masked() -> None:
    source = read_content(PAGE.encode(), "a.html")
    made = replaced(source, "ann@x.org", "[MAIL 1]")
    assert b'href="mailto:%5BMAIL%201%5D?subject=a"' in made
    assert "[MAIL 1]?subject=a" in read_content(made, "a.html").text.splitlines()
    rels = '<R xmlns="r"><S Target="mailto:a@b.org" TargetMode="External"/></R>'
    word = read_content(docx(runs("x"), {"word/_rels/document.xml.rels": rels}), "a.docx")
    made = replaced(word, "a@b.org", "[MAIL]")
    assert b'"mailto:%5BMAIL%5D"' in parts_of(made)["word/_rels/document.xml.rels"]
    assert "mailto:[MAIL]" in read_content(made, "a.docx").text


def test_letters_that_an_html_encoding_lacks_are_written_as_references() -> None:
    page = b"<meta charset='iso-8859-1'><p>Ann</p>"
    assert replaced(read_content(page, "a.html"), "Ann", "Łuk") == page.replace(b"Ann", b"&#321;uk")


def test_an_edit_over_several_runs_keeps_their_styles() -> None:
    content = docx(runs("Dear Jo", "hn ", "Smith,") + runs("bye"))
    source = read_content(content, "a.docx")
    assert source.text == "Dear John Smith,\nbye\n"
    parts = parts_of(replaced(source, "John Smith", "A & B"))
    before = parts_of(content)["word/document.xml"].decode()
    wanted = before.replace("Dear Jo<", "Dear A &amp; B<").replace(">hn <", "><").replace(">Smith,<", ">,<")
    assert parts["word/document.xml"].decode() == wanted
    assert parts["[Content_Types].xml"] == parts_of(content)["[Content_Types].xml"]


def test_a_run_that_begins_with_a_space_after_an_edit_keeps_it() -> None:
    content = docx("<w:p><w:r><w:t>John</w:t></w:r><w:r><w:t>son went</w:t></w:r></w:p>")
    made = parts_of(replaced(read_content(content, "a.docx"), "Johnson", "Li"))["word/document.xml"].decode()
    assert '<w:t>Li</w:t></w:r><w:r><w:t xml:space="preserve"> went</w:t>' in made


def test_docx_tells_who_wrote_it_in_all_its_parts() -> None:
    parts = {
        "word/comments.xml": '<w:comments xmlns:w="w"><w:comment w:author="Ann Lee" w:initials="AL">'
        "<w:p><w:r><w:t>note</w:t></w:r></w:p></w:comment></w:comments>",
        "word/header1.xml": '<w:hdr xmlns:w="w"><w:p><w:r><w:t>Head</w:t></w:r></w:p></w:hdr>',
        "docProps/core.xml": '<c:p xmlns:c="c" xmlns:d="d"><d:creator>Bo Hill</d:creator>'
        "<d:title>Case</d:title><d:created>2020-01-01</d:created></c:p>",
        "word/_rels/document.xml.rels": '<R xmlns="r"><S Target="mailto:a@b.org" TargetMode="External"/>'
        '<S Target="styles.xml"/></R>',
        "word/media/image1.png": "x",
    }
    source = read_content(docx(runs("Text"), parts), "a.docx")
    assert source.text.split() == "Text note Head Bo Hill Case mailto:a@b.org Ann Lee".split()
    known = {(source.text[span.start : span.end], span.type) for span in source.known}
    assert known == {("Ann Lee", "PERSON"), ("Bo Hill", "PERSON")}
    assert source.unread == ("picture",)
    start = source.text.index("Ann Lee")
    made = parts_of(source.write([Edit(start, start + 7, "C D")], clear_traces=True))
    assert 'w:author="C D" w:initials=""' in made["word/comments.xml"].decode()
    assert b"2020" not in made["docProps/core.xml"]


def test_what_python_docx_writes_can_be_read_edited_and_opened_again() -> None:
    import docx as word

    document = word.Document()
    paragraph = document.add_paragraph("Seen by ")
    paragraph.add_run("Dr Ann").bold = True
    paragraph.add_run(" Lee.")
    document.add_table(1, 2).rows[0].cells[1].text = "Ann Lee"
    document.sections[0].footer.paragraphs[0].text = "Ann Lee's file"
    file = io.BytesIO()
    document.save(file)
    source = read_content(file.getvalue(), "a.docx")
    edits = []
    place = source.text.find("Ann Lee")
    while place >= 0:
        edits.append(Edit(place, place + 7, "Bo"))
        place = source.text.find("Ann Lee", place + 1)
    again = word.Document(io.BytesIO(source.write(edits)))
    assert [p.text for p in again.paragraphs] == ["Seen by Dr Bo."]
    assert again.tables[0].rows[0].cells[1].text == "Bo"
    assert again.sections[0].footer.paragraphs[0].text == "Bo's file"
    assert len(edits) == 3


def test_pdf_stays_pdf_and_its_letters_go() -> None:
    content = pdf(["Dear Ann Lee,", "bye."])
    source = read_content(content, "a.pdf")
    assert source.ending is None
    assert source.text == "Dear Ann Lee,\nbye.\n"
    made = replaced(source, "Ann Lee", "[PERSON]")
    assert read_content(made, "a.pdf").text == "Dear [PERSON],\nbye.\n"
    [page] = PdfReader(io.BytesIO(made)).pages
    assert page.extract_text().split() == ["Dear", "[PERSON]", ",", "bye."]
    assert b"Ann" not in page.get_contents().get_data()


def test_pdf_whose_letters_cannot_be_told_comes_out_as_text() -> None:
    content = pdf(["Dear Ann,", "bye."]).replace(b"/BaseFont /Helvetica", b"/BaseFont /Symbolic12")
    content = content.replace(b"/Subtype /Type1", b"/Subtype /Type3")
    source = read_content(content, "a.pdf")
    assert source.ending == ".txt"
    assert replaced(source, "Ann", "Bo") == b"Dear Bo,\nbye.\n"


@pytest.mark.parametrize(
    "make", [lambda t: f"<p>{t}</p>".encode(), lambda t: docx(f"<w:p><w:t>{t}</w:t></w:p>")]
)
def test_any_edits_of_the_text_are_found_in_the_text_that_is_read_again(make: Callable[[str], bytes]) -> None:
    rng = random.Random(3)
    for _ in range(60):
        inner = "".join(rng.choice(["ab", "&amp;", "&lt;", "c d", "é", "&#233;", "x"]) for _ in range(12))
        content = make(inner)
        name = "a.docx" if content.startswith(b"PK") else "a.html"
        source = read_content(content, name)
        places = sorted(
            rng.sample(range(source.text.rindex("\n") if "\n" in source.text else len(source.text)), 4)
        )
        edits = [Edit(places[0], places[1], "N&"), Edit(places[2], places[3], rng.choice(["", "<b>"]))]
        assert read_content(source.write(edits), name).text == edited(source.text, edits)


def bomb() -> bytes:
    made = io.BytesIO()
    with (
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as folder,
        folder.open("word/document.xml", "w", force_zip64=True) as part,
    ):
        for _ in range(150):
            part.write(bytes(1 << 20))
    return made.getvalue()


def test_what_unfolds_beyond_measure_is_not_opened() -> None:
    with pytest.raises(InputError, match="unfolds to 150 MB"):
        read_content(bomb(), "a.docx")


GOOD = docx(runs("Secret Name"))


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.docx", b"", "broken package"),
        ("a.docx", b"no zip at all", "broken package"),
        ("a.docx", GOOD[:-30], "broken package"),
        ("a.docx", GOOD[:60] + b"\x00\xff\x00\xff" + GOOD[64:], "broken package"),
        ("a.docx", docx("<w:p>"), "no XML"),
        ("a.docx", docx("", {"word/x.xml": "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"}), "document type"),
        ("a.txt", docx("").replace(b"word/document", b"xord/document"), "no Word, Excel"),
        ("a.doc", b"\xd0\xcf\x11\xe0 Secret", "save it as .docx"),
        ("a.rtf", b"Secret", "no RTF"),
        ("a.eml", b"Secret Name", "no mail"),
        ("a.msg", b"Secret Name", "no Outlook message"),
        ("a.msg", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "broken compound file"),
        ("a.odt", docx("<w:p/>"), "no OpenDocument"),
        ("a.json", b"[" * 300 + b"]" * 300, "200 deep"),
        ("a.pdf", b"", "broken PDF"),
        ("a.pdf", b"%PDF-1.4\nSecret Name", "broken PDF"),
        ("a.pdf", pdf(["Secret"])[:-120], "broken PDF|no text layer"),
        ("a.pdf", pdf([]), "no text layer"),
        ("a.txt", "Zürich Secret".encode("latin-1"), "not UTF-8"),
        ("a.html", "<p>Zürich Secret</p>".encode("latin-1"), "not UTF-8"),
        ("a.txt", b"Secret\x00Name", "null bytes"),
    ],
)
def test_broken_documents_are_refused_without_a_word_of_them(name: str, content: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as error:
        read_content(content, name)
    assert str(error.value).startswith(f"{name}: ")
    assert "Secret" not in str(error.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.docx", GOOD), ("a.pdf", pdf(["Dear Ann", "bye"])), ("a.html", PAGE.encode())],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_damaged_document_is_read_or_refused_and_nothing_else(name: str, content: bytes) -> None:
    rng = random.Random(8)
    for _ in range(150):
        damaged = bytearray(content)
        for _ in range(rng.choice((1, 3, 20))):
            place = rng.randrange(len(damaged))
            if rng.random() < 0.7:
                damaged[place] = rng.randrange(256)
            else:
                del damaged[place : place + rng.randrange(20)]
        # any other error than a refusal fails the test
        with contextlib.suppress(InputError):
            assert isinstance(read_content(bytes(damaged), name).write([]), bytes)


@pytest.mark.parametrize(
    "unit", ["<a ", '<a "', "<![CDATA[", "<!", "<!--", "&", "<a b=", "</", "<p title='", "<x" + "y" * 300]
)
def test_html_made_to_be_slow_is_read_to_its_end(unit: str) -> None:
    page = (unit * (400_000 // len(unit))).encode()
    for content in (page, page + b">"):
        assert read_content(content, "a.html").write([]) == content
    assert growth(lambda n: read_content(unit.encode() * n, "a.html"), 300) < 6
