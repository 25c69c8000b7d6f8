"""Each attack finds the weakness that was planted for it, and on our releases nothing beyond the promise."""

from __future__ import annotations

import hashlib
import random
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

import heteronym as hn
from heteronym import registry
from heteronym.api.attack import attack_table
from heteronym.io.plans import make_plan
from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable

PEOPLE = 240
PLAN: dict[str, Any] = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric"},
        "born": {"role": "quasi", "scale": "date"},
        "city": {"role": "quasi"},
        "zip code": {"role": "quasi", "recode": "prefix"},
        "bought": {"role": "items", "separator": " "},
        "illness": {"role": "sensitive"},
        "weight^$": {"role": "plain"},
        "text": {"role": "text"},
    },
    "text": {"model": "none", "patterns": {"TEAM": "team [A-Z]", "PHONE": r"\d{3}-\d{4}"}},
    "privacy": [{"model": "k-anonymity", "k": 4}, {"model": "kkm-anonymity", "k": 4, "m": 2}],
}
WORDS = "river stone lamp cloud paper garden window bread silver coat morning letter".split()


def people(seed: int = 1, count: int = PEOPLE) -> pl.DataFrame:
    """One to two rows a person; illness hangs on age, words of the text on the city."""
    rng = random.Random(seed)
    rows = []
    for person in range(count):
        age, city = rng.randint(20, 60), rng.choice(["Ulm", "Rom", "Oslo"])
        own = {
            "id": f"p{person:04}",
            "age": age,
            "born": f"{2020 - age}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}",
            "city": city,
            "zip code": f"{rng.choice([10, 20])}{rng.randint(0, 99):02}",
            "bought": " ".join(sorted(rng.sample("abcdefgh", rng.randint(1, 4)))),
        }
        for _ in range(rng.randint(1, 2)):
            said = [rng.choice(WORDS) for _ in range(6)] + [f"{city[0].lower()}word"] * 3
            rng.shuffle(said)
            rows.append(
                {
                    **own,
                    "illness": "flu" if age < 40 or rng.random() < 0.5 else rng.choice(["gout", "cough"]),
                    "weight^$": str(rng.choice([60, 70, 80])),
                    "text": " ".join(said) + f" in team {rng.choice('ABC')}",
                }
            )
    return pl.DataFrame(rows)


def table(
    frame: pl.DataFrame, plan: dict[str, Any], source_row: Any, originals: pl.DataFrame
) -> ReleasedTable:
    """A released table; `source_row` None leaves the owner's map out."""
    made = make_plan(plan)
    if source_row is None:
        return ReleasedTable(frame, made)
    source = np.asarray(source_row, np.int64)
    return ReleasedTable(frame, made, numbers(originals)[source], source)


def numbers(frame: pl.DataFrame) -> Any:
    if "id" not in frame.columns:
        return np.arange(frame.height)
    return frame["id"].rank("dense").to_numpy().astype(np.int64)


def knowledge(frame: pl.DataFrame, **more: Any) -> Knowledge:
    return Knowledge(frame, numbers(frame), **more)


def changed(release: ReleasedTable, **columns: Any) -> ReleasedTable:
    return replace(release, frame=release.frame.with_columns(**columns))


def reordered(release: ReleasedTable, order: Any) -> ReleasedTable:
    assert release.person is not None
    assert release.source_row is not None
    return ReleasedTable(
        release.frame[order.tolist()], release.plan, release.person[order], release.source_row[order]
    )


def run(name: str, release: ReleasedTable, known: Knowledge, **parameters: Any) -> AttackResult:
    [result] = attack_table(release, known, only=[name], parameters=parameters).results
    assert result.attack == name
    return result


@pytest.fixture(scope="module")
def data() -> pl.DataFrame:
    return people()


@pytest.fixture(scope="module")
def ours(data: pl.DataFrame) -> ReleasedTable:
    release = hn.anonymize(data, PLAN)
    return table(release.data, PLAN, release.source_row, data)


@pytest.fixture
def unchanged(data: pl.DataFrame) -> ReleasedTable:
    """Nothing but the identifier was taken away, in the order of the data."""
    return table(data.drop("id"), PLAN, range(data.height), data)


PROMISED = {
    "linkage-columns",
    "linkage-elements",
    "linkage-both",
    "linkability",
    "singling-out",
    "row-order",
    "unkeyed-hashes",
}


