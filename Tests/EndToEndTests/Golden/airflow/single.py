# Runs workflows of GraphFlow: single.
# Written by: graphflow export airflow

import pendulum
from airflow.sdk import DAG
from graphflow_cli.airflow.operators import GraphflowOperator, GraphflowReportOperator

with DAG(
    dag_id="single",
    schedule=None,
    start_date=pendulum.datetime(2026, 1, 1, tz="UTC"),
    catchup=False,
    max_active_runs=1,
    default_args={
        "graphflow_conn_id": "graphflow_default",
        "retries": 3,
        "retry_delay": pendulum.duration(minutes=5),
    },
    tags=["graphflow"],
):
    run = GraphflowOperator(
        task_id="run",
        file="/srv/workflows/nightly.yaml",
    )
    report = GraphflowReportOperator(
        task_id="report",
        runs=["run"],
    ).as_teardown()
    run >> report
