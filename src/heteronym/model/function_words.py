"""English words so common that only their exact spelling can be somebody's term.

"IT", "US" and "Will" may be an organization, a country and a person, but "it", "us" and "will" are
not. Wherever occurrences of a term are searched, a term made only of these words is compared
with its capitals; every other term without.
"""

from __future__ import annotations

FUNCTION_WORDS: frozenset[str] = frozenset(
    """
    a about above after again against ago all almost also although always am among an and another any
    anyone anything are around art as ask at away back be because been before being below best better
    between big bill both but by call came can chance chase come could did do does doing don done down
    drew during each either else even ever every few first for forever frank from gene get go going good
    got grace grant had has have having he her here hers herself him himself his hope how however i if in
    into is it its itself jack joy just know last least less let like ll long look lord love made make
    many mark may me might mine more most much must my myself need never new next no nobody none nor not
    nothing now of off often old on once one only or other our ours ourselves out over own pat please
    quite rather re really rich rob rose said same saw say see she should since so some someone something
    still such sue take than that the their theirs them themselves then there these they thing think this
    those though through thus time to today together too under until up upon us use used ve very want was
    way we well went were what when where which while who whole whom whose why will with within without
    won would yes yet you young your yours yourself yourselves
    """.split()
)
