"""The review of words in a real browser: keys, undo, missed words, a second reviewer, and a slow server."""

from __future__ import annotations

import json
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.io.decisions import Decisions, read_decisions
from heteronym.web.jobs import look_after
from heteronym.web.project import Project
from heteronym.web.scans import scan_if_needed, scan_of
from heteronym.web.server import Settings, prepare
from tests.browser import browser, serious_faults
from tests.doors.test_web_road import Person
from tests.doors.web_server import Server, SlowServer

PATIENCE = 240_000
PLAN = """
data: {person: id}
attributes:
  id: {role: identifier}
  age: {role: quasi, scale: numeric}
  note: {role: text}
text: {model: none, words: {GPE: towns.txt}, entities: [GPE, LOC, PERSON]}
privacy: [{model: k-anonymity, k: 3}]
"""
WAITING = "() => document.getElementById('review').dataset.waiting === '0'"
READY = "() => document.querySelector('[data-spelling]')?.textContent"
# a steward who types faster than the server answers: so many keys, 50 ms apart, in the page's own time
TYPED = """async keys => { for (const key of keys) {
  document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  await new Promise(go => setTimeout(go, 50)); } }"""


def towns(count: int) -> list[str]:
    """Made-up words that no list knows, each different: Kobamu, Kobane, ..."""
    syllables = ["ko", "ba", "mu", "ne", "ri", "so", "ti", "vu", "xa", "zo"]
    return [
        (syllables[n // 100 % 10] + syllables[n // 10 % 10] + syllables[n % 10] + "qu").capitalize()
        for n in range(count)
    ]


def notes(count: int) -> list[str]:
    return [f"Moved to {town} with a dog. Likes Copper Kettle. Sleeps well." for town in towns(count)]


def project_of(folder: Path, texts: list[str], words: list[str] | None = None) -> Project:
    """A project whose words were found."""
    (folder / "towns.txt").write_text("\n".join(words or towns(len(texts))))
    (folder / "plan.yaml").write_text(PLAN)
    frame = pl.DataFrame(
        {"id": range(len(texts)), "age": [20 + n % 5 for n in range(len(texts))], "note": texts}
    )
    frame.write_csv(folder / "data.csv")
    project = Project.open(folder / "project")
    prepare(project, Settings(project.folder, (str(folder / "data.csv"),), folder / "plan.yaml"))
    wait(lambda: project.get("profile") is not None)
    scan_if_needed(project)
    found = scan_of(project)
    assert found is not None
    wait(lambda: look_after(project, found.id).state == "done")
    return project


def wait(until: Callable[[], Any]) -> None:
    for _ in range(PATIENCE // 50):
        if until():
            return
        time.sleep(0.05)
    raise AssertionError("it never came to pass")


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with browser() as one:
        yield one


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the words of 420 texts found; copied by the tests that change it."""
    folder = tmp_path_factory.mktemp("words")
    project_of(folder, notes(420))
    return folder


@pytest.fixture
def project(made: Path) -> Iterator[Project]:
    """The same project, as if nothing had been decided."""
    one = Project(made / "project")
    yield one
    one.decisions_path.unlink(missing_ok=True)
    one.put("agreement", None)
    one.put("reviewer", "")


@pytest.fixture
def reviewer(opened: Any, project: Project) -> Iterator[Person]:
    with SlowServer(project.folder, seconds=0.0) as server:
        person = at_words(opened, server)
        yield person
        person.close()


def at_words(opened: Any, server: Any, **how: Any) -> Person:
    person = Person(opened, server, **how)
    person.page.set_default_timeout(PATIENCE)
    person.page.goto(f"{server.base}/words")
    person.page.wait_for_function(READY)
    return person


def decided(project: Project) -> list[tuple[str, str]]:
    return [(one.decision, one.term) for one in read_decisions(project.decisions_path)]


def in_order(project: Project, count: int) -> list[str]:
    """The terms of the queue, as the library lists them."""
    [scan] = project.jobs("scan")
    folder = project.run_folder(scan.id)
    run = hn.Run(folder=project.folder)
    given = {"decisions": project.folder / "none.jsonl", "mentions": folder / "mentions.jsonl"}
    review = hn.review(Path(project.data[0]), folder / "plan.yaml", **given, run=run)
    return [one.term for one in review.queue(most=count)]


def test_400_keys_at_20_a_second_against_a_slow_server_are_400_decisions_in_order(
    opened: Any, project: Project
) -> None:
    listed = in_order(project, 400)
    keys = ["mkn"[n % 3] for n in range(400)]
    with SlowServer(project.folder, seconds=0.3) as server:
        person = at_words(opened, server)
        person.page.evaluate(TYPED, keys)
        person.page.wait_for_function(WAITING)
        assert "400 of 420 words decided" in person.page.inner_text("[data-progress]")
        assert person.was_quiet()
        person.close()
    names = {"m": "mask", "k": "keep", "n": "never"}
    assert decided(project) == [(names[key], term) for key, term in zip(keys, listed, strict=True)]


def test_300_terms_are_masked_with_at_most_a_fifth_more_actions(reviewer: Person, project: Project) -> None:
    actions = 0
    for _ in range(300):
        reviewer.page.keyboard.press("m")
        actions += 1
    reviewer.page.wait_for_function(WAITING)
    masked = [term for decision, term in decided(project) if decision == "mask"]
    assert len(set(masked)) == 300
    assert actions <= 1.2 * 300


def test_no_decision_is_lost_while_the_server_does_not_answer(reviewer: Person, project: Project) -> None:
    page = reviewer.page
    page.route("**/do/words", lambda route: route.abort())
    for key in "mmmmkkkk":
        page.keyboard.press(key)
    page.wait_for_selector("text=The server does not answer; 8 decisions wait here")
    assert decided(project) == []
    page.unroute("**/do/words")
    for key in "nnnn":
        page.keyboard.press(key)
    page.wait_for_function(WAITING)
    assert [decision for decision, _ in decided(project)] == ["mask"] * 4 + ["keep"] * 4 + ["never"] * 4


def test_an_answer_that_is_lost_on_its_way_doubles_no_decision(reviewer: Person, project: Project) -> None:
    page, lost = reviewer.page, []

    def lose(route: Any) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch())  # the server has it, the page never hears of it
            route.abort()

    page.route("**/do/words", lose)
    for key in "mkn":
        page.keyboard.press(key)
    page.wait_for_function(WAITING)
    assert [decision for decision, _ in decided(project)] == ["mask", "keep", "never"]


def test_a_review_by_keys_alone(reviewer: Person, project: Project) -> None:
    page, listed = reviewer.page, in_order(project, 8)
    press = page.keyboard.press

    press("Enter")
    press("m")
    press("t")  # asks for a type
    page.keyboard.type("LOC")
    press("Enter")
    press("t")  # the type sticks
    press("ArrowDown")
    press("ArrowUp")
    press("s")
    page.keyboard.type(listed[0])
    press("Enter")
    press("a")
    page.keyboard.type("Copper Kettle")
    press("Enter")
    press("o")
    press("n")
    page.wait_for_function(WAITING)
    lines = read_decisions(project.decisions_path)
    assert [(one.decision, one.term) for one in lines] == [
        ("confirm", listed[0]), ("mask", listed[1]), ("type", listed[2]), ("type", listed[3]),
        ("same", listed[4]), ("add", "copper kettle"), ("never", listed[5]),
    ]  # fmt: skip
    assert [one.type for one in lines if one.decision in ("type", "add")] == ["LOC"] * 3
    assert lines[4].same_as == listed[0]
    assert lines[6].place is not None
    assert reviewer.was_quiet()


# Everything in one turn of the page: no answer of the server, no event of the browser comes in between.
AT_ONCE = """keys => {
  const press = key => new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true});
  for (const key of keys) document.activeElement.dispatchEvent(press(key)); }"""


def test_keys_mean_what_they_mean_however_fast_they_come(opened: Any, project: Project) -> None:
    """Before the words have come, into questions that are not asked yet, and past what was loaded."""
    listed = in_order(project, 420)
    many = sum("koba" in term for term in listed)
    with SlowServer(project.folder, seconds=0.3) as server:
        person = at_words(opened, server)
        page = person.page
        page.evaluate(AT_ONCE, [*"m" * 150, "t", *"loc", "Enter", "t", "s", *listed[0], "Enter", "u", "k"])
        page.wait_for_function(WAITING)
        page.fill("[name=letters]", "koba")
        page.wait_for_function("() => /koba/i.test(document.querySelector('[data-spelling]').textContent)")
        page.keyboard.press("Escape")
        page.evaluate(AT_ONCE, ["b", "n", "Enter", "u", "n", "m"])
        page.wait_for_function(
            f"() => document.getElementById('review').dataset.held === '0' && {WAITING[6:]}"
        )
        assert person.was_quiet()
        person.close()
    lines = read_decisions(project.decisions_path)
    first = [("mask", term) for term in listed[:150]] + [("type", term) for term in listed[150:152]]
    first += [("same", listed[152]), ("none", listed[152]), ("keep", listed[152])]
    assert [(one.decision, one.term) for one in lines[: len(first)]] == first
    assert {one.type for one in lines[150:152]} == {"LOC"}
    bulk = lines[len(first) :]
    fresh = [term for term in listed[153:] if "koba" in term]
    assert 0 < len(fresh) <= many
    assert [(one.decision, bool(one.undoes)) for one in bulk[: len(fresh)]] == [("never", False)] * len(fresh)
    assert all(one.undoes for one in bulk[len(fresh) : 2 * len(fresh)])
    assert [(one.decision, one.term) for one in bulk[2 * len(fresh) :]] == [
        ("never", fresh[0]), ("mask", fresh[1]),
    ]  # fmt: skip


def test_a_decision_that_is_refused_is_open_again_and_undo_spares_the_others(
    reviewer: Person, project: Project
) -> None:
    page, listed = reviewer.page, in_order(project, 3)
    page.route("**/do/words", lambda route: route.abort())  # undo comes before the refusal is known
    for key in ["m", "s", *"nosuch", "Enter", "u"]:
        page.keyboard.press(key)
    page.unroute("**/do/words")
    page.wait_for_function(WAITING)
    page.wait_for_selector("text=there is no such term")
    assert decided(project) == [("mask", listed[0])]
    assert page.inner_text("[data-spelling]").lower() == listed[1]
    assert page.inner_text("[data-said]") == ""


def test_whoever_looks_on_sees_the_queue_and_decides_nothing(opened: Any, project: Project) -> None:
    listed = in_order(project, 2)
    with SlowServer(project.folder, seconds=0, look="look-" + "x" * 32) as server:
        person = at_words(opened, server)
        page = person.page
        for key in ["m", "k", "ArrowDown", "n"]:
            page.keyboard.press(key)
        page.wait_for_function(
            f"() => document.querySelector('[data-spelling]').textContent.toLowerCase() === '{listed[1]}'"
        )
        assert page.inner_text("[role=note]").startswith("You look on")
        assert person.was_quiet()
        person.close()
    assert decided(project) == []


def test_undo_takes_back_step_by_step_also_after_the_page_was_left(
    reviewer: Person, project: Project
) -> None:
    page, listed = reviewer.page, in_order(project, 3)
    for key in "mkn":
        page.keyboard.press(key)
    page.keyboard.press("u")
    page.wait_for_function(WAITING)
    assert page.inner_text("[data-spelling]").lower() == listed[2]
    page.reload()
    page.wait_for_function(READY)
    page.keyboard.press("u")
    page.wait_for_selector("text=Taken back.")
    assert list(Decisions(read_decisions(project.decisions_path)).of_term) == [listed[0]]
    assert page.inner_text("[data-spelling]").lower() == listed[1]


def test_a_missed_mention_is_added_by_selecting_its_words(reviewer: Person, project: Project) -> None:
    page = reviewer.page
    page.locator("[data-contexts] [data-text]").first.evaluate(
        """place => { const range = document.createRange();
        const node = [...place.childNodes].find(n => n.textContent.includes('Copper'));
        const at = node.textContent.indexOf('Copper Kettle');
        range.setStart(node, at); range.setEnd(node, at + 13);
        getSelection().removeAllRanges(); getSelection().addRange(range); }"""
    )
    page.keyboard.press("a")
    assert page.input_value("dialog [name=words]") == "Copper Kettle"
    page.select_option("dialog [name=kind]", "LOC")
    page.get_by_role("button", name="Do it").click()
    page.wait_for_selector("text=Added: 420 places of “Copper Kettle” follow.")
    [line] = read_decisions(project.decisions_path)
    assert (line.decision, line.term, line.type) == ("add", "copper kettle", "LOC")


def test_all_in_view_are_decided_at_once(reviewer: Person, project: Project) -> None:
    page = reviewer.page
    page.fill("[name=letters]", "koba")
    page.wait_for_function("() => /koba/i.test(document.querySelector('[data-spelling]').textContent)")
    many = sum("koba" in town.lower() for town in towns(420))
    assert many > 10
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    page.wait_for_selector(f"text=All {many} words in view")
    page.get_by_role("button", name="Do it").click()
    page.wait_for_selector(f"text=Decided about {many} words")
    assert len([1 for decision, _ in decided(project) if decision == "mask"]) == many
    page.keyboard.press("u")
    page.wait_for_selector("text=Taken back.")
    assert not Decisions(read_decisions(project.decisions_path)).of_term


def test_sentences_without_marks_are_checked_and_the_share_is_told(reviewer: Person) -> None:
    page = reviewer.page
    page.get_by_role("button", name="Draw sentences").click()
    page.locator("[data-sentences] li").nth(9).wait_for()
    for _ in range(3):
        page.get_by_role("button", name="Nothing missed").first.click()
    page.wait_for_selector("text=0 of 3 sentences had something missed: 0.0 %, between 0.0 and")


def test_two_reviewers_are_merged_and_settle_in_the_same_queue(reviewer: Person, project: Project) -> None:
    page, listed = reviewer.page, in_order(project, 4)
    for key in "mmk":
        page.keyboard.press(key)
    page.wait_for_function(WAITING)
    second = project.folder / "of-the-second.jsonl"
    said = zip(("mask", "keep", "keep", "never"), listed, strict=True)
    second.write_text(
        "".join(json.dumps({"decision": d, "term": t, "who": "second"}) + "\n" for d, t in said)
    )
    page.reload()
    page.get_by_text("A second reviewer", exact=True).click()
    page.set_input_files("input[name=decisions]", second)
    page.wait_for_selector("text=Both decided 3, agreed in 2 and differ in 1")
    assert re.search(r"kappa 0\.\d\d", page.inner_text("details"))
    page.select_option("[name=state]", "differing")
    page.wait_for_function(
        f"() => document.querySelector('[data-spelling]').textContent.toLowerCase() === '{listed[1]}'"
    )
    assert "second says keep" in page.inner_text("[data-said]")
    page.keyboard.press("m")
    page.wait_for_selector("text=Nothing more in view.")
    page.wait_for_function(WAITING)
    second.unlink()
    held = Decisions(read_decisions(project.decisions_path))
    assert {held.of_term[term].decision for term in listed[:2]} == {"mask"}
    assert held.of_term[listed[3]].who == "second"
    assert not [one for one in held.all if one.decision == "open"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
def test_the_review_can_be_read_everywhere(opened: Any, project: Project, width: int, scheme: str) -> None:
    with SlowServer(project.folder, seconds=0.0) as server:
        person = at_words(opened, server, color_scheme=scheme, viewport={"width": width, "height": 800})
        person.page.get_by_role("button", name="Draw sentences").click()
        person.page.locator("[data-sentences] li").first.wait_for()
        person.page.get_by_text("A second reviewer", exact=True).click()
        assert person.page.evaluate("document.documentElement.scrollWidth") <= width
        assert serious_faults(person.page) == []
        person.page.keyboard.press("a")
        assert serious_faults(person.page) == []
        assert person.was_quiet()
        person.close()


def test_scripts_in_texts_and_words_are_shown_as_they_stand(opened: Any, tmp_path: Path) -> None:
    attack = "<img src=x onerror=alert(1)>"
    texts = [f"Moved to Kokokoqu {attack} with </script><script>alert(2)</script>." for _ in range(6)]
    project = project_of(tmp_path, texts, ["Kokokoqu", "alert"])
    with SlowServer(project.folder, seconds=0.0) as server:
        person = at_words(opened, server)
        assert attack in person.page.inner_text("[data-contexts]")
        person.page.keyboard.press("a")
        person.page.fill("dialog [name=words]", attack)
        person.page.get_by_role("button", name="Do it").click()
        person.page.wait_for_function(WAITING)
        assert person.page.locator("#review img").count() == 0
        assert person.was_quiet()
        person.close()


def test_what_was_decided_outlives_a_killed_server_and_reaches_the_release(
    opened: Any, tmp_path: Path
) -> None:
    same = ["Moved to Kokokoqu. Likes Copper Kettle."] * 6
    project = project_of(tmp_path, same, ["Kokokoqu"])
    with Server(tmp_path, "--project", "project") as server:
        person = at_words(opened, server)
        person.page.keyboard.press("m")
        person.page.wait_for_function(WAITING)
        server.end(signal.SIGKILL)
        person.close()
    with Server(tmp_path, "--project", "project") as server:
        person = Person(opened, server)
        person.page.goto(f"{server.base}/words")
        person.page.wait_for_selector("text=Every word is decided.")
        assert "1 of 1 word decided" in person.page.inner_text("[data-progress]")
        person.click("Next: promise", "link")
        person.click("Save and go on: run")
        person.click("Start")
        person.click("See the release", "link")
        person.page.wait_for_selector("text=The promise holds on the written files")
        person.close()
    [run] = project.jobs("run")
    released = pl.read_csv(project.run_folder(run.id) / "release" / "data.csv")
    assert set(released["note"]) == {"Moved to [GPE]. Likes Copper Kettle."}


def test_the_effect_of_a_decision_is_told_after_a_run(opened: Any, tmp_path: Path) -> None:
    texts = ["Moved to Kokokoqu."] * 3 + ["Moved to Kokobaqu."] * 3
    project = project_of(tmp_path, texts)
    with Server(tmp_path, "--project", "project") as server:
        person = at_words(opened, server)
        person.page.goto(f"{server.base}/run")
        person.click("Start")
        person.page.wait_for_selector("text=See the release")
        person.page.goto(f"{server.base}/words")
        person.page.wait_for_selector("[data-effect] table")
        assert "3 persons in 1 group hold it" in person.page.inner_text("[data-effect]")
        rows = person.page.locator("[data-effect] tbody tr").all_inner_texts()
        assert [row.split("\t")[0] for row in rows][:1] == ["As it is now"]
        person.close()
    [run] = project.jobs("run")
    facts = run.result["facts"]
    assert rows[0].split("\t")[2] == f"{facts['measures']['ncp']['total']:.3f}"
