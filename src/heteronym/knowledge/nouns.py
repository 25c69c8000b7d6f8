"""English nouns: their plural and singular, the article that they take, and whether they are names."""

from __future__ import annotations

import re
from functools import cache

from heteronym.knowledge.wordlists import words

_BEHIND_HEAD = re.compile(r" (?:of|in|for|with|from|at|by|on|to|who|that|under|near|between|without)\b")
_ALTERNATIVE = re.compile(r"[\w'-]+(?=,| or\b)")
_SOUNDS_LIKE_YOU = re.compile(
    r"eu|ewe|ur[aeio]|uk|us(?:[aeu]|ing\b)|ut[ei]|ub[ei]|u[fv][eoiu]|unanim|uni(?!n|m[aeiop]|d)"
)


def article_for(phrase: str) -> str:
    """a or an, by the sound that follows."""
    word = re.split(r"[\s-]", phrase.strip("\"'“‘([{"), maxsplit=1)[0]
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
    return _ALTERNATIVE.sub(_plural_job, first) + joint + _plural_word(last) + behind


def _plural_job(found: re.Match[str]) -> str:
    """In "miner or quarrier" two heads are meant, in "mining or quarry worker" one."""
    return _plural_word(found[0]) if found[0] in words("occupations") else found[0]


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
        return word if looks_plural(low) else word + "es"
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
    if not looks_plural(low):
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


def looks_plural(low: str) -> bool:
    if low in _singulars() or low.endswith(("men", "children", "people")):
        return True
    if not low.endswith("s") or len(low) < 4 or low in words("singular_in_s") or low in words("mass_nouns"):
        return False
    return re.search(r"(?:ss|us|is|itis|osis|ics|['’]s)$", low) is None


def own_article(phrase: str, *, many: bool) -> str:
    if many:
        return ""
    if is_name(phrase):
        return "the " if takes_the(phrase) else ""
    cut = _BEHIND_HEAD.search(phrase, 1)
    head = (phrase if cut is None else phrase[: cut.start()]).rpartition(" ")[2].lower()
    bare = head in words("mass_nouns") or head in words("bare_nouns")
    return "" if bare or looks_plural(head) else article_for(phrase) + " "


def is_mass(phrase: str) -> bool:
    cut = _BEHIND_HEAD.search(phrase, 1)
    head = (phrase if cut is None else phrase[: cut.start()]).rpartition(" ")[2].lower()
    return head in words("mass_nouns") or looks_plural(head)


def takes_the(name: str) -> bool:
    """Whether a name is written with the article: "the United States of America"."""
    with_the = words("names_with_the")
    return name in with_the or (" " in name and name.partition(" of ")[0].rpartition(" ")[2] in with_the)
