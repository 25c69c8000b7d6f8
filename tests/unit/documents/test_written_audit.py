"""The search for masked terms in what is written: a term is sought although an edit's new text holds it."""

from __future__ import annotations

from heteronym.documents._written_audit import parts_with_terms, sought_terms
from heteronym.model.document import Document
from heteronym.model.edit import Edit, edited
from heteronym.model.mention import Span

TEXT = "Ulrike Hansmann met Petra Lowitz at Wexford. Later Lowitz left."


def span(words: str, kind: str) -> Span:
    start = TEXT.index(words)
    return Span(start, start + len(words), kind, 1.0, "test", "")


def edit(words: str, new: str) -> Edit:
    return Edit(TEXT.index(words), TEXT.index(words) + len(words), new)


PETRA, LATER = edit("Petra Lowitz", "[PERSON]"), edit("Lowitz left", "[PERSON] left")
AGAIN = TEXT.rindex("Lowitz")
MENTIONS = (
    span("Ulrike Hansmann", "PERSON"),
    span("Petra Lowitz", "PERSON"),
    span("Wexford", "GPE"),
    Span(AGAIN, AGAIN + len("Lowitz"), "PERSON", 1.0, "test", ""),
)


def kinds_left(edits: list[Edit], written: str | None = None) -> list[str]:
    document = Document(TEXT, MENTIONS, "text")
    text = edited(TEXT, sorted(edits)) if written is None else written
    return parts_with_terms(text.encode(), sought_terms(document, sorted(edits)))


def test_a_pseudonym_that_keeps_the_words_behind_a_name_does_not_hide_what_it_kept() -> None:
    town = edit("Wexford", "[GPE]")
    kept = edit("Ulrike Hansmann met Petra Lowitz", "Vera Nolte met Petra Lowitz")
    assert kinds_left([kept, LATER, town])
    assert not kinds_left([edit("Ulrike Hansmann", "Vera Nolte"), PETRA, LATER, town])


def test_a_name_put_for_somebody_else_may_stand_as_often_as_it_was_put() -> None:
    put = [edit("Ulrike Hansmann", "Vera Lowitz"), PETRA, edit("Wexford", "[GPE]")]
    assert not kinds_left([*put, LATER])
    assert kinds_left(put)  # once more than it was put


def test_a_short_name_inside_of_a_longer_new_word_is_sought() -> None:
    terms = sought_terms(
        Document("Lene came. L e n e left.", (Span(0, 4, "PERSON", 1.0, "test", ""),), "text"),
        [Edit(0, 4, "Marlene")],
    )
    assert parts_with_terms(b"Marlene came. L e n e left.", terms)
