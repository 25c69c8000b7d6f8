"""Which labels all members of a group show, the most telling first.

An element that is not yet settled takes part in every label of its ladder. A label is given to all of
them that offer it if their holders are the whole group and show it in the same columns.
"""

from __future__ import annotations


def pool(run_ptr, run_size, offer_place, place_ptr, person, columns, settled, taken, seen, shows):
    """Give labels to places; runs of offers with one label in one group come the most telling first.

    run_ptr, run_size   offers of run r are run_ptr[r]:run_ptr[r + 1]; its group has run_size[r] members
    offer_place         the element of a group that each offer is for
    place_ptr, person, columns   who holds it, and in which columns, as bits
    settled             per place, whether it has its label; changed
    taken               per offer, whether it is taken; changed
    seen, shows         scratch per person: the last run, the columns in it
    """
    for r in range(len(run_ptr) - 1):
        holders = 0
        for o in range(run_ptr[r], run_ptr[r + 1]):
            place = offer_place[o]
            if settled[place]:
                continue
            for h in range(place_ptr[place], place_ptr[place + 1]):
                p = person[h]
                if seen[p] != r:
                    seen[p] = r
                    shows[p] = 0
                    holders += 1
                shows[p] |= columns[h]
        if holders < run_size[r]:
            continue
        alike = True
        first = -1
        for o in range(run_ptr[r], run_ptr[r + 1]):
            place = offer_place[o]
            if settled[place]:
                continue
            for h in range(place_ptr[place], place_ptr[place + 1]):
                if first < 0:
                    first = shows[person[h]]
                if shows[person[h]] != first:
                    alike = False
        if not alike:
            continue
        for o in range(run_ptr[r], run_ptr[r + 1]):
            if not settled[offer_place[o]]:
                settled[offer_place[o]] = True
                taken[o] = True
