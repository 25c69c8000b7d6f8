"""Original and result beside each other, for the owner's eyes: one HTML page that needs nothing else.

What was replaced is marked on both sides by more than colour, rows are paragraphs, and every document
is a table with headed columns, so that a screen reader can follow it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from heteronym.model.edit import Edit

Page = tuple[str, str, Sequence[Edit]]  # name, original text, its edits

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 90rem; padding: 1rem; }
table { border-collapse: collapse; table-layout: fixed; width: 100%; }
th, td { border: 1px solid #767676; padding: .4rem .6rem; text-align: left; vertical-align: top; }
td { overflow-wrap: anywhere; white-space: pre-wrap; }
del, ins { border-radius: .2rem; padding: 0 .15rem; }
del { background: #fde0dc; color: #6b0f00; }
ins { background: #d7f0dd; color: #00401a; text-decoration: underline; }
summary { cursor: pointer; font-weight: 600; padding: .4rem 0; }
"""


def side_by_side(pages: Sequence[Page], *, method: str) -> bytes:
    """The page as it is written into the owner's folder. Holds personal data."""
    replaced = sum(len(edits) for _, _, edits in pages)
    summary = f"{len(pages)} documents, {replaced} replacements by the method {escape(method)}."
    sections = "\n".join(
        _section(number, page, is_open=len(pages) == 1) for number, page in enumerate(pages, 1)
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Original and result</title>
<style>{_STYLE}</style>
</head>
<body>
<header>
<h1>Original and result</h1>
<p>{summary} This page shows the originals: keep it to yourself.</p>
</header>
<main>
{sections}
</main>
</body>
</html>
""".encode("utf-8", "xmlcharrefreplace")


def _section(number: int, page: Page, *, is_open: bool) -> str:
    name, text, edits = page
    rows = "\n".join(
        f"<tr><td>{original}</td><td>{result}</td></tr>" for original, result in _rows(text, edits)
    )
    return f"""<section aria-labelledby="d{number}">
<h2 id="d{number}">{escape(name)}</h2>
<details{" open" if is_open else ""}>
<summary>{len(edits)} replacements</summary>
<table>
<caption>{escape(name)}, paragraph by paragraph</caption>
<thead><tr><th scope="col">Original</th><th scope="col">Result</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</details>
</section>"""


def _rows(text: str, edits: Sequence[Edit]) -> Iterator[tuple[str, str]]:
    """Pairs of marked paragraphs; a row ends at a line break that no edit touches."""
    left: list[str] = []
    right: list[str] = []
    done = 0
    for edit in [*sorted(edits), Edit(len(text), len(text), "")]:
        *whole, rest = text[done : edit.start].split("\n")
        for line in whole:
            left.append(escape(line))
            right.append(escape(line))
            if any(piece.strip() for piece in left):
                yield "".join(left), "".join(right)
            left, right = [], []
        left.append(escape(rest))
        right.append(escape(rest))
        if edit.end > edit.start:
            left.append(f"<del>{escape(text[edit.start : edit.end])}</del>")
        if edit.text:
            right.append(f"<ins>{escape(edit.text)}</ins>")
        done = edit.end
    if any(piece.strip() for piece in left):
        yield "".join(left), "".join(right)
