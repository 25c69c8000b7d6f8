"""Which mentions are one entity: full and partial names, initials, possessives, misspelt repeats.

"John Smith", "Mr Smith", "J. Smith", "Smith's" and "Jon Smith" are one person and get one term: the
fullest name. A part that two people share ("Smith" of John and of Mary Smith) joins the one named last before
it. Other types join by normalized text, acronyms ("World Health Organization (WHO)") and misspellings.

Cost        O(mentions) dictionary work; misspellings compare only mentions of one type in one set of texts
Randomness  none
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import DamerauLevenshtein

from heteronym.knowledge.name_parts import name_parts
from heteronym.knowledge.places import told_kind
from heteronym.knowledge.wordlists import words
from heteronym.model.mention import Span
from heteronym.model.terms import Term, normalize
from heteronym.text.lexicon import lexicon
from heteronym.text.stretches import Covers

_PARTICLES = lexicon("common").words("NAME_PARTICLES") | {"af", "av"}
_SHORTEST_MISSPELT = 5


def follow_names(texts: Sequence[str], found: Sequence[Sequence[Span]]) -> list[list[Span]]:
    """The spans of one person's texts, and every further occurrence of a part of a full name in them."""
    parts: dict[str, float] = {}
    for text, spans in zip(texts, found):
        for span in spans:
            if span.type == "PERSON":
                for name in _telling_parts(text[span.start : span.end]):
                    parts[name] = max(parts.get(name, 0.0), span.score)
    return [_with_parts(text, list(spans), parts) for text, spans in zip(texts, found)]


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


def _with_parts(text: str, spans: list[Span], parts: dict[str, float]) -> list[Span]:
    # Each part is looked for by itself: to make one pattern of them takes longer than all of this.
    places = sorted((start, -len(part), part) for part in parts for start in _places(text, part))
    taken, fresh, reach = Covers(spans if places else ()), [], 0
    for start, length, part in places:
        if start < reach:
            continue
        reach = start - length
        if not taken.touch((start, reach)):
            fresh.append(Span(start, reach, "PERSON", parts[part] * 0.9, "names", "part of a name"))
    return sorted([*spans, *fresh]) if fresh else spans


def _places(text: str, part: str) -> Iterator[int]:
    """Where a part of a name stands as a whole word, hyphens included."""
    start = text.find(part)
    while start >= 0:
        around = text[start - 1 : start] + text[start + len(part) : start + len(part) + 1]
        if not any(one.isalnum() or one in "_-" for one in around):
            yield start
        start = text.find(part, start + 1)


@dataclass(frozen=True)
class Entity:
    """Mentions that mean the same: (text number, span number) pairs, and the term that stands for them."""

    term: Term
    mentions: tuple[tuple[int, int], ...]

    def __repr__(self) -> str:
        return f"Entity({self.term.type}, {len(self.mentions)} mentions)"


def entities(
    texts: Sequence[str],
    found: Sequence[Sequence[Span]],
    *,
    contexts: Sequence[Sequence[str]] | None = None,
) -> list[Entity]:
    """The entities of one person's (or document's) texts.

    With `contexts` (one per mention, see `text.contexts`) mentions of one term are one entity only if
    their contexts agree: "I live in Berlin" and "I love Berlin" are two.
    """
    groups: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    people: list[tuple[int, int, list[str]]] = []
    for t, (text, spans) in enumerate(zip(texts, found)):
        for s, span in enumerate(spans):
            surface = text[span.start : span.end]
            if span.type == "PERSON":
                people.append((t, s, name_parts(surface)))
            else:
                groups[span.type, normalize(_bare(surface))].append((t, s))
    for term, members in _join_names(people).items():
        groups["PERSON", term].extend(members)
    result = []
    for (kind, term), members in _join_misspelt(groups).items():
        by_context: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for t, s in members:
            by_context["" if contexts is None else contexts[t][s]].append((t, s))
        for context, some in by_context.items():
            result.append(Entity(Term(kind, term, context=context), tuple(sorted(some))))
    return sorted(result, key=lambda e: e.mentions[0])


