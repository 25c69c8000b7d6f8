"""The server of `heteronym serve` answers its own pages in the owner's browser, and nobody else."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from heteronym.errors import UsageError
from heteronym.web.actions import safe_name
from heteronym.web.guard import WRITE_HEADER, Keys
from heteronym.web.project import Project
from heteronym.web.server import make_app

PORT = 4242
BASE = f"http://127.0.0.1:{PORT}"
CANARY = "Zebedee-Quux-77"
PAGES = ("/data", "/columns", "/words", "/promise", "/plan", "/run", "/release")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.open(tmp_path / "project")


@pytest.fixture
def keys() -> Keys:
    return Keys(PORT)


@pytest.fixture
def stranger(
    project: Project, keys: Keys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TestClient]:
    monkeypatch.chdir(tmp_path)
    with TestClient(make_app(project, keys, upload_limit=1000), base_url=BASE) as client:
        yield client


@pytest.fixture
def owner(stranger: TestClient, keys: Keys) -> TestClient:
    assert stranger.get(f"/start?token={keys.start}").status_code == 200
    return stranger


def writing(keys: Keys, **more: str) -> dict[str, str]:
    return {WRITE_HEADER: keys.write, "origin": BASE, **more}


def test_nobody_enters_without_the_token(stranger: TestClient) -> None:
    for path in (*PAGES, "/", "/static/web.js", "/jobs/1/events", "/release/1/data", "/nothing"):
        answer = stranger.get(path, follow_redirects=False)
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("token", ["", "x", "token", "%00", "é"])
def test_a_wrong_token_gives_no_cookie(stranger: TestClient, token: str) -> None:
    answer = stranger.get(f"/start?token={token}")
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


def test_the_cookie_is_for_this_server_and_for_no_script(stranger: TestClient, keys: Keys) -> None:
    told = stranger.get(f"/start?token={keys.start}").headers["set-cookie"]
    assert told.startswith(f"heteronym-{PORT}=")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= {part.strip() for part in told.split(";")}
    assert keys.start not in told


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", f"evil.example:{PORT}", "127.0.0.1:1", ""])
def test_another_host_is_refused(owner: TestClient, keys: Keys, host: str) -> None:
    assert owner.get("/data", headers={"host": host}).status_code == 421
    assert owner.get(f"/start?token={keys.start}", headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1:1"]
)
def test_another_origin_is_refused(owner: TestClient, keys: Keys, origin: str) -> None:
    assert owner.get("/data", headers={"origin": origin}).status_code == 403
    answer = owner.post("/do/example", headers=writing(keys, origin=origin), json={})
    assert answer.status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_another_site_began_is_refused(owner: TestClient, site: str) -> None:
    assert owner.get("/data", headers={"sec-fetch-site": site}).status_code == 403


@pytest.mark.parametrize(
    "path",
    [*"example paths upload columns promise plan run cancel/1 words scan reviewer merge take-over".split()],
)
def test_a_write_needs_its_token(owner: TestClient, project: Project, path: str) -> None:
    for headers in ({}, {WRITE_HEADER: "wrong"}, {"origin": BASE}):
        assert owner.post(f"/do/{path}", headers=headers, json={}).status_code == 403
    assert project.jobs() == []
    assert project.plan_text is None


def test_whoever_looks_on_reads_all_pages_and_changes_nothing(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    keys = Keys(PORT, look="look-" + "x" * 32)
    with TestClient(make_app(project, keys), base_url=BASE) as onlooker:
        assert onlooker.get(f"/start?token={keys.look}").status_code == 200
        for path in PAGES:
            answer = onlooker.get(path)
            assert (answer.status_code, "You look on" in answer.text) == (200, True)
        calls = "example paths upload columns promise plan run cancel/1 words scan reviewer merge take-over"
        for path in [*(f"/do/{name}" for name in calls.split()), "/words/decisions", "/api/anonymize"]:
            answer = onlooker.post(path, headers=writing(keys), json={})
            assert (answer.status_code, "look on" in answer.text) == (403, True)
        assert onlooker.post("/words/count", headers=writing(keys), json={}).status_code != 403
    assert (project.jobs(), project.plan_text) == ([], None)


def test_nobody_looks_on_unless_the_owner_said_so(stranger: TestClient, keys: Keys) -> None:
    assert keys.address_to_look is None
    assert stranger.get("/start?token=None").status_code == 401
    stranger.cookies.set(keys.cookie, keys.onlooker)
    assert stranger.get("/data").status_code == 401


@pytest.mark.parametrize("path", ["terms", "term", "effect", "count", "sample"])
def test_words_are_told_to_nobody_without_the_write_token(owner: TestClient, path: str) -> None:
    assert owner.post(f"/words/{path}", json={}).status_code == 403
    assert owner.get(f"/words/{path}").status_code == 405


@pytest.mark.parametrize("path", ["words/terms", "words/effect", "do/words", "do/merge", "do/scan"])
@pytest.mark.parametrize("given", [{}, {"steps": 4}, {"steps": [4]}, {"term": ["a"]}, {"state": 9}])
def test_a_call_about_words_that_cannot_be_is_told(
    owner: TestClient, keys: Keys, path: str, given: dict[str, Any]
) -> None:
    answer = owner.post(f"/{path}", headers=writing(keys), json=given)
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_many_requests_at_once_are_answered(owner: TestClient, keys: Keys, project: Project) -> None:
    project.write_plan("attributes: {age: {role: quasi}}\nprivacy: [{model: k-anonymity, k: 2}]\n")

    def asked(number: int) -> int:
        if number % 2:
            return owner.get(PAGES[number % len(PAGES)]).status_code
        text = f"attributes: {{age: {{role: quasi}}}}\nprivacy: [{{model: k-anonymity, k: {number + 2}}}]\n"
        return owner.post("/do/plan", headers=writing(keys), json={"text": text}).status_code

    with ThreadPoolExecutor(50) as many:
        assert set(many.map(asked, range(50))) == {200}
    assert project.plan_text is not None
    assert project.plan_text.startswith("attributes")


def test_decisions_about_other_data_are_put_aside(project: Project) -> None:
    project.use_data(["/a.csv"])
    project.write_private(project.decisions_path, "{}")
    project.use_data(["/a.csv"])
    assert project.decisions_path.exists()
    project.use_data(["/b.csv"])
    assert not project.decisions_path.exists()
    assert [path.name for path in project.former_decisions()] == ["decisions-1.jsonl"]


def test_a_page_never_does_what_a_write_does(owner: TestClient, project: Project) -> None:
    for path in ("example", "run", "plan"):
        assert owner.get(f"/do/{path}").status_code == 405
    assert project.jobs() == []


@pytest.mark.parametrize("path", [*PAGES, "/static/web.css", "/nothing"])
def test_every_answer_is_strict(owner: TestClient, path: str) -> None:
    headers = owner.get(path).headers
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("path", PAGES)
def test_pages_hold_no_inline_code_and_load_nothing_from_elsewhere(owner: TestClient, path: str) -> None:
    page = owner.get(path).text
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|javascript:|<style", page)
    assert not re.search(r"""(?:src|href|action)=["'](?:https?:)?//""", page)


