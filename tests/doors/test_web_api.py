"""The JSON API: what the library does, for programs with a token, within limits."""

from __future__ import annotations

import random
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import heteronym as hn
from heteronym.errors import UsageError
from heteronym.web.api import Limits, api_routes, openapi
from heteronym.web.guard import Guard, Keys
from heteronym.web.project import Project
from heteronym.web.server import Settings, make_app, serve
from tests.doors.web_server import Server

TOKEN = "a-token-of-the-test-alone"
BASE = "http://127.0.0.1:4242"
NOTE = "Mail anna.berg@mail.example or call +44 20 7946 0958."
PLAN = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric"},
        "note": {"role": "text"},
    },
    "text": {"model": "none"},
    "privacy": [{"model": "k-anonymity", "k": 3}],
}
ROWS = [{"id": n, "age": 20 + n, "note": NOTE if n % 2 else None} for n in range(12)]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.open(tmp_path / "project")


@pytest.fixture
def stranger(project: Project) -> Iterator[TestClient]:
    with TestClient(make_app(project, Keys(4242, api=TOKEN)), base_url=BASE) as client:
        yield client


@pytest.fixture
def program(stranger: TestClient) -> TestClient:
    stranger.headers["authorization"] = f"Bearer {TOKEN}"
    return stranger


def limited(project: Project, **limits: Any) -> TestClient:
    app = Starlette(routes=api_routes(Limits(**limits)))
    app.state.project = project
    client = TestClient(Guard(app, Keys(4242, api=TOKEN)), base_url=BASE)
    client.headers["authorization"] = f"Bearer {TOKEN}"
    return client


def answered(program: TestClient, name: str, **call: Any) -> Any:
    answer = program.post(f"/api/{name}", json=call)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.parametrize("name", ["scan", "sanitize", "restore", "analyze", "anonymize", "verify"])
def test_nobody_calls_without_the_token(stranger: TestClient, name: str) -> None:
    for headers in (
        {},
        {"authorization": "Bearer wrong"},
        {"authorization": TOKEN},
        {"cookie": f"x={TOKEN}"},
    ):
        assert stranger.post(f"/api/{name}", json={}, headers=headers).status_code == 401


def test_pages_of_other_sites_call_nothing(program: TestClient) -> None:
    for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}):
        assert program.post("/api/scan", json={"texts": ["a"]}, headers=headers).status_code == 403
    assert program.post("/api/scan", json={}, headers={"host": "evil.example"}).status_code == 421


def test_the_token_opens_no_page_and_without_the_option_there_is_no_api(
    program: TestClient, project: Project
) -> None:
    assert program.get("/data").status_code == 401
    with TestClient(make_app(project, Keys(4242)), base_url=BASE) as other:
        answer = other.post("/api/scan", json={"texts": [NOTE]}, headers={"authorization": "Bearer None"})
        assert answer.status_code == 401


def test_health_and_description_are_open(stranger: TestClient) -> None:
    assert stranger.get("/api/health").json() == {"status": "ok", "version": hn.__version__}
    told = stranger.get("/api/openapi.json").json()
    assert told == openapi()
    assert {path.rsplit("/")[-1] for path in told["paths"]} == {
        "scan", "sanitize", "restore", "analyze", "anonymize", "verify", "health",
    }  # fmt: skip


def test_scan_and_sanitize_say_what_the_library_says(program: TestClient) -> None:
    [mentions] = answered(program, "scan", texts=[NOTE], model="none")["mentions"]
    assert mentions == [span._asdict() for span in hn.scan(NOTE, model="none")]
    assert {one["type"] for one in mentions} == {"MAIL", "PHONE"}
    texts = answered(program, "sanitize", texts=[NOTE, "Nothing here."], model="none")["texts"]
    assert texts == [str(hn.sanitize(NOTE, model="none")), "Nothing here."]
    assert "anna" not in texts[0]


