"""Makes a replacement agree with the words around it: number, article, capitals, possessive.

A replacement comes as a dictionary has it ("worker", "German city", "state of matter", "Spain"). `fitted`
says which stretch of the text to replace by what: "an engineer" -> "a worker", "virtues" -> "qualities",
"Berlin's" -> "a German city's". The stretch grows by an article or a possessive mark that has to change
with it. What a parse knows of the replaced words (`read_use`) comes before what their letters suggest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from heteronym.knowledge.wordlists import peoples, words

_BEHIND_HEAD = re.compile(r" (?:of|in|for|with|from|at|by|on|to|who|that|under|near|between|without)\b")
_ARTICLE = re.compile(r"(?<![\w'’-])(an?)(\s+)$", re.IGNORECASE)
_THE = re.compile(r"(?<![\w'’-])(the)(\s+)$", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"([\w'’.-]+)[^\S\n]+$")
_SENTENCE_START = re.compile(r"(?:^|[.!?…:][\"'”’)\]]*\s+|\n\s*(?:[-*•]\s+|\d+[.)]\s+)?)[\"'“‘(\[]*$")
_POSSESSIVE = re.compile(r"['’]s(?!\w)")
_BARE_POSSESSIVE = re.compile(r"['’](?=\s+\w)")
_SOUNDS_LIKE_YOU = re.compile(
    r"eu|ewe|ur[aeio]|uk|us(?:[aeu]|ing\b)|ut[ei]|ub[ei]|u[fv][eoiu]|unanim|uni(?!n|m[aeiop]|d)"
)
_SORT_OF = re.compile(r"\b(?:sort|kind|type|form)s?\sof\s+$", re.IGNORECASE)
_OWN_ARTICLE = re.compile(r"^(?:an?|the) ", re.IGNORECASE)
_NUMBER = re.compile(r"\d[\d.,]*")


class Use(NamedTuple):
    """How the replaced words are used; None where nobody knows."""

    plural: bool | None = None
    modifier: bool | None = None  # stands before the noun it belongs to: "Berlin office"
    determined: bool | None = None  # has an article, a possessor or the like
    proper: bool | None = None


UNKNOWN = Use()


def fitted(replacement: str, text: str, start: int, end: int, *, use: Use = UNKNOWN) -> tuple[int, int, str]:
    """The stretch of `text` to replace, and by what, so that `replacement` reads well at start-end."""
    if not replacement or replacement[0] in "[<":
        return start, end, replacement
    original, end = _without_possessive(text[start:end], end)
    definite = replacement.startswith("the ")  # "the 1980s", "the mayor": what the caller knows to be known
    replacement = _OWN_ARTICLE.sub("", replacement)
    before = text[max(0, start - 80) : start]
    capital = _SENTENCE_START.search(before) is not None
    modifier = _is_modifier(text, start, end, use)
    many = not modifier and not is_name(replacement) and _is_plural(original, before, use, capital=capital)
    written = plural(replacement) if many else replacement
    end, written = _possessive(written, text, start, end, many=many)
    if definite:
        start, article = _definite_article(text, start)
    else:
        start, article = _article(
            written, text, start, original=original, many=many, modifier=modifier, use=use
        )
    written = _in_capitals(article + written, text, start, end, original)
    if text[start : start + 1].isupper() and _SENTENCE_START.search(text[max(0, start - 80) : start]):
        written = written[:1].upper() + written[1:]
    return start, end, written


def read_use(pieces: Sequence[tuple[int, Any]], start: int, end: int) -> Use:
    """What the parsed pieces of a document tell of the words at start-end."""
    for offset, doc in pieces:
        if offset <= start and end <= offset + len(doc.text):
            span = doc.char_span(start - offset, end - offset, alignment_mode="expand")
            return UNKNOWN if span is None or not len(span) else use_of(span)
    return UNKNOWN


def use_of(span: Any) -> Use:
    """The use of a spaCy span: of its head and what hangs on it."""
    head = span.root
    modifier = head.dep_ in _MODIFIERS and head.head.i >= span.end
    determined = any(
        child.dep_ in _DETERMINERS or child.tag_ in ("CD", "PRP$", "WP$")
        for token in span
        for child in token.children
        if token is head or token.dep_ in _MODIFIERS
    )
    number = head.morph.get("Number")
    many = (number == ["Plur"]) if number else (head.tag_ in ("NNS", "NNPS"))
    if many and not head.text.isupper() and not _looks_plural(head.text.lower()):
        many = False
    return Use(many and head.tag_ != "CD", modifier, determined, head.pos_ == "PROPN")


_MODIFIERS = frozenset({"compound", "amod", "nmod:desc", "flat", "nummod"})
_DETERMINERS = frozenset({"det", "det:predet", "nmod:poss"})


def with_article(phrase: str) -> str:
    """ "an engineer", "a German city", "furniture", "the Netherlands"."""
    return _new_article(phrase, many=False) + phrase


def article_for(phrase: str) -> str:
    """a or an, by the sound that follows."""
    word = re.split(r"[\s-]", phrase.strip("\"'“‘("), maxsplit=1)[0]
    if word[:1].isdigit():
        return "an" if re.match(r"8|1[18](?:\d\d|\d{3},?\d{3})?(?![\d])|1[18],", word) else "a"
    if word.isupper() and (len(word) < 4 or not re.search("[AEIOU]", word)):
        return "an" if word[0] in "AEFHILMNORSX" else "a"
    low = word.lower()
    if re.match(r"(?:hours?|honest|honou?r|heir|hono)", low):
        return "an"
    if _SOUNDS_LIKE_YOU.match(low) or re.match(r"on(?:e|ce)(?![a-z])", low):
        return "a"
    return "an" if low[:1] in "aeiouáéíóúàèäöüå" else "a"


def plural(phrase: str) -> str:
    """The plural of a noun phrase: of its head, which stands last or before the first preposition."""
    cut = _BEHIND_HEAD.search(phrase, 1)
    front, behind = (phrase, "") if cut is None else (phrase[: cut.start()], phrase[cut.start() :])
    first, joint, last = front.rpartition(" ")
    if last.lower() in words("mass_nouns"):
        return f"kinds of {phrase}"
    return first + joint + _plural_word(last) + behind


def _plural_word(word: str) -> str:
    low = word.lower()
    irregular = _irregular()
    if low in irregular:
        return word[:1] + irregular[low][1:] if irregular[low][:1] == low[:1] else irregular[low]
    for ending, other in (("woman", "women"), ("man", "men"), ("child", "children"), ("wife", "wives")):
        if low.endswith(ending) and not low.endswith(("human", "german", "roman", "shaman", "talisman")):
            return word[: -len(ending)] + other
    if low.endswith("sis") or low.endswith("xis"):
        return word[:-2] + "es"
    if re.search(r"[^aeiou]y$", low):
        return word[:-1] + "ies"
    if re.search(r"(?:s|x|z|ch|sh)$", low) and not re.search(r"(?:onarch|omach|poch)$", low):
        return word if _looks_plural(low) else word + "es"
    return word + "s"


_ENDINGS = (
    ("women", "woman"), ("men", "man"), ("children", "child"), ("people", "person"), ("ies", "y"),
    ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x"), ("zes", "ze"),
)  # fmt: skip


def singular(phrase: str) -> str:
    """The singular of a noun phrase by the shape of its last word; unchanged if that is no plural."""
    first, joint, last = phrase.rpartition(" ")
    low = last.lower()
    back = _singulars().get(low)
    if back is not None:
        return first + joint + last[:1] + back[1:]
    if not _looks_plural(low):
        return phrase
    if low.endswith("es") and low[:-2] in words("singular_in_s"):
        return first + joint + last[:-2]
    for ending, other in _ENDINGS:
        if low.endswith(ending) and len(low) > len(ending) + 1:
            return first + joint + last[: -len(ending)] + other
    if low.endswith(("analyses", "crises", "theses", "diagnoses", "neuroses", "psychoses", "prognoses")):
        return first + joint + last[:-2] + "is"
    return first + joint + last[:-1]


def is_name(phrase: str) -> bool:
    """Whether it is a proper name: its head has a capital ("New York", not "German city")."""
    cut = _BEHIND_HEAD.search(phrase, 1)
    front = phrase if cut is None else phrase[: cut.start()]
    head = front.rpartition(" ")[2]
    return head[:1].isupper() or head[:1].isdigit()


@cache
def _irregular() -> dict[str, str]:
    return dict(pair.split(" ") for pair in words("irregular_plurals"))


@cache
def _singulars() -> dict[str, str]:
    found = {many: one for one, many in _irregular().items() if one != many}
    return found | {"people": "person", "men": "man", "women": "woman", "media": "medium"}


def _looks_plural(low: str) -> bool:
    if low in _singulars() or low.endswith(("men", "children", "people")):
        return True
    if not low.endswith("s") or len(low) < 4 or low in words("singular_in_s") or low in words("mass_nouns"):
        return False
    return re.search(r"(?:ss|us|is|itis|osis|ics|['’]s)$", low) is None


def _is_plural(original: str, before: str, use: Use, *, capital: bool) -> bool:
    if use.plural is not None:
        return use.plural
    last = re.split(r"[\s-]", original)[-1]
    word = _WORD_BEFORE.search(before)
    counted = word is not None and (
        _is_number(word[1]) or word[1].lower() in ("these", "those", "such", "many", "few", "several")
    )
    known = singular(last) in peoples() or (capital and singular(last.lower()) in words("common_words"))
    if last[:1].isupper() and not known and not counted:
        return False
    return _looks_plural(last.lower())


def _is_number(word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None or word.lower() in words("number_words")


def _is_modifier(text: str, start: int, end: int, use: Use) -> bool:
    joined = start > 1 and text[start - 1] in "-‐–/" and text[start - 2].isalnum()
    return joined or text[end : end + 1] == "-" or bool(use.modifier)


def _without_possessive(original: str, end: int) -> tuple[str, int]:
    mark = re.search(r"['’]s?$", original)
    if mark is None or (mark[0] in "'’" and not original[: mark.start()].endswith("s")):
        return original, end
    return original[: mark.start()], end - len(mark[0])


def _possessive(written: str, text: str, start: int, end: int, *, many: bool) -> tuple[int, str]:
    """Takes the possessive mark behind the stretch in, if the new words need another one."""
    mark = _POSSESSIVE.match(text, end)
    if mark is not None:
        return (mark.end(), written + mark[0][0]) if many and written.endswith("s") else (end, written)
    bare = _BARE_POSSESSIVE.match(text, end)
    if bare is None or written.endswith("s") or not text[start:end].endswith("s"):
        return end, written
    line = text[max(0, text.rfind("\n", 0, start)) : start]
    if re.search(r"(?:^|\s)['‘]\w[^'’]*$", line):
        return end, written  # the end of a quotation
    return bare.end(), f"{written}{bare[0]}s"


def _article(
    written: str, text: str, start: int, *, original: str, many: bool, modifier: bool, use: Use
) -> tuple[int, str]:
    """Where the edit begins, and the article it begins with."""
    before = text[max(0, start - 80) : start]
    indefinite = _ARTICLE.search(before)
    if indefinite is not None:
        start -= len(indefinite[0])
        if modifier:
            new = article_for(written) + " "
        else:
            new = _new_article(written, many=many)
            # "a pain" is as good as "pain": the text's own choice stays
            if not new and not many and not is_name(written) and not _is_mass(written):
                new = article_for(written) + " "
        return start, new[:1].upper() + new[1:] if indefinite[1][0].isupper() else new
    definite = _THE.search(before)
    if definite is not None and is_name(written) and not modifier and not _takes_the(written):
        return start - len(definite[0]), ""
    if definite is not None or many or modifier or use.determined:
        return start, ""
    if use.determined is None and _is_determined(before):
        return start, ""
    if not is_name(written) and not _stood_bare(original, before, use):
        return start, ""
    return start, _new_article(written, many=False)


def _definite_article(text: str, start: int) -> tuple[int, str]:
    before = text[max(0, start - 80) : start]
    indefinite = _ARTICLE.search(before)
    if indefinite is not None:
        return start - len(indefinite[0]), "The " if indefinite[1][0].isupper() else "the "
    return start, "" if _THE.search(before) or _is_determined(before) else "the "


def _new_article(phrase: str, *, many: bool) -> str:
    if many:
        return ""
    if is_name(phrase):
        return "the " if _takes_the(phrase) else ""
    cut = _BEHIND_HEAD.search(phrase, 1)
    head = (phrase if cut is None else phrase[: cut.start()]).rpartition(" ")[2].lower()
    bare = head in words("mass_nouns") or head in words("bare_nouns")
    return "" if bare or _looks_plural(head) else article_for(phrase) + " "


def _is_mass(phrase: str) -> bool:
    cut = _BEHIND_HEAD.search(phrase, 1)
    head = (phrase if cut is None else phrase[: cut.start()]).rpartition(" ")[2].lower()
    return head in words("mass_nouns") or _looks_plural(head)


def _takes_the(name: str) -> bool:
    with_the = words("names_with_the")
    return name in with_the or (" " in name and name.rpartition(" ")[2] in with_the)


def _is_determined(before: str) -> bool:
    if _SORT_OF.search(before):
        return True
    word = _WORD_BEFORE.search(before)
    if word is None:
        return False
    low = word[1].lower()
    if low in words("determiners") or low.endswith(("'s", "’s", "s'", "s’")) or _is_number(low):
        return True
    if low in words("before_phrases") or not low.isalpha():
        return False
    further = _WORD_BEFORE.search(before[: word.start()])
    if further is None:
        return False
    # one adjective may stand between: "the old engineer"
    low = further[1].lower()
    return low in (words("determiners") - {"that", "which", "what", "these", "those"}) | {"a", "an"}


def _stood_bare(original: str, before: str, use: Use) -> bool:
    """Whether the replaced word did without an article; a noun that cannot then needs one."""
    if use.determined is False:
        return True
    if use.proper or (original[:1].isupper() and not _SENTENCE_START.search(before)):
        return True
    last = original.rpartition(" ")[2].lower()
    if last in words("mass_nouns") or last in words("bare_nouns"):
        return True
    word = _WORD_BEFORE.search(before)
    return word is None or word[1].lower() in words("before_phrases") or not word[1].isalpha()


def _in_capitals(written: str, text: str, start: int, end: int, original: str) -> str:
    if not original.isupper() or sum(map(str.isalpha, original)) < 2:
        return written
    around = re.findall(r"[^\W\d_]{2,}", text[max(0, start - 40) : start] + " " + text[end : end + 40])
    return written.upper() if around and all(word.isupper() for word in around[-3:]) else written
