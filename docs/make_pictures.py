"""Pictures of the pages for README and docs, taken by Debian's chromium.

    python docs/make_pictures.py

Makes the release of the bundled example `clinic` and a comparison of settings on it, opens both pages, walks
through the pages of `heteronym serve`, and writes docs/pictures/*.webp, light and dark.
 Needs the extra `test` (playwright) and /usr/bin/chromium.
"""

from __future__ import annotations

import base64
import re
import signal
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import heteronym as hn

PICTURES = Path(__file__).parent / "pictures"
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
WIDTH, HEIGHT = 1000, 900
GRID = {"k": "2,3,5,8,12", "relational_weight": "0:1:0.25"}
# the browser itself makes a small picture of a large one
SMALLER = """async picture => { const image = new Image(); image.src = 'data:image/png;base64,' + picture;
  await image.decode(); const canvas = document.createElement('canvas');
  canvas.width = image.width; canvas.height = image.height; canvas.getContext('2d').drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', 0.8).split(',')[1]; }"""


def main() -> None:
    from playwright.sync_api import sync_playwright

    example = Path(str(files("heteronym") / "examples" / "clinic"))
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as play:
        folder = Path(name)
        data, plan = example / "visits.csv", example / "plan.yaml"
        hn.anonymize(data, plan, output=folder / "release")
        hn.compare(data, plan, output=folder / "grid", processes=1, **GRID)
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto((folder / "release" / "report.html").as_uri())
        take(browser, page, "report")
        page.emulate_media(color_scheme="dark")
        page.evaluate("document.getElementById('spread').scrollIntoView()")
        take(browser, page, "report-dark")
        page.emulate_media(color_scheme="light")
        page.goto((folder / "grid" / "comparison.html").as_uri())
        page.evaluate("document.getElementById('s1').scrollIntoView()")
        take(browser, page, "compare")
        walk(browser, folder)
        browser.close()


def walk(browser: Any, folder: Path) -> None:
    """The pages of `heteronym serve`, from the bundled clinic to its release."""
    call = [sys.executable, "-m", "heteronym", "serve", "--no-browser", "--port", "0"]
    server = subprocess.Popen(call, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    address = server.stdout.readline().split()[-1]
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    page.set_default_timeout(300_000)
    try:
        page.goto(address)
        page.wait_for_url(lambda url: "/start" not in url)
        click = lambda name, role="button": page.get_by_role(role, name=name, exact=True).first.click()  # noqa: E731
        click("Use the bundled clinic")
        page.get_by_role("link", name="Next: columns").wait_for()
        both(browser, page, "web-data")
        click("Next: columns", "link")
        both(browser, page, "web-columns")
        click("Save and go on")
        click("Next: promise", "link")
        both(browser, page, "web-promise")
        click("Save and go on: run")
        click("Start")
        page.get_by_role("link", name="See the release").wait_for()
        both(browser, page, "web-run")
        page.goto(address.split("/start")[0] + "/words")
        page.fill("[name=letters]", "oslo")
        page.wait_for_function("() => /oslo/i.test(document.querySelector('[data-spelling]').textContent)")
        page.locator("[data-effect] table").wait_for()
        page.wait_for_timeout(1500)
        both(browser, page, "web-words")
        page.goto(address.split("/start")[0] + "/release")
        both(browser, page, "web-release")
        page.goto(address.split("/start")[0] + "/release")
        page.get_by_label(re.compile("^Why does row 1 ")).click()
        page.wait_for_url("**/row/1")
        both(browser, page, "web-row")
        page.goto(address.split("/start")[0] + "/plan")
        both(browser, page, "web-plan")
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)


def both(browser: Any, page: Any, name: str) -> None:
    """Light and dark."""
    page.wait_for_load_state("networkidle") if name != "web-run" else page.wait_for_load_state()
    take(browser, page, name)
    page.emulate_media(color_scheme="dark")
    take(browser, page, f"{name}-dark")
    page.emulate_media(color_scheme="light")


def take(browser: Any, page: Any, name: str) -> None:
    """What the page shows now; the blank page that makes it small has no rules against images."""
    blank = browser.new_page()
    small = blank.evaluate(SMALLER, base64.b64encode(page.screenshot()).decode())
    blank.close()
    path = PICTURES / f"{name}.webp"
    path.write_bytes(base64.b64decode(small))
    print(f"written: pictures/{path.name}, {path.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
