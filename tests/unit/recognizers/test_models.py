"""The models that the package ships, as recognizers. Skipped where a checkout has no weights."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from heteronym.errors import UsageError
from heteronym.registry import recognizers
from heteronym.text.entity_types import TYPES
from heteronym.text.installed import models
from heteronym.text.models.pipelines import fast_pipeline, model_folder
from heteronym.text.recognizers.fast import Fast

MODELS = [
    pytest.param(
        name, marks=pytest.mark.skipif(not model_folder(name).is_dir(), reason=f"no weights of '{name}'")
    )
    for name in ("accurate", "fast")
]
TEXT = "Angela Merkel met Barack Obama in Berlin, and Siemens sold its factory in Munich to Toyota."


@pytest.mark.parametrize("name", MODELS)
def test_people_and_places_are_found(name: str) -> None:
    spans = recognizers.build(name).recognize([TEXT])[0]
    found = {(s.type, TEXT[s.start : s.end]) for s in spans}
    assert {
        ("PERSON", "Angela Merkel"),
        ("PERSON", "Barack Obama"),
        ("GPE", "Berlin"),
        ("GPE", "Munich"),
    } <= found
    assert all(s.type in TYPES and 0 <= s.score <= 1 and s.source == name for s in spans)


@pytest.mark.parametrize("name", MODELS)
def test_a_text_is_read_alike_alone_and_in_company(name: str) -> None:
    part = recognizers.build(name)
    alone = part.recognize([TEXT])[0]
    company = part.recognize(["", "Short.", TEXT, "x " * 500, TEXT, " \n"])
    assert company[2] == company[4] == alone
    assert company[0] == company[5] == []


@pytest.mark.parametrize("name", MODELS)
def test_offsets_survive_what_tokenizers_dislike(name: str) -> None:
    head = "😀\u200f\x00 <b>مرحبا</b> \ud800 \u00ad é e\u0301 ﬁ … "
    text = head + TEXT
    spans = recognizers.build(name).recognize([text])[0]
    assert "Barack Obama" in {text[s.start : s.end] for s in spans}
    assert all(0 <= s.start < s.end <= len(text) for s in spans)


@pytest.mark.parametrize("name", MODELS)
def test_the_end_of_a_long_text_is_read_too(name: str) -> None:
    text = "It rained all day and nothing else happened. " * 2000 + TEXT
    spans = recognizers.build(name).recognize([text])[0]
    assert "Angela Merkel" in {text[s.start : s.end] for s in spans}


@pytest.mark.parametrize("name", MODELS)
def test_a_recognizer_can_be_sent_to_a_worker(name: str) -> None:
    part = recognizers.build(name)
    part.recognize([TEXT])
    assert pickle.loads(pickle.dumps(part)) == part


def test_a_folder_without_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not installed"):
        recognizers.build("accurate", {"folder": str(tmp_path)}).recognize([TEXT])


@pytest.mark.skipif(not model_folder("fast").is_dir(), reason="no weights of 'fast'")
def test_vectors_of_the_fast_model_are_found_in_any_capitals() -> None:
    # spaCy does not save by which attribute vectors are kept; once every capitalized word lost its own.
    vocabulary = fast_pipeline().vocab
    assert all(vocabulary[word].has_vector for word in ("london", "London", "LONDON"))


@pytest.mark.skipif(not model_folder("fast").is_dir(), reason="no weights of 'fast'")
def test_the_fast_model_decides_as_spacy_does() -> None:
    texts = [
        TEXT,
        TEXT[: TEXT.index(" sold")],  # ends in the middle of things
        "New",
        "New York",
        "United Nations High Commissioner for Refugees",
        "  \n Angela\n Merkel \n",
        "Don't ask John Ronald Reuel Tolkien's son; can't he say? I'm at St. Mary's, 12 King's Road, York.",
        "Smith " * 300,
        " ".join(reversed(TEXT.split())),
        *(TEXT[i : i + 25] for i in range(0, len(TEXT), 5)),
    ]
    spacy = recognizers.build("spacy", {"pipeline": str(model_folder("fast"))}).recognize(texts)
    spacy = [[span._replace(source="fast", score=0.7) for span in spans] for spans in spacy]
    kept = [[span for span in spans if span.rule not in ("DATE", "MISC")] for spans in spacy]
    assert Fast().recognize(texts) == kept


def test_a_pipeline_of_another_make_is_run_by_spacy(tmp_path: Path) -> None:
    nlp = pytest.importorskip("spacy").blank("en")
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "PERSON", "pattern": "Angela Merkel"}])
    nlp.to_disk(tmp_path)
    spans = recognizers.build("spacy", {"pipeline": str(tmp_path)}).recognize([TEXT])[0]
    assert [(s.start, s.end, s.type) for s in spans] == [(0, 13, "PERSON")]


def test_the_models_are_listed_with_version_and_licence() -> None:
    listed = {model.name: model for model in models()}
    assert {"accurate", "fast"} <= set(listed)
    for name in ("accurate", "fast"):
        assert listed[name].installed == model_folder(name).is_dir()
        if listed[name].installed:
            assert listed[name].version
            assert listed[name].licence
            assert 1 < listed[name].megabytes < 45


def test_nothing_heavy_is_loaded_before_it_is_needed() -> None:
    code = (
        "import sys; from heteronym.text.combine import pipeline; "
        "pipeline('none').recognize(['Pedro lives in Berlin.']); "
        "heavy = 'onnxruntime spacy phonenumbers torch gliner'.split(); "
        "print([module for module in heavy if module in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
