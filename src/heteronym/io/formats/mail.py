"""Mail (.eml): header fields, bodies and attachments, each in its encoding; all other bytes stay.

Names and addresses of the fields that name people are known, and so are the ids and routes by which a mail
can be found again. Bodies and attachments are documents of their own, read in their own format and written
back in their own encoding; what no reader here knows is named.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from email.utils import getaddresses
from functools import partial
from typing import NamedTuple

from heteronym.errors import InputError
from heteronym.io.formats import markup
from heteronym.io.formats.html import read_html
from heteronym.io.formats.mail_encodings import decoded, decoded_word, encoded, encoded_word
from heteronym.io.formats.plain import read_plain
from heteronym.io.formats.source import Gathering, Source
from heteronym.model.mention import Span

_FIELD = re.compile(
    r"(?P<name>[!-9;-~]+)[ \t]*:[ \t]*(?P<value>[^\r\n]*(?:(?:\r\n|\n|\r)[ \t][^\r\n]*)*)(?:\r\n|\n|\r|\Z)"
)
_WORD = re.compile(r"=\?(?P<charset>[\w.:*-]+)\?(?P<how>[bBqQ])\?(?P<text>[^?\s]*)\?=")
_FOLD = re.compile(r"(?:\r\n|\n|\r)[ \t]*")
_BETWEEN_WORDS = re.compile(r"\s+(?==\?[\w.:*-]+\?[bBqQ]\?)")
_PEOPLE = frozenset(
    "from to cc bcc sender reply-to resent-from resent-to resent-cc resent-sender resent-bcc return-path "
    "delivered-to x-original-to x-envelope-from x-envelope-to disposition-notification-to errors-to "
    "mail-followup-to apparently-to".split()
)
_IDS = re.compile(
    r"(?:resent-|x-)?message-id|in-reply-to|references|content-id|thread-index|x-originating-ip|x-[\w-]*id|"
    r"x-(?!.*received)[\w-]*(?:state|source|signature)"
)
_ROUTES = re.compile(
    r"(?:x-)?received|received-spf|list-unsubscribe|dkim-signature|domainkey-signature|(?:x-google-)?dkim.*|arc-.*|"
    r"(?:x-)?authentication-results(?:-.*)?|x-mailer|user-agent"
)
_IN_ROUTES = re.compile(
    r"(?P<MAIL>[^\s<>();,=@]+@[\w.-]+\w)"
    r"|(?P<IP>\d{1,3}(?:\.\d{1,3}){3}|(?:[0-9a-fA-F]{0,4}:){3,7}[0-9a-fA-F]{1,4})"
    r"|(?P<URL>(?:[\w-]+\.)+[A-Za-z][\w-]+)"
    r"|(?P<CODE>(?<=\bid )[\w.:+/=-]+|(?=[A-Za-z+/=_-]*\d)[\w+/=-]{6,}|[\w+/=-]{20,})"
)
_STRUCTURE = frozenset(
    "content-type content-disposition mime-version content-transfer-encoding content-language content-length "
    "lines x-priority importance priority".split()
)
_PARAMETER = re.compile(
    r"(?i)(?<![\w-])(?:name|filename|description)(?:\*\d*\*?)?\s*=\s*"
    r"(?:\"(?P<quoted>(?:[^\"\\]|\\.)*)\"|(?:[\w-]*'[\w-]*')?(?P<bare>[^\s;\"]+))"
)
_TEXTS = re.compile(
    r"text/|message/(?:delivery-status|disposition-notification)|application/(?:json|xml|rtf)"
)
_MOST_PARTS = 1000
_DEEPEST = 8  # parts inside of parts


class _Body(NamedTuple):
    """What the header of a part says of its body."""

    type: str = "text/plain"
    charset: str = ""
    encoding: str = ""
    boundary: str = ""
    file: str = ""


def read_mail(content: bytes, name: str, depth: int = 0) -> Source:
    stream = content.decode("latin-1")
    if _FIELD.match(stream, _start_of_header(stream)) is None:
        raise InputError(f"{name}: is no mail; it begins with no header field")
    gathering = _Reading(stream, name, depth).read()
    return gathering.source({"": stream}, lambda new: new.get("", stream).encode("latin-1"))


def _start_of_header(stream: str) -> int:
    """Behind the line that some mailboxes put before a mail."""
    first = re.match(r"(?:\xef\xbb\xbf)?(?:From [^\r\n]*(?:\r\n|\n))?", stream)
    return first.end() if first else 0


class _Reading:
    """One pass over a mail."""

    def __init__(self, stream: str, name: str, depth: int) -> None:
        self.stream, self.name, self.depth = stream, name, depth
        self.gathering = Gathering()
        self.parts = 0

    def read(self) -> Gathering:
        start = _start_of_header(self.stream)
        self._as_text(0, start)
        self._part(start, len(self.stream), 0)
        self.gathering.join("\n")
        return self.gathering

    def _part(self, at: int, to: int, depth: int) -> None:
        """The header of a part, then what it is the header of."""
        self.parts += 1
        if self.parts > _MOST_PARTS or depth > _DEEPEST:
            raise InputError(
                f"{self.name}: more parts than a mail needs ({_MOST_PARTS}, {_DEEPEST} deep); not read"
            )
        body, said = at, _Body()
        while (field := _FIELD.match(self.stream, body, to)) is not None:
            said = self._field(field, said)
            body = field.end()
        blank = re.compile(r"\r\n|\n|\r").match(self.stream, body, to)
        body = blank.end() if blank else body
        if said.type.startswith("multipart/") and said.boundary:
            self._multipart(body, to, said.boundary, depth)
        elif said.type == "message/rfc822" and said.encoding in ("", "7bit", "8bit", "binary"):
            self.gathering.join("\n")
            self._part(body, to, depth + 1)
        else:
            self._body(body, to, said)

    def _multipart(self, at: int, to: int, boundary: str, depth: int) -> None:
        form = re.compile(rf"^--{re.escape(boundary)}(?P<last>--)?[ \t]*(?:\r\n|\n|\r|\Z)", re.M)
        begin = None
        for line in form.finditer(self.stream, at, to):
            if begin is None:
                self._as_text(at, line.start())
            else:
                self._part(begin, _before_line_end(self.stream, line.start(), begin), depth + 1)
            begin = line.end()
            if line["last"]:
                self._as_text(begin, to)
                return
        if begin is not None:
            self._part(begin, to, depth + 1)
        else:
            self._as_text(at, to)

    def _as_text(self, at: int, to: int) -> None:
        """What stands around parts, which hardly any reader of mail shows."""
        self.gathering.join("\n")
        self.gathering.add(self.stream[at:to], "", at, to, _as_ascii)

    def _field(self, field: re.Match[str], said: _Body) -> _Body:
        name = field["name"].lower()
        at, to = field.span("value")
        if name == "content-transfer-encoding":
            return said._replace(encoding=field["value"].strip().lower())
        if name in ("content-type", "content-disposition"):
            for parameter in _PARAMETER.finditer(self.stream, at, to):
                group = "quoted" if parameter["quoted"] is not None else "bare"
                self._line("filename", *parameter.span(group), is_link=group == "bare")
            return _described(field["value"], said, name)
        if name not in _STRUCTURE:
            self._line(field["name"], at, to)
        return said

    def _line(self, name: str, at: int, to: int, *, is_link: bool = False) -> None:
        written = self.stream[at:to]
        source = _read_value(written, is_link=is_link)
        if name.lower() in _PEOPLE:
            source = replace(source, known=tuple(_people(source.text)))
        elif _ROUTES.fullmatch(name.lower()):
            source = replace(source, known=tuple(_stations(source.text)))
        elif _IDS.fullmatch(name.lower()) and source.text.strip():
            known = Span(0, len(source.text), "CODE", 1.0, "format", "id of a mail")
            source = replace(source, known=(known,))
        self.gathering.join("\n")
        self.gathering.label(f"{name}: ")
        self.gathering.nest(source, ("", at, to), lambda new: new.decode("latin-1"), around="")
        self.gathering.join("\n")

    def _body(self, at: int, to: int, said: _Body) -> None:
        written = self.stream[at:to].encode("latin-1")
        if not written.strip():
            return
        content = decoded(written, said.encoding)
        inside: Source | str = "attachment"
        if content is not None:
            inside = self._document(content, said)
        if isinstance(inside, str):
            self.gathering.unread.append(inside)
            return
        self.gathering.nest(
            inside, ("", at, to), lambda new: encoded(new, written, said.encoding).decode("latin-1")
        )

    def _document(self, content: bytes, said: _Body) -> Source | str:
        """The body as a document, or the kind of what is not read."""
        from heteronym.io.formats import read_inside

        if said.type == "text/html":
            return read_html(content, self.name, said.charset or None)
        if said.type in ("text/plain", "text/enriched") and not said.file:
            return _read_text(content, self.name, said.charset)
        ending = _ENDINGS.get(said.type, ".txt" if _TEXTS.match(said.type) else "")
        named = said.file if "." in said.file else f"part{ending}"
        return read_inside(content, named, self.depth, encoding=said.charset or None)


_ENDINGS = {
    "application/json": ".json",
    "application/fhir+json": ".json",
    "text/csv": ".csv",
    "text/markdown": ".md",
    "application/rtf": ".rtf",
    "text/rtf": ".rtf",
    "message/rfc822": ".eml",
    "text/vtt": ".vtt",
}


def _described(value: str, said: _Body, name: str) -> _Body:
    found = {
        key.lower(): (quoted or bare).replace('\\"', '"')
        for key, quoted, bare in _ANY_PARAMETER.findall(value)
    }
    file = next((found[key] for key in ("filename", "name") if key in found), said.file)
    if word := _WORD.fullmatch(file):
        file = decoded_word(word["charset"], word["how"], word["text"]) or file
    if name == "content-disposition":
        return said._replace(file=file)
    kind = value.partition(";")[0].strip().lower()
    charset = found.get("charset", "")
    return said._replace(type=kind, charset=charset, boundary=found.get("boundary", ""), file=file)


_ANY_PARAMETER = re.compile(r"([\w-]+)\*?\s*=\s*(?:\"((?:[^\"\\]|\\.)*)\"|([^\s;\"]+))")


def _before_line_end(stream: str, end: int, start: int) -> int:
    """The line end before a boundary is the boundary's."""
    for sign in ("\r\n", "\n", "\r"):
        if stream.endswith(sign, start, end):
            return end - len(sign)
    return end


