"""What pages offer between a file and its release: small pictures, a trial, hierarchies, a comparison."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.web.columns import column_choices, small_picture
from heteronym.web.promise import grid_for, is_now, kept_of, meaning_of, picture_of, setting_of, with_setting
from heteronym.web.tables import layouts, person_rows, spreads
from tests.browser import browser, serious_faults
from tests.doors.test_web_road import Person
from tests.doors.web_server import Server

PLAN = """
# what others may know
attributes:
  age: {role: quasi, scale: numeric}
  town: {role: quasi}
privacy: [{model: k-anonymity, k: 3}]
partition: {method: mondrian, relational_weight: 0.3}
"""
WHOLE = (
    "Europe\n  Norway\n    Oslo\n    Bergen\n  France\n    Lyon\n    Nice\n  Austria\n    Graz\n    Linz\n"
)
TOWNS = ("Oslo", "Bergen", "Lyon", "Nice", "Graz", "Linz")


def people(rows: int = 120) -> pl.DataFrame:
    return pl.DataFrame(
        {"age": [20 + n * 7 % 50 for n in range(rows)], "town": [TOWNS[n % 6] for n in range(rows)]}
    )


@pytest.fixture(scope="module")
def opened() -> Iterator[Any]:
    with browser() as one:
        yield one


@pytest.fixture(scope="module")
def steward(opened: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Somebody with a table, its plan, and a run of it."""
    folder = tmp_path_factory.mktemp("choices")
    people().write_csv(folder / "people.csv")
    (folder / "plan.yaml").write_text(PLAN)
    with Server(folder, "people.csv", "-c", "plan.yaml") as server:
        person = Person(opened, server)
        person.page.goto(f"{server.base}/data")
        person.page.wait_for_selector("text=Next: columns")
        person.page.goto(f"{server.base}/run")
        person.click("Start")
        person.page.wait_for_selector("text=See the release")
        yield person
        person.close()


def plan_of(steward: Person) -> str:
    return (steward.server.folder / "heteronym-project" / "plan.yaml").read_text()


# --- in the browser -------------------------------------------------------------------------------


def test_a_point_of_the_comparison_is_picked_and_its_plan_is_run(steward: Person) -> None:
    page = steward.page
    page.goto(f"{steward.server.base}/promise")
    steward.click("Compare settings")
    page.wait_for_selector(".picker")
    [row] = [one for one in page.locator(".points tbody tr").all() if "k = 8" in one.inner_text()]
    number = row.get_attribute("id")
    page.locator(f"svg a[href='#{number}']").click()
    assert row.locator("input").is_checked()
    assert serious_faults(page) == []
    steward.click("Take over this point")
    page.wait_for_selector(f"#{number} >> text=now")
    plan = hn.read_plan(steward.server.folder / "heteronym-project" / "plan.yaml")
    assert plan.privacy[0].parameters["k"] == 8
    assert "# what others may know" in plan_of(steward)
    page.goto(f"{steward.server.base}/run")
    steward.click("Run again")
    page.wait_for_selector("text=Run 4 is done and verified")
    assert page.locator(".settings").inner_text().split() == (
        "Setting Run 4 Run 2 privacy.k-anonymity.k 8 3".split()
    )
    assert steward.was_quiet()


def test_five_rows_show_what_they_would_become(steward: Person) -> None:
    page = steward.page
    page.goto(f"{steward.server.base}/columns")
    assert page.locator(".spread").count() == 2
    steward.click("Save and try it on five rows")
    page.wait_for_selector("table.pairs")
    assert page.locator("tr.old").count() == 5
    assert "Tried on 120 of 120 persons" in page.inner_text("main")
    assert page.locator("tr.new ins").count() > 0
    assert serious_faults(page) == []
    assert steward.was_quiet()


