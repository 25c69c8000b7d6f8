"""Keys of forms, tables and exports by what they announce: "Surname", "hosp no", "date_of_birth", "lastIp".

The kinds are those of entity types, and a few more where the value must be read with care: NAME (whatever
stands there is a name), LIKELY (a name may stand there), BY (a name or initials), SECRET, SUM (an
amount only with a currency), STATUS (marital, if the value says so), NONE (known, but tells nobody).
"""

from __future__ import annotations

import re

from heteronym.text.lexicon import lexicon

_LEXICON = lexicon("fields")

_KINDS: dict[str, str] = {
    "NAME": "name|names"
    "|full name|first name|first names|forename|forenames|given name|given names|surname|surnames"
    "|last name|family name|middle name|maiden name|preferred name|known as|also known as|aka|alias|aliases"
    "|account holder|card holder|cardholder|next of kin|nok|nickname|nick name|legal name|birth name|s/o|d/o"
    "|w/o|h/o|son of|daughter of|wife of|widow of|likes to be called|prefers to be called|calls herself"
    "|calls himself|patronymic|née|nee",
    "LIKELY": "patient|pt|client|customer|employee|student|pupil|child|victim|suspect|witness|defendant"
    "|officer|supervisor|manager|worker|caseworker|gp|pcp|physician|attending|consultant|surgeon|provider"
    "|therapist|counsellor|counselor|nurse|rn|tutor|teacher|handler|agent|author"
    "|signed|assessor|interviewer|interviewee|present"
    "|attendees|copy to|cc|bcc|to|from|re|injured person|tenant|landlord|third party|driver|passenger"
    "|owner|complainant|respondent|appellant|applicant|claimant|insured|policyholder|policy holder"
    "|referee|contact|guarantor|beneficiary|guardian|parent|parents|carer|mother|father|spouse|husband|wife"
    "|emergency contact|contact person|reporter|resident|member|doctor|dr|assigned to|attn"
    "|attention|candidate|trainee|mentor|principal|headteacher|solicitor|representative|interpreter"
    "|partner|son|daughter|brother|sister|mum|mom|dad|grandmother|grandfather|aunt|uncle|kin|key worker"
    "|keyworker|social worker|care coordinator|coordinator|health visitor|midwife|dentist|optician"
    "|pharmacist|radiologist|pathologist|anaesthetist|anesthesiologist|psychiatrist|psychologist"
    "|referrer|md|referring md|recorder|scribe|chair|chairman|chairperson|secretary|treasurer|clerk"
    "|minute taker|note taker|apologies|absent|in attendance|participants|participant|invitees|organiser"
    "|organizer|host|speaker|speakers|judge|magistrate|counsel|barrister|attorney|lawyer|prosecutor"
    "|plaintiff|accused|detainee|prisoner|offender|petitioner|deponent|affiant|notary|testator|executor"
    "|executrix|trustee|proxy|buyer|seller|purchaser|lessor|lessee|landlady|occupier|householder|sender"
    "|recipient|addressee|consignee|shipper|payee|payer|borrower|lender|debtor|creditor|reports to"
    "|team leader|team lead|hr|hrbp|recruiter|researcher|investigator|advisor|adviser|examiner|instructor"
    "|coach|trainer|lecturer|professor|dean|registrar|head of department|hod|pilot|captain|skipper"
    "|guest|guests|traveller|traveler|travellers|passengers|lead passenger|technician|engineer|inspector"
    "|surveyor|valuer|editor|photographer|translator|godfather|godmother|bride|groom|deceased|informant"
    "|registrant|proprietor|director|ceo|ice|caller|staff|rn giving|rn taking|caretaker|caregiver"
    "|foster carer|head of household|breadwinner|household members|siblings|twin|surety|bailor",
    "CODE": "mrn"
    "|nhs|hosp|chi|phn|ssn|sin|tfn|abn|acn"
    "|nino|national insurance|social security|id|account|acct|a/c"
    "|policy|claim|case|file|ref|our ref|your ref"
    "|reference|ticket|order|invoice|passport|visa|licence|license|driving licence|driving license"
    "|driver's license|driver's licence|drivers license|drivers licence|dl|dln|badge|serial|imei|imsi|vin"
    "|registration|vehicle registration|vehicle reg|reg|rego|plate|license plate|licence plate"
    "|number plate|accession|specimen|upn|uln|ucas|gmc|nmc|nmc pin|npi|dea|medicare|medicaid"
    "|tax|utr|vat|ein|itin|pps|ppsn|pesel|bsn|cpf|cnpj|dni|nie|nif|nric|fin|aadhaar|aadhar|pan|emirates id"
    "|docket|iccid|room|bed|ip|swift|bic|iban|encounter|csn|pnc|croc|cro|unique reference"
    "|tin|nin|bvn|crn|urn|uprn|mpan|mprn|cnic|ic|nrc|mykad|kra pin|curp|rut|cuit|cuil|rg|sss|gsis|umid"
    "|philhealth|pag-ibig|tckn|svnr|steuer-id|steuernummer|ahv|insee|codice fiscale|rrn|oib|egn|cnp|jmbg"
    "|emso|personnummer|cpr|hkid|pnr|uan|gstin|ifsc|voter id|green card|alien number|a-number|sevis|hcn"
    "|ohip|ihi|dva|nhi|asset tag|barcode|microchip|chip|flight|exhibit|urn no|booking|warrant|permit"
    "|membership|payroll|roll|mac|udid|uuid|guid|session|token|api key|key id|tracking|consignment|awb|cad"
    "|locker|title deed|deed|parcel|plot|meter|ltr|employee code|staff code|sort code|bsb|routing",
    "SECRET": "password|passcode|pin|passwd|pwd|passphrase|secret",
    "PHONE": "tel|telephone|phone|phones|ph|mobile|mob|cell|cellphone|cell phone|mobile phone|fax|home phone"
    "|work phone|landline|t|m|f|p|whatsapp|viber|pager|bleep|ext|extension|direct dial|direct|desk"
    "|contact no|contact number|contact nos|telephone number|telephone no|tel no|tel nos|phone no"
    "|phone number|mobile no|mobile number|cell no|fax no|fax number|hp|h/p|handphone|cp no|cel|gsm"
    "|callback|call back|callback number|best number|daytime|evenings|home|work|dect|switchboard|hotline",
    "DATE": "dob|d.o.b|date|birth date|birthdate|born|birthday|birth|date of birth|dod|admitted|discharged"
    "|seen|collected|received|doi|lmp|edd|d/o/b|yob|year of birth|dated|joined|doj|doa|dos|dol|issued"
    "|valid until|valid from|valid to|valid thru|expires|expiry|due|deadline|arrival|departure|check in"
    "|check-in|check out|check-out|appointment|next appointment|period|tenure|last seen|graduated|died"
    "|passed away|onset|started|since|joining date|wedding|year|hired|dispatched|delivered|taken on|baptised",
    "AGE": "age|aged|ages|age in years|age last birthday|age at death|yrs",
    "MONEY": "salary|income|weekly income|monthly income|annual income|wage|wages|rent"
    "|gross pay|net pay|amount claimed|pension|ctc|current ctc|expected ctc|take home|take home pay"
    "|take-home pay|pay|pay rate|hourly rate|rate of pay|stipend|allowance|arrears|savings|mortgage|debt"
    "|debts|sum insured|loan|loan amount|net worth|salary expectation|bonus|remuneration|earnings|deposit",
    "SUM": "balance|amount|total|total due|fee|fees|price|cost|premium|excess|settlement|reserve|budget|value"
    "|rate|outstanding|benefit|turnover|paid|refund|amount paid|amount due|charge|charges|limit|donation",
    "QUANTITY": "height|weight|hgt|wgt|ht|wt|bmi",
    "ADDRESS": "address|addr|residence|street|address line 1|address line 2|line 1|property|premises"
    "|residing at|resident of|r/o|lives at|living at|house|home address|street name|street and number",
    "POSTCODE": "postcode|post code|postal code|zip|zip code|zipcode|plz|eircode|pin code|pincode|cep|post"
    " code/zip|postal",
    "ORG": "employer|company|company name|organisation|organization"
    "|workplace|place of work|place of employment|school|school attended|college|university"
    "|insurer|insurance company|insurance provider|insurance|bank|bank name|gp practice|practice"
    "|surgery|gp surgery|pharmacy|hospital|clinic|agency|firm|church|club|business name|nursery"
    "|institution|employed by|works for|works at|alma mater|school name|regiment|trade union|mosque|temple"
    "|synagogue|congregation|care home|nursing home|hostel|airline|tour operator|law firm|solicitors"
    "|bank branch|branch|facility|sponsor|charity|office|team|union|political party|housing association"
    "|company/organisation|garage|dealer|account with",
    "FAC": "ward|hotel|building|venue|wing|prison|station|campus|hall|halls|site",
    "GPE": "birthplace|birth place|pob|town|city|county|country|home town|hometown|village|city/state"
    "|location|state|province|district|region|borough|parish|lga|state of origin|barangay|taluk|tehsil"
    "|municipality|suburb|native place|domicile|locality|prefecture|destination|home country|place"
    "|city of birth|town of birth|country of birth|country of origin|country of residence|origin",
    "PRODUCT": "vehicle|car|make|make/model|make and model|model|device|phone model|bike|motorcycle|breed",
    "JOB": "occupation|profession|job|job title|position|post held|post|rank"
    "|employment status|job role|current role|position applied for|title of post|designation|grade/post"
    "|role|trade|vocation|employed as|works as|line of work|post title|employment|title/position"
    "|previous job",
    "NORP": "nationality|nationalities|citizenship|citizenships|citizen of|tribe|clan|caste|community"
    "|indigenous status|iwi|political affiliation|party affiliation",
    "ORIGIN": "ethnicity|ethnic origin|ethnic group|race|race/ethnicity|ethnic background|ethnic|heritage",
    "RELIGION": "religion|faith|denomination|religious affiliation|religious denomination|belief|beliefs",
    "LANGUAGE": "language|mother tongue|languages|languages spoken|languages known|language spoken at home"
    "|dialect|language of interview|speaks|language needs",
    "MARITAL": "marital status|civil status|relationship status|family status|marital|marital state",
    "STATUS": "status",
    "FAMILY": "relationship|relation|children|dependants|dependents|number of children|no of children"
    "|relationship to patient|lives with|household|kinship",
    "EDUCATION": "qualification|qualifications|degree|education|level of education|educational attainment"
    "|course|programme of study|major|field of study|year group|year of study|highest grade|studies"
    "|degree programme|course of study|class/section|strand",
    "HEALTH": "diagnosis|diagnoses|dx|medical conditions|medical condition|conditions"
    "|past medical history|medical history|pmh|pmhx|comorbidities|disability|disabilities"
    "|sexual orientation|cause of death|mental health|health conditions|health problems|illness"
    "|long-term conditions|nature of injury|injury|injuries|presenting complaint|chief complaint"
    "|problem list|blood group|blood type|reason for admission|reason for visit|medical problems"
    "|additional needs|special needs|access needs|gender identity|illnesses"
    "|existing conditions|health issues|pre-existing conditions|special requirements|hiv status",
    "USERNAME": "username|user name|user|login|handle|screen name|discord|twitter|instagram|insta|ig|skype"
    "|telegram|tiktok|snapchat|reddit|linkedin|github|wechat|gamertag|user id|login name|wattpad|kik|userid",
    "MAIL": "email|e-mail|mail|email address|e-mail address|mail address",
    "IP": "ip address|mac address|ip addr|client ip|last ip|remote addr|remote ip|host ip|source ip",
    # Known, so that the value before them ends there; what they announce has a form of its own or is
    # nobody's.
    "NONE": "sex|gender|sex assigned at birth|title|signature|time|date/time of print|notes|note|comments"
    "|comment|remarks|department|dept|web address|website address|website|url|file name|domain name|drug name"
    "|product name|test name|brand name|page|version|type|category|priority|quantity|qty|description"
    "|item|items|action|actions|subject|summary|result|results|details|reason|subject line|salutation"
    "|pronouns"
    "|host name|hostname|class name|field name|table name|column name|project name|group name|status code"
    "|error code|country code|area code|source code|zip file|response code|exit code|currency code|dress code"
    "|discount code|procedure code|page no|page number|part no|part number|item no|item number|question no"
    "|question number|step no|version number|number of pages|line number|issue no|volume no|paragraph no"
    "|size|colour|color|rating|score|grade|level|mode|channel|risk",
}
KEYS: dict[str, str] = {key: kind for kind, keys in _KINDS.items() for key in keys.split("|")}

