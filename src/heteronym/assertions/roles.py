"""Roles: pronouns, relatives and nouns for persons ("her uncle") where they refer to somebody."""

from __future__ import annotations

from functools import cache
from typing import Any

from heteronym.assertions.referent import FINITE, POSSESSIVE, PRONOUNS, SUBJECTS, Referent
from heteronym.knowledge.lexicons import forms, kin, section, sex_of_role, singular

_INDEFINITE = frozenset("a an".split())
_NOT_ONE = frozenset("every each no any some another which what whichever either neither all both".split())

_NEAR = 60  # tokens in which a sentence has its verb


def pronoun(token: Any, offset: int) -> Referent | None:
    kind = PRONOUNS.get(token.lower_)
    if kind is None or token.pos_ not in ("PRON", "DET", "PROPN", "X", "NOUN", "ADJ"):
        return None
    if token.text == "US" or (token.lower_ == "mine" and token.pos_ == "NOUN") or token.text in ("i", "I."):
        return None
    sex = kind if kind in ("m", "f") else ""
    return Referent(token.doc, offset, token.i, token.i, token, "pronoun", sex, kind in ("we", "they"))


def role(token: Any, offset: int, taken: set[int]) -> Referent | None:
    """A noun for a person, if it refers to somebody here."""
    nominal = _is_nominal(token)
    if _is_bare_report(token):
        noun = singular(token.lower_)
        return Referent(
            token.doc, offset, token.i, token.i, token, "role", sex_of_role(noun) or "", key=(noun,)
        )
    if not nominal and (token.pos_ not in ("NOUN", "PROPN") or _modifies(token) or token.tag_ == "JJ"):
        return None
    noun, first, last = _whole_noun(token)
    one = singular(noun)
    # The tagger's idea of number is less sure than the spelling.
    plural = one != noun
    sex = sex_of_role(one)
    if sex is None and not nominal:
        return None
    sex = sex or ""
    if token.i + 1 < len(token.doc) and token.doc[token.i + 1].text == "-" and last == token.i:
        return None  # "patient-centred"
    determiner = _determiner(token)
    if determiner in _NOT_ONE or _whose_is_nobody(token):
        return None
    definite = determiner not in _INDEFINITE
    if not determiner and not plural and not _bare_person(token, noun):
        definite = False
        if not _named_next(token, taken):
            return None
    referent = Referent(
        token.doc, offset, first, last, token, "role", sex, plural or _several(token), definite, key=(noun,)
    )
    if plural or definite or _named_next(token, taken) or _specific(token):
        return referent
    return None


def _is_bare_report(token: Any) -> bool:
    """ "Wife denies seizures", "Pt c/o pain": at the head of a sentence of a note, whatever the parse is."""
    at, doc = token.i, token.doc
    if (
        at > token.sent.start
        and not doc[at - 1].text.isspace()
        and doc[at - 1].text not in (".", ":", ";", "-")
    ):
        return False
    after = at + 1 if at + 1 < len(doc) and doc[at + 1].text != "." else at + 2  # "Pt. denies"
    follows = doc[after : after + 3].text.lower().replace(" ", "")
    if token.lower_ in section("roles", "bare") and follows.startswith(("c/o", "s/p")):
        return True
    bare = token.lower_ in section("roles", "bare") or token.lower_ in kin()
    return bare and after < len(doc) and doc[after].lower_ in _reporting()


@cache
def _reporting() -> frozenset[str]:
    return frozenset(form for verb in section("roles", "reporting") for form in (verb, *forms(verb)))


def _is_nominal(token: Any) -> bool:
    """ "the accused", not followed by what they modify."""
    if token.lower_ not in section("roles", "nominal") or not token.i or token.nbor(-1).lower_ != "the":
        return False
    return token.i + 1 >= len(token.doc) or token.nbor(1).pos_ not in ("NOUN", "PROPN", "ADJ")


def _modifies(token: Any) -> bool:
    """Part of another noun ("patient care"), unless that must be the verb: "the patient lives alone"."""
    if token.dep_ not in ("compound", "amod", "flat", "nmod:desc") or _is_given(token):
        return False
    if token.text[0].isupper() and token.lower_ in section("roles", "bare") and token.i > token.sent.start:
        return False  # "I called Dad last night"
    following = token.nbor(1) if token.i + 1 < len(token.doc) else None
    verb_like = following is not None and following.tag_ == "NNS" and following == token.head
    near = token.doc[max(token.sent.start, token.i - _NEAR) : min(token.sent.end, token.i + _NEAR)]
    return not (verb_like and not any(t.tag_ in FINITE for t in near))


