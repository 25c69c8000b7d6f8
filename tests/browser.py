"""Debian's chromium without a window, and what is looked at on a page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()

# Contrast of every text that shows, by WCAG: colour against the first background behind it.
LOW_CONTRAST = """() => {
  const rgb = c => { const m = c.match(/[\\d.]+/g).map(Number);
    return [m[0], m[1], m[2], m.length > 3 ? m[3] : 1]; };
  const linear = x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4;
  const light = c => { const v = c.map(x => linear(x / 255));
    return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.background = 'Canvas';
  const canvas = rgb(getComputedStyle(probe).backgroundColor).slice(0, 3);
  probe.remove();
  const over = (under, c) => under.map((u, i) => u * (1 - c[3]) + c[i] * c[3]);
  const behind = e => { const way = [];
    for (let p = e; p; p = p.parentElement) way.push(rgb(getComputedStyle(p).backgroundColor));
    return way.reverse().reduce(over, canvas); };
  const bad = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) { const node = walk.currentNode, e = node.parentElement;
    if (!node.textContent.trim() || e.closest('title, style, .aloud, .skip')) continue;
    const style = getComputedStyle(e);
    if (!e.checkVisibility()) continue;
    const back = behind(e), front = over(back, rgb(e.closest('svg') ? style.fill : style.color));
    const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && +style.fontWeight >= 700);
    const ratio = (a + .05) / (b + .05);
    if (ratio < (large ? 3 : 4.5)) bad.push(`${e.tagName}.${e.className} ${ratio.toFixed(2)}`);
  }
  return [...new Set(bad)];
}"""

REACHABLE = """() => [...document.querySelectorAll('a[href], summary, [tabindex="0"], button, input, select')]
  .filter(e => e.checkVisibility()).length"""
# outermost places that can be scrolled sideways must take the keyboard's focus
UNREACHABLE_SCROLL = """() => [...document.querySelectorAll('body *')].filter(e => {
  const o = getComputedStyle(e).overflowX;
  return (o === 'auto' || o === 'scroll') && e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0; })
  .map(e => e.tagName + '.' + e.className)"""
NAMELESS = """() => [...document.querySelectorAll('svg[role], [role="region"], nav')]
  .filter(e => !e.getAttribute('aria-label')).length"""


def chromium() -> str:
    found = shutil.which("chromium")
    if found is None:
        pytest.skip("no chromium here; `make test` installs it for root, else: apt-get install chromium")
    return found


AXE = Path(__file__).parent / "data" / "axe" / "axe.min.js"  # Deque Labs, MPL 2.0, of npm's axe-core 4.14.0


def serious_faults(page: Any) -> list[str]:
    """What axe-core calls serious or critical: the rule, and where."""
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    bad = [one for one in found["violations"] if one["impact"] in ("serious", "critical")]
    return [f"{one['id']}: {node['target']}" for one in bad for node in one["nodes"]]


@contextmanager
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is in the extra `test`")
    with sync_api.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            yield opened
        finally:
            opened.close()


class Visit:
    """A page as somebody sees it, with all that it said and asked for."""

    def __init__(self, browser: Any, path: Path, *, width: int = 1100, scheme: str = "light") -> None:
        self.page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(path.as_uri())

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *details: object) -> None:
        self.page.close()
