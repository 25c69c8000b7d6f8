"""Organizations by their head noun, the named ones told from those that a common noun names.

"Kartal First Instance Court" singles out a place, "the Court of Cassation" does not: a run of
capitalized words around a head noun is ORG (or FAC) if one of its words is not of the general
vocabulary of institutions, and INSTITUTION, which is not sensitive, if all of them are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.knowledge.places import countries
from heteronym.knowledge.wordlists import nationalities
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import LOWER, MONTHS, UPPER, Rule, find, rule

_CAP = rf"[{UPPER}](?:(?:[\w‑.-]|[’'](?!s\b))*\w)?"
_LINK = r"(?:of|for|the|and|in|on|de|des|du|la|le|di|für|der|von|w|&)"
_RUN = re.compile(
    rf"(?<![\w’'‑-])(?:\d{{1,2}}(?:st|nd|rd|th)\s|“(?={_CAP}))?{_CAP}(?:[’'](?=\s{_CAP}))?"
    rf"(?:(?:,?\s(?:{_LINK}\s){{0,3}}|\s&\s){_CAP}(?:[’'](?=\s{_CAP}))?)*”?"
)
# A gloss in the original language behind a name belongs to it: "Regional Court (Sąd Okręgowy)"
_GLOSS = re.compile(rf"”?\s\((?!the\s|“|hereafter|hereinafter)[{UPPER}a-z][{LOWER}{UPPER}’'.“” -]{{2,60}}\)")
_WORD = re.compile(r"[^\s,“”]+")

_PUBLIC = frozenset(
    "Court Courts Tribunal Tribunals Government Governments Ministry Ministries "
    "Parliament Senate Assembly Commission Committee Council "
    "Board Office Department Agency Authority Authorities Directorate Chamber "
    "Chambers Section Division Registry Prosecutor Prosecutors Police "
    "Inspectorate Registrar Treasury Revenue Cabinet Congress Secretariat Service "
    "Services Administration Minister Ombudsman Bar Army Navy Forces "
    "Gendarmerie Municipality Prefecture Governorate Commissioner Commissioners "
    "Bench Judiciary Union Nations Delegation Governor President "
    "Presidency Attorney Agent Embassy Consulate Grand Institute Fund Society "
    "Party Association Federation Bank Faculty".split()
)
_BUILDINGS = frozenset(
    "Hospital Clinic Prison Airport Station Hotel Stadium Museum Library Church "
    "Cathedral Mosque Synagogue Temple Monastery Castle Palace "
    "Theatre Theater Cinema Bridge Tower Mall Arena Barracks Camp Harbour Harbor "
    "Port Cemetery Garden Gardens Park Square Centre Center "
    "Jail Gaol Penitentiary Sanatorium Abbey Hall House".split()
)
_PRIVATE = frozenset(
    "University College School Academy Company Corporation Corp Corp. Inc Inc. "
    "Ltd Ltd. LLC LLP plc PLC GmbH AG S.A. SA SpA NV BV AB Oy A.Ş. KG "
    "Club Foundation Trust Group Holdings Holding Industries Airlines Airways "
    "Railways Newspaper Press Publishing Publishers Orchestra Band "
    "Team FC Laboratories Laboratory Bank Insurance Cooperative Co-operative "
    "Co. Bros Brothers & Associates Partners Solicitors League "
    "Movement Front Army Brigade Congregation Witnesses Order Charity Network "
    "Studios Records Pharmaceuticals Motors Systems Technologies Media "
    "Broadcasting Radio Television Times Post Gazette".split()
)
_HEADS = _PUBLIC | _BUILDINGS | _PRIVATE
# Words that say of which kind an institution is, and not which one of the kind.
_GENERAL = _PUBLIC | frozenset(
    "Supreme High Highest Higher Lower Constitutional Administrative Civil "
    "Criminal Commercial Labour Labor Social Tax Fiscal Financial Military "
    "Martial Security State States Federal National Regional District Local "
    "Central General Principal Chief Public First Second Third Fourth Fifth "
    "Sixth Seventh Eighth Instance Appeal Appeals Appellate Cassation Assize "
    "Magistrate Magistrates Magistrate's Magistrates’ Magistrates' "
    "Magistrate’s Crown County Circuit City Municipal Provincial Juvenile Family "
    "Children Probate Land Lands Surveys Patent Labour Employment "
    "Welfare Pensions Pension Justice Interior Defence Defense Foreign Affairs "
    "External Internal Finance Economy Economic Economics Agriculture Food "
    "Health Education Culture Transport Environment Energy Trade Industry Commerce "
    "Science Technology Tourism Sport Sports Youth Work Works "
    "Housing Development Planning Home Prime Deputy Assistant Vice Great Grand "
    "Plenary Full Joint Permanent Standing Special Investigating Disciplinary "
    "Law Legal Rights "
    "Human Fundamental European International Republic Kingdom Union Nations "
    "United World Member Contracting High Party Parties Respondent "
    "Investigation Investigations Medical Forensic Medicine Expert Experts "
    "Appointments Election Electoral Audit Auditors Accounts Accountants "
    "Judges Judge Court's Court’s Government's Government’s Roads Highways "
    "Customs Excise Immigration Nationality Asylum Refugee Refugees Border "
    "Prisons "
    "Prison Correctional Penitentiary Parole Probation Execution Sentences "
    "Enforcement Bailiff Bailiffs Notary Notaries Lawyers Advocates Doctors "
    "Physicians "
    "Chamber's Prosecutor's Prosecutor’s Prosecutors' Prosecutors’ Prosecution "
    "Prosecutions Attorney's Attorney’s Attorneys Governor's Governor’s Mayor "
    "Mayor's Mayor’s "
    "Ombudsman's Head Director Directorate Registry Sub Under Inter Intelligence "
    "Secret Anti-Terrorism Terrorism Organised Crime Crimes Serious "
    "Fraud Drugs Narcotics Traffic Fire Rescue Emergency Emergencies Jurisdiction "
    "Competent Ordinary Extraordinary Senior Junior Upper Body Bodies Organ "
    "Organs "
    "Monitoring Supervisory Advisory Consultative Executive Legislative Judicial "
    "Council's Committee's Ministers Deputies Representatives Lords Commons "
    "Peers "
    "Revenue Inland Benefits Compensation Insurance Funds Treasury Registration "
    "Cadastre Cadastral Property Restitution Privatisation Agrarian Agricultural "
    "Reform Land "
    "Forest Forestry Water Waters Sea Maritime Aviation Civil-Service Servants "
    "Servant Retired Personnel Staff Armed Air Force Forces Coast Guard Guards "
    "Reserve "
    "Directorate-General Secretary Secretary-General Undersecretary Prevention "
    "Torture Inhuman Degrading Treatment Punishment Discrimination Equality "
    "Data Protection "
    "Applicant Applicants Sections Divisions Criminal-Law Civil-Law No Presiding "
    "Procurator Procurator's Advocate Advocate-General Bench Quarter Sessions "
    "Peace Claims "
    "University Instance's Commonwealth Dominion Office Offices Post Telecommunications "
    "Communications Information Press Media Radio Television Statistics Statistical "
    "Census Weather Standards".split()
)
_LEADING = frozenset(
    "The A An In On At By To From Before After Under With For And Or But When "
    "While That This These Those As If Since During Against Within Moreover "
    "However "
    "According Further Furthermore Subsequently Thereupon Meanwhile Later Then "
    "His Her Their Its Our My Your It He She They We I Both Each Every All "
    "No Not Mr Mrs Ms Dr".split()
)
_LAW_WORDS = frozenset(
    (
        "Act Acts Code Codes Rules Rule Bill Ordinance Instrument Convention Article "
        "Articles Law Laws Protocol Constitution"
    ).split()
)
_DAYS = frozenset(MONTHS) | frozenset("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
_HOLDERS = frozenset(
    (
        "President Minister Governor Judge Attorney Prosecutor Commissioner Mayor "
        "Chancellor Agent Registrar Ombudsman Secretary Director"
    ).split()
)
_OFFICES = frozenset("Army Navy Minister President Head Director Commander Judge".split())
_TRAILING = frozenset("of for the and in on de du la & der von".split())

# Whoever works there is told by any institution, even by one without a name of its own.
_EMPLOYED = re.compile(
    r"\b(?:[Ww]ork(?:s|ed|ing)?\s(?:for|at|in|with)|[Ee]mployed\s(?:by|at|with|in)|[Ee]mployees?\sof|[Jj]ob\s(?:at|with)"
    r"|[Ii]ntern(?:ed|ing|ship)?\s(?:at|with)|[Jj]oined|[Cc]areer\s(?:at|in|with))\s(?:the\s)?$"
)

_MORE: tuple[Rule, ...] = (
    # A state that is party to a dispute, in its full style
    rule(
        "state in a dispute",
        rf"\b(?:against|v\.|versus)\s(?:the\s)?(?P<m>(?:(?:Federal|Islamic|Slovak"
        rf"|Czech|French|Italian|Hellenic|Portuguese)\s)?(?:Republic|Kingdom|Principality"
        rf"|Grand\sDuchy|Federation)(?:\sof\s(?:the\s)?{_CAP}(?:\s{_CAP})?)?|Russian\sFederation"
        rf"|Swiss\sConfederation|United\sKingdom(?:\sof\sGreat\sBritain\sand\sNorthern\sIreland)?)"
        rf"(?!\w)",
        "INSTITUTION",
        0.9,
    ),
    # "the Government", "the domestic courts" and their like in any capitals
    rule(
        "organ of a state",
        r"(?<![\w’'])(?:[Tt]he\s)?(?P<m>(?:(?:[Rr]espondent|[Dd]omestic|[Nn]ational"
        r"|[Cc]entral|[Ff]ederal)\s)?(?:Governments?|Court|Commission|Parliament"
        r"|State|States|Registry|Chamber|Grand\sChamber|Agents?|Section|High\sContracting\sPart"
        r"(?:y|ies)|Vice-President|Co-Agents?))(?![\w-]|\s[A-Z])",
        "INSTITUTION",
        0.9,
    ),
    # Companies by their legal form, with lower-case and quoted parts
    rule(
        "company by legal form",
        rf"(?<![\w])(?:“?{_CAP}”?[\s,]+(?:(?:{_CAP}|and|&|und|et|y|i|of)\s){{0,5}}?)"
        rf"(?:GmbH(?:\s&\sCo\.?\sKG)?|AG|Ltd\.?|Limited|Inc\.?|LLC|LLP|plc|PLC|S\.A\.?"
        rf"|SpA|S\.p\.A\.|N\.V\.|B\.V\.|A\.Ş\.|Sp\.\sz\so\.o\.|d\.o\.o\.|Oyj?|Corp\.?"
        rf"|Corporation)(?!\w)",
        "ORG",
        0.95,
    ),
    # "works for Tesco", "a student at Holderness Sixth Form", "shifts at Amazon"
    rule(
        "where somebody works or learns",
        rf"\b(?:[Ww]ork(?:s|ed|ing)?|[Ee]mployed|[Jj]obs?|[Ss]hifts?|[Ss]tudent|[Pp]upil|[Ss]tud(?:y|ies|ied|ying)|[Tt]each(?:es|ing|er)?|[Tt]aught|[Ii]ntern(?:ed|ing|ship)?|[Aa]pprentice(?:d|ship)?|[Vv]olunteer(?:s|ed|ing)?"
        rf"|[Tt]emp(?:s|ed|ing)?|[Cc]ontract(?:ed|ing)?|[Cc]onsult(?:ed|ing)?|[Dd]riv(?:e|es|ing)|[Dd]rove|[Pp]lay(?:s|ed|ing)?|[Ll]andlord|[Ll]andlady|[Rr]etired|[Dd]egree|[Pp]lace|[Ii]nterviews?|[Oo]ffer)\s"
        rf"(?:(?:nights|days|part-time|full-time|shifts|there|in\s[a-z]+|as\san?\s[a-z]+(?:\s[a-z]+)?)\s)?(?:at|for|with|from|of)\s(?:the\s)?"
        rf"(?P<m>{_CAP}(?:\s(?:(?:and|&|of|the|for)\s){{0,2}}{_CAP}){{0,4}})",
        "ORG",
        0.65,
        check=lambda match: _employs(match.group("m")),
    ),
    rule(
        "after a word for an organization",
        rf"\b(?:[Tt]he\s)?(?:company|firm|newspaper|daily|weekly|magazine|association"
        rf"|foundation|charity|band|NGO|organisation|organization|publishing\shouse)"
        rf"(?:\s(?:called|named|of))?,?\s(?P<m>[“\"‘'][^”\"’'\n]{{2,60}}[”\"’']|{_CAP}"
        rf"(?:\s(?:ve\s|und\s|and\s|&\s)?{_CAP}){{0,4}})",
        "ORG",
        0.8,
        check=lambda match: match.group("m").strip("“”\"‘’'") not in _LEADING,
    ),
)


def _employs(surface: str) -> bool:
    head = surface.split()[0]
    return (
        head not in _LEADING
        and head not in _TRAILING
        and head not in _DAYS
        and head not in ("I", "He", "She", "It", "They", "We", "Mr", "Mrs", "Ms", "Dr")
        and not names_nobody(surface)
    )


def _is_general(word: str) -> bool:
    bare = word.strip(".,’'").removesuffix("'s").removesuffix("’s")
    return (
        bare in _GENERAL
        or word in _GENERAL
        or bare in nationalities()
        or bare in countries()
        or word[0].isdigit()
    )


def names_nobody(surface: str) -> bool:
    """Whether an organization's name is made of general words alone: 'District Court'."""
    words = [word.strip("“”,") for word in surface.split()]
    return any(word in _PUBLIC for word in words) and all(
        word in _TRAILING or _is_general(word) for word in words if word
    )


