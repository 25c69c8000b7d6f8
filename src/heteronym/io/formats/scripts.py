"""Scripts, JSON and style sheets inside documents: their strings and comments are texts, the rest is code.

Code is cut into strings, comments and what is left. A script whose rest still holds quotation marks was not
cut well (its strings may stand outside of what was taken for strings), and is named as not read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from heteronym.io.formats import markup
from heteronym.io.formats.source import Escape, Gathering, Source

_SCRIPT = re.compile(
    r"\"(?P<double>(?:[^\"\\\n]|\\.)*+)\""
    r"|'(?P<single>(?:[^'\\\n]|\\.)*+)'"
    r"|`(?P<template>(?:[^`\\]|\\.)*+)`"
    r"|/\*(?P<block>.*?)(?:\*/|\Z)"
    r"|(?<![:\\])//(?P<line>[^\n]*)"
    r"|<!--(?P<markup>[^\n]*)"
    r"|(?<=[=(,:;!&|?{}])\s*/(?![*/])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*+\])++/[a-z]*",
    re.S,
)
_STYLE = re.compile(
    r"\"(?P<double>(?:[^\"\\\n]|\\.)*+)\"|'(?P<single>(?:[^'\\\n]|\\.)*+)'"
    r"|/\*(?P<block>.*?)(?:\*/|\Z)|url\(\s*(?P<link>[^\"'()\s][^()]*)\)",
    re.S,
)
_ESCAPED = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.S)
_ESCAPED_IN_STYLE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.S)
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": " ", "\n": ""}
_TELLING = re.compile(r"[^\W\d_]|\d{3}")
_KEY = re.compile(r"\s*:\s*")
_EMBEDDED = re.compile(r"\s*data:(?:image|font|audio|video|application/(?:font|x-font|pdf|octet))", re.I)


def read_script(text: str) -> Source:
    """A script, or JSON, as one document."""
    return _read(text, _SCRIPT, _ESCAPED, _as_string, "script")


def read_style(text: str) -> Source:
    """A style sheet as one document."""
    return _read(text, _STYLE, _ESCAPED_IN_STYLE, _as_style, "style sheet")


def _read(text: str, form: re.Pattern[str], escaped: re.Pattern[str], escape: Escape, kind: str) -> Source:
    gathering, rest, done = Gathering(), [], 0
    for match in form.finditer(text):
        between = text[done : match.start()]
        rest.append(between)
        done = match.end()
        group = next((name for name, found in match.groupdict().items() if found is not None), None)
        if group is None:  # a pattern of the script
            if re.search(r"[^\W\d_]{3}\s[^\W\d_]{3}", match.group()):
                gathering.unread.append(kind)
            continue
        literal = match[group]
        if _EMBEDDED.match(literal) or markup.is_encoded(literal):
            gathering.unread.append("encoded data" if not _EMBEDDED.match(literal) else "picture")
        elif _TELLING.search(literal):
            # a key and its value are one line, so that "born": "1957" is read as it is meant
            gathering.join(": " if _KEY.fullmatch(between) and gathering.length else "\n")
            if group in ("block", "line", "markup"):
                gathering.add(literal, "", *match.span(group), _as_remark)
            else:
                add_string(gathering, text, match.span(group), escaped, escape)
    rest.append(text[done:])
    code = "".join(rest)
    if re.search("[\"'`]" if kind == "script" else "[\"']", code):
        gathering.unread.append(kind)

    def pack(changed: Mapping[str, str]) -> bytes:
        return changed.get("", text).encode("utf-8", "surrogatepass")

    return gathering.source({"": text}, pack)


def _character(code: int) -> str:
    """Halves of pairs, and what is no character, as a sign that stands for one."""
    return "\ufffd" if code > 0x10FFFF or 0xD800 <= code < 0xE000 else chr(code or 0x20)


def _as_string(text: str) -> str:
    """Inside of any quotes, in JSON as well."""
    written = json.dumps(text)[1:-1].replace('\\"', "\\u0022")
    for sign in "'`<$":
        written = written.replace(sign, f"\\u{ord(sign):04x}")
    return written


def add_string(
    gathering: Gathering,
    text: str,
    place: tuple[int, int],
    escaped: re.Pattern[str] = _ESCAPED,
    escape: Escape = _as_string,
) -> None:
    """The letters of a string in quotes, each with the place where it is written."""
    at, to = place
    for match in escaped.finditer(text, at, to):
        code = next((one for one in match.groups()[:-1] if one is not None), None)
        sign = match.groups()[-1]
        read = _SIGNS.get(sign, sign) if code is None else _character(int(code, 16))
        gathering.add(text[at : match.start()], "", at, match.start(), escape)
        gathering.add(read, "", match.start(), match.end(), escape)
        at = match.end()
    gathering.add(text[at:to], "", at, to, escape)


def _as_style(text: str) -> str:
    return re.sub(r"[\"'\\\n()<]", lambda sign: f"\\{ord(sign.group()):x} ", text)


def _as_remark(text: str) -> str:
    return re.sub(r"[*/\n<>]", " ", text)
