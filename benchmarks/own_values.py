"""How many own values are left in tables and documents, planted in every writing of the written definition.

    python -m benchmarks.own_values

Every case of tests/data/own_value_writings.toml is planted between two marks, in a row of a table and in a
text, HTML, Word and PDF file that names the value plainly as well. What stands between the marks in the
result, placeholders taken out, must not hold four characters of the value in a row, nor be as it was.
Nothing of the program is used for the count. The PDF files are plain ASCII; a name that is a word
of grammar ("Do") is
planted in tables alone, because documents have no column that says it is one.
"""

from __future__ import annotations

import html
import re
import tempfile
import tomllib
import unicodedata
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import polars as pl
from tests.unit.documents.files import docx, pdf, runs

CASES = Path(__file__).parents[1] / "tests" / "data" / "own_value_writings.toml"
KINDS = ("name", "code", "phone", "mail")
_BEGIN, _END = "Zqbegin:", ":Zqend"
_PLACEHOLDER = re.compile(r"\[[A-Z_ ]+\d*\]")
_PLAIN = {
    "name": "Dr. {0} saw the patient. {0} lives in Oslo.",
    "code": "Patient record {0} (MRN: {0}).",
    "phone": "Phone: {0}",
    "mail": "Mail: {0}",
}


def planted() -> list[tuple[str, str, str, str]]:
    """Kind, value, how it is written, and the writing between marks."""
    listed = tomllib.loads(CASES.read_text("utf-8"))["value"]
    found = []
    for one in listed:
        for case in one["found"] if one["kind"] in KINDS else ():
            _, inside, _ = (case["text"].replace("»", "«") + "««").split("«")[:3]
            inside = inside if "«" in case["text"] else case["cover"]
            found.append((one["kind"], one["value"], case["how"], f"{_BEGIN} {inside} {_END}"))
    return found


def is_left(value: str, written: str, released: str) -> bool:
    """Whether what stands between the marks still tells the value."""
    between = re.search(rf"{_BEGIN}(.*?)(?:{_END}|\Z)", released, re.DOTALL)  # the end may be masked
    if between is None:
        return False  # the sentence is gone
    rest = _PLACEHOLDER.sub("\x00", between[1])
    own = folded(value)
    parts = {own[i : i + 4] for i in range(len(own) - 3)}
    return folded(rest) == folded(written) != "" or any(part in folded(rest) for part in parts)


def folded(text: str) -> str:
    text = unicodedata.normalize("NFKD", text.removeprefix(_BEGIN).removesuffix(_END))
    return "".join(c for c in text.casefold() if c.isalnum() or c == "\x00")


def in_tables(cases: list[tuple[str, str, str, str]]) -> list[str]:
    import heteronym as hn

    frame = pl.DataFrame(
        {"id": range(len(cases)), "own": [c[1] for c in cases], "sex": ["f", "m"] * (len(cases) // 2)
         + ["f"] * (len(cases) % 2), "note": [f"Came in. {c[3]} Left again." for c in cases]}
    )  # fmt: skip
    plan = {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "own": {"role": "identifier"},
            "sex": {"role": "quasi"},
            "note": {"role": "text"},
        },
        "text": {"model": "none"},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    release = hn.anonymize(frame, plan)
    notes = dict(zip(release.source_row.tolist(), pl.DataFrame(release.data)["note"].to_list(), strict=True))
    return [str(notes.get(row, "")) for row in range(len(cases))]


def in_documents(cases: list[tuple[str, str, str, str]], ending: str) -> list[str | None]:
    import heteronym as hn

    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "in"), Path(folder, "out")
        source.mkdir()
        for number, (kind, value, _, written) in enumerate(cases):
            content = _file(ending, [_PLAIN[kind].format(value), *written.split("\n")])
            if content is not None and value != "Hanh Do":
                (source / f"d{number:03}{ending}").write_bytes(content)
        hn.sanitize([source], output=target, method="redact")
        return [_read(target, number) for number in range(len(cases))]


def _file(ending: str, lines: list[str]) -> bytes | None:
    if ending == ".txt":
        return "\n".join(lines).encode()
    if ending == ".html":
        body = "\n".join(line if "<" in line or "&" in line else html.escape(line) for line in lines)
        return f"<html><body><p>{body}</p></body></html>".encode()
    if ending == ".docx":
        return docx("".join(runs(escape(line)) for line in lines))
    try:
        "".join(lines).encode("ascii")
        return pdf([re.sub(r"([()\\])", r"\\\1", line.replace("\r", "")) for line in lines])
    except UnicodeError:
        return None


def _read(folder: Path, number: int) -> str | None:
    for path in folder.rglob(f"d{number:03}.*"):
        if path.suffix == ".docx":
            with zipfile.ZipFile(path) as packed:
                text = packed.read("word/document.xml").decode()
            return html.unescape(re.sub(r"<[^>]*>", "", text))
        text = path.read_text("utf-8")
        return html.unescape(re.sub(r"<[^>]*>", "", text)) if path.suffix == ".html" else text
    return None


def main() -> None:
    cases = planted()
    results: dict[str, Any] = {"table": in_tables(cases)}
    results |= {ending: in_documents(cases, ending) for ending in (".txt", ".html", ".docx", ".pdf")}
    for where, texts in results.items():
        tried = [(case, text) for case, text in zip(cases, texts, strict=True) if text is not None]
        left = [case for case, text in tried if is_left(case[1], case[3], text)]
        print(
            f"{where:6} planted {len(tried):3} left {len(left):3}",
            dict(Counter(f"{c[0]}: {c[2]}" for c in left)),
        )


if __name__ == "__main__":
    main()
