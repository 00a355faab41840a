"""Real requests to a real server: what is refused, and how errors look."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from serving import Served, serving
from workspaces import without_a_model


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    vault = tmp_path_factory.mktemp("vault")
    (vault / "Apfel.md").write_text("# Apfel\n\nEin Apfel fällt nicht weit vom Stamm.\n", encoding="utf-8")
    data = tmp_path_factory.mktemp("data")
    with serving(vault, data, **without_a_model(tmp_path_factory.mktemp("settings"))) as running:
        yield running


def raw(
    served: Served, headers: dict[str, str], path: str = "/status", method: str = "GET"
) -> tuple[int, dict[str, object]]:
    """A request with exactly these headers, whatever a client library would add."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=10)
    try:
        connection.putrequest(method, path, skip_host=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        return response.status, json.loads(response.read() or b"{}")
    finally:
        connection.close()


def test_health_needs_no_token(served: Served) -> None:
    assert httpx.get(f"{served.url}/health").json()["status"] == "ok"


@pytest.mark.parametrize(
    "path", ["/status", "/stats", "/check", "/events", "/notes?path=Apfel.md", "/openapi.json", "/nothing"]
)
def test_all_else_does(served: Served, path: str) -> None:
    answer = httpx.get(served.url + path)
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert httpx.get(served.url + path, headers={"Authorization": "Bearer wrong"}).status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:80", "", "[::1].evil"])
def test_a_foreign_host_is_refused_even_with_the_token(served: Served, host: str) -> None:
    status, body = raw(served, {"Host": host, "Authorization": f"Bearer {served.token}"})
    assert status in (400, 403)
    if status == 403:
        assert body["code"] == "host"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_loopback_hosts_are_served(served: Served, host: str) -> None:
    status, _ = raw(served, {"Host": f"{host}:{served.port}", "Authorization": f"Bearer {served.token}"})
    assert status == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "app://obsidian.md.evil"])
def test_a_foreign_origin_is_refused_even_with_the_token(served: Served, origin: str) -> None:
    answer = served.client.get("/status", headers={"Origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "origin")
    assert "access-control-allow-origin" not in answer.headers


def test_obsidian_may_call_and_its_preflight_is_answered(served: Served) -> None:
    answer = served.client.get("/status", headers={"Origin": "app://obsidian.md"})
    assert answer.headers["access-control-allow-origin"] == "app://obsidian.md"
    preflight = httpx.options(
        f"{served.url}/query",
        headers={
            "Origin": "app://obsidian.md",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type",
            "Access-Control-Request-Private-Network": "true",
        },
    )
    assert preflight.status_code == 200
    assert preflight.headers["access-control-allow-private-network"] == "true"


def test_a_large_body_is_refused(served: Served) -> None:
    answer = served.client.post("/query", content=b"x" * 1_100_000)
    assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")

    def stream() -> Iterator[bytes]:
        for _ in range(20):
            yield b"x" * 100_000

    assert served.client.post("/query", content=stream()).status_code == 413


@pytest.mark.parametrize("path", ["../secret.md", "/etc/passwd", "a/../../b.md"])
def test_no_path_leaves_the_vault(served: Served, path: str) -> None:
    for answer in (
        served.client.get("/notes", params={"path": path}),
        served.client.get("/notes/edges", params={"path": path}),
        served.client.post("/ingest", json={"paths": [path]}),
    ):
        assert answer.status_code == 400
        assert "inside the vault" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"query": ""}, "query"),
        ({"query": "a", "mode": "magic"}, "mode"),
        ({"query": "a", "extra": 1}, "extra"),
        ([], "body"),
    ],
)
def test_bad_requests_are_problem_details_that_name_the_field(served: Served, body: object, where: str) -> None:
    answer = served.client.post("/query", json=body)
    assert answer.status_code == 422
    problem = answer.json()
    assert problem.keys() == {"type", "title", "status", "detail", "code", "hint"}
    assert where in problem["detail"]
    assert problem["hint"]


def test_an_unknown_note_is_not_found(served: Served) -> None:
    answer = served.client.get("/notes", params={"path": "Birne.md"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_the_run_file_is_for_the_user_alone(served: Served) -> None:
    assert (served.data_dir / "run.json").stat().st_mode & 0o077 == 0
    assert (served.data_dir / "token").stat().st_mode & 0o077 == 0
    assert Path(served.vault).is_dir()
