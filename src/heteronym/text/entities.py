"""Which mentions are one entity: full and partial names, initials, possessives, misspelt repeats.

"John Smith", "Mr Smith", "J. Smith", "Smith's" and "Jon Smith" are one person and get one term: the
fullest name. A part that two people share ("Smith" of John and of Mary Smith) joins the one named last before
it. Other types join by normalized text, acronyms ("World Health Organization (WHO)") and misspellings.

Cost        O(length of the texts + mentions): a name is compared with at most `_MOST_COMPARED` others that
            share a word with it, or the length and the first letter
Randomness  none
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rapidfuzz.distance import DamerauLevenshtein

from heteronym.knowledge.name_parts import name_parts
from heteronym.knowledge.places import kind_by_context
from heteronym.knowledge.wordlists import words
from heteronym.model.mention import Span
from heteronym.model.terms import Term, normalize
from heteronym.text.lexicon import lexicon
from heteronym.text.measurements import beside_measurements
from heteronym.text.stretches import Covers

_PARTICLES = lexicon("common").words("NAME_PARTICLES") | {"af", "av"}
_SHORTEST_MISSPELT = 5
_MOST_COMPARED = 200  # names beside which one is held; more than any person's texts have in earnest
_RUN = re.compile(r"[\w-]+")


def follow_names(texts: Sequence[str], found: Sequence[Sequence[Span]]) -> list[list[Span]]:
    """The spans of one person's texts, and every further occurrence of a part of a full name in them."""
    parts: dict[str, float] = {}
    for text, spans in zip(texts, found):
        for span in spans:
            if span.type == "PERSON":
                for name in _telling_parts(text[span.start : span.end]):
                    parts[name] = max(parts.get(name, 0.0), span.score)
    by_first = by_first_run(parts)
    return [_with_parts(text, list(spans), parts, by_first) for text, spans in zip(texts, found)]


def _telling_parts(surface: str) -> list[str]:
    """The parts of a full name, or the name behind a title, that are no common words."""
    names = name_parts(surface)
    if len(names) < 2 and not (names and surface != names[0]):
        return []
    common = words("common_words")
    return [
        name
        for name in names
        if len(name) > 2
        and name[0].isupper()
        and name.lower() not in _PARTICLES
        and name.lower() not in common
    ]


def _with_parts(
    text: str, spans: list[Span], parts: Mapping[str, float], by_first: Mapping[str, Sequence[str]]
) -> list[Span]:
    places = sorted((start, -len(part), part) for part, start in places_of_parts(text, by_first))
    taken, fresh, reach = Covers(spans if places else ()), [], 0
    for start, length, part in places:
        if start < reach:
            continue
        reach = start - length
        if not taken.touch((start, reach)):
            fresh.append(Span(start, reach, "PERSON", parts[part] * 0.9, "names", "part of a name"))
    fresh = beside_measurements(text, fresh)
    return sorted([*spans, *fresh]) if fresh else spans


