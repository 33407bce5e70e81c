"""What of Airflow can be tested without its services: the DAG file, and the operators with the real
command and a sandbox. Run by scripts/try-airflow --quick, in a Python that has Airflow."""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
import types
import unittest.mock
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone

import pytest
from airflow.dag_processing.dagbag import DagBag
from airflow.sdk import AssetAlias
from airflow.sdk.exceptions import AirflowException, AirflowFailException, TaskDeferred
from airflow.sdk.providers_manager_runtime import ProvidersManagerTaskRuntime
from airflow.serialization.serialized_objects import DagSerialization

import graphflow_cli
from graphflow_cli.airflow import get_provider_info
from graphflow_cli.airflow.hooks import GraphflowHook
from graphflow_cli.airflow.links import GraphflowReportLink
from graphflow_cli.airflow.operators import GraphflowOperator, GraphflowReportOperator

WORKFLOW = """
graphflow: 1
name: rows
inputs:
  fields: {{type: string, default: id}}
  page: {{type: secret, default: none}}
schedule: {{cron: "30 6 * * mon-fri", timezone: Europe/Berlin}}
requests:
  first: {{get: me, params: {{fields: "{{input=fields}}"}}}}
  rows:
    for_each: {{file: rows.csv}}
    key: "{{item=$.key}}"
    {method}
  last: {{get: me, depends_on: [rows]}}
"""
READ = 'get: "{result=first:$.id}"\n    params: {fields: id, locale: "{item=$.key}"}'
WRITE = 'post: me/feed\n    params: {message: "row {item=$.key}", locale: "{item=$.key}"}'


class Task:
    """The part of a task instance that the operators use, and the log of the task."""

    def __init__(self, operator, date="2026-11-27T05:30:00+00:00", attempt=1, found=()):
        self.operator, self.lines, self.pushed, self.events = operator, [], {}, []
        self.try_number = attempt
        self.xcom_push = lambda key, value: self.pushed.update({key: value})
        self.xcom_pull = lambda task_ids, key: list(found)
        alias = types.SimpleNamespace(add=lambda asset, extra: self.events.append((asset, extra)))
        date = datetime.fromisoformat(date) if date else None
        self.context = {
            "ti": self, "params": {}, "dag": types.SimpleNamespace(dag_id="rows"),
            "dag_run": types.SimpleNamespace(logical_date=date, run_id="manual__1"),
            "outlet_events": {AssetAlias("graphflow-in-doubt"): alias}}

    def run(self):
        kind = type(self.operator)
        log = logging.Logger("task", logging.INFO)
        log.handle = lambda record: self.lines.append(record.getMessage())
        with unittest.mock.patch.object(kind, "log", log):
            return self.operator.execute(self.context)

    @property
    def log(self):
        return "\n".join(self.lines)


class Place:
    """A folder with a workflow, a sandbox, and the connection to it."""

    def __init__(self, folder, monkeypatch, graph, token="page"):
        self.folder, self.monkeypatch, self.graph = folder, monkeypatch, graph
        self.connect(token)
        monkeypatch.setenv("AIRFLOW__CORE__FERNET_KEY", "not-for-the-command")

    def connect(self, token, **extra):
        self.token = self.graph.tokens.get(token, token)
        state = {"state_dir": str(self.folder / "state"), **extra}
        self.monkeypatch.setenv("AIRFLOW_CONN_GRAPHFLOW_DEFAULT", json.dumps(
            {"conn_type": "graphflow", "password": self.token, "host": self.graph.url,
             "extra": state}))

    def write(self, method, count=20):
        (self.folder / "rows.csv").write_text(
            "key\n" + "".join(f"k{number}\n" for number in range(count)))
        (self.folder / "rows.yaml").write_text(WORKFLOW.format(method=method))

    def operator(self, **arguments):
        arguments = {"task_id": "shards", "file": str(self.folder / "rows.yaml")} | arguments
        return GraphflowOperator(**arguments)

    def run(self, **arguments):
        task = Task(self.operator(**arguments))
        return task, task.run()

    def calls(self):
        with open(self.folder / "ledger.jsonl", encoding="utf-8") as lines:
            return len(lines.readlines())


