"""Plant leaks in releases of six makers, and make sound releases of the same makers, without knowing the judge.

Written from the question alone ("what can go wrong in a file that another tool made?") before any code of
`heteronym judge` was read; only `found.py` beside it knows the judge's output.

A base is made in latent groups of `SIZE` persons who share sex, decade of age, region, season, and two items, so that
a sound release is known: every group gets one label per column, only its common items, and texts without anything
personal. Sensitive values differ inside every group. Every maker writes labels and placeholders in its own manner.
A leak changes one row, one group or one column of a sound release and says where. Everything is seeded.
"""

from __future__ import annotations

import base64
import datetime
import hashlib
import random
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field

K = 5
GROUPS = 24
Row = dict[str, str]

REGIONS = {
    "Cornwall": {"Truro": "TR1", "Penzance": "TR18", "Falmouth": "TR11", "Redruth": "TR15", "Newquay": "TR7", "Camborne": "TR14", "Helston": "TR13", "St Austell": "PL25"},
    "Yorkshire": {"Leeds": "LS1", "Ripon": "HG4", "Whitby": "YO22", "Selby": "YO8", "Skipton": "BD23", "Halifax": "HX1", "Wakefield": "WF1", "Thirsk": "YO7"},
    "Scotland": {"Perth": "PH1", "Dundee": "DD1", "Oban": "PA34", "Paisley": "PA1", "Stirling": "FK8", "Ayr": "KA7", "Inverness": "IV1", "Elgin": "IV30"},
    "Wales": {"Swansea": "SA1", "Bangor": "LL57", "Wrexham": "LL11", "Cardigan": "SA43", "Llanelli": "SA15", "Barry": "CF62", "Tenby": "SA70", "Brecon": "LD3"},
}
SURNAMES = "Aldridge Bickerstaff Cotterill Drinkwater Ellacott Fairweather Hannaford Inskip Jellicoe Luscombe Medlicott Northcott Openshaw Penrose Rowsell Squance Tregenza Vosper Westaway Yelland Szczepański Wiśniewska Öztürk García Müller Nwachukwu Raghunathan Siddiqui Bhattacharya Ogunleye Dąbrowa Kazlauskas Papadakis Esposito Marinelli Jankovic Petrenko Stojanovic Kaczmarek Diallo Boateng Adebayo Dhillon Jayawardena Karaca Benali Tavares Fernández Silveira Ishikawa Thorneycroft Wolstenholme Ramsbottom Featherstonehaugh Quartermaine Pumphrey Goldthorpe Heptonstall Micklethwaite Entwistle".split()
WOMEN = "Alison Bethany Carol Deborah Edith Fiona Gillian Hazel Isobel Janet Kathleen Lorraine Maureen Nicola Pauline Rebecca Sandra Tracy Verity Wendy Agnieszka Zofia Deepika Lakshmi Ngozi Yetunde Ayşe Inês".split()
MEN = "Adrian Barry Clive Derek Ernest Gareth Howard Ian Jeremy Kenneth Leonard Martin Neville Roger Simon Trevor Vincent Warren Gordon Bartosz Wojciech Arjun Karthik Kojo Obinna Burak Nuno Xavier".split()
STREETS = "Church Lane;Mill Street;Rosewood Close;Station Road;Fore Street;Orchard Way;Quay Street;Priory Gardens".split(";")
NEUTRAL = [
    "No change since the last time.", "Everything was explained and understood.", "Will be seen again if needed.",
    "There were no further questions.", "The usual advice was given.", "Nothing else to report.",
    "A leaflet was handed out.", "All agreed with this.", "The matter is closed for now.", "Progress is as expected.",
]


@dataclass(frozen=True)
class Domain:
    """What the records are about: names of columns, items, sensitive values, jobs, and one way to say things."""

    name: str
    key: str
    date: str
    items: str
    sensitive: str
    text: str
    separator: str
    goods: tuple[str, ...]
    rare: tuple[str, ...]
    outcomes: tuple[str, ...]
    jobs: tuple[str, ...]
    person: str
    took: str
    money: str | None = None