def test_pseudonyms_come_back_from_their_vault_and_from_no_other(program: TestClient) -> None:
    call = {"texts": [NOTE], "model": "none", "method": "pseudonyms", "vault": "study-1"}
    [hidden] = answered(program, "sanitize", **call)["texts"]
    assert "anna.berg" not in hidden
    assert answered(program, "restore", texts=[hidden], vault="study-1")["texts"] == [NOTE]
    assert program.post("/api/restore", json={"texts": [hidden], "vault": "study-2"}).status_code == 422
    for name in ("../study-1", "/etc", "", ".", "a/b"):
        assert program.post("/api/restore", json={"texts": [hidden], "vault": name}).status_code == 422


def test_a_table_is_anonymized_audited_and_verified_again(program: TestClient) -> None:
    found = answered(program, "anonymize", rows=ROWS, plan=PLAN, files=True)
    assert found["verdict"]["holds"]
    assert len(found["rows"]) == 12
    assert "anna.berg" not in str(found)
    assert set(found["files"]) == {"data.csv", "plan.yaml", "facts.json", "report.html"}
    assert answered(program, "verify", files=found["files"])["unit"] == "rows"
    found["files"]["data.csv"] = found["files"]["data.csv"].replace("[", "", 1)
    answer = program.post("/api/verify", json={"files": found["files"]})
    assert answer.status_code == 422 or answer.json()["holds"] is False


def test_what_cannot_be_promised_is_no_release(program: TestClient) -> None:
    plan = {
        **PLAN,
        "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "l-diversity", "l": 9, "attribute": "age"}],
    }
    plan["attributes"] = {**PLAN["attributes"], "age": {"role": "sensitive"}, "sex": {"role": "quasi"}}  # type: ignore[dict-item]
    rows = [{**row, "age": 20, "sex": "f"} for row in ROWS]
    answer = program.post("/api/anonymize", json={"rows": rows, "plan": plan})
    assert answer.status_code in (409, 422)
    assert "rows" not in answer.json()


@pytest.mark.parametrize(
    "more",
    [
        {"attributes": {**PLAN["attributes"], "age": {"role": "quasi", "hierarchy": "/etc/passwd"}}},
        {"text": {"model": "none", "words": {"GPE": "/etc/passwd"}}},
        {"text": {"model": "none", "deny": "/etc/passwd"}},
        {"text": {"model": "none", "allow": ["@/etc/passwd"]}},
        {"text": {"model": "/tmp"}},
        {"privacy": [{"model": "k-map", "k": 2, "population": "/etc/passwd"}]},
    ],
)
def test_a_plan_of_a_call_names_no_files_of_the_server(program: TestClient, more: dict[str, Any]) -> None:
    answer = program.post("/api/anonymize", json={"rows": ROWS, "plan": {**PLAN, **more}})
    assert answer.status_code == 422
    assert "files" in answer.json()["error"]["message"]