@pytest.fixture(name="place")
def _place(tmp_path, monkeypatch):
    with graphflow_cli.sandbox(ledger=tmp_path / "ledger.jsonl") as graph:
        yield Place(tmp_path, monkeypatch, graph)


@contextmanager
def limited(tmp_path, monkeypatch, limits):
    """A place whose sandbox allows few calls."""
    world = subprocess.run(["graphflow", "sandbox", "--print-world"], check=True, text=True,
                           capture_output=True).stdout
    (tmp_path / "world.yaml").write_text(f"{world}\nlimits: {{{limits}}}\n")
    with graphflow_cli.sandbox(tmp_path / "world.yaml", ledger=tmp_path / "ledger.jsonl") as graph:
        yield Place(tmp_path, monkeypatch, graph, token="default")


def test_a_run_succeeds_once_for_each_logical_date(place):
    place.write(WRITE)
    task, _ = place.run()
    facts = task.pushed["graphflow"]
    assert (facts["status"], facts["succeeded"], facts["exit_code"]) == ("succeeded", 22, 0)
    sent = place.calls()
    again = Task(place.operator(), attempt=2)
    again.run()
    assert again.pushed["graphflow"]["run"] == facts["run"] and place.calls() == sent
    other = Task(place.operator(), date="2026-11-28T05:30:00+00:00")
    other.run()
    assert other.pushed["graphflow"]["run"] != facts["run"] and place.calls() > sent
    manual = Task(place.operator(), date=None)
    manual.run()
    assert manual.pushed["graphflow"]["run"] not in (facts["run"], other.pushed["graphflow"]["run"])


def test_no_token_is_in_arguments_logs_or_what_airflow_keeps(place):
    place.write(READ)
    (place.folder / "bin").mkdir()
    spy = place.folder / "bin/graphflow"
    real = graphflow_cli.find_graphflow()
    spy.write_text(f'#!/bin/sh\necho "$@" >> {place.folder}/words\nenv >> {place.folder}/env\n'
                   f'exec {real} "$@"\n')
    spy.chmod(0o755)
    place.monkeypatch.setattr("graphflow_cli.airflow.hooks.find_graphflow", lambda: str(spy))
    place.connect("page", app_secret="", inputs={"page": "a-secret-page"})
    task, _ = place.run()
    words, env = (place.folder / "words").read_text(), (place.folder / "env").read_text()
    assert f"GRAPHFLOW_ACCESS_TOKEN={place.token}" in env
    assert "GRAPHFLOW_INPUT_PAGE=a-secret-page" in env
    assert "AIRFLOW" not in env
    for text in (words, task.log, json.dumps(task.pushed)):
        assert place.token not in text and "a-secret-page" not in text


def test_a_limit_that_graph_announces_frees_the_worker(tmp_path, monkeypatch):
    with limited(tmp_path, monkeypatch, "window: 1m, app: 300, user: 300") as place:
        place.write(READ, count=900)
        before = datetime.now(timezone.utc)
        with pytest.raises(TaskDeferred) as deferred:
            place.run()
        # At 90 % a run is saved until Graph's hour has ended.
        moment = deferred.value.trigger.moment
        assert timedelta(minutes=50) < moment - before < timedelta(minutes=70)
        assert deferred.value.method_name == "execute"


def test_a_wait_inside_the_run_frees_the_worker_and_the_run_continues(place):
    place.write(READ)
    place.graph.fault("throttle", times=1)
    operator = place.operator()
    task = Task(operator)
    with pytest.raises(TaskDeferred) as deferred:
        task.run()
    wait = (deferred.value.trigger.moment - datetime.now(timezone.utc)).total_seconds()
    assert 30 < wait < 90 and "the run is saved" in task.log
    time.sleep(wait)
    again = Task(operator)
    again.run()
    facts = again.pushed["graphflow"]
    assert facts["succeeded"] == 22 and f"resumed: run {facts['run']}," in again.log
    assert f"started: run {facts['run']}," in task.log