DOMAINS = {
    "clinic": Domain("clinic", "record_no", "admitted", "drugs", "diagnosis", "note", "|",
        ("ibuprofen", "paracetamol", "amoxicillin", "metformin", "omeprazole", "ramipril", "simvastatin", "salbutamol"),
        ("methotrexate", "clozapine", "lithium", "tamoxifen", "warfarin", "naltrexone", "riluzole", "bosentan"),
        ("asthma", "diabetes", "migraine", "depression", "gout", "epilepsy"),
        ("nurse", "teacher", "plumber", "driver", "beekeeper", "farrier", "glazier", "organist", "cellist", "blacksmith", "florist", "surveyor"), "patient", "takes"),
    "staff": Domain("staff", "staff_no", "joined", "skills", "rating", "remark", ", ",
        ("excel", "python", "filing", "welding", "driving", "first aid", "accounting", "sales"),
        ("sign language", "falconry", "notary", "locksmithing", "cartography", "bookbinding", "beekeeping", "taxidermy"),
        ("good", "fair", "poor", "outstanding", "probation", "warning"),
        ("clerk", "welder", "buyer", "porter", "archivist", "auditor", "librarian", "chemist", "draughtsman", "crane operator", "translator", "dispatcher"), "employee", "is trained in", "salary"),
    "bank": Domain("bank", "customer", "opened", "products", "outcome", "message", ";",
        ("loan", "card", "savings", "mortgage", "overdraft", "insurance", "pension", "current account"),
        ("safe deposit box", "gold account", "yen account", "art loan", "yacht loan", "trust fund", "film fund", "crypto wallet"),
        ("refunded", "rejected", "escalated", "settled", "pending", "withdrawn"),
        ("baker", "tailor", "dentist", "solicitor", "fisherman", "midwife", "piano tuner", "gardener", "optician", "roofer", "vet", "jeweller"), "customer", "holds", "income"),
}


@dataclass
class Person:
    group: int
    values: Row
    first: str
    last: str
    sex: str
    age: int
    town: str
    region: str
    postcode: str
    day: datetime.date
    job: str
    items: list[str]
    common: list[str]
    sensitive: str
    phone: str
    mail: str
    key: str
    street: str
    relative: str
    money: int
    neutral: list[str]