def terms_of(
    texts: Sequence[str],
    found: Sequence[Sequence[Span]],
    *,
    contexts: Sequence[Sequence[str]] | None = None,
) -> list[list[Term]]:
    """The term of every mention of one person's texts: the same for all mentions of an entity.

    A place whose name several kinds bear carries its kind where the text tells a smaller one: "Georgia"
    of "Atlanta, Georgia" has another sense than the country. With `contexts` they are part of the terms.
    """
    result = [[Term("", "")] * len(spans) for spans in found]
    for entity in entities(texts, found, contexts=contexts):
        for t, s in entity.mentions:
            term = entity.term
            if term.type == "GPE":
                span = found[t][s]
                term = term._replace(sense=told_kind(texts[t], span.start, span.end) or "")
            result[t][s] = term
    return result


def _bare(surface: str) -> str:
    for ending in ("'s", "’s"):
        surface = surface.removesuffix(ending)
    return surface.removeprefix("the ").removeprefix("The ")


def _join_names(people: Sequence[tuple[int, int, list[str]]]) -> dict[str, list[tuple[int, int]]]:
    """Full names first; partial names and initials join the last full name before them that fits."""
    full: dict[str, list[str]] = {}
    for _, _, parts in people:
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
            k for k in with_word[full[key][-1]] if len(full[k]) > len(full[key]) and _fits(full[key], full[k])
        ]
        if wider:
            stands_for[key] = max(wider, key=lambda k: len(full[k]))
    result: dict[str, list[tuple[int, int]]] = defaultdict(list)
    last_seen: dict[str, int] = {}
    known: dict[str, str] = {}  # misspelt part -> full name
    for number, (t, s, parts) in enumerate(people):
        lowered = [part.lower() for part in parts]
        whole = normalize(" ".join(parts))
        if whole in full:
            whole = stands_for[whole]
        elif lowered:
            rarest = max(lowered, key=len)
            fitting = [stands_for[k] for k in with_word.get(rarest, ()) if _fits(lowered, full[k])]
            if fitting:
                whole = max(fitting, key=lambda k: last_seen.get(k, -1))
            else:
                if whole not in known:
                    near = [k for k in with_last.get(lowered[-1][0], ()) if _nearly_fits(lowered, full[k])]
                    known[whole] = stands_for[near[0]] if near else whole
                whole = known[whole]
        last_seen[whole] = number
        result[whole].append((t, s))
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


def _join_misspelt(
    groups: dict[tuple[str, str], list[tuple[int, int]]],
) -> dict[tuple[str, str], list[tuple[int, int]]]:
    """A rare term one slip away from a commoner one of its type joins it; numbers never do."""
    by_type: dict[str, Counter[str]] = defaultdict(Counter)
    for (kind, term), members in groups.items():
        if len(term) >= _SHORTEST_MISSPELT and not any(map(str.isdigit, term)) and kind in _SPELLABLE:
            by_type[kind][term] = len(members)
    moved: dict[tuple[str, str], tuple[str, str]] = {}
    for kind, counts in by_type.items():
        buckets: dict[tuple[int, str], list[str]] = defaultdict(list)
        for term, _ in counts.most_common():
            slip = 1 if len(term) < 9 else 2
            near = [
                other
                for length in range(len(term) - slip, len(term) + slip + 1)
                for other in buckets[length, term[0]]
                if DamerauLevenshtein.distance(term, other, score_cutoff=slip) <= slip
            ]
            if near and counts[near[0]] > counts[term]:
                moved[kind, term] = (kind, near[0])
            else:
                buckets[len(term), term[0]].append(term)
    if not moved:
        return groups
    result: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for key, members in groups.items():
        result[moved.get(key, key)].extend(members)
    return result


_SPELLABLE = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "PRODUCT", "EVENT", "WORK_OF_ART", "JOB"})
