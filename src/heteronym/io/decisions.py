"""What reviewers decided about words, as JSON lines: a file of the owner's that `anonymize --mentions` takes.

A line is {"decision", "term", ...}: what holds for a term wherever it stands, or with "place" for one place.
The last line about the same term or place holds; "none" takes a decision back. Lines are only ever added, so
that a file keeps who said what and when, and survives a crash. A place is named by its column, a digest of
its text, and characters from `start` to `end`: it is found again in another version of the data. Terms are
words of the texts, so that the file is personal data; only its owner can read it, and no release has it.
Complaints name line numbers, never what a line holds.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from heteronym.errors import InputError, OutputError, reading
from heteronym.io.annotations import is_foreign
from heteronym.model.terms import normalize

CONFIRM = "confirm"  # a mention, as it was found: the plan decides what becomes of it
KEEP = "keep"  # may be read by anybody, as it stands: no longer treated, and no longer counted
MASK = "mask"  # always replaced by its type
TYPE = "type"  # a mention of another type
SAME = "same"  # the same as another term
NEVER = "never"  # no mention at all
ADD = "add"  # a mention that nobody found
CHECKED = "checked"  # a sentence without marks was read, and had a mention that was missed, or none
OPEN = "open"  # reviewers differ
NONE = "none"  # taken back
KINDS = (CONFIRM, KEEP, MASK, TYPE, SAME, NEVER, ADD, CHECKED, OPEN, NONE)
_LONGEST = 1000  # characters of a term


class Place(NamedTuple):
    """Characters of a text, wherever that text stands in the data."""

    column: str
    text: str  # digest of the text
    start: int
    end: int


@dataclass(frozen=True, repr=False)
class Decision:
    """What somebody said of a term or a place. Holds personal data."""

    decision: str
    term: str  # normalized
    type: str | None = None
    same_as: str | None = None  # another term, normalized
    place: Place | None = None  # None: wherever it stands
    spelling: str | None = None  # as it was marked: capitals count where a missed term is looked for
    missed: bool | None = None  # of a checked sentence
    said: Mapping[str, str] | None = None  # of an open one: by reviewer
    who: str = ""
    when: str = ""
    id: str = ""  # what was sent twice is kept once
    undoes: bool | None = None  # whether it takes back what was said last

    @property
    def subject(self) -> str | Place:
        return self.term if self.place is None else self.place

    @property
    def settles(self) -> bool:
        """Whether somebody has to look again."""
        return self.decision not in (OPEN, NONE, CHECKED)

    @property
    def verdict(self) -> tuple[str, str]:
        """What reviewers agree or differ in."""
        return self.decision, (self.type if self.decision in (TYPE, ADD) else self.same_as) or ""

    def line(self) -> str:
        fields = {name: value for name, value in asdict(self).items() if value not in (None, "")}
        if self.place is not None:
            fields["place"] = self.place._asdict()
        return json.dumps(fields, ensure_ascii=False)

    def __repr__(self) -> str:
        return f"Decision({self.decision!r})"


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def digest_of(text: str) -> str:
    """What a text is called where its words must not stand."""
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()[:32]


class Decisions:
    """What holds after all lines: by term and by place. Holds personal data."""

    def __init__(self, lines: Iterable[Decision] = ()) -> None:
        self.of_term: dict[str, Decision] = {}
        self.of_place: dict[Place, Decision] = {}
        for one in lines:
            self.take(one)

    def take(self, one: Decision) -> None:
        held: dict[Any, Decision] = self.of_term if one.place is None else self.of_place
        held.pop(one.subject, None)  # to its end: the order is that of deciding
        if one.decision != NONE:
            held[one.subject] = one

    @property
    def all(self) -> list[Decision]:
        return [*self.of_term.values(), *self.of_place.values()]

    @property
    def types(self) -> set[str]:
        """Types that somebody named."""
        return {one.type for one in self.all if one.type and one.decision in (TYPE, ADD)}

    def __bool__(self) -> bool:
        return bool(self.of_term or self.of_place)

    def __repr__(self) -> str:
        return f"Decisions({len(self.of_term)} terms, {len(self.of_place)} places)"


def holds_decisions(path: Path) -> bool:
    """Whether a file is one of decisions, and not of mentions: by its first line."""
    if is_foreign(path):
        return False
    with reading(path), path.open(encoding="utf-8-sig") as file:
        first = next((line for line in file if line.strip()), "")
    try:
        fields = json.loads(first)
    except (json.JSONDecodeError, RecursionError):
        return False
    return isinstance(fields, dict) and "decision" in fields


def read_decisions(path: Path) -> list[Decision]:
    """All lines in their order; a file that does not exist yet has none."""
    if not path.exists():
        return []
    with reading(path):
        content = path.read_text("utf-8-sig")
    lines = content.split("\n")
    cut = bool(lines[-1].strip())  # a crash may leave half of a last line, which nobody was told is kept
    whole = lines[:-1] if cut and not _is_object(lines[-1]) else lines
    return [_parsed(path, number, line) for number, line in enumerate(whole, 1) if line.strip()]


def append_decisions(path: Path, made: Sequence[Decision]) -> None:
    """Further lines, on the disk before this returns."""
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            end = _end_of_lines(file)
            os.ftruncate(file, end)
            os.lseek(file, end, os.SEEK_SET)
            content = "".join(f"{one.line()}\n" for one in made).encode("utf-8", errors="surrogatepass")
            while content:
                content = content[os.write(file, content) :]
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from None


def _end_of_lines(file: int) -> int:
    """Behind the last whole line."""
    end = os.fstat(file).st_size
    while end:
        start = max(0, end - 4096)
        piece = os.pread(file, end - start, start)
        found = piece.rfind(b"\n")
        if found >= 0:
            whole = start + found + 1
            rest = os.pread(file, os.fstat(file).st_size - whole, whole)
            if rest and _is_object(rest.decode("utf-8", errors="replace")):  # written by hand, without an end
                os.pwrite(file, b"\n", os.fstat(file).st_size)
                return os.fstat(file).st_size
            return whole
        end = start
    rest = os.pread(file, os.fstat(file).st_size, 0)
    if rest and _is_object(rest.decode("utf-8", errors="replace")):
        os.pwrite(file, b"\n", len(rest))
        return len(rest) + 1
    return 0


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (json.JSONDecodeError, RecursionError):
        return False


_FIELDS = frozenset(Decision.__dataclass_fields__)
_NEEDS = {TYPE: "type", ADD: "type", SAME: "same_as", CHECKED: "place"}


def _parsed(path: Path, number: int, line: str) -> Decision:
    where = f"{path}: line {number}:"
    try:
        fields = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise InputError(f"{where} not a JSON object")
    if not fields.keys() <= _FIELDS:
        raise InputError(f"{where} has an unknown key. Known: {', '.join(sorted(_FIELDS))}.")
    kind, term = fields.get("decision"), fields.get("term")
    if kind not in KINDS:
        raise InputError(f"{where} 'decision' must be one of {', '.join(KINDS)}")
    if not isinstance(term, str) or not 0 < len(term) <= _LONGEST:
        raise InputError(f"{where} 'term' must be a text of 1 to {_LONGEST} characters")
    for key in ("type", "same_as", "spelling", "who", "when", "id"):
        if not isinstance(fields.get(key, ""), str):
            raise InputError(f"{where} '{key}' must be a text")
    if kind in _NEEDS and not fields.get(_NEEDS[kind]):
        raise InputError(f"{where} '{kind}' needs '{_NEEDS[kind]}'")
    if kind == CHECKED and not isinstance(fields.get("missed"), bool):
        raise InputError(f"{where} 'checked' needs 'missed': true or false")
    if not isinstance(fields.get("said", {}), dict):
        raise InputError(f"{where} 'said' must be an object")
    place = fields.pop("place", None)
    other = fields.get("same_as")
    fields |= {"term": normalize(term), "same_as": None if other is None else normalize(other)}
    return Decision(**fields, place=None if place is None else _place(place, where))


def _place(given: Any, where: str) -> Place:
    try:
        place = Place(**given)
    except TypeError:
        raise InputError(f"{where} 'place' needs column, text, start and end") from None
    whole = all(isinstance(n, int) and not isinstance(n, bool) for n in (place.start, place.end))
    if not whole or not 0 <= place.start < place.end:
        raise InputError(f"{where} 'start' and 'end' must be whole numbers with 0 <= start < end")
    if not isinstance(place.column, str) or not isinstance(place.text, str):
        raise InputError(f"{where} 'column' and 'text' must be texts")
    return place