@pytest.mark.parametrize("name", registry.attacks.names())
def test_no_attack_gets_more_from_our_release_than_was_promised(
    name: str, ours: ReleasedTable, data: pl.DataFrame
) -> None:
    result = run(name, ours, knowledge(data))
    assert result.holds is (True if name in PROMISED else None)
    if result.holds:
        assert result.matched == 0
        assert result.bound is not None
        assert result.certainty <= result.bound + 1e-9
    elif result.tried:
        assert "model" in result.detail or "no t-closeness" in result.detail  # said plainly


# --- planted weaknesses ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(PROMISED - {"unkeyed-hashes", "linkage-elements"}))
def test_a_table_that_was_only_stripped_of_its_key_is_broken(
    name: str, unchanged: ReleasedTable, data: pl.DataFrame
) -> None:
    result = run(name, unchanged, knowledge(data))
    assert result.holds is False
    assert result.matched > 0
    assert result.certainty > (result.bound or 0)


def test_rows_alone_break_a_promise_and_never_keep_one(
    unchanged: ReleasedTable, ours: ReleasedTable, data: pl.DataFrame
) -> None:
    for release, holds in ((unchanged, False), (ours, None)):
        blind = ReleasedTable(release.frame, release.plan)
        assert run("linkage-columns", blind, knowledge(data)).holds is holds


def test_one_person_who_sticks_out_is_found(ours: ReleasedTable, data: pl.DataFrame) -> None:
    assert ours.source_row is not None
    labels = ours.frame["age"].to_list()
    labels[0] = str(data["age"][int(ours.source_row[0])])
    assert run("linkage-columns", ours, knowledge(data)).holds
    assert run("linkage-columns", changed(ours, age=pl.Series(labels)), knowledge(data)).matched >= 1


def test_a_rare_item_is_found_by_elements_alone(ours: ReleasedTable, data: pl.DataFrame) -> None:
    assert ours.person is not None
    rare = data.with_columns(
        pl.when(pl.col("id") == "p0007").then(pl.lit("z")).otherwise("bought").alias("bought")
    )
    person = int(numbers(data)[data["id"].to_list().index("p0007")])
    shown = ["z" if p == person else c for p, c in zip(ours.person, ours.frame["bought"], strict=True)]
    result = run("linkage-elements", changed(ours, bought=pl.Series(shown)), knowledge(rare))
    assert (result.holds, result.certainty) == (False, 1.0)


TEXT_PLAN: dict[str, Any] = {
    "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "text": {"role": "text"}},
    "privacy": [{"model": "k-anonymity", "k": 4}],
    "text": {"model": "none"},
}


def texts_of_a_group(texts: list[str]) -> tuple[ReleasedTable, Knowledge]:
    frame = pl.DataFrame({"age": ["[20-30]"] * len(texts), "text": texts})
    original = pl.DataFrame({"age": [20 + n % 11 for n in range(len(texts))], "text": texts})
    return table(frame, TEXT_PLAN, range(len(texts)), original), knowledge(original)


PLACEHOLDERS = {
    "one shows a type": (["call [PHONE]", "in [GPE]", "in [GPE]", "in [GPE]"], 1),
    "all show it": (["call [PHONE]"] * 4, 0),
    "one shows two together": (["[A] [B]", "[A]", "[B]", "[A]", "[B]"], 1),
    "one shows it twice": (["[A] [A]", "[A]", "[A]", "[A]"], 1),
}


@pytest.mark.parametrize("case", PLACEHOLDERS)
def test_who_alone_shows_placeholders_is_found(case: str) -> None:
    texts, found = PLACEHOLDERS[case]
    assert run("placeholders", *texts_of_a_group(texts)).matched == found


ILL_PLAN: dict[str, Any] = {
    "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "ill": {"role": "sensitive"}},
    "privacy": [{"model": "k-anonymity", "k": 2}],
}


def sensitive(values: list[str], groups: list[int]) -> tuple[ReleasedTable, Knowledge]:
    frame = pl.DataFrame({"age": [str(g) for g in groups], "ill": values})
    original = pl.DataFrame({"age": groups, "ill": values})
    return table(frame, ILL_PLAN, range(len(values)), original), knowledge(original)


def test_a_group_with_one_sensitive_value_is_counted_with_its_persons() -> None:
    mixed = run("homogeneity", *sensitive(["a", "b", "a", "b", "b"], [1, 1, 2, 2, 2]))
    alike = run("homogeneity", *sensitive(["a", "a", "a", "b", "b"], [1, 1, 2, 2, 2]))
    assert (mixed.matched, mixed.certainty) == (0, pytest.approx(2 / 3))
    assert (alike.matched, alike.certainty) == (2, 1.0)
    assert alike.figures["ill_certain_groups"] == 1
    assert "model" in alike.detail


def test_a_missing_sensitive_value_is_no_value() -> None:
    assert run("homogeneity", *sensitive(["a", "", "a", "b"], [1, 1, 2, 2])).matched == 0


