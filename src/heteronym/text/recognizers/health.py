"""Illnesses, disabilities, injuries and operations: by word list, by the endings medicine keeps to itself,
and in the shorthand of notes about patients ("h/o CAD s/p CABG", "PMH: HTN, T2DM").

What is an illness only in such notes ("MS", "CAP", "falls") counts only there: in a text with two signs of
a clinic. A word for an illness takes the words with it that tell which one ("type 2", "breast", "stage 3").

Cost        one pass over the tokens, and one for the endings; the rest happens at hits only
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from heteronym.knowledge.wordlists import words
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.index import index_of
from heteronym.text.phrases import Phrases
from heteronym.text.rule import NUMBER_WORDS, Rule, any_of, find, rule

# Endings that medicine keeps to itself; common words that happen to end so are excluded by hand.
_ENDING = re.compile(
    r"(?<=[a-z]{2})(?:itis|[ir]osis|[cgklptx]osis|aemia|emia|opathy|algia|opia|plegia|phrenia|myelia|esthesia|trophy|ectomy"
    r"|ostomy|plasty|iasis|rrh?o?ea|oma|omas|paresis|megaly|uria|penia|thyroidism|lexia)(?!\w)"
)
_NO_DISEASE = frozenset(
    "diagnosis prognosis hypnosis osmosis metamorphosis symbiosis apotheosis utopia dystopia ethiopia "
    "cornucopia homeopathy telepathy empathy sympathy apathy nostalgia trophy philanthropy academia bohemia "
    "diploma diplomas aroma aromas coma roma soma oklahoma tacoma chroma stoma idioma sonoma paloma "
    "manuria liguria seminaria parea guinea menorrhea bodyplasty carrea pareja korea area neurosis".split()
) - {"neurosis"}
_WORD_BEFORE = re.compile(
    r"(?:(?<![\w/])(?!(?:the|an?|of|and|or|with|from|for|his|her|is|was|as|in|to|no|any|by|has|had|my|severe"
    r"|on|after|mild|[a-z]+ed|[a-z]+ing)\s)[a-z]+(?:[‑-][a-z]+)*\s)?[A-Za-zé]+(?:[‑-][a-zé]+)*$"
)
# What tells of which kind an illness is.
_KIND_BEFORE = re.compile(
    r"(?:(?<![\w/])(?:(?i:type|stage|grade)\s(?:[1-4]|I{1,3}V?)|(?i:chronic|acute|major|recurrent|metastatic|terminal"
    r"|advanced|bilateral|congenital|juvenile|gestational|paranoid|clinical|manic|bipolar|postnatal|post-natal|antenatal"
    r"|postpartum|breast|lung|prostate|bowel|colon|colorectal|ovarian|cervical|skin|brain|liver|kidney|renal|pancreatic"
    r"|stomach|testicular|throat|bladder|thyroid|bone|blood|heart|vascular|rheumatoid|viral|bacterial|allergic|insulin-dependent"
    r"|early-onset|end-stage|treatment-resistant|drug-resistant|childhood|mild|moderate|severe|ischaemic|ischemic|haemorrhagic"
    r"|(?:community|hospital|ventilator)[\s-]acquired|aspiration|(?:iron|vitamin|folate|B12|vitamin\s[A-D]\d{0,2})[\s-]deficiency|relapsing[\s-]remitting|(?:secondary|primary)[\s-]progressive"
    r"|toxic|autoimmune|alcoholic|pulmonary|cardiac|hereditary|refractory|non-Hodgkin['’]?s|spinal|lumbar|complex|seasonal|multi-drug|pernicious|aplastic|microcytic"
    r"|post-viral|post-operative|postoperative|infective|septic|gastric|duodenal|oesophageal|esophageal|cerebral|frontotemporal|mixed|late-onset|adult-onset|steroid-induced"
    r"|emotionally|unstable|borderline|obsessive-compulsive|below-knee|above-knee|nut|peanut|penicillin|latex)|[A-Z][a-z]+['’]s)\s)+$"
)
_KIND_AFTER = re.compile(
    r"\s(?:(?:stage|grade|type)\s(?:[1-4][ab]?|I{1,3}V?)\b|I{1,2}\b|\+ve\b|with\saura|positive|exacerbation|exac\b|crisis|injury|surgery|operation|episode|flare(?:-up)?|carrier|trait|nervosa|in\sremission)"
)
# Head nouns that need such a word before them.
_HEADS = ("disease syndrome disorder disorders palsy deficiency dystrophy degeneration").split()
_NO_KIND = (
    r"(?!(?:the|an?|of|and|or|with|from|for|his|her|their|my|this|that|any|some|no|such|other|is|was|as|in|to|by|has|had|have"
    r"|which|what|infectious|contagious|public|social|rare|serious|common|same|whose|on|about|into|if|but|type|kind|better"
    r"|[a-z]+ly|[a-z]+ed|[a-z]+ing)\s)"
)
_HEAD_BEFORE = re.compile(
    rf"(?<![\w’'-])(?:{_NO_KIND}[a-z]+(?:-[a-z]+)*\s){{0,2}}{_NO_KIND}[A-Za-z]+(?:-[a-z]+)*(?:['’]s)?\s$"
)
_SIGNS = re.compile(
    r"\b(?:Pt|pt|PMHx?|[HhDdRrTt]x|FHx|h/o|c/o|s/p|y/o|mg|mcg|BP|HR|SpO2|BID|PRN|MRN|DOB|NHS|CXR|MRI|ECG|EKG|GP|ICU|ED"
    r"|[Pp]atient|[Dd]iagnos(?:ed|is)|[Cc]linic(?:al)?|[Ss]ymptoms?|[Mm]edications?|[Hh]ospital|[Ss]urgery|[Pp]sych|neuro)\b"
    r"|\d\s?yo\b|\d\s?mg\b"
)
_BODY = any_of(
    (
        "arm leg knee kneecap hip ankle wrist shoulder skull rib ribs spine vertebra neck jaw nose hand foot "
        "finger fingers toe toes thumb pelvis tibia fibula femur humerus collarbone clavicle elbow back "
        "head eye eyes ear "
        "sight vision hearing cheekbone bone bones ligament tendon cartilage meniscus"
    ).split()
)
_ORGAN = any_of(
    part.replace("_", " ")
    for part in (
        "heart lung lungs liver kidney kidneys bowel brain prostate breast stomach womb ovary ovaries "
        "bladder gallbladder gall_bladder thyroid skin bone bones blood spine spinal back neck throat "
        "tonsil tonsils appendix hernia cataract cataracts valve bypass hip knee shoulder foot feet leg "
        "legs arm hand wrist ankle eye eyes ear ears nose sinus colon rectal cervical lumbar disc groin "
        "abdominal chest pelvic gastric bariatric cardiac renal corneal retinal facial dental jaw "
        "wisdom_tooth bunion varicose_vein vein achilles cruciate ACL rotator_cuff meniscus nerve scalp "
        "pressure diabetic venous mouth duodenal peptic"
    ).split()
)
_NOT_ITEM = (
    r"(?!(?:the|an?|of|and|or|with|from|for|his|her|is|was|as|in|to|by|at|on|who|which|that|when|since|after|but|it|because|not"
    r"|this|these|it|its|their|where|what|under|before|during|so|if|then|than|into|over|about|being|having|all|such|brought"
    r"|admitted|presented|presents|presenting|here|now|he|she|pt|currently|denies|lives|works|seen|there|then|again|today|too|stable|still|[a-z]+ly)\b|[A-Za-z]/)"
)
_ITEM = rf"(?:{_NOT_ITEM}[A-Za-z0-9][\w’'+-]*(?:[ ]{_NOT_ITEM}[\w’'+-]+){{0,3}}(?:[ ]of[ ][a-z]+)?)"


def _in_a_clinic(match: re.Match[str]) -> bool:
    return is_clinical(match.string)


def is_clinical(text: str) -> bool:
    """Whether two different signs of a note about a patient are in the text."""
    return index_of(text).told(_has_two_signs)


def _has_two_signs(text: str) -> bool:
    seen: set[str] = set()
    for sign in _SIGNS.finditer(text):
        seen.add(sign.group().lower())
        if len(seen) > 1:
            return True
    return False


_INJURED = re.compile(
    r"(?i:\b(?:ambulance|conveyed|x-?ray|fall|fell|surgery|ortho|hospital|ward|a&e|theatre|patient|pt)\b)"
)
_WISH = re.compile(r"\b(?:IVF|IUI|FET|TTC|BFP|BFN|ICSI|RE\sclinic|embryos?|trimester|PCOS|2WW|fertility)\b")


def _injured(match: re.Match[str]) -> bool:
    return _INJURED.search(match.string, max(0, match.start() - 300), match.end() + 300) is not None


def _wishes_for_a_child(match: re.Match[str]) -> bool:
    seen: set[str] = set()
    for sign in _WISH.finditer(match.string, max(0, match.start() - 300), match.end() + 300):
        seen.add(sign.group())
        if len(seen) > 1:
            return True
    return False


_RULES: tuple[Rule, ...] = (
    rule(
        "diagnosed or treated",
        rf"\b(?:[Ss]uffer(?:s|ed|ing)?\s(?:badly\s)?from|[Dd]iagnosed(?:\s(?:with|w/|as\shaving|as))?|[Dd]iagnosis\sof|[Tt]reated\sfor|[Tt]reatment\sfor|[Ss]igned\soff\swith"
        rf"|[Oo]ff\s(?:sick\s|work\s)?with|[Ii]nfected\swith|[Cc]ontracted|[Dd]ied\s(?:of|from)|[Dd]ying\s(?:of|from)|[Rr]ecover(?:s|ed|ing)\sfrom|[Bb]attl(?:es|ed|ing)|[Ll]iving\swith(?=\s[A-Z]{{2,5}}\b)"
        rf"|(?:[Mm]edication|[Mm]eds|[Mm]edicine|[Tt]ablets|[Oo]perated\son|[Tt]ested\spositive|[Hh]ospitali[sz]ed|[Ss]ectioned|[Cc]omplications)\s(?:for|of|from|with))\s(?:an?\s)?(?P<m>{_ITEM})",
        "HEALTH",
        0.75,
    ),
    rule(
        "history in a note",
        rf"(?<![\w/])(?:PMHx?(?:\s(?:of|includes|significant\sfor|sig\sfor))?|PMHx?:|[Hh]/[Oo]|[Hh]x\s(?:of\s)?|[Hh]x:|s/p|S/P|[Dd]x(?:['’]?d)?(?:\s(?:with|w/|of))?:?"
        rf"|[Kk]nown\scase\sof|[Bb]ackground\sof|[Aa]dmitted\sw/)\s?(?:an?\s)?(?P<m>{_ITEM}(?:(?:,[ ]"
        rf"|[ ]and[ ]|,[ ]and[ ]){_ITEM}(?![\w ]*[ ](?:was|is|were)\b)){{0,7}})",
        "HEALTH",
        0.75,
        check=_in_a_clinic,
    ),
    rule(
        "injury",
        rf"\b(?:fractures?|amputation|loss|dislocation|rupture|injur(?:y|ies)|calcification)\s(?:of"
        rf"|to)\s(?:(?:his|her|the|sight|vision|hearing)\s?){{0,2}}(?:(?:in|of)\s(?:his"
        rf"|her|the)\s)?(?:(?:left|right|lower|upper|\d(?:st|nd|rd|th)|[a-z]+al)\s){{0,3}}(?:{_BODY})?"
        rf"(?<=\w)",
        "HEALTH",
        0.75,
    ),
    # "she has MS", "medicine for TB": outside of clinics a short name counts where somebody has it
    rule(
        "having an illness in short",
        r"\b(?:has|have|had|having|got|gets|with|for|from|after|of|['’]ve|['’]s\sgot)\s(?:an?\s|the\s|my\s|his\s|her\s|their\s|bad\s|severe\s|chronic\s)?"
        r"(?P<m>MS|TB|PTB|CF|MND|RA|UTI|UTIs|EDS|POTS|CFS|ME|AF|MI|PE|HPV|STD|STI|STDs|STIs|BPD|ASD|GAD|SAD|FND|NF1|PKU|AMD|LVF|SVT|ITP|HS|TMJ|IBD|DVT|OA|CP|DS|LD)(?![\w'’-]|\s[A-Z][a-z])",
        "HEALTH",
        0.7,
    ),
    # "foot ulcer", "hernia operation", "alcohol withdrawal", "sickle cell crisis"
    rule(
        "injury or operation of an organ",
        rf"(?<![\w-])(?i:(?:left\s|right\s|total\s|double\s|open\s|keyhole\s|major\s|emergency\s)?{_ORGAN}\s(?:operations?|ops?|surgery|surgeries|replacements?|transplants?|removal|repair"
        rf"|reconstruction|grafts?|biopsy|infections?|ulcers?|injury|injuries|problems?|trouble|condition|complaint|failure|disease|bleeds?|clots?|haemorrhage|hemorrhage|tumou?rs?|cysts?"
        rf"|tears?|fractures?|strain|sprain|sores?|defect|murmur|attacks?|arrest|stones?|impairment|implants?))(?!\w)",
        "HEALTH",
        0.7,
    ),
    rule(
        "kind of crisis, injury or withdrawal",
        r"(?<![\w-])(?i:(?:sickle\scell|asthma|adrenal|thyroid|addisonian|psychotic|mental\shealth)\s(?:crisis|crises|attacks?)|(?:alcohol|opiate|opioid|heroin|nicotine|drug|benzo)\s(?:withdrawal"
        r"|dependen(?:ce|cy)|addiction|misuse|abuse|detox)|(?:whiplash|spinal\scord|head|brain|sports?|crush|burns?|needlestick|repetitive\sstrain)\s(?:injury|injuries)"
        r"|(?:subarachnoid|subdural|intracranial|cerebral|postpartum)\s(?:haemorrhage|hemorrhage|bleed|haematoma|hematoma)|hep(?:atitis)?\s[A-E](?:\s(?:\+ve|positive|pos))?)(?!\w)",
        "HEALTH",
        0.75,
    ),
    # "a bleed on the brain", "a hole in her heart"
    rule(
        "something in an organ",
        rf"\b(?i:(?:bleed|bleeding|clots?|tumou?rs?|hole|lump|growth|shadow|fluid|water|swelling|cysts?|stones?|infection|cancer|arthritis)\s(?:on|in|of)\s(?:the|his|her|my|their|both)\s"
        rf"(?:left\s|right\s)?{_ORGAN})(?!\w)",
        "HEALTH",
        0.75,
    ),
    rule(
        "sense or limb lost",
        rf"\b(?i:(?:lost|losing|loss\sof|lose)\s(?:the\s|his\s|her\s|my\s|their\s|all\s)?(?:hearing|sight|vision|eyesight|use|feeling|sensation|leg|arm|hand|foot|eye|finger|baby|toes?|fingers)"
        rf"(?:\s(?:in|of)\s(?:the|his|her|my|their|one|both|an)\s(?:left\s|right\s)?{_BODY})?)(?!\w)",
        "HEALTH",
        0.7,
        check=lambda match: "use" not in match.group().lower().split() or " of " in match.group(),
    ),
    # "colon CA", "breast ca 1998"
    rule(
        "cancer in short",
        r"\b(?i:breast|colon|lung|prostate|bowel|rectal|colorectal|ovarian|cervical|endometrial|uterine|skin|brain|liver|kidney|renal|pancreatic|gastric|stomach"
        r"|testicular|throat|laryngeal|oral|tongue|bladder|thyroid|bone|oesophageal|esophageal|squamous\scell|basal\scell)\s(?:CA|Ca|ca)\b(?!\s?\d{5})",
        "HEALTH",
        0.8,
    ),
    rule(
        "fracture in short",
        r"(?<![\w#])#\s?(?:[LR]\s)?(?:NOF|NOH|hip|wrist|ankle|femur|tibia|fibula|tib/fib|radius|ulna|humerus|clavicle|ribs?|pelvis|scaphoid|metatarsal)\b",
        "HEALTH",
        0.75,
        check=_injured,
    ),
    # What people who wish for a child write to each other: a test, a loss, a cycle
    rule(
        "wish for a child in short",
        r"(?<!\w)(?:BFP|BFN|PCOS|MC|MMC|[Ee]ctopic(?!\spregnancy)|POI|DOR|MFI)(?!\w)",
        "HEALTH",
        0.7,
        check=_wishes_for_a_child,
    ),
    rule(
        "broken bone",
        rf"\b(?:(?:{NUMBER_WORDS}|\d)\s)?(?:[Ff]ractured|[Bb]roken|[Ss]prained|[Dd]islocated|[Tt]orn|[Rr]uptured|[Ss]hattered|[Bb]roke)\s(?:(?:his|her|my|their|an?)\s)?"
        rf"(?:(?:left|right|upper|lower)\s)?{_BODY}\b",
        "HEALTH",
        0.75,
    ),
    rule(
        "disorder of the mind",
        r"\b(?:paranoid|psychotic|mental|personality|anxiety|eating|depressive|post-traumatic"
        r"|bipolar|chronic|terminal)\s(?:\w+\s)?(?:illness|disorder|disease|disorders"
        r"|illnesses|stress)\b",
        "HEALTH",
        0.65,
    ),
    rule(
        "bodily condition",
        rf"\b(?:HIV[\s-]positive|HIV\+|(?:blind|deaf)(?:\s(?:in|on)\s(?:one|the|her|his|my|both)\s(?:left\s|right\s)?(?:eyes?|ears?|side))?|hard\sof\shearing"
        rf"|colou?r[-\s]?blind(?:ness)?|non-?verbal|house-?bound|bed-?bound|bedridden|neurodivergent|neurodiverse|on\sthe\sspectrum|wheelchair(?:[\s-]bound)?|(?:(?:\d\d?|{NUMBER_WORDS})\s(?:weeks|months)\s)?pregnant|transgender"
        r"|transsexual|homosexual|bisexual|lesbian|gay)\b",
        "HEALTH",
        0.6,
    ),
)


@cache
def _conditions() -> Phrases[str]:
    """Each condition with what it asks for: nothing, its capitals, a clinic, or a word before it."""
    phrases: Phrases[str] = Phrases()
    for word in words("conditions"):
        phrases.add(word, "" if word.islower() else word)
    for word in words("doubtful_conditions"):
        phrases.add(word, "clinic" if word.islower() else f"clinic {word}")
    for word in _HEADS:
        phrases.add(word, "kind")
    return phrases


@recognizers.register("health")
@dataclass(frozen=True)
class Health:
    """Illnesses, disabilities, injuries and operations."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        result = find(texts, _RULES, source="health")
        for text, spans in zip(texts, result):
            spans.extend(_listed(text))
            spans.extend(_by_ending(text))
        return result


