"""Pseudonyms: one entity one surrogate, of its kind and form, and back again with the vault."""

from __future__ import annotations

import datetime as dt
import json
import re

import pytest

from heteronym.documents.pseudonyms import Pseudonyms
from heteronym.errors import InputError, UsageError
from heteronym.model.document import Document, Sanitized
from heteronym.model.edit import edited
from heteronym.model.mention import Span
from heteronym.registry import document_methods
from heteronym.surrogates.dates import calendar_words, shifted_date, weeks_for
from heteronym.surrogates.names import gender_of, lists, origin_of
from heteronym.surrogates.vault import KEY, VAULT, open_vault

OWNER = {KEY: b"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n"}


def document(marked: str, name: str = "a.txt") -> Document:
    """A text with its mentions written as {TYPE:words}."""
    text, spans = "", []
    for before, kind, surface in re.findall(r"([^{]*)(?:\{([A-Z]+):([^}]*)\})?", marked):
        text += before
        if kind:
            spans.append(Span(len(text), len(text) + len(surface), kind, 1.0, "test"))
            text += surface
    return Document(text, tuple(spans), name)


def released(*documents: Document, owner: dict[str, bytes] = OWNER, **parameters: object) -> list[str]:
    return result_of(*documents, owner=owner, **parameters)[0]


def result_of(
    *documents: Document, owner: dict[str, bytes] = OWNER, passphrase: str | None = None, **parameters: object
) -> tuple[list[str], Sanitized]:
    method = Pseudonyms(**parameters).opened(owner, passphrase=passphrase)  # type: ignore[arg-type]
    result = method.sanitize(documents)
    texts = [edited(one.text, edits) for one, edits in zip(documents, result.edits, strict=True)]
    for one, text in zip(documents, texts, strict=True):
        check = method.audit(one, text)
        assert check.holds, check.detail
    return texts, result


def test_all_mentions_of_a_person_get_parts_of_one_name() -> None:
    text = (
        "{PERSON:Mrs Jane Whitfield} and {PERSON:J. Whitfield}, {PERSON:WHITFIELD}: "
        "{PERSON:Jane}'s, {PERSON:Whitfeild}"
    )
    [made] = released(document(text))
    full, short, loud, first, misspelt = re.fullmatch(
        r"Mrs (\w+ [\w-]+) and (\w\. [\w-]+), ([\w-]+): (\w+)'s, ([\w-]+)", made
    ).groups()  # type: ignore[union-attr]
    given, family = full.split()
    assert short == f"{given[0]}. {family}"
    assert (loud, first, misspelt) == (family.upper(), given, family)
    assert not {"Jane", "Whitfield"} & set(re.findall(r"\w+", made))


def test_an_entity_has_one_surrogate_in_all_documents_and_runs_with_one_key() -> None:
    first, second = (
        document("{PERSON:Ann Lee} met {PERSON:Bo Hill}."),
        document("{PERSON:Lee} left.", "b.txt"),
    )
    made, [alone] = released(first, second), released(document("{PERSON:Ann Lee} again."))
    name = made[0].split(" met ")[0]
    assert alone == f"{name} again."
    assert made[1] == f"{name.split()[1]} left."
    assert released(first, owner={KEY: b"ff" * 32}) != made[:1]


@pytest.mark.parametrize(
    ("name", "gender", "origin"),
    [
        ("John Smith", "male", "english"),
        ("Giulia Rossi", "female", "italian"),
        ("Hans Schneider", "male", "german"),
        ("Ayşe Yılmaz", "female", "turkish"),
        ("Olga Ivanova", "female", "russian"),
        ("Mary Okafor", "female", "nigerian"),
    ],
)
def test_a_name_keeps_gender_and_origin(name: str, gender: str, origin: str) -> None:
    assert origin_of(name.split()) == origin
    for key in range(5):
        [made] = released(document(f"{{PERSON:{name}}}"), owner={KEY: b"%064x" % (key + 1)})
        first, last = made.split()
        assert first in lists()[origin, gender]
        assert gender_of(first) == gender
        assert origin == "english" or last.removesuffix("a") in {
            listed.removesuffix("a") for listed in lists()[origin, "surname"]
        }


def test_a_title_tells_the_gender_of_a_name_that_no_list_has() -> None:
    for key in range(6):
        [made] = released(document("{PERSON:Mr Xolq Vrimt}"), owner={KEY: b"%064x" % (key + 1)})
        assert gender_of(made.split()[1]) == "male"