def _read_value(written: str, *, is_link: bool) -> Source:
    """A value with folds read as blanks, and encoded words decoded."""
    gathering = Gathering()
    done = 0
    for word in _WORD.finditer(written) if not is_link else ():
        text = decoded_word(word["charset"], word["how"], word["text"])
        if text is None:
            continue
        between = written[done : word.start()]
        if not (done and between.isspace()):  # blanks between two words are none of the text
            _add_folded(gathering, written, done, word.start())
        _nest_word(gathering, word, text)
        done = word.end()
    if is_link:
        markup.add_text(gathering, written, ("", 0, len(written)), escape=markup.as_link)
    else:
        _add_folded(gathering, written, done, len(written))
    return gathering.source({"": written}, lambda new: new.get("", written).encode("latin-1", "replace"))


def _nest_word(gathering: Gathering, word: re.Match[str], text: str) -> None:
    inner = Gathering()
    inner.add(text, "", 0, len(text), str)
    source = inner.source({"": text}, lambda new: new.get("", text).encode())
    how = partial(encoded_word, charset=word["charset"], how=word["how"])
    gathering.nest(source, ("", *word.span()), lambda new: how(new.decode()), around="")


def _add_folded(gathering: Gathering, written: str, at: int, to: int) -> None:
    for fold in _FOLD.finditer(written, at, to):
        _add_bytes(gathering, written, at, fold.start())
        gathering.add(" ", "", *fold.span(), str)
        at = fold.end()
    _add_bytes(gathering, written, at, to)


