"""JSON, JSON lines and FHIR: strings, numbers and keys in their places; whatever is changed, it stays JSON.

A value is a line behind its key, so that "born": "1957" is read as it is meant. A number that is changed
becomes a string. What elements of a FHIR resource are, by their path, says a table (fhir.toml); other
objects are read by what they say. Strings that hold pages or files are documents of their own.
"""

from __future__ import annotations

import base64
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from heteronym.errors import InputError
from heteronym.io.formats import markup
from heteronym.io.formats.html import read_page
from heteronym.io.formats.plain import decode, encode, read_plain
from heteronym.io.formats.scripts import add_string
from heteronym.io.formats.source import Gathering, Pack, Piece, Source

_TOKEN = re.compile(
    r'"(?P<string>(?:[^"\\]|\\.)*+)"|(?P<plain>-?\d[\d.eE+-]*+|true|false|null)|(?P<sign>[\[\]{},])'
)
_KEY = re.compile(r"\s*:")
_DEEPEST = 200
_KEY_OF_THE_FORMAT = re.compile(r"[a-z_$@][\w$@:.-]*")
_PAGE = re.compile(r"\s*<(?:div|html|p|body|span|!doctype)\b[^>]*>", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_TELLING = re.compile(r"[^\W_]|\\u")
_SHORTEST_ID = 3
_DATA = re.compile(r"data:(?P<type>[^,;]*);base64,")


class Value(NamedTuple):
    """A string or number, or a key, and where it stands in the file, without its quotes."""

    path: tuple[str, ...]  # keys above it; its own comes last
    kind: Literal["string", "number", "key"]
    at: int
    to: int


@cache
def _profile() -> Mapping[str, str]:
    """What elements of FHIR resources are: the end of a path -> a type of entity, or "kept"."""
    text = files("heteronym.io.formats").joinpath("fhir.toml").read_text(encoding="utf-8")
    return {path: kind for kind, paths in tomllib.loads(text).items() for path in " ".join(paths).split()}


def read_json(content: bytes, name: str, encoding: str | None, depth: int = 0) -> Source:
    """One value, or one on every line; what is neither is read as plain text."""
    text, codec = decode(content, name, encoding)
    if not _is_json(text, name):
        return read_plain(content, name, encoding)
    return _read(text, lambda changed: encode(changed.get("", text), name, codec), depth)


def _is_json(text: str, name: str) -> bool:
    body = text.removeprefix("\ufeff")
    if max(_depths(body), default=0) > _DEEPEST:
        raise InputError(f"{name}: objects more than {_DEEPEST} deep inside of each other; not read")
    for whole in ([body], body.splitlines()):
        try:
            if [json.loads(part) for part in whole if part.strip()]:
                return True
        except ValueError:  # numbers of thousands of digits as well
            continue
    return False


def _depths(text: str) -> Iterator[int]:
    depth = 0
    for match in _TOKEN.finditer(text):
        if match["sign"] in ("{", "["):
            depth += 1
            yield depth
        elif match["sign"] in ("}", "]"):
            depth -= 1


def _values(text: str) -> Iterator[Value]:
    """Strings, numbers and keys in their order, each with the keys above it."""
    path: list[str] = []  # a key per open object; lists have none
    opened: list[str] = []
    for match in _TOKEN.finditer(text):
        sign, string = match["sign"], match["string"]
        if sign in ("{", "["):
            opened.append(sign)
            path += [""] if sign == "{" else []
        elif sign in ("}", "]"):
            if opened and opened.pop() == "{":
                path.pop()
        elif string is not None and opened[-1:] == ["{"] and _KEY.match(text, match.end()):
            path[-1] = string
            yield Value(tuple(path), "key", *match.span("string"))
        elif string is not None:
            yield Value(tuple(path), "string", *match.span("string"))
        elif sign is None and _NUMBER.fullmatch(match["plain"]):
            yield Value(tuple(path), "number", *match.span("plain"))


def _read(text: str, pack: Pack, depth: int) -> Source:
    gathering = Gathering()
    is_fhir = '"resourceType"' in text
    waiting: Value | None = None  # a key whose value has not come yet
    for value in _values(text):
        if value.kind == "key":
            if waiting is not None:
                _add_key(gathering, text, waiting)
            waiting = value
            continue
        kind = _kind_of(value, text) if is_fhir else ""
        if kind == "kept" or not _TELLING.search(text, value.at, value.to):
            waiting = None if kind == "kept" else waiting
            continue
        gathering.part("\n")
        if waiting is not None and value.path == waiting.path:
            _add_key(gathering, text, waiting)
            gathering.join(": ")
        elif value.path and value.path[-1]:
            gathering.label(f"{_unquoted(value.path[-1])}: ")
        waiting = None
        start = gathering.length
        _add_value(gathering, text, value, depth)
        if kind:
            _know(gathering, start, kind, text[value.at : value.to])
    if waiting is not None:
        _add_key(gathering, text, waiting)
    gathering.part("\n")
    return gathering.source({"": text}, pack)


def _unquoted(written: str) -> str:
    try:
        return str(json.loads(f'"{written}"')).encode("utf-8", "replace").decode()
    except ValueError:
        return written


def _kind_of(value: Value, text: str) -> str:
    """What an element is by the end of its path; "" leaves it to those who read."""
    profile, path = _profile(), value.path
    kind = profile.get(".".join(path[-2:])) or profile.get(path[-1] if path else "", "")
    if kind == "DATE" and not re.match(r"\d{4}", text[value.at : value.to]):
        return ""
    if kind == "ORG" and len(path) > 1 and path[-1] == "name" and path[-2] not in ("resource", "contained"):
        return ""
    return kind


def _know(gathering: Gathering, start: int, kind: str, written: str) -> None:
    """Of a reference its last part, which is somebody's id; one of two signs is a number of the file."""
    own = re.split(r"[/#:]", written)[-1] if kind == "CODE" else written
    if kind == "PHONE" and "@" in written:
        kind = "MAIL"
    if len(own) >= _SHORTEST_ID or kind != "CODE":
        gathering.is_known(max(start, gathering.length - len(own)), kind, "element of FHIR")


def _add_key(gathering: Gathering, text: str, key: Value) -> None:
    """A key is text; one that looks like a word of a format is context alone."""
    if gathering.length and not gathering.ends_line():
        gathering.part("\n")
    start = gathering.length
    add_string(gathering, text, (key.at, key.to))
    if _KEY_OF_THE_FORMAT.fullmatch(text, key.at, key.to):
        gathering.is_label(start)


def _add_value(gathering: Gathering, text: str, value: Value, depth: int) -> None:
    written, place = text[value.at : value.to], ("", value.at, value.to)
    if value.kind == "number":
        whole = Piece(0, len(written), "", 0, len(written), str)
        number = Source(written, [whole], {"": written}, lambda changed: changed[""].encode())
        gathering.nest(number, place, _as_value, around="")
        return
    string = _unquoted(written)
    if _PAGE.match(string):
        gathering.nest(read_page(string), place, _as_string)
    elif (data := _DATA.match(string)) is not None or markup.is_encoded(string):
        _add_data(gathering, string, place, data.end() if data else 0, depth)
    else:
        add_string(gathering, text, (value.at, value.to))


def _add_data(gathering: Gathering, string: str, place: tuple[str, int, int], start: int, depth: int) -> None:
    """A file in base64."""
    from heteronym.io.formats import read_inside

    content = markup.from_base64(string[start:])
    inside = "embedded file" if content is None else read_inside(content, "", depth)
    if isinstance(inside, str):
        gathering.unread.append(inside)
        return
    before = string[:start]
    gathering.nest(inside, place, lambda new: _as_string(before.encode() + base64.b64encode(new)))


def _as_value(new: bytes) -> str:
    text = new.decode()
    return text if _NUMBER.fullmatch(text) and not re.match(r"-?0\d", text) else json.dumps(text)


def _as_string(new: bytes) -> str:
    return json.dumps(new.decode("utf-8", "surrogatepass"), ensure_ascii=False)[1:-1]
