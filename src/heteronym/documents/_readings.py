"""What part of speech each word of a text is: by a tagger whom word lists correct, or by word lists alone.

A tagger takes rare words for whatever fits ("prescribed zolpidem" for a name and a verb). Lists know better
what a word cannot be: what is never a noun is none, and what no list knows as anything else is a noun.

Cost        a look-up per word
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from heteronym.knowledge.frequencies import is_acronym
from heteronym.knowledge.inflect import is_sentence_start
from heteronym.knowledge.nouns import looks_plural
from heteronym.knowledge.word_classes import Classes, classes_of, idiom_ends, is_ailment, is_function_word
from heteronym.knowledge.wordlists import words

NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
ADJECTIVES = frozenset({"JJ", "JJR", "JJS"})
_VERBS = frozenset({"VB", "VBD", "VBP", "VBZ", "VBN", "VBG", "MD"})
_PRONOUNS = frozenset({"WP", "PRP", "WDT"})
_OUTSIDE = "IN"  # stands for all that is in no noun phrase
_WORD = re.compile(r"[^\W_]+(?:[.&][^\W_]+)*|['’]s?(?![^\W_])|\S")
_BEFORE_NOUN = frozenset(
    "the a an this that these those my your his her its our their no any some each every".split()
)
_BEFORE_AMOUNT = frozenset("little much many more less some all both it them him me us".split())
_BEFORE_VERB = frozenset(
    "i you he she it we they who to not n't will would can could may might must shall should do does did "
    "don't".split()
)
_SHORT = re.compile(r"[A-Za-z]{1,2}/[A-Za-z]{1,2}")  # "c/o", "y/o", "w/o"
_LETTERS = 2
_MUCH = 2  # levels by which one use is the usual one


class Token(NamedTuple):
    """A word of a text with its tag."""

    text: str
    start: int
    end: int
    tag: str
    low: str


def tagged(doc: Any, offset: int) -> list[Token]:
    """The words of a parsed piece, with the tagger's tags where lists do not know better."""
    mixed = any(map(str.islower, doc.text))
    tokens = [
        Token(t.text, t.idx + offset, t.idx + len(t) + offset, _of_capitals(t, mixed=mixed), t.lower_)
        for t in doc
    ]
    return _settled([_corrected(tokens, i, mixed=mixed) for i in range(len(tokens))])


def listed(text: str) -> list[Token]:
    """The words of a text with what lists alone say they are."""
    mixed = any(map(str.islower, text))
    tokens: list[Token] = []
    for match in _WORD.finditer(text):
        word = match.group()
        tokens.append(Token(word, match.start(), match.end(), _OUTSIDE, word.lower()))
    for i, token in enumerate(tokens):
        tokens[i] = token._replace(tag=_by_lists(text, tokens, i, mixed=mixed))
    return _settled(tokens)


def _of_capitals(token: Any, *, mixed: bool) -> str:
    """ "WHO" and "IT" in capitals are names, whatever a tagger of words says."""
    tag: str = token.tag_
    if tag in _PRONOUNS and token.text.isupper() and is_acronym(token.text):
        return "NNP" if mixed else tag
    return tag


def _corrected(tokens: Sequence[Token], i: int, *, mixed: bool) -> Token:
    token = tokens[i]
    tag, low = token.tag, token.low
    if not low.replace("-", "").isalpha():
        return token
    acronym = token.text.isupper() and mixed and len(token.text) > 1
    if is_function_word(low) and not acronym:
        return token if tag not in NOUNS else token._replace(tag=_OUTSIDE)
    if acronym:
        return token if tag in NOUNS else token._replace(tag="NNP")
    known = classes_of(low)
    proper = tag in ("NNP", "NNPS")
    name = proper and token.text[:1].isupper() and i and tokens[i - 1].text not in ".!?:\n•*-"
    if tag in NOUNS and not name and known.never_a_noun:
        return token._replace(tag=_not_a_noun(tokens, i, known))
    if known.noun and tag not in NOUNS and is_ailment(low):
        return token._replace(tag="NN")
    if tag in NOUNS and not name and known.verb and i and _stands_as_verb(tokens, i, known):
        return token._replace(tag="VB")
    if tag not in NOUNS and tag != "CD" and known.only_a_noun:
        if not known.noun and (low in words("number_words") or _is_shape_of_verb(low)):
            return token
        return token._replace(tag="NNS" if looks_plural(low) else "NN")
    if tag in _VERBS and known.noun and i and tokens[i - 1].low in _BEFORE_NOUN and not known.adjective:
        nominal = i + 1 == len(tokens) or tokens[i + 1].tag not in NOUNS
        return token._replace(tag="NNS" if looks_plural(low) else "NN") if nominal else token
    return token


