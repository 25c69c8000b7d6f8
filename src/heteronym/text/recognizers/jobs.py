"""Occupations, ranks and offices where they are said of a person: "I am an engineer", "worked as a
teacher", "a lawyer by profession", "Jane, a retired nurse,", "Site Manager" below a name. An occupation
word alone ("ask a lawyer", "the judge decided") tells nothing about anybody.

Cost        one pass over the tokens for words of occupations; the words around are read only there
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, NamedTuple

from heteronym.knowledge.wordlists import first_names, words
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.phrases import Phrases
from heteronym.text.rule import LOWER, NAME_WORD, UPPER, Rule, find, rule


class _Frame(NamedTuple):
    """What stands before an occupation and behind it, so that it is said of a person."""

    name: str
    before: str  # a pattern, compiled when an occupation first stands behind it
    score: float
    after: str | None = None
    capital: bool = False  # the occupation is written as a title
    signs: tuple[
        str, ...
    ] = ()  # one of these stands before it: a plain search is far cheaper than the pattern
    alone: bool = False  # one person's: no plural, no word that is an adjective too


# "retired primary school", "non-commissioned", "year 4": what tells of which kind an occupation is
_KIND = (
    r"(?P<kind>(?:(?!(?:is|was|the|an?|his|her|and|or|of|in|for|to|who|that|very|good|bad|great|best|not|as|by|with|at)\b)"
    r"(?:[A-Za-z][a-z]+(?:-[a-z]+)*|[A-Z]{2,4})\s(?:\d{1,2}\s)?){0,3}?)$"
)
_TITLED_KIND = r"(?P<kind>(?:[A-Z][\w&-]*[ ](?:of[ ])?){0,4}?)$"
_BE = (
    r"\b(?:(?:I(?:['’]m|\sam|\swas)|[Ii]m|i['’]m|(?:[Hh]e|[Ss]he)(?:['’]?s|\sis|\swas)|(?:who|[a-z]+-in-law|applicant|plaintiff|claimant|victim|father"
    r"|mother|dad|mum|mom|husband|wife|brother|sister|son|daughter|partner|ex|uncle|aunt|grandfather|grandmother|boyfriend|girlfriend|hubby"
    r"|patient|client|suspect|witness)(?:\s(?:is|was)|['’]s)|became|becoming|become|been|being|(?:going|training|trained|studying|wants?|wanted|hopes|hoping|applied|retraining|learning)\sto\sbe))"
    r"\s(?:now\s|then\s|also\s|currently\s|formerly\s|at\sthe\smaterial\stime\s|once\s|just\s)?"
)
_WORK = (
    r"(?:\b(?:[Ww]ork(?:s|ed|ing)?|employed|serv(?:e|es|ed|ing)|act(?:s|ed|ing)?|appointed|job|career|trained|training|qualified"
    r"|practis(?:es|ed|ing)|retired|post|position|profession|occupation|elected|promoted(?:\sto)?|hired|chosen|selected|life|days|shifts?|years)\s(?:is\s|was\s)?(?:as|of|to\sbe|to)\s)"
)
_END_OF_LINE = (
    r"(?:\s(?:I{1,3}|IV|V|[1-5]))?[\x20\t]*(?:\n|$|,\s[A-Z]|\s\||\s[-–/·•]\s|\sat\s[A-Z]|\s\("
    r"|\sto\s(?:Dr|Mr|Mrs|Ms|Prof)\b)"
)
_RELATIVE = (
    r"(?:father|mother|dad|mum|mom|husband|wife|brother|sister|son|daughter|partner|uncle|aunt|cousin|nephew|niece|boyfriend|girlfriend"
    r"|hubby|fianc[eé]e?|[a-z]+-in-law)"
)
_FULL_NAME = rf"(?<!\w)(?:{NAME_WORD}|[{UPPER}]\.)(?:\s[{UPPER}]\.)?\s{NAME_WORD}"
# Heads that are jobs only with a word before them ("line lead", "deck hand"), and those that are adjectives
# or say something else where no article stands before them ("he is general", "she is major").
_NEEDS_KIND = frozenset("lead hand associate crew rep temp practitioner generalist".split())
_ADJECTIVES = frozenset(
    "general major minor model principal marine official orderly deputy fellow executive volunteer "
    "cardinal "
    "representative veteran contractor agent guard captain refugee private student".split()
)
_SPEAKS_FOR = frozenset("lawyer counsel solicitor barrister attorney advocate representative judge".split())
# Who merely acts in a case, or has a part in what is told: "the officer", "the other driver", "my landlord".
_ACTS = _SPEAKS_FOR | frozenset(
    "magistrate prosecutor registrar officer official coroner rapporteur bailiff notary commissioner "
    "inspector investigator agent driver rider passenger landlord landlady author owner leader volunteer "
    "student president minister governor senator ambassador doctor executive associate reporter captain "
    "insurer importer manufacturer distributor retailer vendor buyer dealer investor publisher producer "
    "developer promoter proprietor importer assessor examiner adjudicator mediator moderator keeper worker "
    "handler operator controller supervisor manager referee umpire hunter refugee trainee scholar activist "
    "spokesman spokeswoman spokesperson interpreter clerk detective constable sergeant guard commander "
    "secretary treasurer chairman chairwoman chairperson director general consul expert legislator".split()
)
# Words that are things, deeds or qualities as often as people.
_THINGS = frozenset(
    "printer washer dispenser cutter loader tester harvester spinner sander planner polisher "
    "compositor smelter "
    "conductor model guard marine general major principal cardinal minor private lead rep temp "
    "hand crew deputy "
    "fellow volunteer anchor reader tracker checker framer finisher renderer fencer tenor runner "
    "keeper guide "
    "lookout stripper scrapper guru lama medic scribe spy assembler blaster bottler presenter "
    "turner waller "
    "elder extra escort rating veteran official orderly student master scout comic critic academic".split()
)
# Short forms that are written in capitals or not; other words in capitals are headings and labels.
_SHORT = frozenset(
    "hca senco sendco hlta nqt lsa pcso cna lvn lpn rgn rmn odp srn cpn amhp idva isva".split()
)


# Up to three words before the noun, and the noun by its ending.
_WORDS = (
    r"(?:(?!(?:of|in|at|for|to|and|or|who|that|by|with|as|so|but|if|when|not|just|is|was|has|had|we|it|don|than|on|from"
    r"|she|he|they|you|very|really|bit|lot|little|good|great|bad|huge|big|total|complete|real|the)\b)[A-Za-z][\w’'-]*\s){0,3}?"
)
_LOOKS_LIKE_A_JOB = (
    r"(?:[a-z]+(?:-[a-z]+)?(?:(?<=[a-z]{3})(?:er|or|ist|ician|ographer|eer|monger|wright|smith|keeper|maker|minder|hand|man|woman|person|wife|herd))"
    r"|tech|techie|clerk|lead|assistant|aide|attendant|officer|nurse|rep|apprentice|trainee|temp|hand|boss|exec|guard|guide|staffer|crew|runner|lad|dispatch|cop|sub|sparks)"
)
_JOB_ENDS = (
    r"(?=[.,;)!?\n]|\s(?:at|for|in|on|with|and|by|now|who|from|then|until"
    r"|till|when|so|but|&|near|since|there|here|before|after|because|or)\b|$)"
)
_NO_JOB = frozenset(
    "other another mother father brother sister daughter stepmother stepfather stepbrother "
    "stepsister grandmother grandfather godmother godfather member "
    "number matter letter order offer danger disaster monster cancer fever ulcer tumor tumour "
    "factor error mirror minor major favor favour honor honour "
    "computer customer consumer character chapter quarter center centre river tower power "
    "paper water winter summer corner dinner never ever over under rather either "
    "longer better bigger older younger smaller later earlier taller shorter higher lower "
    "stronger weaker faster slower harder easier heavier happier safer closer "
    "smoker drinker user player lover fighter survivor sufferer carrier killer stranger "
    "foreigner prisoner beginner winner loser supporter believer follower "
    "newcomer teenager villager commuter holder borrower neighbor neighbour visitor ancestor "
    "donor senior junior inferior superior prior man woman human person "
    "gentleman layman german roman mister master list twist fist racist feminist atheist "
    "communist fascist optimist pessimist perfectionist realist "
    "socialist nationalist extremist terrorist separatist cyclist motorist tourist artist wife "
    "housewife first-timer reader sleeper thinker learner talker "
    "listener walker runner swimmer lefthander outsider insider loner rider passenger driver "
    "dreamer starter quitter hoarder cheater liar gambler offender burglar "
    "sinner teetotaller disorder border shoulder finger bladder liver soldier counter hammer "
    "sweater trailer trigger layer flower shower cover cousin bachelor widower "
    "together however whether after before beforehand second-hand firsthand hand boss mate lad "
    "crew guide runner sub lead rep homeowner owner founder leader creditor debtor "
    "filter buffer pointer layer container wrapper parameter adapter reminder placeholder marker barrier "
    "householder shareholder stakeholder buyer seller bidder renter lodger flatmate streamer "
    "season-ticket-holder pensioner".split()
)
_TOO_WIDE = frozenset("force forces church ministry reserve military police railway legion".split())


def _is_no_other(match: re.Match[str]) -> bool:
    """Not a word that only ends like an occupation, nor one that stands in the list (frames find those)."""
    said = match.group("m").split()
    noun = said[-1].lower()
    if len(said) > 1 and noun in (
        "lead",
        "hand",
        "mate",
        "boss",
        "lad",
        "crew",
        "guide",
        "rep",
        "runner",
        "leader",
        "driver",
        "founder",
    ):
        return True
    return noun not in _NO_JOB and not noun.endswith(
        ("-goer", "-comer", "-timer", "-other", "-lover", "-sufferer")
    )


_POLICE = re.compile(
    r"(?i:\bpolice\b|\bsuspects?\b|\bsheriff|\bconstable|\barrest|\bcustody\b|\bregiment|\bbattalion)"
)


def _about_police(match: re.Match[str]) -> bool:
    """'DC' and 'PC' are ranks where the police or an army are spoken of nearby."""
    reach = 160 if len(match.group("m")) == 2 else 1200
    start, end = max(0, match.start() - reach), match.end() + reach
    return _POLICE.search(match.string, start, end) is not None


def _before(frame: str, kind: str = _KIND) -> str:
    return f"(?:{frame}){kind}"


_pattern = cache(re.compile)


_FRAMES: tuple[_Frame, ...] = (
    _Frame("being an occupation", _before(rf"{_BE}an?\s"), 0.85, signs=(" a ", " an ")),
    # "I have been his adviser in Grade 11", "she was our childminder until June"
    _Frame(
        "being somebody's",
        _before(
            rf"{_BE}(?:his|her|their|your|our|my|the\s(?:school|village|town|family|company|firm|club|team)['’]s)\s"
        ),
        0.7,
        (r"[,.;)]|\s(?:in|at|for|since|from|when|until|on|and|during|there)\b|\n|$"),
        alone=True,
        signs=("is ", "er ", "ir ", "ur ", "y ", "s "),
    ),
    _Frame("working as", _before(rf"{_WORK}(?:an?\s|the\s)?"), 0.85, signs=("as ", "of ", "to ")),
    _Frame(
        "working for somebody as",
        _before(
            r"\b(?:[Ww]ork(?:s|ed|ing)?|employed)\s(?:for|at|with|by|from|in)\s[^.;\n]{2,40}?\sas\s(?:an?\s|the\s)?"
        ),
        0.8,
        signs=(" as ",),
    ),
    _Frame(
        "occupation after an age",
        _before(
            r"(?:[\s-](?:old|aged\s\d\d|yo|y/o|y\.o\.)|(?<!\w)\d\d\s?(?:yo|y/o|yr\sold)?\s?(?:[MF]|male|female|man|woman|lady|gentleman))\s"
        ),
        0.85,
        signs=("old ", "aged ", "yo ", "y/o ", "M ", "F ", "ale ", "man ", "y.o. ", "lady ", "ired ", "x "),
    ),
    _Frame(
        "occupation in a list of facts",
        _before(
            r"(?<![\w])(?:single|married|divorced|widowed|separated|[MF]|male|female|yo|y/o|old|\d\d),\s"
        ),
        0.75,
    ),
    _Frame(
        "whose job is",
        _before(r"(?:\b(?:[Mm]y|[Hh]is|[Hh]er)\s(?:job|profession|occupation|work)\s(?:is|was)\s(?:an?\s)?)"),
        0.8,
        signs=("job ", "profession ", "occupation ", "work "),
    ),
    _Frame(
        "name is an occupation",
        _before(
            rf"(?:(?<!\w)(?!(?:There|It|This|That|What|Here)\b){NAME_WORD}|,)\s(?:is|was)\s(?:now\s|then\s)?an?\s"
        ),
        0.75,
        signs=("is a", "was a", "now a", "then a"),
    ),
    _Frame(
        "occupation behind a name",
        _before(
            rf"(?<!\w)(?:{NAME_WORD}|applicant|plaintiff|claimant|patient|victim|defendant|suspect)\)?(?:\s\(\d\d\)|,\s(?:aged\s)?\d\d)?,\s(?:an?|the)\s"
        ),
        0.7,
        signs=(", a ", ", an ", ", the "),
    ),
    _Frame(
        "holding an office",
        _before(rf"{_BE}(?:the\s)?"),
        0.7,
        (r"\s(?:of|at|for|in|with|by)\b"),
    ),
    _Frame(
        "by profession",
        _before(r"(?<!\w)"),
        0.9,
        (r"\sby\s(?:profession|trade|training|occupation)\b"),
    ),
    _Frame(
        "with years of experience",
        _before(r"(?<!\w)"),
        0.75,
        (r"\swith\s(?:over\s|more\sthan\s)?(?:\d+|[a-z]+)\s?\+?\s?(?:years|yrs)\b"),
    ),
    _Frame(
        "retired or former",
        (
            r"(?<!\w)(?P<kind>(?:[Rr]etired|[Ff]ormer|[Ss]elf[-\s]employed|[Ff]reelance|[Tt]rainee|[Aa]pprentice|[Ss]tudent|[Qq]ualified|[Pp]art[-\s]time|[Ff]ull[-\s]time|[Ll]ocum|[Jj]obbing|[Oo]ut-of-work|[Ii]tinerant|[Cc]hartered|[Rr]egistered|[Nn]ewly[-\s]qualified)\s(?:[A-Za-z][a-z]+\s){0,2}?)$"
        ),
        0.7,
        signs=(
            "etired ",
            "ormer ",
            "employed ",
            "reelance ",
            "rainee ",
            "pprentice ",
            "tudent ",
            "qualified ",
            "time ",
            "ocum ",
            "bbing ",
            "work ",
            "rant ",
            "tered ",
        ),
    ),
    _Frame(
        "formerly an occupation",
        _before(r"(?<![\w-])[Ee]x[-\s](?!parte\b|officio\b)"),
        0.7,
        alone=True,
        signs=("ex ", "ex-", "Ex ", "Ex-"),
    ),
    _Frame(
        "as an occupation",
        _before(
            r"(?<!\w)[Aa]s\s(?:an?|the\s(?:only|first|youngest|oldest|longest-serving|new|local|town|village))\s"
        ),
        0.7,
        (
            r"[\s,.]+(?:I|he|she|you|we|my|his|her|at|for|in|from|with|and|on|until|since|when|there)\b|[.,;)](?!\w)|\n|$"
        ),
        signs=("s a ", "s an ", "s the "),
    ),
    _Frame(
        "once an occupation",
        _before(r"(?:,\s(?:once|formerly|previously|later|then|now)|\b[Oo]nce)\san?\s"),
        0.75,
        (r"[,.;)]|\s(?:in|at|for|with|by|and)\b"),
        alone=True,
        signs=("nce a", "ly a", "later a", "then a", "now a"),
    ),
    _Frame(
        "was an occupation",
        _before(
            r"(?<!\b[Tt]here\s)(?<!\b[Ii]t\s)(?<!\b[Tt]his\s)(?<!\b[Tt]hat\s)(?<!\b[Ww]hich\s)(?<!\b[Ww]hat\s)(?<!\b[Hh]ere\s)\bwas\san?\s"
        ),
        0.65,
        (r"[,.;)]|\s(?:in|at|for|with|by|and|from|there|then|before|until)\b|\n|$"),
        alone=True,
        signs=("was a",),
    ),
    # "She is pharmacist", "My wife Mandeep is LVN at Rideout": as it is said in other tongues
    _Frame(
        "being without an article",
        (
            rf"\b(?:(?:I\sam|I['’]m|[Hh]e(?:\sis|\swas|['’]s)|[Ss]he(?:\sis|\swas|['’]s))"
            rf"|(?:(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur)\s{_RELATIVE}|[Pp]artner|[Ww]ife|[Hh]usband|[Mm]other|[Ff]ather|[Mm]um|[Dd]ad|[Ss]on|[Dd]aughter|[Pp]t|[Pp]atient)\s(?:{NAME_WORD}\s)?(?:is|was))\s(?P<kind>(?:[a-z]{{3,}}\s)??)$"
        ),
        0.7,
        (r"[,.;]\s|\s(?:at|in|for|by)\s|\n|$"),
        alone=True,
        signs=(" is ", " was ", " am ", "'s ", "’s ", "'m ", "’m "),
    ),
    # "Kyle Brandvold (shift supervisor)", "J. Sandvik, plant manager,"
    _Frame(
        "occupation in brackets",
        _before(rf"(?<!\w){NAME_WORD}\s\((?:an?\s|the\s|our\s)?"),
        0.75,
        (r"\)|,\s"),
        alone=True,
        signs=("(",),
    ),
    _Frame(
        "occupation and employer in brackets",
        _before(r"(?<=\w)\s\("),
        0.7,
        (rf",\s[{UPPER}][a-z]|\sat\s[{UPPER}]|\s@|,\s(?:cash|part|full|self|nights|days|retired|temp)"),
        alone=True,
        signs=(" (",),
    ),
    _Frame(
        "occupation after a full name",
        _before(rf"{_FULL_NAME},\s"),
        0.7,
        (rf"[,;]\s|\.(?:\s|$)|\n|$|\)|\s(?:at|of|for)\s(?:the\s)?[{UPPER}]"),
        alone=True,
        signs=(", ",),
    ),
    _Frame(
        "somebody's helper by name",
        _before(r"(?<!\w)(?:[Oo]ur)\s(?!(?:first|last|new|old|next)\s)"),
        0.65,
        (rf",?\s(?:(?:Mr|Mrs|Ms|Miss|Dr)\.?\s)?[{UPPER}][{LOWER}]+"),
        alone=True,
        signs=("ur ",),
    ),
    # "and is a locum vet", "Lynsey, she's now a nail tech", "is one of the dinner ladies"
    _Frame(
        "is an occupation",
        _before(
            r"(?<!\b[Tt]here\s)(?<!\b[Ii]t\s)(?<!\b[Tt]his\s)(?<!\b[Tt]hat\s)(?<!\b[Ww]hich\s)(?<!\b[Ww]hat\s)(?<!\b[Hh]ere\s)"
            r"\b(?:is|am|are|were)\s(?:now\s|also\s|still\s|currently\s|both\s)?an?\s"
        ),
        0.65,
        (r"[,.;)!]|\s(?:in|at|for|with|by|and|from|there|but|so|who|on|now|here)\b|\n|$"),
        alone=True,
        signs=("is ", "am ", "are ", "were "),
    ),
    # "Was district nurse, knows everybody.", "Been acting ward manager since March", "used to be postman"
    _Frame(
        "been without an article",
        (
            r"(?:(?:^|(?<=[\n\".;:(]))\x20?(?:Was|Is|Were|was|is)\s|\b(?:[Bb]een|[Uu]sed\sto\sbe|[Bb]ecame|[Ww]orks?|[Nn]ow|[Cc]urrently|[Pp]reviously|[Ff]ormerly)\s)"
            r"(?:now\s|the\s|an?\s)?(?P<kind>(?:(?:[a-z]{2,}(?:-[a-z]+)?\s){0,2}?))$"
        ),
        0.65,
        (r"[,.;)]|\s(?:in|at|for|since|from|when|until|on|there)\b|\n|$"),
        alone=True,
        signs=("as ", "Is ", "is ", "ere ", "een ", "be ", "ame ", "ow ", "ly ", "ork "),
    ),
    # "later as project engineer on the bridge", "four years' experience as staff nurse in Leeds"
    _Frame(
        "as, without an article",
        _before(
            r"\b(?:later|then|now|first|finally|lastly|afterwards|subsequently|eventually|initially|previously|again|and|both|years?|experience|role|time|stint|spell|contract|start(?:s|ed)?|stay(?:s|ed)?|back"
            r"|month|months|joined|continued|returned|placement|apprenticeship|registered|registration|licen[cs]ed?|ordained|commissioned|enlisted"
            r"|volunteer(?:s|ed|ing)?|moonlight(?:s|ed|ing)?|freelanc(?:es|ed|ing)|known|living)\s(?:[^.;:\n]{0,24}?\s)?as\s(?:an?\s|the\s|our\s|their\s)?"
        ),
        0.7,
        (r"[,.;)]|\s(?:in|at|for|since|from|when|until|on|with|to|and|there)\b|\n|$"),
        alone=True,
        signs=(" as ",),
    ),
    # "the fourth of six children of a Dutch Reformed minister", "married to a roofer", "born to a midwife"
    _Frame(
        "child or spouse of an occupation",
        _before(
            r"\b(?:son|sons|daughter|daughters|child|children|wife|widow|husband|grandson|granddaughter|nephew|niece|born|married|engaged|sister|brother|mother|father)"
            r"\s(?:[^.;,\n]{0,24}?\s)??(?:of|to)\s(?:an?\s|the\s(?:local\s|village\s)?)|\b(?:[Mm]arried|[Mm]arries|[Ww]ed|dating|seeing)\san?\s"
        ),
        0.75,
        alone=True,
        signs=("of a", "to a", "of the", "to the", "ied a", "ies a", "ed a", "ing a"),
    ),
    # "mother a homemaker", "her dad, a docker"
    _Frame(
        "relative, an occupation",
        _before(rf"\b(?:{_RELATIVE}|parents),?\s(?:now\s|once\s)?an?\s"),
        0.75,
        (r"[,.;)!]|\s(?:in|at|for|with|and|from|on|who)\b|\n|$"),
        alone=True,
        signs=(" a", " an"),
    ),
    # "a team lead role", "the site manager post", "her pharmacist job"
    _Frame(
        "role of an occupation",
        _before(r"(?<!\w)(?:an?|the|my|his|her|your|our|this|that|for|as)\s"),
        0.7,
        (
            r"\s(?:role|post|position|job|vacancy|apprenticeship|gig|shifts?|licen[cs]e|training|qualification)s?\b"
        ),
        alone=True,
        signs=("a ", "an ", "he ", "my ", "is ", "er ", "ur ", "at ", "or ", "as "),
    ),
    # "the potter Anneke Slabbert", "with shift leader Desmond Rowe", "My current director, Marie-Claude Osei"
    _Frame(
        "occupation before a name",
        _before(
            r"(?:(?<!\w)(?:[Tt]he|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Yy]our|with|by|from|to|and|an?|via|saw|told|called|rang|asked|met|per)\s(?:[Tt]he\s|my\s|our\s)?|[\w]['’]s\s|[,.;:(]\s?|(?:^|(?<=\n)))"
        ),
        0.65,
        (
            rf"(?:,?\s(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.?\s)(?=[{UPPER}])|,?\s(?!(?:I|It|In|On|At|He|She|We|They|You|The|A|But|And|So|If|When|May|June|July|March|April"
            rf"|January|February|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b)(?=[{UPPER}][{LOWER}]++[-\s,.;:)’'\n]))"
        ),
        alone=True,
    ),
    # ", bus driver,", ". Market vendor.", "; roofer;", "(potter)", "0024  farmer. tractor."
    _Frame(
        "occupation by itself",
        (
            rf"(?:[,;:.!?(/•|\"“]\s?|\s[-–—=]\s|(?:^|(?<=\n))[\x20\t]*(?:[-*•–]\s|\d{{1,6}}[.):]?\s{{1,4}})?)"
            rf"(?P<kind>(?:(?!(?:is|was|the|an?|his|her|my|our|your|their|and|or|of|in|for|to|who|that|very|good|bad|great|best|not|as|by|with|at|no|any|every|each|other|same|said"
            rf"|such|some|one|ask|see|per|from|if|but|restrained|see|need|needs|call|called|told|please|dear|hi|hello|hey|thanks)\b)[{UPPER}{LOWER}][{LOWER}]+(?:[-’'][{LOWER}]+)?\s){{0,2}}?)$"
        ),
        0.6,
        (r"[,;.)!](?=\s|$|[\"”)])|\s?[/|]|[\"”]|[ \t]*(?:\n|$)|\s[-–—]\s|\s\("),
        alone=True,
    ),
    # ". Interpreter at the court.", "Jess: vet nurse in Hove", ", cook at the mission"
    _Frame(
        "occupation before a place",
        (
            rf"(?:[,;:.!?(•|\"“]\s|(?:^|(?<=\n))[\x20\t]*(?:[-*•–]\s|\d{{1,6}}[.):]?\s{{1,4}})?)"
            rf"(?P<kind>(?:(?!(?:is|was|the|an?|his|her|my|our|your|their|and|or|of|in|for|to|who|that|not|as|by|with|at|no|any|every|each|other|if|but)\b)"
            rf"[{UPPER}{LOWER}][{LOWER}]+(?:[-’'][{LOWER}]+)?\s){{0,2}}?)$"
        ),
        0.6,
        (
            rf"\s(?:at|for|with|in|on|@)\s(?:the\s|an?\s|our\s)?(?:[{UPPER}]|(?:[a-z]+\s)?(?:school|hospital|clinic|factory|court|home|firm|company|shop|store|centre|center|office|office|church|farm|plant|council|university))"
        ),
        alone=True,
    ),
    _Frame("occupation and employer", _before(r"(?<!\w)"), 0.75, (rf"\s@\s?[{UPPER}]"), alone=True),
    _Frame(
        "title in a curriculum vitae",
        _before(
            r"(?:^|(?<=\n))[\x20\t•*-]*(?:[A-Z][a-z]{2,8}\.?\s)?(?:\d\d/)?(?:19|20)\d\d\s?[-–—]\s?(?:[A-Z][a-z]{2,8}\.?\s)?"
            r"(?:(?:\d\d/)?(?:19|20)?\d\d|[Pp]resent|[Nn]ow|[Cc]urrent|[Tt]oday)?:?[ \t|,]+",
            r"(?P<kind>(?:[A-Z][\w&-]*[ ](?:[a-z]+[ ])?){0,4}?)$",
        ),
        0.9,
        (r"[ \t]*(?:\n|$|[,;|(]|\s[-–/]\s|\s(?:at|for|with)\s)"),
        signs=("19", "20"),
    ),
    # A line of its own in a signature or a curriculum vitae, or behind a name: "Sam Okoro, Site Manager"
    _Frame(
        "title on a line",
        _before(r"(?:^|(?<=\n)|\n[^\n]{4,24}[ \t]{2,4})[ \t]*", _TITLED_KIND),
        0.75,
        _END_OF_LINE,
        capital=True,
    ),
    _Frame(
        "title behind a name",
        _before(rf"(?<!\w){NAME_WORD}(?:,\s|\s[-–|]\s|\s\()", _TITLED_KIND),
        0.75,
        (r"[ \t]*(?:\n|$|[,.;|)])"),
        capital=True,
    ),
)
_WINDOW = 96
_JOINED = re.compile(r"\s(?:(?:and|/|&)\s(?:an?\s|the\s)?(?:[a-z]+\s)?)?")
_MOST_JOINED = 4
# "My current director": what stands before an occupation and says nothing of it
_DETERMINERS = re.compile(
    r"(?:.*\b(?:the|an?|my|your|his|her|our|their)\s)?(?:(?:[Mm]y|[Yy]our|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir|[Tt]he|[Aa]n?|current|own|first|new|old|previous)\s)*"
)
# "a forest fire lookout, a shop teacher and, for four years, the operations lead": occupations in a row
_LISTED = re.compile(
    r"(?:\s(?:in|at|for|on|of)\s[^,.;\n]{2,24}?)?,?\s(?:(?:and|or|then|later|now|plus|&)[\s,]+){0,2}(?:for\s(?:the\s)?[a-z\s]{3,24},\s)?"
    r"(?:an?|his|her|the|our|my)\s(?P<kind>(?:(?!(?:of|by|with|for|to|the|an?|and|or|who)\s)[A-Za-z][\w’'-]*\s){0,3}?)"
)
_GRADE = re.compile(r"\s(?:I{1,3}|IV|VI{0,3})(?![\w.])")
_IN_CHIEF = re.compile(r"-in-chief\b")

_RULES: tuple[Rule, ...] = (
    rule(
        "employment status",
        r"(?:\b(?:is|was|am|['’]m|become|became|currently|and)|,)\s(?P<m>unemployed"
        r"|self-employed|retired|jobless)\b",
        "JOB",
        0.7,
    ),
    # "works as a beach inspector's mate", "trained as a hydrographer": nouns that look like occupations
    rule(
        "working as what no list knows",
        rf"\b(?:[Ww]ork(?:s|ed|ing)?|employed|jobs?|trained|training|qualified|hired|career|shifts?|moonlight(?:s|ed|ing)?|apprenticed|retrain(?:ed|ing)|start(?:ed|s)(?:\s(?:out|off))?)"
        rf"\s(?:[^.;:\n]{{0,30}}?\s)??as\s(?:an?\s|the\s)?(?P<m>{_WORDS}{_LOOKS_LIKE_A_JOB}){_JOB_ENDS}",
        "JOB",
        0.7,
        check=_is_no_other,
    ),
    rule(
        "being what no list knows",
        rf"\b(?:{_RELATIVE}(?:\sis|\swas|['’]s)|became|become|been|formerly|used\sto\sbe)\s(?:now\s|also\s|just\s)?an?\s"
        rf"(?P<m>{_WORDS}{_LOOKS_LIKE_A_JOB}){_JOB_ENDS}",
        "JOB",
        0.6,
        check=_is_no_other,
    ),
    rule(
        "somebody being what no list knows",
        rf"\b(?:I(?:['’]m|\sam|\swas)|[Ii]m|i['’]m|(?:[Hh]e|[Ss]he)(?:['’]?s|\sis|\swas))\s(?:now\s|also\s|just\s)?an?\s"
        rf"(?P<m>{_WORDS}{_LOOKS_LIKE_A_JOB}){_JOB_ENDS}",
        "JOB",
        0.6,
        check=_is_no_other,
    ),
    rule(
        "retired from what no list knows",
        rf"(?<!\w)(?:[Ee]x[-\s])?(?P<m>(?:(?:[Rr]etired|[Ff]ormer)\s|(?<=[Ee]x[-\s]))(?:[a-z]+\s)?{_LOOKS_LIKE_A_JOB}){_JOB_ENDS}",
        "JOB",
        0.6,
        check=_is_no_other,
    ),
    # "our Cheryl's in the army", "twelve years in the merchant navy", "joined the fire service"
    rule(
        "in the forces",
        r"(?:\b(?:is|was|[Ii]m|am|been|served|serving|serves|joined|joining|joins|left|leaving|enlisted|went|goes|going|years|yrs|months|stint|spell|time|career|job|worked|works|working|retired|boy|lad|lass"
        r"|son|daughter|brother|sister|dad|father|husband)|['’](?:s|m))\s(?:[a-z]+\s)?(?:(?:in|into|from|with|for|as)\s)?the\s"
        r"(?P<m>(?:(?:[A-Z][a-z]+|regular|merchant|territorial|national|local|prison|fire|ambulance|civil|diplomatic|foreign|probation|postal|railway|coast|home|special|secret)\s){0,2}"
        r"(?:army|Army|navy|Navy|air\sforce|Air\sForce|RAF|marines|Marines|paras|Paras|military|forces|reserves|reserve|TA|infantry|artillery|cavalry|coastguard|coast\sguard|Coast\sGuard|legion|Legion"
        r"|police|police\sforce|force|fire\sbrigade|fire\sservice|civil\sservice|prison\sservice|ambulance\sservice|railways|railway|post\soffice|clergy|priesthood|ministry|church|SAS|FBI|CIA|TSA|gendarmerie))(?![\w-])(?!['’])",
        "JOB",
        0.55,
        check=lambda match: match.group("m").lower() not in _TOO_WIDE,
    ),
    # "I work in retail", "she's in logistics", "been in construction all my life"
    rule(
        "working in a trade",
        r"\b(?:[Ww]ork(?:s|ed|ing)?|[Jj]obs?|[Cc]areer|[Ee]mployed|been|background|years|yrs|shifts)\s(?:[a-z]+\s)?in\s(?:the\s)?(?P<m>(?:[a-z]+\s)?(?:construction|retail|hospitality|logistics|catering|banking|insurance|finance"
        r"|accountancy|accounting|marketing|advertising|publishing|journalism|healthcare|childcare|child\scare|social\scare|elder\scare|aged\scare|social\swork|nursing|teaching|farming|agriculture|forestry|fishing|mining"
        r"|manufacturing|engineering|haulage|trucking|shipping|aviation|tourism|recruitment|procurement|real\sestate|cybersecurity|tech|IT|HR|payroll|customer\s(?:service|services|support)|call\scent(?:re|er)s?|food\sservice"
        r"|security|landscaping|roofing|plumbing|telecoms|telesales|sales|film|television|TV|radio|theatre|pharma|biotech|oil\s(?:and|&)\sgas|oil|fashion|events|warehousing|housekeeping|the\strade|building\strade|motor\strade)"
        r"(?:\s(?:industry|trade|sector|business))?)(?=[.,;)!?\n]|\s(?:and|at|for|in|so|but|all|since|until|now|before|as|with|till|then|from|over|here|there)\b|$)",
        "JOB",
        0.6,
    ),
    # "drives a gritter in the winter", "used to drive for Stagecoach", "had been driving for us"
    rule(
        "driving as a job",
        r"(?<!\w)(?P<m>(?:[Dd]rives?|[Dd]rove|[Dd]riven|[Dd]riving)(?=\sfor\s(?:(?:the\s)?[A-Z]|us\b|them\b|an?\s(?:[a-z]+\s)?(?:firm|company|business|haulier)))|(?:[Dd]rives?|[Dd]rove|[Dd]riving|[Oo]perat(?:es?|ed|ing)|[Ff]l(?:ies|ew))"
        r"\s(?:an?\s|the\s)?(?:[a-z]+\s)?(?:gritters?|bus(?:es)?|school\sbus(?:es)?|lorr(?:y|ies)|trucks?|tax(?:i|is)|cabs?|minicabs?|trams?|trains?|forklifts?|cranes?|diggers?|tractors?|combines?|HGVs?|artics?|ambulances?|hearses?"
        r"|bin\slorr(?:y|ies)|excavators?|bulldozers?|ubers?|Ubers?|tuk-tuks?|rickshaws?|matatus?|jeepneys?|coaches|tankers?|snowploughs?|snowplows?|limousines?|barges?|ferr(?:y|ies)|helicopters?))(?![\w-])",
        "JOB",
        0.6,
    ),
    # "worked the switchboard for Southern Bell", "ran the lunchroom", "does the dinners", "on the tills at"
    rule(
        "working a place",
        r"(?<!\w)(?:(?:[Ww]ork(?:s|ed|ing)?|[Rr]an|[Rr]uns?|[Rr]unning|[Kk]eeps|[Kk]ept|[Dd]oes|[Dd]id|[Dd]oing|[Mm]an(?:s|ned|ning)|[Mm]anage[sd]?|[Tt]ends?|[Tt]ended)\s(?:the|an?|her\sown|his\sown|my\sown|our)\s"
        r"(?:[a-z]+\s)?(?:switchboard|lunchroom|dinners|canteen|cafeteria|kitchens?|bar|pub|door|tills?|checkouts?|registers?|counter|front\sdesk|reception|phones|post\soffice|corner\sshop|tuck\sshop|chip\sshop|chippy|stall"
        r"|market\sstall|bakery|butcher['’]?s|barber\sshop|hair\ssalon|salon|nail\sbar|launderette|laundry|nursery|cr[eè]che|daycare|farm|smallholding|ranch|kennels|stables|guest\s?house|b\s?&\s?b|B\s?&\s?B|food\s(?:truck|bank|stall)|caf[eé]"
        r"|deli|bookshop|newsagents?|garage|ferry|sawmill|mill|crossing|bins|rounds|milk\sround|paper\sround|graveyard\sshift|night\sshift|books|payroll|lathe|loom|press|line)"
        r"|(?<=on\sthe\s)(?:tills?|checkouts?|bins|buses|trams|railways|rigs|docks|boats|trawlers|buildings|switchboard|doors|wards|taxis|lorries|ambulances|meat\scounter|deli\scounter|shop\sfloor|production\sline|assembly\sline))(?=\s(?:at|for|in|of|on|with|from|by|there|since|now|till|until)\b|[.,;)!?\n]|$)",
        "JOB",
        0.6,
    ),
    # "my mum worked in the mill", "works at the chicken factory", "went down the pit at 15"
    rule(
        "working in a place",
        r"\b(?:(?:[Ww]ork(?:s|ed|ing)?|[Jj]obs?|[Ss]hifts?|[Ee]mployed|[Ss]tarted|[Ww]ent|[Vv]olunteer(?:s|ed|ing)?)\s(?:[a-z-]+\s)?(?:in|at|on|down|into|for)\s(?:the|an?|her\s[a-z]+['’]s|his\s[a-z]+['’]s)\s|straight\sdown\sthe\s)(?P<m>(?:(?!(?:same|other|first|local|next|new|old|whole)\b)[a-z-]+\s){0,2}?"
        r"(?:mill|mills|pits?|mines?|colliery|factory|factories|warehouse|shipyard|shipyards|docks|dockyard|quarry|foundry|cannery|abattoir|slaughterhouse|care\shome|nursing\shome|bakery|call\scent(?:re|er)|supermarket|steelworks|brewery|distillery|salon|sawmill|brickworks|gasworks|waterworks|refinery|power\s(?:station|plant)|packhouse"
        r"|sweatshop|cotton\smill|meat\splant|chippy|chip\sshop|takeaway|petrol\sstation|gas\sstation|garden\scentre|launderette|laundry|creche|nursery|kindergarten|hospice|morgue|mortuary|vineyard|orchards?|plantation|rigs|trawlers|railways?|buildings|tannery|pottery|print\sshop|body\sshop|car\swash|dairy|poultry\sfarm|farm|stables|food\sbank))(?![\w-])",
        "JOB",
        0.5,
        check=lambda match: (
            not match.group().startswith(("went", "Went", "started"))
            or match.group("m").split()[-1] in ("pit", "mill", "mines", "pits", "mine", "factory", "docks")
        ),
    ),
    # "She taught at the local primary", "used to teach maths in Hull", "nursed at St Thomas'"
    rule(
        "teaching or nursing somewhere",
        r"\b(?:[Hh]e|[Ss]he|I|[Ii]|who|and|to|has|had|have|was|is|been|also|now|then|mum|mom|mother|dad|father|wife|husband|sister|brother|partner)\s(?P<m>(?:teach|teaches|taught|teaching|nursed|lectures|lectured|lecturing|preaches|preached|coaches|coached|waitressed|waitressing|barbers|labours|laboured|labouring|bartends|bartended|bartending|nannied|nannying|childminds|temps|temped|temping)(?:\s(?!(?:in|at|for|on|the|him|her|me|us|you|them|a|his|my|that|to)\b)[A-Za-z][a-z]+)?)(?=\s(?:at|in|for)\s(?:the\s|an?\s)?[A-Za-z])",
        "JOB",
        0.5,
    ),
    # "I fix boilers for a living", "she cleans offices at night"
    rule(
        "doing something for a living",
        r"\b(?:I|i|[Hh]e|[Ss]he|who|[Mm]um|[Mm]om|[Dd]ad|[Ww]ife|[Hh]usband)\s(?P<m>(?!(?:is|was|has|had|does|did|do|what|earns|makes)\b)[a-z]{3,}(?:\s[a-z]+){0,3}?)\sfor\sa\sliving\b",
        "JOB",
        0.6,
    ),
    rule(
        "cleaning, picking or minding",
        r"(?<!\w)(?P<m>(?:[Cc]leans?|[Cc]leaned|[Cc]leaning|[Pp]icks?|[Pp]icked|[Pp]icking|[Ss]tacks?|[Ss]tacked|[Ss]tacking|[Mm]inds|[Ff]ixes|[Ll]ays|[Ll]aid|[Ll]aying|[Dd]elivers?|[Dd]elivered|[Dd]elivering|[Rr]epairs|[Ww]alks|[Gg]rooms|[Dd]ecorates|[Pp]lasters|[Tt]unes|[Ss]hears|[Bb]reeds|[Tt]rains)\s"
        r"(?:offices|hotels|hotel\srooms|houses|holiday\slets|windows|schools|toilets|pools|trains|fruit|strawberries|apples|grapes|tomatoes|vegetables|tea|coffee|cotton|orders|shelves|children|kids|boilers|cars|bikes|phones|computers|roofs|bricks|carpets|floors|parcels|papers|pizzas?|post|milk|takeaways|Amazon|dogs|sheep|horses|guide\sdogs|pianos|cakes))"
        r"(?=\s(?:at|in|for|on|part|nights?|during|evenings|mornings|full|there|around|all)\b|[.,;)])",
        "JOB",
        0.5,
    ),
    # "I sold tea by the bus station", "help his lola sell puto in the market", "She was selling akara"
    rule(
        "selling something",
        r"(?<!\w)(?P<m>(?:[Ss]ell|[Ss]ells|[Ss]old|[Ss]elling|[Hh]awk(?:s|ed|ing)|[Pp]eddl(?:es|ed|ing))\s(?!(?:the|his|her|my|it|them|their|our|your|an?|this|that|these|those|off|out|up|to|for|and|in|at|by|on|everything|all|some|me|him|us|well|shares|land|property|goods)\b)"
        r"[a-z]{3,}(?:\s(?:and|&)\s[a-z]{3,}|\s(?:insurance|cars|phones|cakes|clothes|tickets|papers|sticks|juice|water|bread|meat))?)(?=\s(?:at|in|by|on|outside|near|when|door|from)\s(?!(?:eBay|ebay|[Mm]arketplace|Vinted|credit|hand)\b)|\sfor\sa\sliving)",
        "JOB",
        0.55,
    ),
    # "and do security at the retail park", "he does nights at Tesco"
    rule(
        "doing a job without saying who",
        r"(?<=\b(?:and|who)\s)(?:do|does|did|doing)\s(?P<m>security|cleaning|catering|admin|reception|deliveries|payroll|accounts|bookkeeping|childcare|bar\swork|care\swork|agency\swork|supply\steaching|warehouse\swork|night\sshifts|nights|hair|nails|IT\ssupport|landscaping|gardening|labouring)"
        r"(?=\s(?:at|for|in|on)\b)",
        "JOB",
        0.65,
    ),
    # "I do payroll at a dental group"
    rule(
        "doing a job",
        r"\b(?:[Ii]|[Hh]e|[Ss]he)\s(?:do|does|did)\s(?P<m>payroll|accounts|bookkeeping|reception|admin|catering|security|marketing|logistics|landscaping"
        r"|cleaning|childcare|plumbing|roofing|plastering|nails|hair|IT(?:\ssupport)?|tech\ssupport|data\sentry|night\sshifts|deliveries|sales|HR)"
        r"(?=\s(?:at|for)\s)",
        "JOB",
        0.75,
    ),
    rule(
        "office on a line",
        rf"(?:^|(?<=\n))[\x20\t]*(?P<m>(?:(?:Deputy|Assistant|Vice|Acting|Regional|Group|Global|Senior)\s){{0,2}}(?:Head|Director|Chief|President|Dean|Chair"
        rf"|Secretary|Manager|Consultant|Professor|Lecturer|Officer|VP)\s(?:of|in|for)\s(?:the\s)?{NAME_WORD}(?:\x20(?:(?:and|&|of)\x20)?{NAME_WORD}){{0,4}})(?=[\x20\t]*(?:\n|$|,|\||/))",
        "JOB",
        0.8,
    ),
    rule(
        "rank before a name",
        rf"(?<![\w/])(?P<m>(?:PC|DC|PS|DS|DI|DCI|WPC|PCSO|TDC|A/Sgt|D/Sgt|S/Const|L/Cpl|P\.?O\.|Sgt|Cpl|Pte|Lt|Capt|Cst|Const|Inv|Det|Insp|Ofc|Dep|Supt)\b\.?)"
        rf"(?=\s(?:\d{{2,6}}\s|[#]\d+\s)?(?:[{UPPER}]\.?\s)?{NAME_WORD})",
        "JOB",
        0.65,
        check=_about_police,
    ),
    rule(
        "head of something",
        r"\b(?:owner|founder|co-founder|CEO|CFO|CTO|COO|head|chief|vice[-\s]president"
        r"|editor)(?:\sand\s(?:the\s)?(?:owner|founder|editor(?:-in-chief)?|CEO|director|manager))?\s(?=of\s(?:an?\s|"
        r"the\s)?[A-Za-z])",
        "JOB",
        0.5,
    ),
    rule(
        "office of a department",
        rf"(?<=,\s)(?:(?:Deputy|Assistant|Vice)\s)?(?:Head|Director|Chief|President|Dean|Chair|Secretary|Minister)\sof\s{NAME_WORD}(?:\s(?:and\s)?{NAME_WORD}){{0,2}}",
        "JOB",
        0.75,
    ),
)


@cache
def _heads() -> Phrases[str]:
    heads: Phrases[str] = Phrases()
    for word in words("occupations"):
        heads.add(word.replace("-", " "), word, plural=True)
    return heads


@recognizers.register("jobs")
@dataclass(frozen=True)
class Jobs:
    """Occupations said of a person, by word list and sentence frame."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        result = find(texts, _RULES, source="jobs")
        for text, spans in zip(texts, result):
            spans.extend(_framed(text))
        return result