def test_an_error_is_answered_and_logged_without_values(
    owner: TestClient, project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*given: Any) -> Any:
        raise ValueError(CANARY)

    monkeypatch.setattr(Project, "get", fails)
    answer = owner.get("/data")
    assert answer.status_code == 500
    said = capsys.readouterr()
    assert "ValueError" in said.err
    assert CANARY not in answer.text + said.out + said.err
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["../secret.csv", "/etc/passwd", "a/../../secret.csv", "link.csv", "x\0y"])
def test_paths_stay_inside_the_folder_of_the_start(
    owner: TestClient, project: Project, keys: Keys, tmp_path: Path, path: str
) -> None:
    outside = tmp_path.parent / "secret.csv"
    outside.write_text("a\n1\n")
    (tmp_path / "link.csv").symlink_to(outside)
    answer = owner.post("/do/paths", headers=writing(keys), json={"paths": path})
    assert answer.status_code == 422
    assert project.data == []


@pytest.mark.parametrize(
    "path", ["/static/../project.py", "/static/..%2fproject.py", "/static/%2e%2e/server.py"]
)
def test_only_listed_files_are_served(owner: TestClient, path: str) -> None:
    assert owner.get(path).status_code == 404


def test_an_upload_ends_at_the_limit_and_leaves_nothing(
    owner: TestClient, project: Project, keys: Keys
) -> None:
    def pieces() -> Iterator[bytes]:  # without a length
        for _ in range(100):
            yield b"x" * 100

    for body in (b"x" * 1001, pieces()):
        answer = owner.post("/do/upload", headers=writing(keys, **{"x-file-name": "a.csv"}), content=body)
        assert answer.status_code == 413
        assert "MB" in answer.json()["error"]
    assert list((project.folder / "uploads").iterdir()) == []


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\data\\visits.csv", "visits.csv"),
        ("<script>alert(1)</script>.csv", "script_.csv"),
        (".htaccess", "htaccess"),
        ("", "data.csv"),
        ("a" * 300 + ".csv", "a" * 80 + ".csv"),
        ("Besuche 2024.xlsx", "Besuche_2024.xlsx"),
    ],
)
def test_names_of_uploads_are_plain(given: str, kept: str) -> None:
    assert safe_name(given) == kept


def test_a_project_is_private(tmp_path: Path) -> None:
    os.umask(0o022)
    project = Project.open(tmp_path / "mine")
    assert stat.S_IMODE(project.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((project.folder / "state.sqlite").stat().st_mode) == 0o600
    project.write_plan("attributes: {}\n")
    assert stat.S_IMODE(project.plan_path.stat().st_mode) == 0o600


def test_a_folder_with_other_files_is_no_project(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    before = stat.S_IMODE(tmp_path.stat().st_mode)
    with pytest.raises(UsageError, match="no project"):
        Project.open(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == before


@pytest.mark.parametrize("body", [b"", b"[", b"[]", b"\xff", b"1", b"[" * 100_000])
def test_a_broken_call_is_a_clear_answer(owner: TestClient, keys: Keys, body: bytes) -> None:
    answer = owner.post("/do/plan", headers=writing(keys), content=body)
    assert answer.status_code in (200, 400)
    assert "error" in answer.json()


def test_scripts_in_names_cells_and_plans_are_text(
    owner: TestClient, project: Project, tmp_path: Path
) -> None:
    attack = "<script>alert('x')</script>"
    column = {
        "name": attack,
        "scale": "nominal",
        "role": "quasi",
        "reason": attack,
        "distinct": 1,
        "missing": 1,
    }
    unique = {"1": {"worst": 1.0, "mean": 1.0, "columns": [attack]}}
    profile = {"rows": 1, "persons": 1, "person": attack, "columns": [column], "unique": unique, "risk": {}}
    project.put("data", [f"/tmp/{attack}.csv"])
    project.put("profile", profile)
    project.put("preview", {"columns": [attack], "rows": [[attack]]})
    project.write_plan(
        f'attributes: {{"{attack}": {{role: quasi}}}}\nprivacy: [{{model: k-anonymity, k: 2}}]\n'
    )
    for path in PAGES:
        assert "<script>alert" not in owner.get(path).text
    assert "&lt;script&gt;" in owner.get("/columns").text
