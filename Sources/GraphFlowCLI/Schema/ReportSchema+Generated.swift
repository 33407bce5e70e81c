// Written by `make record` from schemas/report.schema.json; a test compares them.

/// The published JSON Schema of a report.
enum ReportSchema {
  /// The file's text.
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:graphflow:schema:report:1",
      "title": "GraphFlow results report, version 1",
      "description": "What a run of a workflow came to. Readers should ignore members that they do not know: later versions of the tool may add some, and never change what one means.",
      "type": "object",
      "required": ["graphflow_report", "tool", "run", "summary", "permissions", "requests", "calls", "outputs"],
      "additionalProperties": false,
      "properties": {
        "graphflow_report": {"description": "The version of this format.", "const": 1},
        "tool": {
          "description": "What wrote the report.",
          "type": "object",
          "required": ["name", "version"],
          "additionalProperties": false,
          "properties": {
            "name": {"const": "graphflow"},
            "version": {"type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+"}
          }
        },
        "run": {"$ref": "#/$defs/run"},
        "summary": {"$ref": "#/$defs/summary"},
        "permissions": {
          "description": "What each token's permissions were last found to be.",
          "type": "array",
          "items": {"$ref": "#/$defs/permission"}
        },
        "requests": {
          "description": "One entry for each request of the file, in the file's order; of a for_each one for each item.",
          "type": "array",
          "items": {"$ref": "#/$defs/request"}
        },
        "calls": {
          "description": "Every HTTP call, in the order in which they were started.",
          "type": "array",
          "items": {"$ref": "#/$defs/call"}
        },
        "outputs": {"description": "The workflow's outputs by name; empty before the end.", "type": "object"}
      },
      "$defs": {
        "moment": {
          "description": "RFC 3339, UTC, with milliseconds.",
          "type": "string",
          "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$"
        },
        "count": {"type": "integer", "minimum": 0},
        "number": {"type": "integer", "minimum": 1},
        "run": {
          "type": "object",
          "required": [
            "id", "workflow", "file", "file_sha256", "started_at", "finished_at", "duration_ms", "status",
            "exit_code", "graph_version", "graph_url", "profile", "resumed", "inputs"
          ],
          "additionalProperties": false,
          "properties": {
            "id": {"description": "A ULID; the same after a resume.", "type": "string", "pattern": "^[0-9A-HJKMNP-TV-Z]{26}$"},
            "workflow": {"description": "The workflow's name.", "type": "string"},
            "file": {"description": "The workflow file's path as it was given.", "type": "string"},
            "file_sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "started_at": {"$ref": "#/$defs/moment"},
            "finished_at": {"description": "Null before the end.", "oneOf": [{"$ref": "#/$defs/moment"}, {"type": "null"}]},
            "duration_ms": {"description": "How long the run was at work by the wall clock, without the time between its sessions if it was resumed; null before the end.", "type": ["integer", "null"], "minimum": 0},
            "status": {"enum": ["succeeded", "failed", "in_doubt", "cancelled", "unfinished"]},
            "exit_code": {"description": "The command's exit code.", "type": "integer", "minimum": 0, "maximum": 255},
            "resume_after": {"description": "From when on it is of use to go on; only where a limit or an outage ended the run.", "$ref": "#/$defs/moment"},
            "graph_version": {"type": "string", "pattern": "^v[0-9]+\\.[0-9]+$"},
            "graph_url": {"type": "string"},
            "profile": {"description": "Where the workflow's token came from.", "type": "string"},
            "resumed": {"description": "How often the run was resumed.", "$ref": "#/$defs/count"},
            "inputs": {"description": "The inputs by name; secrets are \"***\".", "type": "object"}
          }
        },
        "summary": {
          "description": "The figures. Requests that are in none of the five outcomes have not ended.",
          "type": "object",
          "required": [
            "requests", "succeeded", "failed", "skipped", "in_doubt", "cancelled", "attempts", "calls",
            "calls_lower_bound", "waited_ms"
          ],
          "additionalProperties": false,
          "properties": {
            "requests": {"$ref": "#/$defs/count"},
            "succeeded": {"$ref": "#/$defs/count"},
            "failed": {"$ref": "#/$defs/count"},
            "skipped": {"$ref": "#/$defs/count"},
            "in_doubt": {"$ref": "#/$defs/count"},
            "cancelled": {"$ref": "#/$defs/count"},
            "attempts": {"$ref": "#/$defs/count"},
            "calls": {"description": "Calls of the kinds batch and single.", "$ref": "#/$defs/count"},
            "calls_lower_bound": {
              "description": "The fewest calls that any packing of the operations that were sent could have used; null before the end.",
              "type": ["integer", "null"],
              "minimum": 0
            },
            "waited_ms": {
              "description": "Time spent waiting for retries and throttles; null before the end.",
              "type": ["integer", "null"],
              "minimum": 0
            }
          }
        },
        "permission": {
          "type": "object",
          "required": ["token", "permission", "status"],
          "additionalProperties": false,
          "properties": {
            "token": {"description": "The profile whose token it is, or the reference that the token came from.", "type": "string"},
            "permission": {"type": "string"},
            "status": {"enum": ["granted", "declined", "expired", "missing"]}
          }
        },
        "request": {
          "type": "object",
          "required": [
            "name", "status", "method", "path", "resolved_path", "item", "line", "code", "body", "error",
            "skip_reason", "depends_on", "expectations", "attempts"
          ],
          "additionalProperties": false,
          "properties": {
            "name": {"description": "An instance of a group is \"publish.post\".", "type": "string"},
            "status": {
              "description": "The outcome; null where the run was interrupted before there was one.",
              "enum": ["succeeded", "failed", "skipped", "in_doubt", "cancelled", null]
            },
            "method": {"enum": ["GET", "POST", "DELETE"]},
            "path": {"description": "The path's template as written.", "type": "string"},
            "resolved_path": {"description": "The path that was sent; null if nothing was.", "type": ["string", "null"]},
            "item": {
              "description": "Which item of a for_each; null for other requests.",
              "oneOf": [
                {"type": "null"},
                {
                  "type": "object",
                  "required": ["index", "key"],
                  "additionalProperties": false,
                  "properties": {"index": {"$ref": "#/$defs/count"}, "key": {"type": ["string", "number"]}}
                }
              ]
            },
            "line": {"description": "The line of the name in the file.", "$ref": "#/$defs/number"},
            "code": {"description": "The operation's last HTTP status; null if it was not answered.", "type": ["integer", "null"]},
            "body": {"description": "The answer's body as received; a string if it is not JSON, null if there is none or it is not kept."},
            "error": {"description": "Why it failed or is in doubt.", "oneOf": [{"$ref": "#/$defs/error"}, {"type": "null"}]},
            "skip_reason": {"enum": ["condition", "dependency", "permission", "stopped", null]},
            "note": {"description": "What is told besides the outcome: that a link to the next page repeats.", "type": "string"},
            "depends_on": {
              "description": "The requests it waits for, for data or for order.",
              "type": "array",
              "items": {"type": "string"}
            },
            "expectations": {"type": "array", "items": {"$ref": "#/$defs/expectation"}},
            "attempts": {"type": "array", "items": {"$ref": "#/$defs/attempt"}}
          }
        },
        "error": {
          "description": "Graph's own fields, null where it gave none, and the tool's judgement.",
          "type": "object",
          "required": [
            "message", "type", "code", "error_subcode", "error_user_title", "error_user_msg", "is_transient",
            "fbtrace_id", "category", "reason", "hint"
          ],
          "additionalProperties": false,
          "properties": {
            "message": {"type": "string"},
            "type": {"type": ["string", "null"]},
            "code": {"type": ["integer", "null"]},
            "error_subcode": {"type": ["integer", "null"]},
            "error_user_title": {"type": ["string", "null"]},
            "error_user_msg": {"type": ["string", "null"]},
            "is_transient": {"type": ["boolean", "null"]},
            "fbtrace_id": {"type": ["string", "null"]},
            "category": {"enum": ["transient", "recoverable", "other"]},
            "reason": {
              "enum": [
                "throttled", "server", "network", "timeout", "token", "permission", "parameter", "not_found",
                "duplicate", "policy", "dependency", "expectation", "unresolved_reference", "query_limit",
                "cancelled", "unknown"
              ]
            },
            "hint": {"description": "What a person can do.", "type": "string"}
          }
        },
        "expectation": {
          "type": "object",
          "required": ["check", "passed", "message", "actual"],
          "additionalProperties": false,
          "properties": {
            "check": {"description": "The expression as written.", "type": "string"},
            "passed": {"type": "boolean"},
            "message": {"description": "The author's message.", "type": ["string", "null"]},
            "actual": {"description": "The value of the left side of a comparison, else null."}
          }
        },
        "attempt": {
          "type": "object",
          "required": ["number", "call", "started_at", "duration_ms", "outcome", "code"],
          "additionalProperties": false,
          "properties": {
            "number": {"$ref": "#/$defs/number"},
            "call": {"description": "The number of the call that carried it.", "$ref": "#/$defs/number"},
            "started_at": {"$ref": "#/$defs/moment"},
            "duration_ms": {"$ref": "#/$defs/count"},
            "outcome": {"enum": ["succeeded", "failed", "in_doubt"]},
            "code": {"type": ["integer", "null"]}
          }
        },
        "call": {
          "type": "object",
          "required": [
            "number", "round", "kind", "operations", "http_status", "started_at", "duration_ms", "bytes_sent",
            "bytes_received", "usage"
          ],
          "additionalProperties": false,
          "properties": {
            "number": {"$ref": "#/$defs/number"},
            "round": {"description": "Calls of a round may be under way together.", "$ref": "#/$defs/number"},
            "kind": {"enum": ["batch", "single", "confirm", "auth"]},
            "operations": {"description": "The names of the requests it carried, in its order.", "type": "array", "items": {"type": "string"}},
            "http_status": {"description": "Null if there was no answer.", "type": ["integer", "null"]},
            "started_at": {"$ref": "#/$defs/moment"},
            "duration_ms": {"description": "Null if the run was interrupted first.", "type": ["integer", "null"], "minimum": 0},
            "bytes_sent": {"type": ["integer", "null"], "minimum": 0},
            "bytes_received": {"type": ["integer", "null"], "minimum": 0},
            "usage": {"description": "What Graph's usage headers said, worst of all of the answer's.", "type": ["object", "null"]}
          }
        },
        "line": {
          "description": "A line of a report in the form .jsonl: one run, then requests as they end, at last one summary.",
          "oneOf": [{"$ref": "#/$defs/run_line"}, {"$ref": "#/$defs/request_line"}, {"$ref": "#/$defs/summary_line"}]
        },
        "run_line": {
          "type": "object",
          "required": ["graphflow_report", "tool", "run"],
          "additionalProperties": false,
          "properties": {
            "graphflow_report": {"const": 1},
            "tool": {"type": "object"},
            "run": {
              "description": "What is known of the run when it starts.",
              "type": "object",
              "required": [
                "id", "workflow", "file", "file_sha256", "started_at", "graph_version", "graph_url", "profile",
                "resumed", "inputs"
              ],
              "additionalProperties": false,
              "properties": {
                "id": {"type": "string", "pattern": "^[0-9A-HJKMNP-TV-Z]{26}$"},
                "workflow": {"type": "string"},
                "file": {"type": "string"},
                "file_sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                "started_at": {"$ref": "#/$defs/moment"},
                "graph_version": {"type": "string", "pattern": "^v[0-9]+\\.[0-9]+$"},
                "graph_url": {"type": "string"},
                "profile": {"type": "string"},
                "resumed": {"$ref": "#/$defs/count"},
                "inputs": {"type": "object"}
              }
            }
          }
        },
        "request_line": {
          "type": "object",
          "required": ["request"],
          "additionalProperties": false,
          "properties": {"request": {"$ref": "#/$defs/request"}}
        },
        "summary_line": {
          "type": "object",
          "required": ["summary"],
          "additionalProperties": false,
          "properties": {
            "summary": {
              "description": "How the run ended, and the members of the summary.",
              "type": "object",
              "required": [
                "finished_at", "duration_ms", "status", "exit_code", "requests", "succeeded", "failed", "skipped",
                "in_doubt", "cancelled", "attempts", "calls", "calls_lower_bound", "waited_ms", "permissions",
                "outputs"
              ],
              "additionalProperties": false,
              "properties": {
                "finished_at": {"oneOf": [{"$ref": "#/$defs/moment"}, {"type": "null"}]},
                "duration_ms": {"type": ["integer", "null"], "minimum": 0},
                "status": {"enum": ["succeeded", "failed", "in_doubt", "cancelled", "unfinished"]},
                "exit_code": {"type": "integer", "minimum": 0, "maximum": 255},
                "requests": {"$ref": "#/$defs/count"},
                "succeeded": {"$ref": "#/$defs/count"},
                "failed": {"$ref": "#/$defs/count"},
                "skipped": {"$ref": "#/$defs/count"},
                "in_doubt": {"$ref": "#/$defs/count"},
                "cancelled": {"$ref": "#/$defs/count"},
                "attempts": {"$ref": "#/$defs/count"},
                "calls": {"$ref": "#/$defs/count"},
                "calls_lower_bound": {"type": ["integer", "null"], "minimum": 0},
                "waited_ms": {"type": ["integer", "null"], "minimum": 0},
                "permissions": {"type": "array", "items": {"$ref": "#/$defs/permission"}},
                "outputs": {"type": "object"}
              }
            }
          }
        }
      }
    }

    """#
}
