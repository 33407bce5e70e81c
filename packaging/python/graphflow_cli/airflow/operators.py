"""Operators that run workflows, whole or in shards."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from airflow.providers.standard.triggers.temporal import DateTimeTrigger
from airflow.sdk import Asset, AssetAlias, BaseOperator
from airflow.sdk.exceptions import AirflowException, AirflowFailException

from graphflow_cli.airflow.hooks import GraphflowHook
from graphflow_cli.airflow.links import GraphflowReportLink
from graphflow_cli.airflow.results import Lines, Result, table

if TYPE_CHECKING:
    from airflow.sdk import Context

#: How often a task waits for another part of its job, or another run, before that is a failed try.
WAITS = 10
#: Codes that another try may change: Graph was unreachable, the machine has too little, a signal.
TRIED_AGAIN = (69, 71, 130, 143)
#: A run that has ended so is continued by `resume` only, which a person asks for by clearing.
RESUMED_IF_CLEARED = (1, 69, 77)


def run_key(context: Context) -> str:
    """The logical date, so that a cleared or repeated DAG run is the same run; else its id."""
    run = context["dag_run"]
    if run.logical_date is None:
        return str(run.run_id)
    return run.logical_date.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def report_name(context: Context, end: str) -> str:
    """Where a report is kept, below the place of all reports."""
    key = run_key(context).replace(":", "").replace("/", "-")
    return f"{context['dag'].dag_id}/{key}/{end}.html"


class GraphflowOperator(BaseOperator):
    """Runs a workflow, or one shard of it; map it over the shards with `expand(shard=[…])`.

    A run that has to wait for a limit gives its worker back and continues when the wait has ended.
    Writes in doubt and failed rows end the task without another try, and are in its log. Each try,
    clear and backfill of one logical date is the same run: nothing that succeeded is sent again.

    :param file: the workflow, at the same path on each worker
    :param shard: such as `2/8`, `prologue/8` or `epilogue/8`; all shards need the same state
    :param inputs: values of inputs; `params_as_inputs` adds the values of the DAG's params
    :param profile: whose token is used; `default` is the connection's, None what the file says
    :param options: further options of `graphflow run`
    :param defer_after: waits that are longer than this free the worker
    :param poll: how long to wait if another process is still at work on the same run
    """

    template_fields: Sequence[str] = ("file", "shard", "inputs", "options")
    operator_extra_links = (GraphflowReportLink(),)
    ui_color = "#dce6f7"

    def __init__(
        self, *, file: str, shard: str | None = None, inputs: Mapping[str, Any] | None = None,
        params_as_inputs: bool = False, profile: str | None = "default",
        options: Sequence[str] = (), graphflow_conn_id: str = GraphflowHook.default_conn_name,
        defer_after: timedelta = timedelta(seconds=30), poll: timedelta = timedelta(minutes=1),
        map_index_template: str = "{{ task.shard }}", **kwargs: Any,
    ) -> None:
        super().__init__(map_index_template=map_index_template, **kwargs)
        self.file = file
        self.shard = shard
        self.inputs = inputs
        self.params_as_inputs = params_as_inputs
        self.profile = profile
        self.options = options
        self.graphflow_conn_id = graphflow_conn_id
        self.defer_after = defer_after
        self.poll = poll
        self.report_url: str | None = None

    def execute(self, context: Context, event: Any = None, waits: int = 0) -> Any:
        """Starts the run or continues it; also called when a wait has ended."""
        words = ["run", self.file, "--run-key", run_key(context), "--on-overlap", "skip"]
        words += ["--shard", self.shard] if self.shard else []
        words += ["--profile", self.profile] if self.profile else []
        words += self.options
        inputs = dict(self.inputs or {}) | (
            dict(context["params"]) if self.params_as_inputs else {})
        lines, code, result = self._run(words, inputs)
        if (result and code in RESUMED_IF_CLEARED and not lines.has_begun
                and context["ti"].try_number > 1):
            self.log.info("The run had ended with %s; it is resumed", code)
            lines, code, result = self._run(["resume", result.run["id"]], {})
        if result is None and (code == 0 or code == 75 and waits < WAITS):
            self.log.info("Another process is still at work on this run, or what it needs is")
            self._wait(datetime.now(timezone.utc) + self.poll, 0 if code == 0 else waits + 1)
        if result is None:
            raise (AirflowException if code in (75, *TRIED_AGAIN) else AirflowFailException)(
                f"graphflow ended with {code}, and sent nothing; its messages are above")
        until = result.resume_after if code == 75 else lines.pause_until if code == 143 else None
        if until is not None:
            self._wait(until)
        return self._end(context, code, result)

    def _run(
        self, words: Sequence[str], inputs: Mapping[str, Any]
    ) -> tuple[Lines, int, Result | None]:
        """Runs the command until it ends, or until it would wait for long."""
        lines = Lines(self.log)
        with tempfile.TemporaryDirectory(prefix="graphflow-") as folder:
            report, values = os.path.join(folder, "report.jsonl"), os.path.join(folder, "in.json")
            if inputs:
                with open(os.open(values, os.O_CREAT | os.O_WRONLY, 0o600), "w",
                          encoding="utf-8") as file:
                    json.dump(inputs, file)
                words = [*words, "--inputs", values]
            with GraphflowHook(self.graphflow_conn_id).started(
                    *words, "--report", report, "--progress", "json", "--log-format", "json",
            ) as process:
                pause = None
                assert process.stderr is not None
                for _ in lines.take(process.stderr):
                    end = lines.pause_until
                    if (pause is None and end is not None
                            and end - datetime.now(timezone.utc) > self.defer_after):
                        self.log.info("The wait is longer than %s: the run is saved",
                                      self.defer_after)
                        pause = end
                        process.terminate()
            lines.pause_until = pause
            return lines, process.returncode, Result.read(report)

    def _wait(self, until: datetime, waits: int = 0) -> None:
        """Gives the worker back."""
        self.log.info("To be continued at %s", until.isoformat())
        self.defer(trigger=DateTimeTrigger(moment=until), method_name="execute",
                   kwargs={"waits": waits})

    def _end(self, context: Context, code: int, result: Result) -> Any:
        """The end of the task: its result for other tasks, its report, and its failure."""
        facts = result.facts()
        context["ti"].xcom_push(key="graphflow", value=facts)
        shard = (self.shard or "report").replace("/", "-of-")
        self.report_url = GraphflowHook(self.graphflow_conn_id).publish_report(
            [facts["run"]], report_name(context, shard))
        if result.in_doubt:
            self.log.error("In doubt, each write may have happened:\n%s",
                           table(result.in_doubt, facts["in_doubt"]))
        if result.failed:
            self.log.error("Failed:\n%s", table(result.failed, facts["failed"]))
        if code == 0:
            return facts["outputs"]
        if code == 3:
            raise AirflowFailException(
                f"{facts['in_doubt']} writes are in doubt. Check each, then: graphflow resume "
                f"{facts['run']} with --applied NAME=ID or --not-applied NAME; then clear the task")
        raise (AirflowException if code in (75, *TRIED_AGAIN) else AirflowFailException)(
            f"graphflow ended with {code} ({facts['status']}): {facts['failed']} failed")


class GraphflowReportOperator(BaseOperator):
    """Reports what the shards did as one, and says in an asset event which writes are in doubt.

    It runs after them, however they have ended. The event is one of the asset alias `doubt`
    (`graphflow-in-doubt`); its `extra` has `dag_id`, `run_key` and, by run, the doubtful requests.

    :param runs: the ids of the tasks whose runs are reported
    """

    operator_extra_links = (GraphflowReportLink(),)
    ui_color = "#dce6f7"

    def __init__(
        self, *, runs: Sequence[str], doubt: str = "graphflow-in-doubt",
        graphflow_conn_id: str = GraphflowHook.default_conn_name, **kwargs: Any,
    ) -> None:
        self.doubt = AssetAlias(doubt)
        super().__init__(outlets=[self.doubt], **kwargs)
        self.runs = runs
        self.graphflow_conn_id = graphflow_conn_id
        self.report_url: str | None = None

    def execute(self, context: Context) -> dict[str, int]:
        """Returns the sums of all shards."""
        found = context["ti"].xcom_pull(task_ids=list(self.runs), key="graphflow") or []
        shards = [facts for facts in found if facts]
        names = ("requests", "succeeded", "failed", "in_doubt", "skipped", "cancelled")
        sums = {name: sum(facts[name] or 0 for facts in shards) for name in names}
        self.log.info("%s", ", ".join(f"{name} {number}" for name, number in sums.items()))
        if shards:
            # All parts are one job, if there are several.
            words = [shards[-1]["job"] or shards[-1]["run"]]
            self.report_url = GraphflowHook(self.graphflow_conn_id).publish_report(
                words, report_name(context, "report"))
        doubts = {facts["run"]: facts["doubts"] for facts in shards if facts["in_doubt"]}
        if doubts:
            dag = context["dag"].dag_id
            self.log.error("Writes are in doubt: %s", doubts)
            context["outlet_events"][self.doubt].add(
                Asset(f"graphflow-in-doubt-{dag}", uri=f"graphflow://in-doubt/{dag}"),
                extra={"dag_id": dag, "run_key": run_key(context), "doubts": doubts})
        return sums
