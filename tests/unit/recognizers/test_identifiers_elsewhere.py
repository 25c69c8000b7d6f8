"""Identifiers as they are written elsewhere: flats and blocks, tickets, logs, chats, letters of old style.

A case is a text with the expected mention in [brackets]; a text without brackets must give nothing of the
type. A stroke | stands for the end of a line.
"""

from __future__ import annotations

import time

import pytest
from tests.unit.recognizers.test_rules import cases, found

from heteronym.registry import recognizers
from heteronym.text.combine import pipeline

FOUND = {
    ("addresses", "ADDRESS"): """
        Harbour Dental|[3 Mill Bridge]||Dear Ann
        lives at [Flat 2/1, 40 New Station Brae, Peebles]
        [Blk 118 Bukit Merah Ave 2 #04-112] is hers
        Smile Dental, [5-7 Southgate, Bakewell DE45 1AA]
        [Lagerbodene 12, N-5003 Bergen] is the office
        it is [flat 4 elgin house] ok
        to [Strada Florilor nr. 3, bl. A1, ap. 12, Cluj, 400123, Romania]
        near [1180 FM 2044] he saw
        near [12 County Road 9] he saw
        of [U4/17 Wattle Cres, Redan]
        [Top flat, 12 Nelson Parade, Ayr]
        JOHN SMITH|[812 N CEDARWOOD DR|LAKE CITY CA 95991-2210]
        Ann Price|[The Old Forge, Heol y Bont|Brecon LD3 7AA]
        he lives in [ul. Długa 7/3, Kraków]
        to [H.No. 12-3-45, Sai Residency, Begumpet]
        to [RR 2 Box 45] please
        to [C/ Mayor 12, 3º B]
        to [Kungsgatan 5, 111 43 Stockholm]
        to [12 bis rue Lepic, 75018 Paris]
        to [P.O. BOX 112] please
    """,
    ("codes", "CODE"): """
        PNR [Q8RT3M] is yours
        booking ref [7ZHK2P] is yours
        session [a1b2-77ae-0c3d] ended
        host [LON-WS-0117] is down
        your application [LN-UK-2020-11872] was
        emp [30221] called
        OLN: [TX 01234567] is valid
        URN: [14 / CD / 01234 / 19] was
        as exhibit [ABC/2] I produce
        by PC [3312] Hargreaves of Leeds
        rego [1AB 2CD] was seen
        HIN [ABC4D119E404] is his
        passport copy [522 870 116] is here
        ambulance control, log [0331]; police
        police check, log [207 of 3/4] was
        file [HR/19/00212] was closed
        a red van, [KX19 ABC], was
        laptop [7DH0382TQW] was lost
    """,
    ("usernames", "USERNAME"): r"""
        username [baobab\m.otieno3] works
        log in as [corp\jsmith] today
        my art is here ([fox.boy.paints], 2k followers)
        her login [nk_82] works
    """,
    ("times", "TIME"): """
        Date: Mon, 6 Feb 2023 [10:42:17 +0000]
        left at [six in the morning] again
        at about [twenty past five] we left
        before [two o clock] or later
        call after [half nine] please
        04/17/2021 [2315 HRS] he left
        log|0910   | All quiet.|[1015]   | Alarm.
        log|08.15 rang her|[08.45] no answer
        Sun 5 Jan, [08.20] at home
        Saturday [teatime] they came
    """,
    ("dates", "DATE"): """
        booked for [Tuesday week].
        back [a week on Friday] then
        widowed [two winters ago] there
        stopped [three weekends ago] and
        like [the autumn before last] when
        we fly [the week after Diwali] again
        KL1204 [17NOV] BGO
        your letter of [the 21st ult.] came
        your decision of [9th inst.] came
        REVIEW [FY2021] here
        he came [Sat 4 Jan] late
        date of birth please|[14 3 88]
        on [St Stephen's Day] we
        on [Hogmanay] we
        the order of [8/3] stands
        paid (28/12, [29/12], 3/1)
        on [the evening of 3 December] he
        Sent: [den 4 mars 2019] here
        until [the end of next month] please
        moved in since [the autumn] again
    """,
    ("names", "PERSON"): """
        Re: [Katharina "Kati" van der Berg], of
        (thank you [Precious] at the ward)
        [OKAFOR/NGOZI] MRS  KL1204
        name on it is [T B Marlow-King] ok
        Callum called him '[Gaz]'.
        hitting [Jaxon B.] with a bag
        hi! I'm [Babs], 51, once
        plus uncle [Tazz] who
        Thank you, Atty. [Xiong]. I
        forwarded to Inv. [Grzybowski].
        seen by S/Const [Karagiannis]. They
        my name is [priya].
    """,
    ("messages", "PERSON"): """
        CURRICULUM VITAE||[FATIMA BINTI OMAR]|Blk 2
        page 2||[HARPREET S & JASMINE K GILL]|812 N CEDAR DR
        With regards,|[Agnieszka Nowak], Senior Clerk|
        Referees|[Tan Mei Ling], director, +60 7-555 0100
    """,
    ("structured", "URL"): """
        see [linkedin.example/in/jane-doe] for more
    """,
}
NOTHING = {
    ("addresses", "ADDRESS"): """
        In 2004 Highway 61 was closed.
        Article 8, 75001 words long
        He has 3 Big Dogs and 4 Cats.
        12 May 2004, London SW1A 1AA
    """,
    ("codes", "CODE"): """
        She scored 61/100 in the test.
        The booking HOTEL was good.
        COVID-19-RELATED absence
        reg 14 May
        We log 10 of them each day.
        a fee of 500000USD
    """,
    ("usernames", "USERNAME"): r"""
        It is in C:\Users\bob now.
        The file (see e.g. this) is old.
        The login page works.
        Look it up (docs.python.org) today.
    """,
    ("times", "TIME"): """
        The team was cut from ten to six people.
        He ate half three times.
        2130   apples were sold.
        Version 08.35 is out.
        one in the morning session
    """,
    ("dates", "DATE"): """
        He scored 3/4 and used 1/2 cup.
        The sun shines.
        The first of them won.
        He ate 5 mars bars.
        12 7 91 of them
        The ratio is 6/19 here.
    """,
    ("names", "PERSON"): """
        D.O.B.: 7 of them
        I'm Catholic, a believer
        im happy, really
        I'm Scottish, from the north
        Plan B. was better
        moved to Dock B. Both were told
        its mark on the wall
        This is Sparta, a film
    """,
    ("messages", "PERSON"): """
        SUMMARY OF CHANGES|2 Items
        list||A thing||of it
    """,
    ("structured", "URL"): """
        org.nr 912 555 104
        and/or his.her
    """,
}


