"""Records inside a text: tables below a line of column names, members of objects, tags, log lines, inserts.

    member_id;first;last;dob            {"first_name": "Ana", "dob": "1990-01-02"}
    10442;Annegret;Pfaffenzeller;1954   <name>Ana Berg</name>   user=ana.k ip=10.0.0.1

A column or member whose name is known holds what the name says, as a whole; columns of free text are left
to the other recognizers. A line is a head of a table if most of its cells are known names of columns and
the line below has cells as well.

Cost        lines with separators are split once; the rest are plain searches
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from heteronym.knowledge.wordlists import first_names
from heteronym.model.mention import Span
from heteronym.text.fields import KEYS, column_kind, folded
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers._values import READERS, TYPES
from heteronym.text.recognizers.rows import reader

_LEXICON = lexicon("records")

_SOURCE = "records"
_NOTHING = _LEXICON.words("NOTHING")
_LONGEST_HEAD = 400
_PROPER = _LEXICON.compiled("PROPER")
# Names of members that things have as well: {"name": "my-package"}. Their value must look like a name.
_GENERAL = frozenset("name names owner author user contact member client customer family last first".split())
_WHOLE = frozenset("CODE POSTCODE PHONE SECRET USERNAME MAIL IP IBAN STATUS".split())  # all of it, or nothing
_LONGEST = 60


@reader("records")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """Cells and members of exports, typed by the names of their columns."""
    if "\n" in text:
        yield from _tables(text)
    if '":' in text or "':" in text or '" :' in text or '"=>' in text:
        yield from _members(text)
    for sign, pattern, where in (("</", _TAG, "tag"), ("=", _PAIR, "pair")):
        for match in pattern.finditer(text) if sign in text else ():
            yield from _typed(text, match["key"], match.span(str(match.lastgroup)), where)


def _typed(text: str, name: str, cell: tuple[int, int], where: str, *, table: bool = False) -> Iterator[Span]:
    start, end = cell
    while start < end and text[start] in " \t\"'":
        start += 1
    while end > start and text[end - 1] in " \t\"'":
        end -= 1
    surface = text[start:end]
    if not surface or surface.split(None, 1)[0].lower() in _NOTHING:
        return
    kind = column_kind(name)
    if kind not in READERS or (table and KEYS.get(folded(surface), "LIKELY") != "LIKELY"):
        return  # a key as value: two columns of a form, and no table
    if not table and folded(name) in _GENERAL and kind != "USERNAME" and not _PROPER.fullmatch(surface):
        return
    if where == "pair" and (_FOLDER.match(surface) or (kind == "NAME" and _is_a_things(name, surface))):
        return
    found = READERS["NAME" if kind == "BY" else kind](text, start, end)
    if found is None or (kind in _WHOLE and end - found[1] > 1):
        return
    last = end if end - start <= _LONGEST else found[1]
    yield Span(found[0], last, TYPES.get(kind, kind), 0.9, _SOURCE, f"{where} {kind.lower()}")


def _is_a_things(name: str, surface: str) -> bool:
    """APP_NAME=intake-portal: small letters that no name has, behind a key that says what is called so."""
    first = re.split(r"[_.\s-]", surface, maxsplit=1)[0].capitalize()
    return surface.islower() and folded(name) not in KEYS and first not in first_names()


_FOLDER = re.compile(r"[~/]/?[\w.]")  # PWD=/home/ana is no secret; whose it is tells another rule


# ---- objects, tags, pairs

_MEMBER = re.compile(
    r"""(?P<q>["'])(?P<key>[A-Za-z_][\w .-]{0,40})(?P=q)\s?(?::|=>)\s{0,4}"""
    r"""(?:"(?P<a>(?:[^"\\\n]|\\.){1,300})"|'(?P<b>(?:[^'\\\n]|\\.){1,300})'|(?P<c>-?\d[\d.]{0,30})"
    r"|(?P<list>\[))"""
)
_STRING = _LEXICON.compiled("STRING")
_TAG = _LEXICON.compiled("TAG")
_PAIR = _LEXICON.compiled("PAIR")


def _members(text: str) -> Iterator[Span]:
    for match in _MEMBER.finditer(text):
        key, group = match.group("key"), str(match.lastgroup)
        if group != "list":
            yield from _typed(text, key, match.span(group), "member")
            continue
        place = match.end()
        while (item := _STRING.match(text, place)) is not None:
            yield from _typed(text, key, item.span(str(item.lastgroup)), "member")
            place = item.end()


# ---- tables

_CUT = re.compile(r"[ ]{2,}|\t+")
_RULED = re.compile(r"[\s|:+=-]+")


def _tables(text: str) -> Iterator[Span]:
    place, length = 0, len(text)
    while place < length:
        end = text.find("\n", place)
        if end < 0:
            return
        head = _head(text, place, end) if 6 < end - place < _LONGEST_HEAD else None
        place = end + 1
        if head is not None:
            place, spans = _rows(text, place, *head)
            yield from spans


def _head(text: str, start: int, end: int) -> tuple[list[str], str, list[int]] | None:
    """The names of the columns, what separates them, and where they begin; None: no head of a table."""
    line = text[start:end]
    for separator in (";", "|", "\t", ",", "  "):
        if separator not in line:
            continue
        cells = _cells(text, start, end, separator)
        names = [text[a:b].strip(" \t\"'#*") for a, b in cells]
        if separator == "|":
            inner = [(c, n) for c, n in zip(cells, names) if n]
            cells, names = [c for c, _ in inner], [n for _, n in inner]
        if len(names) < (2 if separator in ";|" else 3) or max(map(len, names)) > 30 or ":" in line:
            continue
        if separator in ("  ", "\t") and any(map(str.isdigit, "".join(names))):
            continue  # a line of a form
        kinds = [column_kind(name) for name in names if not name[:1].isdigit()]
        known = sum(kind is not None for kind in kinds)
        telling = sum(kind not in (None, "NONE") for kind in kinds)
        if telling >= 2 and 2 * known > len(names):
            return names, separator, [begin - start for begin, _ in cells]
    return None


def _rows(
    text: str, place: int, names: list[str], separator: str, starts: list[int]
) -> tuple[int, list[Span]]:
    spans: list[Span] = []
    misfits = 0
    while place < len(text):
        end = _row_end(text, place, separator)
        line = text[place:end]
        if line.startswith("#") or (line and _RULED.fullmatch(line)):
            place = end + 1
            continue
        cells = _cells(text, place, end, separator)
        if separator == "|":
            cells = cells[1:] if line.lstrip().startswith("|") else cells
        aligned = _aligned(cells, place, starts, names) if separator == "  " else list(zip(names, cells))
        if len(cells) < 2 or (separator != "  " and 2 * len(cells) < len(names)):
            misfits += 1
            if misfits > 1 or not line.strip():
                break
        else:
            misfits = 0
            for name, cell in aligned:
                spans.extend(_typed(text, name, cell, "column", table=True))
        place = end + 1
    return min(place, len(text)), spans


def _row_end(text: str, place: int, separator: str) -> int:
    """The end of a line; a quoted cell may hold breaks."""
    end = text.find("\n", place)
    if separator in ";,\t":
        for _ in range(5):
            if end < 0 or text.count('"', place, end) % 2 == 0:
                break
            end = text.find("\n", end + 1)
        if end < 0 or text.count('"', place, end) % 2:
            end = text.find("\n", place)
    return len(text) if end < 0 else end


def _cells(text: str, start: int, end: int, separator: str) -> list[tuple[int, int]]:
    if separator == "  ":
        cells, place = [], start
        for gap in _CUT.finditer(text, start, end):
            if gap.start() > place:
                cells.append((place, gap.start()))
            place = gap.end()
        return [*cells, (place, end)] if place < end else cells
    cells, place = [], start
    while place <= end:
        stop = place
        quote = place
        while quote < end and text[quote] == " ":
            quote += 1
        if quote < end and text[quote] == '"':  # a quoted cell may hold separators; "" is a quote in it
            closing = text.find('"', quote + 1, end)
            while closing >= 0 and text[closing + 1 : closing + 2] == '"':
                closing = text.find('"', closing + 2, end)
            stop = closing if closing >= 0 else place
        stop = text.find(separator, stop, end)
        stop = end if stop < 0 else stop
        cells.append((place, stop))
        place = stop + 1
    return cells


def _aligned(
    cells: list[tuple[int, int]], line: int, starts: list[int], names: list[str]
) -> list[tuple[str, tuple[int, int]]]:
    """In columns of blanks a cell belongs to the name above it."""
    if len(cells) == len(names):
        return list(zip(names, cells))
    result = []
    for cell in cells:
        distance, number = min((abs(cell[0] - line - start), n) for n, start in enumerate(starts))
        if distance <= 4:
            result.append((names[number], cell))
    return result
