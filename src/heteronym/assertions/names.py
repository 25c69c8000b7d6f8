"""Names: what recognizers report, what they miss, and variables that stand for persons."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from heteronym.assertions.referent import PRONOUNS, SUBJECTS, Referent
from heteronym.knowledge.bases import base
from heteronym.knowledge.lexicons import forms, kin, section, sex_of_name, sex_of_role
from heteronym.knowledge.word_classes import classes_of
from heteronym.knowledge.wordlists import first_names, words
from heteronym.model.document import Document
from heteronym.model.mention import Span

TITLES = {"mr": "m", "mr.": "m", "mister": "m", "sir": "m", "lord": "m", "mrs": "f", "mrs.": "f", "ms": "f"}
TITLES |= {"ms.": "f", "miss": "f", "madam": "f", "lady": "f"}
PLAIN_TITLES = frozenset("dr dr. prof prof. rev rev. hon hon. dame".split())
_VARIABLE = re.compile(r"^(?:V\d+|[U-Z]\d*)$")  # the paper's V1 and X stand for individuals


def names(document: Document, doc: Any, offset: int) -> Iterator[Referent]:
    end = offset + len(doc.text)
    first = bisect_left(document.mentions, offset, key=lambda mention: mention.start)
    for mention in document.mentions[first:]:
        if mention.start >= end:
            break
        if mention.type != "PERSON" or mention.end > end:
            continue
        span = doc.char_span(mention.start - offset, mention.end - offset, alignment_mode="expand")
        if span is None or (len(span) == 1 and span[0].lower_ in section("roles", "bare")):
            continue
        if any(_may_be_name(token) for token in span) and not _is_where(span):
            yield from _split_name(doc, offset, span)


def _is_where(span: Any) -> bool:
    """ "outside Dijon": what is a town, and no first name, behind a word for where."""
    before = span.doc[span.start - 1].lower_ if span.start else ""
    known = span.text.lower() in base("places") and span[0].text not in first_names()
    return known and before in ("in", "near", "outside", "around", "at", "through", "across")


def _may_be_name(token: Any) -> bool:
    """Recognizers also report "Disease X": a noun and a letter are no name."""
    if len(token.text.strip(".")) < 2:
        return False
    known = token.text in first_names() or token.text in words("surnames")
    noun = token.tag_ == "NN" or (token.text.islower() and _is_plain_noun(token.text))
    return not noun or known or token.lower_ in TITLES


def _is_plain_noun(word: str) -> bool:
    """ "echocardiography", in small letters: a noun to the lists, and nobody's name."""
    name = word.capitalize()
    return classes_of(word).noun > 0 and name not in first_names() and name not in words("surnames")


def _split_name(doc: Any, offset: int, span: Any) -> Iterator[Referent]:
    """One referent per person: "Mr. and Mrs. Brown" are two, "the Browns" a group."""
    tokens = [token for token in span if token.tag_ != "POS" and not token.is_space]
    while tokens and (tokens[-1].is_punct and not tokens[-1].text.endswith(".")):
        tokens.pop()
    part: list[Any] = []
    for token in [*tokens, None]:
        if token is not None and token.lower_ not in ("and", "&"):
            part.append(token)
        elif part:
            referent = _name(doc, offset, part)
            if all(_is_honorific(word) for word in part) and tokens[-1] not in part:
                # "Mr. and Mrs. Brown": he is a Brown, too
                shared = [word for word in tokens[tokens.index(part[-1]) + 1 :] if not is_title(word)]
                surname = " ".join(word.text for word in shared if word.lower_ not in ("and", "&"))
                referent.key, referent.spelt = _key(surname), f"{referent.words} {surname}"
            yield referent
            part = []


def _key(name: str) -> tuple[str, ...]:
    return tuple(name.lower().split())


def _name(doc: Any, offset: int, tokens: Sequence[Any]) -> Referent:
    # "Dr. Lee" is a name; in "Farmer John" the farmer is a role that may stay
    while len(tokens) > 1 and is_title(tokens[0]) and not _is_honorific(tokens[0]):
        tokens = tokens[1:]
    after = doc[tokens[-1].i + 1] if tokens[-1].i + 1 < len(doc) else None
    if after is not None and after.is_title and after.is_alpha and all(map(_is_honorific, tokens)):
        tokens = [*tokens, after]  # "Mrs. Church": a recognizer may not know that this is a name
    first, last = tokens[0].i, tokens[-1].i
    while first > 0 and _is_honorific(doc[first - 1]):
        first -= 1
    titled = first
    while titled > 0 and is_title(doc[titled - 1]):
        titled -= 1
    head = next(
        (t for t in tokens if t.head.i < tokens[0].i or t.head.i > last or t.dep_ == "ROOT"), tokens[0]
    )
    plural = tokens[-1].tag_ == "NNPS" and first > 0 and doc[first - 1].lower_ == "the"
    words = tuple(t.text.lower().strip(".") for t in tokens if not is_title(t) and not t.is_punct)
    sexes = [TITLES[t.lower_] for t in doc[first : last + 1] if t.lower_ in TITLES]
    sexes += [s for t in doc[titled:first] if (s := sex_of_role(t.lower_))]
    sex = sexes[0] if sexes else sex_of_name(next((t.text for t in tokens if not is_title(t)), ""))
    key = words or (tokens[-1].lower_,)
    return Referent(doc, offset, first, last, head, "name", sex, plural, key=key)


def _is_honorific(token: Any) -> bool:
    return (token.lower_ in TITLES or token.lower_ in PLAIN_TITLES) and bool(token.text[0].isupper())


