"""Once a term of a person is found, every further occurrence in that person's texts is a mention too.

Occurrences are whole words with case, plural, possessive and spacing variants, over all rows and
all text attributes of the person; a single document is a person of its own.

Cost        O(tokens of the person's texts + words of its terms), never terms x texts
Randomness  none
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from heteronym.model.mention import Span
from heteronym.text.phrases import Phrases

SOURCE = "propagated"


def propagate(
    texts: Sequence[str], found: Sequence[Sequence[Span]], *, is_direct: Callable[[str], bool]
) -> list[list[Span]]:
    """All mentions of one person: `found` per text, and what it implies for the others."""
    kinds: dict[str, Counter[str]] = {}
    scores: dict[tuple[str, str], float] = {}
    for text, spans in zip(texts, found):
        for span in spans:
            surface = text[span.start : span.end]
            kinds.setdefault(surface, Counter())[span.type] += 1
            key = (surface, span.type)
            scores[key] = max(scores.get(key, 0.0), span.score)
    if not kinds:
        return [list(spans) for spans in found]
    matcher: Phrases[tuple[str, float]] = Phrases()
    # The first spelling of a phrase decides its type; frequent spellings come first.
    for surface, counts in sorted(kinds.items(), key=lambda item: (-item[1].total(), item[0])):
        kind = min(counts, key=lambda name: (not is_direct(name), -counts[name], name))
        # "Gates" the person is not the plural of a gate, "engineers" is one of engineer.
        matcher.add(surface, (kind, scores[surface, kind]), plural=True, singular=surface.islower())
    return [_with_occurrences(text, spans, matcher) for text, spans in zip(texts, found)]


def _with_occurrences(text: str, spans: Sequence[Span], matcher: Phrases[tuple[str, float]]) -> list[Span]:
    if not text:
        return list(spans)
    known = {(span.start, span.end) for span in spans}
    fresh = [
        Span(start, end, kind, score, SOURCE)
        for start, end, (kind, score) in matcher.find(text)
        if (start, end) not in known
    ]
    return merged(spans, fresh) if fresh else list(spans)


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
