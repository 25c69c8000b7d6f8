"""The page of a comparison in a real browser: a point is picked, nothing is asked for, all can be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmarks.generators.blog_like import blog_like
from benchmarks.track.blogs import PLAN

import heteronym as hn
from tests.browser import LOW_CONTRAST, NAMELESS, REACHABLE, UNREACHABLE_SCROLL, Visit, browser

# runs whose point in the first plot no other point hides
ON_TOP = """() => { const plot = document.querySelector('figure.plot svg[role="group"]');
  plot.scrollIntoView();
  return [...plot.querySelectorAll('a')].filter(a => { const box = a.getBoundingClientRect();
    const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return seen && seen.closest('a') === a; }).map(a => a.getAttribute('href').slice(5)); }"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("grid") / "comparison"
    grid: dict[str, Any] = {"k": "2,4,8", "relational_weight": "0:1:0.25", "method": "mondrian,gdf"}
    hn.compare(blog_like(80, 5), PLAN, output=folder, processes=1, **grid)
    return folder / "comparison.html"


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    with browser() as opened:
        yield opened


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1100])
def test_the_page_can_be_read_and_asks_for_nothing(page: Path, chrome: Any, width: int, scheme: str) -> None:
    with Visit(chrome, page, width=width, scheme=scheme) as visit:
        assert visit.said == []
        assert visit.asked == [page.as_uri()]
        across = visit.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert across <= 0
        assert visit.page.evaluate(LOW_CONTRAST) == []
        assert visit.page.evaluate(UNREACHABLE_SCROLL) == []
        assert visit.page.evaluate(NAMELESS) == 0
        assert visit.page.evaluate(REACHABLE) > 20
    assert page.stat().st_size < 1_500_000


def test_a_point_that_is_picked_shows_its_settings(page: Path, chrome: Any) -> None:
    with Visit(chrome, page) as visit:
        shown = visit.page.locator("#picked")
        first = shown.inner_text()
        assert first.startswith("Run ")  # the recommended one
        run = next(run for run in visit.page.evaluate(ON_TOP) if not first.startswith(f"Run {run}\n"))
        visit.page.locator(f'svg a[href="#run-{run}"]').first.click(force=True)
        told = shown.inner_text()
        assert told.startswith(f"Run {run}")
        assert f"--pick {run}" in told
        row = visit.page.locator(f"#run-{run} td").first.inner_text()
        assert row in told  # its settings
        assert "chosen" in (visit.page.locator(f"#run-{run}").get_attribute("class") or "")
        assert visit.said == []


def test_a_point_is_picked_with_the_keyboard(page: Path, chrome: Any) -> None:
    with Visit(chrome, page) as visit:
        link = visit.page.locator('svg a[href="#run-7"]').first
        link.focus()
        visit.page.keyboard.press("Enter")
        assert visit.page.locator("#picked").inner_text().startswith("Run 7")


def test_without_its_script_a_point_leads_to_its_row(page: Path, chrome: Any) -> None:
    context = chrome.new_context(java_script_enabled=False)
    try:
        sheet = context.new_page()
        sheet.goto(page.as_uri())
        sheet.locator('svg a[href="#run-7"]').first.focus()
        sheet.keyboard.press("Enter")
        assert sheet.url.endswith("#run-7")
        assert sheet.locator("tr#run-7").count() == 1
    finally:
        context.close()