def test_a_hierarchy_is_built_edited_checked_and_kept(steward: Person) -> None:
    page, project = steward.page, steward.server.folder / "heteronym-project"
    page.goto(f"{steward.server.base}/columns")
    page.get_by_role("link", name="Add a hierarchy of town").click()
    page.wait_for_url("**/columns/1/hierarchy")
    steward.click("Build")
    page.wait_for_function("() => document.querySelectorAll('.tree li').length >= 6")
    page.fill("textarea", "Europe\n  Norway\n    Oslo\n    Bergen\n  France\n    Lyon\n")
    page.wait_for_selector("text=3 values, 3 levels")
    steward.click("Check and keep")
    page.wait_for_selector("text=3 of the 6 values are missing in the outline")
    assert "hierarchy" not in plan_of(steward)
    steward.click("Add missing values")
    page.wait_for_selector("text=3 values were put at the end")
    text = page.input_value("textarea")
    assert text.splitlines()[-3:] == ["Graz", "Linz", "Nice"]
    page.fill("textarea", WHOLE)
    page.locator(".tree summary").nth(3).wait_for()
    assert page.locator(".tree summary").all_inner_texts() == ["Europe", "Norway", "France", "Austria"]
    assert serious_faults(page) == []
    steward.click("Check and keep")
    page.wait_for_selector("text=Kept: 6 values in 3 levels.")
    hierarchy = hn.read_plan(project / "plan.yaml").attributes["town"].hierarchy
    assert hierarchy is not None
    assert hn.check_hierarchy(project / hierarchy, against=people(), column="town").usable
    page.reload()
    assert "Austria" in page.input_value("textarea")
    page.fill("textarea", "")
    steward.click("Check and keep")
    page.wait_for_selector("text=The column has no hierarchy now.")
    assert "hierarchy" not in plan_of(steward)
    assert steward.was_quiet()


def test_a_release_is_attacked_and_measured(steward: Person) -> None:
    page = steward.page
    page.goto(f"{steward.server.base}/release")
    steward.click("Attack it")
    page.wait_for_selector("text=No attacker got more than was promised.")
    steward.click("Measure it")
    page.wait_for_selector("text=Open all figures")
    with page.context.expect_page() as opening:
        page.get_by_role("link", name="Open all figures").click()
    opening.value.wait_for_load_state()
    assert opening.value.locator("h1").count() == 1
    opening.value.close()
    assert serious_faults(page) == []
    assert steward.was_quiet()


def test_a_row_leads_to_the_others_of_its_group(steward: Person) -> None:
    page = steward.page
    page.goto(f"{steward.server.base}/release")
    release = page.url if "/release/" in page.url else f"{steward.server.base}/release"
    page.get_by_label("Why does row 1 look like this?").click()
    page.wait_for_url("**/row/1")
    before = page.locator(".others a").count()
    assert before >= 2
    page.locator(".others a").first.click()
    page.wait_for_url(lambda url: not url.endswith("/row/1"))
    numbers = [int(one) for one in page.locator(".others a").all_inner_texts()]
    assert 1 in numbers
    assert len(numbers) == before
    assert release.startswith(steward.server.base)
    assert steward.was_quiet()


def test_several_tables_are_joined_and_the_join_is_shown(opened: Any, tmp_path: Path) -> None:
    pl.DataFrame({"id": range(40), "age": [20 + n % 9 for n in range(40)]}).write_csv(tmp_path / "people.csv")
    visits = pl.DataFrame({"id": [n % 40 for n in range(80)], "ward": [f"w{n % 3}" for n in range(80)]})
    visits.write_csv(tmp_path / "visits.csv", separator=";")
    with Server(tmp_path) as server:
        person = Person(opened, server)
        person.page.fill("textarea[name=paths]", "people.csv\nvisits.csv")
        person.click("Look at them")
        person.page.wait_for_selector("text=How it was read")
        told = person.page.inner_text("main")
        assert "Table visits is joined on id" in told
        assert "semicolon" in told
        assert person.was_quiet()
        person.close()


# --- without one ----------------------------------------------------------------------------------


