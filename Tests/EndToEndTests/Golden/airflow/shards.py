# Runs workflows of GraphFlow: nightly_audit.
# Written by: graphflow export airflow

import pendulum
from airflow.sdk import DAG, Param
from graphflow_cli.airflow.operators import GraphflowOperator, GraphflowReportOperator

with DAG(
    dag_id="nightly_audit",
    schedule="30 6 * * mon-fri",
    start_date=pendulum.datetime(2026, 1, 1, tz="Europe/Berlin"),
    catchup=False,
    max_active_runs=1,
    default_args={
        "graphflow_conn_id": "x",
        "pool": "page's",
        "retries": 3,
        "retry_delay": pendulum.duration(minutes=5),
    },
    params={
        "fields": Param("id,\"name\"\n", type="string"),
        "count": Param(3, type="integer"),
        "tags": Param(["a", True], type="array"),
    },
    tags=["graphflow"],
):
    # The connection has the values of 'page'.
    prologue = GraphflowOperator(
        task_id="prologue",
        shard="prologue/8",
        file="/srv/workflows/nightly.yaml",
        params_as_inputs=True,
    )
    shards = GraphflowOperator.partial(
        task_id="shards",
        file="/srv/workflows/nightly.yaml",
        params_as_inputs=True,
    ).expand(shard=[f"{number}/8" for number in range(1, 9)])
    epilogue = GraphflowOperator(
        task_id="epilogue",
        shard="epilogue/8",
        file="/srv/workflows/nightly.yaml",
        params_as_inputs=True,
    )
    report = GraphflowReportOperator(
        task_id="report",
        runs=["prologue", "shards", "epilogue"],
    ).as_teardown()
    prologue >> shards >> epilogue >> report