def is_title(token: Any) -> bool:
    if _is_honorific(token):
        return True
    return token.text[0].isupper() and token.pos_ == "PROPN" and token.lower_ in _capital_roles()


def _capital_roles() -> frozenset[str]:
    return section("roles", "titles")


def bare_names(document: Document, doc: Any, offset: int) -> Iterator[Referent]:
    """First names and families ("the Smiths") that no recognizer reported as such."""
    starts = [m.start for m in document.mentions]
    for token in doc:
        family = token.text.removesuffix("s")
        if (
            family != token.text
            and token.i
            and family in words("surnames")
            and token.nbor(-1).lower_ == "the"
        ):
            yield Referent(doc, offset, token.i, token.i, token, "name", plural=True, key=(token.lower_,))
    for token in doc:
        if token.pos_ != "PROPN" or token.text not in first_names():
            continue
        start = offset + token.idx
        before = bisect_right(starts, start) - 1  # mentions do not overlap
        mention = document.mentions[before] if before >= 0 else None
        free = mention is None or mention.end <= start
        part = token.dep_ in ("compound", "flat")
        if (free and not part) or (mention is not None and not free and _is_mistaken(mention, token, start)):
            yield _name(doc, offset, [token, *_rest_of_name(token)])


_PLACES = frozenset("GPE LOC FAC ORG PRODUCT NORP".split())


def _is_mistaken(mention: Span, token: Any, start: int) -> bool:
    """A first name that is no place was taken for one ("from Nadine"), or for a part of what its bearer
    owns ("Bella Thorne's farm")."""
    if mention.type not in _PLACES:
        return False
    if mention.start == start and mention.end == start + len(token):
        return token.lower_ not in base("places") or _does_what_people_do(token)
    if mention.start == start and mention.type in ("GPE", "LOC") and _is_full_name(mention, token):
        return True  # "Tom Hill called"
    behind = [token, *_rest_of_name(token)][-1].i + 1
    owned = token.doc[behind + 1 : behind + 2]
    return bool(behind < len(token.doc) and token.doc[behind].tag_ == "POS" and owned.text.islower())


def _is_full_name(mention: Span, token: Any) -> bool:
    """A first name that no place bears, with a surname, and no word for where in front."""
    rest = token.doc[token.i + 1 : token.i + 2]
    before = token.doc[token.i - 1] if token.i else None
    whole = len(token) + 1 + len(rest.text) == mention.end - mention.start
    return bool(
        whole
        and rest.text in words("surnames")
        and token.lower_ not in base("places")
        and (before is None or before.is_punct or before.pos_ not in ("ADP", "DET"))
    )


def _does_what_people_do(token: Any) -> bool:
    """Of a name that a town bears as well ("Milan"): what it does here only people do."""
    head, part = token.head, token.dep_
    if part == "conj" and head.pos_ == "PROPN":
        return head.text in first_names() and head.lower_ not in base("places")
    if part == "nmod:poss":
        return head.lower_ in kin()
    if part == "nsubj":
        predicate = any(child.dep_ == "cop" for child in head.children)
        return head.lower_ in _forms("feels" if predicate else "acts") or _has_body(head)
    if part == "nsubj:pass":
        return head.lower_ in _forms("undergoes")
    return part in ("obj", "iobj") and head.lower_ in _forms("receives")


@cache
def _forms(key: str) -> frozenset[str]:
    return frozenset(form for word in section("roles", key) for form in (word, *forms(word)))


def _has_body(verb: Any) -> bool:
    """ "broke her arm": what is hers has a sex, and towns have none."""
    things = [child for child in verb.children if child.dep_ in ("obj", "obl")]
    return any(child.lower_ in ("his", "her") for thing in things for child in thing.children)


def _rest_of_name(token: Any) -> list[Any]:
    """The surname behind a first name."""
    found = []
    for after in token.doc[token.i + 1 : token.i + 3]:
        joined = after.head in (token, token.head) or after == token.head
        if after.pos_ != "PROPN" or not after.is_title or not joined:
            break
        found.append(after)
    return found


def variables(doc: Any, offset: int) -> Iterator[Referent]:
    for token in doc:
        if not _VARIABLE.match(token.text) or token.pos_ not in ("PROPN", "NOUN", "X", "SYM", "PRON"):
            continue
        before = doc[token.i - 1] if token.i else None
        after = doc[token.i + 1] if token.i + 1 < len(doc) else None
        if after is not None and after.text in ("-", "."):
            continue
        if before is not None and (before.text == "-" or _counts(before)):
            continue  # "test number X", "appointment Y"
        if token.lower_ in ("u", "x") and before is not None and before.like_num:
            continue
        head = predicate_subject(token)
        if head is not None and not _refers(head):
            continue  # "the number is Z"
        yield Referent(doc, offset, token.i, token.i, token, "name", key=(token.text,))


def _counts(token: Any) -> bool:
    return token.pos_ in ("NOUN", "PROPN") and sex_of_role(token.lower_) is None and not is_title(token)


def predicate_subject(token: Any) -> Any:
    """The subject of the clause whose predicate the word is: in "the number is Z" the number."""
    if not any(child.dep_ == "cop" for child in token.children):
        return None
    return next((child for child in token.children if child.dep_ in SUBJECTS), None)


def _refers(token: Any) -> bool:
    return bool(
        token.ent_type_ == "PERSON"
        or token.lower_ in PRONOUNS
        or _VARIABLE.match(token.text)
        or token.text in first_names()
        or sex_of_role(token.lemma_.lower()) is not None
        or any(sex_of_role(child.lower_) is not None for child in token.subtree if child.i > token.i)
    )