def make_people(domain: Domain, rng: random.Random, groups: int = GROUPS) -> list[Person]:
    people: list[Person] = []
    keys = rng.sample(range(100000, 999999), groups * 10)
    names = [(first, last) for last in SURNAMES for first in WOMEN + MEN]
    rng.shuffle(names)
    for group in range(groups):
        sex = "female" if group % 2 else "male"
        low = 20 + 10 * (group % 6)
        region = list(REGIONS)[(group // 2) % 4]
        year = 2017 + group % 5
        common = rng.sample(domain.goods, 2)
        jobs = rng.sample(domain.jobs, 4)
        outcomes = rng.sample(domain.outcomes, 4)
        for number in range(rng.randint(6, 9)):
            pool = WOMEN if sex == "female" else MEN
            first = rng.choice(pool)
            last = rng.choice(SURNAMES)
            town = rng.choice(list(REGIONS[region]))
            day = datetime.date(year, 1, 1) + datetime.timedelta(days=rng.randrange(364))
            key = str(keys.pop())
            digits = f"{rng.randrange(10**6):06d}"
            plain = unicodedata.normalize("NFKD", last).encode("ascii", "ignore").decode().lower()
            extra = rng.sample([good for good in domain.goods if good not in common], rng.randint(0, 2))
            extra += rng.sample(domain.rare, 1 if rng.random() < 0.5 else 0)
            people.append(Person(
                group, {}, first, last, sex, rng.randint(low, low + 9), town, region,
                f"{REGIONS[region][town]} {rng.randint(1, 9)}{rng.choice('ABDEFGH')}{rng.choice('JLNPQR')}",
                day, rng.choice(jobs), common + extra, common, outcomes[number % 4],
                f"01632 {digits}", f"{plain}{rng.randint(1, 99)}@example.org", key,
                f"{rng.randint(1, 120)} {rng.choice(STREETS)}", rng.choice(WOMEN + MEN),
                rng.randint(18, 90) * 1000 + rng.randrange(1000), rng.sample(NEUTRAL, 3)))
    rng.shuffle(people)
    for person in people:
        person.values = original_row(domain, person)
    return people


def original_row(domain: Domain, p: Person) -> Row:
    title = "Mrs" if p.sex == "female" else "Mr"
    text = (f"{title} {p.first} {p.last}, {p.age}, a {p.job} from {p.town}, came on {p.day:%d.%m.%Y}. {p.neutral[0]} "
            f"Lives at {p.street}, {p.postcode}, with {p.relative}. Telephone {p.phone} or {p.mail}. {p.neutral[1]} "
            f"The {domain.person} {domain.took} {' and '.join(p.items)}. {p.neutral[2]}")
    row = {domain.key: p.key, "name": f"{p.first} {p.last}", "sex": p.sex, "age": str(p.age), "town": p.town,
           "postcode": p.postcode, domain.date: p.day.isoformat(), "job": p.job,
           domain.items: domain.separator.join(p.items), domain.sensitive: p.sensitive, domain.text: text}
    if domain.money:
        row[domain.money] = str(p.money)
    return row


def plan_of(domain: Domain, released_columns: list[str]) -> dict[str, object]:
    attributes: dict[str, object] = {
        domain.key: {"role": "identifier"}, "name": {"role": "identifier", "entities": ["PERSON"]},
        "sex": {"role": "quasi", "scale": "nominal"}, "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
        "town": {"role": "quasi", "scale": "nominal", "entities": ["GPE"]},
        "postcode": {"role": "quasi", "scale": "nominal"},
        domain.date: {"role": "quasi", "scale": "date", "entities": ["DATE"]},
        "job": {"role": "quasi", "scale": "nominal", "entities": ["JOB"]},
        domain.items: {"role": "items", "separator": domain.separator},
        domain.sensitive: {"role": "sensitive"}, domain.text: {"role": "text"},
    }
    if domain.money:
        attributes[domain.money] = {"role": "quasi", "scale": "numeric"}
    return {"version": 1, "data": {"person": domain.key}, "attributes": attributes,
            "text": {"model": "fast", "patterns": {"JOB": "|".join(domain.jobs)}},
            "privacy": [{"model": "joint", "k": K, "m": 2}], "partition": {"method": "joint"}, "recode": {"terms": "suppress"}}


# ---------------------------------------------------------------- makers: how sound releases look

def _decade(group: list[Person]) -> tuple[int, int]:
    low = min(p.age for p in group) // 10 * 10
    return low, low + 10


@dataclass(frozen=True)
class Maker:
    name: str
    age: Callable[[int, int], str]
    gone: str                       # a suppressed cell
    place: Callable[[str], str]
    when: Callable[[int], str]
    text: Callable[[Domain, Person, int], str]
    delimiter: str = ","
    money: str = "drop"
    keeps_order: bool = True
    mark: dict[str, str] = field(default_factory=dict)


def _masked(marks: dict[str, str]) -> Callable[[Domain, Person, int], str]:
    def write(domain: Domain, p: Person, low: int) -> str:
        return (f"{marks['person']}, {marks['age']}, a {marks['job']} from {marks['place']}, came on {marks['date']}. {p.neutral[0]} "
                f"Lives at {marks['place']}, with {marks['person']}. Telephone {marks['phone']} or {marks['mail']}. {p.neutral[1]} "
                f"The {domain.person} {domain.took} {' and '.join(p.common)}. {p.neutral[2]}")
    return write


def _same(mark: str) -> dict[str, str]:
    return dict.fromkeys(("person", "age", "job", "place", "date", "phone", "mail"), mark)


PRESIDIO = {"person": "<PERSON>", "age": "<AGE>", "job": "<JOB>", "place": "<LOCATION>", "date": "<DATE_TIME>",
            "phone": "<PHONE_NUMBER>", "mail": "<EMAIL_ADDRESS>"}
REGEX = {"person": "[REDACTED]", "age": "XX", "job": "XXXX", "place": "XXXXXX", "date": "XX.XX.XXXX",
         "phone": "\u2588" * 8, "mail": "[EMAIL]"}
TENS = {20: "twenties", 30: "thirties", 40: "forties", 50: "fifties", 60: "sixties", 70: "seventies"}


def _paraphrase(domain: Domain, p: Person, low: int) -> str:
    neutral = {
        "No change since the last time.": "Things remain as they were.", "There were no further questions.": "Nobody asked anything more.",
        "Nothing else to report.": "There is nothing to add.", "The matter is closed for now.": "For the moment this is settled.",
        "Will be seen again if needed.": "Another appointment can be made.", "The usual advice was given.": "Standard guidance was offered.",
    }
    said = [neutral.get(line, line) for line in p.neutral]
    return (f"{said[2]} This {domain.person}, in their {TENS.get(low, 'later years')}, was seen and described the situation. "
            f"{said[0]} It is known that the {domain.person} {domain.took} {' as well as '.join(reversed(p.common))}. {said[1]}")


MAKERS = {
    "arx": Maker("arx", lambda a, b: f"[{a}, {b}[", "*", lambda r: r, str, _masked(_same("*")), ";", "arx"),
    "sdcmicro": Maker("sdcmicro", lambda a, b: f"({a - 1},{b - 1}]" if a < 70 else ">=70", "", lambda r: r, str, _masked(_same("")), ",", "mean"),
    "presidio": Maker("presidio", lambda a, b: f"{a}-{b - 1}", "", lambda r: r, str, _masked(PRESIDIO)),
    "regex": Maker("regex", lambda a, b: f"{a // 10}[0-9]", "XXXX", lambda r: r, lambda y: f"{y}-XX-XX", _masked(REGEX), keeps_order=False),
    "llm": Maker("llm", lambda a, b: f"{a}s", "[REDACTED]", lambda r: r, str, _paraphrase, "\t"),
}


@dataclass
class Release:
    maker: str
    domain: Domain
    people: list[Person]                    # people[i] is the i-th row of the original
    rows: list[Row]
    owner: list[int]                        # rows[j] was made from people[owner[j]]
    columns: list[str]
    delimiter: str


def sound_release(maker_name: str, domain: Domain, rng: random.Random, groups: int = GROUPS) -> Release:
    people = make_people(domain, rng, groups)
    maker = MAKERS[maker_name]
    by_group: dict[int, list[Person]] = {}
    for person in people:
        by_group.setdefault(person.group, []).append(person)
    rows: list[Row] = []
    for p in people:
        group = by_group[p.group]
        low, high = _decade(group)
        row = {"sex": p.sex, "age": maker.age(low, high), "town": maker.place(p.region), "postcode": maker.gone,
               domain.date: maker.when(p.day.year), "job": maker.gone, domain.items: domain.separator.join(sorted(p.common)),
               domain.sensitive: p.sensitive, domain.text: maker.text(domain, p, low)}
        if domain.money and maker.money == "mean":
            row[domain.money] = f"{sum(q.money for q in group) / len(group):.1f}"
        elif domain.money and maker.money == "arx":
            row[domain.money] = f"[{min(q.money for q in group) // 1000 * 1000}, {max(q.money for q in group) // 1000 * 1000 + 1000}["
        rows.append(row)
    owner = list(range(len(people)))
    if not maker.keeps_order:
        rng.shuffle(owner)
        rows = [rows[i] for i in owner]
    return Release(maker_name, domain, people, rows, owner, list(rows[0]), maker.delimiter)


# ---------------------------------------------------------------- leaks: what is planted, and where

@dataclass
class Planted:
    kind: str
    topic: str
    rows: list[int]                 # rows of the release that carry it (empty: the whole column)
    column: str | None


def _pick(r: Release, rng: random.Random, good: Callable[[Person], bool] = lambda p: True) -> tuple[int, Person]:
    places = [j for j in range(len(r.rows)) if good(r.people[r.owner[j]])]
    j = rng.choice(places)
    return j, r.people[r.owner[j]]


def _members(r: Release, group: int) -> list[int]:
    return [j for j in range(len(r.rows)) if r.people[r.owner[j]].group == group]


def _alone(r: Release, p: Person, of: Callable[[Person], object]) -> bool:
    return sum(of(q) == of(p) for q in r.people if q.group == p.group) == 1


def cell(column: str, value: Callable[[Person], str], topic: str = "columns", good: Callable[[Release, Person], bool] | None = None):
    def plant(r: Release, rng: random.Random) -> Planted | None:
        name = {"DATE": r.domain.date, "ITEMS": r.domain.items, "SENSITIVE": r.domain.sensitive, "TEXT": r.domain.text, "MONEY": r.domain.money}.get(column, column)
        if name is None or name not in r.columns:
            return None
        j, p = _pick(r, rng, (lambda q: good(r, q)) if good else (lambda q: True))
        r.rows[j][name] = value(p)
        return Planted("", topic, [j], name)
    return plant


def said(sentence: Callable[[Domain, Person, random.Random], str], topic: str = "words",
         good: Callable[[Release, Person], bool] | None = None):
    """Put one sentence into the text of one row, at a random end."""
    def plant(r: Release, rng: random.Random) -> Planted | None:
        j, p = _pick(r, rng, (lambda q: good(r, q)) if good else (lambda q: True))
        words = sentence(r.domain, p, rng)
        text = r.rows[j][r.domain.text]
        r.rows[j][r.domain.text] = f"{text} {words}" if rng.random() < 0.5 else f"{words} {text}"
        return Planted("", topic, [j], r.domain.text)
    return plant


ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS_IN_WORDS = {2: "twenty", 3: "thirty", 4: "forty", 5: "fifty", 6: "sixty", 7: "seventy"}


def in_words(n: int) -> str:
    return TENS_IN_WORDS[n // 10] + (f"-{ONES[n % 10]}" if n % 10 else "")


def bare(name: str) -> str:
    return unicodedata.normalize("NFKD", name.replace("ł", "l").replace("ı", "i")).encode("ascii", "ignore").decode()


def typo(name: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(name) - 2)
    return name[:at] + name[at + 1] + name[at] + name[at + 2:]


def ordinal(day: int) -> str:
    return f"{day}{'th' if 11 <= day % 100 <= 13 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"


def alone(of: Callable[[Person], object]) -> Callable[[Release, Person], bool]:
    return lambda r, p: _alone(r, p, of)


def long_name(r: Release, p: Person) -> bool:
    return len(p.last) >= 7 and p.last.isascii()


def accents(r: Release, p: Person) -> bool:
    return not p.last.isascii()


def has_rare(r: Release, p: Person) -> bool:
    return any(item in r.domain.rare and _alone_item(r, p, item) for item in p.items)


def _alone_item(r: Release, p: Person, item: str) -> bool:
    return sum(item in q.items for q in r.people if q.group == p.group) == 1


def rare_of(domain: Domain, p: Person) -> str:
    return next(item for item in p.items if item in domain.rare)


def small_group(r: Release, rng: random.Random) -> Planted:
    """Rows were dropped after grouping: three of a group are left."""
    group = rng.randrange(GROUPS)
    members = _members(r, group)
    keep = set(rng.sample(members, 3))
    stay = [j for j in range(len(r.rows)) if j not in members or j in keep]
    r.rows[:] = [r.rows[j] for j in stay]
    r.owner[:] = [r.owner[j] for j in stay]
    return Planted("", "columns", _members(r, group), None)


def split_group(r: Release, rng: random.Random) -> Planted:
    """Half of a group shows its town, the other half the region."""
    group = rng.randrange(GROUPS)
    members = _members(r, group)
    town = r.people[r.owner[members[0]]].town
    chosen = [j for j in members if r.people[r.owner[j]].town == town][:K - 1]
    for j in chosen:
        r.rows[j]["town"] = town
    return Planted("", "columns", chosen, "town")


def whole_row(r: Release, rng: random.Random) -> Planted:
    """One record went out as it was, the text too."""
    j, p = _pick(r, rng)
    for name in r.columns:
        r.rows[j][name] = p.values[name]
    return Planted("", "columns", [j], None)


def rare_item(r: Release, rng: random.Random) -> Planted:
    j, p = _pick(r, rng, lambda q: has_rare(r, q))
    r.rows[j][r.domain.items] += r.domain.separator + rare_of(r.domain, p)
    return Planted("", "items", [j], r.domain.items)


def few_hold_item(r: Release, rng: random.Random) -> Planted | None:
    """An item that is ordinary in the table, but that two or three of a group hold, is kept for them."""
    for group in rng.sample(range(GROUPS), GROUPS):
        members = _members(r, group)
        for item in r.domain.goods:
            holders = [j for j in members if item in r.people[r.owner[j]].items and item not in r.people[r.owner[j]].common]
            if 2 <= len(holders) <= 3:
                for j in holders:
                    r.rows[j][r.domain.items] += r.domain.separator + item
                return Planted("", "items", holders, r.domain.items)
    return None


def all_items(r: Release, rng: random.Random) -> Planted:
    """Nobody thought of the item column: it went out unchanged."""
    for j, i in enumerate(r.owner):
        r.rows[j][r.domain.items] = r.people[i].values[r.domain.items]
    rows = [j for j in range(len(r.rows)) if has_rare(r, r.people[r.owner[j]])]
    return Planted("", "items", rows, r.domain.items)


def one_outcome(r: Release, rng: random.Random) -> Planted:
    """A group of which everybody has the same sensitive value (so it was in the original)."""
    group = rng.randrange(GROUPS)
    members = _members(r, group)
    value = r.people[r.owner[members[0]]].sensitive
    for j in members:
        person = r.people[r.owner[j]]
        person.sensitive = value
        person.values[r.domain.sensitive] = value
        r.rows[j][r.domain.sensitive] = value
    return Planted("", "sensitive", members, r.domain.sensitive)


def add_column(name: str, value: Callable[[Person, int], str], topic: str):
    def plant(r: Release, rng: random.Random) -> Planted:
        for j, i in enumerate(r.owner):
            r.rows[j][name] = value(r.people[i], i)
        r.columns.append(name)
        return Planted("", topic, [], name)
    return plant


def digest(algorithm: str, of: Callable[[Person], str], length: int | None = None) -> Callable[[Person, int], str]:
    return lambda p, i: hashlib.new(algorithm, of(p).encode()).hexdigest()[:length]


def pseudonym_by_rank(r: Release, rng: random.Random) -> Planted:
    """Numbers given in the order of the secret keys: sort, count, and everybody is back."""
    order = sorted(range(len(r.people)), key=lambda i: int(r.people[i].key))
    rank = {i: n for n, i in enumerate(order)}
    for j, i in enumerate(r.owner):
        r.rows[j]["subject"] = f"S{rank[i] + 1:04d}"
    r.columns.append("subject")
    return Planted("", "pseudonym", [], "subject")


def pseudonym_of_towns(r: Release, rng: random.Random) -> Planted:
    """Each town always has the same letter code; how often a code occurs tells which town it is."""
    for i, person in enumerate(r.people):            # make the counts of the towns differ, as they do in life
        towns = list(REGIONS[person.region])
        person.town = rng.choices(towns, weights=[2 ** (8 - n) for n in range(8)])[0]
        person.values["town"] = person.town
    names = sorted({p.town for p in r.people})
    codes = rng.sample([f"Place-{a}{b}" for a in "ABCDEF" for b in "GHJKLM"], len(names))
    code = dict(zip(names, codes, strict=True))
    for j, i in enumerate(r.owner):
        r.rows[j]["town"] = code[r.people[i].town]
    return Planted("", "pseudonym", [], "town")


def shifted(r: Release, rng: random.Random) -> Planted:
    days = datetime.timedelta(days=rng.randint(20, 300))
    for j, i in enumerate(r.owner):
        r.rows[j][r.domain.date] = (r.people[i].day - days).isoformat()
    return Planted("", "shift", [], r.domain.date)


def shifted_ages(r: Release, rng: random.Random) -> Planted:
    """Every age plus one constant."""
    for j, i in enumerate(r.owner):
        r.rows[j]["age"] = str(r.people[i].age + 7)
    return Planted("", "shift", [], "age")


def shifted_in_texts(r: Release, rng: random.Random) -> Planted | None:
    """The dates inside the texts were shifted, all by the same number of days."""
    days = datetime.timedelta(days=rng.randint(20, 300))
    for j, i in enumerate(r.owner):
        r.rows[j][r.domain.text] += f" Seen on {r.people[i].day + days:%d.%m.%Y}."
    return Planted("", "shift", [], r.domain.text)


def tiny_noise(r: Release, rng: random.Random) -> Planted | None:
    """Noise of less than a percent on a number by which people are known: the nearest is nearly always right."""
    if not r.domain.money:
        return None
    for j, i in enumerate(r.owner):
        r.rows[j][r.domain.money] = str(round(r.people[i].money * (1 + rng.uniform(-0.0003, 0.0003))))
    if r.domain.money not in r.columns:
        r.columns.append(r.domain.money)
    return Planted("", "columns", [], r.domain.money)


def pair_in_texts(r: Release, rng: random.Random) -> Planted:
    """Job and town are each said of many in the group, but both of one person only."""
    group = rng.choice([g for g in range(GROUPS) if len(_members(r, g)) == 9] or [0])
    members = _members(r, group)
    if len(members) < 9:
        members += members[: 9 - len(members)]
    job = r.domain.jobs[0]
    town = next(iter(REGIONS[r.people[r.owner[members[0]]].region]))
    for n, j in enumerate(members):
        person = r.people[r.owner[j]]
        if n <= 4:
            person.job = job
        elif person.job == job:
            person.job = r.domain.jobs[1]
        if n >= 4:
            person.town = town
        elif person.town == town:
            person.town = list(REGIONS[person.region])[1]
        person.values = original_row(r.domain, person)
        if n <= 4:
            r.rows[j][r.domain.text] += f" Works as a {job}."
        if n >= 4:
            r.rows[j][r.domain.text] += f" Lives near {town}."
    return Planted("", "words", [members[4]], r.domain.text)


def gender_of_few(r: Release, rng: random.Random) -> Planted:
    """The column hides the sex of two groups that became one; two texts say `she`."""
    men = [g for g in range(GROUPS) if g % 2 == 0]
    group = rng.choice(men)
    members = _members(r, group)
    for j in members:
        r.rows[j]["sex"] = MAKERS[r.maker].gone if r.maker in MAKERS else "*"
    women = members[:2]
    for j in women:
        person = r.people[r.owner[j]]
        person.sex, person.first = "female", rng.choice(WOMEN)
        person.values = original_row(r.domain, person)
        r.rows[j][r.domain.text] += " She was glad about it, and her husband too."
    for j in members[2:]:
        r.rows[j][r.domain.text] += " He was glad about it, and his wife too."
    return Planted("", "complement", women, r.domain.text)


def contradiction(r: Release, rng: random.Random) -> Planted:
    """The cell was made coarser wrongly (another decade); the text still tells the age."""
    j, p = _pick(r, rng)
    others = [row["age"] for row in r.rows if row["age"] != r.rows[j]["age"]]
    r.rows[j]["age"] = rng.choice(others)
    r.rows[j][r.domain.text] += f" At {p.age} years of age this is not unusual."
    return Planted("", "complement", [j], None)


def neighbour_named(r: Release, rng: random.Random) -> Planted:
    """The text of one person names another person of the table in full."""
    j, p = _pick(r, rng)
    _, other = _pick(r, rng, lambda q: q.group != p.group and len(q.last) > 6)
    r.rows[j][r.domain.text] += f" Knows {other.first} {other.last} well."
    return Planted("", "identifier", [j], r.domain.text)


def forgotten_column(r: Release, rng: random.Random) -> Planted:
    """A helper column stayed in the file; a few of its cells hold names."""
    chosen = sorted(rng.sample(range(len(r.rows)), 4))
    for j, i in enumerate(r.owner):
        r.rows[j]["comment_2"] = f"ask {r.people[i].last}" if j in chosen else ""
    r.columns.append("comment_2")
    return Planted("", "identifier", chosen, "comment_2")


def file_names(r: Release, rng: random.Random) -> Planted:
    for j, i in enumerate(r.owner):
        r.rows[j]["scan"] = f"scans/{bare(r.people[i].last).lower()}_{r.people[i].key}.pdf"
    r.columns.append("scan")
    return Planted("", "identifier", [], "scan")


LEAKS: dict[str, Callable[[Release, random.Random], Planted | None]] = {
    # columns
    "exact age": cell("age", lambda p: str(p.age), good=alone(lambda p: p.age)),
    "exact town": cell("town", lambda p: p.town, good=alone(lambda p: p.town)),
    "exact date": cell("DATE", lambda p: p.day.isoformat()),
    "full postcode": cell("postcode", lambda p: p.postcode),
    "postcode district": cell("postcode", lambda p: p.postcode.split()[0] + " ***", good=alone(lambda p: p.town)),
    "job kept": cell("job", lambda p: p.job, good=alone(lambda p: p.job)),
    "narrow ages": cell("age", lambda p: f"[{p.age}, {p.age + 1}[" if p.age % 2 else f"{p.age}-{p.age + 1}", good=lambda r, p: sum(q.age in (p.age, p.age + 1) for q in r.people if q.group == p.group) < 3),
    "exact money": cell("MONEY", lambda p: str(p.money)),
    "rows dropped": small_group,
    "group split": split_group,
    "whole row": whole_row,
    "tiny noise": tiny_noise,
    # items
    "rare item": rare_item,
    "item of few": few_hold_item,
    "items forgotten": all_items,
    # words of texts
    "age in text": said(lambda d, p, g: f"Now {p.age} years old.", good=alone(lambda p: p.age)),
    "age in words": said(lambda d, p, g: f"The {d.person} is {in_words(p.age)} years old.", good=alone(lambda p: p.age)),
    "birthday in text": said(lambda d, p, g: f"Turned {p.age} last week.", good=alone(lambda p: p.age)),
    "town in text": said(lambda d, p, g: f"Drove in from {p.town}.", good=alone(lambda p: p.town)),
    "town shouted": said(lambda d, p, g: f"HOME: {p.town.upper()}.", good=alone(lambda p: p.town)),
    "job in text": said(lambda d, p, g: f"Has been a {p.job} for years.", good=alone(lambda p: p.job)),
    "jobs plural": said(lambda d, p, g: f"Is one of the {p.job}s there.", good=alone(lambda p: p.job)),
    "date in text": said(lambda d, p, g: f"First seen {ordinal(p.day.day)} of {p.day:%B} {p.day.year}."),
    "date american": said(lambda d, p, g: f"First seen {p.day:%B} {p.day.day}, {p.day.year}."),
    "rare item in text": said(lambda d, p, g: f"Also {d.took} {rare_of(d, p)}.", "items", good=has_rare),
    "pair in texts": pair_in_texts,
    "gender in text": gender_of_few,
    "contradiction": contradiction,
    # identifiers in texts
    "surname": said(lambda d, p, g: f"Spoke with {p.last} about it.", "identifier"),
    "full name shouted": said(lambda d, p, g: f"RE: {p.first.upper()} {p.last.upper()}.", "identifier"),
    "name lower case": said(lambda d, p, g: f"call {p.first.lower()} {p.last.lower()} back tomorrow.", "identifier"),
    "name reversed": said(lambda d, p, g: f"File: {p.last}, {p.first}.", "identifier"),
    "initial and surname": said(lambda d, p, g: f"Signed {p.first[0]}. {p.last}.", "identifier"),
    "name misspelt": said(lambda d, p, g: f"Spoke with {p.first} {typo(p.last, g)} about it.", "identifier", good=long_name),
    "name without accents": said(lambda d, p, g: f"Spoke with {bare(p.last)} about it.", "identifier", good=accents),
    "name over two lines": said(lambda d, p, g: f"Spoke with {p.last[:4]}-\n{p.last[4:]} about it.", "identifier", good=long_name),
    "name possessive": said(lambda d, p, g: f"That is {p.last}'s wish.", "identifier"),
    "name half masked": said(lambda d, p, g: f"Spoke with {p.last[:-3]}*** about it.", "identifier", good=long_name),
    "name spaced out": said(lambda d, p, g: f"Name: {' '.join(p.last.upper())}.", "identifier", good=long_name),
    "name as user": said(lambda d, p, g: f"Logged in as {p.first[0].lower()}{bare(p.last).lower()} yesterday.", "identifier", good=long_name),
    "name in html": said(lambda d, p, g: f"<b>{p.last.encode('ascii', 'xmlcharrefreplace').decode()}</b>", "identifier"),
    "zero width": said(lambda d, p, g: f"Spoke with {p.last[:3]}\u200b{p.last[3:]} about it.", "identifier", good=long_name),
    "relative": said(lambda d, p, g: f"Came together with {p.relative}.", "identifier"),
    "neighbour named": neighbour_named,
    "phone": said(lambda d, p, g: f"Ring {p.phone}.", "identifier"),
    "phone other spacing": said(lambda d, p, g: f"Ring +44 (0){p.phone[1:5]}-{p.phone[6:9]}-{p.phone[9:]}.", "identifier"),
    "phone half masked": said(lambda d, p, g: f"Ring {p.phone[:-2]}**.", "identifier"),
    "mail": said(lambda d, p, g: f"Write to {p.mail}.", "identifier"),
    "mail spelled": said(lambda d, p, g: f"Write to {p.mail.replace('@', ' at ').replace('.', ' dot ')}.", "identifier"),
    "mail upper": said(lambda d, p, g: f"WRITE TO {p.mail.upper()}", "identifier"),
    "record number": said(lambda d, p, g: f"See file {p.key}.", "identifier"),
    "record number spaced": said(lambda d, p, g: f"See file {p.key[:3]} {p.key[3:]}.", "identifier"),
    "record number in link": said(lambda d, p, g: f"https://portal.example.org/view?id={p.key}&tab=2", "identifier"),
    "record number encoded": said(lambda d, p, g: f"https://portal.example.org/t/{base64.b64encode(p.mail.encode()).decode()}", "identifier"),
    "postcode in text": said(lambda d, p, g: f"Post goes to {p.postcode}.", "identifier"),
    "postcode tight": said(lambda d, p, g: f"Post goes to {p.postcode.replace(' ', '').lower()}.", "identifier"),
    "street": said(lambda d, p, g: f"The letter went to {p.street}.", "identifier"),
    "hash in text": said(lambda d, p, g: f"Ref {hashlib.md5(p.key.encode()).hexdigest()}.", "hash"),
    # identifiers in cells
    "name in cell": cell("town", lambda p: f"{p.region} ({p.last})", "identifier"),
    "phone in cell": cell("SENSITIVE", lambda p: f"{p.sensitive}, ring {p.phone}", "identifier"),
    "mail among items": cell("ITEMS", lambda p: p.mail, "identifier"),
    "forgotten column": forgotten_column,
    "file names": file_names,
    "key under another name": add_column("ref", lambda p, i: p.key, "identifier"),
    "key with a letter": add_column("ref", lambda p, i: f"ID-{p.key}", "identifier"),
    "initials column": add_column("who", lambda p, i: f"{p.first[0]}{p.last[0]}{p.age}", "identifier"),
    # whole columns
    "md5 of key": add_column("pid", digest("md5", lambda p: p.key), "hash"),
    "sha1 of mail": add_column("pid", digest("sha1", lambda p: p.mail), "hash"),
    "sha256 of name": add_column("pid", digest("sha256", lambda p: f"{p.first} {p.last}"), "hash"),
    "sha256 of lowered name": add_column("pid", digest("sha256", lambda p: f"{p.first} {p.last}".lower()), "hash"),
    "cut sha256 of key": add_column("pid", digest("sha256", lambda p: p.key, 10), "hash"),
    "base64 of key": add_column("pid", lambda p, i: base64.b64encode(p.key.encode()).decode(), "hash"),
    "pseudonyms by rank": pseudonym_by_rank,
    "pseudonyms of towns": pseudonym_of_towns,
    "dates shifted": shifted,
    "ages shifted": shifted_ages,
    "dates in texts shifted": shifted_in_texts,
    "one outcome": one_outcome,
}


@dataclass
class Case:
    name: str
    release: Release
    planted: Planted | None
    with_plan: bool


def make_cases(wanted: int = 200, seed: int = 7) -> list[Case]:
    """One leak in one release each, makers and domains in turn, every kind at least twice."""
    rng = random.Random(seed)
    kinds = list(LEAKS)
    makers = list(MAKERS)
    domains = list(DOMAINS)
    cases: list[Case] = []
    number = 0
    while len(cases) < wanted:
        kind = kinds[number % len(kinds)]
        maker = makers[(number + number // len(kinds)) % len(makers)]
        domain = DOMAINS[domains[(number // 2 + number // len(kinds)) % len(domains)]]
        number += 1
        local = random.Random(f"{seed} {number}")
        release = sound_release(maker, domain, local)
        try:
            planted = LEAKS[kind](release, local)
        except IndexError:
            planted = None
        if planted is None:
            continue
        planted.kind = kind
        cases.append(Case(f"{len(cases):03d} {maker} {domain.name} {kind}", release, planted, rng.random() < 0.5))
    return cases


def make_sound(wanted: int = 60, seed: int = 11) -> list[Case]:
    rng = random.Random(seed)
    makers, domains = list(MAKERS), list(DOMAINS)
    cases = []
    for number in range(wanted):
        maker, domain = makers[number % len(makers)], DOMAINS[domains[(number // 5) % len(domains)]]
        release = sound_release(maker, domain, random.Random(f"sound {seed} {number}"))
        cases.append(Case(f"{number:03d} {maker} {domain.name} sound", release, None, rng.random() < 0.5))
    return cases


def write_table(path: str, columns: list[str], rows: list[Row], delimiter: str) -> None:
    import csv

    with open(path, "w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, delimiter=delimiter, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
