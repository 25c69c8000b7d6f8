"""Names of people by their titles, initials and first names.

A title or an initial marks whatever capitalized words follow; a known first name does together with
the words behind it. Honorifics are part of the mention ("Mr Smith"), words of office are not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from heteronym.knowledge.places import countries, great_cities, regions
from heteronym.knowledge.wordlists import first_names, peoples, words
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import LOWER, MONTHS, NAME_WORD, UPPER, Rule, find, rule

_INITIALS = rf"(?:[{UPPER}]\.(?:\s?|-))"
_PARTICLE = (
    r"(?:van|von|der|den|de|di|da|del|della|du|la|le|bin|ibn|al|el|ten|ter|zu"
    r"|y|dos|das|af|av|O['’]|St\.)"
)
_ACRONYM = rf"[{UPPER}]{{3,}}(?:-[{UPPER}]{{3,}})?"
_STOP = (
    r"(?!(?:Court|Government|Article|Section|Law|Act|Ministry|District|Regional"
    r"|Supreme|On|In|At|The|He|She|They|It|And|But|When|After|Before|University"
    r"|Street|Road|Hospital|Prison|Party|Ltd|Inc|Co|I|Mr|Mrs|Ms|Dr|Signed|Dear|Both|Sent|Tel)\b)"
)
_NAME_PART = rf"(?:{_STOP}(?:{NAME_WORD}|{_ACRONYM}))"
_NAME = (
    rf"(?:{_INITIALS}{{0,4}}(?:{_PARTICLE}\s){{0,2}}{_NAME_PART}(?:(?:\s|[-‑])"
    rf"(?:{_INITIALS}){{0,3}}(?:{_PARTICLE}\s){{0,2}}{_NAME_PART}){{0,3}})"
)
_HONORIFIC = (
    r"(?:Mr|Mrs|Ms|Miss|Mx|Messrs|Mme|Mlle|Monsieur|Madame|Herr|Frau|Señor|Señora"
    r"|Sr|Sra|Dr|Prof|Professor|Doctor|Sir|Dame|Lady|Lord|Rev|Reverend|Fr|Sister"
    r"|Brother|Uncle|Aunt|Auntie|Maître)\b\.?"
)
_OFFICE = (
    r"(?:Judge|Justice|President|Vice-President|Prime\sMinister|Minister|Senator"
    r"|Governor|Mayor|Ambassador|Captain|Major|Colonel|General|Lieutenant|"
    r"Sergeant|Corporal|Private|Officer|Detective|Inspector|Commissioner|Chancellor"
    r"|King|Queen|Prince|Princess|Pope|Bishop|Archbishop|Cardinal|"
    r"Imam|Rabbi|Sheikh|Chief|Director|Chairman|Secretary|Coach|Nurse|Congressman"
    r"|Congresswoman|Representative|Attorney|Counsel|Atty\.?|Inv\.|S/Const|Const\.?|Sen\.|Dep\.|Ofc\.?|Det\.|Sgt\.?|Cpl\.?|Lt\.|Capt\.?"
    r"|Insp\.?|Supt\.?|Cllr\.?|Councillor|Constable|Deputy)"
)
_INITIALS_ONLY = rf"(?:[{UPPER}]\.\s?){{1,3}}[{UPPER}]\."


@cache
def _lists() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    common = words("common_words")
    elsewhere = frozenset(countries()) | frozenset(regions()) | great_cities() | peoples() | frozenset(MONTHS)
    first = first_names()
    sure = frozenset(
        name for name in first if name.lower() not in common and name not in elsewhere and len(name) > 2
    )
    return first, sure, words("surnames")


def _not_a_heading(match: re.Match[str]) -> bool:
    """'I. The facts' and 'A. Criminal proceedings' are numbered headings, not initials."""
    parts = match.group().replace(".", ". ").split()
    names = [part for part in parts if not part.endswith(".")]
    if "".join(part for part in parts if part.endswith(".")) in _ABBREVIATIONS:
        return False  # "P.S. Mabel wrote"
    common = words("common_words")
    if any(name.isupper() and name.lower() in common for name in names):
        return False
    line_start = match.start() == 0 or match.string[match.start() - 1] in "\n\r"
    return not (line_start and names and names[0].lower() in common)


def _not_an_abbreviation(match: re.Match[str]) -> bool:
    return re.sub(r"\s", "", match.group("m")) not in _ABBREVIATIONS


_AFTER_A_VERB = re.compile(r"(?:\b(?:with|by|to|from|and|told|saw|met|[a-z]+ing|[a-z]+ed)\s)\Z")
_ABBREVIATIONS = frozenset(
    "U.S. U.K. U.N. E.U. U.S.A. U.S.S.R. U.A.E. D.C. P.O. B.C. A.D. P.S. N.B. "
    "R.I.P. Ph.D. M.D. B.A. M.A. M.B.A. J.D. L.A. N.Y. N.J. A.M. P.M. T.V. "
    "P.M. "
    "S.A. A.S. B.V. N.V. E.g. I.e. C.V. I.D. I.Q. D.J. V.P. F.C. A.G. A.Ş. "
    "D.O.B. D.O.D. D.O.A. N.O.K. R.S.V.P. A.K.A. P.P. P.T.O. L.P. R.S. Q.C. K.C. Q.B. W.L. H.L. P.R.".split()
)

_GENERIC = frozenset(
    "Court Government Supreme Constitutional District Regional Rapporteur Section "
    "Office Directorate Council Assembly Assistant Secretary Director Manager "
    "Committee Board "
    "Prosecutor Minister Public Deputy Chief Electric Motors Medical Hospital "
    "Federal Republic State Army Staff Officer".split()
)


def _is_first_name(match: re.Match[str]) -> bool:
    """A word that is known as a first name, whatever else it means."""
    return match.group("m").split()[0] in _lists()[0]


def _is_surely_a_name(match: re.Match[str]) -> bool:
    """A known first name, or a word that the dictionary does not have, and no people or place."""
    head = match.group("m").split()[0].rstrip(".")
    return head in _lists()[1] or not (head.lower() in words("common_words") or head in _elsewhere())


def _is_small_name(match: re.Match[str]) -> bool:
    return match.group("m").capitalize() in _lists()[1]


@cache
def _elsewhere() -> frozenset[str]:
    return frozenset(countries()) | frozenset(regions()) | great_cities() | peoples() | frozenset(MONTHS)


_RELATIVE = (
    r"(?:uncle|aunt|auntie|aunty|grandpa|grandma|granny|grandad|granddad|nana|cousin|nephew|niece|stepdad|stepmum|stepfather"
    r"|stepmother|colleague)"
)


_NEAR = (
    r"(?:mother|father|mum|mom|dad|brother|sister|son|daughter|wife|husband|partner|spouse|fianc[eé]e?|boyfriend|girlfriend|bf|gf|hubby|missus|nan|gran|granny|grandma|grandpa|grandad|uncle|aunt|auntie|cousin|nephew|niece"
    r"|grandson|granddaughter|stepson|stepdaughter|stepdad|stepmum|mate|friend|bestie|housemate|flatmate|roommate|room-?mate|neighbou?r|boss|supervisor|line\smanager|manager|colleague|carer|caregiver|key\s?worker"
    r"|landlord|landlady|teacher|tutor|coach|nurse|therapist|social\sworker|solicitor|lodger|ex|twin|baby|kid|lad|lass|pal|buddy|interpreter|NOK|next\sof\skin|emergency\scontact|dtr|dau)"
)
_ROLES_IN_SHORT = frozenset(
    "RN GP HR IT MD PA NP SW OT PT CEO CFO PM UK US EU NHS DR TV CCTV AOB TBC TBA NA ALL".split()
)

_RULES: tuple[Rule, ...] = (
    # Wilhelmina "Mina" van der Laag
    rule(
        "nickname between names",
        rf"(?<![\w’'.]){_NAME_PART}(?:\s{_NAME_PART})?\s[\"“‘'(]{NAME_WORD}[\"”’')]\s(?:{_PARTICLE}\s){{0,2}}{_NAME_PART}(?:\s{_NAME_PART})?",
        "PERSON",
        0.92,
        check=lambda match: "(" not in match.group() or match.group().split()[0] in _lists()[0],
    ),
    # IGE/BUKOLA MS, as on tickets
    rule(
        "name on a ticket",
        rf"(?<![\w/])(?P<m>[{UPPER}]{{2,}}/[{UPPER}]+)[ ]?(?:MR|MRS|MS|MISS|MSTR|DR)(?![\w/])",
        "PERSON",
        0.92,
    ),
    # thank you Precious
    rule(
        "name of who is thanked",
        rf"(?<!\w)(?:[Tt]hank\s(?:you|u)|[Tt]hanks|[Tt]hx|[Cc]heers|[Bb]less\syou),?\s(?P<m>{NAME_WORD})(?=\s?(?:[.,!?)\n]|$|for\b|at\b|from\b|and\b))",
        "PERSON",
        0.82,
        check=_is_first_name,
    ),
    # hi! I'm Mags, 46
    rule(
        "name of who speaks",
        rf"(?<!\w)(?:I['’]?m|[Ii]m|I\sam|[Tt]his\sis|[Ii]t['’]s)\s(?P<m>{NAME_WORD})(?=,\s(?:\d\d\b|aged?\b|an?\s|from\b|your\b)|\s(?:from|here|calling|speaking)\b)",
        "PERSON",
        0.82,
        check=lambda match: (
            _is_surely_a_name(match)
            if match.group()[0] in "Ii" and "t" not in match.group()[:2]
            else _is_first_name(match)
        ),
    ),
    # uncle Shabs, grandpa Ole Tollefsrud
    rule(
        "relative and name",
        rf"(?<!\w){_RELATIVE}\s(?P<m>{_NAME_PART}(?:\s{_NAME_PART})?)",
        "PERSON",
        0.82,
        check=_is_surely_a_name,
    ),
    # Jaxon P. with a lunchbox
    rule(
        "first name and initial",
        rf"(?<![\w’'.&-])(?P<m>{NAME_WORD}\s[{UPPER}]\.)(?=\s[a-z]|[,;)!?]|\s?\n)",
        "PERSON",
        0.82,
        check=lambda match: (
            match.group("m").split()[0] in _lists()[1]
            or (
                match.group("m").split()[0].lower() not in words("common_words")
                and match.group("m").split()[0] not in _elsewhere()
                and match.group("m").split()[0] not in _GENERIC
                and _AFTER_A_VERB.search(match.string, max(0, match.start() - 16), match.start()) is not None
            )
        ),
    ),
    # my name is priya, this is themba, uncle devon
    rule(
        "name in small letters",
        rf"(?<!\w)(?i:my\sname\s?(?:is|['’]s)|i['’]?m|i\sam|this\sis|its|{_RELATIVE}|call(?:ed)?\s(?:him|her|me))\s(?P<m>[{LOWER}]{{3,}})(?=\s?(?:[.,!?)\n]|$|and\b|from\b|or\b|here\b))",
        "PERSON",
        0.82,
        check=_is_small_name,
    ),
    # the wife (Cerys), my housemate Becs, his boss Grzegorz
    rule(
        "somebody near and their name",
        rf"(?<!\w)(?:(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir|[Yy]our|[Tt]he|[Aa]n?)\s)?(?:(?:ex|late|best|old|new|older|younger|eldest|youngest)[\s-])?{_NEAR}(?:,?\s\(?|\s=\s|:\s)(?P<m>{_NAME_PART}(?:\s{_NAME_PART})?)(?=[\s,.;:)!?’']|$)",
        "PERSON",
        0.8,
        check=_is_surely_a_name,
    ),
    rule(
        "somebody near, name in small letters",
        rf"(?<!\w)(?:(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir|ur|the)\s(?:ex[\s-]|best\s)?{_NEAR}\s\(?|[Aa]sk(?:ed)?\sfor\s|[Ss]poke\s(?:to|with)\s|[Nn]amed\s|[Cc]alled\s)(?P<m>[{LOWER}]{{3,}})"
        rf"(?=\s?[,.;:)!?\n]|$|\s(?:and|please|or|is|was|has|had|who|says|said|knows|told|came|went|lives|works|from|at|in|on|will|would|rang|called|asked|thinks|wants|got|did|does)\b)",
        "PERSON",
        0.8,
        check=_is_small_name,
    ),
    # "Spider" (real name Colin Vesey)
    rule(
        "nickname before the real name",
        rf"[\"“‘'](?P<m>{NAME_WORD}(?:\s{NAME_WORD})?)[\"”’']\s\((?:[Rr]eal\sname|[Ll]egal|[Bb]orn|[Aa][Kk][Aa]|[Ff]ull\sname)\b",
        "PERSON",
        0.85,
    ),
    # proposed NC, seconded DF; ACTION: JW
    rule(
        "initials of who did it",
        rf"(?<!\w)(?:[Pp]roposed|[Ss]econded|[Pp]rop\.|[Ss]ec\.|[Mm]oved|ACTION|[Aa]ction(?:ed)?|[Tt]yped|[Tt]ranscribed|[Dd]ictated|[Ii]nitial(?:l?ed|s)|[Ww]itnessed|[Cc]hecked|[Cc]ountersigned)(?:\sby)?:?\s(?P<m>(?:[{UPPER}]{{2,3}}|[{UPPER}](?:\.[{UPPER}]){{1,2}}\.?))(?![\w])",
        "PERSON",
        0.8,
        check=lambda match: match.group("m") not in _ROLES_IN_SHORT,
    ),
    # called him 'Bez', known as "Dusty"
    rule(
        "nickname in quotes",
        rf"\b(?:call(?:s|ed)?\s(?:him|her|me|them|himself|herself)|nicknamed|known\sas|goes\sby|answers\sto|(?:AKA|aka|a\.k\.a\.))\s[\"“‘'](?P<m>(?:{NAME_WORD}|[{UPPER}]{{3,}})(?:\s{NAME_WORD})?)[\"”’']",
        "PERSON",
        0.85,
    ),
    # name on it is S A Baptiste-Cole
    rule(
        "initials without points",
        rf"(?:\b[Nn]ame\s(?:on\s(?:it|the\s\w+)\s)?(?:is|was)\s|\b(?:[Ss]igned|[Ss]ignature|[Nn]ame|[Hh]older):?\s)(?P<m>(?:[{UPPER}]\s){{1,3}}{_NAME_PART}(?:\s{_NAME_PART})?)",
        "PERSON",
        0.88,
    ),
    # Spoke to K alone
    rule(
        "letter for a name",
        r"(?<!\w)(?:[Ss]poke|[Tt]alked|[Ss]peaking)\s(?:to|with)\s(?P<m>[A-HJ-Z])(?=\s[a-z]|[.,])",
        "PERSON",
        0.82,
    ),
    rule(
        "title and name",
        # "Mr Cz. Sławski": some tongues shorten first names to two letters
        rf"(?<![\w’']){_HONORIFIC}(?:\s(?:and|&)\s{_HONORIFIC})?\s(?:Justice\s|Judge\s)?"
        rf"(?:(?!Mr|Ms|Dr|Jr|Sr|St)[{UPPER}][{LOWER}]\.\s?)?"
        rf"(?:{_NAME}|{_INITIALS_ONLY}|[{UPPER}]\.?(?![\w.]))(?:\s(?:and|&)\s{_INITIALS}{{1,3}}{_STOP}{NAME_WORD}"
        rf"(?=[\s,.]))?",
        "PERSON",
        0.95,
    ),
    rule(
        "office and name",
        rf"(?<![\w’']){_OFFICE}\s(?P<m>{_INITIALS}{{0,3}}{_NAME_PART}(?:\s{_NAME_PART}){{0,2}})",
        "PERSON",
        0.7,
        check=lambda match: match.group("m").split()[0] not in _GENERIC,
    ),
    rule(
        "initials and name",
        rf"(?<![\w’'.&]){_INITIALS}{{1,4}}(?:{_PARTICLE}\s){{0,2}}{_NAME_PART}(?:"
        rf"(?:\s|[-‑]){_NAME_PART}){{0,2}}",
        "PERSON",
        0.85,
        check=_not_a_heading,
    ),
    rule(
        "name with a middle initial",
        rf"(?<![\w’'.&]){_NAME_PART}\s{_INITIALS}{{1,2}}\s?{_NAME_PART}",
        "PERSON",
        0.85,
    ),
    rule(
        "initials alone",
        rf"(?<![\w.&])(?P<m>{_INITIALS_ONLY})(?!\w)",
        "PERSON",
        0.6,
        check=_not_an_abbreviation,
    ),
    rule(
        "introduction or signature",
        rf"\b(?:[Mm]y\sname\s(?:is|was)|I['’]m\scalled|[Nn]amed|called|[Ss]igned,?"
        rf"|[Yy]ours\s(?:sincerely|truly|faithfully),?|(?:Best|Kind)\sregards,?|[Ll]ove,"
        rf"|Cheers,)\s+(?P<m>{_NAME_PART}(?:\s{_NAME_PART}){{0,2}})",
        "PERSON",
        0.75,
    ),
    rule(
        "salutation",
        rf"(?m:^)(?:Dear|Hi|Hello|Hey)\s(?P<m>{_NAME_PART}(?:\s{_NAME_PART})?)(?=\s?[,:!\n])",
        "PERSON",
        0.75,
        check=lambda match: (
            match.group("m")
            not in (
                *("All", "Everyone", "Sir", "Madam", "There", "Team", "Sirs", "Friends", "Folks", "Guys"),
                *(
                    "Colleague",
                    "Colleagues",
                    "Customer",
                    "Parent",
                    "Parents",
                    "Student",
                    "Students",
                    "Neighbour",
                ),
                *("Doctor", "Editor", "Members", "Residents", "Diary", "Hiring", "Applicant", "Candidate"),
            )
        ),
    ),
    rule(
        "relation and name",
        rf"\b(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir)\s(?:(?:best|old|good|late|little"
        rf"|big|older|younger|new|ex)[\s-])*(?:friends?|brother|sister|wife|husband"
        rf"|son|daughter|mother|father|uncle|aunt|cousin|boss|partner|girlfriend|boyfriend"
        rf"|colleague|neighbou?r|teacher|doctor|nephew|niece|roommate|dog|cat),?\s(?P<m>{_NAME_PART}"
        rf"(?:\s{_NAME_PART})?)",
        "PERSON",
        0.8,
    ),
)

_CANDIDATE = re.compile(
    rf"(?<![\w’'.@#-]){NAME_WORD}(?:(?:\s(?:{_PARTICLE}\s){{0,2}}|\s[{UPPER}]\.\s?){_STOP}{NAME_WORD}){{0"
    rf",3}}"
)


@recognizers.register("names")
@dataclass(frozen=True)
class Names:
    """People by title, initial and first name."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        first, sure, last = _lists()
        result = find(texts, _RULES, source="names")
        for text, spans in zip(texts, result):
            for match in _CANDIDATE.finditer(text):
                parts = match.group().split()
                head = parts[0]
                if head in sure:
                    if len(parts) == 1:
                        spans.append(Span(*match.span(), "PERSON", 0.6, "names", "first name"))
                    elif len(parts) <= 4 and _GENERIC.isdisjoint(parts):
                        score, how = (
                            (0.75, "first name and surname")
                            if parts[-1] in last
                            else (0.65, "first name and other words")
                        )
                        spans.append(Span(*match.span(), "PERSON", score, "names", how))
                elif (
                    len(parts) == 2
                    and head in first
                    and parts[1] in last
                    and head.lower() not in words("common_words")
                ):
                    spans.append(
                        Span(*match.span(), "PERSON", 0.6, "names", "doubtful first name and surname")
                    )
        return result