@recognizers.register("institutions")
@dataclass(frozen=True)
class Institutions:
    """Named organizations and buildings (ORG, FAC), and institutions without a name (INSTITUTION)."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        result = find(texts, _MORE, source="institutions")
        for text, spans in zip(texts, result):
            for run in _RUN.finditer(text):
                if _HEADS.isdisjoint(run.group().replace(",", " ").replace("”", " ").split()):
                    continue
                spans.extend(_read(text, run.start(), run.end()))
        return result


def _read(text: str, start: int, end: int) -> list[Span]:
    """What a run of capitalized words with a head noun in it is."""
    tokens = [(m.start(), m.end(), m.group()) for m in _WORD.finditer(text, start, end)]
    while tokens and (tokens[0][2] in _LEADING or tokens[0][2] in _TRAILING):
        tokens.pop(0)
    while tokens and tokens[-1][2] in _TRAILING:
        tokens.pop()
    if not tokens:
        return []
    # "the White House on Tuesday": a day or a month ends the run.
    for i, (_, _, token) in enumerate(tokens):
        if token in _DAYS:
            return _read(text, tokens[0][0], tokens[i - 1][1]) if i else _read(text, tokens[0][1], end)
    if (
        len(tokens) > 1
        and tokens[0][2] in _HOLDERS
        and tokens[1][2] not in _TRAILING
        and not _is_general(tokens[1][2])
    ):
        return []  # "President Obama" is a person
    # "J. Smith of the Ministry of Justice": what stands before the "of" is no institution.
    for i in range(1, len(tokens)):
        if tokens[i][2] in _TRAILING:
            if not any(t in _HEADS or t in _GENERAL for _, _, t in tokens[:i]) and any(
                t in _HEADS for _, _, t in tokens[i:]
            ):
                return _read(text, tokens[i][0], end)
            break
    # A list ("the Ministry of Justice and the Prosecutor", "Court, Government") is several runs.
    for i in range(1, len(tokens) - 1):
        comma = text[tokens[i - 1][1] : tokens[i][0]].startswith(",")
        joined = (
            tokens[i][2] in ("and", "in")
            and any(t in _HEADS for _, _, t in tokens[:i])
            and any(t in _HEADS for _, _, t in tokens[i + 1 :])
            and (tokens[i + 1][2] == "the" or tokens[i][2] == "in")
        )
        if comma or joined:
            return _read(text, tokens[0][0], tokens[i - 1][1]) + _read(text, tokens[i][0], end)
    words = [t for _, _, t in tokens]
    if not any(word in _HEADS for word in words) or (
        not _LAW_WORDS.isdisjoint(words) and "Martial" not in words
    ):
        return []
    first, last = tokens[0][0], tokens[-1][1]
    if words[-1] in _GENERAL and words[0] in _OFFICES and "of" not in words and len(words) < 3:
        return [Span(first, last, "INSTITUTION", 0.8, "institutions", "office without a name")]
    if _EMPLOYED.search(text, max(0, first - 40), first):
        return [Span(first, last, "ORG", 0.85, "institutions", "employer")]
    named = [word for word in words if word not in _TRAILING and not _is_general(word)]
    only_heads = all(word in _HEADS for word in named)
    if not named or (only_heads and len(words) == 1):
        return [Span(first, last, "INSTITUTION", 0.9, "institutions", "institution of general words")]
    if only_heads and not any(word in _BUILDINGS or word in _PRIVATE for word in words):
        return [Span(first, last, "INSTITUTION", 0.8, "institutions", "institution of head nouns")]
    gloss = _GLOSS.match(text, last)
    if gloss is not None:
        last = gloss.end()
    heads = [word for word in words if word in _HEADS]
    kind = "FAC" if heads[-1] in _BUILDINGS else "ORG"
    return [Span(first, last, kind, 0.85, "institutions", "name and head noun")]
