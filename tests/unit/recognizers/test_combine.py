"""How parts are settled together, how names are followed, what the cache and the workers keep."""

from __future__ import annotations

import os
import random
import re
import sqlite3
import stat
import sys
import types
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from tests.counting import growth

import heteronym as hn
from heteronym.errors import PlanError, UsageError
from heteronym.model.mention import Span
from heteronym.model.plan import TextPlan
from heteronym.model.terms import Term
from heteronym.registry import recognizers
from heteronym.text import parallel
from heteronym.text.cache import Cached, SpanCache, fingerprint
from heteronym.text.combine import Combined, near_identifiers, pipeline
from heteronym.text.entities import follow_names, name_parts, terms_of
from heteronym.text.models.pipelines import pieces
from heteronym.text.recognize import recognizers_for
from heteronym.text.recognizers._labels import cleaned


def surfaces(text: str, spans: Sequence[Span]) -> list[tuple[str, str]]:
    return [(s.type, text[s.start : s.end]) for s in spans]


@dataclass(frozen=True)
class Marks:
    """A model that marks one word."""

    word: str = "Smith"
    type: str = "PERSON"
    languages: ClassVar[frozenset[str]] = frozenset()
    is_model: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return [
            [Span(t.find(self.word), t.find(self.word) + len(self.word), self.type, 0.9, "marks")]
            if self.word in t
            else []
            for t in texts
        ]


def combined(*parts: object) -> Combined:
    rules = tuple(recognizers.build(name) for name in ("laws", "institutions", "dates", "names", "places"))
    return Combined((*rules, *parts))  # type: ignore[arg-type]


def test_a_general_institution_swallows_the_organization_that_a_model_sees_in_it() -> None:
    text = "On 3 May 2001 the Supreme Court ruled."
    found = surfaces(text, combined(Marks("Supreme Court", "ORG")).recognize([text])[0])
    assert found == [("DATE", "3 May 2001"), ("INSTITUTION", "Supreme Court")]


def test_a_year_inside_a_law_is_no_date() -> None:
    text = "Under the Prevention of Terrorism Act 1991 he was held in 1995."
    found = surfaces(text, combined().recognize([text])[0])
    assert ("DATE", "1995") in found
    assert all("1991" not in surface for kind, surface in found if kind == "DATE")


def test_the_model_beats_a_list_and_a_sure_rule_beats_the_model() -> None:
    text = "Ankara met Mr Smith."
    found = surfaces(text, combined(Marks("Ankara", "ORG")).recognize([text])[0])
    assert found == [("ORG", "Ankara"), ("PERSON", "Mr Smith")]
    assert surfaces(text, combined(Marks("Mr Smith", "ORG")).recognize([text])[0])[-1] == (
        "PERSON",
        "Mr Smith",
    )


def test_a_surname_alone_is_found_once_the_full_name_was() -> None:
    text = "Mr Karsten Trippel sued. Later Trippel lost, and Trippel's wife left."
    found = surfaces(text, combined().recognize([text])[0])
    assert [surface for _, surface in found] == ["Mr Karsten Trippel", "Trippel", "Trippel"]


def test_a_surname_is_followed_into_the_person_s_other_texts() -> None:
    texts = ["Mr Karsten Trippel sued.", "I saw Trippel again."]
    found = follow_names(texts, [[Span(0, 18, "PERSON", 0.9, "names")], []])
    assert surfaces(texts[1], found[1]) == [("PERSON", "Trippel")]


def test_parts_of_names_that_are_common_words_are_not_followed() -> None:
    text = "Mr John Hope came. We had Hope and hope."
    spans = [Span(0, 12, "PERSON", 0.9, "names")]
    assert len(follow_names([text], [spans])[0]) == 1


