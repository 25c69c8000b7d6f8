"""Ledger: the list of identities I, the zero-privacy assertions Z, and the pointers that tie them together.

T' is the sequence of canonical forms (identity, zero-privacy version) of a text; I is T' without the
assertions, Z is T' without the identities. The pointers hold what is nobody's: which atoms form one
compound, which "someone" is which variable, and the text itself with slots where names stood. I and the
pointers restore the text; Z and the pointers name no person.

Reference   Al-Fedaghi (paper 004), section 6, steps 1 to 5, and the meta-assertion of section 3
Guarantee   combine(*factor(T')) == T'; restore(surfaces, pointers) is the text, byte for byte
Cost        linear in the text and its atoms
Randomness  none
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from heteronym.knowledge.wordlists import words
from heteronym.model.assertion import Analysis, Atom, Ledger
from heteronym.model.mention import Span

Nested = Any  # a value, or a list of such, as deep as compounds go
_LETTERS = "XYZ"
_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"[^\W\d_]+|\d+|\s+|.", re.S)


def ledger_of(
    analysis: Analysis,
    variables: Mapping[int, str],
    *,
    masked: Sequence[Span] = (),
    elsewhere: Collection[str] = (),
) -> Ledger:
    """`masked` are further mentions that identify somebody (mail addresses): slots without a person.
    `elsewhere` are words of names in other documents, which name somebody here as well."""
    others = {analysis.text[span.start : span.end]: f"[{span.type}]" for span in masked}
    hide = scrubber(analysis, dict.fromkeys(elsewhere, "someone") | others)
    canonical = canonical_forms(analysis, hide)
    identities, zero = factor(canonical)
    slots = slots_of(analysis, masked, elsewhere)
    template: list[str | int] = []
    surfaces: list[str] = []
    owners: list[str] = []
    at = 0
    for start, end, person in slots:
        template += (analysis.text[at:start], len(surfaces))
        surfaces.append(analysis.text[start:end])
        owners.append("" if person is None else variables.get(person, ""))
        at = end
    template.append(analysis.text[at:])
    pointers = {
        "template": template,
        "slots": owners,
        "assertions": [_pointer(parts, variables) for parts in _private(analysis)],
    }
    return Ledger(identities, zero, dict(variables), surfaces, pointers)


def _private(analysis: Analysis) -> Iterator[tuple[tuple[Atom, ...], ...]]:
    return (assertion.atoms for assertion in analysis.assertions if assertion.atoms)


def _pointer(parts: tuple[tuple[Atom, ...], ...], variables: Mapping[int, str]) -> list[Any]:
    return [
        [
            {"proprietor": variables[atom.person], "someone": [variables[p] for p in atom.someone]}
            for atom in part
        ]
        for part in parts
    ]


def canonical_forms(analysis: Analysis, hide: Callable[[str], str] = str) -> list[Nested]:
    """T': a pair per atomic assertion, a list of them per compound; zero assertions are not in it."""
    labels = [person.label for person in analysis.individuals]

    def pair(atom: Atom) -> tuple[str, str]:
        return (labels[atom.person], hide(atom.zero))

    forms: list[Nested] = []
    for parts in _private(analysis):
        nested = [_unwrapped([pair(atom) for atom in part]) for part in parts]
        forms.append(_unwrapped(nested))
    return forms


def _unwrapped(items: list[Nested]) -> Nested:
    return items[0] if len(items) == 1 else items


def factor(forms: Nested) -> tuple[Nested, Nested]:
    """I and Z of T', nested alike."""
    if isinstance(forms, tuple):
        return forms
    both = [factor(form) for form in forms]
    return [identity for identity, _ in both], [zero for _, zero in both]


def combine(identities: Nested, zero: Nested) -> Nested:
    """T' of I and Z."""
    if isinstance(identities, list):
        return [combine(i, z) for i, z in zip(identities, zero, strict=True)]
    return (identities, zero)


def written(forms: Nested) -> str:
    """As the paper writes it: [(Mary, Proprietor is in London), [...]]."""
    if isinstance(forms, tuple):
        return f"({', '.join(forms)})"
    if isinstance(forms, list):
        return f"[{', '.join(map(written, forms))}]"
    return str(forms)