def _listed(text: str) -> Iterator[Span]:
    clinical: bool | None = None
    for start, end, asks in _conditions().find(text):
        if asks == "kind":
            before = _HEAD_BEFORE.search(text, max(0, start - 40), start)
            if before is not None:
                yield Span(before.start(), end, "HEALTH", 0.65, "health", "kind of disease")
            continue
        if asks:
            where, _, spelling = asks.rpartition(" ")
            if asks == "clinic" or where == "clinic":
                if text[end : end + 1] == ":":  # "PE:" begins what was examined
                    continue
                clinical = is_clinical(text) if clinical is None else clinical
                if not clinical:
                    continue
            if asks != "clinic" and text[start:end] != spelling:
                continue
        before = _KIND_BEFORE.search(text, max(0, start - 48), start)
        after = _KIND_AFTER.match(text, end)
        first = before.start() if before else start
        yield Span(first, after.end() if after else end, "HEALTH", 0.7, "health", "known condition")


def _by_ending(text: str) -> Iterator[Span]:
    for tail in _ENDING.finditer(text):
        # Looking back from the ending costs nothing for the words that have none of them.
        whole = _WORD_BEFORE.search(text, max(0, tail.start() - 40), tail.end())
        if whole is None:
            continue
        word = whole.group().rsplit(None, 1)[-1]
        if word.lower() not in _NO_DISEASE and not (
            word[0].isupper() and whole.start() and text[whole.start() - 1] not in "\n:"
        ):
            yield Span(whole.start(), tail.end(), "HEALTH", 0.65, "health", "ending of a disease")
