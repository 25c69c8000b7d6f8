"""Pages of a PDF without the glyphs that edits remove: grey boxes in their place, with new texts on them."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from heteronym.io.formats.pdf_fonts import helvetica
from heteronym.io.formats.pdf_parts import inherited, is_stream
from heteronym.io.formats.pdf_state import Page, Shown, State, advance_of, copied, is_number, times
from heteronym.model.edit import Edit

_OURS = "/HeteronymHelvetica"
_GREY = 0.85


def write_page(pdf: Any, page: Page, edits: Sequence[Edit], pikepdf: Any) -> None:
    """The stream with what is left of its glyphs, boxes and new texts."""
    if not page.instructions:
        return
    removed: dict[int, Edit] = {}
    for edit in _merged(edits):
        removed |= dict.fromkeys(range(edit.start, edit.end), edit)
    shows: dict[int, list[tuple[int, Shown]]] = defaultdict(list)
    for index, shown in enumerate(page.glyphs):
        shows[shown.instruction].append((index, shown))
    boxes: dict[int, list[Any]] = defaultdict(list)
    texts: dict[int, list[Any]] = {}
    for number, some in shows.items():
        if any(index in removed for index, _ in some):
            texts[number] = list(_show_again(page, number, some, removed, boxes, pikepdf))
    made: list[Any] = []
    for number, (operands, name) in enumerate(page.instructions):
        made += boxes.get(number, [])
        made += texts.get(number, [(operands, name)])
    stream = pikepdf.unparse_content_stream(
        [(list(operands), pikepdf.Operator(name)) for operands, name in made]
    )
    if texts:
        _add_font(pdf, page.owner, pikepdf)
    if is_stream(page.owner):
        page.owner.write(stream)
    else:
        page.owner["/Contents"] = pdf.make_stream(stream)


def _merged(edits: Sequence[Edit]) -> list[Edit]:
    """One edit per new text: what an edit removes comes glyph by glyph."""
    merged: list[Edit] = []
    for edit in sorted(edits):
        if merged and not edit.text and merged[-1].end == edit.start:
            merged[-1] = merged[-1]._replace(end=edit.end)
        elif edit.end > edit.start:
            merged.append(edit)
    return merged


def _add_font(pdf: Any, owner: Any, pikepdf: Any) -> None:
    resources = inherited(owner)
    if not isinstance(resources, pikepdf.Dictionary):
        resources = owner["/Resources"] = pikepdf.Dictionary()
    if "/Font" not in resources:
        resources["/Font"] = pikepdf.Dictionary()
    resources["/Font"][_OURS] = pikepdf.Dictionary(
        Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica,
        Encoding=pikepdf.Name.WinAnsiEncoding,
    )  # fmt: skip


def _show_again(
    page: Page,
    number: int,
    glyphs: Sequence[tuple[int, Shown]],
    removed: Mapping[int, Edit],
    boxes: Mapping[int, list[Any]],
    pikepdf: Any,
) -> Iterator[Any]:
    """One show of text as several: what stays, and in between new texts in our font."""
    operands, name = page.instructions[number]
    state = copied(page.states[number])
    if name in ("'", '"'):
        if name == '"':
            yield [operands[0]], "Tw"
            yield [operands[1]], "Tc"
        yield [], "T*"
    parts = list(operands[0]) if name == "TJ" else [operands[-1]]
    by_part: dict[int, list[tuple[int, Shown]]] = defaultdict(list)
    for index, shown in glyphs:
        by_part[shown.part].append((index, shown))
    kept: list[Any] = []
    for part, one in enumerate(parts):
        if part not in by_part:
            if is_number(one):
                kept.append(one)
                state.matrix = times(
                    (1, 0, 0, 1, -float(one) / 1000 * state.size * state.scale, 0), state.matrix
                )
            continue
        run = b""
        for index, shown in by_part[part]:
            width = advance_of(shown.glyph, state)
            edit = removed.get(index)
            if edit is None:
                run += shown.glyph.code
            else:
                kept += [pikepdf.String(run)] if run else []
                run = b""
                if edit.start == index and edit.text:
                    if kept:
                        yield [pikepdf.Array(kept)], "TJ"
                        kept = []
                    room = _room(page, index, edit, state)
                    boxes[page.begin[number]].extend(_box(state, room))
                    yield from _label(edit.text, room, state, pikepdf)
                    kept.append(_number(used_room(edit.text, room, state) / _unit(state)))
                kept.append(_number(-width / _unit(state)))
            state.matrix = times((1, 0, 0, 1, width, 0), state.matrix)
        kept += [pikepdf.String(run)] if run else []
    if kept:
        yield [pikepdf.Array(kept)], "TJ"


def _unit(state: State) -> float:
    return (state.size * state.scale / 1000) or 1.0


def _room(page: Page, index: int, edit: Edit, state: State) -> float:
    """How wide the removed glyphs are that this instruction shows."""
    first = page.glyphs[index]
    room = 0.0
    for one in page.glyphs[index : edit.end]:
        if one.instruction != first.instruction:
            break
        room += advance_of(one.glyph, state)
    return room


def _box(state: State, room: float) -> Iterator[tuple[list[Any], str]]:
    """A grey box behind the new text, drawn before the text object."""
    low, high = state.rise - 0.22 * state.size, state.rise + 0.78 * state.size
    corners = [(0.0, low), (room, low), (room, high), (0.0, high)]
    placed = [times((1, 0, 0, 1, x, y), state.matrix)[4:] for x, y in corners]
    yield [], "q"
    yield [_number(_GREY)], "g"
    for (x, y), operator in zip(placed, ("m", "l", "l", "l")):
        yield [_number(x), _number(y)], operator
    yield [], "h"
    yield [], "f"
    yield [], "Q"


def _label(text: str, room: float, state: State, pikepdf: Any) -> Iterator[tuple[list[Any], str]]:
    """The new text in our font, as narrow as it must be; then all is set as it was."""
    coded = _in_cp1252(text)
    wide = sum(helvetica().get(sign, 556) for sign in coded.decode("cp1252")) / 1000 * state.size
    narrow = narrowed(wide, room)
    yield from (
        ([pikepdf.Name(_OURS), _number(state.size)], "Tf"),
        ([_number(100 * narrow)], "Tz"),
        ([0], "Tc"),
        ([0], "Tw"),
        ([pikepdf.String(coded)], "Tj"),
        ([state.name, _number(state.size)], "Tf"),
        ([_number(100 * state.scale)], "Tz"),
        ([_number(state.character)], "Tc"),
        ([_number(state.word)], "Tw"),
    )


def used_room(text: str, room: float, state: State) -> float:
    coded = _in_cp1252(text).decode("cp1252")
    wide = sum(helvetica().get(sign, 556) for sign in coded) / 1000 * state.size
    return wide * narrowed(wide, room)


def narrowed(wide: float, room: float) -> float:
    """By how much a new text is made narrow or wide, so that it fills the place of the old one."""
    return max(room / wide, 0.2) if wide > 0 and room > 0 else 1.0


def _number(value: float) -> Decimal:
    return Decimal(f"{value:.4f}")


def _in_cp1252(text: str) -> bytes:
    """Letters that our font has; others without their accents, or as a question mark."""
    made = []
    for sign in text.replace("\n", " "):
        for form in (sign, unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() or "?"):
            try:
                made.append(form.encode("cp1252"))
                break
            except UnicodeEncodeError:
                continue
    return b"".join(made)