def by_first_run(parts: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Parts of names by the run of letters, digits and hyphens that they begin with."""
    found: dict[str, list[str]] = defaultdict(list)
    for part in parts:
        first = _RUN.match(part)
        if first is not None:
            found[first[0]].append(part)
    return found


def places_of_parts(text: str, by_first: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, int]]:
    """Where parts of names stand as whole words, hyphens included; the text is read once."""
    for run in _RUN.finditer(text) if by_first else ():
        for part in by_first.get(run[0], ()):
            end = run.start() + len(part)
            if text.startswith(part, run.start()) and not _RUN.match(text, end, end + 1):
                yield part, run.start()


def terms_of(
    texts: Sequence[str],
    found: Sequence[Sequence[Span]],
    *,
    contexts: Sequence[Sequence[str]] | None = None,
) -> list[list[Term]]:
    """The term of every mention of one person's (or document's) texts: the same for all of an entity.

    A place whose name several kinds bear carries its kind where the text tells a smaller one: "Georgia"
    of "Atlanta, Georgia" has another sense than the country. `contexts` (one per mention, see
    `text.contexts`) are part of the terms: "I live in Berlin" and "I love Berlin" are two.
    """
    typed = [(span.type, text[span.start : span.end]) for text, spans in zip(texts, found) for span in spans]
    people = iter(_whole_names([name_parts(surface) for kind, surface in typed if kind == "PERSON"]))
    terms = [
        Term(kind, next(people) if kind == "PERSON" else normalize(_bare(surface))) for kind, surface in typed
    ]
    instead = _misspelt(terms)
    rest = (instead.get(term, term) for term in terms)
    result: list[list[Term]] = []
    for number, (text, spans) in enumerate(zip(texts, found)):
        mine = [next(rest) for _ in spans]
        for place, span in enumerate(spans):
            if span.type == "GPE":
                kind = kind_by_context(text, span.start, span.end)
                mine[place] = mine[place]._replace(sense=kind or "")
            if contexts is not None:
                mine[place] = mine[place]._replace(context=contexts[number][place])
        result.append(mine)
    return result


def _bare(surface: str) -> str:
    for ending in ("'s", "’s"):
        surface = surface.removesuffix(ending)
    return surface.removeprefix("the ").removeprefix("The ")


def _whole_names(people: Sequence[list[str]]) -> list[str]:
    """Full names stand for themselves, partial ones and initials for the last before them that fits."""
    full: dict[str, list[str]] = {}
    for parts in people:
        if sum(len(part) > 1 for part in parts) > 1:
            full.setdefault(normalize(" ".join(parts)), [part.lower() for part in parts])
    # By word, so that a person with thousands of names costs no more than their number.
    with_word: dict[str, list[str]] = defaultdict(list)
    with_last: dict[str, list[str]] = defaultdict(list)
    for key, names in full.items():
        for word in dict.fromkeys(names):
            with_word[word].append(key)
        with_last[names[-1][0]].append(key)
    # "Anna Maria Smith" takes in "Anna Smith"
    stands_for = {key: key for key in full}
    for key in sorted(full, key=lambda key: len(full[key])):
        wider = [
            k
            for k in with_word[full[key][-1]][:_MOST_COMPARED]
            if len(full[k]) > len(full[key]) and _fits(full[key], full[k])
        ]
        if wider:
            stands_for[key] = max(wider, key=lambda k: len(full[k]))
    result: list[str] = []
    last_seen: dict[str, int] = {}
    known: dict[str, str] = {}  # misspelt part -> full name
    for number, parts in enumerate(people):
        lowered = [part.lower() for part in parts]
        whole = normalize(" ".join(parts))
        if whole in full:
            whole = stands_for[whole]
        elif lowered:
            rarest = max(lowered, key=len)
            close = with_word.get(rarest, [])[:_MOST_COMPARED]
            fitting = [stands_for[k] for k in close if _fits(lowered, full[k])]
            if fitting:
                whole = max(fitting, key=lambda k: last_seen.get(k, -1))
            else:
                if whole not in known:
                    alike = with_last.get(lowered[-1][0], [])[:_MOST_COMPARED]
                    near = [k for k in alike if _nearly_fits(lowered, full[k])]
                    known[whole] = stands_for[near[0]] if near else whole
                whole = known[whole]
        last_seen[whole] = number
        result.append(whole)
    return result


def _fits(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Each word of the part is a word of the whole, or an initial of one, in order."""
    rest = iter(whole)
    in_order = all(
        any(word == other or (len(word) == 1 and other.startswith(word)) for other in rest) for word in part
    )
    return in_order and any(len(word) > 1 for word in part)


def _nearly_fits(part: Sequence[str], whole: Sequence[str]) -> bool:
    word, other = part[-1], whole[-1]
    return len(word) >= _SHORTEST_MISSPELT and DamerauLevenshtein.distance(word, other, score_cutoff=1) <= 1


def _misspelt(terms: Iterable[Term]) -> dict[Term, Term]:
    """Rare terms one slip away from a commoner one of their type, and that one; numbers never are."""
    by_type: dict[str, Counter[Term]] = defaultdict(Counter)
    for term in terms:
        if len(term.text) >= _SHORTEST_MISSPELT and term.type in _SPELLABLE:
            by_type[term.type][term] += 1
    instead: dict[Term, Term] = {}
    for counts in by_type.values():
        buckets: dict[tuple[int, str], list[Term]] = defaultdict(list)
        for term, count in counts.most_common():
            text = term.text
            if any(map(str.isdigit, text)):
                continue
            slip = 1 if len(text) < 9 else 2
            near = [
                other
                for length in range(len(text) - slip, len(text) + slip + 1)
                for other in buckets[length, text[0]]
                if DamerauLevenshtein.distance(text, other.text, score_cutoff=slip) <= slip
            ]
            if near and counts[near[0]] > count:
                instead[term] = near[0]
            elif len(buckets[len(text), text[0]]) < _MOST_COMPARED:  # the commonest come first
                buckets[len(text), text[0]].append(term)
    return instead


_SPELLABLE = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "EVENT", "WORK_OF_ART", "JOB"})