def _framed(text: str) -> Iterator[Span]:
    found = _heads().find(text)
    done = told = 0  # the end of the last occupation, and of the last one that was told with an article
    for number, (start, end, head) in enumerate(found):
        if start < done or (not head.islower() and text[start:end] != head):
            continue
        chief = _IN_CHIEF.match(text, end)
        end = chief.end() if chief else end
        # "nurse practitioner", "writer and editor": what is joined to an occupation belongs to it
        for other_start, other_end, _ in found[number + 1 : number + _MOST_JOINED]:
            if not _JOINED.fullmatch(text, end, other_start):
                break
            end = other_end
        listed = _LISTED.fullmatch(text, told, start) if 0 < start - told < _WINDOW and told else None
        if listed and not text.endswith("s", 0, end):
            done = told = end
            yield Span(listed.start("kind"), end, "JOB", 0.65, "jobs", "occupations in a row")
            continue
        before = text[max(0, start - _WINDOW) : start].replace("\n", " ")
        for frame in _FRAMES:
            if frame.signs and not any(sign in before for sign in frame.signs):
                continue
            span = _said(text, start, end, frame)
            if span is not None:
                done = end
                if frame.signs and frame.name not in _BEHIND_NAMES:
                    told = end
                if grade := _GRADE.match(text, end) if frame.capital else None:
                    span = span._replace(end=grade.end())
                yield span
                break


