"""Amounts of money with their unit: symbol, code or name of a currency before or after the amount."""

from __future__ import annotations

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
    "ARS CLP COP ZAR NGN KES EGP ILS SAR AED KRW SGD HKD THB IDR MYR PHP VND USDT BTC ROL BGL".split()
)
_SYMBOL = r"(?:US\$|A\$|C\$|NZ\$|HK\$|R\$|[$€£¥₹₽₺₴₩₪฿])"
_NAMES = (
    r"(?:(?:[A-Z][a-z]+\s)?(?:new\s|old\s)?(?:dollars?|euros?|cents?|pounds?"
    r"(?:\ssterling)?|pence|francs?|marks?|liras?|lire|lira"
    r"|zlotys?|złotys?|kron(?:or|er|a|e|ur)|krónur|forints?|leva|lev|lei|leu"
    r"|kunas?|dinars?|rubles?|roubles?|hryvnias?|yen|yuan"
    r"|renminbi|won|rupees?|pesos?|pesetas?|escudos?|drachmas?|schillings?|shillings?"
    r"|guilders?|rands?|reais|real|shekels?|dirhams?"
    r"|riyals?|baht|bucks|quid|grand|lari|tenge|manats?|litai|litas|lats|kroons?|koruny?|tolars?|denars?|lek[ëe]?)"
    r"|[Tt]urkish\s[Ll]iras?|[Dd]eutsch(?:e|)\s?[Mm]arks?)"
)
_SCALE = r"(?:\s?(?:million|billion|trillion|thousand|hundred|m|bn|k|mln)\b)?"
_AMOUNT = rf"{DIGITS}{_SCALE}"
_ABOUT = r"(?:(?:[Aa]pproximately|[Aa]pprox\.|[Aa]bout|[Aa]round|[Rr]oughly|[Nn]early|[Aa]lmost)\s)?"
# "(TRL)" or "[approx. EUR 2,826]" behind an amount belongs to it
_GLOSS = (
    rf"(?:\s?[(\[](?:{_ABOUT}(?:{_CODES}(?:\s{DIGITS})?|{_SYMBOL}\s?{DIGITS}|euros?"
    rf"|{DIGITS}\s(?:{_CODES}|{_NAMES})(?:\s\({_CODES}\))?))[)\]])?"
)


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
)


@recognizers.register("money")
@dataclass(frozen=True)
class Money:
    """Amounts of money by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="money")
