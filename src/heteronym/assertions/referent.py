"""Referent: words that refer to somebody, and the pronouns that can."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

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
SUBJECTS = ("nsubj", "nsubj:pass", "csubj")
FINITE = frozenset("VBD VBZ VBP MD".split())


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
        return str(self.head.dep_) in SUBJECTS

    def __repr__(self) -> str:
        return f"Referent({self.form}, {self.first}-{self.last})"
