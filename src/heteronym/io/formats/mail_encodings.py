"""Base64, quoted-printable and encoded words of mail: read, and written back in the manner of the file.

What was not changed keeps its bytes; the rest is wrapped as the lines around it are, so that a mail whose
words are put back is the same mail again.
"""

from __future__ import annotations

import base64
import quopri
import re
from email import quoprimime

from heteronym.io.formats import markup

_LINE = re.compile(rb"(?:[^\r\n]*=[ \t]*(?:\r\n|\n))*[^\r\n]*(?:\r\n|\n|\r|\Z)")
_SAFE = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!*+-/")
_LONGEST = 76


def decoded(body: bytes, encoding: str) -> bytes | None:
    """The content of a body; None if it is not what its encoding says."""
    if encoding == "base64":
        return markup.from_base64(body.decode("latin-1"))
    return quopri.decodestring(body) if encoding == "quoted-printable" else body


def encoded(new: bytes, body: bytes, encoding: str) -> bytes:
    """New content in place of a body."""
    if encoding == "base64":
        return _as_base64(new, body)
    return _as_quoted(new, body) if encoding == "quoted-printable" else new


def _as_base64(new: bytes, body: bytes) -> bytes:
    end = b"\r\n" if b"\r\n" in body else b"\n"
    lines = body.split()
    length = len(lines[0]) if len(lines) > 1 else _LONGEST
    written = base64.b64encode(new)
    behind = body[len(body.rstrip()) :]
    return end.join(written[at : at + length] for at in range(0, len(written), length)) + behind


def _as_quoted(new: bytes, body: bytes) -> bytes:
    """Lines that the content has in common with the old one are written as they were."""
    end = "\r\n" if b"\r\n" in body else "\n"
    soft = [len(line) for line in body.splitlines() if line.endswith(b"=")]
    longest = max(soft, default=_LONGEST)
    known = {quopri.decodestring(line): line for line in _LINE.findall(body)}
    made = []
    for line in new.splitlines(keepends=True):
        if line in known:
            made.append(known[line])
            continue
        bare = line.rstrip(b"\r\n")
        wrapped = quoprimime.body_encode(bare.decode("latin-1"), max(longest, 20), end)
        made.append(wrapped.encode("latin-1") + line[len(bare) :])
    return b"".join(made)


def decoded_word(charset: str, how: str, text: str) -> str | None:
    """What an encoded word of a header says; None if it says nothing."""
    content = markup.from_base64(text + "=" * (-len(text) % 4)) if how in "bB" else _from_q(text)
    try:
        return None if content is None else content.decode(charset.partition("*")[0])
    except (UnicodeDecodeError, LookupError):
        return None


def _from_q(text: str) -> bytes:
    return quopri.decodestring(text.replace("_", "=20").encode("latin-1"))


def encoded_word(new: str, charset: str, how: str) -> str:
    if not new:
        return ""
    try:
        content = new.encode(charset.partition("*")[0])
    except (UnicodeEncodeError, LookupError):
        charset, content = "utf-8", new.encode()
    if how in "bB":
        return f"=?{charset}?{how}?{base64.b64encode(content).decode()}?="
    letters = (chr(b) if b in _SAFE else "_" if b == 0x20 else f"={b:02X}" for b in content)
    return f"=?{charset}?{how}?{''.join(letters)}?="
