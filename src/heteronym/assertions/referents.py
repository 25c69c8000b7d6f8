"""Referents: the words of a text that refer to human beings.

Names come from the mentions of the document; pronouns, relatives and roles ("her uncle", "the patient") from
the parse and from lexicons. Plurals and groups are found too, and kept apart from individuals.

Cost        linear in the length of the text
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from heteronym.assertions.sentences import sentences_of
from heteronym.knowledge.lexicons import kin, section, sex_of_name, sex_of_role, singular
from heteronym.knowledge.wordlists import first_names, words
from heteronym.model.document import Document

PRONOUNS = {
    **dict.fromkeys(("i", "me", "my", "mine", "myself"), "author"),
    **dict.fromkeys(("you", "your", "yours", "yourself"), "recipient"),
    **dict.fromkeys(("we", "us", "our", "ours", "ourselves"), "we"),
    **dict.fromkeys(("he", "him", "his", "himself"), "m"),
    **dict.fromkeys(("she", "her", "hers", "herself"), "f"),
    **dict.fromkeys(("they", "them", "their", "theirs", "themselves", "themself"), "they"),
}
POSSESSIVE = frozenset("my your our his her their".split())
REFLEXIVE = frozenset("myself yourself himself herself themselves ourselves themself".split())
TITLES = {"mr": "m", "mr.": "m", "mister": "m", "sir": "m", "lord": "m", "mrs": "f", "mrs.": "f", "ms": "f"}
TITLES |= {"ms.": "f", "miss": "f", "madam": "f", "lady": "f"}
PLAIN_TITLES = frozenset("dr dr. prof prof. rev rev. hon hon. dame".split())
_VARIABLE = re.compile(r"^(?:V\d+|[U-Z]\d*)$")  # the paper's V1 and X stand for individuals
_INDEFINITE = frozenset("a an".split())
_NOT_ONE = frozenset("every each no any some another which what whichever either neither all both".split())
_SUBJECTS = ("nsubj", "nsubj:pass", "csubj")
_MODIFIERS = frozenset("det amod compound nmod:poss nummod nmod:desc nmod:unmarked flat".split())


@dataclass(eq=False, repr=False)
class Referent:
    """Words that refer to somebody, while they are being resolved."""

    doc: Any
    offset: int
    first: int  # tokens of the words themselves
    last: int
    head: Any
    form: str  # name | pronoun | role
    sex: str = ""
    plural: bool = False
    definite: bool = True
    np_first: int = 0  # tokens of the phrase with its determiner and possessor
    sentence: int = 0
    possessor: Referent | None = None
    same_as: Referent | None = None  # apposition, title, copula
    persons: tuple[int, ...] = ()
    key: tuple[str, ...] = field(default=())
    spelt: str = ""  # the name, where the text leaves a part of it to others

    @property
    def start(self) -> int:
        return int(self.offset + self.doc[self.first].idx)

    @property
    def end(self) -> int:
        last = self.doc[self.last]
        return int(self.offset + last.idx + len(last))

    @property
    def words(self) -> str:
        return str(self.doc[self.first : self.last + 1].text)

    @property
    def is_subject(self) -> bool:
        return str(self.head.dep_) in _SUBJECTS

    def __repr__(self) -> str:
        return f"Referent({self.form}, {self.first}-{self.last})"


def referents_of(document: Document) -> list[Referent]:
    """All referents of a document in order of occurrence, possessors and appositions told."""
    found: list[Referent] = []
    sentence = 0
    for offset, doc in document.parsed:
        here = _in_piece(document, doc, offset)
        at = 0
        for sent in sentences_of(doc):
            while at < len(here) and here[at].first < sent.end:
                here[at].sentence = sentence
                at += 1
            sentence += 1
        _tell_possessors(here)
        _tell_identities(here)
        found += here
    return found


def _in_piece(document: Document, doc: Any, offset: int) -> list[Referent]:
    taken: set[int] = set()
    found: list[Referent] = []
    for finder in (_names(document, doc, offset), _bare_names(document, doc, offset), _variables(doc, offset)):
        for referent in finder:
            span = set(range(referent.first, referent.last + 1))
            if not span & taken:
                taken |= span
                found.append(referent)
    for token in doc:
        if token.i in taken:
            continue
        other = _pronoun(token, offset) or _role(token, offset, taken)
        if other is not None:
            taken |= set(range(other.first, other.last + 1))
            found.append(other)
    found.sort(key=lambda referent: referent.first)
    for referent in found:
        referent.np_first = _phrase_start(referent)
    return found


def _names(document: Document, doc: Any, offset: int) -> Iterator[Referent]:
    end = offset + len(doc.text)
    for mention in document.mentions:
        if mention.type != "PERSON" or mention.start < offset or mention.end > end:
            continue
        span = doc.char_span(mention.start - offset, mention.end - offset, alignment_mode="expand")
        if span is None or (len(span) == 1 and span[0].lower_ in section("roles", "bare")):
            continue
        if any(_may_be_name(token) for token in span):
            yield from _split_name(doc, offset, span)


def _may_be_name(token: Any) -> bool:
    """Recognizers also report "Disease X": a noun and a letter are no name."""
    if len(token.text.strip(".")) < 2:
        return False
    known = token.text in first_names() or token.text in words("surnames")
    return token.tag_ != "NN" or known or token.lower_ in TITLES


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
                shared = [word for word in tokens[tokens.index(part[-1]) + 1 :] if not _is_title(word)]
                surname = " ".join(word.text for word in shared if word.lower_ not in ("and", "&"))
                referent.key, referent.spelt = _key(surname), f"{referent.words} {surname}"
            yield referent
            part = []


def _key(name: str) -> tuple[str, ...]:
    return tuple(name.lower().split())


def _name(doc: Any, offset: int, tokens: Sequence[Any]) -> Referent:
    # "Dr. Lee" is a name; in "Farmer John" the farmer is a role that may stay
    while len(tokens) > 1 and _is_title(tokens[0]) and not _is_honorific(tokens[0]):
        tokens = tokens[1:]
    first, last = tokens[0].i, tokens[-1].i
    while first > 0 and _is_honorific(doc[first - 1]):
        first -= 1
    titled = first
    while titled > 0 and _is_title(doc[titled - 1]):
        titled -= 1
    head = next((t for t in tokens if t.head.i < tokens[0].i or t.head.i > last or t.dep_ == "ROOT"), tokens[0])
    plural = tokens[-1].tag_ == "NNPS" and first > 0 and doc[first - 1].lower_ == "the"
    words = tuple(t.text.lower().strip(".") for t in tokens if not _is_title(t) and not t.is_punct)
    sexes = [TITLES[t.lower_] for t in doc[first : last + 1] if t.lower_ in TITLES]
    sexes += [s for t in doc[titled:first] if (s := sex_of_role(t.lower_))]
    sex = sexes[0] if sexes else sex_of_name(next((t.text for t in tokens if not _is_title(t)), ""))
    key = words or (tokens[-1].lower_,)
    return Referent(doc, offset, first, last, head, "name", sex, plural, key=key)


def _is_honorific(token: Any) -> bool:
    return (token.lower_ in TITLES or token.lower_ in PLAIN_TITLES) and bool(token.text[0].isupper())


def _is_title(token: Any) -> bool:
    if _is_honorific(token):
        return True
    return token.text[0].isupper() and token.pos_ == "PROPN" and token.lower_ in _capital_roles()


def _capital_roles() -> frozenset[str]:
    return section("roles", "titles")


def _bare_names(document: Document, doc: Any, offset: int) -> Iterator[Referent]:
    """First names that no recognizer reported and that nothing else covers."""
    covered = [(m.start, m.end) for m in document.mentions]
    for token in doc:
        if token.pos_ != "PROPN" or token.text not in first_names() or token.dep_ in ("compound", "flat"):
            continue
        start = offset + token.idx
        if not any(begin <= start < end for begin, end in covered):
            yield _name(doc, offset, [token])


def _variables(doc: Any, offset: int) -> Iterator[Referent]:
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
        head = _predicate_subject(token)
        if head is not None and not _refers(head):
            continue  # "the number is Z"
        yield Referent(doc, offset, token.i, token.i, token, "name", key=(token.text,))


def _counts(token: Any) -> bool:
    return token.pos_ in ("NOUN", "PROPN") and sex_of_role(token.lower_) is None and not _is_title(token)


def _predicate_subject(token: Any) -> Any:
    """The subject of the clause whose predicate the word is: in "the number is Z" the number."""
    if not any(child.dep_ == "cop" for child in token.children):
        return None
    return next((child for child in token.children if child.dep_ in _SUBJECTS), None)


def _refers(token: Any) -> bool:
    return bool(
        token.ent_type_ == "PERSON"
        or token.lower_ in PRONOUNS
        or _VARIABLE.match(token.text)
        or token.text in first_names()
        or sex_of_role(token.lemma_.lower()) is not None
        or any(sex_of_role(child.lower_) is not None for child in token.subtree if child.i > token.i)
    )


def _pronoun(token: Any, offset: int) -> Referent | None:
    kind = PRONOUNS.get(token.lower_)
    if kind is None or token.pos_ not in ("PRON", "DET", "PROPN", "X", "NOUN", "ADJ"):
        return None
    if token.text == "US" or (token.lower_ == "mine" and token.pos_ == "NOUN") or token.text in ("i", "I."):
        return None
    sex = kind if kind in ("m", "f") else ""
    return Referent(token.doc, offset, token.i, token.i, token, "pronoun", sex, kind in ("we", "they"))


def _role(token: Any, offset: int, taken: set[int]) -> Referent | None:
    """A noun for a person, if it refers to somebody here."""
    nominal = _is_nominal(token)
    if not nominal and (token.pos_ not in ("NOUN", "PROPN") or _modifies(token) or token.tag_ == "JJ"):
        return None
    noun, last = _whole_noun(token)
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
    first = token.i
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


def _is_nominal(token: Any) -> bool:
    """ "the accused", not followed by what they modify."""
    if token.lower_ not in section("roles", "nominal") or not token.i or token.nbor(-1).lower_ != "the":
        return False
    return token.i + 1 >= len(token.doc) or token.nbor(1).pos_ not in ("NOUN", "PROPN", "ADJ")


def _modifies(token: Any) -> bool:
    """Part of another noun: "patient care". Not so if that noun must be the verb: "the patient lives alone"."""
    if token.dep_ not in ("compound", "amod", "flat", "nmod:desc"):
        return False
    if token.text[0].isupper() and token.lower_ in section("roles", "bare") and token.i > token.sent.start:
        return False  # "I called Dad last night"
    following = token.nbor(1) if token.i + 1 < len(token.doc) else None
    verb_like = following is not None and following.tag_ == "NNS" and following == token.head
    return not (verb_like and not any(t.tag_ in FINITE for t in token.sent))


FINITE = frozenset("VBD VBZ VBP MD".split())


def _whole_noun(token: Any) -> tuple[str, int]:
    """Nouns with hyphens: "sister-in-law", "ex-wife", "co-founder"."""
    doc, first, last = token.doc, token.i, token.i
    while last + 2 < len(doc) and doc[last + 1].text == "-" and not doc[last + 1].whitespace_:
        if doc[last + 2].lower_ not in ("in", "law"):
            break
        last += 2
    while first >= 2 and doc[first - 1].text == "-" and doc[first - 2].lower_ in _PREFIXES:
        first -= 2
    noun = doc[first : last + 1].text.lower()
    return (noun, last) if sex_of_role(noun) is not None else (token.lower_, last)


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
    return any(
        child.dep_ == "nmod:poss" and child.lower_ in _NOBODY for child in token.children
    ) or (token.i >= 2 and token.doc[token.i - 1].tag_ == "POS" and token.doc[token.i - 2].lower_ in _NOBODY)


_NOBODY = frozenset(
    "someone somebody anyone anybody nobody everyone everybody one else people proprietor".split()
)


def _several(token: Any) -> bool:
    return any(child.dep_ == "nummod" and child.lower_ not in ("one", "1") for child in token.children)


def _bare_person(token: Any, noun: str) -> bool:
    """ "Patient denies pain", "Mum called": roles that notes and families use like names."""
    if noun not in section("roles", "bare") or token.dep_ in ("obl", "nmod") and token.i and token.nbor(-1).lower_ == "as":
        return False
    return token.dep_ in (*_SUBJECTS, "obj", "iobj", "obl", "nmod", "nmod:poss", "conj", "ROOT", "obl:agent", "compound")


def _named_next(token: Any, taken: set[int]) -> bool:
    """ "my brother Paul", "patient Y", "a brother, Liam,"."""
    after = token.i + 1
    if after in taken:
        return True
    return after + 1 in taken and token.doc[after].text == "," and _closes(token.doc, after + 1, taken)


def _closes(doc: Any, at: int, taken: set[int]) -> bool:
    """Whether a name that follows a comma is an apposition, and not the next of a list."""
    while at < len(doc) and at in taken:
        at += 1
    return at >= len(doc) or doc[at].text in (",", ".", ";", ")") or doc[at].lower_ in ("who", "whose", "with")


def _specific(token: Any) -> bool:
    """An indefinite that tells of somebody: subject of what happened, not of what is generally so."""
    if token.dep_ not in ("nsubj", "nsubj:pass"):
        return False
    verb = token.head
    helpers = [child for child in verb.children if child.dep_ in ("aux", "aux:pass", "cop")]
    if any(helper.tag_ == "MD" for helper in helpers):
        return any(helper.lower_ in ("will", "would", "could") for helper in helpers)
    return verb.tag_ not in ("VBZ", "VBP") or bool(helpers)


def _phrase_start(referent: Referent) -> int:
    """The first token of the phrase, possessor and determiner included."""
    first, sentence = referent.first, referent.head.sent.start
    if referent.form == "pronoun":
        return first
    doc = referent.doc
    while first > sentence:
        before = doc[first - 1]
        inside = (before.dep_ in _MODIFIERS or before.tag_ == "POS") and sentence <= before.head.i and (
            first <= before.head.i <= referent.last or before.tag_ == "POS"
        )
        if not inside and not (before.lower_ in POSSESSIVE or before.pos_ == "DET"):
            break
        if before.lower_ in ("when", "where", "while", "not", "only", "also", "then"):
            break
        first -= 1
        if before.tag_ == "POS":  # the possessor in front of 's
            first = min(first, doc[first - 1].i, _left_of(doc[first - 1], sentence))
    return first


def _left_of(token: Any, sentence: int) -> int:
    first = token.i
    while first > sentence and token.doc[first - 1].head.i in range(first, token.i + 1):
        first -= 1
    return first


def place_of(head: Any) -> Any:
    """The word whose dependency tells the part a phrase plays: the first of a list."""
    while head.dep_ in ("conj", "flat") and head.head != head and head.head.pos_ in ("NOUN", "PROPN", "PRON"):
        head = head.head
    return head


def _tell_possessors(found: Sequence[Referent]) -> None:
    """ "Mary's uncle", "her uncle", "the uncle of Mary"."""
    by_last = {referent.last: referent for referent in found}
    by_first = {referent.np_first: referent for referent in found} | {r.first: r for r in found}
    for referent in found:
        if referent.form == "pronoun":
            continue
        doc = referent.doc
        for at in range(referent.first - 1, max(referent.np_first - 2, -1), -1):
            owner = by_last.get(at)
            if owner is None:
                continue
            genitive = at + 1 < len(doc) and doc[at + 1].tag_ == "POS"
            if owner.words.lower() in POSSESSIVE or genitive:
                referent.possessor = owner
                break
        if referent.possessor is None:
            referent.possessor = _whose(referent, found)
        after = referent.last + 1
        if referent.possessor is None and referent.form == "role" and after < len(doc) and doc[after].lower_ == "of":
            owner = by_first.get(after + 1)
            if owner is not None and (referent.key[0] in kin() or owner.form != "role"):
                referent.possessor = owner


def _whose(referent: Referent, found: Sequence[Referent]) -> Referent | None:
    """ "Hugo Blanc, whose daughter was kidnapped": the nearest in front."""
    pronoun = next((child for child in referent.head.children if child.lower_ == "whose"), None)
    if pronoun is None:
        return None
    return next((r for r in reversed(found) if r.last < pronoun.i and not r.plural), None)


def _tell_identities(found: Sequence[Referent]) -> None:
    """Two phrases for one person: "my brother Paul", "her uncle, Jim,", "Ann, a nurse,", "Carl is the father"."""
    for before, after in zip(found, found[1:]):
        if before.sentence != after.sentence or "pronoun" in (before.form, after.form):
            continue
        if _apposed(before, after):
            after.same_as = before
    by_token = {at: r for r in found for at in range(r.first, r.last + 1)}
    last_of: dict[int, Referent] = {}
    for referent in found:
        # an apposition whose possessor stands in between: "Alan, Ruth's lawyer,"
        if referent.form == "role" and referent.possessor is not None and referent.same_as is None:
            start = referent.np_first
            earlier = last_of.get(start - 2) if start >= 2 and referent.doc[start - 1].text == "," else None
            if earlier is not None and earlier is not referent.possessor and _comma_after(referent):
                referent.same_as = earlier
        last_of[referent.last] = referent
        subject = _predicate_subject(referent.head)
        other = None if subject is None else by_token.get(subject.i)
        if other is not None and other is not referent and not (other.plural or referent.plural):
            if not _coordinated(other):
                referent.same_as = referent.same_as or other
            else:
                referent.plural = True


def _coordinated(referent: Referent) -> bool:
    return any(child.dep_ == "conj" for child in referent.head.children)


def _comma_after(referent: Referent) -> bool:
    after = referent.last + 1
    rest = referent.doc[after : referent.head.sent.end]
    return any(token.text == "," for token in rest) or all(token.is_punct for token in rest)


def _apposed(before: Referent, after: Referent) -> bool:
    doc = before.doc
    gap = doc[before.last + 1 : after.np_first]
    if after.plural or before.plural:
        return False
    if len(gap) == 0 and before.last < after.first:
        return before.form == "role" and after.form == "name"
    if gap.text != ",":
        return False
    if before.form == "role" and after.form == "name":
        return _closes(doc, after.last + 1, set())
    if after.form == "role" and before.form == "name" and after.possessor is None:
        start = doc[after.np_first]
        return start.lower_ in ("a", "an", "the") and _comma_after(after)
    return bool(after.head.dep_ == "appos" and after.head.head.i in range(before.first, before.last + 1)) and _closes(
        doc, after.last + 1, set()
    )
