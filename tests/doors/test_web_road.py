"""From a file to a downloaded, verified release in a real browser."""

from __future__ import annotations

import signal
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from tests.browser import LOW_CONTRAST, NAMELESS, UNREACHABLE_SCROLL, browser, serious_faults
from tests.doors.web_server import Server

PATIENCE = 240_000  # milliseconds until a page that does not come counts as lost
UNNAMED = """() => [...document.querySelectorAll('input, select, textarea')]
  .filter(e => !e.labels.length && !e.ariaLabel).length"""
SELECTED = """() => { const area = document.querySelector('textarea');
  return area.value.slice(area.selectionStart, area.selectionEnd); }"""
STEPS = ("data", "columns", "words", "promise", "plan", "run", "release")


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with browser() as one:
        yield one


class Person:
    """Somebody with a browser: every click counts, and whatever the page says or asks for is kept."""

    def __init__(self, opened: Any, server: Server, **how: Any) -> None:
        self.server = server
        self.page = opened.new_context(accept_downloads=True, **how).new_page()
        self.page.set_default_timeout(PATIENCE)
        self.clicks = 0
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(server.address)
        self.page.wait_for_url(lambda url: "/start" not in url)

    def click(self, name: str, role: str = "button") -> None:
        self.clicks += 1
        self.page.get_by_role(role, name=name, exact=False).first.click()

    def was_quiet(self) -> bool:
        assert self.said == []
        assert [url for url in self.asked if not url.startswith(self.server.base)] == []
        return True

    def close(self) -> None:
        self.page.context.close()


