"""Annotations in other tools' formats: what is written is what is read, to the character."""

from __future__ import annotations

import json
import random
from pathlib import Path

import polars as pl
import pytest

import heteronym as hn
from heteronym.errors import InputError
from heteronym.io.annotations import KINDS, Annotated, read_annotations, written
from heteronym.model.mention import Span

LETTERS = "ab Zé\u0301ł 1-.,'😀\u2028\n\r\t\u00a0漢字"
ENDINGS = {"brat": "", "conll": ".conll", "spacy": ".spacy", "label-studio": ".json", "presidio": ".json"}


def written_to(folder: Path, kind: str, documents: list[Annotated]) -> Path:
    files = written(kind, documents)
    path = folder / f"made{ENDINGS[kind]}"
    for name, content in files.items():
        target = path / name if name else path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return path


def triples(one: Annotated) -> list[tuple[int, int, str]]:
    return sorted(span[:3] for span in one.spans)


@pytest.mark.parametrize("kind", KINDS)
def test_any_spans_come_back_exactly(kind: str, tmp_path: Path) -> None:
    rng = random.Random(11)
    documents = []
    for number in range(40):
        text = "".join(rng.choice(LETTERS) for _ in range(rng.randrange(1, 60)))
        spans = set()
        for _ in range(rng.randrange(5)):
            start, end = sorted(rng.sample(range(len(text) + 1), 2))
            # blanks at the ends of a span are what CoNLL and brat have no place for
            while end > start and text[start].isspace():
                start += 1
            while end > start and text[end - 1].isspace():
                end -= 1
            if end > start:
                spans.add(Span(start, end, rng.choice(["PERSON", "WORK_OF_ART"]), 0.5, "x"))
        place = {"file": f"a/é {number}.txt"} if number % 2 else {"row": number, "column": "my note"}
        documents.append(Annotated(place, text, sorted(spans)))
    back = {
        json.dumps(dict(one.place)): one for one in read_annotations(written_to(tmp_path, kind, documents))
    }
    assert len(back) == len(documents)
    for one in documents:
        other = back[json.dumps(dict(one.place))]
        assert triples(other) == triples(one)
        assert other.text in (None, one.text)


@pytest.mark.parametrize("kind", KINDS)
def test_scanned_mentions_are_taken_back_by_anonymize(kind: str, tmp_path: Path, command: object) -> None:
    texts = ["I met Tom Hale 😀 in Leeds.", "Tom Hale in Leeds again.", "Nothing here."] * 2
    data = pl.DataFrame({"id": [f"p{n}" for n in range(6)], "age": [30] * 6, "note": texts})
    plan = {
        "data": {"person": "id"},
        "attributes": {"id": {"role": "identifier"}, "age": {"role": "quasi"}, "note": {"role": "text"}},
        "text": {"model": "none", "deny": ["Tom Hale", "Leeds"]},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    target = tmp_path / f"mentions{ENDINGS[kind]}"
    found = hn.scan(data, plan=plan, output=target, format=kind)
    assert len(found) == 8
    release = hn.anonymize(data, plan, mentions=target)
    assert "Hale" not in "".join(release.data["note"].to_list())
    if kind in ("spacy", "brat", "label-studio"):  # these hold the texts
        other = data.with_columns(note=pl.lit("Other words, quite as long as those."))
        with pytest.raises(InputError, match="another text"):
            hn.anonymize(other, plan, mentions=target)


def test_what_is_no_annotation_is_refused_without_its_words(tmp_path: Path) -> None:
    for name, content in (
        ("a.json", '{"Secret": 1}'),
        ("a.conll", "Secret\tB-PERSON\n"),
        ("a.spacy", "Secret"),
    ):
        (tmp_path / name).write_text(content, "utf-8")
        with pytest.raises(InputError) as error:
            read_annotations(tmp_path / name)
        assert "Secret" not in str(error.value)


def test_overlapping_spans_of_other_tools_become_one(tmp_path: Path) -> None:
    data = pl.DataFrame({"note": ["Dr Tom Hale of Leeds."] * 3})
    results = [
        {"entity_type": "PERSON", "start": 3, "end": 11},
        {"entity_type": "ORG", "start": 7, "end": 20},
    ]
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"row": row, "column": "note", "results": results} for row in range(3)]))
    plan = {"attributes": {"note": {"role": "text"}}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    release = hn.anonymize(data, {**plan, "text": {"model": "none", "direct": ["ORG"]}}, mentions=path)
    assert not any(word in text for text in release.data["note"] for word in ("Tom", "Hale", "Leeds"))
