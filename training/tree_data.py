"""Treebank documents as spaCy examples, for training and scoring the syntax of the `fast` model."""

from dataclasses import replace

from corpora import TreeToken
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example


def document_example(
    nlp: Language, document: list[list[TreeToken]], breaks: dict[int, str] | None = None
) -> Example:
    """A treebank document as text, with its trees; `breaks` puts new lines after the sentences it names."""
    rows: list[TreeToken] = []
    starts: list[bool] = []
    for number, sentence in enumerate(document):
        offset = len(rows)
        rows += [replace(token, head=token.head + offset) for token in sentence]
        starts += [i == 0 for i in range(len(sentence))]
        new_line = (breaks or {}).get(number)
        rows[-1] = replace(rows[-1], space_after=not new_line)
        if new_line:
            rows.append(
                TreeToken(
                    new_line, False, new_line, "SPACE", "_SP", len(rows) - 1, "dep", rows[-1].entity and "O"
                )
            )
            starts.append(False)
    gold = Doc(
        nlp.vocab,
        words=[row.text for row in rows],
        spaces=[row.space_after for row in rows],
        tags=[row.xpos for row in rows],
        pos=[row.upos for row in rows],
        lemmas=[row.lemma for row in rows],
        heads=[row.head for row in rows],
        deps=["ROOT" if row.deprel == "root" else row.deprel for row in rows],
        ents=[row.entity for row in rows] if rows[0].entity else None,
        sent_starts=starts,
    )
    return Example(nlp.make_doc(gold.text), gold)
