"""Draws that depend on a key and on what they are for, and on nothing else.

Reference   Krawczyk, Bellare and Canetti 1997 (RFC 2104), HMAC as a pseudo-random function
Guarantee   equal key and labels give equal draws; without the key they cannot be told from chance
Cost        one SHA-256 per four draws
Randomness  none beside the key
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")
_BYTES = 8


class Draws:
    """An endless row of draws for one purpose."""

    def __init__(self, key: bytes, *labels: str) -> None:
        # Lengths go before the labels: ("ab", "c") is another purpose than ("a", "bc").
        purpose = b"".join(len(part).to_bytes(4, "big") + part for part in map(_encoded, labels))
        self._purpose = hmac.digest(key, purpose, hashlib.sha256)
        self._block = 0
        self._left = b""

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1; 64 bits, so that no number is noticeably preferred."""
        if not self._left:
            self._left = hmac.digest(self._purpose, self._block.to_bytes(8, "big"), hashlib.sha256)
            self._block += 1
        number, self._left = int.from_bytes(self._left[:_BYTES], "big"), self._left[_BYTES:]
        return number % bound

    def choice(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]


def _encoded(label: str) -> bytes:
    return label.encode("utf-8", "surrogatepass")
