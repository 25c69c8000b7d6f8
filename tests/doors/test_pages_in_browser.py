"""Every page in a real browser: quiet, alone, readable on a phone, by key, in light and dark, on paper."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.api.analyze import analyze_texts, corpus_to_dict
from heteronym.model.document import Document
from heteronym.model.edit import Edit
from heteronym.model.plan import TextPlan
from heteronym.report.assertions import render_analysis
from heteronym.report.marked import marked_page
from heteronym.report.plots import Axis, Point, lines, scatter
from heteronym.report.side_by_side import side_by_side
from heteronym.text.entity_types import meaning
from tests.browser import LOW_CONTRAST, NAMELESS, REACHABLE, UNREACHABLE_SCROLL, Visit, browser
from tests.unit.report.test_report import PEOPLE_PLAN, TEXTS, bundled, people, published, writers

LONG = "a_column_with_a_very_long_name_that_nobody_would_break_" * 2
PAGES = (
    "items",
    "texts",
    "events",
    "owner's",
    "long names",
    "utility",
    "analysis",
    "side by side",
    "marked",
    "plots",
)


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with browser() as one:
        yield one


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    at = {name: tmp_path_factory.mktemp("page") for name in PAGES}
    found = {"items": published(at["items"], people(), PEOPLE_PLAN) / "report.html"}
    found["owner's"] = at["items"] / "own" / "report.html"
    found["texts"] = published(at["texts"], writers(), TEXTS) / "report.html"
    found["events"] = published(at["events"], *bundled("visits")) / "report.html"
    queries = ["age < 30 and codes has c1"]
    hn.utility(
        at["items"] / "release",
        against=people(),
        private=at["items"] / "own",
        target="income",
        queries=queries,
    )
    found["utility"] = at["items"] / "own" / "utility.html"
    long = pl.DataFrame({LONG: [f"{LONG}{n % 3}" for n in range(12)], "x": [LONG] * 12})
    plan = {
        "attributes": {LONG: {"role": "quasi"}, "x": {"role": "plain"}},
        "privacy": {"model": "k-anonymity", "k": 6},
    }
    found["long names"] = published(at["long names"], long, plan) / "report.html"
    text = "My name is Anna Berg and I have diabetes. My sister Clara lives in Oslo and votes for nobody."
    content = corpus_to_dict(analyze_texts([text], TextPlan(model="none"), authors=[None], recipient=None))
    document = content["documents"][0]["name"]
    marked = Document(text, tuple(hn.scan(text)), "letter.txt")
    for name, page in (
        ("analysis", render_analysis(content, {document: text}).encode()),
        ("side by side", side_by_side([("letter.txt", text, [Edit(11, 20, "[PERSON]")])], method="redact")),
        ("marked", marked_page([marked], meaning, plan_decides=False)),
        ("plots", _plots().encode()),
    ):
        found[name] = at[name] / "page.html"
        found[name].write_bytes(page)
    return found


def _plots() -> str:
    from heteronym.report.environment import environment

    points = [Point(n, n * n, f"k = {n}", "gdf" if n % 2 else "mondrian", f"#run{n}") for n in range(1, 9)]
    drawn = scatter("Risk and loss", points, x=Axis("risk"), y=Axis("loss"), front=[(1, 1), (8, 64)])
    drawn += lines(
        "Loss over k",
        {f"s{n}": [(k, k * n) for k in (2, 5, 50)] for n in range(6)},
        x=Axis("k", log=True),
        y=Axis("loss"),
    )
    body = '<main id="content">{{ plots | safe }}</main>'
    page = f'{{% extends "page.html.jinja" %}}{{% block body %}}{body}{{% endblock %}}'
    return environment().from_string(page).render(plots=drawn)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_says_and_asks_nothing_and_can_be_read(
    name: str, scheme: str, pages: dict[str, Path], opened: Any
) -> None:
    with Visit(opened, pages[name], scheme=scheme) as visit:
        visit.page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert visit.page.evaluate(LOW_CONTRAST) == []
        assert visit.page.evaluate(NAMELESS) == 0
        assert visit.said == []
        assert visit.asked == [pages[name].as_uri()]


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_never_scrolls_sideways(name: str, pages: dict[str, Path], opened: Any) -> None:
    with Visit(opened, pages[name], width=360) as visit:
        for state in ("false", "true"):
            visit.page.evaluate(f"document.querySelectorAll('details').forEach(d => d.open = {state})")
            assert visit.page.evaluate("document.documentElement.scrollWidth") <= 360
        assert visit.page.evaluate(UNREACHABLE_SCROLL) == []


@pytest.mark.parametrize("name", PAGES)
def test_keys_reach_everything_that_does_something(name: str, pages: dict[str, Path], opened: Any) -> None:
    with Visit(opened, pages[name]) as visit:
        wanted = visit.page.evaluate(REACHABLE)
        visit.page.evaluate("window.reached = new Map()")
        for _ in range(wanted + 2):
            visit.page.keyboard.press("Tab")
            visit.page.evaluate(
                "at = document.activeElement, window.reached.set(at, getComputedStyle(at).outlineStyle)"
            )
        outlines = visit.page.evaluate("window.reached.delete(document.body), [...window.reached.values()]")
        assert len(outlines) >= wanted
        assert "none" not in outlines or name == "plots"  # points get a stroke instead


def test_a_key_opens_the_numbers_behind_a_plot(pages: dict[str, Path], opened: Any) -> None:
    with Visit(opened, pages["items"]) as visit:
        assert not visit.page.locator("figure.plot table").first.is_visible()
        visit.page.evaluate(
            "document.querySelectorAll('details:has(figure.plot)').forEach(d => d.open = true)"
        )
        visit.page.locator("figure.plot summary").first.focus()
        visit.page.keyboard.press("Enter")
        assert visit.page.locator("figure.plot table").first.is_visible()


@pytest.mark.parametrize("name", ["items", "texts", "events"])
def test_the_promise_stands_on_the_first_screen(name: str, pages: dict[str, Path], opened: Any) -> None:
    with Visit(opened, pages[name]) as visit:
        for heading in (
            "What is promised",
            "Whether it holds",
            "Against which attacker",
            "What is not promised",
        ):
            box = visit.page.get_by_role("heading", name=heading).bounding_box()
            assert box["y"] + box["height"] < 800, heading


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_white_and_nothing_is_cut_off(scheme: str, pages: dict[str, Path], opened: Any) -> None:
    with Visit(opened, pages["texts"], width=720, scheme=scheme) as visit:
        visit.page.emulate_media(media="print")
        assert visit.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert visit.page.evaluate(LOW_CONTRAST) == []
        assert visit.page.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.parametrize("name", PAGES)
def test_headings_descend_step_by_step(name: str, pages: dict[str, Path], opened: Any) -> None:
    with Visit(opened, pages[name]) as visit:
        levels = visit.page.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(h => +h.tagName[1])")
        assert all(after - before <= 1 for before, after in pairwise(levels))
        assert visit.page.evaluate("document.documentElement.lang") == "en"
        assert visit.page.evaluate("[...document.querySelectorAll('th')].every(h => h.scope)")


def test_the_checks_see_what_they_are_for(tmp_path: Path, opened: Any) -> None:
    page = tmp_path / "bad.html"
    page.write_text(
        '<body style="color: #999; background: #fff">faint<p style="overflow-x: auto">'
        '<b style="display: block; width: 900px">wide</b></p>'
        '<div style="width: 700px">x</div><svg role="img"></svg>'
        '<a href="#" style="display: none">gone</a><script>console.error("loud")</script>'
        '<img src="http://127.0.0.1:9/x.png"></body>'
    )
    with Visit(opened, page, width=360) as visit:
        assert visit.page.evaluate(LOW_CONTRAST) != []
        assert visit.page.evaluate(NAMELESS) == 1
        assert visit.page.evaluate(UNREACHABLE_SCROLL) == ["P."]
        assert visit.page.evaluate("document.documentElement.scrollWidth") > 360
        assert "loud" in visit.said
        assert "http://127.0.0.1:9/x.png" in visit.asked
        assert visit.page.evaluate(REACHABLE) == 0


def test_statements_are_coloured_by_person_and_sensitivity(pages: dict[str, Path], opened: Any) -> None:
    with Visit(opened, pages["analysis"]) as visit:
        looks = visit.page.evaluate(
            """() => [...document.querySelectorAll('.text .a')].map(e => {
              const s = getComputedStyle(e); return [s.backgroundColor, s.borderImageSource]; })"""
        )
    assert len(looks) >= 2
    assert len({line for _, line in looks}) >= 2  # other persons, other lines
    assert all(back != "rgba(0, 0, 0, 0)" for back, _ in looks)
