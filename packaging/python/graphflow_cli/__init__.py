"""Run GraphFlow workflows from Python, and test against a local Graph API.

    import graphflow_cli

    report = graphflow_cli.run("post.yaml", inputs={"message": "Hello"}, sandbox=True)
    print(report.status, report.outputs["post_id"])

    with graphflow_cli.sandbox() as graph:
        requests.get(graph.url + "/me", params={"access_token": graph.token()})
        graph.advance(hours=1)

The command `graphflow` comes with this package; every function starts it. The pytest fixture
`graph_sandbox` is a fresh sandbox for each test.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Union

__all__ = [
    "ControlError", "Diagnostic", "GraphFlowError", "Report", "Sandbox", "find_graphflow", "run",
    "sandbox", "validate",
]

Path = Union[str, "os.PathLike[str]"]


class GraphFlowError(Exception):
    """The command could not begin: the file is invalid or missing, an input has no value, and so on.

    A request that fails, or that has no token, is no such error: see `Report.ok`.
    """

    def __init__(self, exit_code: int, message: str) -> None:
        super().__init__(message.strip() or f"graphflow ended with {exit_code}")
        #: The exit code of the command, such as 65 for an invalid file.
        self.exit_code = exit_code


@dataclass(frozen=True)
class Report:
    """The results of a run; `data` is the whole report (`graphflow schema report`)."""

    data: Mapping[str, Any]

    @property
    def ok(self) -> bool:
        """Whether every request succeeded or counts as success."""
        return self.exit_code == 0

    @property
    def exit_code(self) -> int:
        return int(self.data["run"]["exit_code"])

    @property
    def status(self) -> str:
        """`succeeded`, `failed`, `in_doubt`, `cancelled` or `unfinished`."""
        return str(self.data["run"]["status"])

    @property
    def run_id(self) -> str:
        return str(self.data["run"]["id"])

    @property
    def outputs(self) -> Mapping[str, Any]:
        outputs: Mapping[str, Any] = self.data["outputs"]
        return outputs

    @property
    def summary(self) -> Mapping[str, Any]:
        summary: Mapping[str, Any] = self.data["summary"]
        return summary

    @property
    def requests(self) -> Sequence[Mapping[str, Any]]:
        """One entry for each request, and for each item of a `for_each`."""
        requests: Sequence[Mapping[str, Any]] = self.data["requests"]
        return requests

    @property
    def errors(self) -> Sequence[str]:
        """What went wrong: a line for each request with an error."""
        return [
            f"{entry['name']}: {entry['error']['message']}" for entry in self.requests
            if entry["error"] is not None
        ]

    def request(self, name: str, key: str | None = None) -> Mapping[str, Any]:
        """The entry of a request, or of its instance for the item with this key."""
        for entry in self.requests:
            item = entry["item"]
            if entry["name"] == name and (key is None or item is not None and item["key"] == key):
                return entry
        raise KeyError(name if key is None else f"{name}[{key}]")


@dataclass(frozen=True)
class Diagnostic:
    """A problem of a workflow file, with its place; lines and columns count from 1."""

    file: str
    line: int
    column: int
    severity: str
    rule: str
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}"
        return f"{place}: {self.severity}: {self.message} [{self.rule}]"


class ControlError(Exception):
    """The sandbox did not do what it was asked for; the message says why, and how to fix it."""


class Sandbox:
    """A local Graph API that runs until the `with` block ends."""

    def __init__(self, url: str, tokens: Mapping[str, str], control_token: str = "") -> None:
        #: Its address, such as `http://127.0.0.1:40123`.
        self.url = url
        #: Its tokens by name. They are worth nothing elsewhere.
        self.tokens = tokens
        #: The token of its control interface, which the methods below use.
        self.control_token = control_token

    def token(self, name: str = "default") -> str:
        return self.tokens[name]

    def control(self, command: str, **values: Any) -> Any:
        """Sends a command to the control interface and returns its answer.

        Raises `ControlError` if the sandbox refuses it.
        """
        return self._send("POST", command, values)

    def now(self) -> datetime:
        """The time of its world."""
        return _time(self._send("GET", "health", None))

    def advance(
        self, by: timedelta | None = None, *, to: datetime | None = None, days: float = 0,
        hours: float = 0, minutes: float = 0, seconds: float = 0,
    ) -> datetime:
        """Moves its clock ahead, and returns the new time.

        Tokens end, limits roll on, scheduled posts are published, containers are finished.
        """
        if to is not None:
            return _time(self.control("advance", to=int(to.timestamp())))
        length = (by or timedelta()) + timedelta(
            days=days, hours=hours, minutes=minutes, seconds=seconds)
        return _time(self.control("advance", by=int(length.total_seconds())))

    def snapshot(self) -> Mapping[str, Any]:
        """The world as a document, for `restore` and for `graphflow sandbox --snapshot`."""
        document: Mapping[str, Any] = self.control("snapshot")
        return document

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Restores a world, and its time."""
        self._send("POST", "restore", snapshot)

    def reset(self) -> None:
        """Restores the world of the start, and its time."""
        self.control("reset")

    def trigger(self, event: str, **values: Any) -> None:
        """Makes something happen: `token_expired`, `permission_declined`, …

        `values` are those of the event, such as `token="page"` or `permission="email"`.
        """
        self.control("trigger", event=event, **values)

    def fault(self, name: str, on: bool = True, **values: Any) -> None:
        """Switches a fault on or off.

        `method`, `path` and `times` restrict it to some operations.
        """
        self.control("faults", name=name, on=on, **values)

    def webhooks(self) -> list[Mapping[str, Any]]:
        """The last deliveries of webhooks, oldest first."""
        return list(self._send("GET", "webhooks", None)["deliveries"])

    def _send(self, method: str, command: str, body: Mapping[str, Any] | None) -> Any:
        request = urllib.request.Request(
            f"{self.url}/sandbox/{command}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.control_token}",
                     "Content-Type": "application/json"})
        # Loopback is never behind a proxy.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            reason = json.load(error)["error"]
            words = [reason["message"], reason.get("hint")]
            raise ControlError("; ".join(word for word in words if word)) from None