@pytest.fixture(scope="module")
def clinic(opened: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Somebody who took the bundled clinic to a release, by clicks alone."""
    with Server(tmp_path_factory.mktemp("clinic")) as server:
        person = Person(opened, server)
        person.click("Use the bundled clinic")
        person.click("Next: columns", "link")
        person.click("Save and go on")
        person.click("Next: promise", "link")
        person.click("Save and go on: run")
        person.click("Start")
        person.click("See the release", "link")
        person.page.wait_for_url("**/release/*")
        yield person
        person.close()


def test_a_newcomer_needs_at_most_eight_clicks_to_a_verified_release(clinic: Person, tmp_path: Path) -> None:
    assert "The promise holds on the written files" in clinic.page.inner_text("main")
    with clinic.page.expect_download() as download:
        clinic.click("Download the table", "link")
    assert clinic.clicks <= 8
    target = tmp_path / "data.csv"
    download.value.save_as(target)
    project = clinic.server.folder / "heteronym-project"
    (run,) = [path for path in (project / "runs").iterdir() if (path / "release").exists()]
    assert target.read_bytes() == (run / "release" / "data.csv").read_bytes()
    source = project / "uploads" / "clinic" / "visits.csv"
    assert hn.verify(run / "release", against=source, private=run / "owner").holds
    assert clinic.was_quiet()


def test_the_row_before_is_the_row_that_the_released_one_was_made_from(clinic: Person) -> None:
    clinic.page.goto(f"{clinic.server.base}/release")
    project = clinic.server.folder / "heteronym-project"
    (rows,) = (project / "runs").glob("*/owner/rows.csv")
    source = pl.read_csv(project / "uploads" / "clinic" / "visits.csv", infer_schema=False)
    numbers = pl.read_csv(rows)["source_row"].to_list()
    before = clinic.page.locator("tr.old")
    assert before.count() == 12
    for number in (0, 5, 11):
        note = source.row(numbers[number] - 1, named=True)["note"]
        assert before.nth(number).locator("td").last.inner_text() == note


def test_a_row_tells_why_it_looks_as_it_does(clinic: Person) -> None:
    clinic.page.goto(f"{clinic.server.base}/release")
    clinic.page.get_by_label("Why does row 1 look like this?").click()
    clinic.page.wait_for_url("**/row/1")
    told = clinic.page.inner_text("main")
    assert "members of the group" in told
    assert serious_faults(clinic.page) == []
    clinic.page.goto(f"{clinic.server.base}/release/999/row/1")
    assert "There is no such release." in clinic.page.inner_text("main")
    assert clinic.was_quiet()


def test_verify_again_audits_the_files_as_they_lie_there(clinic: Person) -> None:
    clinic.page.goto(f"{clinic.server.base}/release")
    clinic.click("Verify again")
    clinic.page.wait_for_selector("text=The promise holds.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
def test_pages_are_readable_in_light_and_dark_and_on_a_phone(clinic: Person, width: int, scheme: str) -> None:
    clinic.page.emulate_media(color_scheme=scheme)
    clinic.page.set_viewport_size({"width": width, "height": 800})
    for name in STEPS:
        clinic.page.goto(f"{clinic.server.base}/{name}")
        assert clinic.page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert clinic.page.evaluate(LOW_CONTRAST) == [], name
        assert clinic.page.evaluate(UNREACHABLE_SCROLL) == [], name
        assert clinic.page.evaluate(NAMELESS) == 0, name
        assert clinic.page.evaluate(UNNAMED) == 0, name
        assert serious_faults(clinic.page) == [], name
    assert clinic.was_quiet()


def test_the_report_opens_without_code_and_without_complaint(clinic: Person) -> None:
    clinic.page.goto(f"{clinic.server.base}/release")
    with clinic.page.context.expect_page() as opening:
        clinic.page.get_by_role("link", name="Open the report").click()
    report = opening.value
    report.wait_for_load_state()
    assert report.locator("h1").count() == 1
    report.close()


def test_an_error_in_the_plan_is_shown_at_its_line_and_not_saved(clinic: Person) -> None:
    page = clinic.page
    page.goto(f"{clinic.server.base}/plan")
    text = page.input_value("textarea")
    broken = text.replace("role: quasi", "role: quasy", 1)
    line = broken[: broken.index("quasy")].count("\n") + 1
    page.fill("textarea", broken)
    clinic.click("Check and save")
    page.wait_for_selector(f"text=Line {line}:")
    assert "quasy" in page.evaluate(SELECTED)
    page.reload()
    assert page.input_value("textarea") == text


def test_what_was_chosen_for_columns_is_in_the_plan_with_its_comments(clinic: Person) -> None:
    page = clinic.page
    page.goto(f"{clinic.server.base}/columns")
    page.select_option("[aria-label='Role of sex']", "plain")
    clinic.click("Save and go on")
    page.wait_for_url("**/words")
    plan = clinic.server.folder / "heteronym-project" / "plan.yaml"
    assert hn.read_plan(plan).attributes["sex"].role == "plain"
    assert "# Invented patients" in plan.read_text()
    page.goto(f"{clinic.server.base}/columns")
    assert "Released as it is" in page.inner_text("tr.warned:has(code:text('sex'))")
    page.select_option("[aria-label='Role of sex']", "quasi")
    clinic.click("Save and go on")
    page.wait_for_url("**/words")


def visits(folder: Path, rows: int = 60) -> Path:
    path = folder / "people <b>.csv"
    ages, jobs = [20 + n % 30 for n in range(rows)], ["cook", "nurse", "<img src=x onerror=alert(1)>"]
    frame = pl.DataFrame({"age": ages, "<script>alert(1)</script>": [jobs[n % 3] for n in range(rows)]})
    frame.write_csv(path)
    return path


def test_an_uploaded_file_with_scripts_in_it_becomes_a_release(opened: Any, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        person = Person(opened, server)
        person.page.set_input_files("input[type=file]", visits(tmp_path))
        person.click("Next: columns", "link")
        person.page.select_option("[aria-label='Role of age']", "quasi")
        person.click("Save and go on")
        person.page.get_by_label("A trusted partner").check()
        person.click("Save and go on: run")
        person.click("Start")
        person.click("See the release", "link")
        person.page.wait_for_selector("text=The promise holds on the written files")
        assert "smallest group" in person.page.inner_text("main")
        assert person.was_quiet()
        person.close()


def test_a_killed_server_goes_on_where_it_was(opened: Any, tmp_path: Path) -> None:
    visits(tmp_path)
    with Server(tmp_path) as server:
        person = Person(opened, server)
        person.page.fill("textarea[name=paths]", "people <b>.csv")
        person.click("Look at them")
        person.page.wait_for_selector("text=Next: columns")
        server.end(signal.SIGKILL)
        person.close()
    with Server(tmp_path) as again:
        person = Person(opened, again)
        assert person.page.url.endswith("/columns")
        assert person.page.locator("table.columns tbody tr").count() == 2
        person.close()


def test_a_server_killed_during_a_run_leaves_a_whole_release_or_none(opened: Any, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        person = Person(opened, server)
        person.click("Use the bundled clinic")
        person.page.wait_for_selector("text=Next: columns")
        person.page.goto(f"{server.base}/run")
        person.click("Start")
        person.page.wait_for_selector(".progress")
        server.end(signal.SIGKILL)
        person.close()
    with Server(tmp_path) as again:
        person = Person(opened, again)
        person.page.goto(f"{again.base}/run")
        person.page.wait_for_selector("text=See the release")
        project = tmp_path / "heteronym-project"
        [release] = (project / "runs").glob("*/release")
        source = project / "uploads" / "clinic" / "visits.csv"
        assert hn.verify(release, against=source, private=release.parent / "owner").holds
        person.close()


def test_a_client_that_sends_slowly_keeps_nobody_waiting(tmp_path: Path) -> None:
    with Server(tmp_path) as server, socket.create_connection(("127.0.0.1", port_of(server))) as slow:
        slow.sendall(b"POST /do/upload HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: 1000000\r\n")
        for _ in range(3):
            slow.sendall(b"X-A: b\r\n")
            with pytest.raises(urllib.error.HTTPError, match="401"):
                urllib.request.urlopen(f"{server.base}/data", timeout=60)


def port_of(server: Server) -> int:
    return int(server.base.rsplit(":", 1)[1])


def test_a_cancelled_run_releases_nothing(opened: Any, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        person = Person(opened, server)
        person.click("Use the bundled clinic")
        person.page.wait_for_selector("text=Next: columns")
        person.page.goto(f"{server.base}/run")
        person.click("Start")
        person.page.wait_for_selector(".progress")
        person.click("Cancel")
        person.page.wait_for_selector("text=cancelled")
        assert list((tmp_path / "heteronym-project" / "runs").glob("*/release")) == []
        assert person.page.get_by_role("button", name="Run again").is_enabled()
        person.close()


def test_the_server_says_nothing_of_what_it_was_asked(opened: Any, tmp_path: Path) -> None:
    server = Server(tmp_path)
    person = Person(opened, server)
    for path in ("/nothing-of-Zebedee", "/release/999", "/release/999/report", "/jobs/999/events"):
        person.page.goto(server.base + path, wait_until="commit")
    person.close()
    out, err = server.end()
    assert "Zebedee" not in out + err
    assert server.process.returncode == 0
    assert not (tmp_path / "heteronym-project" / "open.html").exists()