def restore(surfaces: Sequence[str], pointers: Mapping[str, Any]) -> str:
    """The text itself, from the owner's files."""
    return "".join(surfaces[part] if isinstance(part, int) else part for part in pointers["template"])


def slots_of(
    analysis: Analysis, masked: Sequence[Span] = (), elsewhere: Collection[str] = ()
) -> list[tuple[int, int, int | None]]:
    """(start, end, person) of every name, also where nobody is meant by it, and of what is masked besides."""
    found: list[tuple[int, int, int | None]] = []
    for referring in analysis.referring:
        if referring.form == "name":
            found.append((referring.start, referring.end, next(iter(referring.persons), None)))
    found += [(span.start, span.end, None) for span in masked]
    found.sort(key=lambda slot: slot[:2])
    starts = [start for start, *_ in found]
    owners = dict.fromkeys(elsewhere) | name_words(analysis)
    for match in _WORD.finditer(analysis.text):
        name = match.group()
        if name not in owners:
            continue
        before = bisect_right(starts, match.start()) - 1
        if before < 0 or found[before][1] <= match.start():
            found.append((match.start(), match.start() + len(name), owners[name]))
    found.sort(key=lambda slot: (slot[0], -slot[1]))
    kept: list[tuple[int, int, int | None]] = []
    for start, end, person in found:
        start = max(start, kept[-1][1] if kept else 0)  # what reaches out of another slot is one of its own
        if start < end:
            kept.append((start, end, person))
    return kept


def name_words(analysis: Analysis) -> dict[str, int | None]:
    """The single words of all names, with the person if only one bears it."""
    found: dict[str, int | None] = {}
    for person in analysis.individuals:
        for name in person.names:
            for word in _WORD.findall(name):
                if len(word) > 1 and _is_spelt_as_name(word, name) and word.lower() not in _TITLE_WORDS:
                    found[word] = person.number if found.get(word, person.number) == person.number else None
    return found


def _is_spelt_as_name(word: str, name: str) -> bool:
    """With a capital; in a name that has none, any word that is not an ordinary one."""
    return word.lower() != word or (name.lower() == name and word not in words("common_words"))


_TITLE_WORDS = frozenset("mr mrs ms miss dr prof sir lord lady rev hon madam dame mister".split())


def scrubber(analysis: Analysis, others: Mapping[str, str] | None = None) -> Callable[[str], str]:
    """Takes out names that stand in an assertion without referring to anybody: "St. Mary's Hospital".

    `others` are further identifiers with what is put for them: an address becomes [MAIL].
    """
    instead = dict.fromkeys(name_words(analysis), "someone")
    for r in analysis.referring:
        if r.form == "name" and not r.persons:
            instead[analysis.text[r.start : r.end]] = "some people"
    instead = dict(others or {}) | instead
    # By first token and length, so that thousands of addresses cost no more than one.
    lengths: dict[str, set[int]] = {}
    for phrase in instead:
        if head := _TOKEN.match(phrase):
            lengths.setdefault(head.group(), set()).add(len(phrase))
    longest_first = {head: sorted(some, reverse=True) for head, some in lengths.items()}

    def hide(zero: str) -> str:
        ends = {match.end(): match.start() for match in _TOKEN.finditer(zero)}
        parts, until = [], 0
        for end, start in ends.items():
            if start < until:
                continue
            phrase = token = zero[start:end]
            for length in longest_first.get(token, ()):
                if zero[start : start + length] in instead and start + length in ends:
                    phrase = zero[start : start + length]
                    break
            parts.append(instead.get(phrase, phrase))
            until = start + len(phrase)
        return "".join(parts)

    return hide


def variable_names(taken: Collection[str]) -> Iterator[str]:
    """X, Y, Z, X1, Y1, ...; never one that the texts use themselves."""
    number = 0
    while True:
        for letter in _LETTERS:
            name = f"{letter}{number or ''}"
            if name not in taken:
                yield name
        number += 1
