"""Records inside a text: tables below a line of column names, members of objects, tags, pairs of log lines.

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

from heteronym.model.mention import Span
from heteronym.text.fields import KEYS, column_kind, folded
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers._values import READERS, TYPES
from heteronym.text.recognizers.rows import reader

_LEXICON = lexicon("records")

_NOTHING = _LEXICON.words("NOTHING")
_PROPER = _LEXICON.compiled("PROPER")
_STRING = _LEXICON.compiled("STRING")
# Names of members that things have as well: {"name": "my-package"}. Their value must look like a name.
_GENERAL = frozenset("name names owner author contact member client customer family last first".split())
_WHOLE = frozenset("CODE POSTCODE PHONE SECRET USERNAME IBAN STATUS".split())  # all of it, or nothing
_LONGEST, _LONGEST_HEAD, _LONGEST_NAME = 60, 400, 30
_NAMED = {":": "MEMBER", "</": "TAG", "=": "PAIR"}  # patterns of the pack by what they need
# What divides a line; a quoted cell may hold it, too.
_CUTS = {
    sign: re.compile(rf'"(?:[^"\n]|"")*+"|({cut})')
    for sign, cut in ((";", ";"), ("|", r"\|"), ("\t", r"\t"), (",", ","), ("  ", r"[ ]{2,}"))
}
_RULED = re.compile(r"#.*|[\s|:+=-]+")
_ABOVE = 4  # characters between the beginnings of a cell and of the name above it
_Cell = tuple[int, int]


@reader("records")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """Cells and members of exports, typed by the names of their columns."""
    yield from _tables(text)
    for pattern in (_LEXICON.compiled(pattern) for sign, pattern in _NAMED.items() if sign in text):
        for match in pattern.finditer(text):
            name, cells = match["key"], [match.span(str(match.lastgroup))]
            if match.lastgroup == "list":
                cells = list(_listed(text, match.end()))
            for cell in cells:
                if folded(name) not in _GENERAL or _PROPER.fullmatch(text, *cell):
                    yield from _typed(text, name, cell, "member")


def _listed(text: str, place: int) -> Iterator[_Cell]:
    """The strings of a list that begins at a place."""
    while (item := _STRING.match(text, place)) is not None:
        yield item.span(str(item.lastgroup))
        place = item.end()


def _typed(text: str, name: str, cell: _Cell, where: str) -> Iterator[Span]:
    surface = text[slice(*cell)].strip(" \t\"'")
    kind = column_kind(name)
    if not surface or surface.split(None, 1)[0].lower() in _NOTHING or kind not in READERS:
        return
    start = text.index(surface, cell[0])
    end = start + len(surface)
    found = READERS["NAME" if kind == "BY" else kind](text, start, end)
    if found is not None and not (kind in _WHOLE and end - found[1] > 1):
        last = end if end - start <= _LONGEST else found[1]
        yield Span(found[0], last, TYPES.get(kind, kind), 0.9, "records", f"{where} {kind.lower()}")


def _tables(text: str) -> Iterator[Span]:
    names: list[str] = []
    columns: list[int] = []  # where they begin in the line of their names
    separator, place, misfit = "", 0, False
    for line in text.split("\n"):
        start, place = place, place + len(line) + 1
        cells = _cells(text, start, start + len(line), separator) if names else []
        if len(cells) > 1 and (separator == "  " or 2 * len(cells) >= len(names)):
            for name, cell in _named(names, cells, columns, start):
                if KEYS.get(folded(text[slice(*cell)]), "LIKELY") == "LIKELY":  # a key as value: a form
                    yield from _typed(text, name, cell, "column")
            misfit = False
        elif names and line.strip() and not misfit:
            misfit = _RULED.fullmatch(line) is None  # one line may be something else
        else:
            names, separator = _head(text, start, line)
            columns, misfit = [], False
            if separator == "  ":
                columns = [cell[0] - start for cell in _cells(text, start, start + len(line), separator)]


def _named(
    names: list[str], cells: list[_Cell], columns: list[int], start: int
) -> Iterator[tuple[str, _Cell]]:
    """Cells with their columns; where some are empty between blanks, a cell belongs to the name above it."""
    if len(cells) == len(names) or len(columns) != len(names):
        yield from zip(names, cells)
        return
    for cell in cells:
        distance, which = min((abs(cell[0] - start - column), n) for n, column in enumerate(columns))
        if distance <= _ABOVE:
            yield names[which], cell


def _head(text: str, start: int, line: str) -> tuple[list[str], str]:
    """The names of the columns and what separates them; no names: the line is no head of a table."""
    for separator in _CUTS if 6 < len(line) < _LONGEST_HEAD and ":" not in line else ():
        if separator not in line:
            continue
        cells = _cells(text, start, start + len(line), separator)
        names = [text[a:b].strip(" \t\"'#*") for a, b in cells]
        if len(names) < (2 if separator in ";|" else 3) or max(map(len, names)) > _LONGEST_NAME:
            continue
        if separator in ("  ", "\t") and any(map(str.isdigit, line)):
            continue  # a line of a form
        kinds = [column_kind(name) for name in names]
        telling = sum(kind not in (None, "NONE") for kind in kinds)
        if telling >= 2 and 2 * sum(kind is not None for kind in kinds) > len(names):
            return names, separator
    return [], ""


def _cells(text: str, start: int, end: int, separator: str) -> list[_Cell]:
    if separator in "|  ":  # these may stand around a line, too
        whole = text[start:end].strip("| ")
        start = text.find(whole, start)
        end = start + len(whole)
    cuts = [cut.span(1) for cut in _CUTS[separator].finditer(text, start, end) if cut[1]]
    return list(zip([start, *(cut[1] for cut in cuts)], [*(cut[0] for cut in cuts), end]))