@pytest.mark.parametrize("seed", range(20))
def test_parts_of_names_are_found_as_one_pattern_of_them_would(seed: int) -> None:
    rng = random.Random(seed)
    names = ["Xandra", "O'Xandra", "Qorvat-Xandra", "Qorvat", "Zebrul", "Zebrul.Qorvat", "Étoqua"]
    name = f"{rng.choice(names)} {rng.choice(names)}"
    rest = [*names, *(f"{one}s" for one in names), "x", "_", "-", "."]
    text = name + " " + "".join(rng.choice(rest) + rng.choice([" ", "", "-", "'"]) for _ in range(40))
    taken = Span(0, len(name), "PERSON", 0.9, "names")
    parts = "|".join(map(re.escape, sorted(name_parts(name), key=len, reverse=True)))
    expected = [
        m.span() for m in re.finditer(rf"(?<![\w-])(?:{parts})(?![\w-])", text) if m.start() >= taken.end
    ]
    assert [span[:2] for span in follow_names([text], [[taken]])[0][1:]] == expected


def test_titles_and_possessives_are_no_part_of_a_name() -> None:
    assert name_parts("Dr. Robert Chen's") == ["Robert", "Chen"]


def persons(text: str, names: Sequence[str]) -> list[list[str]]:
    spans, position = [], 0
    for name in names:
        start = text.index(name, position)
        spans.append(Span(start, start + len(name), "PERSON", 0.9, "x"))
        position = start + len(name)
    [terms] = terms_of([text], [spans])
    return [[name for name, term in zip(names, terms) if term == one] for one in dict.fromkeys(terms)]


def test_full_and_partial_names_initials_and_misspelt_repeats_are_one_entity() -> None:
    text = "John Smith came. Mr Smith sat. J. Smith rose. Smithh left. Mary Jones stayed."
    assert persons(text, ["John Smith", "Mr Smith", "J. Smith", "Smithh", "Mary Jones"]) == [
        ["John Smith", "Mr Smith", "J. Smith", "Smithh"],
        ["Mary Jones"],
    ]


def test_a_shared_surname_joins_the_person_named_last() -> None:
    text = "John Smith came. Mary Smith sat. Smith left."
    assert persons(text, ["John Smith", "Mary Smith", "Smith"]) == [["John Smith"], ["Mary Smith", "Smith"]]


def test_a_misspelt_place_joins_the_commoner_spelling_but_numbers_never_do() -> None:
    texts = ["Istanbul Istanbul Istambul 10001 10001 10002"]
    spans = [Span(i, i + 8, "GPE", 0.9, "x") for i in (0, 9, 18)] + [
        Span(i, i + 5, "CODE", 0.9, "x") for i in (27, 33, 39)
    ]
    assert list(Counter(terms_of(texts, [spans])[0]).values()) == [3, 2, 1]


def test_contexts_keep_equal_terms_apart() -> None:
    texts = ["I live in Berlin.", "I love Berlin.", "She lives in Berlin."]
    spans = [[Span(t.index("Berlin"), t.index("Berlin") + 6, "GPE", 0.9, "x")] for t in texts]
    contexts = [["live in"], ["love"], ["live in"]]
    berlin = Term("GPE", "berlin")
    assert terms_of(texts, spans) == [[berlin]] * 3
    assert terms_of(texts, spans, contexts=contexts) == [
        [berlin._replace(context=context)] for [context] in contexts
    ]


def test_mentions_of_one_entity_get_one_term() -> None:
    text = "John Smith came. Mr Smith sat. She met Mary Jones."
    spans = [
        Span(0, 10, "PERSON", 0.9, "x"),
        Span(17, 25, "PERSON", 0.9, "x"),
        Span(39, 49, "PERSON", 0.9, "x"),
    ]
    assert terms_of([text], [spans]) == [
        [Term("PERSON", name) for name in ("john smith", "john smith", "mary jones")]
    ]


def test_a_place_carries_the_kind_that_the_text_tells() -> None:
    texts = ["He lives in Atlanta, Georgia.", "Tbilisi is in Georgia.", "the state of Georgia"]
    spans = [[Span(t.index("Georgia"), t.index("Georgia") + 7, "GPE", 0.9, "x")] for t in texts]
    assert terms_of(texts, spans) == [
        [Term("GPE", "georgia", sense="state")],
        [Term("GPE", "georgia")],
        [Term("GPE", "georgia", sense="state")],
    ]


