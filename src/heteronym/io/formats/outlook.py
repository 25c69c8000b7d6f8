"""Outlook messages (.msg): a compound file of properties, which comes out as a mail (.eml).

Subject, people, time, bodies and attachments are read; a mail is made of them and read as one. Properties
that a mail has no place for are not written, and are named.
"""

from __future__ import annotations

import datetime as dt
import re
import struct
from dataclasses import replace
from email.message import EmailMessage
from email.policy import SMTP

from heteronym.errors import InputError
from heteronym.io.formats.compound import Folder, read_compound
from heteronym.io.formats.mail import read_mail
from heteronym.io.formats.source import Source

_SUBJECT, _SENDER, _SENDER_MAIL, _SENDER_SMTP = "0037", "0C1A", "0C1F", "5D01"
_TO, _CC, _BODY, _RTF, _HTML, _MESSAGE_ID = "0E04", "0E03", "1000", "1009", "1013", "1035"
_NAME, _MAIL, _SMTP = "3001", "3003", "39FE"
_DATA, _FILE, _LONG_FILE, _MIME = "3701", "3704", "3707", "370E"
_DEEPEST = 3


def read_outlook(content: bytes, name: str, depth: int = 0) -> Source:
    try:
        mail = _as_mail(read_compound(content, name), name, 0)
        written = mail.as_bytes(policy=SMTP)
    except (LookupError, UnicodeError, ValueError, struct.error, OverflowError):
        raise InputError(f"{name}: is a broken Outlook message, or none") from None
    source = read_mail(written, name, depth)
    return replace(source, ending=".eml", left_out=(*source.left_out, "set of properties"))


def _text(folder: Folder, number: str) -> str:
    """A property that is a text, in either of its writings."""
    wide, narrow = (folder.streams.get(f"__substg1.0_{number}{kind}") for kind in ("001F", "001E"))
    if wide is not None:
        return wide.decode("utf-16-le", "replace").rstrip("\x00")
    return "" if narrow is None else narrow.decode("windows-1252", "replace").rstrip("\x00")


def _data(folder: Folder, number: str) -> bytes | None:
    return folder.streams.get(f"__substg1.0_{number}0102")


def _line(text: str) -> str:
    return re.sub(r"[\x00-\x1f\x7f]+", " ", text).strip()


def _as_mail(folder: Folder, name: str, depth: int) -> EmailMessage:
    if "__properties_version1.0" not in folder.streams:
        raise InputError(
            f"{name}: an old or encrypted Office file, or one of another program; save it as .docx"
        )
    mail = EmailMessage(policy=SMTP)
    sender = _text(folder, _SENDER_SMTP) or _text(folder, _SENDER_MAIL)
    for field, said in (
        ("From", _address(_text(folder, _SENDER), sender)),
        ("To", ", ".join(_recipients(folder)) or _line(_text(folder, _TO))),
        ("Cc", "" if any(_recipients(folder)) else _line(_text(folder, _CC))),
        ("Subject", _line(_text(folder, _SUBJECT))),
        ("Date", _sent(folder)),
        ("Message-ID", _line(_text(folder, _MESSAGE_ID))),
    ):
        if said:
            mail[f"X-{field}" if field in ("From", "To", "Cc") and not _is_list(said) else field] = said
    body, html, rtf = _text(folder, _BODY), _html(folder), _data(folder, _RTF)
    mail.set_content(body or "")
    if html:
        mail.add_alternative(html, subtype="html")
    if rtf and not body and not html:
        unpacked = unpack_rtf(rtf)
        mail.add_attachment(unpacked, maintype="application", subtype="rtf", filename="body.rtf")
    for key, inside in folder.folders.items():
        if key.startswith("__attach"):
            _attach(mail, inside, name, depth)
    return mail


def _is_list(said: str) -> bool:
    """Whether a field of people can stand in a mail as it is."""
    return "@" in said and "\ufffd" not in said


