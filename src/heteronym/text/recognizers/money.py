"""Amounts of money with their unit: symbol, code or name of a currency before or after the amount."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import DIGITS, NUMBER_WORDS, Rule, any_of, find, rule

_CODES = any_of(
    "EUR USD GBP CHF JPY CNY RUB PLN TRL TRY SEK NOK DKK CZK HUF RON BGN HRK "
    "DEM FRF ITL ESP ATS BEF NLG GRD PTE "
    "FIM IEP LUF SKK SIT EEK LVL LTL UAH GEL AMD AZN MDL ALL MKD RSD BAM ISK "
    "CYP MTL CAD AUD NZD INR PKR BRL MXN "
    "ARS CLP COP ZAR NGN KES EGP ILS SAR AED KRW SGD HKD THB IDR MYR PHP VND USDT BTC ROL BGL "
    "PhP Php GHS UGX TZS RWF ETB BDT LKR NPR PEN UYU DOP CRC JMD TTD TWD QAR KWD BHD OMR JOD LBP MAD TND DZD "
    "XAF XOF MUR ZMW BWP MZN AOA MMK KHR KZT UZS IRR IQD AFN Rs rs Rs. Ksh KSh Kshs Ushs Tsh GH¢ GH₵ RM Rp "
    "Tk".split()
)
_SYMBOL = r"(?:(?:US|A|AU|C|CA|NZ|HK|R|S|SG|MX|TT|J|NT|Z|N)\$|[$€£¥₹₽₺₴₩₪฿₦₱₵₫₲₸₾₼₨])"
_NAMES = (
    r"(?:(?:[A-Z][a-z]+\s)?(?:new\s|old\s)?(?:dollars?|euros?|cents?|pounds?"
    r"(?:\ssterling)?|pence|francs?|marks?|liras?|lire|lira"
    r"|zlotys?|złotys?|kron(?:or|er|a|e|ur)|krónur|forints?|leva|lev|lei|leu"
    r"|kunas?|dinars?|rubles?|roubles?|hryvnias?|yen|yuan"
    r"|renminbi|won|rupees?|pesos?|pesetas?|escudos?|drachmas?|schillings?|shillings?"
    r"|guilders?|rands?|reais|real|shekels?|dirhams?"
    r"|riyals?|baht|bucks|quid|naira|cedis?|taka|ringgit|rupiah|birr|kwacha|soles|dalasi|dong|zł|zl|Kč"
    r"|Ft|kr|grand|lari|tenge|manats?|litai|litas|lats|kroons?|koruny?|tolars?|denars?|lek[ëe]?)"
    r"|[Tt]urkish\s[Ll]iras?|[Dd]eutsch(?:e|)\s?[Mm]arks?)"
)
_SCALE = (
    r"(?:\s?(?:million|billion|trillion|thousand|hundred|lakhs?|lacs?|crores?|m|bn|k|K|M|mln|mn|cr|LPA"
    r"|lpa)\b|/-(?!\w))?"
)
_AMOUNT = rf"{DIGITS}{_SCALE}"
_ABOUT = r"(?:(?:[Aa]pproximately|[Aa]pprox\.|[Aa]bout|[Aa]round|[Rr]oughly|[Nn]early|[Aa]lmost)\s)?"
# "(TRL)" or "[approx. EUR 2,826]" behind an amount belongs to it
_GLOSS = (
    rf"(?:\s?[(\[](?:{_ABOUT}(?:{_CODES}(?:\s{DIGITS})?|{_SYMBOL}\s?{DIGITS}|euros?"
    rf"|{DIGITS}\s(?:{_CODES}|{_NAMES})(?:\s\({_CODES}\))?))[)\]])?"
)

# What follows a bare number that can only be an amount: the end of a phrase, or what it was paid for
_PHRASE_END = (
    r"(?=\s?[.;:!?\")\n]|,\s|\s?$|\s(?:for|to|from|back|and|at|each|more|less|off|towards?|by|when|if"
    r"|every|per|a"
    r"|an|of|on|in|cash|pcm|salary|deposit|bonus|rent|or|but|so|before|after|plus|which|that|just|now)\b)"
)
_COUNTED = re.compile(
    r"\s?(?:(?:\w+\s)?(?:followers?|subs|subscribers?|runs?|race|steps|words|views|people|users|members"
    r"|likes|miles|race"
    r"|resolution|tv|monitor|video|lines|tokens|rows|records|copies|votes|fans|players|ohms?|resistors?"
    r"|hits|km|time)\b)",
    re.IGNORECASE,
)


def _is_an_amount(match: re.Match[str]) -> bool:
    """'450k' is money unless it counts something; "4k" and "10k" are screens and races as often."""
    return _COUNTED.match(match.string, match.end()) is None


_RULES: tuple[Rule, ...] = (
    rule(
        "currency and amount",
        rf"(?<![\w]){_ABOUT}(?:{_CODES}\s?|{_SYMBOL}\s?){_AMOUNT}(?:\s?[-–]\s?{_AMOUNT})?"
        rf"(?:\sleft(?=\s\[))?{_GLOSS}",
        "MONEY",
        0.96,
    ),
    rule(
        "amount and currency",
        rf"(?<![\w.,]){_ABOUT}{_AMOUNT}\s?(?:{_CODES}\b|{_SYMBOL}|{_NAMES}\b){_GLOSS}",
        "MONEY",
        0.95,
    ),
    rule(
        "amount in words",
        rf"\b{NUMBER_WORDS}(?:\s(?:million|billion|thousand|hundred))?\s{_NAMES}\b{_GLOSS}",
        "MONEY",
        0.85,
    ),
    # R4.2 million, R350, N200,000: a letter for the currency needs a longer number
    rule(
        "letter and amount",
        r"(?<![\w.&/-])[RN]\s?(?:\d{1,3}(?:[, ]\d{3})+(?:\.\d\d)?(?:\s?(?:million|billion|m|bn)\b)?"
        r"|\d{1,3}(?:\.\d{1,2})?\s?(?:million|billion|m|bn|k)\b|\d{3,6}(?:\.\d\d)?)(?![\w/-]|[.,]\d)",
        "MONEY",
        0.72,
    ),
    # 450k, 1.2 lakh, 9.6 LPA, 5,000/-
    rule(
        "amount in thousands or lakhs",
        r"(?<![\w.,/:-])\d{1,4}(?:[.,]\d{1,3})*(?:\s?(?:lakhs?|lacs?|crores?|LPA|lpa)\b|/-(?!\w))",
        "MONEY",
        0.82,
    ),
    rule(
        "amount with a k",
        r"(?<![\w.,/:#-])(?!401)(?:\d{2,4}|\d{1,3}\.\d)\s?[kK](?![\w-])",
        "MONEY",
        0.7,
        check=_is_an_amount,
    ),
    # owes 9k, a reserve of 5K
    rule(
        "few thousands after a word for money",
        r"\b(?i:earn(?:s|ed|ing)?|pa(?:y|id|ys|ying)|costs?|worth|ow(?:e|es|ed|ing)|spen[dt]|salary"
        r"|income|debts?|loan|budget"
        r"|deposit|saved|lent|borrowed|won|lost|raised|bonus|fees?|rent|makes?|making"
        r"|charged)\s(?:(?i:about|around|like"
        r"|of|is|was|only|over|up\sto|nearly|almost|me|us|him|her|them)\s){0,2}(?P<m>\d{1,2}[kK])(?!\w)",
        "MONEY",
        0.82,
        check=_is_an_amount,
    ),
    # rent is 890; he lent David four thousand for a van; paid 3,000 to a man
    rule(
        "bare amount after a word for money",
        r"\b(?i:rent|salary|wages?|mortgage|deposit|pension|fee|price|bill|debt|overdraft|income"
        r"|bonus)\s(?:(?i:is|was|of|are"
        r"|now|about|around|only|just|went\sup\sto)\s){1,3}(?P<m>\d{2,3}(?:,\d{3})?|\d{4,6})(?![\w%/-]"
        r"|[.,:]\d)" + _PHRASE_END,
        "MONEY",
        0.8,
    ),
    rule(
        "bare amount after a verb of paying",
        rf"\b(?i:lent|paid|borrow(?:s|ed)?|ow(?:e|es|ed)|earn(?:s|ed)?|charged|spent|stole"
        rf"|saved)\s(?:[\w’']{{2,12}}\s){{0,2}}?"
        rf"(?P<m>{NUMBER_WORDS}\s(?:thousand|hundred|grand|million)|(?:[Aa]\s)?(?:hundred|thousand)"
        rf"|\d{{1,3}},\d{{3}})(?![\w%/-]|[.,]\d)" + _PHRASE_END,
        "MONEY",
        0.75,
    ),
    # two pound ten, a tenner, a couple of grand, a few hundred quid
    rule(
        "amount as people say it",
        rf"\b(?:(?:{NUMBER_WORDS}|[Aa]|\d{{1,4}})\s(?:pounds?|quid|euros?"
        rf"|dollars?)\s(?:and\s)?{NUMBER_WORDS}\b"
        rf"|(?:{NUMBER_WORDS}|[Aa](?:nother)?|\d{{1,3}}|[Aa]\scouple\sof|[Aa]\sfew)\s(?:tenners?|fivers?"
        rf"|nicker|bob)\b"
        rf"|(?:[Aa]\s(?:few|couple\sof|good)|[Ss]everal|[Hh]alf\sa|[Aa])\s(?:(?:hundred|thousand"
        rf"|million)\s(?:or\sso\s)?(?:pounds?|quid"
        rf"|euros?|dollars?|bucks|rupees|grand)\b|grand\b(?=\s?(?:[.,;!?)]|a\b|for\b|on\b|in\b|to\b"
        rf"|each\b|off\b|of\sdebt))))",
        "MONEY",
        0.85,
    ),
    rule(
        "pence for each",
        r"(?<![\w.,])\d{1,2}p(?=\s(?:a|an|per|each|off|more|less|extra|for)\b)",
        "MONEY",
        0.8,
    ),
)


@recognizers.register("money")
@dataclass(frozen=True)
class Money:
    """Amounts of money by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="money")