def test_thousands_of_names_cost_what_their_number_costs() -> None:
    def read(count: int) -> list[list[Term]]:
        names = [
            f"Anna{chr(97 + i % 26)}{chr(97 + i // 26 % 26)} Bo{chr(97 + i // 676 % 26)}{chr(97 + i % 26)}son"
            for i in range(count)
        ]
        spans, position = [], 0
        for name in names:
            spans.append(Span(position, position + len(name), "PERSON", 0.9, "x"))
            position += len(name) + 1
        return terms_of([" ".join(names)], [spans])

    assert len(read(4_000)[0]) == 4_000
    assert growth(read, 500) < 6


@pytest.mark.parametrize(
    ("surface", "label", "type"),
    [
        ("Ankara", "LOC", "GPE"),
        ("the Amazon River", "LOC", "LOC"),
        ("Main Street", "LOC", "FAC"),
        ("Heathrow Airport", "LOCATION", "FAC"),
        ("Smith", "PER", "PERSON"),
        ("canada", "LOC", "GPE"),
        ("mark", "PERSON", "PERSON"),
        ("District Court", "ORG", "INSTITUTION"),
        ("Stuttgart Regional Court", "ORG", "ORG"),
    ],
)
def test_labels_of_models_become_our_types(surface: str, label: str, type: str) -> None:
    assert [s.type for s in cleaned(surface, [(0, len(surface), label, 0.9)], source="x")] == [type]


@pytest.mark.parametrize(
    ("surface", "label"),
    [
        ("applicant", "PERSON"),
        ("villages", "LOC"),
        ("Decision", "WORK_OF_ART"),
        ("...", "ORG"),
        ("Lustration Act", "EVENT"),
        ("thing", "MISC"),
    ],
)
def test_common_nouns_and_empty_labels_are_dropped(surface: str, label: str) -> None:
    assert cleaned(surface, [(0, len(surface), label, 0.8)], source="x") == []


def test_a_common_word_in_capitals_is_a_name_inside_a_sentence_rather_than_at_its_start() -> None:
    text = "Target was full. We bought it at Target."
    found = [(0, 6, "ORG", 0.8), (33, 39, "ORG", 0.8)]
    assert [s.start for s in cleaned(text, found, source="x")] == [33]


def test_unknown_labels_map_to_nothing() -> None:
    found = [(0, 7, label, 0.95) for label in ("MISC", "organization")]
    assert [(s.type, s.rule) for s in cleaned("Siemens", found, source="x")] == [("ORG", "organization")]


def test_pieces_make_up_the_text() -> None:
    for text in ("", "a" * 250, "One. Two. " * 40, "line\n" * 60):
        cut = list(pieces(text, 100))
        assert "".join(piece for _, piece in cut) == text
        assert all(text[offset : offset + len(piece)] == piece for offset, piece in cut)
        assert all(len(piece) <= 100 for _, piece in cut)


def test_identifiers_are_found_at_their_place_in_a_long_text() -> None:
    filler = "Nothing to see here at all. " * 40
    text = (
        f"{filler}Mail me at jane.doe@example.com please. {filler}IBAN DE89370400440532013000 "
        f"is mine. {filler}"
    )
    found = near_identifiers(recognizers.build("structured"), [text, filler])
    assert {("MAIL", "jane.doe@example.com"), ("IBAN", "DE89370400440532013000")} <= set(
        surfaces(text, found[0])
    )
    assert found[1] == []


def test_a_model_that_is_none_is_refused_with_a_hint() -> None:
    with pytest.raises(PlanError, match="no such model"):
        recognizers_for(TextPlan(model="dates"))
    with pytest.raises(UsageError, match="no spaCy pipeline"):
        pipeline("no_such_pipeline").recognize(["Hello there."])


# The cache


class Counting:
    """Counts the texts it is asked for, and may fail."""

    languages: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, fail_at: int = -1) -> None:
        self.seen = 0
        self.fail_at = fail_at

    def __repr__(self) -> str:
        return "Counting"

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        if 0 <= self.fail_at <= self.seen:
            raise KeyboardInterrupt
        self.seen += len(texts)
        return [[Span(0, 3, "PERSON", 0.5, "counting")] for _ in texts]


