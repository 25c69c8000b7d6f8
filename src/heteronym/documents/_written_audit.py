"""A blunt search for masked terms in every byte of a written document, with an unpacker of its own.

It knows nothing of mentions, parts that tell something, or how a reader reads. Every member of a package,
every package in it, every stretch of base64 is unpacked to bytes (_unpacking.py) and searched in folded
writing (_folding.py). The same search in a document's text finds terms that stand there in another writing
than the one masked; they are masked as well, before anything is written.

Guarantee   no distinctive masked term is left in any part, as a word, in the writings of _folding.py
Cost        O(bytes) plus one search per term and part
Randomness  none
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from heteronym.documents._folding import Folded, fold
from heteronym.documents._unpacking import other_readings, texts_of, unpacked
from heteronym.knowledge.wordlists import words
from heteronym.model.document import Document
from heteronym.model.edit import Edit, edited
from heteronym.model.mention import Span

_NAME = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_TITLES = frozenset(
    "mr mrs ms miss mx dr prof professor sir lady lord dame rev reverend hon judge herr frau monsieur "
    "madame mme mlle senor señor senora señora sister brother nurse doctor "
    "von van der den de la le del bin ibn and".split()
)
_FEWEST_DIGITS = 5
# Names of type faces that are also names of places or people; they stand in every document that uses them.
_FACES = frozenset("arial calibri cambria candara century chicago consolas constantia courier garamond "
                   "geneva georgia helvetica impact monaco palatino rockwell tahoma times trebuchet verdana "
                   "wingdings".split())  # fmt: skip


@dataclass(frozen=True)
class Sought:
    """A masked term as it is searched: its type, and the form of its words or digits."""

    type: str
    letters: str  # folded, without gaps: what must occur at all
    form: re.Pattern[str]
    is_plain: bool  # an ordinary word: only with a capital, and only in texts
    put: int = 0  # how often new texts hold it, by accident: so often a part may


def sought_terms(
    document: Document, edits: Sequence[Edit], hides: Callable[[str], bool] = lambda kind: True
) -> list[Sought]:
    """What the edits masked of a document's mentions, and the single names of people among it.

    `hides` says of which types: a method that generalizes promises nothing about words that it left.
    A term that an edit puts for something else is sought as well; a part may hold it as often as it was put.
    """
    found: dict[str, Sought] = {}
    new = " ".join(fold(edit.text, drop_tags=False).text for edit in edits)
    for kind, surface in masked_surfaces(document, edits):
        if not hides(kind):
            continue
        parts = [p for p in _NAME.findall(surface) if p.lower() not in _TITLES] if kind == "PERSON" else []
        single = [part for part in parts if part[0].isupper() and part != surface]
        writings = (surface, *([" ".join(parts)] if len(parts) > 1 else []), *single)
        for one in (sought for writing in writings for sought in _as_sought(kind, writing)):
            # "Mark" of "Mark Lee" is an ordinary word elsewhere; "Mark" alone was taken for a person
            is_name = not one.is_plain or (kind == "PERSON" and one.letters not in map(str.lower, single))
            if is_name:
                found.setdefault(one.form.pattern, one)
    return [
        replace(one, put=_times_put(document, edits, one)) if one.form.search(new) else one
        for one in found.values()
    ]


def _times_put(document: Document, edits: Sequence[Edit], term: Sought) -> int:
    """How often edits write a term in place of something else; what they kept of the original is not put."""
    put = 0
    for edit in edits:
        written = len(term.form.findall(fold(edit.text, drop_tags=False).text))
        if written:
            under = fold(document.text[edit.start : edit.end], drop_tags=False).text
            put += 0 if term.form.search(under) else written
    return put


def masked_surfaces(document: Document, edits: Sequence[Edit]) -> Iterator[tuple[str, str]]:
    """Mentions that an edit covers and whose words do not stand in its new text."""
    ordered, at = sorted(edits), 0
    for span in sorted(document.mentions):
        while at < len(ordered) and ordered[at].end <= span.start:
            at += 1
        surface = document.text[span.start : span.end]
        over = ordered[at] if at < len(ordered) and ordered[at].start < span.end else None
        if over is not None and not re.search(rf"(?<!\w){re.escape(surface)}(?!\w)", over.text, re.I):
            yield span.type, surface


def _as_sought(kind: str, surface: str) -> Iterator[Sought]:
    tokens = fold(surface, drop_tags=True).text.split()
    letters = "".join(tokens)
    digits = re.sub(r"\D", "", letters)
    if len(digits) >= _FEWEST_DIGITS and re.search(r"\d[^\W\d_]+\d", letters) is None:
        yield Sought(kind, digits, re.compile(rf"(?<!\d){' ?'.join(digits)}(?!\d)"), False)
    if len(re.sub(r"\d", "", letters)) < 3:
        return
    ordinary = all(token in words("common_words") or len(token) < 3 for token in tokens)
    begin = r"(?<!\d)" if letters[0].isdigit() else r"(?<![^\W\d_])"
    end = (
        r"(?!\d)"
        if letters[-1].isdigit()
        else r"(?:s|es)?(?![^\W\d_])"
        if len(letters) > 4
        else r"(?![^\W\d_])"
    )
    form = " ?".join(map(re.escape, tokens))
    if len(letters) > 3:
        form = f"(?:{form}|{' '.join(letters)})"  # s p a c e d
    if not ordinary or surface[:1].isupper():
        yield Sought(kind, letters, re.compile(begin + form + end), ordinary)


def places_left(text: str, terms: Iterable[Sought]) -> Iterator[tuple[int, int, str]]:
    """(start, end, type) of every place where a term stands in a text, in whatever writing."""
    for drop_tags in (False, True):
        folded = fold(text, drop_tags=drop_tags)
        for term, match in _matches(folded, terms):
            start, end = folded.places[match.start()], folded.places[match.end() - 1] + 1
            if term.is_plain and not text[start].isupper():
                continue
            yield start, _end_of_reference(text, end), term.type


def _end_of_reference(text: str, end: int) -> int:
    """Behind the reference that stands for the last letter."""
    written = re.compile(r"&[^\s;&]{1,32};|(?:%[0-9A-Fa-f]{2})+").match(text, end - 1)
    return written.end() if written else end


def _matches(folded: Folded, terms: Iterable[Sought]) -> Iterator[tuple[Sought, re.Match[str]]]:
    squeezed = folded.text.replace(" ", "")
    for term in terms:
        if term.letters in squeezed:
            for match in term.form.finditer(folded.text):
                yield term, match


def parts_with_terms(content: bytes, terms: Sequence[Sought]) -> list[str]:
    """Which parts of a written file hold a masked term: their kinds, without any content."""
    strong = [term for term in terms if not term.is_plain]
    left = []
    for name, part in unpacked(content, "the file"):
        texts = [name, *texts_of(part), *other_readings(part)]
        if strong and any(_holds(text, strong) for text in texts):
            left.append(_kind_of(name))
    return left


def _holds(text: str, terms: Sequence[Sought]) -> bool:
    for drop_tags in (False, True):
        seen: Counter[Sought] = Counter()
        for term, _ in _matches(fold(text, drop_tags=drop_tags), terms):
            seen[term] += 1
            if seen[term] > term.put and (term.letters not in _FACES or not _is_only_a_face(text, term)):
                return True
    return False


def _is_only_a_face(text: str, term: Sought) -> bool:
    """Whether all places of a term are values of attributes, or of style sheets, that name type faces."""
    faces = (
        r"(?i)\b(?:\w+:)?(?:ascii|hansi|cs|eastasia|typeface|name|font-family|face)\s*[=:]\s*[\"']?[^\"'<>;]*"
    )
    return not any(True for _ in _matches(fold(re.sub(faces, " ", text), drop_tags=False), [term]))


def _kind_of(name: str) -> str:
    """A part by what it is for; its own name may be somebody's."""
    known = re.search(
        r"document|header|footer|footnotes|endnotes|comments|settings|styles|chart|media|embeddings|customXml|"
        r"docProps|diagrams|glossary|theme|rels|people|base64|sheet|sharedStrings|content|styles|meta",
        name,
    )
    return known.group() if known else "the text" if name == "the file" else "another part"