@pytest.mark.parametrize(("part", "type", "case"), cases(FOUND))
def test_what_stands_in_brackets_is_found(part: str, type: str, case: str) -> None:
    case = case.replace("|", "\n") if "   |" not in case else _log(case)
    start, end = case.index("["), case.rindex("]")
    text = case[:start] + case[start + 1 : end] + case[end + 1 :]
    mine = [(s.start, s.end) for s in found(part, text) if s.type == type]
    assert (start, end - 1) in mine, [text[a:b] for a, b in mine]


def _log(case: str) -> str:
    """Lines of a log have strokes of their own."""
    return case.replace("   |", "\0").replace("|", "\n").replace("\0", "   |")


@pytest.mark.parametrize(("part", "type", "case"), cases(NOTHING))
def test_what_is_no_mention_is_left_alone(part: str, type: str, case: str) -> None:
    text = case.replace("|", "\n")
    assert [text[s.start : s.end] for s in found(part, text) if s.type == type] == []


def test_a_company_does_not_swallow_the_name_in_the_line_above() -> None:
    text = "With regards,\nAgnieszka Nowak, Senior Clerk\nBank Halny S.A., Opole\n"
    spans = {(text[s.start : s.end], s.type) for s in pipeline("none").recognize([text])[0]}
    assert ("Agnieszka Nowak", "PERSON") in spans


def test_names_of_fields_are_no_names() -> None:
    text = "Dear Mr. Ketill,\nplease sign.\n\nSigned O. Adeyemi\nD.O.B.: 7 Dec 1988\n"
    spans = {text[s.start : s.end] for s in pipeline("none").recognize([text])[0]}
    assert "Mr. Ketill" in spans
    assert "O. Adeyemi" in spans
    assert not {"Dear", "Signed O", "Signed O. Adeyemi", "D.O.B."} & spans


@pytest.mark.parametrize("unit", ["12-", "1 ", "12 ", "A-", "1 / ", "log 1 ", "Flat 1 ", "1/2, "])
@pytest.mark.parametrize("part", sorted({part for part, _ in FOUND}))
def test_long_runs_take_no_longer_than_their_length(part: str, unit: str) -> None:
    text = unit * (60_000 // len(unit))
    begin = time.process_time()
    recognizers.build(part).recognize([text])
    assert time.process_time() - begin < 4


@pytest.mark.parametrize(
    "text", ["by ISO-9001-2015", "see RFC-2119", "CVE-2021-44228 is fixed", "an RTX-3090"]
)
def test_standards_and_chips_are_no_codes(text: str) -> None:
    assert recognizers.build("codes").recognize([text]) == [[]]
