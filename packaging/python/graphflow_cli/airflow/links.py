"""The link from a task to the report of its run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from airflow.sdk import BaseOperatorLink

if TYPE_CHECKING:
    from airflow.sdk import BaseOperator
    from airflow.sdk.types import TaskInstanceKey


class GraphflowReportLink(BaseOperatorLink):
    """The button "Report", if the connection says where reports are kept and read."""

    name = "Report"

    def get_link(self, operator: BaseOperator, *, ti_key: TaskInstanceKey) -> str:
        """Called by the worker at the end of the task; Airflow keeps the address."""
        return getattr(operator, "report_url", None) or ""