_BODIES = _LEXICON.words("BODIES")
_NUMBERED = frozenset("no nos number numbers num nr id ids ref reference code uuid guid".split())
_NOT_NUMBERED = _LEXICON.words("NOT_NUMBERED")
_OF = _LEXICON.compiled("OF")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BRACKETS = re.compile(r"\s?\(([^)]*)\)?")


def folded(key: str) -> str:
    """A key as the table writes it: small letters, single blanks, "no" for its abbreviations."""
    bare = key.lower().replace("’", "'").replace("_", " ").replace("(s)", "").replace("( s )", "")
    bare = re.sub(r"\s*/\s*", "/", bare)
    bare = re.sub(r"\b(no|num|nr|tel|ph|mob|lic|reg|ref|hosp|acct|cert)\.", r"\1", bare).rstrip(".#: ")
    return re.sub(r"\s+", " ", re.sub(r"\b(?:num|nr)\b|\s#", " no", bare)).strip()


def kind_of(key: str) -> str | None:
    """What a folded key announces; None: no key."""
    if (kind := KEYS.get(key)) is not None:
        return kind
    if "(" in key:
        inner = _BRACKETS.search(key)
        outer = _BRACKETS.sub("", key).strip()
        kind = KEYS.get(inner.group(1).strip()) if inner else None
        if kind in ("CODE", "PHONE") or not outer:
            return kind
        return kind_of(outer) or ("CODE" if numbered(outer) else None)
    if (of := _OF.fullmatch(key)) is not None:
        return _of(*of.groups())
    if key.endswith(" by") and key[:-3].endswith(("ed", "en", "ne")) and " " not in key[:-3]:
        return "BY"
    for separator in ("/", " & ", " and ", " or "):
        if separator in key:
            first, _, second = key.partition(separator)
            kind = KEYS.get(first)
            return KEYS.get(second, kind) if kind in (None, "NONE") else kind
    return None


