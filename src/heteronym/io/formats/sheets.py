"""Cells of workbooks (XLSX), row by row: a sheet is read as a table, whose columns say what cells are.

A text is stored once and shown by many cells: it is read where it is first shown, and again as context. A
number or a date that is changed becomes a text in its cell; numbers of dates are read as the dates they show.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from functools import partial

from heteronym.io.formats import markup
from heteronym.io.formats.source import Gathering, Piece, Source

SHARED = "xl/sharedStrings.xml"
_STYLES = "xl/styles.xml"
_SHEET = re.compile(r"xl/(?:work|dialog|chart)sheets/[^/]+\.xml")
_ROW = re.compile(r"<(?:\w+:)?row\b[^>]*?(?:/>|>(?P<cells>.*?)</(?:\w+:)?row>)", re.S)
_CELL = re.compile(r"<(?P<tag>(?:\w+:)?c)\b(?P<attributes>[^>]*?)(?:/>|>(?P<inside>.*?)</(?P=tag)>)", re.S)
_VALUE = re.compile(r"<(?:\w+:)?v\b[^>]*>(?P<value>[^<]*)</")
_ITEM = re.compile(r"<(?P<tag>(?:\w+:)?si)\b[^>]*?(?:/>|>(?P<inside>.*?)</(?P=tag)>)", re.S)
_TEXT = re.compile(r"<(?:\w+:)?(?P<tag>t|rPh)\b[^>]*?(?:/>|>(?P<text>[^<]*)</(?:\w+:)?t>)", re.S)
_ATTRIBUTE = re.compile(r"\b([rst])\s*=\s*[\"']([^\"']*)[\"']")
_FORMAT = re.compile(r"<(?:\w+:)?numFmt\b[^>]*>")
_CELL_FORMATS = re.compile(r"<(?:\w+:)?cellXfs\b.*?</(?:\w+:)?cellXfs>", re.S)
_FORMAT_NUMBER = re.compile(r"<(?:\w+:)?xf\b[^>]*?\bnumFmtId\s*=\s*[\"'](\d+)")
_DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
_PLAIN_NUMBER = re.compile(r"-?\d{1,40}(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")


def is_sheet(part: str) -> bool:
    """Whether this file reads the texts of a part."""
    return part == SHARED or _SHEET.fullmatch(part) is not None


def read_sheets(gathering: Gathering, streams: Mapping[str, str]) -> None:
    shared = _shared(streams.get(SHARED, ""))
    dates = _date_styles(streams.get(_STYLES, ""))
    of_1904 = re.search(r"date1904=\"(?:1|true)\"", streams.get("xl/workbook.xml", ""))
    epoch = dt.datetime(1904, 1, 1) if of_1904 else dt.datetime(1899, 12, 30)
    shown: dict[int, tuple[int, str]] = {}  # where in the text a shared text was read, and what it says
    for part in sorted(filter(_SHEET.fullmatch, streams), key=_by_number):
        for row in _ROW.finditer(streams[part]):
            if row["cells"]:
                gathering.part("\n")
                _read_row(gathering, streams, part, row.span("cells"), shared, shown, (dates, epoch))
        gathering.part("\n")
    for number in range(len(shared)):  # of tables that nobody shows any more
        if number not in shown:
            gathering.part("\n")
            _add_shared(gathering, streams[SHARED], shared[number])
    gathering.part("\n")


def _by_number(part: str) -> tuple[int, str]:
    number = re.search(r"(\d+)\.xml$", part)
    return int(number[1]) if number else 0, part


def _shared(stream: str) -> list[list[tuple[int, int]]]:
    return [
        [text.span("text") for text in _TEXT.finditer(stream, *item.span("inside")) if text["text"]]
        if item["inside"]
        else []
        for item in _ITEM.finditer(stream)
    ]


def _date_styles(stream: str) -> frozenset[int]:
    """Numbers of the cell formats that show dates."""
    dates = set(_DATES)
    for form in _FORMAT.findall(stream):
        number, code = re.search(r"numFmtId=\"(\d+)\"", form), re.search(r"formatCode=\"([^\"]*)\"", form)
        bare = re.sub(r"&quot;.*?&quot;|\\.|\[[^\]]*\]", "", code[1]) if code else ""
        if (
            number
            and re.search(r"[ymdh]", bare, re.IGNORECASE)
            and not re.search(r"[0#?]", bare.split(".0")[0])
        ):
            dates.add(int(number[1]))
    formats = _CELL_FORMATS.search(stream)
    numbers = _FORMAT_NUMBER.findall(formats.group()) if formats else []
    return frozenset(place for place, number in enumerate(numbers) if int(number) in dates)


def _read_row(
    gathering: Gathering,
    streams: Mapping[str, str],
    part: str,
    cells: tuple[int, int],
    shared: list[list[tuple[int, int]]],
    shown: dict[int, tuple[int, str]],
    calendar: tuple[frozenset[int], dt.datetime],
) -> None:
    first = True
    column = 0
    for cell in _CELL.finditer(streams[part], *cells):
        said = dict(_ATTRIBUTE.findall(cell["attributes"]))
        place = _column(said.get("r", "")) or column + 1
        gathering.part(" | " * (min(place - column, 100) - (1 if first else 0)))
        first, column = False, place
        value = _VALUE.search(streams[part], *cell.span("inside")) if cell["inside"] else None
        kind = said.get("t", "n")
        if kind == "s" and value is not None and value["value"].strip().isdigit():
            number = int(value["value"])
            if number in shown:
                gathering.label(shown[number][1], shown[number][0])
            elif number < len(shared):
                start = gathering.length
                shown[number] = (start, _add_shared(gathering, streams[SHARED], shared[number]))
        elif kind == "inlineStr" and cell["inside"]:
            for text in _TEXT.finditer(streams[part], *cell.span("inside")):
                if text["text"]:
                    markup.add_text(
                        gathering, streams[part], (part, *text.span("text")), escape=markup.as_text
                    )
        elif kind == "n" and value is not None and _PLAIN_NUMBER.fullmatch(value["value"].strip()):
            _nest_number(gathering, part, cell, value["value"].strip(), said, calendar)


def _column(reference: str) -> int:
    number = 0
    for letter in re.match(r"[A-Z]{0,3}", reference).group():  # type: ignore[union-attr]
        number = number * 26 + ord(letter) - 64
    return number


def _add_shared(gathering: Gathering, stream: str, stretches: list[tuple[int, int]]) -> str:
    start = gathering.length
    for at, to in stretches:
        markup.add_text(gathering, stream, (SHARED, at, to), escape=markup.as_text)
    return gathering.since(start)


def _nest_number(
    gathering: Gathering,
    part: str,
    cell: re.Match[str],
    value: str,
    said: Mapping[str, str],
    calendar: tuple[frozenset[int], dt.datetime],
) -> None:
    dates, epoch = calendar
    text = (
        _as_date(value, epoch) if said.get("s", "0").isdigit() and int(said.get("s", "0")) in dates else value
    )
    whole = [Piece(0, len(text), "", 0, len(text), str)]
    source = Source(text, whole, {"": text}, lambda changed: changed.get("", text).encode())
    gathering.nest(source, (part, *cell.span()), partial(_as_cell, cell=cell, was=text), around="")


def _as_date(value: str, epoch: dt.datetime) -> str:
    try:
        moment = epoch + dt.timedelta(seconds=round(float(value) * 86_400))
    except (OverflowError, ValueError):
        return value
    if 0 <= float(value) < 1:
        return moment.strftime("%H:%M:%S")
    return moment.strftime("%Y-%m-%d" if moment.time() == dt.time() else "%Y-%m-%d %H:%M:%S")


def _as_cell(new: bytes, cell: re.Match[str], was: str) -> str:
    """A cell that shows another text, in its place and style; the formula that gave the number goes."""
    text = new.decode()
    if text == was:
        return cell.group()
    tag = cell["tag"]
    prefix = tag[:-1]
    attributes = re.sub(r"\s*\bt\s*=\s*([\"'])[^\"']*\1", "", cell["attributes"]).rstrip()
    if re.fullmatch(r"-?(?:0|[1-9]\d*)(?:\.\d+)?", text) and was == cell_value(cell):
        return f"<{tag}{attributes}><{prefix}v>{text}</{prefix}v></{tag}>"
    inner = f'<{prefix}is><{prefix}t xml:space="preserve">{markup.as_text(text)}</{prefix}t></{prefix}is>'
    return f'<{tag}{attributes} t="inlineStr">{inner}</{tag}>'


def cell_value(cell: re.Match[str]) -> str:
    value = _VALUE.search(cell.group())
    return value["value"].strip() if value else ""