def test_dates_of_a_set_move_by_one_distance_and_keep_weekday_and_writing() -> None:
    one = document(
        "born {DATE:3 March 1957}, {DATE:Monday} {DATE:05.05.2020}; {DATE:four days ago} {DATE:1999}"
    )
    other = document("{DATE:2020-05-05}", "b.txt")
    made, again = released(one, other, shift="all")
    born, weekday, seen, ago, year = re.fullmatch(
        r"born (\d+ \w+ \d{4}), (\w+) (\d\d\.\d\d\.\d{4}); (four days ago) (\d{4})", made
    ).groups()  # type: ignore[union-attr]
    shift = dt.datetime.strptime(seen, "%d.%m.%Y") - dt.datetime(2020, 5, 5)
    assert dt.datetime.strptime(born, "%d %B %Y") - dt.datetime(1957, 3, 3) == shift
    assert dt.datetime.fromisoformat(again) - dt.datetime(2020, 5, 5) == shift
    assert shift.days % 7 == 0
    assert (weekday, ago) == ("Monday", "four days ago")
    assert year != "1999"


def test_documents_or_folders_may_have_shifts_of_their_own() -> None:
    names = [f"{folder}/{n}.txt" for folder in ("p", "q") for n in (1, 2)]
    documents = [document("{DATE:2020-05-05}", name) for name in names]
    assert len(set(released(*documents, shift="all"))) == 1
    by_folder = released(*documents, shift="folder")
    assert (by_folder[0], by_folder[2]) == (by_folder[1], by_folder[3])
    assert by_folder[0] != by_folder[2]
    assert len(set(released(*documents))) > 2  # by default each document has its own


def test_placeholders_are_numbered_through_all_documents() -> None:
    made = released(
        document("{PERSON:Ann Lee}'s {MAIL:a@b.org} and {PERSON:Bo Hill}"),
        document("{PERSON:Bo Hill}, {PERSON:Ann}", "b.txt"),
        style="placeholders",
    )
    assert made == ["[PERSON 1]'s [MAIL 1] and [PERSON 2]", "[PERSON 2], [PERSON 1]"]


def test_types_without_surrogates_become_numbers() -> None:
    assert released(document("{HEALTH:asthma}, {MONEY:£5}, {HEALTH:Asthma}")) == [
        "[HEALTH 1], [MONEY 1], [HEALTH 1]"
    ]


def test_no_surrogate_is_somebody_elses_name_in_the_documents() -> None:
    everybody = lists()["japanese", "female"]
    text = " ".join(f"{{PERSON:{name} Sato}}" for name in everybody)
    [made] = released(document(text))
    assert not set(everybody) & set(made.split())
    assert len({made.split()[n] for n in range(0, len(everybody) * 2, 2)}) == len(everybody)


def test_a_later_run_goes_on_where_the_vault_ended() -> None:
    _, first = result_of(document("{HEALTH:flu} {PERSON:Ann Lee}"))
    made, again = result_of(document("{HEALTH:gout} {HEALTH:flu} {PERSON:Lee}"), owner=dict(first.owner))
    assert made[0].startswith("[HEALTH 2] [HEALTH 1] ")
    assert len(open_vault(again.owner, None).documents) == 2


def test_the_audit_sees_a_mention_that_stayed_and_a_word_that_changed() -> None:
    method = Pseudonyms()
    one = document("Dear {PERSON:Ann Lee}, Ann Lee knows {PERSON:Bo}.")
    assert method.audit(one, "Dear Mia Fox, Ann Lee knows Al.").holds is False
    fine = document("Dear {PERSON:Ann Lee}, I know {PERSON:Bo}.")
    assert method.audit(fine, "Dear Mia Fox, I know Al.").holds is True
    assert method.audit(fine, "Dear Ann Lee, I know Al.").holds is False
    assert method.audit(fine, "Dear Mia Lee, I know Al.").holds is False
    assert method.audit(fine, "Dear Mia Fox, I knew Al.").holds is False
    assert method.audit(fine, "Dear Mia Fox, I know Al. ").holds is False
    assert method.audit(document(""), "").holds is True


def test_the_audit_tells_that_renaming_hides_nothing_from_who_knows_the_person() -> None:
    check = Pseudonyms().audit(document("{PERSON:Ann}"), "Mia")
    assert "hides nothing from who knows the person" in check.detail


def test_a_sealed_vault_holds_no_word_and_opens_with_its_passphrase_only() -> None:
    made, result = result_of(document("{PERSON:Ann Lee}"), owner={}, passphrase="right")
    assert set(result.owner) == {VAULT}
    assert b"nn Lee" not in result.owner[VAULT]
    assert b"lee" not in result.owner[VAULT]
    opened = open_vault(result.owner, "right")
    assert [back[2] for back in next(iter(opened.documents.values()))] == ["Ann Lee"]
    other = {VAULT: result.owner[VAULT].replace(b'"content":"', b'"content":"AAAA')}
    for owner, passphrase in ((result.owner, "wrong"), (result.owner, None), (other, "right")):
        with pytest.raises(InputError):
            open_vault(owner, passphrase)
    # one passphrase is one key, in whatever folder
    assert result_of(document("{PERSON:Ann Lee}"), owner={}, passphrase="right")[0] == made


