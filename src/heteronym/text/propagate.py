"""Once a term of a person is found, every further occurrence in that person's texts is a mention too.

Occurrences are whole words with case, plural, possessive and spacing variants, over all rows and
all text attributes of the person; a single document is a person of its own. It may be limited to what
identifies: names, places and numbers, written with a capital, a digit or a symbol where they are found and
where they occur. What came of it has the source `propagated`: the trace shows and counts it.

Cost        O(tokens of the person's texts + words of its terms), never terms x texts
Randomness  none
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from heteronym.knowledge.places import countries
from heteronym.model.mention import Span
from heteronym.text.measurements import beside_measurements
from heteronym.text.phrases import Phrases

SOURCE = "propagated"
_ROUNDS = 8
_PLACES = frozenset({"ORG", "GPE", "LOC", "FAC"})
_GUESS = 0.7  # a place or house that is less sure is one where it was found, and nowhere else

_MODELS = frozenset({"accurate", "fast"})
# A word in so many places of which a model found less than one in so many is no name that it knows.
_LEAST_PLACES, _ONE_IN = 6, 3

_Source = tuple[str, float, str]  # a term's type, score and rule

# A name, a place or a number of somebody means the same wherever it is written. A date, an amount, a job or
# an illness does not: that somebody's mother is a nurse makes no "nurse" of another sentence hers. Those are
# mentions where they are said of somebody, and nowhere else. Types of the owner's own are followed in every
# spelling.
DESCRIBING = frozenset(
    "NORP PRODUCT EVENT WORK_OF_ART LAW LANGUAGE DATE TIME PERCENT MONEY QUANTITY INSTITUTION ORDINAL "
    "CARDINAL AGE JOB RELIGION MARITAL FAMILY EDUCATION HEALTH ORIGIN".split()
)
IDENTIFYING = frozenset(
    "PERSON ORG GPE LOC FAC ADDRESS POSTCODE MAIL URL PHONE IP CARD IBAN CODE USERNAME SECRET".split()
)


def propagate(
    texts: Sequence[str],
    found: Sequence[Sequence[Span]],
    *,
    is_direct: Callable[[str], bool],
    identifying: bool = False,
) -> list[list[Span]]:
    """All mentions of one person: `found` per text, and what it implies for the others.

    With `identifying`, only names, places and numbers imply something: those of which we are sure.
    """
    whole = [list(spans) for spans in found]
    # A plural that was found implies its own variants: again, until nothing new is implied. Rarely
    # more than two rounds; the bound only keeps a strange text from costing many.
    for _ in range(_ROUNDS):
        matcher = _matcher(texts, whole, is_direct, identifying)
        widened = [_with_occurrences(text, spans, matcher, identifying) for text, spans in zip(texts, whole)]
        if widened == whole:
            break
        whole = widened
    return whole


def is_followed(type: str, spelling: str) -> bool:
    """Whether what is spelt so makes mentions of its other occurrences, and is made one by them."""
    if type in DESCRIBING:
        return False
    return type not in IDENTIFYING or any(map(_tells, spelling))


def _tells(character: str) -> bool:
    """A capital, a digit or a symbol: what a common word in a sentence does not have."""
    if character.isalpha():
        return not character.islower()
    return not character.isspace() and character not in "'’ʼ-‐‑"


def _identifies(type: str, spelling: str) -> bool:
    """Names, places and numbers, but no states: millions live in one."""
    return is_followed(type, spelling) and not (type == "GPE" and spelling in countries())


def _matcher(
    texts: Sequence[str], found: Sequence[Sequence[Span]], is_direct: Callable[[str], bool], identifying: bool
) -> Phrases[_Source]:
    kinds: dict[str, dict[str, tuple[int, float, str]]] = {}  # by type: how often, score, first rule
    for text, spans in zip(texts, found):
        for span in spans:
            surface = text[span.start : span.end]
            guessed = span.score < _GUESS and span.type in _PLACES
            if identifying and (guessed or not _identifies(span.type, surface)):
                continue
            types = kinds.setdefault(surface, {})
            count, score, rule = types.get(span.type, (0, 0.0, span.rule))
            types[span.type] = (count + 1, max(score, span.score), rule)
    matcher: Phrases[_Source] = Phrases()
    # The first spelling of a phrase decides its type; frequent spellings come first.
    doubtful = _overlooked_by_models(texts, found, kinds) if identifying else frozenset()
    often = sorted((-sum(count for count, _, _ in types.values()), name) for name, types in kinds.items())
    for _, surface in often:
        if surface in doubtful:
            continue
        types = kinds[surface]
        kind = min(types, key=lambda name: (not is_direct(name), -types[name][0], name))
        # "Gates" the person is not the plural of a gate, "engineers" is one of engineer.
        matcher.add(surface, (kind, *types[kind][1:]), plural=True, singular=surface.islower())
    return matcher


def _overlooked_by_models(
    texts: Sequence[str], found: Sequence[Sequence[Span]], surfaces: Collection[str]
) -> frozenset[str]:
    """Single words that only a model took for a name, and that it read as none in most of their places.

    "Rust" of a book on Rust is a person for the model in one sentence out of five. Somebody's name would be
    found in nearly all of them.
    """
    guessed: Counter[str] = Counter()
    for text, spans in zip(texts, found):
        for span in spans:
            surface = text[span.start : span.end]
            if span.source in _MODELS:
                guessed[surface] += 1
            elif span.source != SOURCE:
                guessed[surface] -= len(text)  # a rule knows it
    doubtful = set()
    for surface, count in guessed.items():
        if surface in surfaces and count > 0 and surface.isalpha():
            places = sum(text.count(surface) for text in texts)
            if places >= _LEAST_PLACES and count * _ONE_IN < places:
                doubtful.add(surface)
    return frozenset(doubtful)


def _with_occurrences(
    text: str, spans: list[Span], matcher: Phrases[_Source], identifying: bool
) -> list[Span]:
    """The same list if nothing new occurs in the text."""
    fresh = [
        Span(start, end, kind, score, SOURCE, rule)
        for start, end, (kind, score, rule) in matcher.find(text, overlapping=True)
        if not identifying or _identifies(kind, text[start:end])
    ]
    widened = merged(spans, beside_measurements(text, fresh))
    return spans if [s[:2] for s in widened] == [s[:2] for s in spans] else widened


def merged(spans: Sequence[Span], fresh: Sequence[Span]) -> list[Span]:
    """Both kinds together; what overlaps becomes one mention that covers all of it.

    A mention that reaches into another occurrence must not leave a piece of it standing.
    """
    whole: list[Span] = []
    for span in sorted([*spans, *fresh], key=lambda s: (s.start, -s.end)):
        if whole and span.start < whole[-1].end:
            last = whole[-1]
            if span.end > last.end:
                longer = max(last, span, key=lambda s: s.end - s.start)
                whole[-1] = longer._replace(start=last.start, end=span.end)
        else:
            whole.append(span)
    return whole