def test_writes_in_doubt_end_the_task_without_another_try(place):
    place.write(WRITE, count=3)
    place.graph.fault("error_applied", method="POST")
    task = Task(place.operator())
    with pytest.raises(AirflowFailException, match="3 writes are in doubt.*--applied"):
        task.run()
    assert "rows[k0]" in task.log and "In doubt" in task.log
    facts = task.pushed["graphflow"]
    assert facts["in_doubt"] == 3 and sorted(facts["doubts"]) == ["rows[k0]", "rows[k1]", "rows[k2]"]
    report = Task(GraphflowReportOperator(task_id="report", runs=["shards"]), found=[facts, None])
    assert report.run()["in_doubt"] == 3
    (asset, extra), = report.events
    assert asset.uri == "graphflow://in-doubt/rows" and extra["run_key"] == "2026-11-27T05:30:00Z"
    assert sorted(extra["doubts"][facts["run"]]) == sorted(facts["doubts"])


def test_failed_rows_are_a_table_and_a_cleared_task_sends_them_again(place):
    place.write(READ)
    place.graph.fault("error", path="*", method="GET")
    task = Task(place.operator())
    with pytest.raises(AirflowFailException):
        task.run()
    table = task.log[task.log.index("Failed:"):].splitlines()
    assert table[1].split() == ["request", "path", "code", "reason", "message"]
    assert table[2].startswith("first")
    place.graph.fault("error", on=False)
    with pytest.raises(AirflowFailException):
        Task(place.operator()).run()
    cleared = Task(place.operator(), attempt=2)
    cleared.run()
    assert cleared.pushed["graphflow"]["succeeded"] == 22


def test_what_is_wrong_with_the_file_is_not_tried_again(place):
    place.write("gett: me")
    task = Task(place.operator())
    with pytest.raises(AirflowFailException, match="ended with 65"):
        task.run()
    assert "rows.yaml" in task.log and "gett" in task.log


def test_a_network_that_is_down_is_tried_again(place):
    place.write('get: me\n    retry: false')
    place.connect("page")
    place.monkeypatch.setenv("AIRFLOW_CONN_GRAPHFLOW_DEFAULT", json.dumps(
        {"conn_type": "graphflow", "password": place.token, "host": "http://127.0.0.1:9",
         "extra": {"state_dir": str(place.folder / "state")}}))
    (place.folder / "rows.yaml").write_text(
        "graphflow: 1\nrequests:\n  a: {get: me, retry: {max_elapsed: 1s, max_attempts: 1}}\n")
    task = Task(place.operator())
    with pytest.raises((AirflowException, TaskDeferred)) as ended:
        task.run()
    assert not isinstance(ended.value, AirflowFailException)


def test_a_task_that_is_stopped_stops_its_run(place):
    place.write(READ)
    place.graph.fault("delay")
    operator = place.operator()

    def stop(*_):
        raise KeyboardInterrupt
    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 2)
    with pytest.raises(KeyboardInterrupt):
        Task(operator).run()
    place.graph.fault("delay", on=False)
    task = Task(operator)
    task.run()
    assert task.pushed["graphflow"]["succeeded"] == 22


def test_a_part_waits_for_another_one_for_a_while_without_a_try(place):
    place.write(READ)
    shard = place.operator(shard="2/8", poll=timedelta(seconds=1))
    with pytest.raises(AirflowFailException, match="65"):
        Task(shard).run()
    place.run(shard="prologue/8")
    Task(shard).run()
    # The epilogue needs all shards, and seven are missing.
    epilogue = place.operator(shard="epilogue/8")
    with pytest.raises(TaskDeferred) as deferred:
        Task(epilogue).run()
    assert deferred.value.kwargs == {"waits": 1}
    with pytest.raises(AirflowException) as ended:
        epilogue.execute(Task(epilogue).context, waits=10)
    assert not isinstance(ended.value, AirflowFailException)