def test_a_comparison_varies_what_the_method_knows_and_the_plan_s_own_values() -> None:
    assert grid_for(PLAN, 40) == {"k": [2, 3, 5, 8]}  # there are no terms that columns could be weighed with
    terms = PLAN.replace("privacy:", "  note: {role: text}\nprivacy:")
    assert grid_for(terms, 40) == {"k": [2, 3, 5, 8], "relational_weight": [0.3, 0.7]}
    joint = terms.replace("model: k-anonymity, k: 3", "model: joint, k: 4, m: 1")
    joint = joint.replace("mondrian, relational_weight: 0.3", "joint, delta: 0.5")
    assert grid_for(joint, 1000) == {"k": [2, 3, 4, 5, 8, 11, 20], "delta": [0.4, 0.5, 0.8]}


def test_a_point_changes_the_plan_at_its_place_and_is_then_the_plan_s_own() -> None:
    found = kept_of(
        hn.compare(people(), dict(_plain(PLAN)), k=[3, 5], relational_weight=[0.3, 0.7], sample=True)
    )
    runs = {
        (one["set.k"], one["set.relational_weight"]): one["run"]
        for one in found["rows"]
        if one["kind"] == "run"
    }
    setting = setting_of(found, runs[5, 0.7])
    changed = with_setting(PLAN, setting)
    assert "# what others may know" in changed
    assert is_now(changed, setting)
    assert not is_now(PLAN, setting)
    plot, lines = picture_of(found, changed)
    assert plot.count("<a href=") == len(lines) == 4
    assert [line["run"] for line in lines if line["now"]] == [runs[5, 0.7]]


def test_a_comparison_on_a_sample_has_fewer_persons_and_no_mentions_of_all(tmp_path: Path) -> None:
    many = pl.concat([people(20_000)])
    found = hn.compare(many, dict(_plain(PLAN)), k=[3], sample=True, processes=1)
    persons = {row["data.persons"] for row in found.rows if row["status"] == "done"}
    assert persons == {12_000}
    with pytest.raises(hn.HeteronymError, match="sample"):
        hn.compare(many, dict(_plain(PLAN)), k=[3], sample=True, mentions=tmp_path / "none.jsonl")


def test_promises_are_told_with_who_may_attack() -> None:
    [told] = meaning_of(PLAN)
    assert "at least 3 persons" in told["promise"]
    assert told["attacker"]
    assert meaning_of("privacy: [") == []


def test_small_pictures_count_values_and_ranges() -> None:
    columns = [
        {"name": "age", "scale": "numeric", "role": "quasi"},
        {"name": "town", "scale": "nominal", "role": "quasi"},
    ]
    age, town = spreads(people(), columns)
    assert sum(count for _, count in age["bars"]) == 120
    assert dict(town["bars"]) == dict.fromkeys(TOWNS, 20)
    attack = {"of": "values", "bars": [["<script>", 2]], "different": 1}
    assert "<script>" not in small_picture(attack)
    assert "&lt;script&gt;" in small_picture(attack)


def test_values_that_stand_once_are_dangerous_as_plain() -> None:
    column = {"name": "n", "scale": "nominal", "role": "plain", "reason": "", "distinct": 90, "missing": 0}
    [choice] = column_choices({"rows": 100, "columns": [column]}, "attributes: {n: {role: plain}}")
    assert "finds the row" in choice.warning


def test_how_a_file_was_read_is_told(tmp_path: Path) -> None:
    people().write_csv(tmp_path / "a.csv", separator=";")
    [told] = layouts([tmp_path / "a.csv"], {})
    assert (told["delimiter"], told["rows"], told["columns"]) == (";", 120, 2)


def test_mentions_stand_in_their_place_with_what_became_of_them() -> None:
    before = pl.DataFrame({"note": ["Lives in Oslo."]})
    after = pl.DataFrame({"note": ["Lives in [GPE]."]})
    found = {1: [{"column": "note", "start": 9, "end": 13, "fate": "suppressed", "type": "GPE", "why": ""}]}
    [row] = person_rows(before, after, [(1, 1)], found)
    [cell] = row["cells"]
    assert [text for text, _ in cell["before"]] == ["Lives in ", "Oslo", "."]
    assert cell["before"][1][1]["fate"] == "suppressed"
    assert cell["changed"]


def _plain(text: str) -> Any:
    import yaml

    return yaml.safe_load(text)
