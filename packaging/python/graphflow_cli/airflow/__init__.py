"""Workflows in Apache Airflow: `pip install graphflow-cli[airflow]`.

    from graphflow_cli.airflow.operators import GraphflowOperator

    GraphflowOperator.partial(task_id="shards", file="/srv/post.yaml").expand(
        shard=["1/2", "2/2"])

`graphflow export airflow` writes a whole DAG. Nothing is imported here, because Airflow asks every
installed provider for its information.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any


def get_provider_info() -> dict[str, Any]:
    """What Airflow wants to know of a provider; the entry point `apache_airflow_provider`."""
    here = "graphflow_cli.airflow"
    return {
        "package-name": "graphflow-cli",
        "name": "GraphFlow",
        "description": "Workflows against Meta's Graph API.",
        "versions": [version("graphflow-cli")],
        "connection-types": [{
            "connection-type": "graphflow",
            "hook-class-name": f"{here}.hooks.GraphflowHook",
            "hook-name": "GraphFlow",
        }],
        "extra-links": [f"{here}.links.GraphflowReportLink"],
    }