def test_shards_have_one_report(place):
    place.write(READ)
    parts = ["prologue/2", "1/2", "2/2", "epilogue/2"]
    place.connect("page", reports=str(place.folder / "reports"))
    found = [place.run(shard=part)[0].pushed["graphflow"] for part in parts]
    task = Task(GraphflowReportOperator(task_id="report", runs=["shards"]), found=found)
    assert task.run()["succeeded"] == 22 and not task.events
    assert (place.folder / "reports/rows/2026-11-27T053000Z/report.html").exists()
    assert (place.folder / "reports/rows/2026-11-27T053000Z/1-of-2.html").exists()


def test_a_run_that_another_process_continues_is_waited_for(place):
    place.write(READ)
    place.graph.fault("delay")
    operator = place.operator()
    other = threading.Thread(target=lambda: Task(operator).run())
    other.start()
    time.sleep(2)
    with pytest.raises(TaskDeferred):
        Task(place.operator()).run()
    place.graph.fault("delay", on=False)
    other.join()
    assert place.run()[0].pushed["graphflow"]["status"] == "succeeded"


def test_the_report_is_kept_and_linked(place):
    place.write(READ)
    place.connect("page", reports=str(place.folder / "reports"),
                  reports_url="https://reports.example/graphflow/")
    task, _ = place.run()
    name = "rows/2026-11-27T053000Z/report.html"
    link, = task.operator.operator_extra_links
    assert link.get_link(task.operator, ti_key=None) == f"https://reports.example/graphflow/{name}"
    assert "<html" in (place.folder / "reports" / name).read_text()


def test_the_connection_is_tested_by_asking_graph(place):
    assert GraphflowHook().test_connection()[0]
    place.connect("nonsense")
    is_good, message = GraphflowHook().test_connection()
    assert not is_good and "nonsense" not in message


@pytest.mark.parametrize("shards", [1, 8])
def test_the_written_dag_is_what_ruff_and_airflow_accept(tmp_path, shards):
    (tmp_path / "rows.yaml").write_text(WORKFLOW.format(method=READ))
    (tmp_path / "dags").mkdir()
    (tmp_path / "dags/.airflowignore").write_text("")
    target = tmp_path / "dags/rows.py"
    subprocess.run(["graphflow", "export", "airflow", tmp_path / "rows.yaml", "--shards",
                    str(shards), "--output", target, "--pool", "page"], check=True)
    folder = os.path.dirname(sys.executable)
    for words in (["check", "--isolated", "--select", "E,F,W,I,UP,B,PL,AIR"],
                  ["format", "--isolated", "--check"]):
        done = subprocess.run([f"{folder}/ruff", *words, target], capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, done.stdout
    bag = DagBag(tmp_path / "dags")
    assert not bag.import_errors
    dag = bag.dags["rows"]
    assert str(dag.timezone) == "Europe/Berlin" and not dag.catchup and dag.max_active_runs == 1
    assert dag.timetable.expression == "30 6 * * mon-fri"
    names = ["prologue", "shards", "epilogue"] if shards > 1 else ["run"]
    assert sorted(dag.task_ids) == sorted([*names, "report"])
    assert dag.get_task("report").is_teardown and dag.get_task(names[0]).pool == "page"
    DagSerialization.to_dict(dag)
    if shards > 1:
        mapped = dag.get_task("shards").expand_input.value["shard"]
        assert mapped == [f"{number}/8" for number in range(1, 9)]


def test_airflow_finds_the_provider():
    manager = ProvidersManagerTaskRuntime()
    manager.initialize_providers_hooks()
    assert manager.hooks["graphflow"].connection_id_attribute_name == "graphflow_conn_id"
    assert get_provider_info()["extra-links"] == [
        f"{GraphflowReportLink.__module__}.{GraphflowReportLink.__name__}"]
