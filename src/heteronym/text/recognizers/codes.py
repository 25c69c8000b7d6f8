"""Numbers that stand for one case, record, document or thing: after a word that says so, or by their shape.

Numbers of laws and articles are no codes of a person and are left to `laws`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from heteronym.model.mention import Span
from heteronym.text.recognizers.rows import reader

# "25/031  Apologies" numbers an item of minutes, and so does "25/031" wherever it returns.
_ITEM = re.compile(r"(?m:^)(\d{1,4}/\d{1,4})(?:[ ]{2,}|\t)(?=[A-Z])")


@reader("codes")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """Case, record, document and serial numbers by cue and shape."""
    items = set(_ITEM.findall(text)) if spans else set()
    yield from (span for span in spans if text[span.start : span.end] not in items)