def test_a_second_run_asks_nothing_again(tmp_path: Path) -> None:
    part = Counting()
    cached = Cached(part, str(tmp_path / "c"))
    first = cached.recognize(["Ann", "Bob", "Ann"])
    assert part.seen == 2
    assert cached.recognize(["Ann", "Bob"]) == first[:2]
    assert part.seen == 2
    assert first[0] == [Span(0, 3, "PERSON", 0.5, "counting")]


def test_an_interrupted_run_resumes(tmp_path: Path) -> None:
    texts = [f"text {i}" for i in range(1000)]
    with pytest.raises(KeyboardInterrupt):
        Cached(Counting(fail_at=400), str(tmp_path)).recognize(texts)
    after = Counting()
    assert len(Cached(after, str(tmp_path)).recognize(texts)) == 1000
    assert after.seen == 600


def test_the_cache_holds_no_text_and_its_key_is_the_owners(tmp_path: Path) -> None:
    Cached(Counting(), str(tmp_path)).recognize(["Canary Wharfinger"])
    for file in tmp_path.iterdir():
        content = file.read_bytes()
        assert b"Canary" not in content
        assert b"Wharfinger" not in content
    assert stat.S_IMODE(os.stat(tmp_path / "key").st_mode) == 0o600
    found = sqlite3.connect(tmp_path / "spans.sqlite").execute("select found from spans").fetchall()
    assert [sealed[16:] for (sealed,) in found] == [b'[[0,3,"PERSON",0.5,"counting",""]]']


def test_other_keys_and_other_parts_give_other_hashes(tmp_path: Path) -> None:
    one, two = SpanCache(tmp_path / "a"), SpanCache(tmp_path / "b")
    assert one.hash_of("x", "p") != two.hash_of("x", "p")
    assert one.hash_of("x", "p") != one.hash_of("x", "q")
    assert fingerprint(Marks("a")) != fingerprint(Marks("b"))


# Worker processes


def test_workers_find_what_one_process_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_WORTH_IT", 0)
    texts = ["On 3 May 2001 Mr Smith came.", "Nothing.", "On 3 May 2001 Mr Smith came.", ""] * 3
    part = recognizers.build("dates")
    try:
        assert parallel.Parallel(part, 2).recognize(texts) == part.recognize(texts)
    finally:
        parallel.close()


def test_workers_share_one_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "_WORTH_IT", 0)
    monkeypatch.setattr(parallel, "_BATCH", 1)
    texts = [f"On {i + 1} May 2001 Mr Smith came." for i in range(25)]
    try:
        made = pipeline("none", parts=("dates", "names"), processes=2, cache=str(tmp_path / "c"))
        found = made.recognize(texts)
        alone = pipeline("none", parts=("dates", "names"))
        assert found == made.recognize(texts) == alone.recognize(texts)
    finally:
        parallel.close()
    rows = sqlite3.connect(tmp_path / "c" / "spans.sqlite").execute("select count(*) from spans").fetchone()
    assert rows == (25,)


def test_identical_texts_are_read_once() -> None:
    part = Counting()
    assert len(parallel.Parallel(part).recognize(["a", "b", "a", "a"])) == 4
    assert part.seen == 2


def test_batches_hold_every_text_once_and_like_lengths_together() -> None:
    texts = ["x" * n for n in (5, 90_000, 1, 50_000, 200_000, 3)]
    alike = sorted(range(6), key=lambda i: len(texts[i]))
    made = list(parallel.batches(alike, lambda i: len(texts[i]), most=100_000, count=200))
    assert sorted(i for batch in made for i in batch) == list(range(6))
    lengths = [len(texts[i]) for batch in made for i in batch]
    assert lengths == sorted(lengths)


# Foreign models


