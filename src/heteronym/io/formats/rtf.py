"""RTF: text, notes, headers, fields and properties; control words stay byte for byte.

Letters are read by the code page of the file and of their font, or by their number. Packed copies that the
writing program makes again (themes, data stores) go; pictures and objects are named.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial

from heteronym.errors import InputError
from heteronym.io.formats.source import Gathering, Source
from heteronym.model.edit import Edit

_TOKEN = re.compile(
    r"\\(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,10})?\x20?"
    r"|\\'(?P<byte>[0-9A-Fa-f]{2})"
    r"|\\(?P<sign>[^A-Za-z])"
    r"|(?P<brace>[{}])"
    r"|(?P<end>[\r\n]+)"
    r"|(?P<text>[^\\{}\r\n]+)",
    re.S,
)
_STAND_IN = re.compile(r"[\r\n]*(?:\\'[0-9A-Fa-f]{2}|\\[{}\\]|[^\\{}])")
_BRACE = re.compile(r"\\[{}\\]|[{}]")
_PACKED_GROUP = re.compile(r"\{\s*\\\*\s*\\(?:themedata|colorschememapping|datastore|passwordhash)\b")
_TIME_PART = re.compile(r"\\(yr|mo|dy|hr|min|sec)\d+")
_DEEPEST = 1000
_LINES = frozenset("par line row sect page column nestrow".split())
_SIGNS = {"emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
          "bullet": "•", "emspace": "\u2003", "enspace": "\u2002"}  # fmt: skip
_NOT_TEXT = frozenset(
    "fonttbl colortbl stylesheet listtable listoverridetable rsidtbl generator latentstyles xmlnstbl mmathPr "
    "wgrffmtfilter fchars lchars".split()
)
_UNREAD = {"pict": "picture", "objdata": "embedded object", "fontemb": "embedded font"}
_PEOPLE = {"author": "PERSON", "operator": "PERSON", "manager": "PERSON", "company": "ORG",
           "atnauthor": "PERSON", "revtbl": "PERSON"}  # fmt: skip
_OF_THEIR_OWN = frozenset(  # destinations that are a line
    "title subject author manager company operator category keywords comment doccomm hlinkbase fldinst "
    "atnauthor atnid bkmkstart bkmkend revtbl propname staticval docvar xe tc formfield ffname ffdeftext "
    "ffhelptext ffstattext ffl header headerl headerr headerf footer footerl footerr footerf footnote "
    "annotation shptxt sn sv userprops".split()
)
_TIMES = frozenset("creatim revtim printim buptim".split())
_DESTINATIONS = frozenset({*_UNREAD, *_NOT_TEXT, *_OF_THEIR_OWN, *_TIMES})
_NO_TIME = {"yr": 1980, "mo": 1, "dy": 1}
_BYTE = re.compile(r"\\'([0-9A-Fa-f]{2})")
_WORD_BEFORE = re.compile(r"\\[A-Za-z]{1,32}(?:-?\d{1,10})?\Z")
_LOW_HALF = re.compile(r"[\r\n]*(?:\\uc\d)?\\u(-?\d{1,6}) ?")
_CODE_PAGES = {0: "", 128: "cp932", 129: "cp949", 134: "cp936", 136: "cp950", 161: "cp1253", 162: "cp1254",
               163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
               238: "cp1250"}  # fmt: skip
_FONT = re.compile(r"\\f(\d+)(?:\\[a-z]+-?\d*|\{\\\*\\panose[^}]*\}|\s)*?\\fcharset(\d+)")


@dataclass
class _Group:
    """What holds until a brace closes."""

    is_text: bool = True
    font: int = -1
    stand_ins: int = 1  # signs behind a letter that stand in for it in old programs
    start: int = -1  # where in the text the destination begins; -1: it is none
    known: str = ""


def read_rtf(content: bytes, name: str) -> Source:
    stream = content.decode("latin-1")
    if not stream.startswith("{\\rtf"):
        raise InputError(f"{name}: is no RTF file")
    return _Reading(stream, name).source()


class _Reading:
    """One pass over a file."""

    def __init__(self, stream: str, name: str) -> None:
        self.stream, self.name, self.at = stream, name, 0
        self.gathering = Gathering()
        declared = re.search(r"\\ansicpg(\d{3,4})", stream[:4000])
        self.page = f"cp{declared[1]}" if declared else "cp1252"
        self.pages = {int(font): _CODE_PAGES.get(int(number), "") for font, number in _FONT.findall(stream)}
        self.is_numbered = re.search(r"\\u-?\d{1,5} ?\\'", stream) is not None
        self.groups = [_Group()]
        self.is_first = False  # whether the next word names a destination

    def source(self) -> Source:
        stream, gathering = self.stream, self.gathering
        while (match := _TOKEN.match(stream, self.at)) is not None:
            self.at = match.end()
            if match["brace"] is not None:
                self._brace(match)
                continue
            if match["word"] is not None:
                self._word(match)
            elif match["byte"] is not None:
                self._byte(match)
            elif match["sign"] is not None:
                self._sign(match)
                if match["sign"] == "*":
                    continue  # the destination's name follows
            elif match["text"] is not None and self.groups[-1].is_text:
                self._text(match)
            if match["end"] is None:
                self.is_first = False
        gathering.join("\n")
        return gathering.source({"": stream}, lambda new: new.get("", stream).encode("latin-1"))

    def _add(self, letters: str, start: int) -> None:
        escape = partial(
            as_rtf,
            page=self._page(),
            stand_ins=self.groups[-1].stand_ins,
            is_numbered=self.is_numbered,
            is_apart=_WORD_BEFORE.search(self.stream, max(0, start - 40), start) is not None,
        )
        self.gathering.add(letters, "", start, self.at, escape)

    def _page(self) -> str:
        return self.pages.get(self.groups[-1].font) or self.page

    def _brace(self, match: re.Match[str]) -> None:
        self.is_first = match["brace"] == "{"
        if not self.is_first:
            done = self.groups.pop() if len(self.groups) > 1 else self.groups[0]
            if done.start >= 0:
                if done.known:
                    self.gathering.is_known(done.start, done.known, "property of a document")
                self.gathering.join("\n")
        elif _PACKED_GROUP.match(self.stream, match.start()):
            self.at = self._end_of_group(match.start())
            self.gathering.traces.append(("", Edit(match.start(), self.at, "")))
        else:
            if len(self.groups) > _DEEPEST:
                raise InputError(
                    f"{self.name}: groups more than {_DEEPEST} deep inside of each other; not read"
                )
            self.groups.append(replace(self.groups[-1], start=-1, known=""))

    def _end_of_group(self, at: int) -> int:
        depth = 0
        for brace in _BRACE.finditer(self.stream, at):
            depth += {"{": 1, "}": -1}.get(brace.group(), 0)
            if depth == 0:
                return brace.end()
        return len(self.stream)

    def _word(self, match: re.Match[str]) -> None:
        word, number, top = match["word"], int(match["number"] or 0), self.groups[-1]
        if word == "bin":
            self.gathering.unread.append("embedded object")
            self.at += max(number, 0)
        elif self.is_first and (word in _DESTINATIONS or self._is_starred(match)):
            self._destination(match, top)
        elif word == "u" and match["number"]:
            self._letter_by_number(match, number % 65_536)
        elif word == "uc":
            top.stand_ins = max(0, min(number, 8))
        elif word == "f":
            top.font = number
        elif top.is_text and word in ("tab", "cell"):
            self.gathering.put("\t" if word == "tab" else " | ")
        elif top.is_text and word in _SIGNS:
            self._add(_SIGNS[word], match.start())
        elif top.is_text and word in _LINES:
            self.gathering.join("\n")

    def _is_starred(self, match: re.Match[str]) -> bool:
        """Whether a group is none of the text around it, whatever it may be."""
        return self.stream.endswith("{\\*", 0, match.start())

    def _destination(self, match: re.Match[str], top: _Group) -> None:
        word = match["word"]
        if word not in _UNREAD and word not in _NOT_TEXT and word not in _TIMES:
            self.gathering.join("\n")
            top.start, top.known = self.gathering.length, _PEOPLE.get(word, "")
            return
        top.is_text = False
        if word in _UNREAD:
            self.gathering.unread.append(_UNREAD[word])
        elif word in _TIMES:
            end = self._end_of_group(self.stream.rindex("{", 0, match.start() + 1))
            for part in _TIME_PART.finditer(self.stream, match.end(), end):
                new = f"\\{part[1]}{_NO_TIME.get(part[1], 0)}"
                self.gathering.traces.append(("", Edit(*part.span(), new)))

    def _letter_by_number(self, match: re.Match[str], code: int) -> None:
        for _ in range(self.groups[-1].stand_ins):
            sign = _STAND_IN.match(self.stream, self.at)
            self.at = self.at if sign is None else sign.end()
        if not self.groups[-1].is_text:
            return
        start = match.start()
        if 0xD800 <= code < 0xDC00:  # a letter beyond 65,535 is written as two halves
            other = _LOW_HALF.match(self.stream, self.at)
            if other is None:
                return
            code = 0x10000 + ((code - 0xD800) << 10) + (int(other[1]) % 65_536 - 0xDC00)
            self.at = other.end()
            for _ in range(self.groups[-1].stand_ins):
                sign = _STAND_IN.match(self.stream, self.at)
                self.at = self.at if sign is None else sign.end()
        if code < 0x110000 and not 0xD800 <= code < 0xE000:
            self._add(chr(code or 0x20), start)

    def _byte(self, match: re.Match[str]) -> None:
        """A letter of one byte, or of two."""
        if not self.groups[-1].is_text:
            return
        page = self._page()
        other = _BYTE.match(self.stream, self.at)
        for written in (match["byte"], match["byte"] + (other[1] if other else "")):
            try:
                letters = bytes.fromhex(written).decode(page)
            except (UnicodeDecodeError, LookupError):
                continue
            if len(written) > 2 and other is not None:
                self.at = other.end()
            self._add(letters, match.start())
            return
        self._add("\ufffd", match.start())

    def _sign(self, match: re.Match[str]) -> None:
        sign, top = match["sign"], self.groups[-1]
        if not top.is_text:
            return
        if sign in "{}\\":
            self._add(sign, match.start())
        elif sign in "~_":
            self._add({"~": "\u00a0", "_": "-"}[sign], match.start())
        elif sign in "\r\n":
            self.gathering.join("\n")

    def _text(self, match: re.Match[str]) -> None:
        page = self._page()
        written = match["text"]
        if not written.isascii():  # letters as they are, which a writer should not do
            try:
                decoded = written.encode("latin-1").decode(page)
                written = decoded if len(decoded) == len(written) else written
            except (UnicodeDecodeError, LookupError):
                pass
        self._add(written.replace("\t", " "), match.start())


def as_rtf(text: str, page: str, stand_ins: int, *, is_numbered: bool, is_apart: bool) -> str:
    """In ASCII; other letters as the rest of the file has them: by code page, by number, or both."""
    made = [" "] if is_apart and re.match(r"[\w -]", text) else []
    for sign in text:
        if sign in "\\{}":
            made.append(f"\\{sign}")
        elif sign in "\r\n":
            made.append("\\line ")
        elif sign.isascii():
            made.append(sign)
        else:
            made.append(_other_letter(sign, page, stand_ins, is_numbered=is_numbered))
    return "".join(made)


def _other_letter(sign: str, page: str, stand_ins: int, *, is_numbered: bool) -> str:
    try:
        coded = "".join(f"\\'{byte:02x}" for byte in sign.encode(page))
    except (UnicodeEncodeError, LookupError):
        coded = ""
    if coded and not is_numbered:
        return coded
    if len(coded) == 4 and stand_ins == 1 and len(sign.encode("utf-16-le")) == 2:
        return f"\\u{_signed(ord(sign))}{coded}"
    units = sign.encode("utf-16-le")
    codes = [high << 8 | low for low, high in zip(units[::2], units[1::2])]
    return "{\\uc1" + "".join(f"\\u{_signed(code)}?" for code in codes) + "}"


def _signed(code: int) -> int:
    return code - 65_536 if code > 32_767 else code
