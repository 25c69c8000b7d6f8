"""Ages, jobs, kin, schooling, illness and race as notes, posts, letters and forms tell them. A case is a text
with the expected mentions in [brackets]; a text without brackets must give nothing of the type."""

from __future__ import annotations

import re

import pytest
from tests.counting import growth

from heteronym.registry import recognizers
from heteronym.text.settle import settle

CASES = {
    ("ages", "AGE"): """
        Seen: Kayden ([7]), Anna-Mae ([3]) and the dog
        her little sister Citlali ([9]) came
        lives w/ mother and son ([11]).
        our sons ([13] and [10], they play) are here
        mum of twins ([4]), always tired
        Driver: Tadhg (son), [20], student
        FH: father d. [61] colon CA
        SMITH, DUSTIN, W/M, [26], tall
        her cousin (W/F, [22]), was called
        I would describe him as white, [19 or 20], slim
        At [fourteen] she is grown-up
        for a thing I did at [23]. Since then
        he retired from the Registry at [52] on a full pension
        hi! I'm Mags, [46], once a cook
        im [18] in nine days
        "Ask me." (The lady is [ninety-one].)
        See Article (3) and Table (7).
        We compared Germany (4) and France (3).
        The children, 2,500 of them, marched.
        The walls are white, 20 metres long.
        Budget: 41M for the bridge
        The train left at 23. We ran.
        The bus stopped at 60 Main Street.
        A son, 2 dogs and a cat.
    """,
    ("jobs", "JOB"): """
        Angela Cruz\\n[Master Teacher II]\\n
        0024  [farmer]. tractor.
        I have been a [forest fire lookout], a [high school shop teacher] and, for years, the [ops lead] here
        Present: Kyle Brandvold ([shift supervisor]), myself
        cc: J. Sandvik, [plant manager], Northern Plains
        Lim Soo Cheng, [project director], +60 7
        Mr L is offshore ([rig welder], Gulf Meridian)
        out of work ([school cafeteria manager], Valle Elementary)
        he likes Mrs Ferreira ([teacher], St Chad's)
        My wife. She is [pharmacist], she made a chart
        My wife Mandeep is [LVN] at Rideout
        He then was a [watchmaker] in Orchard Street
        My father-in-law was a [Tube driver] for years
        hes a [dentist]. they know
        real name Lindsay, ex [chemistry teacher] at a school
        that my life as [scaffolder] is over
        she was chosen as [Year 10 prefect].
        Our [link worker] Gethin will ring
        by our [diabetes specialist nurse], Brid Flynn, today
        Khaled, [busser] @ Basque Table
        Ketill Haraldsson\\n[Export Director] / Fjordline
        Alasdair Quy\\n[Head of Mortgage Servicing]\\n
        Jan 2012 – Dec 2013   [Graduate trainee], same firm
        Taken by: [PC] 4471 Threlfall, Police Station
        The suspect was seen by [Inv.] Moczygemba.
        There was a driver in the car.
        It was a nurse who called.
        She is general and he is major.
        Many people (teachers, nurses, doctors) came.
        In Paris, bakers, butchers and cooks went on strike.
        We bought it at PC World in DC Comics style.
        ex parte the judge decided
        The lead was long and the temp high.
        Ask our lawyers. Our Nurse of the Year prize.
        He gets legal aid, and the court said so.
    """,
    ("demographics", "FAMILY"): """
        changed from [father] to [husband], as asked
        my [wife]'s [stepdad] and the [in-laws]
        Lives in Belen w/ [mother] and [son] (11).
        FH: [father] d. 61; [sister] w/ lupus
        My [mother in law] says so
        staying w/ [in-laws] up north
        he sends money to a [cousin] in Gaziantep
        There is a [son], Andrzej, abroad
        and a [grandaughter] Krysia who dances
        plus [uncle] Shabs who will ask
        Fatima          [wife]        01/01/1978
        Nour            [dau]         11/02/2004
        no coverage.\\n[husband] drives for UPS
        with his [two mums] at the hotel
        [abbu] hasnt said one word
        A mother needs sleep. A son learns from a father.
        The general partner By Name signed.
        Every parent in the country knows.
        We stayed at the Son Hotel.
    """,
    ("demographics", "EDUCATION"): """
        I earned my [GED] in college
        an [associate degree in accounting] from a college
        [STPM], Sekolah Menengah
        dau, [7th gr], Hillside
        when I was in [fifth grade].
        she got her [A-levels] and left
        The major political parties and major music labels.
        A first class ticket, a second class stamp.
        Grade 7 bolts and a sixth form of matter.
        The share was GED 5 per unit.
        We won 2:1 in Leeds
    """,
    ("health", "HEALTH"): """
        father d. 61 [colon CA]; well
        [breast ca] 1998, treated
        Impression: [community acquired pneumonia], mild
        2. [Iron deficiency anemia] - IV iron
        A: [bulimia nervosa], moderate
        he got [glue ear] again
        after [toxic megacolon]. I was 49
        patient has [sickle cell trait]. ok
        the new girl with [Ménière]'s.
        Pt seen in clinic. PE: no guarding
        He moved to Fresno CA 93701.
        Ticket # hip hop night
        The MC at the wedding was loud.
    """,
    ("peoples", "ORIGIN"): """
        I would describe him as [white], slim
        He was a [black] male, about 30
        It was white, like snow.
        The car is described as a white van.
    """,
}


def cases() -> list[tuple[str, str, str]]:
    return [
        (part, kind, line.strip().replace("\\n", "\n"))
        for (part, kind), lines in CASES.items()
        for line in lines.strip().splitlines()
    ]


@pytest.mark.parametrize(("part", "kind", "case"), cases())
def test_what_is_told_of_a_person_is_found_and_nothing_else(part: str, kind: str, case: str) -> None:
    text = re.sub(r"[\[\]]", "", case)
    spans = [(0, span) for span in recognizers.build(part).recognize([text])[0] if span.type == kind]
    found = {text[span.start : span.end] for span in settle(text, spans)}
    assert found == set(re.findall(r"\[(.+?)\]", case))


@pytest.mark.parametrize("part", ["ages", "jobs", "demographics", "health", "peoples"])
@pytest.mark.parametrize(
    "piece", ["driver ", "son (", "Anna (7), ", "  son", "GED ", "was a ", "our nurse ", "MC "]
)
def test_words_told_of_people_cost_little_when_repeated(part: str, piece: str) -> None:
    recognizer = recognizers.build(part)
    text = piece * (100_000 // len(piece))
    assert all(0 <= s.start < s.end <= len(text) for s in recognizer.recognize([text])[0])
    assert growth(lambda n: recognizer.recognize([piece * n]), 300) < 6