def test_a_spacy_pipeline_in_a_folder_is_used(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PER", "pattern": "Zorblax"}, {"label": "LOC", "pattern": "Main Street"}])
    nlp.to_disk(tmp_path / "made")
    text = "😀 Zorblax lives in Main Street."
    found = recognizers.build("spacy", {"pipeline": str(tmp_path / "made")}).recognize([text, "", "Nobody."])
    assert surfaces(text, found[0]) == [("PERSON", "Zorblax"), ("FAC", "Main Street")]
    assert found[1:] == [[], []]


def test_a_gliner_model_is_asked_in_words_and_answers_in_types(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class GLiNER:
        @classmethod
        def from_pretrained(cls, folder: str, local_files_only: bool) -> GLiNER:
            assert local_files_only
            return cls()

        def predict_entities(self, text: str, labels: list[str], threshold: float) -> list[dict[str, object]]:
            assert "person" in labels
            at = text.find("Zorblax")
            return [] if at < 0 else [{"start": at, "end": at + 7, "label": "person", "score": 0.8}]

    fake = types.ModuleType("gliner")
    fake.GLiNER = GLiNER  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gliner", fake)
    text = "Nothing here. " * 100 + "Zorblax came."
    found = recognizers.build("gliner", {"folder": str(tmp_path)}).recognize([text, ""])
    assert surfaces(text, found[0]) == [("PERSON", "Zorblax")]
    assert found[1] == []


def test_gliner_without_its_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gliner", None)
    with pytest.raises(UsageError, match="pip install"):
        recognizers.build("gliner", {"folder": "/nowhere"}).recognize(["Hello."])


@pytest.mark.filterwarnings("ignore")
def test_a_real_gliner_model_is_loaded_from_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gliner = pytest.importorskip("gliner")
    transformers = pytest.importorskip("transformers")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    from heteronym.text.recognizers.gliner import QUESTIONS

    base, saved = tmp_path / "base", tmp_path / "saved"
    base.mkdir()
    vocabulary = (
        "[PAD] [UNK] [CLS] [SEP] [MASK] . , zorblax lives in berlin".split() + " ".join(QUESTIONS).split()
    )
    (base / "vocab.txt").write_text("\n".join(dict.fromkeys(vocabulary)))
    tokenizer = transformers.BertTokenizerFast(vocab_file=str(base / "vocab.txt"))
    tokenizer.save_pretrained(base)
    shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    transformers.BertModel(transformers.BertConfig(vocab_size=len(tokenizer), **shape)).save_pretrained(base)
    config = gliner.GLiNERConfig(
        model_name=str(base), hidden_size=32, max_width=4, dropout=0.0, max_len=64, num_rnn_layers=0
    )
    gliner.GLiNER.from_config(config).save_pretrained(str(saved))
    text = "Zorblax lives in Berlin."
    part = recognizers.build("gliner", {"folder": str(saved), "threshold": 0.0})
    spans = part.recognize([text, ""])
    # Untrained weights mark anything; what counts is that answers arrive as spans of our types.
    assert spans[0]
    assert spans[1] == []
    assert all(0 <= s.start < s.end <= len(text) and s.source == "gliner" for s in spans[0])


@pytest.mark.parametrize("piece", ["1", "1A", "a@b.", "12-"])
def test_what_goes_on_and_on_costs_no_square_of_its_length(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    recognizer = pipeline("none")
    whole = f"Mail jane.doe@example.com. {text} Call +1 415 555 2671."
    assert "jane.doe@example.com" in {whole[s.start : s.end] for s in recognizer.recognize([whole])[0]}
    assert growth(lambda n: recognizer.recognize([piece * n]), 300) < 6


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hospital course: uneventful.\nED course: stable.", []),
        ("Course: BSc Nursing\nAgent: hello", [("EDUCATION", "BSc Nursing")]),
        ("Agent: May I have your name?\nAgent: Will I call back?", []),
        (
            "Agent: Grace I. Miller\nNurse: May Ingram",
            [("PERSON", "Grace I. Miller"), ("PERSON", "May Ingram")],
        ),
    ],
)
def test_speech_and_headings_of_notes_are_no_fields_about_people(
    text: str, found: list[tuple[str, str]]
) -> None:
    assert surfaces(text, hn.scan(text, plan=TextPlan(model="none"))) == found