def test_a_text_that_cannot_be_processed_is_an_error_of_the_whole_call(
    program: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    sanitize = hn.sanitize

    def fails(text: str, **given: Any) -> Any:
        if "Zebedee" in text:
            raise hn.InputError("this text cannot be read")
        return sanitize(text, **given)

    monkeypatch.setattr(hn, "sanitize", fails)
    answer = program.post("/api/sanitize", json={"texts": [NOTE, "Zebedee Quux"], "model": "none"})
    assert answer.status_code == 422
    assert answer.json() == {"error": {"code": "input", "message": "this text cannot be read"}}


def test_a_fault_of_the_program_tells_no_text(program: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(texts: Any, **given: Any) -> Any:
        raise ValueError(str(texts))

    monkeypatch.setattr(hn, "scan", fails)
    answer = program.post("/api/scan", json={"texts": ["Zebedee Quux"]})
    assert answer.status_code == 500
    assert "Zebedee" not in answer.text


def test_a_complaint_names_the_place_and_no_value(program: TestClient) -> None:
    for call in (
        {"texts": [{"Zebedee": 1}]},
        {"texts": "Zebedee"},
        {"texts": ["a"], "Zebedee": 1},
        {"texts": []},
        {"texts": ["a"], "method": "Zebedee"},
        {"texts": ["a"], "vault": "Zebedee Quux"},
    ):
        answer = program.post("/api/sanitize", json=call)
        assert answer.status_code == 422
        assert "Zebedee" not in answer.text
    assert program.post("/api/scan", content=b"{").json()["error"]["message"] == "the call: is no JSON"


def test_options_of_the_server_are_no_parameters_of_a_method(program: TestClient) -> None:
    for name in ("output", "private", "cache", "words", "plan"):
        call = {"texts": [NOTE], "parameters": {name: "/tmp/x"}}
        assert program.post("/api/sanitize", json=call).status_code == 422


def test_a_call_that_is_too_large_or_takes_too_long_is_refused(project: Project) -> None:
    small = limited(project, bytes=1000)
    assert small.post("/api/scan", json={"texts": ["a" * 2000]}).status_code == 413
    rows = [{**row, "note": f"Lives at {n} Elm Street. " * 40} for n, row in enumerate(ROWS * 60)]
    rows = [{**row, "id": n} for n, row in enumerate(rows)]
    answer = limited(project, seconds=0.01).post("/api/anonymize", json={"rows": rows, "plan": PLAN})
    assert answer.status_code == 503
    assert not list(project.folder.glob(".api-*"))


def test_another_address_needs_tls(tmp_path: Path) -> None:
    for more in (
        {"host": "0.0.0.0"},
        {"certificate": tmp_path / "c"},
        {"host": "0.0.0.0", "key": tmp_path / "k"},
    ):
        with pytest.raises(UsageError, match="tls"):
            serve(Settings(tmp_path / "p", **more), lambda *told: None)  # type: ignore[arg-type]


def test_schemathesis_finds_no_fault(project: Project) -> None:
    """Calls made up from the description: every answer is one that it names, and none is a fault."""
    schemathesis = pytest.importorskip("schemathesis")
    from hypothesis import HealthCheck, given, seed, settings

    app = make_app(project, Keys(4242, api=TOKEN))
    schema = schemathesis.openapi.from_dict(openapi())
    client = TestClient(app, base_url=BASE)
    client.headers["authorization"] = f"Bearer {TOKEN}"
    for operation in schema.get_all_operations():
        case_of = operation.ok().as_strategy()

        @seed(7)
        @settings(max_examples=20, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(case=case_of)
        def call(case: Any) -> None:
            body = None if case.method == "GET" else case.body
            body = {**body, "model": "none"} if isinstance(body, dict) and "model" in body else body
            answer = client.request(case.method, case.path, json=body)
            assert answer.status_code in (200, 409, 413, 422, 503), answer.text
            if answer.status_code != 200:
                assert set(answer.json()["error"]) == {"code", "message"}

        call()


def test_made_up_bodies_are_answered(program: TestClient) -> None:
    rng = random.Random(3)
    pieces = [b"{", b"}", b"[", b'"texts"', b":", b"null", b"1e999", b'"\\ud800"', b"\xff", b",", b'"a"']
    for _ in range(200):
        body = b"".join(rng.choice(pieces) for _ in range(rng.randrange(12)))
        for name in ("scan", "anonymize", "verify"):
            assert program.post(f"/api/{name}", content=body).status_code == 422


def test_another_address_is_served_over_tls_with_a_secure_cookie(tmp_path: Path) -> None:
    httpx = pytest.importorskip("httpx")
    certificate, key = self_signed(tmp_path)
    call = ["--api", "--host", "127.0.0.1", "--tls-cert", str(certificate), "--tls-key", str(key)]
    with Server(tmp_path, *call) as server:
        trusting = ssl.create_default_context(cafile=str(certificate))
        with httpx.Client(verify=trusting) as client:
            assert client.get(f"{server.base}/api/health").json()["status"] == "ok"
            assert "secure" in client.get(server.address).headers["set-cookie"].lower()


def self_signed(folder: Path) -> tuple[Path, Path]:
    import datetime as dt
    import ipaddress

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    own = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(own, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "cert.pem", folder / "key.pem"
    paths[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return paths
