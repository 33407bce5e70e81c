"""The connection `graphflow_default`: token, database and place of reports."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from airflow.sdk import BaseHook, ObjectStoragePath
from airflow.sdk.log import mask_secret

from graphflow_cli import find_graphflow

if TYPE_CHECKING:
    from airflow.sdk import Connection

#: The extra fields of the connection, and the variable by which the command gets each.
VARIABLES = {
    "state": "GRAPHFLOW_STATE",
    "state_dir": "GRAPHFLOW_STATE_DIR",
    "app_secret": "GRAPHFLOW_APP_SECRET",
}


class GraphflowHook(BaseHook):
    """Starts the command with what the connection holds.

    Token, app secret and the address of the database reach the command through its environment, so
    they are in no list of processes and no log.

    | field | meaning |
    | --- | --- |
    | password | the token of the profile `default` |
    | login | the app's id |
    | host | the address of the Graph API, if it is another one |
    | extra `state` | the PostgreSQL database of the runs; or `state_dir`, a folder |
    | extra `app_secret` | the app's secret |
    | extra `inputs` | values of secret inputs, by name |
    | extra `reports` | where HTML reports are kept: a folder or an address of object storage |
    | extra `reports_url` | the address under which a browser finds them |
    """

    conn_name_attr = "graphflow_conn_id"
    default_conn_name = "graphflow_default"
    conn_type = "graphflow"
    hook_name = "GraphFlow"

    def __init__(self, graphflow_conn_id: str = default_conn_name, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.graphflow_conn_id = graphflow_conn_id

    def get_conn(self) -> Connection:
        """The connection, from Airflow's secrets backend."""
        return self.get_connection(self.graphflow_conn_id)

    def environment(self) -> dict[str, str]:
        """The environment of the command: that of the worker without Airflow's own variables."""
        connection = self.get_conn()
        extra = connection.extra_dejson
        variables = {
            "GRAPHFLOW_ACCESS_TOKEN": connection.password,
            "GRAPHFLOW_APP_ID": connection.login,
            "GRAPHFLOW_GRAPH_URL": connection.host,
            **{variable: extra.get(name) for name, variable in VARIABLES.items()},
            **{"GRAPHFLOW_INPUT_" + name.upper().replace("-", "_"): str(value)
               for name, value in extra.get("inputs", {}).items()},
        }
        for name, value in variables.items():
            if value and name not in ("GRAPHFLOW_APP_ID", "GRAPHFLOW_GRAPH_URL",
                                      "GRAPHFLOW_STATE_DIR"):
                mask_secret(value)
        mine = {name: value for name, value in os.environ.items()
                if not name.startswith(("AIRFLOW", "_AIRFLOW"))}
        return mine | {name: value for name, value in variables.items() if value}

    @contextmanager
    def started(self, *words: str) -> Iterator[subprocess.Popen[str]]:
        """The command, while it runs; its standard error is a pipe.

        If the caller leaves early, the command is asked to stop, and gets the time that it takes.
        """
        process = subprocess.Popen(
            [find_graphflow(), *words], env=self.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, encoding="utf-8")
        try:
            yield process
        except BaseException:
            process.terminate()
            raise
        finally:
            process.communicate()

    def call(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Runs a command to its end."""
        return subprocess.run(
            [find_graphflow(), *words], env=self.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
            check=False)

    def test_connection(self) -> tuple[bool, str]:
        """Asks Graph whom the token belongs to."""
        done = self.call("whoami")
        return done.returncode == 0, done.stdout.strip() or done.stderr.strip()

    def publish_report(self, words: Sequence[str], name: str) -> str | None:
        """Keeps an HTML report where the connection says; returns its address for browsers.

        `words` name what `graphflow report` shall write.
        """
        extra = self.get_conn().extra_dejson
        if not extra.get("reports"):
            return None
        with tempfile.TemporaryDirectory(prefix="graphflow-") as folder:
            page = os.path.join(folder, "report.html")
            done = self.call("report", *words, "--report", page)
            if done.returncode:
                self.log.warning("There is no report: %s", done.stderr.strip())
                return None
            place = ObjectStoragePath(extra["reports"]) / name
            place.parent.mkdir(parents=True, exist_ok=True)
            with open(page, "rb") as file:
                place.write_bytes(file.read())
        self.log.info("The report is in %s", place)
        base = extra.get("reports_url")
        return f"{base.rstrip('/')}/{quote(name)}" if base else None

    @classmethod
    def get_ui_field_behaviour(cls) -> dict[str, Any]:
        """How the form of the connection names its fields."""
        return {
            "hidden_fields": ["port", "schema"],
            "relabeling": {"password": "Access token", "login": "App id", "host": "Graph URL"},
            "placeholders": {
                "host": "https://graph.facebook.com",
                "extra": '{"state": "postgresql://graphflow@db.example/graphflow"}',
            },
        }
