"""Rare words of drugs and diseases are gone whatever a tagger takes them for, and the audit sees them."""

from __future__ import annotations

import random
import re

import pytest

from heteronym.api.sanitize import documents_of, sanitized
from heteronym.documents import _recount
from heteronym.documents._identifiers_first import IdentifiersFirst
from heteronym.documents.information_content import DEFAULT_BETA, InformationContent
from heteronym.knowledge.bases import base
from heteronym.knowledge.frequencies import information
from heteronym.knowledge.kinds import concept_of
from heteronym.knowledge.word_classes import classes_of
from heteronym.model.edit import edited
from heteronym.model.plan import TextPlan

CARRIERS = [
    "She takes {} every day.",
    "Is it {}?",
    "Denies {}.",
    "{}",
    "- {}",
    "ALLERGIES: {}",
    "Try {} and rest.",
    "Please stop {} now.",
    "They {} him.",
    "Her {} got worse.",
    "We discussed {}-related problems.",
    "I hate {} so much lol",
]


def rare_words() -> list[str]:
    """240 drugs and 240 diseases above the default beta that nobody uses as verbs."""
    wordnet, diseases = base("wordnet"), base("diseases")
    found: dict[str, list[str]] = {"drug#1": [], "illness#1": []}
    for term in sorted({*wordnet.terms(), *diseases.terms()}):
        if not term.isalpha() or information(term) <= DEFAULT_BETA + 0.5 or classes_of(term).verb > 1:
            continue
        nodes = wordnet.senses(term)
        for kind, listed in found.items():
            if nodes and concept_of(kind) in wordnet.chain(nodes[0]):
                listed.append(term)
        if not nodes and not term.endswith("s"):
            found["illness#1"].append(term)
    rng = random.Random(17)
    return [word for listed in found.values() for word in rng.sample(listed, 240)]


@pytest.mark.parametrize("carrier", CARRIERS)
def test_none_of_480_rare_words_is_left(carrier: str) -> None:
    words = rare_words()
    documents = documents_of([carrier.format(word) for word in words], TextPlan(model="none"))
    method = IdentifiersFirst(InformationContent())
    out = sanitized(documents, lambda: method)
    texts = [edited(d.text, e) for d, e in zip(out.documents, out.result.edits, strict=True)]
    left = [word for word, text in zip(words, texts) if re.search(rf"(?i)\b{word}\b", text)]
    assert left == []
    assert all(method.audit(d, text).holds for d, text in zip(out.documents, texts, strict=True))


@pytest.mark.parametrize("carrier", CARRIERS)
def test_the_audit_refuses_480_rare_words_without_a_tagger(carrier: str) -> None:
    texts = [carrier.format(word) for word in rare_words()]
    assert [text for text in texts if _recount.phrases_above(text, DEFAULT_BETA)[0] == 0] == []


def test_the_reader_of_lists_and_the_auditor_read_alike() -> None:
    from heteronym.documents._phrases import listed_phrases_of

    texts = [carrier.format(word) for carrier in CARRIERS for word in rare_words()[::9]]
    texts += ["Germany's capital, at 3 p.m. (c/o and/or y/o), took part; the insulin-dependent cook's AIDS."]
    for text in texts:
        assert [text[p.start : p.end] for p in listed_phrases_of(text)] == _recount.phrases(text)