def test_skewness_is_the_distance_between_a_group_and_all() -> None:
    result = run("skewness", *sensitive(list("aabb") + list("abab"), [1, 1, 2, 2, 3, 3, 4, 4]))
    assert result.certainty == pytest.approx(0.5)
    assert result.figures["ill_gain"] == pytest.approx(2.0)
    assert run("skewness", *sensitive(list("abab"), [1, 1, 2, 2])).certainty == 0


def test_a_column_that_follows_from_others_is_inferred(unchanged: ReleasedTable, data: pl.DataFrame) -> None:
    result = run("inference", unchanged, knowledge(data), secret="born")
    assert result.certainty > 0.5
    assert result.holds is None


def test_a_control_group_takes_away_what_is_true_of_everybody(
    unchanged: ReleasedTable, data: pl.DataFrame
) -> None:
    blind = run("inference", unchanged, knowledge(data), secret="illness")
    assert blind.figures["illness_risk"] > 0.3
    # people of the release behave as the release does: beside them nothing is left
    same = run("inference", unchanged, knowledge(data, control=data), secret="illness")
    assert same.figures["illness_risk"] - same.figures["illness_error"] <= 0


PAIR_PLAN: dict[str, Any] = {
    "attributes": {"a": {"role": "quasi"}, "b": {"role": "quasi"}},
    "privacy": [{"model": "k-anonymity", "k": 2}],
}


def test_perfect_and_weak_attacks_have_figures() -> None:
    same = pl.DataFrame({"a": list("xy") * 100, "b": list("xy") * 100})
    perfect = run("inference", table(same, PAIR_PLAN, range(200), same), knowledge(same))
    assert perfect.certainty > 0.9
    rng = np.random.default_rng(0)
    noise = pl.DataFrame({"a": rng.choice(list("xyz"), 200), "b": rng.choice(list("xyz"), 200)})
    masked = pl.DataFrame({"a": ["*"] * 200, "b": ["*"] * 200})
    weak = run("inference", table(masked, PAIR_PLAN, range(200), noise), knowledge(noise))
    assert weak.matched == 0


def test_two_releases_leave_a_smaller_common_crowd(data: pl.DataFrame, ours: ReleasedTable) -> None:
    other = hn.anonymize(data, {**PLAN, "partition": {"method": "k-member"}, "seed": 5})
    second = table(other.data, PLAN, other.source_row, data)
    apart = run("intersection", ours, knowledge(data, other=second))
    same = run("intersection", ours, knowledge(data, other=ours))
    assert apart.holds is False
    assert apart.matched > 0
    assert same.holds is True


def test_values_that_only_two_releases_tell_are_counted() -> None:
    original = pl.DataFrame({"age": [1, 2, 3, 4], "ill": list("abcd")})
    first = pl.DataFrame({"age": ["[1-2]", "[1-2]", "[3-4]", "[3-4]"], "ill": list("abcd")})
    second = pl.DataFrame({"age": ["1", "[2-3]", "[2-3]", "4"], "ill": list("abcd")})
    other = table(second, ILL_PLAN, None, original)
    result = run("intersection", table(first, ILL_PLAN, None, original), knowledge(original, other=other))
    assert result.matched == 2  # those of age 2 and 3


