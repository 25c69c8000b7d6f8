"""Makes a replacement agree with the words around it: number, article, capitals, possessive.

A replacement comes as a dictionary has it ("worker", "German city", "state of matter", "Spain"). `fitted`
says which stretch of the text to replace by what: "an engineer" -> "a worker", "virtues" -> "qualities",
"Berlin's" -> "a German city's". The stretch grows by an article or a possessive mark that has to change
with it. What a parse knows of the replaced words (`Use`) comes before what their letters suggest.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from heteronym.knowledge.dates import is_period
from heteronym.knowledge.nouns import (
    article_for,
    is_mass,
    is_name,
    looks_plural,
    own_article,
    plural,
    singular,
    takes_the,
)
from heteronym.knowledge.wordlists import peoples, words

_ARTICLE = re.compile(r"(?<![\w'’-])(an?)(\s+)$", re.IGNORECASE)
_THE = re.compile(r"(?<![\w'’-])(the)(\s+)$", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"([\w'’.-]+)[^\S\n]+$")
_NO_STOP = r"(?<!e\.g)(?<!i\.e)(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bvs)"
_SENTENCE_START = re.compile(
    rf"(?:{_NO_STOP}[.!?…:][\"'”’)\]]*\s+|(?:^|\n)\s*(?:[-*•]\s+|\d+[.)]\s+)?)[\"'“‘(\[]*$"
)
_POSSESSIVE = re.compile(r"['’]s(?!\w)")
_BARE_POSSESSIVE = re.compile(r"['’](?=\s+\w)")
_SORT_OF = re.compile(r"\b(?:sort|kind|type|form)s?\sof\s+$", re.IGNORECASE)
_OWN_ARTICLE = re.compile(r"^(?:an?|the) ", re.IGNORECASE)
_NO_WORDS = ("[", "{", "*", "(", "<")  # how a label begins that is no phrase
_INNER_ARTICLE = re.compile(r"(?:an?|the)\s+(?=\S)", re.IGNORECASE)
_ON = re.compile(r"(?<![\w'’-])(on)(\s+)$", re.IGNORECASE)
_NUMBER = re.compile(r"\d[\d.,]*")
_LETTERS = re.compile(r"(?:[A-Z]\.?){2,4}")  # of a name: the UK, the U.S.A.


def is_sentence_start(text: str, start: int) -> bool:
    return _SENTENCE_START.search(text[max(0, start - 80) : start]) is not None


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
    if is_period(replacement):
        return _in_period(replacement, text, start, end)
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


def labelled(label: str, text: str, start: int, end: int) -> tuple[int, int, str]:
    """The stretch of `text` to replace, and by what, where a label hides the mention at start-end.

    What stands around a label must not tell what it hides: "an" before a placeholder tells a vowel, "the"
    before a country one of a dozen. A label has its own number, which follows from the term alone.
    """
    if label[:1] in _NO_WORDS or (label[0].isdigit() and not is_period(label)):
        the = _the_of_name(text, start, end)
        if the is not None:
            return the.start(), end, label
        found = _ARTICLE.search(text, max(0, start - 4), start)
        if found is None or found[1] == "A":
            return start, end, label
        new = article_for(label) if label[:2].strip("[{(").isdigit() else "a"
        new = new.capitalize() if found[1][0].isupper() else new
        return found.start(), end, new + found[2] + label
    inside = _INNER_ARTICLE.match(text, start, end)
    start = start if inside is None else inside.end()
    if is_period(label):
        return _in_period(label, text, start, end)
    the = _the_of_name(text, start, end)
    if the is not None and not is_name(label):
        article = own_article(label, many=False)
        if _SENTENCE_START.search(text[max(0, the.start() - 80) : the.start()]):
            article = article.capitalize()
        return the.start(), end, article + label
    return fitted(label, text, start, end, use=Use(plural=False))


def _the_of_name(text: str, start: int, end: int) -> re.Match[str] | None:
    """The article before a name that is written with one: the Netherlands, the UK."""
    surface = text[start:end]
    has = takes_the(surface) or _LETTERS.fullmatch(surface)
    return _THE.search(text, max(0, start - 8), start) if has else None


def _in_period(label: str, text: str, start: int, end: int) -> tuple[int, int, str]:
    """ "on 14 May 2004" becomes "in May 2004", "the 14 May" loses its article."""
    the = _THE.search(text, max(0, start - 8), start)
    before = start if the is None else the.start()
    on = _ON.search(text, max(0, before - 8), before)
    if on is not None:
        return on.start(), end, ("In" if on[1][0].isupper() else "in") + on[2] + label
    definite = label.startswith("the ")
    if the is not None and not definite:
        return the.start(), end, label
    return start, end, label.removeprefix("the ") if the is not None else label


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
    return looks_plural(last.lower())


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
            new = own_article(written, many=many)
            # "a pain" is as good as "pain": the text's own choice stays
            if not new and not many and not is_name(written) and not is_mass(written):
                new = article_for(written) + " "
        return start, new[:1].upper() + new[1:] if indefinite[1][0].isupper() else new
    definite = _THE.search(before)
    if definite is not None and is_name(written) and not modifier and not takes_the(written):
        return start - len(definite[0]), ""
    if definite is not None or many or modifier or use.determined:
        return start, ""
    if use.determined is None and _is_determined(before):
        return start, ""
    if not is_name(written) and not _stood_bare(original, before, use):
        return start, ""
    return start, own_article(written, many=False)


def _definite_article(text: str, start: int) -> tuple[int, str]:
    before = text[max(0, start - 80) : start]
    indefinite = _ARTICLE.search(before)
    if indefinite is not None:
        return start - len(indefinite[0]), "The " if indefinite[1][0].isupper() else "the "
    return start, "" if _THE.search(before) or _is_determined(before) else "the "


def _is_determined(before: str) -> bool:
    if _SORT_OF.search(before):
        return True
    if _SENTENCE_START.search(before):
        return False  # "... in 2004. Berlin ...": what ended counts nothing
    word = _WORD_BEFORE.search(before)
    if word is None:
        return False
    low = word[1].lower()
    if low in words("determiners") or low.endswith(("'s", "’s", "s'", "s’")) or _is_number(low):
        return True
    if low in words("before_phrases") or not _is_word(low):
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
    return word is None or word[1].lower() in words("before_phrases") or not _is_word(word[1])


def _is_word(text: str) -> bool:
    """Letters, also with hyphens between them: "the Paris-born engineer"."""
    return all(part.isalpha() for part in text.split("-"))


def _in_capitals(written: str, text: str, start: int, end: int, original: str) -> str:
    if not original.isupper() or sum(map(str.isalpha, original)) < 2:
        return written
    around = re.findall(r"[^\W\d_]{2,}", text[max(0, start - 40) : start] + " " + text[end : end + 40])
    return written.upper() if around and all(word.isupper() for word in around[-3:]) else written
