"""Reads the texts of a table: what was recognized becomes mentions with terms and links, person by person.

This is the one way from recognized spans to mentions. It calls down only: reviewers' decisions, each
person's texts beside the person's cells, names that the table knows of others, and, where a model settles
labels of whole groups, what one text must take over from others.
"""

from __future__ import annotations

from heteronym.io.decisions import Decisions
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.plan import TextPlan
from heteronym.reading.decided import carry_out, hold_to, words_gone
from heteronym.reading.missed_mentions import add_mentions_missed_in_other_texts
from heteronym.reading.names_of_the_table import add_names_of_the_table
from heteronym.reading.read_person import read_persons, reading_for
from heteronym.reading.values_of_others import add_mentions_of_others_values


def read_table(
    dataset: Dataset,
    plan: TextPlan,
    recognized: Mentions,
    *,
    decisions: Decisions | None = None,
    across_persons: bool = False,
) -> Mentions:
    """The mentions of all texts. `across_persons`: a text also takes over what stands in others.

    Then a value that another person has, or a mention that was found in another text only, is a mention
    wherever it is written: a group must treat an element alike, whoever holds it.
    What reviewers said is no mention is not taken over, unless it is somebody's identifier.
    """
    settings = reading_for(dataset, plan)
    gone = words_gone(decisions) if decisions else frozenset()
    if decisions:
        recognized = carry_out(dataset, recognized, decisions)
    mentions = read_persons(dataset, recognized, settings)
    mentions = add_names_of_the_table(dataset, mentions, settings)
    if decisions:
        mentions = hold_to(dataset, mentions, decisions)
    if across_persons:
        mentions = add_mentions_of_others_values(dataset, mentions, settings, gone=gone)
        mentions = add_mentions_missed_in_other_texts(dataset, mentions, gone=gone)
    return mentions