def test_generalizations_are_undone_by_an_unchanged_column_that_tells_them() -> None:
    plan = {
        "attributes": {"sex": {"role": "quasi"}, "ward": {"role": "plain"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    rng = random.Random(0)
    sexes = [rng.choice("fm") for _ in range(200)]
    telling = pl.DataFrame({"sex": sexes, "ward": ["births" if s == "f" else "prostate" for s in sexes]})
    silent = telling.with_columns(ward=pl.Series([rng.choice(["a", "b"]) for _ in sexes]))
    for original, undone in ((telling, True), (silent, False)):
        masked = original.with_columns(sex=pl.lit("{f,m}"))
        result = run("downcoding", table(masked, plan, range(200), original), knowledge(original))
        assert (result.matched > 50) is undone


def test_people_who_were_joined_without_need_are_guessed() -> None:
    models = [{"model": "k-anonymity", "k": 2}, {"model": "l-diversity", "l": 2}]
    plan = {**ILL_PLAN, "privacy": models}
    ages, ills, labels = [], [], []
    for group in range(30):  # three alike share a value, and two others are joined with them
        ages += [10 * group] * 3 + [10 * group + 1, 10 * group + 2]
        ills += ["a"] * 3 + ["b", "c"]
        labels += [f"[{10 * group}-{10 * group + 2}]"] * 5
    original = pl.DataFrame({"age": ages, "ill": ills})
    frame = pl.DataFrame({"age": labels, "ill": ills})
    minimal = run("minimality", table(frame, plan, range(150), original), knowledge(original))
    assert minimal.matched > 0
    mixed = pl.Series(["a", "b", "c", "a", "a"] * 30)  # the three alike are as mixed as their group
    frame, original = frame.with_columns(ill=mixed), original.with_columns(ill=mixed)
    assert run("minimality", table(frame, plan, range(150), original), knowledge(original)).matched == 0


@pytest.mark.parametrize("kind", ["md5", "sha1", "sha256", "sha512", "crc32"])
def test_plain_digests_of_known_values_are_undone(kind: str, data: pl.DataFrame) -> None:
    def digest(cell: str) -> str:
        if kind == "crc32":
            return f"{zlib.crc32(cell.encode()):08x}"
        return hashlib.new(kind, cell.encode()).hexdigest()

    plan = {**PLAN, "attributes": {**PLAN["attributes"], "token": {"role": "plain"}}}
    frame = data.with_columns(pl.Series("token", [digest(cell) for cell in data["id"]])).drop("id")
    plain = table(frame, plan, range(data.height), data)
    result = run("unkeyed-hashes", plain, knowledge(data), numbers=1000)
    assert (result.holds, result.matched) == (False, data.height)
    keyed = changed(plain, token=pl.Series([digest(f"secret{cell}") for cell in data["id"]]))
    assert run("unkeyed-hashes", keyed, knowledge(data), numbers=1000).holds


def test_hashes_of_small_numbers_are_undone_without_knowing_them() -> None:
    plan = {"attributes": {"token": {"role": "plain"}}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    tokens = pl.DataFrame({"token": [hashlib.md5(str(n).encode()).hexdigest() for n in (17, 4711)]})
    blind = pl.DataFrame({"token": ["x", "y"]})
    release = table(tokens, plan, None, blind)
    assert run("unkeyed-hashes", release, knowledge(blind), numbers=5000).matched == 2


def test_a_number_of_rows_that_nobody_else_has_is_found() -> None:
    plan = {
        "data": {"person": "id"},
        "attributes": {"id": {"role": "identifier"}, "age": {"role": "quasi", "scale": "numeric"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "release": {"person_key": "pseudonym"},
    }
    keys = ["a"] * 5 + ["b", "c", "d"]
    original = pl.DataFrame({"id": keys, "age": [1] * 8})
    frame = pl.DataFrame({"id": [f"P{k}" for k in keys], "age": ["1"] * 8})
    assert run("row-counts", table(frame, plan, range(8), original), knowledge(original)).matched == 1
    even = table(frame[4:], plan, range(4, 8), original)
    assert run("row-counts", even, knowledge(original)).matched == 0


@pytest.mark.parametrize("direction", [1, -1])
def test_rows_in_the_order_of_the_data_or_in_reverse_are_found(
    direction: int, ours: ReleasedTable, data: pl.DataFrame
) -> None:
    assert ours.source_row is not None
    result = run("row-order", reordered(ours, np.argsort(ours.source_row)[::direction]), knowledge(data))
    assert (result.holds, result.matched) == (False, data.height)


def test_a_random_order_tells_nothing(ours: ReleasedTable, data: pl.DataFrame) -> None:
    order = np.random.default_rng(3).permutation(data.height)
    assert run("row-order", reordered(ours, order), knowledge(data)).holds is True


def test_wording_that_one_person_wrote_is_found_and_masks_break_it() -> None:
    own = [f"{a} and {b} went home" for a, b in zip(WORDS, WORDS[1:] + WORDS[:1], strict=True)]
    release, known = texts_of_a_group(own)
    assert run("rare-ngrams", release, known).matched == len(WORDS)
    assert run("rare-ngrams", *texts_of_a_group(["we all went home"] * 6)).matched == 0
    assert run("rare-ngrams", changed(release, text=pl.lit("[A] and [B] went home")), known).matched == 0


def test_authors_are_found_by_their_words_and_not_without_them() -> None:
    rng = random.Random(4)
    release, known = texts_of_a_group([" ".join(rng.choices(WORDS, k=12)) + f" only{n}" for n in range(60)])
    assert run("text-linkage", release, known).figures["alone"] > 0.95
    lost = run("text-linkage", changed(release, text=pl.lit("[TEXT]")), known)
    assert lost.figures["within_group"] == pytest.approx(lost.figures["chance"])


def test_columns_are_read_from_texts_beyond_their_labels(
    unchanged: ReleasedTable, data: pl.DataFrame
) -> None:
    hidden = changed(unchanged, city=pl.lit("{Oslo,Rom,Ulm}"))
    told = run("text-inference", hidden, knowledge(data))
    assert told.figures["city_with_text"] > 0.9
    assert told.figures["city_without"] < 0.6
    assert told.matched > 50
    assert run("text-inference", changed(hidden, text=pl.lit("river stone")), knowledge(data)).matched == 0


# --- the contract ---------------------------------------------------------------------------------


def test_attacks_draw_alike_whoever_else_attacks(ours: ReleasedTable, data: pl.DataFrame) -> None:
    alone = run("linkage-columns", ours, knowledge(data), targets=20)
    given = {"targets": 20, "attempts": 20}
    together = attack_table(ours, knowledge(data), only=["inference", "linkage-columns"], parameters=given)
    assert together.results[1] == alone


def test_a_parameter_that_no_attack_has_is_refused(ours: ReleasedTable, data: pl.DataFrame) -> None:
    with pytest.raises(hn.UsageError, match="targets"):
        run("linkage-columns", ours, knowledge(data), target=3)


@pytest.mark.parametrize(
    ("name", "figure"), [("singling-out", "quasi"), ("singling-out", "all_columns"), ("linkability", "links")]
)
def test_every_threat_is_measured_beside_a_control_group(
    name: str, figure: str, unchanged: ReleasedTable, data: pl.DataFrame
) -> None:
    others = people(seed=9)
    beside = run(name, unchanged, knowledge(data, control=others)).figures
    assert beside[f"{figure}_risk"] - beside[f"{figure}_error"] > 0.1
    # people of the release behave as the release does: beside them nothing is left
    same = run(name, unchanged, knowledge(data, control=data)).figures
    assert same[f"{figure}_risk"] - same[f"{figure}_error"] <= 0
    assert f"{figure}_risk" not in run(name, unchanged, knowledge(data)).figures


def test_control_groups_of_perfect_and_weak_attacks_have_figures() -> None:
    same = pl.DataFrame({"a": list("xy") * 100, "b": list("xy") * 100})
    masked = table(pl.DataFrame({"a": ["*"] * 200, "b": ["*"] * 200}), PAIR_PLAN, range(200), same)
    for release in (masked, table(same, PAIR_PLAN, range(200), same)):
        for name in ("singling-out", "linkability"):
            found = run(name, release, knowledge(same, control=same)).figures
            assert all(np.isfinite(value) for value in found.values())
            assert [value for key, value in found.items() if key.endswith("_risk")] == [0.0] * sum(
                key.endswith("_risk") for key in found
            )


def test_a_crowd_of_one_family_is_found() -> None:
    """Twelve families of four, each in a group of its own: k = 3 persons, one household."""
    frame = pl.DataFrame(
        {"home": [f"h{n // 4}" for n in range(48)], "age": [20 + n // 4 * 3 + n % 2 for n in range(48)]}
    )
    plan: dict[str, Any] = {
        "attributes": {"home": {"role": "identifier"}, "age": {"role": "quasi", "scale": "numeric"}},
        "privacy": [{"model": "k-anonymity", "k": 3}],
    }
    promised = {**plan, "data": {"household": "home"}}
    families, ours = hn.anonymize(frame, plan), hn.anonymize(frame, promised)
    planted = run(
        "linkage-household", table(families.data, promised, families.source_row, frame), knowledge(frame)
    )
    assert (planted.holds, planted.certainty) == (False, 1.0)
    assert planted.matched > 0
    kept = run("linkage-household", table(ours.data, promised, ours.source_row, frame), knowledge(frame))
    assert (kept.holds, kept.matched) == (True, 0)
    assert kept.certainty <= kept.bound == 1 / 3  # type: ignore[operator]


def test_what_no_model_is_about_breaks_no_promise_and_is_told() -> None:
    frame = pl.DataFrame({"age": ["[1-2]"] * 4, "ill": list("aabb"), "rich": ["yes"] * 4})
    plan: dict[str, Any] = {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric"},
            "ill": {"role": "sensitive"},
            "rich": {"role": "sensitive"},
        },
        "privacy": [{"model": "k-anonymity", "k": 2}, {"model": "l-diversity", "l": 2, "attribute": "ill"}],
    }
    original = frame.with_columns(age=pl.Series([1, 1, 2, 2]))
    found = run("homogeneity", table(frame, plan, range(4), original), knowledge(original))
    assert (found.holds, found.matched, found.certainty) == (True, 0, 0.5)
    assert "'rich': certain for 4 persons in 1 groups, and no model is about it" in found.detail
    assert found.figures["rich_certain_persons"] == 4
