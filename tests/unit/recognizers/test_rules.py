"""Tables of what the rule recognizers find and what they leave alone. A case is a text with the
expected mention in [brackets]; a text without brackets must give nothing of the type."""

from __future__ import annotations

import re

import pytest

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.settle import settle

FOUND = {
    ("dates", "DATE"): """
        He was born on [14 May 2004] there.
        On [May 14, 2004] it rained.
        the deadline is [14th of May, 2004].
        Signed [2004-05-14] by all.
        Signed [14/05/2004] by all.
        Signed [05/14/04] by all.
        It expires [06/2026] at last.
        It was due on [14.05.2004].
        She left in [2004].
        It happened in [May 2004].
        We met in [the summer of 2004].
        He died in [early 1998].
        The [late 1990s] were fun.
        He came [four days ago].
        [Four days ago] he came.
        I saw her [last Tuesday].
        See you [next week].
        They met [yesterday].
        [Between 24 November 1998 and 7 September 1999] he was away.
        The hearings of [30 May, 10 July and 17 October 1997] were short.
        He served [three years and nine months] there.
        He got a [two-year] contract.
        It is open on [Mondays] only.
        We meet at [Christmas] each time.
        He moved in [March] to us.
        Built in the [19th century] by monks.
        from [1998-99] on
    """,
    ("times", "TIME"): """
        at [10:30] sharp
        at [10.30 a.m.] sharp
        at [5pm] sharp
        at [five o'clock] sharp
        it took [two hours] to get there
        we slept until [noon] again
    """,
    ("ages", "AGE"): """
        He is [36 years old] now.
        a [36-year-old] man
        Jon Wu, [29], single, of Denver
        aged [36] at the time
        at the age of [sixty-three] he retired
        she was [eighteen years of age] then
        a man in his [late thirties] came
        I am [23] and happy
        my dad turned [50] today
        John Smith, [42], who lives here
        she is 3 months pregnant and [28 yo]
    """,
    ("money", "MONEY"): """
        it cost [$5 million] then
        it cost [EUR 1,300] then
        it cost [£10] then
        it cost [1,898,208,000 Turkish liras (TRL)] then
        it cost [five dollars] then
        he got [PLN 192.5 [approx. EUR 48]] back
        about the price: [314.44 EUR] each
    """,
    ("quantities", "PERCENT"): """
        a rise of [30%] a year
        a rise of [30 per cent] a year
        between the [50 to 79%] of them
    """,
    ("quantities", "QUANTITY"): """
        it is [50 metres] long
        I weigh [82 kg] today
        there were [571 landowners] there
        held [seventy-one hearings] in all
    """,
    ("peoples", "NORP"): """
        a [Turkish] national came
        two [Poles] came
        a [Kurdish] family
        she is a [Democrat] and proud
    """,
    ("peoples", "RELIGION"): """
        a [Muslim] family
        she became a [Buddhist] in time
    """,
    ("peoples", "LANGUAGE"): """
        she speaks [Spanish] well
        translated into [Polish] by him
        a [German]-speaking town
        he learned [Swahili] there
    """,
    ("peoples", "ORIGIN"): """
        a woman of [Turkish origin] came
    """,
    ("demographics", "FAMILY"): """
        I called my [sister] at home
        his [late father] was kind
        she is a [single mother] here
        the applicant's [wife] left
    """,
    ("demographics", "MARITAL"): """
        he is [divorced] now
        she was [widowed] early
    """,
    ("demographics", "HEALTH"): """
        she suffers from [diabetes] badly
        signs of [severe arthritis] were seen
        he contracted [hepatitis] there
        a [paranoid schizophrenia] was found
    """,
    ("demographics", "EDUCATION"): """
        he holds a [master's degree] here
        she has a [PhD] too
    """,
    ("jobs", "JOB"): """
        I am an [engineer] at home
        she works as a [primary school teacher] there
        he was employed as an [accountant] there
        a [carpenter] by trade
        He earned little as a [bricklayer].
        she works for Acme as [nurse] now
        Maria Lopez, a [retired nurse], came
        his occupation is baker; he became a [taxi driver] later
    """,
    ("codes", "CODE"): """
        an application (no. [4027/05]) was lodged
        case no. [II K 123/98] was heard
        passport number [X1234567] was lost
        MRN: [00482913] is hers
        policy number [77-1234-9] applies
        file no. [AB-4432-19] is closed
    """,
    ("laws", "LAW"): """
        under [Article 34 of the Convention] it is so
        under [Law no. 3953] it is so
        under [Section 230 of the Communications Decency Act] it is so
        see [Rule 59 § 3] for that
        the [Code of Criminal Procedure] says so
    """,
    ("institutions", "ORG"): """
        the [Kartal First Instance Court] ruled
        the [Istanbul State Security Court]'s judgment
        the company [Robert Bosch GmbH] sold it
        the [University of Vienna] said so
        she works for the [Federal Aviation Administration] now
        before the [Białystok Regional Court (Sąd Okręgowy)] again
        Mr J. Smith of the [Salzburg District Agricultural Authority] came
    """,
    ("institutions", "FAC"): """
        at the [Lubiąż Psychiatric Hospital] he stayed
        in [Wronki Prison] he stayed
    """,
    ("institutions", "INSTITUTION"): """
        the [Supreme Court] ruled
        the [Turkish Government] replied
        the [Court of Cassation] ruled
        the [Ministry of Foreign Affairs] replied
    """,
    ("places", "GPE"): """
        she moved from [Ankara] then
        he lives in [Reading] now
        he is from [Great Britain] too
        in [Boston, MA] it snows
        in the [District of Famagusta] there
    """,
    ("places", "LOC"): """
        along the [Amazon River] we went
        the [Gulf of Mexico] is warm
        we climbed [Mt. Everest] once
        all of [Scandinavia] is cold
    """,
    ("places", "FAC"): """
        she waited in [Main Street] for long
        he landed at [Heathrow Airport] late
    """,
    ("names", "PERSON"): """
        he met [Mr Karsten Trippel] there
        he met [Dr. Robert Chen] there
        he met [C. Lenz] there
        he met [Mary O'Neill] there
        he met [Thomas R. Sylvester] there
        he met [Mr J. Wołąsiewicz] there
        the applicant, [K.H.W.], came
        President [Obama] came
        my friend [Will] came
        kind regards from all of us, yours truly [Olga]
        she met [Mehmet Ali Ege] there
    """,
    ("addresses", "ADDRESS"): """
        at [221B Baker Street, London NW1 6XE] he lived
        at [14 Elm Ave., Springfield, IL 62704] he lived
        at [Hauptstraße 12] he lived
        write to [P.O. Box 123] please
        my address is [329 Arenales], please note
    """,
    ("addresses", "POSTCODE"): """
        in Boston, MA [02115] it snows
    """,
    ("usernames", "USERNAME"): """
        follow me [@janedoe_92] now
        my skype: [jane.doe92] is new
    """,
}  # fmt: skip

