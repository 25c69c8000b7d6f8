"""PDF that stays PDF: letters are taken out of the page, a box is drawn where they stood, and what stands for
them is written on it.

Every show of text is cut into glyphs with their places; an edit removes glyphs from the file, not from sight.
Text of forms and notes is edited as that of pages is. Pictures, attachments, properties, scripts, structure
for reading aloud and signatures are taken out and named (pdf_parts.py). A file with letters that cannot be
told for sure is not edited: `UnreadableError` says so, and it is read as plain text instead (pdf.py).
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from heteronym.io.formats.pdf_fonts import Font, UnreadableError, read_font
from heteronym.io.formats.pdf_parts import inherited, strings, take_out, with_forms, without_texts
from heteronym.io.formats.pdf_state import (
    ONE,
    Matrix,
    Page,
    Shown,
    State,
    advance_of,
    copied,
    is_number,
    times,
)
from heteronym.io.formats.pdf_write import write_page
from heteronym.io.formats.source import Gathering, Source
from heteronym.model.edit import Edit

_SHOWS = frozenset({"Tj", "TJ", "'", '"'})


def read_pages(content: bytes) -> Source:
    """The file as a source whose edits are edits of its pages; `UnreadableError` if it cannot be one."""
    import pikepdf

    pdf = pikepdf.open(io.BytesIO(content))
    gathering = Gathering()
    left_out = list(take_out(pdf, pikepdf))
    pages: dict[str, Page] = {}
    for number, page in enumerate(pdf.pages):
        for owner in with_forms(page.obj):
            key = f"{number}.{len(pages)}"
            pages[key] = _read(owner, gathering, key, left_out, pikepdf)
            gathering.join("\n")
        gathering.join("\n")
    texts: dict[str, tuple[Any, Any]] = {}  # what holds a text, and under which key
    for number, (holder, key) in enumerate(strings(pdf, pikepdf)):
        name = f"string {number}"
        texts[name] = (holder, key)
        text = _clean(str(holder[key]))
        gathering.join("\n")
        gathering.add(text, name, 0, len(text), str)
    gathering.join("\n")
    streams = dict.fromkeys([*pages, *texts], "")
    source = gathering.source(streams, lambda new: content)
    return Source(
        source.text,
        source.pieces,
        streams,
        source.pack,
        left_out=tuple(left_out),
        traces=((next(iter(streams), ""), Edit(0, 0, "")),),  # the file itself is written anew
        rewrite=partial(_rewrite, content=content),
    )


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _rewrite(changes: Mapping[str, Sequence[Edit]], content: bytes) -> bytes:
    """The file with edits of its glyphs and strings; one without any is the same bytes."""
    import pikepdf

    if not changes:
        return content
    pdf = pikepdf.open(io.BytesIO(content))
    left_out = list(take_out(pdf, pikepdf))
    number_of = 0
    for number, page in enumerate(pdf.pages):
        for owner in with_forms(page.obj):
            key = f"{number}.{number_of}"
            number_of += 1
            read = _read(owner, Gathering(), key, left_out, pikepdf)
            write_page(pdf, read, changes.get(key, ()), pikepdf)
    for number, (holder, key) in enumerate(list(strings(pdf, pikepdf))):
        edits = changes.get(f"string {number}")
        if edits:
            text = _clean(str(holder[key]))
            for edit in sorted(edits, reverse=True):
                text = text[: edit.start] + edit.text + text[edit.end :]
            holder[key] = pikepdf.String(text)
    made = io.BytesIO()
    pdf.remove_unreferenced_resources()
    pdf.save(made, deterministic_id=True, compress_streams=True, fix_metadata_version=False)
    return made.getvalue()


def _read(owner: Any, gathering: Gathering, key: str, left_out: list[str], pikepdf: Any) -> Page:
    resources = inherited(owner)
    fonts = dict(resources.get("/Font", {}))
    pictures = {
        name for name, one in dict(resources.get("/XObject", {})).items() if one.get("/Subtype") != "/Form"
    }
    if owner.get("/Type") == "/Page" and "/Contents" not in owner:
        return Page(owner, [])
    kept, hidden = [], False
    for operands, operator in pikepdf.parse_content_stream(owner):
        name = str(operator)
        if name == "INLINE IMAGE" or (name == "Do" and str(operands[0]) in pictures):
            left_out.append("picture")
            hidden = True
            continue
        if name in ("BDC", "DP") or name in ("MP", "BMC"):
            operands = [operands[0]] if name in ("MP", "BMC") else without_texts(operands, pikepdf)
        kept.append((operands, name))
    for name in pictures:
        del resources["/XObject"][name]
    if "/Properties" in resources:
        for one in dict(resources["/Properties"]).values():
            for said in ("/ActualText", "/Alt", "/E", "/Title"):
                if said in one:
                    del one[said]
    if hidden:  # text behind a scanned picture is shown now that the picture is gone
        kept = [
            ([0], name) if name == "Tr" and int(operands[0]) in (3, 7) else (operands, name)
            for operands, name in kept
        ]
    page = Page(owner, kept)
    _Reader(page, fonts, gathering, key).read()
    return page


class _Reader:
    """Follows the operators of a stream, and adds its glyphs to the text."""

    def __init__(self, page: Page, fonts: Mapping[str, Any], gathering: Gathering, key: str) -> None:
        self.page, self.fonts, self.gathering, self.key = page, fonts, gathering, key
        self.state = State()
        self.stack: list[State] = []
        self.known: dict[str, Font] = {}
        self.last: tuple[float, float, float] | None = None  # where the last glyph ended, and its size
        self.block = 0

    def read(self) -> None:
        for number, (operands, name) in enumerate(self.page.instructions):
            if name in _SHOWS:
                self._show(number, operands, name)
            else:
                self._set(number, operands, name)

    def _set(self, number: int, operands: Any, name: str) -> None:
        state = self.state
        if name == "q":
            self.stack.append(copied(state))
        elif name == "Q" and self.stack:
            self.state = self.stack.pop()
        elif name == "cm":
            state.place = times(_matrix(operands), state.place)
        elif name == "BT":
            state.matrix = state.line = ONE
            self.block = number
        elif name == "Tf":
            state.name, state.size = operands[0], float(operands[1])
            state.font = self._font(str(operands[0]))
        elif name == "Tm":
            state.matrix = state.line = _matrix(operands)
        elif name in ("Td", "TD"):
            if name == "TD":
                state.leading = -float(operands[1])
            self._move(float(operands[0]), float(operands[1]))
        elif name == "T*":
            self._move(0, -state.leading)
        elif name in _NUMBERS:
            setattr(state, _NUMBERS[name], float(operands[0]) / (100 if name == "Tz" else 1))

    def _font(self, name: str) -> Font:
        if name not in self.known:
            if name not in self.fonts:
                raise UnreadableError
            self.known[name] = read_font(self.fonts[name])
        return self.known[name]

    def _move(self, x: float, y: float) -> None:
        self.state.line = times((1, 0, 0, 1, x, y), self.state.line)
        self.state.matrix = self.state.line

    def _show(self, number: int, operands: Any, name: str) -> None:
        state = self.state
        if name in ("'", '"'):
            if name == '"':
                state.word, state.character = float(operands[0]), float(operands[1])
            self._move(0, -state.leading)
        if state.font is None:
            raise UnreadableError
        self.page.states[number] = copied(state)
        self.page.begin[number] = self.block
        parts = list(operands[0]) if name == "TJ" else [operands[-1]]
        for part, one in enumerate(parts):
            if isinstance(one, (int, float)) or not hasattr(one, "__bytes__") or is_number(one):
                self._advance(-float(one) / 1000 * state.size * state.scale)
                continue
            at = 0
            for glyph in state.font.glyphs(bytes(one)):
                self._glyph(Shown(number, part, at, glyph))
                at += len(glyph.code)

    def _advance(self, by: float) -> None:
        self.state.matrix = times((1, 0, 0, 1, by, 0), self.state.matrix)

    def _glyph(self, shown: Shown) -> None:
        state, text = self.state, shown.glyph.text
        x, y, size = _place(state)
        self._gap(x, y, size)
        index = len(self.page.glyphs)
        self.page.glyphs.append(shown)
        if text.isspace():
            text = " "
        self.gathering.add(_clean(text), self.key, index, index + 1, str)
        self._advance(advance_of(shown.glyph, state))
        x, y, _ = _place(state)
        self.last = (x, y, size)

    def _gap(self, x: float, y: float, size: float) -> None:
        if self.last is None:
            return
        before_x, before_y, before_size = self.last
        if abs(y - before_y) > 0.4 * max(size, before_size, 0.1):
            self.gathering.join("\n")
        elif (x - before_x > 0.18 * size or before_x - x > 2 * size) and not self._ends_blank():
            self.gathering.put(" ")

    def _ends_blank(self) -> bool:
        return self.gathering.since(max(0, self.gathering.length - 1)).isspace()


_NUMBERS = {"Tc": "character", "Tw": "word", "Tz": "scale", "TL": "leading", "Ts": "rise"}


def _matrix(operands: Any) -> Matrix:
    a, b, c, d, e, f = map(float, operands)
    return (a, b, c, d, e, f)


def _place(state: State) -> tuple[float, float, float]:
    """Where the next glyph stands on the page, and how large it is there; rotated pages are turned back."""
    made = times(state.matrix, state.place)
    size = abs(state.size) * max((made[0] ** 2 + made[1] ** 2) ** 0.5, 0.001)
    if abs(made[1]) > abs(made[0]):  # text that runs up or down
        return (made[5] if made[1] > 0 else -made[5]), made[4], size
    return made[4], made[5] + state.rise, size