def _address(name: str, mail: str) -> str:
    name, mail = _line(name), _line(mail)
    if "@" not in mail:
        return name or mail
    quoted = name.replace("\\", "").replace('"', "")
    return f'"{quoted}" <{mail}>' if quoted and quoted != mail else mail


def _recipients(folder: Folder) -> list[str]:
    people = [inside for key, inside in sorted(folder.folders.items()) if key.startswith("__recip")]
    return [
        said
        for one in people
        if (said := _address(_text(one, _NAME), _text(one, _SMTP) or _text(one, _MAIL)))
    ]


def _sent(folder: Folder) -> str:
    """The time of sending, from the table of fixed properties."""
    table = folder.streams["__properties_version1.0"]
    for start in (32, 24, 8):
        for at in range(start, len(table) - 15, 16):
            tag = table[at : at + 4]
            if tag == b"\x40\x00\x39\x00":
                [ticks] = struct.unpack_from("<Q", table, at + 8)
                moment = dt.datetime(1601, 1, 1, tzinfo=dt.UTC) + dt.timedelta(microseconds=ticks // 10)
                return moment.strftime("%a, %d %b %Y %H:%M:%S +0000")
    return ""


def _html(folder: Folder) -> str:
    data = _data(folder, _HTML)
    if data is None:
        return _text(folder, _HTML)
    declared = re.search(rb"charset=[\"']?([\w-]+)", data[:4096], re.IGNORECASE)
    for codec in (declared[1].decode() if declared else "utf-8", "windows-1252", "latin-1"):
        try:
            return data.decode(codec)
        except (UnicodeDecodeError, LookupError):
            continue
    return ""


def _attach(mail: EmailMessage, inside: Folder, name: str, depth: int) -> None:
    called = _line(_text(inside, _LONG_FILE) or _text(inside, _FILE)) or "attachment"
    message = inside.folders.get(f"__substg1.0_{_DATA}000D")
    if message is not None and depth < _DEEPEST:
        mail.add_attachment(_as_mail(message, name, depth + 1))
        return
    kind = _text(inside, _MIME)
    main, _, sub = (
        kind.partition("/") if re.fullmatch(r"[a-z]+/[\w.+-]+", kind) else ("application", "", "octet-stream")
    )
    if main in ("multipart", "message"):
        main, sub = "application", "octet-stream"
    mail.add_attachment(_data(inside, _DATA) or b"", maintype=main, subtype=sub, filename=called)


_BEGINNING = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans "
    rb"SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0" + b"\r\n" + rb"\par "
    rb"\pard\plain\f0\fs20\b\i\u\tab\tx"
)
_LARGEST_RTF = 64 << 20


def unpack_rtf(data: bytes) -> bytes:
    """RTF as Outlook packs it: runs that repeat the last 4,096 bytes (MS-OXRTFCP)."""
    _, size, kind = struct.unpack_from("<III", data)
    if kind == 0x414C454D:
        return data[16 : 16 + size]
    if kind != 0x75465A4C or size > _LARGEST_RTF:
        raise ValueError
    ring = bytearray(4096)
    ring[: len(_BEGINNING)] = _BEGINNING
    write, at, made = len(_BEGINNING), 16, bytearray()
    while at < len(data) and len(made) < size:
        flags, at = data[at], at + 1
        for bit in range(8):
            if at >= len(data):
                break
            if flags >> bit & 1:
                [pair] = struct.unpack_from(">H", data, at)
                at, place, length = at + 2, pair >> 4, (pair & 15) + 2
                if place == write % 4096:
                    return bytes(made[:size])
                run = []
                for step in range(length):
                    byte = ring[(place + step) % 4096]
                    run.append(byte)
                    ring[write % 4096] = byte
                    write += 1
                made += bytes(run)
            else:
                ring[write % 4096] = data[at]
                made.append(data[at])
                write, at = write + 1, at + 1
    return bytes(made[:size])