def _of(what: str, whose: str) -> str | None:
    if what in ("date", "year", "day", "month"):
        return "DATE"
    if what in ("name", "names"):
        last = whose.split()[-1]
        return "ORG" if last in _BODIES else "NAME"
    if what == "relationship":
        return "FAMILY"
    return None if what == "number" else "GPE" if what != "place" or whose.split()[-1] != "work" else "ORG"


def numbered(key: str) -> bool:
    """A longer key that ends like the number of something: "philhealth no", "employee code"."""
    words = key.split()
    return len(words) > 1 and words[-1] in _NUMBERED and words[-2] not in _NOT_NUMBERED


# Keys of exports only: as words of a form they are too short to tell.
_COLUMNS: dict[str, str] = {
    key: kind
    for kind, keys in {
        "NAME": "first|last|fname|lname|given|firstname|lastname|middlename|fullname|displayname|display name"
        "|middle|family|givenname|familyname|personname|patientname|customername|contactname|sn|cn",
        "CODE": "uid|pid|cid|sid|sessionid|session|deviceid|trace|request|hash|fingerprint|external|nino",
        "IP": "ip|clientip|lastip|remoteaddr|xff|src ip|dst ip|addr4|x-forwarded-for|src|srcip|mac",
        "IBAN": "iban|bank account|bankaccount",
        "MAIL": "email|mail|emailaddress|e mail",
        "USERNAME": "uname|usr|nick|account name|acting user|actor|subject user|from user|screenname",
        "PHONE": "msisdn|tel1|phone1|phone2|mobile1|cellphone|phonenumber|mobilenumber",
        "DATE": "birth|dateofbirth|birthdate|birthday|bday|created|updated|modified|last login|created at"
        "|updated at|signup|signed up|timestamp|ts|last seen|joined at",
        "POSTCODE": "postalcode|postcode|zip5",
        "ADDRESS": "address1|address2|addr1|addr2|street1|street2|streetaddress|address line|adr|house no"
        "|house number|street no",
        "JOB": "jobtitle",
        "GPE": "hometown|birth city|birth country",
        "NONE": "free text|memo|text|body|message|msg",
    }.items()
    for key in keys.split("|")
}


def column_kind(name: str) -> str | None:
    """What a column, a member of an object or a tag holds: "member_id", "lastName", "user.email"."""
    key = folded(_CAMEL.sub(" ", name).replace("-", " ").replace(".", " ").replace(":", " "))
    words = key.split()
    for first in range(len(words)):
        part = " ".join(words[first:])
        if first and len(part) < 3 and part not in ("id", "ip", "no"):
            break  # "rosalinda t." is no telephone
        if (kind := _COLUMNS.get(part) or kind_of(part)) is not None:
            return kind
    return "CODE" if numbered(key) else None


EVERYDAY = _LEXICON.words("EVERYDAY")
ALONE = frozenset("conditions present direct desk home work place value rate status user staff site".split())
