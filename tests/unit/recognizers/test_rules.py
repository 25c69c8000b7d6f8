"""Tables of what the rule recognizers find and what they leave alone. A case is a text with the
expected mention in [brackets]; a text without brackets must give nothing of the type."""

from __future__ import annotations

import re

import pytest

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.settle import settle

FOUND = {
    ("secrets", "SECRET"): """
        user lily.ross@viztra.org with password [Qr7!dke#39].
        login: edward@bytecore.com / [W!nter2024] works
        api_key=[9f8aK2lmQ77zz01] is set
        your OTP is [482913], keep it
        the CVV: [123] of it
    """,
    ("spoken", "MAIL"): """
        it's [ramesh dot rao at hotmail dot com] okay
        write to [anna underscore k at mail dot co dot uk] then
    """,
    ("spoken", "PHONE"): """
        ring [oh four one two, double five six, seven eight nine] please
    """,
    ("dates", "DATE"): """
        Born [1964-Jan-09] in town.
        On [14-07-'21] he left.
        He is off until [the 23rd] with flu.
        seen on [2/12] by the nurse
        CV: [2019 - present] at Arup
        [Fri 2nd] was cold
        bday is [9 aug] btw
        he turned up in [march] again
        within [ten working days] of this
        back [2 yrs ago] then
        at [the beginning of July] it rained
        due [01-Feb-02] at noon
        [Sept 2014 - Dec 2018] at Arup
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
        from [1998-99] on
        Podiatry [tmrw] at ten
        see u [2moro] then
        came [yday] again
        call in [the new year] please
        here since [feb last year] now
        in [March of this year] he left
        i can pay [end of month] latest
        by [the end of the month] it was done
        by [the end of term] she had left
        My flight is [10th] Harmattan Air
        back on [the 10th] we hope
        closed [12th-15th] inclusive
        w/c [3rd] we begin
        medical cert of [12.02.]; roofer
        krank vom [3.4.] an
        [the evening of Monday] was wet
        booked [2nd week of January] with them
        [the last Friday in May] is out
        [the third Thursday of the month] we meet
        [first half of 2020] was bad
        On our [third day] in Tavira
        during his [second week] there
        kept for [six nights] with a bleed
        I walked [three nights] to Kassala
        During [Q2] I handled it
        warned in [Q3 2018] for it
        [Q4] results were poor
        [2019 Q1] was good
        calls [every Sunday] at noon
        here [every second week] or so
        sees them [every other weekend] only
        [alternate Tuesdays] they meet
        [every summer] we go
        seen [every three months] there
        on [the August bank holiday] there
        over [May half term] we left
        in [Michaelmas term] she began
        [half-term] was wet
        during [the Easter holidays] he fell
        in [the autumn term] he left
        in [the month of Meskerem, 2016] they came
        on [14 Ramadan 1445] he left
        born [Kartik 2079] there
        That was [ninety-six]. A long time
        back in [eighty-eight] we met
        born in [nineteen fifty-two] there
        in [two thousand and four] I left
        since [twenty nineteen] really
        [the summer of '88] was hot
        [the summer of 88] was hot
        [class of 99] reunion
        c.[1970] or so
        Ada (b. [1950]) wrote
        in [the sixties] we had none
        in [the late eighties] he left
        not been out since [lockdown] really
        during [the pandemic] I moved
        on [the anniversary] she was sad
        before [my birthday] please
        Pt: cough, mg, review [2/52] with GP
        Pt on mg, pain x [3/7] then
        we left after [a month] there
        worked there for [a year] then
        [earlier this year] he fell
        [later that month] she died
        [this time last year] I was fine
        [a week tomorrow] we fly
        [The night before] she had rung
        self harmed since [year nine] she said
        [sat night] was fun
        drink [sat]? ok
        open [Mon-Fri] only
        [Weds] is fine
        DOB [220791] male
        [12.iv.2019] it says
        [boxing day] at hers
        at [Songkran] they fled
        [NYE] party
        in [the second half of June] we move
        [the first week of term] was hard
        at [month end] we pay
        [mid-week] is best
        see you [the other day] then
        ring by [the 5th], please
        [last term] he was fine
        [the following morning] she rang
        [next half term] we go
        [a fortnight ago] they left
        [a couple of weeks ago] he fell
        [3 yrs back] she left
        [3 wks] off work
        [early March] it was
        [mid-Feb] we moved
        [Jan 2nd] at noon
        [2 Jan '24] at noon
        over [Easter] we go
        [the weekend of the 4th] is free
        [week commencing 3 June] is free
        every [1st of the month] I pay
        [New Year's Eve] ball
        at [Xmas] we go
        [Orthodox Easter] is late
        [6 months] clean
        [ten years] on
        [Tuesday last] we went
        in [Feb] i think
        in [feb] i think
        since [sept] i think
        [october] was bad
        till [dec] at least
        in [late Oct] we left
        [Nov 21] to date
        [summer 2019] was hot
        [that summer] we met
        [18th Nov] it was
        on [1 st of May] we left
        in [the nineties] it was
        [the 90s] were good
        in [early '09] he left
        circa [1985] they left
        Pt mg SOB x [5d] now
        back in [07] we met
        [the day after the funeral] she left
        [the Monday after Easter] she left
        [the night of the fire] he ran
        joined us in [2Q19] then
        since [the back end of last year] then
    """,
    ("times", "TIME"): """
        seen at [2140 hrs] outside
        phoned at [0910h] again
        offline at [14h20] sharp
        OB paged [2350] then
        see you [8ish] then
        at [10:30] sharp
        at [10.30 a.m.] sharp
        at [5pm] sharp
        at [five o'clock] sharp
        it took her [two hours] to get there
        we slept until [noon] again
        Start / end [23.48 - 00.41], night
        with him at [00.55], who agreed
        it ran until [18.42] on Monday
        Thu 5/12   [0715]
        4/7/24 [0815] MEDICINE NOTE
        LanguageLine booked [0930] today
        Neb due [0600] again
        DATE 08-AUG-2024 [1422H]
        seen at [0930 hrs] outside
        shift [0800-1600] daily
        at like [4 in the afternoon] (im)
        to him at [4:10 in the afternoon] today
        at about [ten past eleven at night] he fell
        waking at [three-thirty in the morning] to help
        down since about [6 yesterday evening] now
        mass is [8 prompt] at St. Jude's
        be there [9 sharp] please
        last Sunday, before [nine]. He had
        don't answer before [2]
        up for her work at [seven], she does
        Hilary ringing at [10] re: care home
        I get in at [half six] most days
        around [5ish] i think
        I'll be there after [3] tomorrow
        we met at [noon] there
        came at [5.20am] again
        at [quarter to nine] she rang
        at [a quarter past 8] she rang
        driver on the [7.52] (Tariq) is kind
        caught the [8.15] to York
        between [5-6pm] today
        a [9-5] job
        at [1530Z] we left
        up before [dawn] again
        in by [lunchtime] they said
        [this arvo] we go
        [early evening] is best
        we open at [ten] on Sundays
        ends [3.15pm] sharp
        at [ten to four] he left
        [six o'clock] news
        at [22.10] he was found
        doors [7.30pm] today
        [7 tomorrow morning] then
        [eleven that night] he rang
        [midnight] came
        up at [5] every day
        [two in the morning] again
        pick up at [3:15] ok
        woke at [4.20] in pain
        at [eight thirty] we left
        [twenty-five past six] it said
        [ten minutes to nine] it was
        [0200hrs] crash
        at [2 a.m.] he woke
        at [5 past 3] we left
        [six tonight] is fine
        be there for [7.45] please
        at [twelve noon] we ate
        up by [five thirty] daily
        Surgery hours [8.30-6.30] daily
        Mon to Fri [9-5.30] only
    """,
    ("ages", "AGE"): """
        Pt is a [78M] w/ h/o COPD
        I'm Farida, [28F] from Karachi
        my friend ([30M]) and me
        Father died of MI at [58]. Well.
        im [31] btw
        My mother is [83] and well
        You are [34], unmarried
        Kyle is [9] and attends school
        I'm [forty-seven], I know
        Esperanza Delgado, [51], owner of a shop
        she turned [38] on Thursday
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
        Mrs Pargeter, [88], fell at home
        Nana Joyce, [81], registered blind
        my son Kofi, [14], plays drums
        who was then [22] and had been driving
        you were [24]; by this date
        you would be [25].
        He'd be [thirty] now.
        she'll be [7] next month
        He would have been [90] today.
        she must be [70] now
        my nan is nearly [eighty], bless her
        I'm pushing [60] and tired
        he was [nine]. Meningitis.
        A man who looked about [40], tall
        had a stroke at [52] and recovered
        came to Leeds at [seventeen] to study
        and, at [76], could do without it
        widowed at [29], she moved
        left school at [15] with nothing
        He retired at [sixty-five].
        the landlord is a [70 something] dentist
        a [thirty-something] teacher
        3 kids under [ten].
        anyone over [65] with asthma
        a boy of [twelve] came in
        a man of about [sixty], bald
        Bed 5, [late fifties], bus driver
        in his [early to mid forties]
        Spouse      [56]
        Son | [17] | student
        Pt is M/[34] with MS, mg
        a [14-month-old] girl
        a [6/12 old] baby
        a [4 wks old] kitten
        twins, [3 days old] now
        her [80th] birthday
        my [fortieth] birthday
        He was only [six] when his father left
        She was [24] when she died
        aged [3 and 5] both
        children aged [4, 7 and 9] live there
        aged about [60] or so
        just turned [40] last week
        she turns [9] in May
        my kids are [7] and 4
        our eldest is [twelve] and tall
        the caller is [34] and alone
        my neighbour is [92], frail
        My boyfriend is [31] and lazy
        her grandson, [23], drives
        her mother-in-law, [101], sang
        she's [19] but acts older
        hes [40] now
        He is [80 years young] today
        male [45] with chest pain
        a [six year old] boy
        a [six-yr-old] boy
        in her [mid-70s], frail
        both were in their [late teens]
        when we were [seventeen], we met
        The deceased was [67] and lived alone
        turning [30] soon
        at [forty-one] she had twins
        age group [25-34]
        I got married at [21], had two kids by 25
        started smoking at [14], quit at 50
        he was [ten]
        I am [thirty-two].
        Me, [34], him 36
        my wife ([38]) and kids
        dad is [70ish]
        my lad's [15]
        mum's [82] and deaf
        my youngest just turned [two]
        Emma's [5] and Jack's 3
        a [17 y.o.] girl
        a [17 yr old] girl
        (age [17])
        age [17]
        Age [17]
        aged [17]
        he was [17] at the time
        at age [17]
        at the age of [seventeen]
        from the age of [five]
        our twins are [four]
        Our son will be [18] in June
        he's about to turn [50]
        a woman ([33])
        the driver, [27], was arrested
        a [27-year old]
        man, [45], jailed
        father, [56], and son
        Our Tracey is [twenty-three] now and expecting
        He'd have been [forty-one] this week.
        baby is [5 mo old] now
    """,
    ("money", "MONEY"): """
        grants of [R4.2 million] from them
        we credit [R350] to the card
        a CTC of [INR 9.6 LPA] now
        a prize of [PhP 15,000] to all
        paid [Rs 5,000/-] in cash
        fees of [₦200,000] each
        it is [£875] pcm
        paid [$18]/hr there
        a limit of [12 000 zł] there
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
        survived by [seven] grandchildren and
        they have [3] kids under ten
        her [two] grown-up sons live there
        [Four] sisters and a brother
        she lost [two] brothers there
        raised [five] foster children alone
        fourth of [six] children
        one of [eleven] siblings
        Pt: weight [41.2kg], mg
    """,
    ("peoples", "NORP"): """
        a [Turkish] national came
        two [Poles] came
        a [Kurdish] family
        she is a [Democrat] and proud
    """,
    ("peoples", "RELIGION"): """
        his parents are [Jehovah's Witnesses] there
        a [Muslim] family
        she became a [Buddhist] in time
    """,
    ("peoples", "LANGUAGE"): """
        Somali man, speaks [Maay] only
        she speaks [Spanish] well
        translated into [Polish] by him
        a [German]-speaking town
        he learned [Swahili] there
    """,
    ("peoples", "ORIGIN"): """
    """,
    ("demographics", "FAMILY"): """
        just me and Isobel, that's the [wife]
        I am the [nephew] of the founder
        as did an infant [daughter], Grace
        NOK = [brother in law] Yusuf
        contact changed from [father] to her mother
        the [kids] come at weekends
        my [boy] goes to college
        his [lola] sells fish
        our [abuela] cooked
        [twelve great-grandchildren] came
        her [beloved nan] died
        [Mum-of-two] Kelly Price
        raised by [foster carers] there
        says [foster mother] is kind
        I have a [half sister] in Perth
        married with [two children] now
        I'm a [mum of three] here
        informed Hoa ([wife]) at noon
        My [hubby] is away
        told by [Mum] herself
        Lives alone since [wife] died
        I have [four younger brothers] there
        I called my [sister] at home
        his [late father] was kind
        she is a [single mother] here
        the applicant's [wife] left
    """,
    ("demographics", "MARITAL"): """
        STATUS    [widowed]
        [Divorced] last summer and lost the car
        We [married] in the church
        after her [marriage] in February
        "[widowed] since Easter, wants a refund"
        they [split up] last year
        he has [separated] from his wife
        her [civil partner] came
        she is a [lone parent] now
        29yo M, [single], tester
        he is [divorced] now
        she was [widowed] early
    """,
    ("health", "HEALTH"): """
        my mum has [MS] and it frightens her
        I take medicine for [TB] now
        he is waiting for a [hernia operation] again
        new [foot ulcer] on the left
        she is in [alcohol withdrawal] today
        admitted with a [sickle cell crisis] twice
        he [lost the hearing in his left ear] at work
        She is [deaf in one ear] and
        He is [colourblind] too
        they died of [blood poisoning] there
        has [type 2 diabetes] now
        got [adhd] last yr lol
        she had a [stroke] then
        diagnosed with [MS] lately
        he has [emotionally unstable personality disorder] too
        a [fractured hip] was seen
        Pt has h/o [CAD], stable
        she is off with [shingles] now
        he had [breast cancer] before
        PMH: [COPD] on home O2, BP ok
        she was [28 weeks pregnant] then
        she suffers from [diabetes] badly
        signs of [severe arthritis] were seen
        he contracted [hepatitis] there
        a [paranoid schizophrenia] was found
    """,
    ("demographics", "EDUCATION"): """
        her [Bachelor of Forestry] is old
        took her [BSc (Hons)] at home
        Qualification: M.Com, [CMA (Inter)]
        Evangeline Catacutan, [M.A.Ed.]
        he [dropped out of college] then
        I [left school] at 15
        she is studying [marine biology] there
        an [MSc Structural Engineering], London
        he holds a [master's degree] here
        she has a [PhD] too
    """,
    ("jobs", "JOB"): """
        late 50s, [bus driver], new T2DM
        bad knee. [Market vendor]. Husband ill.
        slipped disc; [roofer]; wife stays on
        He left. Was [district nurse], knows everybody
        Been [acting ward manager] since May
        i'm a [postie] so call late
        and is a [locum vet] there
        married to the [potter] Anneke Slabbert
        talked to [shift leader] Desmond Rowe
        My current [director], Marie-Claude Osei, agrees
        a child of a [Dutch Reformed minister] there
        later as [project engineer] on the bridge
        I want a [team lead] role
        I have been his [adviser] in Grade 11
        she works as a [sluice flusher] at night
        he [drives a gritter] in winter
        he used to [drive] for Stagecoach
        then [ran the lunchroom] at a school
        mum worked in the [mill] then
        she [taught maths] at Hull
        I [sold tea] by the station
        52F [teacher] with a cough
        Mohammed Aslam (47), a [taxi driver], came
        [Farmer] John Tindall, 61, told us
        im a [plumber] mate
        his wife's a [nurse] at night
        my ex was a [vet] once
        I work from home as a [translator] now
        29yo M, single, [software tester], c/o low mood
        a [civil engineer] with 11 years of it
        Signed Jo Quill, [Headteacher], today
        I'm a [year 4 teacher] here
        employed by the firm as a [line operative] until May
        I am an [engineer] at home
        she works as a [primary school teacher] there
        he was employed as an [accountant] there
        He earned little as a [bricklayer].
        she works for Acme as [nurse] now
        Maria Lopez, a [retired nurse], came
        his occupation is baker; he became a [taxi driver] later
    """,
    ("codes", "CODE"): """
        my flight is Harmattan Air [HX 318], landing late
        we land on [BA0117] then
        her PPS is [1234567TW] ok
        DNI is [12345678Z] ok
        his CPF [123.456.789-09] ok
        born so [890101-1234] is it
        it is [2345 6789 0123] then
        SSN [XXX-XX-4410] is it
        the car [MH 12 AB 1234] left
        a van [KBA 123X] left
        number [QQ 12 34 56 C] is his
        PhilHealth [19-025500013-4] is hers
        Officer Begay (badge [3319]) came
        sort code [20-45-77], at the bank
        account [63018842] was closed
        the Camry (reg. [GHX 4402]) was parked
        GMC number [7214456] is hers
        Kelleher Pty Ltd (ABN [51 824 753 556]) paid
        the card ending [4417] was charged
        NI number [QQ 12 34 56 C] is his
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
        She works for [Tesco] now
        I am a student at [Holderness Sixth Form] and
        the [Kartal First Instance Court] ruled
        the [Istanbul State Security Court]'s judgment
        the company [Robert Bosch GmbH] sold it
        the [University of Vienna] said so
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
        Started in the [Gallaher's cigarette factory] then
        he does security at [Hillview retail park] now
        Thanksgiving is at [St. Jude]'s at ten
        a member of [Our Lady of the Cypress] since
        taken to [Hospital da Ria] by ambulance
        she waited in [Main Street] for long
        he landed at [Heathrow Airport] late
    """,
    ("names", "PERSON"): """
        or call the wife ([Cerys]) instead
        my housemate [Becs] knows my main
        ring and ask for [maureen] please
        my flatmate [priya] is away
        agreed, proposed [NC] and all
        seconded by [J.L.] and agreed
        he met [Mr Karsten Trippel] there
        he met [Mr Cz. Sławski] there
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
        wohnt [Am Mühlbach 7], sagt er
        at [Kerkstraat 201-II] since
        at [Lindenstr. 112a] since
        in [Room 214, Seaview Lodge, Marine Drive] now
        at [Blk 7 Lot 12 Sampaguita St.] there
        it is [Plot 14, Sector 9] there
        I, of [The Granary, Cold Harbour Farm], say
        moved to [Tŷ Newydd, Heol y Bont], same village
        at [12 Jalan Besar] now
        in [Flat 3/1, 44 Byres Road] now
        at [Flat 2, 88 Station Road, Kettering, NN15 7HH] now
        at [31 Rue des Lilas, 69003 Lyon] since
        [2nd Floor, 19 Castle Gate, Nottingham NG1 7AQ] is it
        send to [6750 Koskikatu 25 Apt. 864 Artilleros] please
        on [the corner of Maple St and 9th Avenue], he fell
        to [PSC 7589, Box 0572 APO AE 20040] only
        [27 Protea Crescent, Pinelands, Cape Town 7405] is home
        at [221B Baker Street, London NW1 6XE] he lived
        at [14 Elm Ave., Springfield, IL 62704] he lived
        at [Hauptstraße 12] he lived
        write to [P.O. Box 123] please
        my address is [329 Arenales], please note
    """,
    ("addresses", "POSTCODE"): """
        it is [H65 XV00] there
        at [D02 X285], Dublin
        in [M5V 2T6] there
        of [1017 ZZ] Amsterdam it is
        Brunswick VIC [3056] is it
        in Siliguri - [734001] since
        of Kolkata [700 091] too
        at Blk 4, S([049213]) there
        the flat in [10999] Berlin is
        home in Springfield IL [62704] now
        Oslo, Norway [64389] is it
        in Boston, MA [02115] it snows
    """,
    ("things", "PRODUCT"): """
        his car, a [VW Passat], was hit
        she drove her [Toyota Corolla] home
        """,
    ("usernames", "USERNAME"): """
        see /u/[soggy_crumpet_88] there
        Posted by [sleepless_in_perth] on Monday
        my insta is [jacs.and.the.beanstalk] if you like
        my snap is [jesspett97] ok
        Reply from [MSwarrior_77]: so sorry
        follow me [@janedoe_92] now
        my skype: [jane.doe92] is new
    """,
    ("phones", "PHONE"): """
        Call [555-123-4567] now
        call [(312) 555-0199] today
        ring [07700 900417] please
        mobile [+998 90 123 45 67], please
        ph [520.555.0172] at home
        not answering at [78 651 450] today
        T: [+44 (0)1332 555 019] or mail
        desk [259.735.7502x459] please
        see Pat, ext. [4417], today
        pager [4410] all night
    """,
    ("forms", "PERSON"): """
        Transcribed by: [kbr]
        NOK = brother in law [Yusuf] 07700 900 612
        Employee Name      : [Ms. Shreya Mukhopadhyay]
        X   SIGNED  [P.A. O'Grady]       DATE  19 AUG 2024
        Q: What is your full name?   A: [Yonas Tesfay]
        RN taking: Marisol / [Jez]
        Patient: [OKONKWO, Chidinma A.] (new)
        Surname: [Haddad]    Sex: M
        Policy holder: [JANSEN, W.H.] (new)
        name: [hyuuma t. maida] address: unit 4
        Reporting officer: [Ofc. J. Kowalczyk] #882
        Completed by: [S. Pickett]   Signature: on file
    """,
    ("forms", "CODE"): """
        X   PHILHEALTH NO    [19-025500013-4]     STATUS   X
        Employee Code : [IN04417]
        X   CLAIM NO (OFFICE USE)   [24/TC/77015]
        MRN: [00448213]
        Vehicle registration: [KX19 ZRT]
        NHS No: [943 476 5919] (checked)
        Our ref: [JB/KM/20188-3]
    """,
    ("forms", "DATE"): """
        X            BIRTHDATE   [03-MAY-1966]
        Date of Joining    : [11-Nov-2019]
        DOB: [12/03/1987] M
        Date of birth: [9 May 1986]
    """,
    ("forms", "AGE"): """
        X   AGE / SEX        [58] / F       WARD   OPD
        Sex/Age: F/[34]
        Age/Sex: [66]/F
    """,
    ("forms", "JOB"): """
        X   SURNAME   Haddad       OCCUPATION    [PHLEBOTOMIST]
        Designation        : [Asst. Manager]
        Occupation: [dental hygienist]
    """,
    ("forms", "ORG"): """
        Employer: [Kelleher Earthmoving Pty Ltd] (ABN 51)
    """,
    ("forms", "ADDRESS"): """
        Q31  Current address? A   [Room 214, Seaview Lodge, Marine Drive]. My phone 07700
        Address: [Room 6, St Anne's Hostel, 40 Beaufort Street]
    """,
    ("forms", "HEALTH"): """
        Diagnosis: [below-knee amputation]
    """,
    ("forms", "FAMILY"): """
        Name: Maya Haddad    Relationship: [daughter]
    """,
    ("forms", "MARITAL"): """
        X   STATUS      [WIDOWED]
        Civil status: [separated]
    """,
    ("forms", "NORP"): """
        X   PASSPORT NO      PX0049921      NATIONALITY   [IRISH / GHANAIAN]
        What is your nationality? I am [Eritrean]. Yes
    """,
    ("forms", "MONEY"): """
        Current CTC        : [INR 9.6 LPA]
        Total: [£41.20] paid
    """,
    ("forms", "POSTCODE"): """
        X   EIRCODE          [H65 XV00]
    """,
    ("forms", "FAC"): """
        Ward: [Rowan]   Bed: 4
    """,
    ("records", "PERSON"): """
        {"first_name": "[Ana]", "dob": "1990-01-02"} it is
        {"id": 4711, "owner": "[Ana Berg]"} it is
        <name>[Ana Berg]</name> it is
        INFO name="[Ana Berg]" retry=3
    """,
    ("records", "CODE"): """
        INFO session=[9f8a77] status=200 ok
        {"member_id": "[A-4711]", "x": 1} it is
    """,
    ("records", "USERNAME"): """
        INFO user=[ana.k] status=200 ok
    """,
    ("messages", "USERNAME"): """
        10:32 <[ana_b]> hello there
    """,
    ("messages", "PERSON"): """
        - 12/04 - [Ifeoma] created group Mama
        On Wed, 7 Feb 2024 at 09:14, [Becky Thornton] <b@example.org> wrote:
        mail [Lars Mikkelsen] <lars@example.org> today
    """,
}  # fmt: skip

