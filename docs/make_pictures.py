"""Pictures of the pages for README and docs, taken by Debian's chromium.

    python docs/make_pictures.py

Makes the release of the bundled example `clinic`, opens its report and writes docs/pictures/*.png. Needs the
extra `test` (playwright) and /usr/bin/chromium.
"""

from __future__ import annotations

import tempfile
from importlib.resources import files
from pathlib import Path

import heteronym as hn

DOCS = Path(__file__).parent
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
WIDTH, HEIGHT = 1000, 860


def main() -> None:
    from playwright.sync_api import sync_playwright

    example = Path(str(files("heteronym") / "examples" / "clinic"))
    (DOCS / "pictures").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as play:
        hn.anonymize(example / "visits.csv", example / "plan.yaml", output=Path(name) / "release")
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto((Path(name) / "release" / "report.html").as_uri())
        page.screenshot(path=DOCS / "pictures" / "report.png")
        page.emulate_media(color_scheme="dark")
        page.evaluate("document.getElementById('spread').scrollIntoView()")
        page.screenshot(path=DOCS / "pictures" / "report-dark.png")
        browser.close()
    for path in sorted((DOCS / "pictures").glob("*.png")):
        print(f"written: pictures/{path.name}, {path.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