def _stands_as_verb(tokens: Sequence[Token], i: int, known: Classes) -> bool:
    """What a tagger took for a noun: "the side bears its costs", "she runs and drinks little water"."""
    before = tokens[i - 1]
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    if before.low in _BEFORE_VERB:
        return True
    if before.tag not in NOUNS and not (before.low in ("and", "or", "but") and known.verb >= known.noun):
        return False
    if following is not None and (following.low in _BEFORE_NOUN | _BEFORE_AMOUNT):
        return True
    if following is not None and following.tag == "VBG" and known.verb >= known.noun:
        return True
    inside = following is not None and following.tag in NOUNS and before.tag in NOUNS
    return inside and known.verb >= known.noun + _MUCH


def _is_shape_of_verb(low: str) -> bool:
    """Words that no list knows and that end as forms of verbs or as adverbs do: "rehomed", "gaslighting"."""
    return low.endswith(("ed", "ing", "ly")) and len(low) > 5


def _not_a_noun(tokens: Sequence[Token], i: int, known: Classes) -> str:
    following = tokens[i + 1].tag if i + 1 < len(tokens) else ""
    before = tokens[i - 1] if i else None
    described = before is not None and (before.low in _BEFORE_NOUN or before.tag in ADJECTIVES | {"IN", "CD"})
    if known.verb and not (known.adjective and following in NOUNS and described):
        return "VBD"
    return "JJ" if known.adjective else "RB"


def _by_lists(text: str, tokens: Sequence[Token], i: int, *, mixed: bool) -> str:
    token, low = tokens[i], tokens[i].low
    if token.text in ("'s", "’s", "'", "’"):
        return "POS" if i and tokens[i - 1].end == token.start else _OUTSIDE
    if not any(map(str.isalnum, low)):
        joined = (
            low in "-‐"
            and i
            and tokens[i - 1].end == token.start
            and text[token.end : token.end + 1].isalnum()
        )
        return "HYPH" if joined else _OUTSIDE
    if any(map(str.isdigit, low)) or low in words("number_words"):
        return "CD"
    acronym = token.text.isupper() and mixed and len(token.text) > 1
    if acronym:
        return "NNP"
    if is_function_word(low):
        return _OUTSIDE
    if token.text[:1].isupper() and mixed and not is_sentence_start(text, token.start):
        return "NNP"
    return _usual(tokens, i, classes_of(low))


def _usual(tokens: Sequence[Token], i: int, known: Classes) -> str:
    """What a word is by its usual use and the word before it."""
    low = tokens[i].low
    before = tokens[i - 1] if i else None
    noun = "NNS" if looks_plural(low) else "NN"
    if known.only_a_noun:
        return _OUTSIDE if not known.noun and _is_shape_of_verb(low) else noun
    if not known.noun:
        if known.adjective > known.verb:
            return "JJ"
        return _OUTSIDE
    if known.verb and not is_ailment(low):
        if before is not None and before.low in _BEFORE_VERB:
            return _OUTSIDE
        if before is not None and before.low in _BEFORE_NOUN:
            return noun
        return noun if known.noun >= known.verb + _MUCH else _OUTSIDE
    if max(known.adjective, known.adverb) > known.noun and not is_ailment(low):
        return "JJ" if known.adjective else _OUTSIDE
    return noun


def _settled(tokens: list[Token]) -> list[Token]:
    """Tags by the words beside them: no idioms, no "c/o", and what a stroke joins is one."""
    for i, token in enumerate(tokens):
        if token.text == "/" and 0 < i < len(tokens) - 1:
            one, other = tokens[i - 1], tokens[i + 1]
            if one.end == token.start and token.end == other.start:
                if max(len(one.text), len(other.text)) <= _LETTERS:
                    tokens[i - 1 : i + 2] = [t._replace(tag=_OUTSIDE) for t in (one, token, other)]
                elif one.tag in NOUNS and other.tag in NOUNS:
                    tokens[i] = token._replace(tag="HYPH")
        elif _SHORT.fullmatch(token.text):
            tokens[i] = token._replace(tag=_OUTSIDE)
    return _without_idioms(tokens)


def _without_idioms(tokens: list[Token]) -> list[Token]:
    """Nouns inside of idioms ("took place", "of course") are no noun phrases."""
    low = [token.low for token in tokens]
    at = 0
    while at < len(tokens):
        end = idiom_ends(low, at)
        for i in range(at, end):
            if tokens[i].tag in NOUNS | ADJECTIVES:
                tokens[i] = tokens[i]._replace(tag=_OUTSIDE)
        at = max(end, at + 1)
    return tokens
