"""Lexicons in sections: kin, roles, what is collective, what is sensitive. One TOML file each in `data/`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from heteronym.knowledge.bases import base
from heteronym.knowledge.wordlists import words

Sex = str  # "f", "m" or ""


@cache
def lexicon(name: str) -> Mapping[str, Any]:
    text = files("heteronym.knowledge").joinpath("data", f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def section(name: str, key: str) -> frozenset[str]:
    """The words of one section; phrases are divided by bars."""
    text = str(lexicon(name)[key])
    if "|" in text:
        return frozenset(" ".join(phrase.split()) for phrase in text.split("|"))
    return frozenset(text.split())


@cache
def kin() -> Mapping[str, Sex]:
    """Words for relatives, with the sex that they tell."""
    return {
        word: sex
        for key, sex in (("female", "f"), ("male", "m"), ("either", ""))
        for word in section("kin", key)
    }


@cache
def roles() -> Mapping[str, Sex]:
    """Nouns that refer to one human being, relatives aside, with the sex that they tell."""
    found = {word.lower(): "" for word in words("occupations")}
    for word in section("roles", "never"):
        found.pop(word, None)
    found |= {word: "" for key in ("general", "legal") for word in section("roles", key)}
    for word in section("roles", "never") - section("roles", "general"):
        found.pop(word, None)
    found |= dict.fromkeys(section("roles", "female"), "f")
    found |= dict.fromkeys(section("roles", "male"), "m")
    return {word: sex for word, sex in found.items() if word not in kin()}


_IRREGULAR = {"children": "child", "men": "man", "women": "woman", "people": "person", "wives": "wife"}
_ENDINGS = (
    ("men", "man"),
    ("women", "woman"),
    ("wives", "wife"),
    ("ves", "f"),
    ("ies", "y"),
    ("es", ""),
    ("s", ""),
)


def singular(noun: str) -> str:
    """The singular of a plural noun for persons; the noun itself if it is none."""
    if sex_of_role(noun) is not None:
        return noun
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    for ending, instead in _ENDINGS:
        if noun.endswith(ending):
            one = noun.removesuffix(ending) + instead
            if sex_of_role(one) is not None:
                return one
    return noun


_STRONG = {
    "meet": "met", "fight": "fought", "break": "broke broken", "steal": "stole stolen",
    "shoot": "shot", "lend": "lent",
    "lose": "lost", "sleep": "slept", "drink": "drank drunk", "fall": "fell fallen",
    "plead": "pled", "strike": "struck",
}  # fmt: skip


@cache
def forms(verb: str) -> frozenset[str]:
    """The forms of a word if it is inflected regularly, and those of some strong verbs."""
    found = {verb, f"{verb}s", f"{verb}es", f"{verb}ed", f"{verb}ing", *_STRONG.get(verb, "").split()}
    if verb.endswith("e"):
        found |= {f"{verb}d", f"{verb[:-1]}ing"}
    if verb.endswith("y"):
        found |= {f"{verb[:-1]}ies", f"{verb[:-1]}ied"}
    if len(verb) > 2 and verb[-1] not in "aeiouwxy" and verb[-2] in "aeiou":
        found |= {f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing"}
    return frozenset(found)


@cache
def sex_of_role(noun: str) -> Sex | None:
    """The sex that a noun for a person tells, "" if none; None if it is no noun for a person."""
    for known in (kin(), roles()):
        if noun in known:
            return known[noun]
    if noun.endswith(("woman", "girl")):
        return "f"
    if noun.endswith(("ologist", "iatrist", "sman", "person")) and noun != "person":
        return ""
    return "" if _is_doer(noun) else None


_DOER = re.compile(r"[a-z]{2,}(?:er|or|ist|ee|ant|ent|ian|ster|man)")


def _is_doer(noun: str) -> bool:
    """ "striker", "nominee": it ends like a doer, and most of what it can mean, first of all, is a person."""
    if _DOER.fullmatch(noun) is None or noun in section("roles", "never"):
        return False
    wordnet = base("wordnet")
    person = wordnet.senses("person")[0]
    kinds = [person in wordnet.all_above(node) for node in wordnet.senses(noun)]
    return bool(kinds) and kinds[0] and 2 * sum(kinds) >= len(kinds)


def sex_of_name(name: str) -> Sex:
    if name in words("first_names_female"):
        return "f"
    return "m" if name in words("first_names_male") else ""
