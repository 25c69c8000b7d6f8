"""The report says what facts.json and the released file say, in three digits, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import escape, unescape
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym import registry
from heteronym.report.html import render_report, render_summary
from heteronym.report.plots import three

MARKED = re.compile(r'<span data-fact="([^"]*)">([^<]*)</span>')
TOPICS = ("arts", "law", "science", "sport")


def people() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "age": [20 + (7 * n) % 41 for n in range(60)],
            "born": [f"19{60 + n % 30}-0{1 + n % 9}-11" for n in range(60)],
            "town": [f"8{n % 4}1{n % 7}" for n in range(60)],
            "topic": [TOPICS[n % 4] for n in range(60)],
            "codes": [" ".join(f"c{(n * i) % 9}" for i in range(1, 4)) for n in range(60)],
            "income": ["high" if n % 3 else "low" for n in range(60)],
            "a/b~c": [f"note {n % 5}" for n in range(60)],
        }
    )


PEOPLE_PLAN: dict[str, Any] = {
    "data": {"title": "People & towns"},
    "attributes": {
        "age": {"role": "quasi", "scale": "numeric"},
        "born": {"role": "quasi", "scale": "date"},
        "town": {"role": "quasi", "recode": "prefix"},
        "topic": {"role": "quasi"},
        "codes": {"role": "items", "separator": " "},
        "income": {"role": "sensitive"},
        "a/b~c": {"role": "plain"},
    },
    "privacy": [{"model": "kkm-anonymity", "k": 3, "m": 2}, {"model": "k-anonymity", "k": 3}],
}
TEXTS: dict[str, Any] = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
        "text": {"role": "text"},
    },
    "text": {"model": "none", "patterns": {"AGE": r"\d+ years", "GPE": "Berlin|Rome|Oslo"}},
    "privacy": [{"model": "k-anonymity", "k": 2}],
    "release": {"suppress_up_to": 0.2},
}


def writers() -> pl.DataFrame:
    towns = ("Berlin", "Rome", "Oslo")
    return pl.DataFrame(
        {
            "id": [f"p{n // 2}" for n in range(24)],
            "age": [20 + n // 4 for n in range(24)],
            "text": [f"I am {20 + n // 4} years old and live in {towns[n // 2 % 3]}." for n in range(24)],
        }
    )


def bundled(name: str) -> tuple[pl.DataFrame, Any]:
    folder = Path(str(files("heteronym"))) / "examples" / name
    return pl.read_csv(folder / "visits.csv", infer_schema=False), hn.read_plan(folder / "plan.yaml")


def published(folder: Path, frame: pl.DataFrame, plan: Any, **options: Any) -> Path:
    frame.write_csv(folder / "data.csv")
    hn.anonymize(folder / "data.csv", plan, output=folder / "release", private=folder / "own", **options)
    return folder / "release"


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {
        "columns and items": published(tmp_path_factory.mktemp("a"), people(), PEOPLE_PLAN),
        "texts": published(tmp_path_factory.mktemp("b"), writers(), TEXTS),
        "events": published(tmp_path_factory.mktemp("c"), *bundled("visits")),
    }


@pytest.fixture(params=["columns and items", "texts", "events"])
def release(request: pytest.FixtureRequest, releases: dict[str, Path]) -> Path:
    return releases[request.param]


def page(release: Path) -> str:
    return (release / "report.html").read_text("utf-8")


def facts_of(release: Path) -> dict[str, Any]:
    return dict(json.loads((release / "facts.json").read_text("utf-8")))


def at(facts: Any, pointer: str) -> Any:
    for step in unescape(pointer).split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        facts = facts[int(step)] if isinstance(facts, list) else facts[step]
    return facts


def says(text: str, value: float) -> bool:
    """Whether a text tells a number, rounded to three digits."""
    shown = text.replace("\u00a0", "").replace(",", "")
    if shown.startswith("below"):
        return 0 < value < float(shown[5:].removesuffix("%"))
    number = float(shown.removesuffix("%")) / (100 if shown.endswith("%") else 1)
    return number == value if isinstance(value, int) else abs(number - value) <= 0.0051 * abs(value)


def test_every_number_of_the_report_is_the_one_of_the_facts(release: Path) -> None:
    facts, marked = facts_of(release), MARKED.findall(page(release))
    assert len(marked) > 40
    assert [(pointer, text) for pointer, text in marked if not says(text, at(facts, pointer))] == []


def test_no_number_of_a_table_stands_there_without_its_place_in_the_facts(release: Path) -> None:
    """Outside of plots and of what is counted from the released table alone."""
    text = re.sub(r'<figure class="plot">.*?</figure>', "", page(release), flags=re.DOTALL)
    spread = text.index('id="spread"'), text.index('id="suppressed"')
    text = text[: spread[0]] + text[spread[1] :]
    k = max(model["parameters"]["k"] for model in facts_of(release)["verdict"]["models"])
    cells = re.findall(r'<td class="n">(.*?)</td>', text, re.DOTALL)
    assert len(cells) > 40
    bare = {
        cell for cell in cells if re.search(r"\d", re.sub("<[^>]*>", "", cell)) and "data-fact" not in cell
    }
    assert bare == {three(1 / k, percent=True)}


def test_everything_measured_of_events_and_terms_is_told(releases: dict[str, Path]) -> None:
    pointers = {pointer for pointer, _ in MARKED.findall(page(releases["events"]))}
    facts = facts_of(releases["events"])
    measures = facts["measures"]
    wanted = {"/measures/events/event_loss", "/measures/ncp/information", "/measures/ncp/textual"}
    for name, figures in measures["events"]["by_attribute"].items():
        wanted |= {f"/measures/events/by_attribute/{name}/{figure}" for figure in figures}
    wanted |= {f"/measures/ncp/information_of_holders/{kind}" for kind in measures["ncp"]["of_holders"]}
    wanted |= {f"/measures/transaction/{figure}" for figure in measures["transaction"]}
    for kind in ("items", "events", "terms", "mentions"):
        for name, fates in facts["fates"][kind].items():
            shown = set(fates) - ({"follows_column"} if kind != "mentions" else set())
            wanted |= {f"/fates/{kind}/{name}/{fate}" for fate in shown}
    assert wanted <= pointers


def test_words_fit_the_data(releases: dict[str, Path]) -> None:
    said = {name: page(folder) for name, folder in releases.items()}
    assert "any 2 of the person&#39;s items, events and terms finds at least 3 persons" in said["events"]
    assert "that is a person&#39;s columns, is shared by" in said["columns and items"]
    assert "columns and the recognized terms in the person&#39;s texts, is shared by" in said["texts"]
    assert not any(word in said["events"] for word in ("= None", "= False", "of 3 to 3"))
    assert "generalize}" not in said["events"]  # no advice to do what was done


def test_the_main_figures_are_there(release: Path) -> None:
    pointers = {pointer for pointer, _ in MARKED.findall(page(release))}
    measures = facts_of(release)["measures"]
    assert {"/measures/ncp/total", "/measures/groups/count", "/data/persons", "/data/rows"} <= pointers
    assert {f"/measures/risk/{name}/after" for name in measures["risk"]} <= pointers
    for name in measures["ncp"]["by_attribute"]:
        assert {f"/measures/ncp/published/{name}", f"/measures/drift/{name}"} <= pointers
    for kind in measures["ncp"].get("of_holders", {}):
        assert f"/measures/ncp/of_holders/{kind}" in pointers
    for name in measures.get("certain", {}):
        assert f"/measures/certain/{name}/share" in pointers


def test_the_report_is_one_small_file_that_asks_for_nothing(release: Path) -> None:
    text = page(release)
    assert len(text.encode()) < 1_500_000
    assert not re.search(r"<script|<link|<img|<iframe|http|\bsrc=|@import|url\(", text)
    assert [href for href in re.findall(r'href="([^"]*)"', text) if not href.startswith("#")] == []
    targets = set(re.findall(r'id="([^"]*)"', text))
    assert {href[1:] for href in re.findall(r'href="(#[^"]*)"', text)} <= targets


def test_the_promise_comes_first(release: Path) -> None:
    words = ["The promise holds", "What is promised", "Whether it holds", "Against which attacker"]
    words += ["What is not promised", "Data, identifiers and technique", "Risk: initial"]
    places = [page(release).index(word) for word in words]
    assert places == sorted(places)


def test_what_may_be_known_to_few_is_said_of_the_columns_that_stay(releases: dict[str, Path]) -> None:
    said = page(releases["columns and items"])
    assert "Columns that are released unchanged: income, a/b~c" in said


def test_the_group_histogram_counts_all_groups(release: Path) -> None:
    figure = re.search(r"How large the groups are.*?</figure>", page(release), re.DOTALL)
    assert figure is not None
    counts = re.findall(r'<td class="n">([\d,]+)</td>', figure[0])
    assert sum(int(c.replace(",", "")) for c in counts) == facts_of(release)["measures"]["groups"]["count"]


def test_examples_are_released_rows(release: Path) -> None:
    table = re.search(r'<table class="examples">(.*?)</table>', page(release), re.DOTALL)
    assert table is not None
    rows = [
        tuple(unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row))
        for row in re.findall(r"<tr>(.*?)</tr>", table[1], re.DOTALL)[1:]
    ]
    released = pl.read_csv(next(release.glob("data.*")), infer_schema=False).rows()
    assert len(rows) >= 3
    assert set(rows) <= set(released)


def test_distributions_count_every_released_row(release: Path) -> None:
    frame = pl.read_csv(next(release.glob("data.*")), infer_schema=False)
    plan = hn.read_plan(release.parent / "own" / "plan.json")
    from heteronym.release_facts import shown_in

    shown = shown_in(frame, plan)
    assert len(shown["columns"]) >= 1
    for column in shown["columns"]:
        if column["role"] == "items":  # a row shows several, and is counted at each
            assert max(column["released"]) <= frame.height - column["missing"]
            continue
        assert sum(column["released"]) + column["missing"] + column["suppressed"] == pytest.approx(
            frame.height
        )


def test_originals_are_drawn_for_their_owner_alone(release: Path) -> None:
    own = (release.parent / "own" / "report.html").read_text("utf-8")
    assert "For the owner of the data only" in own
    assert "original" in own.split('id="spread"')[1]
    assert (
        "original"
        not in re.sub(r"<style>.*?</style>", "", page(release), flags=re.DOTALL)
        .split('id="spread"')[1]
        .split('id="suppressed"')[0]
    )


def test_values_of_few_rows_are_not_singled_out_in_what_is_released_as_it_was() -> None:
    from heteronym.io.plans import make_plan
    from heteronym.release_facts import shown_in

    plan = make_plan(
        {
            "attributes": {"sex": {"role": "quasi"}, "illness": {"role": "sensitive"}},
            "privacy": [{"model": "k-anonymity", "k": 4}],
        }
    )
    frame = pl.DataFrame({"sex": ["f"] * 20, "illness": ["flu"] * 12 + ["cold"] * 5 + ["rare"] * 3})
    told = {column["name"]: column for column in shown_in(frame, plan)["columns"]}
    assert told["illness"]["names"] == ("flu", "cold", "others")
    assert told["illness"]["released"] == [12, 5, 3]


def test_a_high_loss_comes_with_advice(tmp_path: Path) -> None:
    frame = pl.DataFrame({"day": [f"2{n:03d}-01-01" for n in range(0, 400, 20)]})
    plan = {
        "attributes": {"day": {"role": "quasi", "scale": "date"}},
        "privacy": [{"model": "k-anonymity", "k": 15}],
    }
    said = page(published(tmp_path, frame, plan))
    assert "day lost 100\u00a0%: if it belongs to a row rather than to a person, make it an event" in said


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    frame = pl.DataFrame({evil: ["a", "a", "b", "b"], "x": [f"{evil}"] * 4})
    plan = {
        "data": {"title": evil},
        "attributes": {evil: {"role": "quasi"}, "x": {"role": "plain"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    assert "<script" not in page(published(tmp_path, frame, plan))


@pytest.mark.parametrize("name", registry.privacy_models.names())
def test_every_model_is_told_in_words(name: str) -> None:
    model = registry.privacy_models.get(name)
    said = model.in_words  # type: ignore[attr-defined]
    parameters = {p.name for p in registry.parameters_of(model)}
    parameters |= {"m_items", "any_m"} if "m" in parameters else set()  # "1 item", "2 items"
    parameters |= {"record", "knowledge", "elements"}  # what a person's data consists of
    texts = [said.promise, said.attacker, *said.not_promised]
    assert {word for text in texts for word in re.findall(r"\{(\w+)\}", text)} <= parameters


def test_a_model_without_words_is_described_by_its_documentation(
    releases: dict[str, Path],
) -> None:
    facts = facts_of(releases["texts"])
    facts["verdict"]["models"][0]["model"] = "made-up"
    facts["method"]["meanings"]["made-up"] = "Nobody is ever bored."
    shown = {"columns": [], "not_drawn": [], "examples": {"columns": [], "texts": [], "rows": [], "of": 0}}
    assert "Nobody is ever bored." in render_report(facts, shown, {})


def test_a_notebook_shows_the_summary_with_the_same_figures(releases: dict[str, Path]) -> None:
    facts = facts_of(releases["texts"])
    said = render_summary(facts, {})
    marked = MARKED.findall(said)
    assert len(marked) > 5
    assert all(says(text, at(facts, pointer)) for pointer, text in marked)


def test_python_and_command_draw_the_same_report(tmp_path: Path, command: Callable[..., Any]) -> None:
    made = hn.anonymize(people(), PEOPLE_PLAN)
    path = made.report(tmp_path / "report.html")
    pointers = {pointer for pointer, _ in MARKED.findall(path.read_text("utf-8"))}
    assert "/measures/ncp/total" in pointers


def test_the_type_of_anonymity_is_named(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
    plain = published(tmp_path / "a", people(), PEOPLE_PLAN)
    told = json.loads((plain / "facts.json").read_text("utf-8"))["anonymity"]
    assert told["type"] == "a"
    assert "warning" not in told
    texts = published(tmp_path / "b", writers(), TEXTS)
    assert "whoever recognizes the writer" in (texts / "report.html").read_text("utf-8")
    assert "Type of anonymity: (a) de-identification" in (plain / "report.html").read_text("utf-8")


def test_details_are_folded_and_what_may_stay_is_said_before(release: Path) -> None:
    text = page(release)
    first = text[: text.index('class="tiles"')]
    facts = facts_of(release)
    remarks = [c["detail"] for c in facts["verdict"]["checks"] if c["name"] == "names" and c["holds"] is None]
    assert all(escape(remark, quote=False) in first for remark in remarks)
    folded = re.findall(r'<details class="section"><summary><h2>[^<]+</h2></summary><div id="(\w+)">', text)
    assert folded == ["data", "groups", "spread", "suppressed", "examples", "checks", "again"]
    assert all(f'href="#{name}"' in text for name in folded)
    assert "details-content { content-visibility: visible" in text  # open in print
    assert (
        re.search(r"\d\.?\d*e-\d", re.sub(r"<style>.*?</style>|<code>.*?</code>", "", text, flags=re.DOTALL))
        is None
    )