def _add_bytes(gathering: Gathering, written: str, at: int, to: int) -> None:
    """Letters of a header; those of UTF-8 without any encoding count as what they are."""
    for run in re.compile(r"[\x00-\x7f]+|[^\x00-\x7f]+").finditer(written, at, to):
        text = run.group()
        if text.isascii():
            gathering.add(text, "", *run.span(), _in_header)
            continue
        try:
            letters = text.encode("latin-1").decode()
        except UnicodeDecodeError:
            gathering.add(text, "", *run.span(), _in_header)
            continue
        place = run.start()
        for letter in letters:
            end = place + len(letter.encode())
            gathering.add(letter, "", place, end, _as_raw)
            place = end


def _as_raw(text: str) -> str:
    return text.encode().decode("latin-1")


def _in_header(text: str) -> str:
    text = re.sub(r"[\r\n]+", " ", text)
    return text if text.isascii() else encoded_word(text, "utf-8", "q")


def _as_ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return text if text.isascii() else plain


def _stations(text: str) -> Iterator[Span]:
    """Machines, addresses and numbers on the way of a mail."""
    for match in _IN_ROUTES.finditer(text):
        yield Span(*match.span(), str(match.lastgroup), 1.0, "format", "route of a mail")


def _people(text: str) -> Iterator[Span]:
    """Names and addresses of a field, where they stand in it."""
    done = 0
    for name, address in getaddresses([text]):
        for surface, kind in ((name, "PERSON"), (address, "MAIL")):
            start = text.find(surface, done) if surface and (kind == "PERSON" or "@" in surface) else -1
            if start >= 0:
                done = start + len(surface)
                yield Span(start, done, kind, 1.0, "format", "field of a mail")


def _read_text(content: bytes, name: str, charset: str) -> Source:
    """A body; letters that its character set lacks become plain ones."""
    for codec in (charset, "utf-8", "windows-1252", "latin-1"):
        try:
            source = read_plain(content, name, codec or "utf-8")
        except InputError:
            continue
        codec = codec or "utf-8"
        return replace(source, pack=partial(_encoded, text=source.text, codec=codec))
    raise InputError(f"{name}: a body is no text")


def _encoded(changed: Mapping[str, str], text: str, codec: str) -> bytes:
    made = changed.get("", text)
    try:
        return made.encode(codec)
    except UnicodeEncodeError:
        return "".join(_within(sign, codec) for sign in made).encode(codec, "replace")


def _within(sign: str, codec: str) -> str:
    try:
        sign.encode(codec)
        return sign
    except UnicodeEncodeError:
        return _as_ascii(sign) or "?"
