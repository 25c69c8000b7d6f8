"""Small documents of every format, made by hand or by the libraries that people use."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def pdf(lines: Sequence[str]) -> bytes:
    """One page with a text layer."""
    shown = b"".join(b"(" + line.encode("latin-1") + b") Tj 0 -14 Td " for line in lines)
    stream = b"BT /F1 12 Tf 40 700 Td " + shown + b"ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    content, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(content)
    content += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return content + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        start,
    )


def docx(body: str, parts: Mapping[str, str] | None = None) -> bytes:
    """A Word file with this XML in its body, and further parts."""
    files = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        "word/document.xml": f'<?xml version="1.0" encoding="UTF-8"?>\r\n<w:document xmlns:w="{W}"><w:body>'
        f"{body}</w:body></w:document>",
        **(parts or {}),
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as folder:
        for name, text in files.items():
            folder.writestr(name, text)
    return made.getvalue()


def parts_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as folder:
        return {name: folder.read(name) for name in folder.namelist()}


def runs(*texts: str) -> str:
    """A paragraph of runs, each in a style of its own."""
    inner = "".join(
        f'<w:r><w:rPr><w:b w:val="{n}"/></w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'
        for n, text in enumerate(texts)
    )
    return f"<w:p>{inner}</w:p>"