NOTHING = {
    ("secrets", "SECRET"): """
        choose a password that nobody knows
        the secret is out
        the token was revoked by them
        write to jane@example.org / john@example.org
    """,
    ("spoken", "MAIL"): """
        look at the dot on the map
    """,
    ("dates", "DATE"): """
        about 2/3 of them
        the second was better
        they march in step
        he may come on foot
        a 24/7 service
        mix 1/2 cup of sugar
        He may march on.
        Room 2004 is upstairs, call no. 1998 there.
        It weighs 2000 kg in all.
        twice a day, at most
        a version 1.2.3 of it
        on the 3rd floor we live
        he came 2nd in the race
        the ratio is 2/7 in all
        Q1  Are you fit and well?
        Q2. What is it?
        the second half was better
        in ninety-six cases
        for a year-round job
        mid term
        Rule 12.02. applies
        she sat down
        the sun rose
        we sat. Then
        twenty nine people
        a score of 88 points
        at page 1970 m
        grade 5 listed
        every day I go
        each time
        H1 heading
        version 7w
        12 x 3d
        Section 2.1. Grants
        every term counts
        and 3.9. Then
    """,
    ("times", "TIME"): """
        he paid 3.15 euros
        room 2140 was empty
        the ratio is 3 to 1
        I am here
        pain at 8, worse now
        cut by six and more
        about 1200 people came
        since 1848 it stood
        look at two of them
        at one point
        at 5 Elm Street
        at 10 miles
        by five votes
        at ten pounds
        before two judges
        from 1914-1918 they fought
        one in the morning group
        the ratio 3.15 to 1
        it costs the 7.52 euros
        at 12 weeks
        by 3 per cent
        at four different times
        until two men came
        version 23.48 - 24.10
    """,
    ("ages", "AGE"): """
        they raised 78M last week
        Table Seven, 12, low values
        It is 9 and cold
        Section Two is 5 and closed
        he turned 360 degrees
        page 36 of the book
        36 dollars
        the shares closed at 52 and rose
        sats at 94 and falling
        we sold it at 40.
        she scored 24 and won
        it was 50 and sunny
        He was 12 minutes late
        they were five, all told
        I'm 5.4 feet tall
        she was one of them
        the rate was set at 15 and stayed
        driving at 60 and swerving
        over 30 people came
        between 40 and 70 units
        he paid 12,000 and left
        London, 12, and so on
        It took 34 male students
        Room 12, 34
        see Table 3, 14, and 15
        He was 2nd in the race
    """,
    ("money", "MONEY"): """
        she has 120k followers
        a 10k run
        a BMW R60 is old
        a grand piano
        he paid 3,000 people
        he won a mark of honour
        20 people
    """,
    ("quantities", "PERCENT"): """
        SpO2 98% RA, well
        sats 91% on air
        HbA1c 5.6 % today
    """,
    ("quantities", "QUANTITY"): """
        three days
        2004 was a year
        twenty years
        FINDINGS: a 1.4 x 1.1 cm spiculated nodule
        Pt has mg, liver shows a 9 mm focus
        she came first thing
        one of two options
        he's 84 with parkinsons
        the second of the two
        one of three, at most
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
        unmarried couples and divorce rates
        to get engaged with readers
        a single day
        the divorced women's act
    """,
    ("health", "HEALTH"): """
        He opened it with MS Word
        The rescue operation went on
        She lost her keys
        an outbreak of the disease
        MS Word and CAP theorem
        his diploma and the aroma
        a broken promise
        the history of the house
        a public disorder
        the basis of a diagnosis
        a utopia
    """,
    ("jobs", "JOB"): """
        The company hired a new manager and a lawyer.
        ask your doctor or pharmacist first
        He is a member of the club and a smoker.
        Rails, Docker and Puppet
        met judge Robert Hill
        it works as a filter for air
        I sold it on eBay
        the nurse practitioner called
        Ask the Manager, please
        ask a lawyer about it
        the judge decided
        We rang bishop at home.
        They told Baker in Leeds about it.
    """,
    ("codes", "CODE"): """
        the M25 was shut
        a score of 10 20 30
        an XL shirt
        BP 128/76 and rising
        the report 2019 says
        a staff of 30
        the case of 12 men
        my account is 3 years old
        an order of 20 chairs
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
        I Am Legend 7 times
        in plot 3, see above
        Room 101 was full
        BP 128/76 was fine
        on 6 the Supreme Court sat
        the corner of his eye and mouth
        he went 3 miles that way
        97508 The Supreme Court ruled
        the 12 apostles
        In 1998 Wall Street fell
    """,
    ("addresses", "POSTCODE"): """
        the 2019 US Open
        In 1998 Ankara was cold
        in Paris 2024 it was
        Windows 11 Pro
    """,
    ("things", "PRODUCT"): """
        a black American artist
        my seat is free
        """,
    ("usernames", "USERNAME"): """
        member_id;first;last
        my facebook is down
        Posted by him on Monday
        a reply from Sam: thanks
        jane@example.com
        meet me @ 5
    """,
    ("demographics", "FAMILY"): """
        Father Christmas and Sister Perpetua
        Mother's Day is in March
        a mother needs sleep
        the partner of the firm
        a parent company
    """,
    ("phones", "PHONE"): """
        from 2001-2004 and on
        12.03.1987 was a day
        he has 1 200 300 votes
        it costs 12 500 000 now
        at 192.168.10.12 it runs
        the next 4417 people
        scores of 10 9 8 7 6 5
    """,
    ("forms", "PERSON"): """
        RADIOLOGIST          Lic. No. 0087714
        Agent (Pieter): I'm sorry to hear that
        Name          Employer      Age
        Patient: I feel dizzy today
        Client: You know what, yes
        Name: n/a
        Agent: Good morning, how can I help
        He said to the driver: Stop here
    """,
    ("forms", "CODE"): """
        Page no: 14
        Error code: 404
        Room: quiet and large
        Reference: see above
        the case: a sad one
    """,
    ("forms", "ORG"): """
        Employer: none
        School: yes, every day
    """,
    ("forms", "ADDRESS"): """
        Email address: jane@example.org
        Address: unknown
    """,
    ("forms", "MARITAL"): """
        STATUS      FINAL
        Status: open
    """,
    ("records", "PERSON"): """
        {"name": "my-package", "version": "1.0"}
        def f(name=name, user=None): pass
        name, age, address and more are asked for
    """,
    ("messages", "PERSON"): """
        - We joined the club
        he added Salt to the pan
        Therapist: how was the week
        Allergies: none
        Note: bring a coat
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