def _time(answer: Mapping[str, Any]) -> datetime:
    return datetime.fromtimestamp(answer["seconds"], timezone.utc)


def find_graphflow() -> str:
    """The path of the command: that of this package, else that of the PATH."""
    name = "graphflow" + (sysconfig.get_config_var("EXE") or "")
    folders = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable)]
    user = sysconfig.get_preferred_scheme("user")
    folders.append(sysconfig.get_path("scripts", scheme=user))
    # pip install --target
    folders.append(os.path.join(os.path.dirname(os.path.dirname(__file__)), "bin"))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    found = shutil.which(name)
    if found is None:
        places = ", ".join(dict.fromkeys(folders))
        raise FileNotFoundError(
            f"there is no {name} in {places} or the PATH; install graphflow-cli again")
    return found


def run(
    file: Path, inputs: Mapping[str, Any] | None = None, *, sandbox: bool = False,
    profile: str | None = None, graph_url: str | None = None, state_dir: Path | None = None,
    options: Sequence[str] = (), env: Mapping[str, str] | None = None, timeout: float | None = None,
) -> Report:
    """Runs a workflow and returns its report.

    `inputs` are the values of its inputs; they appear in no list of processes. `options` are
    further options of `graphflow run`, and `env` replaces the environment.

    Raises `GraphFlowError` if nothing was run, for example because the file is invalid. A failed
    request raises nothing: see `Report.ok`.
    """
    command = [find_graphflow(), "run", os.fspath(file), "--report", "-", "--progress", "none"]
    command += ["--sandbox"] if sandbox else []
    for option, value in (("profile", profile), ("graph-url", graph_url), ("state-dir", state_dir)):
        command += [] if value is None else [f"--{option}", os.fspath(value)]
    with tempfile.TemporaryDirectory(prefix="graphflow-") as folder:
        if inputs:
            path = os.path.join(folder, "inputs.json")
            with open(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="utf-8") as out:
                json.dump(dict(inputs), out)
            command += ["--inputs", path]
        done = _started(command + list(options), env, timeout)
    try:
        return Report(json.loads(done.stdout))
    except ValueError:
        raise GraphFlowError(done.returncode, done.stderr) from None


def validate(*files: Path, env: Mapping[str, str] | None = None) -> list[Diagnostic]:
    """Checks workflow files and returns what is wrong with them; an empty list is good news.

    Raises `GraphFlowError` if a file cannot be read.
    """
    command = [find_graphflow(), "validate", "--format", "json", *(os.fspath(file) for file in files)]
    done = _started(command, env, None)
    if done.returncode not in (0, 65):
        raise GraphFlowError(done.returncode, done.stderr)
    names = Diagnostic.__dataclass_fields__
    return [
        Diagnostic(**{name: entry[name] for name in names}) for entry in json.loads(done.stdout)
    ]


@contextmanager
def sandbox(
    world: Path | None = None, *, faults: Path | None = None, ledger: Path | None = None,
    clock: str | datetime | None = None, snapshot: Path | None = None,
    options: Sequence[str] = (), env: Mapping[str, str] | None = None,
) -> Iterator[Sandbox]:
    """A fresh local Graph API, for any client of the Graph API.

    `world` is a file that says what is in it, `faults` one that says what goes wrong, and `ledger`
    gets a line of JSON for each call. `clock` is its time at first, such as `2026-01-01T00:00:00Z`,
    and `snapshot` a file with what `Sandbox.snapshot` has returned.
    """
    if isinstance(clock, datetime):
        clock = str(int(clock.timestamp()))
    command = [find_graphflow(), "sandbox", "--quiet", "--format", "json"]
    values = (("world", world), ("faults", faults), ("ledger", ledger), ("clock", clock),
              ("snapshot", snapshot))
    for option, value in values:
        command += [] if value is None else [f"--{option}", os.fspath(value)]
    process = subprocess.Popen(
        command + list(options), env=env, text=True, encoding="utf-8", stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        line = process.stdout.readline()  # type: ignore[union-attr]
        if not line:
            message = process.communicate()[1]
            raise GraphFlowError(process.returncode, message)
        facts = json.loads(line)
        yield Sandbox(facts["url"], facts["tokens"], facts["control_token"])
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _started(
    command: Sequence[str], env: Mapping[str, str] | None, timeout: float | None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, env=env, timeout=timeout, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, encoding="utf-8", check=False)