def _said(text: str, start: int, end: int, frame: _Frame) -> Span | None:
    if frame.capital and (not text[start].isupper() or (text[start:end].isupper() and text[end - 1] == "S")):
        return None
    if frame.after is not None and not _pattern(frame.after).match(text, end):
        return None
    if frame.alone and not _is_one(text[start:end].lower(), frame.name):
        return None
    match = _pattern(frame.before).search(text, max(0, start - _WINDOW), start)
    if match is None:
        return None
    if frame.name in _BEHIND_NAMES and _represents(text, match.start()):
        return None
    head = text[start:end].lower()
    if match.start("kind") == start and head in _NEEDS_KIND:
        return None
    if frame.name in _BARE and _is_nobody(text, match.start("kind"), start, end, frame.name):
        return None
    begin = match.start("kind") + _DETERMINERS.match(match.group("kind")).end()  # type: ignore[union-attr]
    return Span(begin, end, "JOB", frame.score, "jobs", frame.name)


# Frames in which no article and no verb says that somebody is meant.
_BARE = frozenset(("occupation by itself", "occupation before a place", "occupation before a name"))
_BEHIND_NAMES = frozenset(
    (
        "occupation behind a name",
        "title behind a name",
        "occupation in brackets",
        "occupation after a full name",
    )
)


