"""Facts about a person that no name tells: family, marital status, schooling.

They count where they are said of somebody, not wherever the word stands: "his wife", "a widow",
"divorced", "he holds a degree in law". "The married women's act" says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import LOWER, NUMBER_WORDS, UPPER, Rule, any_of, find, rule

_KIN_WORDS = (
    "mother father mom mum dad daddy mommy parents parent brother brothers "
    "sister sisters son sons daughter daughters child "
    "children kids wife husband spouse partner fiancé fiancée fiance fiancee "
    "grandmother grandfather grandma grandpa granny "
    "grandparents grandson granddaughter grandchildren uncle uncles aunt auntie "
    "aunts cousin cousins nephew nephews niece nieces "
    "stepmother stepfather stepson stepdaughter stepbrother stepsister mother-in-law "
    "father-in-law brother-in-law "
    "sister-in-law son-in-law daughter-in-law twin twins girlfriend boyfriend "
    "ex-wife ex-husband widow widower hubby hubbie missus gran nan nana nanna grandad granddad gramps "
    "mama papa mam bro sis "
    "siblings sibling step-dad stepdad stepmum step-mum eldest youngest stepdaughter great-grandmother "
    "great-grandfather "
    "godmother godfather godson goddaughter foster-mother foster-father carer bf gf ex other-half fiance "
    "relatives in-laws mums moms dads grandaughter grandsons granddaughters "
    "stepchildren stepchild half-brother "
    "half-sister great-aunt great-uncle foster-son foster-daughter".split()
)
_KIN_WORDS += [f"{kin} in law" for kin in "mother father brother sister son daughter".split()]
# step-, half-, foster-, god-, great-, in all the ways they are written
_PARENTS = "mother father mum mom dad".split()
_OFFSPRING = "son daughter child children".split()
_KIN_WORDS += [
    before + gap + kin
    for befores, kins in (
        (("step",), [*_PARENTS, *_OFFSPRING, "brother", "sister", "siblings", "kids", "parents", "family"]),
        (("half",), ["brother", "sister", "siblings", "brothers", "sisters"]),
        (
            ("foster", "birth", "adoptive"),
            [*_PARENTS, *_OFFSPRING, "parents", "parent", "brother", "sister", "carer", "kids"],
        ),
        (("god",), [*_PARENTS, *_OFFSPRING, "parents", "parent", "sister", "brother"]),
        (
            ("ex",),
            "wife husband partner girlfriend boyfriend missus fiancé fiancée spouse mother-in-law".split(),
        ),
        (
            ("great", "great-great"),
            "grandmother grandfather grandson granddaughter grandchild grandchildren grandparents grandma "
            "grandpa gran nan grandad granddad aunt auntie uncle nephew niece".split(),
        ),
    )
    for before in befores
    for kin in kins
    for gap in (("", "-") if before in ("step", "god") else ("-",))
]
_KIN_WORDS += (
    "grandchild grandkids grandkid grandmothers grandfathers grandparent grandmas grandmom granddad "
    "grandmum grannie nannan nanan nanny grampa gramma grammy pops mumsy momma mommas mamaw "
    "papaw meemaw peepaw mawmaw pawpaw mummy wifey wifes hubs bride groom-to-be wife-to-be husband-to-be "
    "mum-to-be mom-to-be dad-to-be soulmate sweetheart lover coparent "
    "triplets triplet quads sibs firstborn newborn nibling niblings cousin-in-law "
    "aunty aunties aunties unc nephew-in-law niece-in-law parents-in-law mum-in-law mom-in-law dad-in-law "
    "uncle-in-law grandson-in-law granddaughter-in-law forefathers husb dtr dau daughers wives husbands "
    "boyfriends girlfriends fiancés missis ancestors guardians".split()
)
# Kin words that mean somebody's kin wherever they stand; the others need to be told whose.
_VAGUE = frozenset(
    "child children kids parent parents partner carer ex twin twins sibling siblings spouse widow "
    "widower relatives "
    "mama papa mam bro sis eldest youngest bf gf gran nan missus pops nanny bride lover newborn "
    "forefathers ancestors unc "
    "guardians sweetheart soulmate husb dau dtr wifes quads sibs".split()
)
_SURELY_KIN = any_of(word for word in _KIN_WORDS if word not in _VAGUE and not word.startswith("ex "))
_KIN = any_of(_KIN_WORDS)
_KIN_AS_NAME = "(?:Mum|Mom|Mummy|Mommy|Dad|Daddy|Granny|Gran|Nan|Nana|Grandma|Grandpa|Grandad|Granddad)"
# What parents are called in other tongues; a name where nothing else says so.
_ABROAD = (
    "amma abbu ammi appa abba abbi abuela abuelo abuelita abuelito tía tío tia tio mami papi "
    "babcia dziadek ciocia "
    "wujek oma opa omi opi mutti vati tante onkel nonna nonno zia zio yiayia giagia pappou "
    "babushka dedushka mama "
    "papa maman mamie mémé pépé tatie tonton halmoni harabeoji eomma appa oppa unni noona lola "
    "lolo tita tito ninang ninong "
    "nanay tatay inay itay kuya baba dada dadi nana nani dadu chacha chachi mamu maami maasi masi "
    "mausi mausa bua "
    "phupho phuppo khala khalu taya tayi didi bhai bhaiya bhabhi bhabi akka thatha paati ajji "
    "nanaji nanima dadaji "
    "dadima teta jiddo jeddo sitti sido khalto ammo amu khalo amoo khaleh dede babaanne anneanne "
    "teyze hala abla abi "
    "obaasan ojiisan obaachan ojiichan popo gonggong yeye nainai laolao waipo waigong jiejie gege "
    "meimei didi "
    "ouma oupa tannie oom gogo mkhulu malume bhuti sisi mzee mjomba shangazi bibi babu mum-mum "
    "bubbe bubbie bubby zayde zaide zeide "
    "savta saba ima abba kuia koro whaea nain taid mamgu tadcu mamó daideo seanair vovó vovô avó "
    "avô vovo titia "
    "bunica bunicul baka deda deka dida babka dedko mormor farmor morfar farfar mummo pappa ukki isoäiti "
    "mamaw papaw tutu lala gigi mimi nonnie yaya".split()
)
# Those that are no other word and nobody's name.
_SURELY_ABROAD = (
    "abuelita abuelito abuela abuelo babcia dziadek dedushka babushka harabeoji halmoni obaasan ojiisan "
    "obaachan ojiichan babaanne anneanne tía tío nanay tatay kuya ninang ninong bhabhi bhaiya chacha chachi "
    "khala yiayia pappou nonna nonno ouma oupa bubbe zayde mormor farmor morfar farfar mamgu".split()
)


def _either_case(words: Iterable[str]) -> str:
    """An alternation of words that may begin with a capital."""
    longest = sorted(set(words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(f"[{word[0].upper()}{word[0]}]{word[1:]}" for word in longest) + ")"


_KIN_ABROAD = _either_case(_ABROAD)
_KIN_ABROAD_SURE = _either_case(_SURELY_ABROAD)
_SPEAK = (
    "(?:says|said|is|was|has|had|hasnt|hasn['’]t|isnt|isn['’]t|wants"
    "|thinks|told|asked|called|rang|and|died|will|would|comes|came|cooks|made|makes)"
)
_NEAREST = any_of(
    (
        "mother father mom mum dad brother sister son daughter wife husband stepmother stepfather stepson "
        "stepdaughter stepbrother stepsister grandmother grandfather grandson granddaughter grandaughter "
        "uncle aunt auntie cousin nephew niece boyfriend girlfriend fiancé fiancée fiance fiancee gran nan "
        "grandma grandpa"
    ).split()
)
_SECONDS = (
    r"(?:little|big|baby|older|younger|elder|eldest|youngest|oldest"
    r"|twin|half|step|maternal|paternal|late|only|favourite|favorite|great)"
)
_WHOSE = (
    rf"(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Yy]our|[Tt]heir|ur|yr|maternal|paternal|[{UPPER}]\w+['’]s|applicant['’]s"
    rf"|applicants['’]|patient['’]s|plaintiff['’]s|victim['’]s|claimant['’]s|defendant['’]s)"
)
_MODIFIER = (
    r"(?:(?:late|elder|older|younger|eldest|youngest|oldest|only|own|first|second|loving|beloved|dear|dearest|devoted|lovely|poor|elderly"
    r"|current|long-term|then|grown-up|grown|teenage|disabled|autistic|surviving|half|step|foster|birth|adoptive|god|great|middle|infant|wee|surrogate|identical"
    r"|third|former|future|new|ex|little|big|big|baby|twin|minor|adult|estranged"
    r"|deceased|pregnant|adopted|biological|unborn|two|three|four|five|six|seven)\s){0,3}"
)
_BE = (
    r"(?:\b(?:is|was|am|are|were|be|been|being|became|become|got|get|getting"
    r"|remained|and|an?|as|who|both)|['’](?:m|re|s)|,)\s"
)
_DEGREE = re.compile(r"\b(?:B\.?Sc|B\.?A|B\.?Eng|LL\.?B|M\.?Eng|M\.?Chem|M\.?Math|[Hh]ons|degree)\b")
# Degrees that are other things as often: only where school is spoken of.
_ALSO_ELSE = frozenset(
    "AB B.D BD BSA GAS J.D JD CMA CFA CPA NCE OND MDS BDS PMP CIMA Lic Mag Maga MPA MPP BCA MCA "
    "QTS S.J.D STB Ing DVM".split()
)
_SCHOOLING = (
    "degree",
    "qualif",
    "universit",
    "graduat",
    "b.a",
    "m.a",
    "bsc",
    "m.com",
    "b.com",
    "school",
    "college",
    "earned",
    "passed",
    "certificate",
    "education",
    "diploma",
    "sekolah",
    "studied",
    "exam",
)


def _schooling(match: re.Match[str]) -> bool:
    """Short capitals are a certificate where school is spoken of."""
    around = match.string[max(0, match.start() - 120) : match.end() + 120].lower()
    return any(word in around for word in _SCHOOLING)


_NAME_FOLLOWS = re.compile(rf"\s(?:[{UPPER}]|of\s(?:the\s[A-Z]|Mercy|Charity))")
_ANYBODY = re.compile(r"(?:^|\W)(?:[Aa]n?|[Aa]ny|[Ee]very|[Ee]ach|[Nn]o|what|or)\s$")
_HAVING = re.compile(
    r"(?:\b(?:have|has|had|got|with|and|is|was|having|lost|leaves|left|w/)|['’](?:s|ve|m|d))\san?\s$"
)
_TITLES_TOO = frozenset("father sister brother mother brothers sisters sons daughters son uncle".split())


def _is_kin(match: re.Match[str]) -> bool:
    """Not "Father Brown", "Sons of Mercy", "the Son Hotel", "Warner Brothers" or "a mother needs sleep"."""
    said, before = match.group("m"), match.string[max(0, match.start() - 16) : match.start()]
    if _ANYBODY.search(before) and not _HAVING.search(before):
        return False
    if said[0].islower() or said.lower() not in _TITLES_TOO:
        return True
    if _NAME_FOLLOWS.match(match.string, match.end()):
        return said == "Uncle"
    return not (said.endswith("s") and before.rstrip("& ")[-1:].isalpha())


_NOT_OF_ONE = (
    r"(?!\s(?:women|men|people|persons|couples?|life|mothers|fathers|parents|families|workers|"
    r"applicants|names?|quarters|filing|allowance|students)\b)"
)
_SUBJECT = (
    r"(?:(?:[A-Za-z]{2,}(?:ology|ography|onomy|onomics|istry|ematics|onics|osophy|ecture|opathy|iatry)|[Mm]aths?|[Ll]aw|[Mm]edicine|[Nn]ursing|[Mm]idwifery|[Hh]istory|[Ee]nglish(?:\s[Ll]it(?:erature)?)?|[Aa]rts?|[Ff]ine\s[Aa]rts?|[Mm]usic|[Dd]rama|[Tt]heatre"
    r"|[Pp]hysics|[Ee]conomics|[Pp]olitics|[Ll]inguistics|[Ss]tatistics|[Ee]lectronics|[Gg]enetics|[Cc]lassics|[Ee]thics|PPE|PE|RE|IT|ICT|[Bb]usiness|[Mm]anagement|[Mm]arketing|[Ff]inance|[Aa]ccount(?:ing|ancy)|[Cc]omputing|[Cc]omputer\s[Ss]cience|[Dd]ata\s[Ss]cience|[Ee]ducation|[Tt]eaching"
    r"|[Ss]ocial\s(?:[Ww]ork|[Pp]olicy|[Ss]ciences?|[Ss]tudies)|[Pp]harmacy|[Dd]entistry|[Vv]et(?:erinary)?\s(?:[Mm]edicine|[Mm]ed|[Ss]cience)|[Ff]orestry|[Aa]griculture|[Hh]orticulture|[Hh]ospitality|[Cc]atering|[Tt]ourism|[Jj]ournalism|[Mm]edia|[Ff]ilm|[Dd]esign|[Ff]ashion|[Tt]extiles|[Dd]ance|[Ff]rench|[Ss]panish|[Gg]erman|[Ww]elsh|[Ii]rish"
    r"|[Ll]atin|[Gg]reek|[Aa]rabic|[Mm]andarin|[Cc]hinese|[Rr]ussian|[Ii]talian|[Jj]apanese|[Tt]heology|[Dd]ivinity|[Rr]eligious\s[Ss]tudies|[Ll]iterature|[Ll]anguages|[Hh]umanities|[Cc]riminology|[Pp]ublic\s[Hh]ealth|[Pp]hysiotherapy|[Rr]adiography|[Oo]ptometry|[Cc]arpentry|[Jj]oinery|[Pp]lumbing|[Ww]elding|[Hh]airdressing|[Bb]eauty|[Bb]ricklaying"
    r"|[Ee]ngineering|[Ss]cience|[Bb]iomed(?:icine|ical\s[Ss]cience)?|[Nn]euroscience|[Mm]idwife|[Pp]sych|[Ee]con|[Bb]io|[Cc]hem|[Cc]ommerce|[Hh]ealth\s(?:and|&)\s[Ss]ocial\s[Cc]are|[Cc]hildcare|[Ss]ports?\s[Ss]cience|[Mm]echanics|[Aa]ccounts|[Mm]ech(?:anical)?\s[Ee]ng|[Cc]iv(?:il)?\s[Ee]ng|[Ee]lec(?:trical)?\s[Ee]ng|[Cc]hem\s[Ee]ng|[Cc]omp\s?[Ss]ci|[Bb]io\s?[Cc]hem|[Bb]io\s?[Ss]ci|[Pp]oli\s?[Ss]ci|[Ee]nglish\s[Ll]it)"
    r"(?:\s(?:[Ss]cience|[Ee]ngineering|[Ss]tudies|[Hh]istory|[Mm]anagement|[Aa]dministration|[Tt]echnology|[Tt]herapy|[Ll]iterature))?)"
)
# "mechanical engineering", "French and history", "marine biology with Spanish"
_SUBJECTS = (
    rf"(?:(?:(?!(?:the|this|that|his|her|my|your|our|their|some|any|no|more|an?|in|of|as|and|to|for|at)\s)[A-Za-z][a-z]+\s)??{_SUBJECT}"
    rf"(?:(?:\s(?:and|with|&)\s|,\s|/)(?:[A-Za-z][a-z]+\s)?{_SUBJECT}){{0,2}})"
)
_RULES: tuple[Rule, ...] = (
    rule(
        "somebody's relative",
        rf"\b{_WHOSE}\s(?P<m>{_MODIFIER}{_KIN})\b(?!\s(?:company|companies|organisation"
        rf"|organization|tongue|country|land|board|language|nature|hood))",
        "FAMILY",
        0.6,
    ),
    rule(
        "children and siblings counted",
        rf"(?<![\w.,])(?P<m>(?:{NUMBER_WORDS}|\d{{1,2}}|[Nn]o|[Ss]everal)(?:[-\s](?:year|month|week)[-\s]old)?\s(?:(?:younger|older|elder|little|small|young"
        rf"|grown-up|adult|adopted|minor|teenage|school-age)\s)?(?:children|kids|sons?|daughters?|brothers?|sisters?|siblings|grandchildren|grandkids"
        rf"|stepchildren|twins|dependants|dependents|wives|nippers|bairns|weans|grandsons?|granddaughters?|great-grandchildren|stepsons?|stepdaughters?|nieces|nephews|little\sones|foster\schildren))\b",
        "FAMILY",
        0.7,
        check=lambda match: (
            match.group().split()[0].lower() != "one"
            or match.group().split()[-1].lower() in ("son", "daughter", "child", "brother", "sister", "twins")
        ),
    ),
    rule(
        "parent of several",
        r"\b(?:[Mm]um|[Mm]om|[Dd]ad|[Mm]other|[Ff]ather|[Mm]ommy|[Dd]addy|[Pp]arent|[Gg]randmother|[Gg]randfather|[Gg]randma|[Gg]ran|[Gg]randad|[Gg]randparent)(?:-|\s)(?:of|to)(?:-|\s)(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|twins)\b",
        "FAMILY",
        0.85,
    ),
    # "granny Jean", "(husband)", "Son (Curtis", "wife died": in notes nobody writes whose
    rule(
        "relative in a note",
        rf"(?:(?<=\()|(?<=[.;:]\s)|(?<=,\s)|(?<=\n)|(?<=since\s)|(?<=with\s)|(?<=and\s)|(?<=that\s)|(?<=by\s)|(?<=from\s)|(?<=of\s))(?P<m>(?i:{_KIN}))"
        rf"(?=\)|\s\([A-Z]|,\s[A-Z][a-z]+(?:,|\s[A-Z])|\s(?:[A-Z][a-z]+(?:[,.;)]|\s[a-z])|has\b|had\b|is\b|was\b|died|deceased|called|rang|phoned|reports?|reported|lives|works|still|in\s[A-Z]|aware|informed|present|states?|says|said))"
        rf"(?<!\bex)",
        "FAMILY",
        0.65,
    ),
    # "little sister Citlali (9)", "plus uncle Shabs", "a cousin in Gaziantep", "There is a son, Andrzej"
    rule(
        "relative and a name",
        rf"(?<![\w-])(?P<m>(?:{_SECONDS}\s)?{_NEAREST})(?=\x20[{UPPER}][{LOWER}]+(?:[-‑][{UPPER}][{LOWER}]+)?(?:\s|[,.;:!?)’']|$))(?!\s(?:I|Mr|Mrs|Ms|God|Christ)\b)",
        "FAMILY",
        0.65,
    ),
    rule(
        "a relative told of",
        rf"(?<!\w)(?:an?|one|every\ssingle|every|another|plus)\s(?P<m>(?:{_SECONDS}\s)?{_NEAREST})"
        rf"(?=\s(?:in|from|back\sin|living\sin|near|outside)\s(?:the\s)?[{UPPER}]|,?\s[{UPPER}][{LOWER}]+|\s(?:called|named)\s[{UPPER}]|\s\([{UPPER}\d])",
        "FAMILY",
        0.65,
    ),
    # "w/ mother and son (11)", "FH: father d. 61", "sister w/ lupus", "(5, daughter born 20 Jan)"
    rule(
        "relative in shorthand",
        rf"(?:(?<=w/\s)|(?<=w/)|(?<=\bFH:\s)|(?<=\bFHx:\s)|(?<=\bNOK:\s)|(?<=\bSH:\s)|(?<=\bNOK\s)|(?<=[Ss]een:\s))(?P<m>(?i:{_KIN}))(?![\w-])",
        "FAMILY",
        0.75,
    ),
    rule(
        "relative with a fact in shorthand",
        rf"(?<![\w-])(?P<m>(?i:{_NEAREST}))(?=\s(?:w/|d\.\s?\d|dec['’]?d|\(\d\d?\)|\(\d\d?\sand|born\s\d|alive\s(?:and|&)\swell|A&W)|,\s\d\d?[,;)]|\),\s\d\d?,)",
        "FAMILY",
        0.7,
    ),
    rule(
        "relatives who live with somebody",
        rf"\b(?:[Ll]ives?|[Ll]iving|[Ll]ived|[Ss]taying|[Ss]tays)\s(?:[^.;\n]{{0,30}}?\s)?(?:with|w/)\s(?:an?\s|the\s)?(?P<m>{_KIN})(?![\w-])",
        "FAMILY",
        0.65,
    ),
    # A column of a table: "Fatima          wife        01/01/1978", or an item of a list: "son, Danny Nguyen"
    rule(
        "relative in a column",
        rf"(?:(?<=[\x20\t]{{2}})|(?<=\t)|(?<=\|\s))(?P<m>(?i:{_KIN}|dau|dtr|m-in-law|f-in-law|bro|sis))(?=[\x20\t]{{2,}}\S|\t|\s\||\sof\s[{UPPER}]|,\s[{UPPER}])",
        "FAMILY",
        0.7,
    ),
    # "husband drives for UPS": posts and notes begin so, without whose
    rule(
        "relative who does something",
        r"(?:(?:^|(?<=\n))[\x20\t•*-]*|(?<=[.;:!?]\s))(?P<m>(?:husband|wife|hubby|mum|mom|dad|bf|gf|boyfriend|girlfriend|fianc[eé]e?|(?:mother|father|sister|brother)[\s-]in[\s-]law"
        r"|parents|sister|brother|son|daughter))(?=\s(?:drives|works|worked|pick|picks|does|did|earns|runs|teaches|lives|lived|makes|stays|came|comes|says|thinks|wants|doesnt|doesn['’]t)\b)",
        "FAMILY",
        0.65,
    ),
    rule(
        "parents of a people",
        rf"(?<!\w)(?:born\s(?:in\s[{UPPER}]\w+\s)?to|of)\s(?:an?\s)?[{UPPER}][a-z]+(?:[-\s][{UPPER}][a-z]+)?\s(?P<m>parents)\b",
        "FAMILY",
        0.65,
    ),
    # "to help his lola", "my Oma", "Tita Baby", "Kuya Jun"
    rule(
        "somebody's kin in another tongue",
        rf"\b(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Yy]our|[Tt]heir|ur|yr)\s(?:late\s|dear\s|own\s|old\s)?(?P<m>{_KIN_ABROAD})(?![\w-])",
        "FAMILY",
        0.6,
    ),
    rule(
        "kin in another tongue before a name",
        rf"(?<![\w'’-])(?P<m>{_KIN_ABROAD_SURE}|Lola|Lolo|Tita|Tito|Ate|Nana|Nani|Oma|Opa|Baba|Dada|Dadi|Auntie|Aunty|Tante|Tannie|Oom|Gogo|Malume|Zia|Zio|Tia|Tio|Didi|Khalto|Ammo|Masi|Bua)(?=\s[{UPPER}][{LOWER}]+)",
        "FAMILY",
        0.6,
        check=lambda match: (
            match.group("m") != "Ate"
            or match.string[max(0, match.start() - 2) : match.start()].rstrip(" ").isalpha()
        ),
    ),
    rule("surely kin in another tongue", rf"(?<![\w'’-]){_KIN_ABROAD_SURE}(?![\w-])", "FAMILY", 0.5),
    rule(
        "kin in another tongue",
        rf"(?<![\w'’-])(?P<m>{_KIN_ABROAD}(?=\s{_SPEAK}\b)|(?<=says\s){_KIN_ABROAD}(?=[.,;!?])|(?<=with\s){_KIN_ABROAD}\b)",
        "FAMILY",
        0.6,
    ),
    # "that's the wife", "an infant daughter", "the nephew of the founder", "changed from father to husband"
    rule(
        "relative",
        rf"(?<![\w-])(?P<m>(?:(?:[Ff]oster|[Ss]tep|[Hh]alf|[Gg]reat|[Bb]irth|[Aa]doptive|[Mm]aternal|[Pp]aternal|[Tt]win)\s)?(?i:{_SURELY_KIN}))(?![\w-])(?!\s(?:company|companies|organisation|organization|tongue|country|land|board|boards|ship|figure|figures|superior|lode|nature|earth|plant|cell|cells|in\s[Cc]hrist|Christmas|confessor|site|house\sof)\b)"
        rf"(?!['’]s?\s(?:[Dd]ay|[Aa]llowance|[Pp]ension|[Rr]ights|[Mm]eeting|[Uu]nion)\b)",
        "FAMILY",
        0.5,
        check=_is_kin,
    ),
    # "Parents are in Camborne", "the kids", "both parents", "her twin", "our youngest", "lives with partner"
    rule(
        "relatives of somebody here",
        r"(?:(?<=[.;:!?]\s)|(?<=\n)|(?<=^))(?P<m>(?:[Pp]arents|[Pp]artner|[Kk]ids|[Cc]hildren|[Ss]iblings|[Tt]wins?|[Ss]pouse|[Ee]ldest|[Yy]oungest|[Gg]ran|[Nn]an|[Mm]ama|[Pp]apa|[Mm]issus|[Mm]am))(?=\s(?:are|is|was|were|has|have|had|live|lives|lived|died|work|works|both|separated|divorced|in\s[A-Z]"
        r"|from\s[A-Z]|cannot|can['’]?t|doesn['’]?t|don['’]?t|won['’]?t|will|says|said|rang|called|\([A-Z0-9]|aware|deceased|supportive|abroad)\b|,\s[A-Z])",
        "FAMILY",
        0.6,
    ),
    rule(
        "the relatives",
        r"(?<!\w)(?:[Tt]he|[Bb]oth|[Bb]oth\sof\s(?:his|her|my|their)|[Mm]e\sand|with\sthe|and\sthe|[Ss]upport\sis|plus|[Ww]ith|[Aa]nd|to|from)\s(?P<m>(?:in-laws|outlaws|kids|missus|missis|parents|gran|nan|folks|grandkids|wee\s(?:one|ones|fella|lad|lass|man)|little\sones?|twins|bairns?|weans?|partner|spouse|eldest|youngest"
        r"|(?:two|three|four|five|2|3|4|5)\s(?:girls|boys|kids|lads|lasses|bairns|wee\sones|youngest|eldest|oldest|little\sones)))(?![\w-])(?!\s(?:company|organisation|organization|school|council|evening|agency|agencies|governor|room|beds?|ages?|organisations)\b)(?!['’])",
        "FAMILY",
        0.5,
        check=lambda match: (
            match.group("m") not in ("partner", "spouse", "parents", "gran", "nan")
            or (
                match.group().split()[0].lower() in ("with", "both", "from", "support", "me", "the")
                and (
                    match.group("m") not in ("partner", "spouse")
                    or match.group().split()[0].lower() in ("with", "from")
                )
            )
        ),
    ),
    # "my boy goes to college", "our eldest", "her little one", "his old man", "our Cheryl's"
    rule(
        "somebody's boy or girl",
        r"\b(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Yy]our|[Tt]heir)\s(?P<m>(?:(?:little|oldest|eldest|youngest|middle|baby|two|three|four|older|younger|big|wee|teenage|other|own|first|second|late)\s){0,2}(?:boy|boys|girl|girls|lad|lads|lass|lasses|oldest|eldest|youngest|little\sones?|wee\sones?|wee\sman|baby|babies|bairns?|weans?"
        r"|toddler|newborn|teenagers?|teens?|firstborn|first-born|old\sman|old\slady|better\shalf|other\shalf|fella|bloke|man|missus|folks|family|household|relative|relatives|ancestors|dependants?|dependents?|ward|next\sof\skin|significant\sother|soulmate|betrothed|late\shusband|late\swife))(?![\w-])(?!\s(?:friends?|scouts?|names?|doctor|business|life|tree|history|room))",
        "FAMILY",
        0.5,
        check=lambda match: (
            match.group("m") not in ("man", "family", "household", "lads", "fella", "bloke")
            or (
                match.group().lower().startswith(("my", "our"))
                and match.group("m") not in ("family", "household")
            )
        ),
    ),
    # "by dau and SIL", "my MIL", "DH says": in-laws and others as notes and forums shorten them
    rule(
        "relative shortened",
        r"(?:\b(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|and|with|by|w/|from|[Tt]he|[Pp]er)\s|[.;:(/]\s?|(?<=\n))(?P<m>MIL|FIL|SIL|BIL|DIL|dau|Dau|dtrs?|Dtrs?|[Hh]usb|hubs|GM|GF|BF|DH|DD|DS|bro|sis|grandson|g/son|g/dtr|g/daughter|gd)(?=[\s,.;:)/’'])(?=\s(?:and|&|says|said|rang|called|has|had|is|was|will|lives|in|at|from|who|to|with|w/|aware|present|informed|visits|visiting|[A-Z(])|[,.;:)/])",
        "FAMILY",
        0.55,
        check=lambda match: (
            match.group("m") not in ("GM", "DD", "DS", "GF", "BF")
            or match.group().lower().startswith(("my ", "his ", "her ", "our "))
        ),
    ),
    # "NOK = brother in law", "Contact: mum", "NOK - wife Jean", "(dtr)", "Emergency contact: sister"
    rule(
        "relative to be called",
        rf"(?:\b(?:NOK|N\.O\.K\.|[Nn]ext\sof\s[Kk]in|ICE|[Ee]mergency\s[Cc]ontact|[Cc]ontact|[Rr]elationship|[Rr]elation|[Cc]arer|LPA|POA|[Hh]ousehold|[Dd]ependants?)\s?(?:[:=–-]|is)\s?)(?P<m>(?i:{_KIN}))(?![\w-])",
        "FAMILY",
        0.7,
    ),
    rule("kin as a name", rf"(?<![\w’']){_KIN_AS_NAME}(?=[\s,.’'!?)])", "FAMILY", 0.65),
    rule(
        "kind of parent",
        rf"{_BE}(?P<m>(?:single|expectant|stay-at-home|unmarried|pregnant|proud|new"
        rf"|working)\s(?:mother|father|mom|mum|dad|parent)|(?:mother|father)\sof\s(?:\w+\s)?"
        rf"(?:children|kids|sons|daughters|twins|one|two|three|four|five|six|\d))\b",
        "FAMILY",
        0.85,
    ),
    rule(
        "giving birth",
        r"\b(?:gave|given|giving|gives)\sbirth(?:\sto\s(?:an?\s|their\s|her\s|twins"
        r"|triplets)?(?:\w+\s)?(?:son|daughter|child|baby|boy|girl)?)?",
        "FAMILY",
        0.8,
    ),
    rule(
        "family word",
        r"\b(?:breadwinner|[Oo]nly\schild|[Oo]rphan(?:ed)?|[Ff]oster\scarers?|[Aa]dopted(?=\s(?:as|at|from|when|by)\b)|[Kk]ids\sx\s?\d|[Cc]hildren\sx\s?\d|\d\sch(?=[.,;]))(?![\w-])",
        "FAMILY",
        0.7,
    ),
    rule(
        "marital status",
        rf"{_BE}(?P<m>(?:un|re|newly\s)?married|divorced|widowed|separated|engaged"
        rf"(?=\sto\s(?:be\smarried|[A-Z]|my|his|her|an?\s))|single(?=[.,;!?]|\sand\b|$)"
        rf"|an?\s(?:bachelor|widow|widower|divorcee|spinster)|bachelor|widow|widower"
        rf"|divorcee|spinster|cohabit(?:ing|ed))\b",
        "MARITAL",
        0.8,
    ),
    rule(
        "marital status field",
        r"\b(?:marital\sstatus|family\sstatus)\s?[:\-]\s?(?P<m>\w+)",
        "MARITAL",
        0.9,
    ),
    rule(
        "marrying or divorcing",
        r"\b(?:[Hh]e|[Ss]he|I|[Tt]hey|who|applicants?|couple)\s(?:had\s|have\s|has\s)?"
        r"(?P<m>(?:got\s)?(?:married|divorced|remarried))\b",
        "MARITAL",
        0.7,
    ),
    rule(
        "marital status in a list",
        r"(?<=,\s)(?:single|married|divorced|widowed|separated|unmarried)(?=,\s|\.\s)|(?:(?<=[:.]\s)|(?<=\n))(?:[Dd]ivorced|[Ww]idowed|[Uu]nmarried|[Mm]arried|[Ss]eparated)(?=[.,;]|\stho|\swith\b|\sto\b|\n|$)"
        r"|(?<=[Ii]m\s)(?:divorced|married|single|widowed|separated)\b",
        "MARITAL",
        0.75,
    ),
    # "Divorced last summer", "We married in the church", "widowed since Easter", "newly-wed"
    rule(
        "married, divorced or widowed",
        r"(?<![\w-])(?P<m>(?:(?:[Rr]ecently|[Nn]ewly|[Hh]appily|[Tt]wice|[Oo]nce|[Nn]ever|[Ff]irst|[Ll]egally|[Jj]ust|[Ss]till|[Nn]ot)[-\s])?(?:[Mm]arried|[Rr]emarried|[Rr]e-married|[Uu]nmarried|[Dd]ivorced|[Dd]ivorcing|[Ww]idowed|[Nn]ewly[-\s]?weds?)"
        r"|[Dd]ivorcee|[Cc]ohabit(?:s|ing|ed|ant)|[Ee]stranged(?=\s(?:wife|husband|from))|[Pp]olyamorous|[Ww]idower(?!['’s]))(?![\w-])"
        + _NOT_OF_ONE,
        "MARITAL",
        0.5,
    ),
    # "Post her marriage in February", "since his divorce", "going through a divorce"
    rule(
        "somebody's marriage",
        rf"\b(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Yy]our|[Tt]heir|[{UPPER}]\w+['’]s|through\sa|through|messy|bitter|nasty|acrimonious|recent|since\sthe|after\sthe|after\sa|[Ss]econd|[Ff]irst|[Tt]hird|[Aa]rranged|[Ff]orced)\s(?P<m>(?:(?:first|second|third|recent|previous|former|failed|arranged|own|late|upcoming|civil|silver|golden|ruby|diamond)\s)?(?:marriage|divorce|remarriage|separation|engagement|break-?up|wedding(?:\sanniversary)?|civil\spartnership|honeymoon|widowhood))(?![\w-])",
        "MARITAL",
        0.55,
    ),
    # "split up with her boyfriend", "separated from his wife", "getting divorced", "filed for divorce"
    rule(
        "parting",
        r"(?<!\w)(?P<m>(?:[Ss]plit(?:ting|s)?|[Bb]r(?:oke|eaking|oken|eaks?))[-\s]up(?=\s(?:with|from|in\s[\dA-Z]|last|after|when|two|three)|[.,;!?])|[Ss]plit\sfrom|[Bb]reak-?up(?=\swith)|[Gg](?:et|ets|ot|etting)\s(?:married|divorced|engaged(?!\s(?:with|in|by)\b)|hitched|a\sdivorce)|[Ff]il(?:ed|ing|es?)\sfor\s(?:a\s)?divorce|[Ss]eparat(?:ed|ing)(?=\sfrom\s(?:his|her|my|your|the|their)\s(?:[a-z]+\s)?(?:wife|husband|partner|spouse|ex|father|mother|kids|children)"
        r"|\sfrom\s[A-Z]|\s(?:in|since|last|two|three|a\syear)\b)|(?<=ly\s)separated(?=[.,;)]|\sand\b|\sfrom\b)|(?<=\bnow\s)separated|(?<=[Ww]e\s)wed(?=\s)|(?<=[Tt]hey\s)wed(?=\s)|[Tt]ied\sthe\sknot|[Ww]alked\sout\son\s(?:him|her|me|us))(?![\w-])",
        "MARITAL",
        0.55,
    ),
    # "civil partner", "common-law wife", "lives with partner", "single mum", "living together"
    rule(
        "kind of partnership",
        r"(?<![\w-])(?P<m>[Cc]ivil\spartner(?:ship|ed)?|[Cc]ommon[-\s]law\s(?:wife|husband|spouse|partner|marriage)|[Ll]ife\spartner|[Ll]ong[-\s]term\s(?:partner|relationship|boyfriend|girlfriend|gf|bf)|[Pp]revious\s(?:relationship|marriage)|[Ff]ormer\spartner|[Ss]ame[-\s]sex\s(?:partner|couple|marriage)|[Ii]n\sa\s(?:[a-z-]+\s)?relationship|[Ll]iving\s(?:together|in\ssin)|[Ss]ingle\s(?:mum|mom|mother|dad|father|parent|man|woman|lady|guy)"
        r"|[Ll]one\sparent|[Nn]ever[-\s]married|[Mm]arried\s(?:man|woman|couple)|[Ss]pinster|[Cc]onfirmed\sbachelor|[Nn]ewlyweds?|[Oo]pen\s(?:marriage|relationship)|[Ff]ianc[ée]e?|[Bb]etrothed|[Ww]ar\swidow|[Mm]ail-order\sbride)(?![\w-])",
        "MARITAL",
        0.55,
    ),
    # "ended in divorce", "the divorce came through", "engaged since Christmas", "Widow, lives alone"
    rule(
        "divorce, engagement or widowhood told",
        r"(?<![\w-])(?P<m>(?:(?<=ended\sin\s)|(?<=since\sthe\s)|(?<=after\sthe\s)|(?<=[Tt]he\s))[Dd]ivorce(?=\s(?:came|went|last|papers)\b|[.,;])|(?<=ended\sin\s)divorce|[Ee]ngaged(?=\s(?:since|last|to\s(?:[A-Z]|be|my|his|her|an?))\b)|(?:(?<=[.;:]\s)|(?<=\n)|(?<=^)|(?<=,\s))(?:[Ww]idow|[Ww]idower|[Bb]achelor|[Dd]ivorcee)(?=[,;.]))(?![\w-])",
        "MARITAL",
        0.6,
    ),
    # "STATUS: widowed", "Civil status  single", "M/S: married", "Single, no kids", "Status - div."
    rule(
        "status of marriage in a note",
        r"(?<![\w-])(?:[Ss]tatus|STATUS|[Cc]ivil\s[Ss]tatus|CIVIL\sSTATUS|M/S|MS|[Rr]elationship\s[Ss]tatus|SH|[Ss]ocial)\s?[:=–-]?\s{1,12}(?P<m>(?i:single|married|divorced|widowed|widow|widower|separated|engaged|cohabiting|unmarried|never\smarried|div|sep|civil\spartnership))(?![\w-])",
        "MARITAL",
        0.8,
    ),
    rule(
        "single in a note",
        r"(?:(?<=[.;:!?(]\s)|(?<=\n)|(?<=\())(?:[Ss]ingle|[Ee]ngaged|[Ss]eparated)(?=[,;.)]\s?(?:no|one|two|three|four|\d|lives|mum|mom|dad|father|mother|with|and)\b|\s(?:and|with|w/)\s(?:no|one|two|three|\d)|\s(?:for|since)\s(?:\d|[a-z]+\s(?:years|months)))",
        "MARITAL",
        0.6,
    ),
    # "BSc (Hons)", "CMA (Inter)", "M.A.Ed.", "B.Com", "LL.B", "Bachelor of Forestry"
    rule(
        "degree of the world",
        r"(?<![\w.&/-])(?:B\.?\s?Com(?:m)?|M\.?\s?Com(?:m)?|B\.?\s?Tech|M\.?\s?Tech|B\.?\s?Ed|M\.?\s?Ed|M\.?A\.?Ed|Ed\.?D|B\.?\s?Sc|M\.?\s?Sc|D\.?\s?Sc|B\.?\s?Eng|M\.?\s?Eng|LL\.?\s?[BMD]|M\.?B\.?B\.?S|M\.?B\.?Ch\.?B|BDS|MDS|BVSc|BVMS|BVetMed|DVM|DDS|DMD|B\.?\s?Pharm|M\.?\s?Pharm|B\.?Arch|M\.?Arch|BCA|MCA|BBA|BBM|PGDM|PGDCA"
        r"|M\.?Phil|D\.?Phil|Ph\.?\s?D|Th\.?D|B\.?Th|M\.?Div|B\.?D|S\.?T\.?B|J\.?D|S\.?J\.?D|Psy\.?D|Pharm\.?D|D\.?N\.?P|B\.?S\.?N|M\.?S\.?N|B\.?S\.?W|M\.?S\.?W|B\.?F\.?A|M\.?F\.?A|B\.?Mus|M\.?Mus|M\.?L\.?I\.?S|M\.?P\.?A|M\.?P\.?H|M\.?P\.?P|BSEd|BEEd|BSBA|BSIT|BSCS|BSN|BSA|AB|HND|HNC|OND|NCE|PGCE|PGDE|PGDip|PGCert|QTS|NVQ|SVQ|BTEC|IGCSE|MRCP|MRCS|FRCS|FRCP|MRCGP|FRACS"
        r"|FCA|ACA|ACCA|FCCA|CIMA|CPA|CFA|CMA|CISSP|PMP|Dipl\.?-?Ing|Mag\.?a?|Lic\.?|Ing\.?(?=\s?[,)])|Staatsexamen|Habilitation|Vordiplom)"
        r"\.?(?:\s?\((?:[Hh]ons?|[Ii]nter|[Ff]inal|[Ff]oundation|[Pp]ass|[Cc]antab|[Oo]xon|[Ll]ond|[Dd]unelm|[A-Z][a-z]+)\.?\)|\sHons\.?)?(?:\s(?:in\s)"
        rf"{_SUBJECTS})?(?![\w-])",
        "EDUCATION",
        0.6,
        check=lambda match: match.group().rstrip(".") not in _ALSO_ELSE or _schooling(match),
    ),
    rule(
        "bachelor, master or doctor of",
        r"(?<!\w)(?:(?:[Hh]onou?rs\s)?[Bb]achelor(?:['’]?s)?|[Mm]aster(?:['’]?s)?|[Dd]octor(?:ate)?|[Aa]ssociate|(?:[Pp]ostgraduate\s|[Gg]raduate\s|[Hh]igher\s|[Nn]ational\s|[Aa]dvanced\s)?(?:[Dd]iploma|[Cc]ertificate)|[Ff]oundation\s[Dd]egree|[Hh]onou?rs\s[Dd]egree|[Ff]irst[-\s]class\s(?:[Dd]egree|[Hh]onou?rs)|[Dd]egree)\s(?:[Dd]egree\s)?(?:of|in)\s"
        rf"(?:{_SUBJECTS}|(?:Applied\s|Fine\s|Laws?\b|Arts|Science|Philosophy|Forestry|Commerce|Education|Divinity|Letters|Medicine|Surgery|Music|Technology|Architecture|Nursing|Pharmacy|Theology)(?:\s(?:in\s|and\s|of\s)?[A-Z][a-z]+){{0,3}})",
        "EDUCATION",
        0.75,
    ),
    # "Second year zoology", "final-year medic", "1st yr nursing student"
    rule(
        "year of a course",
        rf"(?<![\w-])(?:[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth|[Ff]inal|[Ll]ast|1st|2nd|3rd|4th|5th)[-\s](?:[Yy]ear|[Yy]r)(?:\sof)?\s(?:{_SUBJECTS}(?:\s(?:student|degree|undergrad|undergraduate))?|(?:uni|university|college|undergrad|undergraduate|med|medical|law|vet|PhD|doctoral|nursing)(?:\s(?:student|school))?|student|medic|apprentice|resident)(?![\w-])",
        "EDUCATION",
        0.7,
    ),
    # "A level welsh", "GCSE maths", "AP Chemistry", "Higher English", "NVQ level 3 in childcare"
    rule(
        "school subject",
        rf"(?<![\w-])(?:A[-\s]?[Ll]evels?|AS[-\s]?[Ll]evels?|O[-\s]?[Ll]evels?|a[-\s]levels?|GCSEs?|gcses?|IGCSEs?|Highers?|Advanced\sHighers?|AP|IB|T[-\s][Ll]evels?|BTECs?|btec|NVQs?|nvq|SVQ|[Ll]evel\s[1-8]|2[:.][12]\sin|[Ff]irst\sin|City\s(?:and|&)\sGuilds)(?:\s[Ll]evel\s?\d)?\s(?:in\s)?{_SUBJECTS}(?![\w-])",
        "EDUCATION",
        0.75,
    ),
    # "doing A level welsh", "studies law", "reading classics", "a PhD in glaciology"
    rule(
        "studying a subject",
        rf"\b(?:[Ss]tud(?:y|ies|ied|ying)|(?:is|was|['’]s|['’]m|been)\s[Rr]eading|[Mm]ajor(?:s|ed|ing)\sin|[Mm]ajor\sin|[Mm]inor(?:ed|ing)?\sin|[Gg]raduated?(?:\sin|\swith\s[^.;\n]{{2,30}}?\sin)|[Dd]egree(?:\sin)?|[Ll]ectur(?:es|ed|er|ing)\sin|[Qq]ualified\sin|[Tt]rained\sin|[Dd]iploma\sin|[Cc]ourse\sin|[Pp]h\.?[Dd]\.?\sin|[Dd]octorate\sin|[Mm]aster['’]?s\sin|undergrad\sin|student\sof|[Ff]ellowship\sin|scholarship\sin|[Aa]pprenticeship\sin|does|doing|did|taking)\s(?P<m>{_SUBJECTS})(?![\w-])"
        r"(?!\s(?:questions?|book|books|paper|homework|stuff|things|work|is|was|cases?|firm|for\sthe\s))",
        "EDUCATION",
        0.55,
    ),
    # "since year nine", "in Grade Five", "Primary 3", "Standard Eight", "form 4", "S4", "Class X"
    rule(
        "year at school in words",
        r"(?<![\w-])(?:[Yy]ear|[Yy]r|[Gg]rade|[Ff]orm|[Ss]tandard|[Ss]td)\s(?:[Oo]ne|[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Ss]even|[Ee]ight|[Nn]ine|[Tt]en|[Ee]leven|[Tt]welve|[Tt]hirteen)(?![\w-])|(?<![\w-])(?:[Ss]tandard|[Pp]rimary|[Ff]orm|Class)\s(?:[1-9]|1[0-2]|X|XI|XII|IX|VIII)(?=[.,;)\n]|\s(?:at|in|and|pass|student|pupil|leaver)\b|$)"
        r"|(?<![\w-])(?:[Rr]eception|Year\s(?:1[0-3]|[1-9])|Yr\s?(?:1[0-3]|[1-9])|Y(?:1[0-3]|[1-9])|P[1-7]|S[1-6]|Grade\s(?:1[0-2]|[1-9]))(?=\s(?:class|pupil|student|teacher|boy|girl|at\s[A-Z])\b)",
        "EDUCATION",
        0.6,
    ),
    rule(
        "leaving school",
        r"(?<!\w)(?:(?:[Ll]eft|[Ll]eaving|[Qq]uit|[Ff]inished|[Cc]ompleted|[Aa]ttended|[Gg]raduated\s(?:from)?|[Gg]raduate\sof)\s?(?:high\sschool|secondary\sschool|primary\sschool|elementary\sschool|middle\sschool|grammar\sschool|boarding\sschool|sixth\sform|vocational\s(?:school|college|training)|night\sschool|trade\sschool|technical\scollege|teacher\straining|medical\sschool|med\sschool|law\sschool|nursing\sschool|art\sschool|drama\sschool|school(?=\s(?:at|aged|when|in|without|early|with\sno)\b)|uni(?:versity)?(?=\s(?:at|in|with|without|early)\b))"
        r"|(?:[Dd]ropp?(?:ed|ing)|[Ff]lunk(?:ed|ing)|[Kk]icked|[Ff]ailed)\sout\sof\s(?:high\sschool|school|college|uni(?:versity)?|sixth\sform|med(?:ical)?\sschool|law\sschool|grad\sschool|[A-Za-z]+\sschool)|[Hh]ome[-\s]?schooled|(?:[Ee]xpelled|[Ee]xcluded|[Ss]uspended)\sfrom\s(?:school|college|uni(?:versity)?)|(?:[Ff]ailed|[Pp]assed|[Ss]at)\s(?:my|his|her|the)\s(?:11|eleven)[-\s]plus|[Mm]atriculat(?:ed|ion|e)(?=\s(?:in|from|with|at|\d)|[.,;])|(?:SSC|HSC|HSSC|SSLC|PUC)(?=\s\(?(?:19|20)\d\d)|(?:[Nn]o|[Ww]ithout)\s(?:formal\s)?(?:qualifications|schooling|education)(?=[.,;)\n]|\sand\b|$)|[Ss]chool\sleaver|[Hh]igh\s[Ss]chool\s(?:graduate|dropout|drop-out|senior|junior|sophomore|diploma|student)|[Cc]ollege\s(?:graduate|dropout|drop-out|student|senior|junior|degree)"
        r"|[Uu]niversity\s(?:graduate|dropout|student|degree)|[Uu]ni\s(?:student|dropout)|[Ii]lliterate|[Ss]ixth[-\s]former|[Uu]ndergrad(?:uate)?(?:\sstudent)?|[Pp]ostgrad(?:uate)?(?:\sstudent)?|[Pp]ost-?doc|[Gg]rad\sstudent|[Ff]resher|[Vv]aledictorian|(?:PhD|MA|MSc|MBA|LLM|MPhil|DPhil)\s(?:student|candidate|researcher)|[Ll]evel\s\d\s(?:[Dd]iploma|NVQ|apprentice(?:ship)?)|[Mm]ature\sstudent|[Ee]xchange\sstudent|[Ee]rasmus\sstudent|[Ff]oreign\sstudent)(?![\w-])",
        "EDUCATION",
        0.6,
    ),
    # "10th pass", "12th std fail", "in his second year at medical school", "in reception at Hillside"
    rule(
        "class passed, or year of studies",
        r"(?<![\w-])(?:(?:[5-9]|1[0-2])th\s(?:std\.?\s|standard\s|class\s)?(?:pass(?:ed)?|fail(?:ed)?)|(?:[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth|[Ff]inal|1st|2nd|3rd|4th)\s(?:year|yr)\s(?:at|of|in)\s(?:(?:med(?:ical)?|law|art|drama|vet|nursing|grad(?:uate)?|dental)\sschool|uni(?:versity)?|college|sixth\sform|(?:his|her|my|an?|their)\s(?:degree|PhD|studies|apprenticeship|course))"
        r"|(?<=in\s)[Rr]eception(?=\s(?:at\s[A-Z]|class|now)))(?![\w-])",
        "EDUCATION",
        0.6,
    ),
    # "STEM strand", "the science stream", "arts track", "Abitur 2009"
    rule(
        "strand at school",
        r"(?<![\w-])(?:STEM|ABM|HUMSS|GAS|TVL|ICT|[Aa]rts|[Ss]cience|[Cc]ommerce|[Hh]umanities|[Tt]echnical|[Vv]ocational|PCM|PCB|[Ll]anguages?)\s(?:strand|stream|track)(?![\w-])",
        "EDUCATION",
        0.7,
    ),
    rule(
        "degree and subject",
        r"(?<![\w.])(?:B\.?Sc|M\.?Sc|B\.?A|M\.?A|M\.?Eng|B\.?Eng|Ph\.?D|M\.?B\.?A|LL\.?[BM]|M\.?Phil|D\.?Phil|B\.?Ed|M\.?Ed|MBBS|HND|PGCE|GCSEs?|A-[Ll]evels?|Diploma|Bachelor(?:\sof\s\w+)?"
        r"|Master(?:\sof\s\w+)?|NVQ(?:\sLevel\s\d)?|BTEC|Doctorate)\.?(?:\s\(?Hons\.?\)?)?\s(?:in\s)?[A-Z][a-z]+(?:\s(?:and\s|&\s|of\s)?[A-Z][a-z]+){0,3}",
        "EDUCATION",
        0.8,
    ),
    rule(
        "degree in agriculture, arts or the like",
        r"(?<![\w.])(?:BAgr|BAgrSc|BAcc|BArch|BBA|BCom|BComm|BDes|BFA|BMus|BN|BPharm|BSN|BTech|MAcc|MArch|MBBCh|MBChB|MChem|MCom|MDes|MFA|MLitt|MMath|MPA|MPH|MPharm"
        r"|MPhys|MRes|MSN|MSW|MTech|MusB|DPharm|PharmD|EdD|PGDip|PGCert|CertHE|DipHE|HNC|FdA|FdSc)(?:\s\(?Hons\.?\)?)?(?:\s(?:in\s)?[A-Z][a-z]+(?:\s(?:and\s|&\s|of\s)?[A-Z][a-z]+){0,3})?(?!\w)",
        "EDUCATION",
        0.75,
    ),
    rule(
        "leaving certificate",
        r"(?<![\w-])(?:GED|STPM|SPM|Abitur|Matura|Leaving\sCert(?:ificate)?|Junior\sCert(?:ificate)?|[Bb]accalaur[eé]at(?:e)?|IB\s[Dd]iploma|A[-\s][Ll]evels|AS[-\s][Ll]evels|O[-\s][Ll]evels"
        r"|GCSEs?|NCEA(?:\s[Ll]evel\s\d)?|HSC|ATAR|WASSCE|KCSE|KCPE|CSEC|[Hh]igh\s[Ss]chool\s(?:[Dd]iploma|[Ee]quivalency)|BTECs?|NVQs?|T\sLevels?)(?![\w-])",
        "EDUCATION",
        0.65,
        check=lambda match: not match.group().startswith(("SPM", "HSC", "GED")) or _schooling(match),
    ),
    rule(
        "associate degree",
        r"\b[Aa]ssociate(?:['’]?s)?\s[Dd]egree(?:\sin\s[A-Za-z]+(?:\s(?:[A-Z][a-z]+|science|studies|technology|engineering|administration))?)?",
        "EDUCATION",
        0.8,
    ),
    # "in fifth grade", "7th gr", "is in Year 10"
    rule(
        "class at school",
        r"(?<!\w)(?:(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)\s(?:grade|class|form)(?=[.,;)\"”’]|\s(?:at|in|and|when|teacher|class|then|but|I)\b|$)(?<!second\sclass)(?<!first\sclass)"
        r"|(?:[1-9]|1[0-2])(?:st|nd|rd|th)\s(?:grade|gr\b\.?)(?:r\b)?)",
        "EDUCATION",
        0.7,
    ),
    rule(
        "year at school",
        r"(?:\b(?:[Ii]n|[Ii]nto|[Ss]tarts?|[Ss]tarted|[Ss]tarting|[Ll]eft\sin|[Ff]inished)\s(?P<m>(?:Year|Yr|year|yr|Form|Grade|grade|gr)\s(?:1[0-3]|[1-9])|Sixth\sForm|sixth\sform|[Kk]indergarten))"
        r"(?=[.,;)]|\s(?:at|and|now|with|this|when)\b|\n|$)",
        "EDUCATION",
        0.65,
    ),
    rule(
        "year at college",
        r"(?:(?<=\ba\s)|(?<=:\s)|(?<=\bas\sa\s)|(?<=\bis\s)|(?<=\bmy\s)|(?<=\bher\s)|(?<=\bhis\s)|(?<=,\s))(?:college\s|high\sschool\s)?(?:sophomore|freshman)(?:\syear)?(?=[.,;)\n]|\s(?:at|in|and|year|majoring|who)\b|$)",
        "EDUCATION",
        0.7,
    ),
    rule(
        "major subject",
        r"\b(?:[Dd]ouble[\s-][Mm]ajor(?:\sin|:)?|[Mm]ajor(?:ing|ed)\sin|[Mm]ajor:|[Mm]ajor\sin|[Mm]inor\sin)\s(?P<m>(?:bio|chem|math|econ|psych|phys|comp|poli|engl|hist|soci|anthro|philo|geo|neuro|ling|journ|account|nurs|educ|engin|business|art|dance|music|theat|law|film|stat)[a-z]*(?:\ssci(?:ence)?)?"
        r"(?:\s?(?:/|&|and)\s?[a-z]{3,})?)",
        "EDUCATION",
        0.7,
    ),
    rule(
        "going to read a subject",
        r"\b(?:off\sto|at|going\sto|place\sat|offer\sfrom)\s[A-Z][a-z]+\sto\s(?:do|read|study)\s(?P<m>[a-zA-Z][a-z]+(?:\s(?:and|with)\s[a-zA-Z][a-z]+)?)",
        "EDUCATION",
        0.75,
    ),
    rule(
        "class of a degree",
        r"(?<![\w:.,/-])(?:2[:.][12]|1st|2i{1,2})(?=\s\(?[Hh]ons|\s(?:in|from)\s[A-Z]|\s?(?:\n|$))",
        "EDUCATION",
        0.6,
        check=lambda match: (
            _DEGREE.search(match.string, max(0, match.start() - 90), match.start()) is not None
        ),
    ),
    rule(
        "student of a subject",
        r"\b(?:doctoral|PhD|graduate|postgraduate|undergraduate|master['’]?s|medical|law|nursing|engineering|first-year|second-year|third-year|final-year)\s"
        r"(?:student|candidate)(?:\sin\s[a-z]+(?:\s[a-z]+ing)?)?\b",
        "EDUCATION",
        0.75,
    ),
    rule(
        "academic title",
        r"\b(?:Ph\.?D\.?|M\.?B\.?A\.?|LL\.?[MB]\.?|B\.Sc\.?|M\.Sc\.?|BSc|MSc|B\.A\.|M\.A\.|MD)"
        r"(?!\w)",
        "EDUCATION",
        0.6,
    ),
    rule(
        "academic degree",
        r"\b(?:(?:bachelor|master|doctor)['’]?s?(?:\sdegree)?\s(?:in|of)\s[A-Za-z]+"
        r"(?:\s(?:and\s)?[A-Z][a-z]+)?|(?:bachelor|master)['’]s\sdegree|(?:university"
        r"|college|law|engineering|medical|doctoral|doctorate|PhD)\s(?:degree|graduate"
        r"|diploma)|doctorate(?:\sin\s\w+)?|degree\sin\s\w+(?:\s(?:and\s)?\w+ing)?)\b",
        "EDUCATION",
        0.75,
    ),
    rule(
        "field of study",
        r"\b(?:[Hh]e|[Ss]he|I|who)\s(?:\w+ed\s|is\s|was\s)?(?:studie[sd]|studying"
        r"|majored\sin|majoring\sin|graduated\sin)"
        r"\s(?!(?:in|and|at|the|for|with|to|on|under|hard|abroad|it|there|by|from|as|a)\b)(?P<m>[a-z]+(?:\s(?:and\s)?(?:science"
        r"|engineering|studies|law|history|literature))?)\b(?!\s(?:the|this|that"
        r"|at))",
        "EDUCATION",
        0.6,
    ),
)


@recognizers.register("demographics")
@dataclass(frozen=True)
class Demographics:
    """Family, marital status and education, where they are said of a person."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="demographics")
