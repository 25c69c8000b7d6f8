"""Small documents of every format, made by hand or by the libraries that people use."""

from __future__ import annotations

import io
import struct
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


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    """A package of these parts, in their order."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as folder:
        for name, content in parts.items():
            folder.writestr(name, content)
    return made.getvalue()


def odt(body: str, parts: Mapping[str, str | bytes] | None = None, *, kind: str = "text") -> bytes:
    """An OpenDocument file with this XML in its body, and further parts."""
    spaces = "".join(f' xmlns:{n}="urn:{n}"' for n in "office text table dc meta xlink draw svg".split())
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content{spaces}><office:body>'
        f"<office:text>{body}</office:text></office:body></office:document-content>"
    )
    mime = f"application/vnd.oasis.opendocument.{kind}"
    return packed({"mimetype": mime, "content.xml": content, **(parts or {})})


S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def xlsx(
    cells: str, shared: Sequence[str] = (), parts: Mapping[str, str] | None = None, *, sheet: str = "S"
) -> bytes:
    """A workbook with this XML as the rows of its sheet."""
    items = "".join(f"<si><t>{text}</t></si>" for text in shared)
    return packed(
        {
            "[Content_Types].xml": "<Types/>",
            "xl/workbook.xml": f'<workbook xmlns="{S}"><sheets><sheet name="{sheet}"/></sheets></workbook>',
            "xl/sharedStrings.xml": f'<sst xmlns="{S}">{items}</sst>',
            "xl/styles.xml": f'<styleSheet xmlns="{S}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>'
            "</cellXfs></styleSheet>",
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{S}"><sheetData>{cells}</sheetData></worksheet>',
            **(parts or {}),
        }
    )


_FREE, _END = 0xFFFFFFFF, 0xFFFFFFFE


def compound(streams: Mapping[str, bytes]) -> bytes:
    """A compound file (MS-CFB) with these streams, none in small sectors; "folder/name" lies in a folder."""
    names: list[tuple[str, int]] = [("Root Entry", -1)]  # and the number of the folder above
    numbers = {"": 0}
    for path in streams:
        above = ""
        for part in path.split("/"):
            here = f"{above}/{part}"
            if here not in numbers:
                numbers[here] = len(names)
                names.append((part, numbers[above]))
            above = here
    content, chains, starts = b"", [], {}
    for path, stream in streams.items():
        padded = stream.ljust(max(512, -(-len(stream) // 512) * 512), b"\x00")
        starts[numbers[f"/{path}"]] = (len(chains), len(stream))
        first, count = len(chains), len(padded) // 512
        chains += [*range(first + 1, first + count), _END]
        content += padded
    first_folder = len(chains)
    entries = b""
    for number, (name, _) in enumerate(names):
        children = [n for n, (_, above) in enumerate(names) if above == number]
        beside = [n for n, (_, above) in enumerate(names) if above == names[number][1] and n > number]
        start, size = starts.get(number, (_END, 0))
        kind = 5 if number == 0 else 2 if number in starts else 1
        wide = name.encode("utf-16-le")
        entries += (
            wide.ljust(64, b"\x00")
            + struct.pack("<HBB", len(wide) + 2, kind, 1)
            + struct.pack(
                "<III", _FREE, min(beside, default=_FREE) if number else _FREE, min(children, default=_FREE)
            )
            + bytes(36)
            + struct.pack("<IQ", start, size)
        )
    entries = entries.ljust(-(-len(entries) // 512) * 512, b"\x00")
    count = len(entries) // 512
    chains += [*range(first_folder + 1, first_folder + count), _END]
    tables = -(-(len(chains) + 1) // 127)
    table_at = len(chains)
    chains += [0xFFFFFFFD] * tables
    chains += [_FREE] * (-len(chains) % 128)
    table = struct.pack(f"<{len(chains)}I", *chains)
    head = (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
        + bytes(16)
        + struct.pack("<HHHHH", 62, 3, 0xFFFE, 9, 6)
        + bytes(6)
    )
    head += struct.pack("<IIIIIIIII", 0, tables, first_folder, 0, 0, _END, 0, _END, 0)
    places = [table_at + n for n in range(tables)]
    head += struct.pack("<109I", *places, *[_FREE] * (109 - tables))
    return head + content + entries + table


def msg(texts: Mapping[str, str], more: Mapping[str, bytes] | None = None) -> bytes:
    """An Outlook message with these properties, by their paths and numbers."""
    wide = {
        f"{path.rpartition('/')[0]}/__substg1.0_{path.rpartition('/')[2]}001F".lstrip("/"): text.encode(
            "utf-16-le"
        )
        for path, text in texts.items()
    }
    return compound({"__properties_version1.0": bytes(32), **wide, **(more or {})})
