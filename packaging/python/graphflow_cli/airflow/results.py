"""What the operators read: the command's lines while it runs, and its report."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

#: How many failed or doubtful rows of a run are shown and kept.
SHOWN = 50


@dataclass
class Result:
    """The end of a run, from its report of lines, without what succeeded."""

    run: dict[str, Any] = field(default_factory=dict)
    summary: dict[str, Any] = field(default_factory=dict)
    failed: list[dict[str, Any]] = field(default_factory=list)
    in_doubt: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def read(cls, path: str) -> Result | None:
        """None if there is no report: nothing was run."""
        result = cls()
        try:
            with open(path, encoding="utf-8") as lines:
                for line in lines:
                    # Most lines are of requests that succeeded.
                    entry = json.loads(line)
                    request = entry.get("request")
                    if request is None:
                        result.run = entry.get("run", result.run)
                        result.summary = entry.get("summary", result.summary)
                    elif request["status"] in ("failed", "in_doubt"):
                        rows: list[dict[str, Any]] = getattr(result, request["status"])
                        if len(rows) < SHOWN:
                            rows.append(row(request))
        except FileNotFoundError:
            return None
        return result

    @property
    def resume_after(self) -> datetime | None:
        """The earliest useful time to continue, if a limit, a budget or an outage ended the run."""
        return moment(self.summary.get("resume_after"))

    def facts(self) -> dict[str, Any]:
        """What other tasks may use, small enough for Airflow's database."""
        names = ("status", "exit_code", "requests", "succeeded", "failed", "in_doubt", "skipped",
                 "cancelled", "outputs")
        return {"run": self.run.get("id"), "job": self.run.get("job"),
                "doubts": [entry["request"] for entry in self.in_doubt],
                **{name: self.summary.get(name) for name in names}}


def row(request: dict[str, Any]) -> dict[str, str]:
    """A request of the report as a row of a table."""
    error, item = request["error"] or {}, request["item"] or {}
    code = "/".join(str(error[name]) for name in ("code", "subcode") if error.get(name) is not None)
    checks = [check["check"] for check in request["expectations"] if not check["passed"]]
    return {
        "request": f"{request['name']}[{item['key']}]" if item else request["name"],
        "path": request["resolved_path"] or request["path"],
        "code": code,
        "reason": str(error.get("reason") or ""),
        "message": str(error.get("message") or "; ".join(checks)),
    }


def table(rows: list[dict[str, str]], count: int) -> str:
    """Rows as aligned text; `count` is the number of all."""
    names = list(rows[0])
    widths = [max(len(name), *(len(entry[name]) for entry in rows)) for name in names]
    lines = [dict(zip(names, names)), *rows]
    text = ["  ".join(entry[name].ljust(width) for name, width in zip(names, widths)).rstrip()
            for entry in lines]
    return "\n".join(text + ([f"… and {count - len(rows)} more"] if count > len(rows) else []))


def moment(text: str | None) -> datetime | None:
    """A time as reports write it."""
    return None if text is None else datetime.fromisoformat(text.replace("Z", "+00:00"))


class Lines:
    """The command's lines (`--progress json --log-format json`) as lines of the task's log."""

    def __init__(self, log: Any) -> None:
        self.log = log
        #: Whether a run was begun or continued; otherwise the end of an earlier one was repeated.
        self.has_begun = False
        #: Until when nothing can be sent, and nothing is under way.
        self.pause_until: datetime | None = None
        self._shown = 0.0

    def take(self, lines: Iterable[str]) -> Iterable[None]:
        """Logs each line, and yields after it."""
        for line in lines:
            try:
                self._log(json.loads(line))
            except ValueError:
                self.log.info("%s", line.rstrip())
            yield

    def _log(self, entry: dict[str, Any]) -> None:
        event = entry.get("event")
        if event is None:
            level = logging.getLevelName(entry.get("level", "info").upper())
            text = entry.get("message", "")
            for name in ("hint", "fix"):
                text += f"\n{name}: {entry[name]}" if entry.get(name) else ""
            place = f"{entry['file']}:{entry['line']}: " if entry.get("line") else ""
            self.log.log(level, "%s%s", place, text)
            return
        self.has_begun = True
        pause = entry["pause"]
        is_idle = event == "progress" and pause is not None and entry["calls_in_flight"] == 0
        self.pause_until = moment(pause["until"]) if is_idle else None
        count = f"{entry['done']} of {entry['total'] or '?'} done"
        if event == "failure":
            first = entry["failure"]
            item = f"[{first['item']}]" if first["item"] else ""
            self.log.warning("%s%s: %s: %s", first["request"], item, first["status"],
                             first["message"] or "not sent")
        elif event == "paused":
            self.log.info("paused until %s: %s (%s)", pause["until"], pause["cause"], count)
        elif event == "progress":
            time = (moment(entry["at"]) or datetime.min).timestamp()
            if time - self._shown >= 30:
                self._shown = time
                self.log.info("%s, %s failed", count, entry["failed"])
        else:
            self.log.info("%s: run %s, %s", event, entry["run"], count)
