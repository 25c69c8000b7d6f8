"""Compound files (MS-CFB), in which older Office programs and Outlook keep folders of streams.

Reference   Microsoft, [MS-CFB] Compound File Binary File Format
Cost        O(bytes); chains that run in circles end
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from heteronym.errors import InputError

_SIGN = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_END = 0xFFFFFFFA  # this and above: no sector
_NONE = 0xFFFFFFFF
_MOST_ENTRIES = 100_000


@dataclass
class Folder:
    """Streams and folders by name."""

    streams: dict[str, bytes] = field(default_factory=dict)
    folders: dict[str, Folder] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Folder({len(self.streams)} streams, {len(self.folders)} folders)"


def read_compound(content: bytes, name: str) -> Folder:
    if not content.startswith(_SIGN):
        raise InputError(f"{name}: is no Outlook message")
    try:
        return _Compound(content).root()
    except (struct.error, IndexError, ValueError, UnicodeDecodeError):
        raise InputError(f"{name}: is a broken compound file") from None


class _Compound:
    def __init__(self, content: bytes) -> None:
        self.content = content
        shift, small_shift = struct.unpack_from("<HH", content, 30)
        if shift not in (9, 12) or small_shift != 6:
            raise ValueError
        self.size = 1 << shift
        tables, first, _, self.limit, small, _, more, _ = struct.unpack_from("<IIIIIIII", content, 44)
        wanted = list(struct.unpack_from("<109I", content, 76))
        seen = 0
        while more < _END and seen <= len(content) // self.size:
            numbers = struct.unpack(f"<{self.size // 4}I", self._sector(more))
            wanted += numbers[:-1]
            more, seen = numbers[-1], seen + 1
        self.next: list[int] = []
        for sector in wanted[:tables]:
            if sector < _END:
                self.next += struct.unpack(f"<{self.size // 4}I", self._sector(sector))
        directory = self._chain(first)
        self.entries = [directory[at : at + 128] for at in range(0, len(directory) - 127, 128)]
        if not 0 < len(self.entries) <= _MOST_ENTRIES:
            raise ValueError
        small_table = self._chain(small) if small < _END else b""
        self.small_next = struct.unpack(f"<{len(small_table) // 4}I", small_table)
        self.small = self._chain(struct.unpack_from("<I", self.entries[0], 116)[0])

    def _sector(self, number: int) -> bytes:
        at = (number + 1) * self.size
        sector = self.content[at : at + self.size]
        return sector.ljust(self.size, b"\x00")

    def _chain(self, sector: int) -> bytes:
        parts, steps = [], 0
        while sector < _END:
            parts.append(self._sector(sector))
            sector, steps = self.next[sector], steps + 1
            if steps > len(self.next):
                raise ValueError
        return b"".join(parts)

    def _stream(self, entry: bytes) -> bytes:
        sector, size = struct.unpack_from("<II", entry, 116)
        if size >= self.limit:
            return self._chain(sector)[:size]
        parts, steps = [], 0
        while sector < _END:
            parts.append(self.small[sector * 64 : sector * 64 + 64])
            sector, steps = self.small_next[sector], steps + 1
            if steps > len(self.small_next):
                raise ValueError
        return b"".join(parts)[:size]

    def root(self) -> Folder:
        root = Folder()
        waiting = [(struct.unpack_from("<I", self.entries[0], 76)[0], root)]
        seen: set[int] = set()
        while waiting:
            number, folder = waiting.pop()
            if number == _NONE:
                continue
            if number in seen:
                raise ValueError
            seen.add(number)
            entry = self.entries[number]
            [length] = struct.unpack_from("<H", entry, 64)
            name = entry[: max(0, min(length, 64) - 2)].decode("utf-16-le")
            left, right, child = struct.unpack_from("<III", entry, 68)
            waiting += [(left, folder), (right, folder)]
            if entry[66] == 1:
                inside = folder.folders[name] = Folder()
                waiting.append((child, inside))
            elif entry[66] == 2:
                folder.streams[name] = self._stream(entry)
        return root