NOTHING = {
    ("dates", "DATE"): """
        He may march on.
        Room 2004 is upstairs, call no. 1998 there.
        It weighs 2000 kg in all.
        twice a day, at most
        a version 1.2.3 of it
    """,
    ("times", "TIME"): """
        the ratio is 3 to 1
        I am here
    """,
    ("ages", "AGE"): """
        he turned 360 degrees
        page 36 of the book
        36 dollars
    """,
    ("money", "MONEY"): """
        he won a mark of honour
        20 people
    """,
    ("quantities", "QUANTITY"): """
        three days
        2004 was a year
        twenty years
    """,
    ("peoples", "NORP"): """
        the Turkish authorities replied
        under Polish law it is so
        the french fries were cold
    """,
    ("peoples", "LANGUAGE"): """
        an English teacup
        the Greek army
    """,
    ("demographics", "MARITAL"): """
        a single day
        the divorced women's act
    """,
    ("demographics", "HEALTH"): """
        the basis of a diagnosis
        a utopia
    """,
    ("jobs", "JOB"): """
        ask a lawyer about it
        the judge decided
    """,
    ("codes", "CODE"): """
        Law no. 3953 applies
        Protocol No. 11 applies
        12 March 2001
    """,
    ("institutions", "ORG"): """
        the Supreme Court ruled
        the Government replied
        the Ministry of Defence replied
        President Obama came
        under the Rules of Court
    """,
    ("places", "GPE"): """
        a turkey sandwich
        I am reading a book
        Mr London came in
    """,
    ("names", "PERSON"): """
        I. THE CIRCUMSTANCES OF THE CASE
        A. Criminal proceedings
        the U.S. dollar
        in Florence it rains
    """,
    ("addresses", "ADDRESS"): """
        the 12 apostles
        In 1998 Wall Street fell
    """,
    ("usernames", "USERNAME"): """
        jane@example.com
        meet me @ 5
    """,
}


def cases(table: dict[tuple[str, str], str]) -> list[tuple[str, str, str]]:
    return [
        (part, kind, line.strip())
        for (part, kind), block in table.items()
        for line in block.strip().splitlines()
        if line.strip()
    ]


def found(part: str, text: str) -> list[Span]:
    """What the part settles on by itself: longest first."""
    spans = recognizers.build(part).recognize([text])[0]
    return settle(text, [(0, span) for span in spans])


@pytest.mark.parametrize(("part", "type", "case"), cases(FOUND))
def test_what_stands_in_brackets_is_found(part: str, type: str, case: str) -> None:
    start = case.index("[")
    end = case.rindex("]")
    text = case[:start] + case[start + 1 : end] + case[end + 1 :]
    mine = [(s.start, s.end) for s in found(part, text) if s.type == type]
    assert (start, end - 1) in mine, [text[a:b] for a, b in mine]


@pytest.mark.parametrize(("part", "type", "case"), cases(NOTHING))
def test_what_is_no_mention_is_left_alone(part: str, type: str, case: str) -> None:
    assert [case[s.start : s.end] for s in found(part, case) if s.type == type] == []


def test_every_rule_recognizer_has_a_table() -> None:
    from heteronym.text.combine import default_parts

    assert {part for part, _ in FOUND} == set(default_parts()) - {"structured"}


@pytest.mark.parametrize("part", sorted({part for part, _ in FOUND}))
def test_offsets_are_exact_whatever_the_text_is_made_of(part: str) -> None:
    lines = [re.sub(r"[\[\]]", "", case) for p, _, case in cases(FOUND) if p == part]
    plain = recognizers.build(part).recognize(lines)
    odd = [f"😀\u200f‏مرحبا <b>\x00{line}</b>\u2028 🏳️‍🌈" for line in lines]
    shift = odd[0].index(lines[0])
    for text, spans, line, expected in zip(odd, recognizers.build(part).recognize(odd), lines, plain):
        assert all(0 <= s.start < s.end <= len(text) for s in spans)
        inside = {(s.start - shift, s.end - shift, s.type) for s in spans}
        wanted = {(s.start, s.end, s.type) for s in expected if s.end < len(line) and s.start > 0}
        assert wanted <= inside