def add_mentions_in_other_writing(
    document: Document, edits: Sequence[Edit], terms: Sequence[Sought]
) -> Document:
    """The document with a mention wherever a masked term stands untouched, in whatever writing."""
    taken = sorted({(edit.start, edit.end) for edit in edits} | {(s.start, s.end) for s in document.mentions})
    more: list[Span] = []
    places = sorted(set(places_left(document.text, terms)), key=lambda place: (place[0], -place[1]))
    done = 0
    for start, end, kind in places:
        at = bisect_left(taken, (end,)) - 1
        touched = any(a < end and start < b for a, b in taken[max(at - 1, 0) : at + 1])
        if not touched and start >= done:
            more.append(Span(start, end, kind, 1.0, "audit", "masked elsewhere in another writing"))
            done = end
    if not more:
        return document
    return replace(document, mentions=tuple(sorted([*document.mentions, *more])))


def names_without_terms(
    names: Sequence[str], terms: Sequence[Sequence[Sought]]
) -> tuple[list[str], dict[str, str]]:
    """Names of files in which a masked term of their own document is its type, and which became which.

    All other names stay; numbers keep equal ones apart.
    """
    made: list[str] = []
    renamed: dict[str, str] = {}
    taken = set(names)
    for name, some in zip(names, terms, strict=True):
        new = _without_terms(name, [term for term in some if not term.is_plain])
        if new != name:
            stem, dot, ending = new.rpartition(".")
            number = 1
            while new in taken:
                number += 1
                new = f"{stem or ending}-{number}{dot}{ending if stem else ''}"
            taken.add(new)
            renamed[new] = name
        made.append(new)
    return made, renamed


def _without_terms(name: str, terms: Sequence[Sought]) -> str:
    edits: list[Edit] = []
    done = 0
    for start, end, kind in sorted(set(places_left(name, terms)), key=lambda place: (place[0], -place[1])):
        if start >= done and "/" not in name[start:end]:
            edits.append(Edit(start, end, kind))
            done = end
    return edited(name, edits)