def _is_given(token: Any) -> bool:
    """ "owes his uncle money": whose it becomes stands between a verb of giving and the thing."""
    at = token.i - 2
    return at >= token.sent.start and token.nbor(-1).lower_ in POSSESSIVE and gives(token.doc[at])


@cache
def _giving() -> frozenset[str]:
    return frozenset(form for verb in section("roles", "giving") for form in forms(verb))


def gives(verb: Any) -> bool:
    return verb.pos_ in ("VERB", "AUX") and verb.lower_ in _giving()


def _whole_noun(token: Any) -> tuple[str, int, int]:
    """Nouns with hyphens: "sister-in-law", "ex-wife", "co-founder"."""
    doc, first, last = token.doc, token.i, token.i
    while last + 2 < len(doc) and doc[last + 1].text == "-" and not doc[last + 1].whitespace_:
        if doc[last + 2].lower_ not in ("in", "law"):
            break
        last += 2
    while first >= 2 and doc[first - 1].text == "-" and doc[first - 2].lower_ in _PREFIXES:
        first -= 2
    noun = doc[first : last + 1].text.lower()
    known = sex_of_role(singular(noun)) is not None
    return (noun, first, last) if known else (token.lower_, token.i, last)


_PREFIXES = frozenset("ex co step half great god foster asylum".split())


def _determiner(token: Any) -> str:
    """The determiner of a noun in small letters, "'s" for a possessor, "" if there is none."""
    for child in token.children:
        if child.i < token.i and child.dep_ in ("det", "nmod:poss", "det:predet"):
            return "'s" if child.dep_ == "nmod:poss" else str(child.lower_)
    at = token.i - 1
    while at >= 0 and token.doc[at].pos_ in ("ADJ", "NUM", "NOUN", "ADV", "VERB") and at > token.i - 4:
        at -= 1
    before = token.doc[at] if at >= 0 else None
    if before is None or before.sent.start != token.sent.start:
        return ""
    if before.tag_ == "POS" or before.lower_ in POSSESSIVE:
        return "'s"
    known = before.pos_ == "DET" or before.lower_ in _INDEFINITE | {"the", "this", "that"}
    return str(before.lower_) if known else ""


def _whose_is_nobody(token: Any) -> bool:
    """ "someone's uncle", "nobody's child": nobody in particular."""
    return any(child.dep_ == "nmod:poss" and child.lower_ in _NOBODY for child in token.children) or (
        token.i >= 2 and token.doc[token.i - 1].tag_ == "POS" and token.doc[token.i - 2].lower_ in _NOBODY
    )


_NOBODY = frozenset(
    "someone somebody anyone anybody nobody everyone everybody one else people proprietor".split()
)


def _several(token: Any) -> bool:
    return any(child.dep_ == "nummod" and child.lower_ not in ("one", "1") for child in token.children)


def _bare_person(token: Any, noun: str) -> bool:
    """ "Patient denies pain", "Mum called": roles that notes and families use like names."""
    if noun not in section("roles", "bare") or (
        token.dep_ in ("obl", "nmod") and token.i and token.nbor(-1).lower_ == "as"
    ):
        return False
    return token.dep_ in (
        *SUBJECTS,
        "obj",
        "iobj",
        "obl",
        "nmod",
        "nmod:poss",
        "conj",
        "ROOT",
        "obl:agent",
        "compound",
    )


def _named_next(token: Any, taken: set[int]) -> bool:
    """ "my brother Paul", "patient Y", "a brother, Liam,"."""
    after = token.i + 1
    if after in taken:
        return True
    return after + 1 in taken and token.doc[after].text == "," and closes(token.doc, after + 1, taken)


def closes(doc: Any, at: int, taken: set[int]) -> bool:
    """Whether a name that follows a comma is an apposition, and not the next of a list."""
    while at < len(doc) and at in taken:
        at += 1
    return (
        at >= len(doc) or doc[at].text in (",", ".", ";", ")") or doc[at].lower_ in ("who", "whose", "with")
    )


def _specific(token: Any) -> bool:
    """An indefinite that tells of somebody: subject of what happened, not of what is generally so."""
    if token.dep_ not in ("nsubj", "nsubj:pass"):
        return False
    verb = token.head
    helpers = [child for child in verb.children if child.dep_ in ("aux", "aux:pass", "cop")]
    if any(helper.tag_ == "MD" for helper in helpers):
        return any(helper.lower_ in ("will", "would", "could") for helper in helpers)
    return verb.tag_ not in ("VBZ", "VBP") or bool(helpers)
