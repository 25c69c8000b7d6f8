"""Postal addresses with street and number, post boxes, and postcodes that stand with a place.

A street is known by its way ("Road", "rue", "-straße") beside a house number, a flat by its unit
("Apt 4"). From there the address grows to both sides: the flat and the building before it, the town, the
postcode and the country behind it, as far as they are written like parts of an address.

Cost        rules are tried at numbers and capitals only; growing happens at hits
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.knowledge.places import STATES, cities, countries
from heteronym.knowledge.wordlists import words
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import LOWER, UPPER, Rule, find, rule

_CAP = rf"[{UPPER}][{LOWER}{UPPER}][\w’'‑-]*"
_WAY = (
    r"(?:Street|St\.?|Road|Rd\.?|Avenue|Ave\.?|Av\.?|Boulevard|Blvd\.?|Lane|Ln\.?|Drive|Dr\.?|Court"
    r"|Ct\.?|Square|Sq\.?|Place"
    r"|Pl\.?|Terrace|Ter\.?|Way|Parkway|Pkwy\.?|Highway|Hwy\.?|Close|Crescent|Cres\.?|Gardens|Row|Mews"
    r"|Circle|Cir\.?|Alley|Quay"
    r"|Walk|Gate|Grove|Rise|Hill|Green|Parade|Esplanade|Trail|Loop|Wharf|Bypass|View|Park|Path|Croft"
    r"|Drove|Str\.?"
    r"|Brae|Bridge|Wynd|Vennel|Fold|Garth|Vale|Chase|Meadows?|Spinney|Cottages|Villas|Causeway|Pde\.?"
    r"|Tce\.?|Cct\.?|Circuit"
    r"|Broadway|Promenade|Strand|Embankment|Turnpike|Pike|Glen|Hollow|Crossing)"
)
_SMALL_WAY = (
    r"(?:street|st|road|rd|avenue|ave|boulevard|blvd|lane|drive|crescent|close|terrace|gardens|square"
    r"|way|court|place)"
)
_FRONT_WAY = (
    r"(?:[Rr]ue|[Aa]venue|[Bb]oulevard|[Bb]d|[Aa]ll[ée]e|[Qq]uai|[Pp]lace|[Vv]ia|[Vv]iale|[Cc]orso"
    r"|[Pp]iazza|[Ss]trada|[Cc]alle|[Aa]venida|[Aa]vda\.?"
    r"|[Pp]laza|[Pp]aseo|[Rr]ua|[Tt]ravessa|[Uu]l\.|[Uu]lica|[Aa]l\.|[Pp]l\.|[Oo]s\.|[Aa]v\.?|[Ss]tr\."
    r"|Jalan|Jln\.?|Jl\.|Lorong|Persiaran|Soi|Heol|Ffordd|Lôn|Stryd|Sráid|Bóthar|Cluain)"
)
_HOUSE = r"\d{1,5}[A-Za-z]?(?:[-/]\d{1,4}[A-Za-z]?|-(?:I{1,3}|IV|V)\b|\s(?:hs|huis|bis)\b)?"
_UNIT_WORD = (
    r"(?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Room|Studio|apt|apartment|suite|ste|unit|flat|floor|room)"
)
_CAPITAL_WAY = (
    r"(?:STREET|ST|ROAD|RD|AVENUE|AVE|BOULEVARD|BLVD|LANE|LN|DRIVE|DR|COURT|CT|SQUARE|SQ|PLACE|PL"
    r"|TERRACE|TER|WAY|PARKWAY|PKWY"
    r"|HIGHWAY|HWY|CLOSE|CRESCENT|CRES|GARDENS|ROW|MEWS|CIRCLE|CIR|TRAIL|TRL|LOOP|GROVE|RISE|HILL|PARADE"
    r"|PDE|WALK|GATE|BRAE)\b\.?"
)
# bl. C2, sc. A, ap. 31; kv. 7; m. 4: parts of a house on the continent
_INNER = r"(?:,?\s(?:bl|sc|et|ap|kv|lok|dv|esc|piso|pta|int|scala|interno|m|lgh|vån|th|tv)\.?\s\w{1,4}(?!\w))"
_SMALL_HOUSE = (
    r"(?:house|court|lodge|tower|towers|mansions|building|buildings|hall|heights|point|gardens|terrace"
    r"|street|st|road|rd|avenue|ave"
    r"|lane|drive|crescent|close|square|way|place)"
)
_BUILT = (
    r"(?:House|Cottage|Cottages|Farm|Farmhouse|Lodge|Smithy|Rectory|Vicarage|Manse|Barn|Mill|Grange|Hall"
    r"|Manor|Villa|Bungalow|Croft"
    r"|Stables|Forge|Chapel|Schoolhouse|Gatehouse|Dairy|Granary|Coach\sHouse|Mews|Court|Building|Tower)"
)
_UNIT = rf"(?:,?\s(?:{_UNIT_WORD}\.?\s?#?\w{{1,5}}|#\s?\d+\w?))?"
_UK = r"[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}"
_CANADA = r"[A-Z]\d[A-Z]\s?\d[A-Z]\d"
_STATE = (
    "(?:"
    + "|".join([*STATES, "ON", "QC", "BC", "AB", "NS", "MB", "SK", "NSW", "VIC", "QLD", "TAS", "ACT"])
    + ")"
)
_ENDING = (
    r"(?:straße|strasse|str\.|gasse|weg|platz|allee|damm|ufer|straat|laan|plein|gracht|kade|dreef|gatan"
    r"|vägen|gata|väg|vegen|veien|vei"
    r"|vej|gade|stræde|allé|katu|kuja|tie|polku|utca|brücke)"
)
_BEHIND_WAY = (
    r"(?:utca|u\.|út|útja|tér|tere|krt\.|kapu|terrasse|gate|gade|vej|Caddesi|Sokak|Sok\.|Cad\.|cesta|trg"
    r"|ulica)"
)

_TOWN_WORD = rf"(?:[{UPPER}][{LOWER}][{LOWER}{UPPER}’'‑-]*|[{UPPER}]{{3,}}(?!\d))"
_TOWN = rf"{_TOWN_WORD}(?:[ -](?:(?:de|la|le|du|di|del|nad|upon|on|sur|am|im|in|u)[ -])?{_TOWN_WORD}){{0,3}}"
_YEAR_CUE = re.compile(r"\b(?i:in|of|since|by|until|to|from|and)\s\Z")
_HOUSE_NAME = re.compile(rf"\b{_BUILT},?\s?$")
_YEAR = re.compile(r"1[5-9]\d\d|20[0-4]\d")
_NO_STREET = frozenset(
    "Article Section Rule Page Chapter Part Room Day Week Year Grade Form Table Figure Note Annex "
    "Protocol No Nos Age Aged In On At "
    "The Volume Level Step Item Phase January February March April May June July August September "
    "October November December".split()
)

_RULES: tuple[Rule, ...] = (
    rule(
        "house number and street",
        rf"(?<![\w.,/=-]){_HOUSE},?\s(?!The\b|In\b|On\b|At\b)(?:(?:[NSEW]\.?|North|South|East"
        rf"|West)\s)?(?:(?:{_CAP}|St\.)\s|\d{{1,3}}(?:st"
        rf"|nd|rd|th)\s){{1,4}}?{_WAY}(?!\w){_UNIT}",
        "ADDRESS",
        0.9,
        check=lambda match: (
            not 1900 <= int("".join(c for c in match.group().split()[0] if c.isdigit())[:4]) <= 2030
            or "," in match.group()
        ),
    ),
    # 12 rue de Rivoli, 31 Rue des Lilas
    rule(
        "house number and rue",
        rf"(?<![\w.,/-]){_HOUSE}(?:\s(?:bis|ter))?,?\s{_FRONT_WAY}\s(?:(?:de|la|le|les|del|di|des|du|dos"
        rf"|das|l['’]|d['’]|z)\s?){{0,3}}{_CAP}(?:\s(?!{_UNIT_WORD}\b){_CAP}){{0,3}}"
        rf"(?:\s\d{{1,4}}[a-z]?\b)?{_UNIT}",
        "ADDRESS",
        0.88,
    ),
    # Hauptstraße 12, ul. Długa 5/3, Atatürk Caddesi No. 12, rue de Rivoli 12
    rule(
        "street and house number",
        rf"(?<!\w)(?:{_CAP}{_ENDING}|{_CAP}(?:\s{_CAP})?\s{_BEHIND_WAY})\s"
        rf"(?:[Nn]o\.?\s?)?{_HOUSE}{_UNIT}(?!\w)",
        "ADDRESS",
        0.85,
    ),
    rule(
        "rue and house number",
        rf"(?<!\w){_FRONT_WAY}\s(?:(?:de|la|le|les|del|di|des|du|dos|das|l['’]"
        rf"|d['’])\s?){{0,3}}{_CAP}(?:\s{_CAP}){{0,2}}(?:\s|,\s(?!\d{{5}}))(?:(?:[Nn]r|[Nn]o"
        rf"|[Nn]um)\.?\s?|n[°º]\s?)?{_HOUSE}{_INNER}{{0,4}}{_UNIT}(?!\w)",
        "ADDRESS",
        0.85,
    ),
    # 7-9 Northgate, Sandbach CW11 1AA: a town with its postcode makes any name before it a street
    rule(
        "house number before a town and postcode",
        rf"(?<![\w.,/=-]){_HOUSE},?[ ]{_CAP}(?:[ ]{_CAP}){{0,2}}(?=(?:,[ ]|,?[ ]?\n){_TOWN},?\s(?:{_UK}"
        rf"|{_STATE}\s\d{{5}})(?!\w))",
        "ADDRESS",
        0.88,
    ),
    # 4417 W ORANGEWOOD DR
    rule(
        "street in capitals",
        rf"(?<![\w.,/=-]){_HOUSE},?[ ](?:(?:[NSEW]|NE|NW|SE|SW)\.?[ ])?(?:[A-Z][A-Z’'-]+[ ]|\d{{1,3}}"
        rf"(?:ST|ND|RD|TH)[ ]){{1,3}}?{_CAPITAL_WAY}"
        rf"(?!\w)(?:,?[ ](?:APT|UNIT|STE|SUITE|FLAT|#)\.?[ ]?\w{{1,5}})?",
        "ADDRESS",
        0.88,
    ),
    # 2304 FM 1187, 118 County Road 12
    rule(
        "house number and numbered road",
        r"(?<![\w.,/=-])\d{1,5}[ ](?:(?:[NSEW]\.?|North|South|East|West)[ ])?(?:FM|CR|RR|SR|[Cc]ounty[ ]"
        r"(?:[Rr]oad|[Rr]d\.?|[Hh]wy)|COUNTY[ ]ROAD|Farm[ ](?:to[ ]Market[ ])?Road"
        r"|[Ss]tate[ ](?:[Rr]oad|[Rr]oute|[Hh]ighway|[Hh]wy)|[Hh]ighway|HIGHWAY|[Hh]wy\.?|HWY|Route"
        r"|Rte\.?|Rural[ ]Route)[ ]\d{1,4}[A-Z]?(?![\w/])",
        "ADDRESS",
        0.88,
        check=lambda match: not _YEAR_CUE.search(match.string, max(0, match.start() - 8), match.start()),
    ),
    # U2/61 Doveton Cres, Blk 219 Bukit Teratai Ave 4 #11-207, Unit 5/12 High Rd
    rule(
        "unit or block and street",
        rf"(?<!\w)(?:U[ ]?\d{{1,4}}[A-Z]?/\d{{1,5}}[A-Z]?|(?:Unit|Lot|Shop"
        rf"|Villa)[ ]\d{{1,4}}[A-Z]?[/,][ ]?\d{{1,5}}[A-Z]?"
        rf"|(?:Blk|BLK|Block)\.?[ ]\d{{1,4}}[A-Z]?),?[ ](?:{_CAP}[ ]){{1,4}}?{_WAY}(?!\w)(?:[ ]\d{{1,3}}"
        rf"(?!\w))?(?:,?[ ]#\d{{1,3}}-\d{{1,5}})?",
        "ADDRESS",
        0.9,
    ),
    # Am Mühlbach 7, An der Alster 12
    rule(
        "german lane and house number",
        rf"(?<!\w)(?<!I[ ])(?:Am|Im|An[ ]de[rnm]|Auf[ ]de[rnm]|In[ ]de[rnm]|Zum|Zur|Beim|Unter[ ]den"
        rf"|Hinter[ ]de[rnm]|Vor[ ]de[rm])"
        rf"[ ]{_CAP}(?:[ ]{_CAP})?[ ]\d{{1,3}}[a-z]?(?!\w|[.:,/%]\d|[ ]?%)",
        "ADDRESS",
        0.82,
    ),
    # Heol y Bont; Tŷ Newydd, Heol y Bont; 9 Cluain Dara
    rule(
        "celtic street",
        rf"(?<!\w)(?:(?:{_HOUSE}|(?:Tŷ|Ty|Plas|Bryn|Pen)[ ]{_CAP}),?[ ])?"
        rf"(?:Heol|Ffordd|Lôn|Stryd|Rhodfa|Cluain|Bóthar|Sráid|Ascaill)[ ](?:(?:yr|y|Y|Yr|na|an)[ ])?{_CAP}",
        "ADDRESS",
        0.82,
    ),
    # Room 214, Seaview Lodge; Flat 3/1, Anchor Point; Caravan 12, Sandy Bay Holiday Park
    rule(
        "room or flat in a house",
        rf"(?<!\w)(?:Room|Rm|Flat|Apt|Apartment|Unit|Suite|Caravan|Pitch|Berth|Cabin|Bedsit|Studio"
        rf"|Chalet|Plot|Lot)\.?[ ]"
        rf"\d[\w/-]{{0,5}},?[ ](?:(?:The|St\.?)[ ])?(?:{_CAP}[ ]){{1,3}}?(?:{_BUILT}|{_WAY}|Towers"
        rf"|Heights|Mansions"
        rf"|Hostel|Point|Residences?|Residency|Apartments|Estate|Marina|Hotel)(?!\w)",
        "ADDRESS",
        0.88,
    ),
    # Blk 7 Lot 12 Sampaguita St.
    rule(
        "block and lot",
        rf"(?<!\w)(?:(?i:blk|block|phase|purok|ph)\.?[ ]\d{{1,4}}[A-Z]?,?[ ]){{1,2}}(?i:lot|unit"
        rf"|l)\.?[ ]\d{{1,4}}[A-Z]?"
        rf"(?:,?[ ](?:{_CAP}|[A-Z]{{2,}})(?:[ ](?:{_CAP}|[A-Z]{{2,}})){{0,3}}\.?)?(?!\w)",
        "ADDRESS",
        0.9,
    ),
    # Plot 14, Sector 9; Stand 2231, Chitungwiza
    rule(
        "plot and quarter",
        rf"(?<!\w)(?:Plot|Stand|Erf|Quarter"
        rf"|Qtr)\.?[ ](?:No\.?[ ])?\d[\w/-]{{0,7}},[ ]{_CAP}(?:[ ](?:{_CAP}|\d{{1,3}})){{0,3}}",
        "ADDRESS",
        0.85,
    ),
    # of The Granary, Cold Harbour Farm
    rule(
        "house on a farm",
        rf"\b(?:of|at|from|to|address|in)[ ](?P<m>(?:The[ ])?(?:{_CAP}[ ]){{0,2}}{_BUILT},[ ]"
        rf"(?:{_CAP}[ ]){{1,3}}?(?:{_BUILT}|{_WAY}))(?!\w)",
        "ADDRESS",
        0.85,
    ),
    # Sandviksbodene 71, N-5035 Bergen: a postcode and a town behind the number make any name a street
    rule(
        "street and number before a postcode",
        rf"(?<!\w){_CAP}(?:[ ]{_CAP}){{0,2}}[ ]\d{{1,4}}[A-Za-z]?(?=(?:,[ ]|,?[ ]?\n)"
        rf"(?:[A-Z]{{1,2}}-\d{{4,5}}|\d{{5}}|\d{{3}}[ ]\d\d|\d\d-\d{{3}}|(?!19"
        rf"|20)\d{{4}})[ ]{_TOWN_WORD}(?![\w’']))",
        "ADDRESS",
        0.86,
        check=lambda match: match.group().split()[0] not in _NO_STREET,
    ),
    # H.No. 12-3-45, Sai Residency; Flat No. 402, Green Heights; Plot 14, Sector 9
    rule(
        "number of a house or plot",
        rf"(?<!\w)(?:H\.?[ ]?No|House[ ]No|Door[ ]No|D\.No|Flat[ ]No|Plot[ ]No|Villa[ ]No"
        rf"|Shop[ ]No)\.?:?[ ]?[\w/-]{{1,10}},?[ ]{_CAP}(?:[ ]{_CAP}){{0,3}}"
        rf"(?:,[ ](?:{_CAP}|\d{{1,3}}(?:st|nd|rd|th)[ ]\w+)(?:[ ](?:{_CAP}|\d{{1,3}})){{0,3}}){{0,3}}",
        "ADDRESS",
        0.88,
        check=lambda match: any(map(str.isdigit, match.group())),
    ),
    # RR 2 Box 45, HC 1 Box 12
    rule(
        "box of a rural route",
        r"(?<!\w)(?:RR|R\.R\.|HC|HCR|Rural[ ]Route)[ ]?#?\d{1,3},?[ ]Box[ ]\d{1,5}[A-Z]?(?!\w)",
        "ADDRESS",
        0.9,
    ),
    # C/ Mayor 12, 3º B
    rule(
        "calle in short",
        rf"(?<!\w)[Cc]/[ ]?(?:(?:de|la|del|los|las)[ ]){{0,2}}{_CAP}(?:[ ]{_CAP}){{0,2}},?[ ]{_HOUSE}"
        rf"(?:,?[ ]\d{{1,2}}[º°ª](?:[ ]?[A-Z])?)?(?!\w)",
        "ADDRESS",
        0.88,
    ),
    # flat 9 corunna house
    rule(
        "flat in small letters",
        rf"(?<!\w)(?:flat|apt|apartment|unit)\s\d{{1,4}}[a-z]?,?\s"
        rf"(?:\d{{1,4}}[a-z]?\s)?(?P<name>[a-z’']+(?:\s[a-z’']+)?)\s{_SMALL_HOUSE}(?!\w)",
        "ADDRESS",
        0.85,
    ),
    # The Old Smithy, Heol y Felin / Llandeilo SA19 6BX: the line above a town with its postcode
    rule(
        "house name above its town",
        rf"(?:(?<=\n)|(?<![\s\S]))(?:The[ ])?{_CAP}(?:[ ](?:y|yr|the|of|de|{_CAP})){{0,3}}(?:,[ ]{_CAP}"
        rf"(?:[ ](?:y|yr|the|of|de|{_CAP})){{0,3}}){{0,2}},?[ ]?(?=\n{_TOWN},?[ ]{_UK}(?!\w))",
        "ADDRESS",
        0.82,
        check=lambda match: (
            "," in match.group().rstrip(" ,") or _HOUSE_NAME.search(match.group()) is not None
        ),
    ),
    # 14 lyndhurst way: as people type in chats
    rule(
        "street in small letters",
        rf"(?<![\w.,/-]){_HOUSE}\s(?P<name>[a-z]+(?:\s[a-z]+)?)\s{_SMALL_WAY}(?!\w)",
        "ADDRESS",
        0.8,
        check=lambda match: not all(word in words("common_words") for word in match.group("name").split()),
    ),
    # After a word that announces one, anything with a house number in it
    rule(
        "announced address",
        rf"\b(?:[Aa]ddress(?:\sis|\swas|:)|(?:[Ll]ive[sd]?|living|resid(?:es?|ed|ing)|stay(?:s|ed|ing)?"
        rf"|located|situated|[Mm]eet(?:\sme)?|office\sis)\s(?:at|on|in)(?=\s\d|\s{_CAP}\s\d))\s"
        rf"(?P<m>(?:\d[\w/-]*,?\s(?:{_CAP}\s?){{1,5}}(?:\d{{1,4}}[a-z]?\b)?"
        rf"|{_CAP}(?:\s{_CAP}){{0,3}}\s\d[\w/-]*)"
        rf"(?:,\s(?:\d{{4,5}}\s)?{_CAP}(?:\s{_CAP})?){{0,2}})",
        "ADDRESS",
        0.8,
        check=lambda match: any(map(str.isdigit, match.group("m"))),
    ),
    rule(
        "flat or suite",
        r"(?<!\w)(?:Apt|Apartment|Suite|Ste|Flat)\.?\s#?\d{1,5}[A-Za-z]?(?:/\d{1,3})?(?!\w)",
        "ADDRESS",
        0.8,
    ),
    rule(
        "corner of two streets",
        rf"(?<!\w)(?:[Tt]he\s)?(?:[Cc]orner|[Ii]ntersection"
        rf"|[Jj]unction)\sof\s(?P<first>(?:[\w.’'-]+\s){{1,6}}?)and\s(?:{_CAP}|\d+(?:st|nd|rd"
        rf"|th))(?:\s{_CAP}){{0,3}}",
        "ADDRESS",
        0.85,
        check=lambda match: any(
            part[0].isupper() or part[0].isdigit() for part in match.group("first").split()[:2]
        ),
    ),
    rule(
        "military address",
        r"(?<!\w)(?:(?:PSC|Unit|CMR)\s\d{1,5},?\s(?:Box\s\d{1,5},?\s)?|US(?:NS|S|CGC)\s\w+,?\s)(?:APO"
        r"|FPO|DPO),?\sA[AEP]\s\d{5}",
        "ADDRESS",
        0.95,
    ),
    rule(
        "post box",
        r"\b(?:P\.?\s?O\.?\s?(?:Box|BOX)|Postfach|BP|GPO\sBox|Private\sBag)\s?\d{1,6}\b(?!/)",
        "ADDRESS",
        0.9,
    ),
    rule("postcode of the kingdom", rf"(?<!\w){_UK}(?!\w)", "POSTCODE", 0.7),
    rule(
        "zip code after a state",
        rf"(?<=[\w,]\s){_STATE}\s{{1,2}}(?P<m>\d{{5}}(?:-\d{{4}})?)(?!\w)",
        "POSTCODE",
        0.9,
    ),
    rule(
        "postcode after its word",
        r"\b(?i:zip(?:\scode)?|postcode|postal\scode|plz)\s?(?:is\s|was\s|:\s?)?"
        r"(?P<m>[A-Z0-9]{3,5}[\s-]?[A-Z0-9]{0,4})\b",
        "POSTCODE",
        0.85,
        check=lambda match: any(map(str.isdigit, match.group("m"))),
    ),
    # D02 X285, H65 XV00
    rule(
        "eircode",
        r"(?<![\w-])[AC-FHKNPRTV-Y](?:\d\d"
        r"|6W)[ ](?=[0-9AC-FHKNPRTV-Y]{0,3}[A-Z])[0-9AC-FHKNPRTV-Y]{4}(?![\w-])",
        "POSTCODE",
        0.8,
        check=lambda match: any(map(str.isdigit, match.group().split()[1])),
    ),
    rule(
        "postcode of canada",
        r"(?<![\w-])[ABCEGHJ-NPRSTVXY]\d[A-Z][ -]?\d[A-Z]\d(?![\w-])",
        "POSTCODE",
        0.8,
    ),
    # 1017 ZZ Amsterdam; 2019 US Open is none
    rule(
        "postcode of the netherlands",
        rf"(?<![\w.,/-])(?!19|20)[1-9]\d{{3}}[ ]?(?!AM|PM|US|UK|EU|UN|BC"
        rf"|AD)[A-Z]{{2}}(?=(?:,[ ]|[ ]{{1,2}}|\n){_TOWN_WORD}(?!\w))",
        "POSTCODE",
        0.75,
    ),
    rule(
        "postcode after a state of australia",
        r"(?<!\w)(?:NSW|VIC|Vic|QLD|Qld|WA|SA|TAS|Tas|ACT|NT)\.?,?[ ](?P<m>\d{4})(?!\w|[.,]\d)",
        "POSTCODE",
        0.85,
    ),
    # Siliguri - 734001, Kolkata-700 091
    rule(
        "pin code behind a dash",
        rf"(?<!\w){_CAP}[ ]?[-–][ ]?(?P<m>[1-9]\d{{2}}[ ]?\d{{3}})(?![\w-]|[.,/]\d)",
        "POSTCODE",
        0.75,
    ),
    rule("pin code of singapore", r"(?<![\w(])S(?:\((?P<m>\d{6})\)|[ ]?\d{6}(?!\w))", "POSTCODE", 0.8),
    # 10999 Berlin, L-1218 Luxembourg, 00-950 Warsaw, 111 22 Stockholm
    rule(
        "postcode before a known town",
        rf"(?<![\w.,/-])(?P<m>(?:[A-Z]{{1,2}}-)?\d{{4,5}}|\d\d-\d{{3}}|\d{{3}}[ ]\d\d"
        rf"|\d{{4}}-\d{{3}})[ ](?P<town>{_CAP})(?!\w)",
        "POSTCODE",
        0.8,
        check=lambda match: match.group("town") in cities() and not _YEAR.fullmatch(match.group("m")),
    ),
    rule(
        "postcode before a town",
        rf"(?<![\w.,/-])(?:[A-Z]{{1,2}}-)?\d{{5}}(?=\s{_CAP}(?:,|\.|\s\())(?<!\d\s)",
        "POSTCODE",
        0.5,
    ),
    # Norway 64389, Kolkata 700 091, Cape Town 7405
    rule(
        "postcode after a country",
        rf"(?<!\w)(?P<country>{_CAP}(?:\s{_CAP})?)\s(?P<m>\d{{4,6}}(?:-\d{{3,4}})?"
        rf"|\d{{3}}[ ]\d{{3}})(?!\w|[.,/:]\d|[ ]\d)",
        "POSTCODE",
        0.7,
        check=lambda match: _is_a_place(match.group("country")) and not _YEAR.match(match.group("m")[:4]),
    ),
)


def _is_a_place(name: str) -> bool:
    last = name.split()[-1]
    if name in countries() or last in countries():
        return True
    return name in cities() or (last in cities() and last.lower() not in words("common_words"))


_LEFT = re.compile(
    rf"(?:(?:{_UNIT_WORD}\.?\s[\w/-]{{1,6}}|(?:[Tt]op|[Gg]round|[Ff]irst|[Ss]econd|[Tt]hird|[Uu]pper"
    rf"|[Ll]ower|[Bb]asement|[Gg]arden|[Rr]ear|[Ff]ront|[Aa]ttic)\s(?:[Ff]loor\s)?[Ff]lat|\d{{1,2}}(?:st"
    rf"|nd|rd|th)\s[Ff]loor|[Gg]round\s[Ff]loor),\s?(?:\n\s*)?)?(?:(?:{_CAP}|St\.?)(?:\s{_CAP}){{0,3}}\s"
    r"(?:House|Court|Hostel|Lodge|Building|Buildings|Tower|Towers|Mansions|Hall|Hotel|Estate|Cottage"
    r"|Farm|Villa|Park|Centre|Point|Heights),\s?(?:\n\s*)?)?\Z"
)
# A number and a few words before a flat: whatever they are, they are its street.
_STREET_BEFORE_UNIT = re.compile(r"(?<![\w.,])\d{1,6}\s(?:(?![a-z]{4,}\s)[\w.’'ß‑-]+,?\s){1,7}$")
_RIGHT = re.compile(
    rf"(?:(?:,\s?|\s?\n(?=(?:{_UK}|{_CANADA})\b|\d{{4,6}}\s|{_TOWN},?\s(?:{_UK}|{_STATE}\s\d"
    rf"|\d{{4,6}}\b))|\s(?=(?:{_UK}|{_CANADA})\b|{_STATE}\s\d|{_TOWN_WORD},?\s(?:{_UK}|{_STATE}\b"
    rf"|\d{{4,5}}\b)))"
    rf"(?:{_UK}|{_CANADA}|{_STATE}(?:,?\s(?:\d{{5}}(?:-\d{{4}})?|{_CANADA}|\d{{4}}))?"
    rf"|(?:[A-Z]{{1,2}}-)?(?:\d{{4,6}}|\d{{3}}\s\d\d|\d\d-\d{{3}})\s{_TOWN}|\d{{5,6}}(?=,\s{_TOWN_WORD})"
    rf"|{_TOWN}(?:,?\s(?:{_UK}|{_CANADA}|{_STATE}(?:\s(?:\d{{4,5}}(?:-\d{{4}})?|{_CANADA}))?"
    rf"|\d{{4,6}}(?!\s?[-\d])))?)(?!\w))"
)
_RIGHT_OF_UNIT = re.compile(
    rf"(?:,?\s{_TOWN}(?:\s\([^)\n]{{2,12}}\))?(?:,\s[A-Z]{{2}})?(?:,?\s{_TOWN})?"
    rf"(?:,?\s\d{{4,6}}(?!\s?[-\d]))?)(?!\w)"
)
_NO_TOWN = re.compile(
    r"[,\s]*(?:I|He|She|We|They|The|It|Please|On|In|At|My|Tel|Telephone|Phone|Fax|Email|Mobile|Dear|Re"
    r"|Who|Personal|Website|Name)\b"
)


@recognizers.register("addresses")
@dataclass(frozen=True)
class Addresses:
    """Postal addresses and postcodes by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        result = find(texts, _RULES, source="addresses")
        return [list(_grown(text, spans)) for text, spans in zip(texts, result)]


def _grown(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    for span in spans:
        if span.type != "ADDRESS" or span.rule in ("post box", "corner of two streets"):
            yield span
            continue
        start, end = span.start, span.end
        left = (_STREET_BEFORE_UNIT if span.rule == "flat or suite" else _LEFT).search(
            text, max(0, start - 70), start
        )
        if left is not None:
            start = left.start()
        for _ in range(4):
            right = (_RIGHT_OF_UNIT if span.rule == "flat or suite" and end == span.end else _RIGHT).match(
                text, end
            )
            if (
                right is None
                or right.end() == end
                or _NO_TOWN.match(text, end)
                or _is_next_field(text, right.end())
            ):
                break
            end = right.end()
        yield span._replace(start=start, end=end)


def _is_next_field(text: str, end: int) -> bool:
    """What was taken for a town is the key of the next field: "..., Leeds\\nTelephone:"."""
    return text[end : end + 2].lstrip(" ").startswith(":")