def test_wrong_vaults_and_keys_are_refused() -> None:
    _, result = result_of(document("{PERSON:Ann Lee}"))
    plain = dict(result.owner)
    refused = (
        ({**plain, KEY: b"ff" * 32}, None),
        ({**plain, KEY: b"no key"}, None),
        ({VAULT: plain[VAULT]}, None),
        (plain, "passphrase"),
        ({**plain, VAULT: b"{}"}, None),
        ({**plain, VAULT: b"[]"}, None),
        ({**plain, VAULT: b"\xff\xfe"}, None),
        ({**plain, VAULT: plain[VAULT][:-20]}, None),
        ({**plain, VAULT: plain[VAULT].replace(b'"version":1', b'"version":9')}, None),
        ({**plain, VAULT: plain[VAULT].replace(b'"documents":{', b'"documents":{"x":[1],')}, None),
    )
    for owner, passphrase in refused:
        with pytest.raises(InputError) as error:
            open_vault(owner, passphrase)
        assert "Lee" not in str(error.value)
    with pytest.raises(UsageError):
        open_vault({}, "")


def test_the_method_shows_no_secret_and_needs_no_folder() -> None:
    method = document_methods.build("pseudonyms").opened(OWNER, passphrase=None)  # type: ignore[attr-defined]
    assert "0011" not in repr(method)
    assert Pseudonyms().sanitize([document("{PERSON:Ann Lee}")]).edits[0][0].text != "Ann Lee"
    assert "Ann" not in repr(open_vault(OWNER, None))


def test_a_surname_before_a_comma_or_behind_a_title_is_one() -> None:
    [made] = released(document("{PERSON:OKAFOR, Grace} and {PERSON:Ms Grace Okafor}; {PERSON:Mr Grace}"))
    loud, first, full, family = re.fullmatch(r"(\S+), (\S+) and Ms (\S+ \S+); Mr (\S+)", made).groups()  # type: ignore[union-attr]
    assert full == f"{first} {loud.capitalize()}"
    assert gender_of(first) == "female"
    assert family == first  # one word, one surrogate, whoever bears it


def test_the_order_of_day_and_month_is_that_of_the_document() -> None:
    american, british = (
        "{DATE:01/02/2020} {DATE:01/30/2020}",
        "{DATE:01/02/2020} {DATE:30/01/2020} {DATE:31/01/2020}",
    )
    made = released(document(american), document(british, "b.txt"))
    [first, second], [third, fourth, _] = (text.split() for text in made)
    days = [dt.datetime.strptime(a, "%m/%d/%Y") for a in (first, second)]
    assert (days[1] - days[0]).days == 28
    days = [dt.datetime.strptime(a, "%d/%m/%Y") for a in (third, fourth)]
    assert (days[1] - days[0]).days == -2


def test_texts_without_names_have_shifts_of_their_own() -> None:
    texts = [
        "seen {DATE:2020-05-05}",
        "met {DATE:2020-05-05}",
        "came {DATE:2020-05-05}",
        "left {DATE:2020-05-05}",
    ]
    made = [released(document(text))[0].split()[1] for text in texts]
    assert len(set(made)) > 2


@pytest.mark.parametrize(
    "holiday",
    [
        "Christmas Eve",
        "christmas",
        "Thanksgiving",
        "New Year’s Day",
        "Easter Monday",
        "Yom Kippur",
        "Heiligabend",
    ],
)
def test_a_holiday_beside_a_moved_date_is_not_named(holiday: str) -> None:
    outside, inside = f"On {holiday}, {{DATE:2019-12-24}}.", f"On {{DATE:{holiday}, 24 December 2019}}."
    for text in (outside, inside, f"{{DATE:2019-12-24}} was {{DATE:{holiday}}}."):
        one = document(text)
        made, result = result_of(one)
        assert holiday.lower() not in made[0].lower()
        [places] = json.loads(result.owner[VAULT])["documents"].values()
        whole = made[0]
        for start, new, old in reversed(places):
            whole = whole[:start] + old + whole[start + len(new) :]
        assert whole == one.text


@pytest.mark.parametrize(
    "season", ["summer 2019", "the winter of 2019", "last spring", "in the fall of 2018", "autumn '19"]
)
def test_a_season_moves_with_the_dates_beside_it(season: str) -> None:
    weeks = [weeks_for(str(n), b"k" * 32) for n in range(40)]
    moved = {shifted_date(season, number) for number in weeks}
    assert None not in moved
    assert len(moved) > 2
    if "19" in season or "18" in season:
        assert season not in moved


@pytest.mark.parametrize("phrase", ["had a fall", "a spring in her step", "fall risk", "Mr Winter", "may"])
def test_words_that_are_no_season_stay(phrase: str) -> None:
    assert calendar_words(f"She {phrase} today") == []