def _is_one(head: str, frame: str) -> bool:
    """Whether a head is one person's, and says of what calling it is without an article."""
    if head.endswith("s") and not head.endswith("ss"):
        return False
    if frame in ("somebody's helper by name", "occupation before a name"):
        return head not in _SPEAKS_FOR
    return head not in _ADJECTIVES or frame in ("was an occupation", "once an occupation")


_TWO_NAMES = re.compile(rf"\s{NAME_WORD}\s{NAME_WORD}")


def _is_nobody(text: str, kind: int, start: int, end: int, frame: str) -> bool:
    """A word that is a thing, a name or somebody's part in a story where it stands by itself."""
    head, alone = text[start:end], kind == start
    if head.isupper() and head.lower() not in _SHORT and (len(head) < 3 or len(head) > 4):
        return True
    if frame == "occupation before a name":
        if head.lower() in _ACTS and alone:
            return True
        if " " in head and head.split()[-1].islower():  # "Lollipop man Ken"
            return False
        if head[0].isupper() and not head.isupper():  # "Farmer John Tindall, 61, told": as newspapers begin
            return not (alone and _TWO_NAMES.match(text, end) and (start < 2 or text[start - 2] in '.\n"“'))
        return False
    if alone and head.lower() in (_THINGS if frame == "occupation before a place" else _THINGS | _ACTS):
        return True
    if head[0].isupper() and text[max(0, kind - 3) : kind].rstrip()[-1:] in (",", ";"):
        return True  # "Rails, Docker, Chef": names of things
    return head[0].isupper() and alone and (head in words("surnames") or head in first_names())


def _represents(text: str, start: int) -> bool:
    """The lawyer who speaks for somebody: the name is found, the calling says nothing more."""
    before = text[max(0, start - 80) : start]
    return "represented by" in before or "counsel" in before
