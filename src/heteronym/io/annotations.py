"""Annotations in the formats of other tools: brat, CoNLL, spaCy DocBin, Label Studio, Presidio.

Each holds the same: where in which text a mention of which type stands. All of them but Presidio's hold the
texts as well, which mentions as JSON lines do not (io/mentions.py): they are for the owner alone. Offsets
count characters, except in Label Studio's files, which count as JavaScript does.

What each can hold: brat, spaCy, Label Studio and Presidio any spans, CoNLL any but blanks at the ends of a
span; brat and CoNLL have no score.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from heteronym.errors import InputError, UsageError, reading
from heteronym.model.mention import Span

KINDS = ("brat", "conll", "spacy", "label-studio", "presidio")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_GROUP = "heteronym"  # of spans in a spaCy document


class Annotated(NamedTuple):
    """A text and its mentions; `place` is {"row", "column"} or {"file"}. Holds personal data."""

    place: Mapping[str, Any]
    text: str | None  # None: the format does not keep it
    spans: Sequence[Span]

    def __repr__(self) -> str:
        return f"Annotated({len(self.spans)} spans)"


def written(kind: str, documents: Sequence[Annotated]) -> Mapping[str, bytes]:
    """Files by name; one of the empty name is the file that was asked for, others lie in a folder."""
    if kind not in KINDS:
        raise UsageError(f"unknown format '{kind}'. Known: {', '.join(KINDS)}")
    writers: Mapping[str, Callable[[Sequence[Annotated]], Mapping[str, bytes]]] = {
        "brat": _to_brat,
        "conll": lambda some: {"": "".join(map(_to_conll, some)).encode()},
        "spacy": lambda some: {"": _to_spacy(some)},
        "label-studio": lambda some: {"": _as_json([_to_label_studio(one) for one in some])},
        "presidio": lambda some: {"": _as_json([_to_presidio(one) for one in some])},
    }
    return writers[kind](documents)


def is_foreign(path: Path) -> bool:
    """Whether a file of mentions is in a format of another tool."""
    if path.is_dir() or path.suffix.lower() in (".conll", ".spacy"):
        return True
    if path.suffix.lower() != ".json":
        return False
    with reading(path), path.open("rb") as file:
        return file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")  # else JSON lines of ours


def read_annotations(path: Path) -> list[Annotated]:
    """What a file or a folder of another tool holds; complaints name places, never words."""
    with reading(path):
        if path.is_dir():
            return list(_from_brat(path))
        content = path.read_bytes()
    try:
        if path.suffix.lower() == ".spacy":
            return list(_from_spacy(content))
        if path.suffix.lower() == ".conll":
            return list(_from_conll(content.decode("utf-8-sig")))
        some = json.loads(content.decode("utf-8-sig"))
        return [_from_label_studio(one) if "data" in one else _from_presidio(one) for one in some]
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (KeyError, TypeError, ValueError, IndexError, RecursionError):
        kinds = "a folder of brat, .conll, .spacy, or .json of Label Studio or Presidio"
        raise InputError(f"{path}: is not in the format that its name promises ({kinds})") from None


def _as_json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


# ---- brat: a folder with a .txt and an .ann for every text


def _to_brat(documents: Sequence[Annotated]) -> Mapping[str, bytes]:
    files: dict[str, bytes] = {}
    for one in documents:
        text = one.text or ""
        lines = []
        for number, span in enumerate(one.spans, 1):
            # a span may not go over a line end: its parts are named one by one
            parts = [match.span() for match in re.finditer(r"[^\n]+", text[span.start : span.end])]
            places = ";".join(f"{span.start + a} {span.start + b}" for a, b in parts)
            words = " ".join(text[span.start + a : span.start + b] for a, b in parts)
            lines.append(f"T{number}\t{span.type} {places}\t{_flat(words)}\n")
        name = _brat_name(one.place)
        files[f"{name}.txt"], files[f"{name}.ann"] = text.encode(), "".join(lines).encode()
    return files


def _flat(words: str) -> str:
    return re.sub("[\\r\\t]", " ", words)


def _brat_name(place: Mapping[str, Any]) -> str:
    if "file" in place:
        return f"file-{quote(str(place['file']), safe='')}"
    return f"row-{place['row']}-{quote(str(place['column']), safe='')}"


def _brat_place(name: str) -> Mapping[str, Any]:
    kind, _, rest = name.partition("-")
    if kind == "file":
        return {"file": unquote(rest)}
    row, _, column = rest.partition("-")
    return {"row": int(row), "column": unquote(column)}


def _from_brat(folder: Path) -> Iterator[Annotated]:
    for path in sorted(folder.glob("*.ann")):
        try:
            place = _brat_place(path.stem)
            text = path.with_suffix(".txt").read_bytes().decode()
            spans = [
                _brat_span(line) for line in path.read_bytes().decode().split("\n") if line.startswith("T")
            ]
        except (OSError, ValueError, IndexError):
            raise InputError(f"{folder}: a document of it has no text, no place or a broken line") from None
        yield Annotated(place, text, spans)


def _brat_span(line: str) -> Span:
    kind, _, places = line.split("\t")[1].partition(" ")
    numbers = [int(number) for number in re.split("[ ;]", places)]
    return Span(numbers[0], numbers[-1], kind, 1.0, "brat")


# ---- CoNLL: a token per line with its place and a tag per layer


def _to_conll(one: Annotated) -> str:
    text = one.text or ""
    spans = [bare for span in one.spans if (bare := _trimmed(span, text)) is not None]
    layers = _layers(spans)
    cuts = {place for span in spans for place in (span.start, span.end)}
    lines = [f"# place = {json.dumps(one.place, ensure_ascii=False)}\n"]
    for match in _TOKEN.finditer(text):
        inside = sorted(cut for cut in cuts if match.start() < cut < match.end())
        for start, end in zip([match.start(), *inside], [*inside, match.end()]):
            tags = "\t".join(_tag(layer, start) for layer in layers)
            lines.append(f"{text[start:end]}\t{start}\t{end}\t{tags}\n")
    return "".join([*lines, "\n"])


def _trimmed(span: Span, text: str) -> Span | None:
    """A span without blanks at its ends, which no token holds."""
    words = text[span.start : span.end]
    start = span.start + len(words) - len(words.lstrip())
    end = span.end - (len(words) - len(words.rstrip()))
    return span._replace(start=start, end=end) if end > start else None


def _layers(spans: Sequence[Span]) -> list[list[Span]]:
    """As few layers as keep overlapping spans apart; at least one."""
    layers: list[list[Span]] = [[]]
    for span in sorted(spans):
        free = next((layer for layer in layers if not layer or layer[-1].end <= span.start), None)
        if free is None:
            layers.append([span])
        else:
            free.append(span)
    return layers


def _tag(layer: Sequence[Span], start: int) -> str:
    span = next((span for span in layer if span.start <= start < span.end), None)
    return "O" if span is None else f"{'B' if span.start == start else 'I'}-{span.type}"


def _from_conll(text: str) -> Iterator[Annotated]:
    for block in text.split("\n\n"):
        lines = [line for line in block.split("\n") if line]
        if not lines:
            continue
        if not lines[0].startswith("# place = "):
            raise InputError("a document has no line '# place = {...}', which says whose text it is")
        rows = [line.split("\t") for line in lines[1:]]
        spans: list[Span] = []
        for layer in range(3, max(map(len, rows), default=3)):
            found: list[Span] = []
            for row in rows:
                tag, start, end = row[layer], int(row[1]), int(row[2])
                if tag.startswith("B-"):
                    found.append(Span(start, end, tag[2:], 1.0, "conll"))
                elif tag.startswith("I-"):
                    found[-1] = found[-1]._replace(end=end)
            spans += found
        yield Annotated(json.loads(lines[0].removeprefix("# place = ")), None, sorted(spans))


# ---- spaCy


def _to_spacy(documents: Sequence[Annotated]) -> bytes:
    import spacy
    from spacy.tokens import DocBin, SpanGroup

    nlp = spacy.blank("en")
    nlp.max_length = max([nlp.max_length, *(len(one.text or "") + 1 for one in documents)])
    kept = DocBin(attrs=["ORTH", "SPACY", "ENT_IOB", "ENT_TYPE"], store_user_data=True)
    for one in documents:
        doc = nlp.make_doc(one.text or "")
        exact = [(span.start, span.end, span.type, span.score) for span in one.spans]
        whole = [doc.char_span(s.start, s.end, label=s.type, alignment_mode="expand") for s in one.spans]
        known = [span for span in whole if span is not None]
        doc.spans[_GROUP] = SpanGroup(doc, name=_GROUP, spans=known)
        doc.ents = spacy.util.filter_spans(known)
        doc.user_data |= {"place": dict(one.place), "offsets": exact}
        kept.add(doc)
    return bytes(kept.to_bytes())


def _from_spacy(content: bytes) -> Iterator[Annotated]:
    import spacy
    from spacy.tokens import DocBin

    for doc in DocBin().from_bytes(content).get_docs(spacy.blank("en").vocab):
        exact = doc.user_data.get("offsets")
        if exact is None:
            group = next((doc.spans[key] for key in (_GROUP, "sc") if key in doc.spans), doc.ents)
            exact = [(span.start_char, span.end_char, span.label_, 1.0) for span in group]
        if "place" not in doc.user_data:
            raise InputError("a document says in its user_data under 'place' neither row and column nor file")
        spans = [Span(int(s), int(e), str(kind), float(score), "spacy") for s, e, kind, score in exact]
        yield Annotated(doc.user_data["place"], doc.text, spans)


# ---- Label Studio: offsets in units of UTF-16, as JavaScript counts


def _to_label_studio(one: Annotated) -> Any:
    text = one.text or ""
    places = _utf16_places(text)
    result = [
        {
            "id": f"{number}",
            "from_name": "label",
            "to_name": "text",
            "type": "labels",
            "score": _plain_score(span),
            "value": {
                "start": places[span.start],
                "end": places[span.end],
                "text": text[span.start : span.end],
                "labels": [span.type],
            },
        }
        for number, span in enumerate(one.spans)
    ]
    said = [{"model_version": "heteronym", "result": result}]
    return {"data": {"text": text, **one.place}, "predictions": said}


def _from_label_studio(task: Any) -> Annotated:
    data = dict(task["data"])
    text = data.pop("text")
    characters = {place: number for number, place in enumerate(_utf16_places(text))}
    said = task.get("annotations") or task.get("predictions") or []  # a person's word goes first
    spans = [
        Span(
            characters[v["start"]], characters[v["end"]], label, float(r.get("score") or 1.0), "label-studio"
        )
        for r in (said[0]["result"] if said else [])
        if "labels" in (v := r.get("value", {}))
        for label in v["labels"]
    ]
    return Annotated(_place(data), text, spans)


def _utf16_places(text: str) -> list[int]:
    """Where each character begins, in units of UTF-16, and the end."""
    places = [0]
    for sign in text:
        places.append(places[-1] + (2 if ord(sign) > 0xFFFF else 1))
    return places


# ---- Presidio


def _to_presidio(one: Annotated) -> Any:
    results = [
        {
            "entity_type": s.type,
            "start": s.start,
            "end": s.end,
            "score": _plain_score(s),
            "analysis_explanation": None,
        }
        for s in one.spans
    ]
    return {**one.place, "results": results}


def _from_presidio(one: Any) -> Annotated:
    spans = [
        Span(r["start"], r["end"], r["entity_type"], float(r.get("score", 1.0)), "presidio")
        for r in one["results"]
    ]
    return Annotated(_place(one), None, spans)


def _plain_score(span: Span) -> float:
    return round(float(span.score), 4)


def _place(said: Mapping[str, Any]) -> Mapping[str, Any]:
    if "row" in said and "column" in said:
        return {"row": said["row"], "column": said["column"]}
    if "file" in said:
        return {"file": said["file"]}
    raise InputError("a text says neither 'row' and 'column' nor 'file'")
