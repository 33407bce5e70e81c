// Written by `make record` from schemas/workflow.schema.json; a test compares them.

/// The published JSON Schema of a workflow.
enum WorkflowSchema {
  /// The file's text.
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "https://graphflow.dev/schemas/workflow-1.json",
      "title": "GraphFlow workflow, version 1",
      "description": "A workflow of Graph API requests. What a schema cannot say (unknown names, cycles, queries) is checked by `graphflow validate`.",
      "type": "object",
      "required": ["graphflow", "requests"],
      "additionalProperties": false,
      "patternProperties": {"^x-": true},
      "properties": {
        "graphflow": {"const": 1, "description": "The language's version."},
        "name": {"type": "string", "description": "Shown in reports; by default the file's name without its extension."},
        "description": {"type": "string"},
        "inputs": {
          "description": "Values that a run is given from outside: --input, --inputs, GRAPHFLOW_INPUT_NAME.",
          "type": ["object", "null"],
          "propertyNames": {"$ref": "#/$defs/name"},
          "additionalProperties": {"oneOf": [{"$ref": "#/$defs/inputType"}, {"$ref": "#/$defs/input"}]}
        },
        "version": {"$ref": "#/$defs/version"},
        "token": {"type": "string", "description": "The credential profile; by default `default`. Never a token itself."},
        "permissions": {"$ref": "#/$defs/permissions"},
        "defaults": {
          "description": "Holds for every request that does not say otherwise.",
          "type": ["object", "null"],
          "additionalProperties": false,
          "properties": {
            "retry": {"$ref": "#/$defs/retry"},
            "timeout": {"$ref": "#/$defs/duration"},
            "on_error": {"$ref": "#/$defs/onError"},
            "headers": {"$ref": "#/$defs/headers"}
          }
        },
        "errors": {
          "description": "Extra rules for classifying errors.",
          "type": ["array", "null"],
          "items": {
            "type": "object",
            "required": ["code", "category"],
            "additionalProperties": false,
            "properties": {
              "code": {"type": "integer"},
              "subcode": {"type": "integer"},
              "category": {"enum": ["transient", "recoverable", "other"]},
              "reason": {"$ref": "#/$defs/reason"}
            }
          }
        },
        "requests": {
          "description": "The named requests; their order is the order in reports.",
          "type": "object",
          "minProperties": 1,
          "maxProperties": 100000,
          "propertyNames": {"$ref": "#/$defs/name"},
          "additionalProperties": {"$ref": "#/$defs/request"}
        },
        "outputs": {
          "description": "Printed and put in the report when the run ends.",
          "type": ["object", "null"],
          "additionalProperties": true
        },
        "schedule": {
          "description": "When it should run; comes with a later version of the tool.",
          "type": "object",
          "additionalProperties": false,
          "required": ["cron"],
          "properties": {"cron": {"type": "string"}, "timezone": {"type": "string"}}
        }
      },
      "$defs": {
        "name": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_-]{0,63}$"},
        "version": {"type": "string", "pattern": "^v[0-9]+\\.[0-9]+$", "description": "A Graph API version, such as v25.0."},
        "duration": {"type": "string", "pattern": "^[0-9]+(ms|s|m|h)$", "description": "250ms, 30s, 5m, 2h."},
        "permissions": {
          "description": "Prerequisites: without them the request is skipped, not sent.",
          "type": ["array", "null"],
          "items": {"type": "string"}
        },
        "onError": {"enum": ["continue", "stop", "ignore"], "description": "stop: start nothing more; ignore: the failure does not fail the run."},
        "reason": {
          "enum": [
            "throttled", "server", "network", "timeout", "token", "permission", "parameter", "not_found",
            "duplicate", "policy", "dependency", "expectation", "unresolved_reference", "query_limit",
            "cancelled", "unknown"
          ]
        },
        "headers": {
          "description": "Sent with the operation; Authorization, Host, Cookie and the like are refused.",
          "type": ["object", "null"],
          "additionalProperties": {"$ref": "#/$defs/scalar"}
        },
        "scalar": {"type": ["string", "number", "boolean", "null"]},
        "inputType": {"enum": ["string", "integer", "number", "boolean", "list", "file", "secret"]},
        "input": {
          "type": "object",
          "required": ["type"],
          "additionalProperties": false,
          "properties": {
            "type": {"$ref": "#/$defs/inputType"},
            "description": {"type": "string"},
            "default": {"description": "Makes the input optional."},
            "pattern": {"type": "string", "description": "A string's whole text must match this I-Regexp (RFC 9485)."},
            "min_length": {"type": "integer", "minimum": 0},
            "max_length": {"type": "integer", "minimum": 0},
            "enum": {"type": "array", "minItems": 1},
            "minimum": {"type": "number"},
            "maximum": {"type": "number"},
            "items": {"$ref": "#/$defs/inputType"},
            "min_items": {"type": "integer", "minimum": 0},
            "max_items": {"type": "integer", "minimum": 0}
          }
        },
        "retry": {
          "oneOf": [
            {"const": false, "description": "Send it once."},
            {
              "type": ["object", "null"],
              "additionalProperties": false,
              "properties": {
                "max_attempts": {"type": "integer", "minimum": 1},
                "initial_delay": {"$ref": "#/$defs/duration"},
                "multiplier": {"type": "number", "minimum": 1},
                "max_delay": {"$ref": "#/$defs/duration"},
                "jitter": {"enum": ["full", "none"]},
                "max_elapsed": {"$ref": "#/$defs/duration"},
                "on": {
                  "description": "Categories, reasons, codes.",
                  "type": "array",
                  "items": {
                    "oneOf": [
                      {"enum": ["transient", "recoverable", "other"]},
                      {"$ref": "#/$defs/reason"},
                      {"type": "integer"},
                      {"type": "string", "pattern": "^[0-9]+/[0-9]+$", "description": "A code and a subcode."}
                    ]
                  }
                }
              }
            }
          ]
        },
        "check": {
          "oneOf": [
            {"type": "string"},
            {
              "type": "object",
              "required": ["check"],
              "additionalProperties": false,
              "properties": {"check": {"type": "string"}, "message": {"type": "string"}}
            }
          ]
        },
        "request": {
          "type": "object",
          "additionalProperties": false,
          "oneOf": [
            {"required": ["get"]}, {"required": ["post"]}, {"required": ["delete"]},
            {"required": ["requests", "for_each"]}
          ],
          "properties": {
            "get": {"type": "string", "description": "The path, without host or version; it may be only a reference."},
            "post": {"type": "string", "description": "The path, without host or version; it may be only a reference."},
            "delete": {"type": "string", "description": "The path, without host or version; it may be only a reference."},
            "description": {"type": "string"},
            "params": {
              "description": "The query of a GET or DELETE, the form body of a POST; maps and lists are sent as JSON.",
              "type": ["object", "null"],
              "propertyNames": {"not": {"enum": ["access_token", "appsecret_proof", "method", "batch", "debug"]}}
            },
            "files": {
              "description": "Attachments of a POST: part name to a path inside the workflow's folder.",
              "type": ["object", "null"],
              "propertyNames": {"pattern": "^[A-Za-z0-9_]+$"},
              "additionalProperties": {"type": "string"}
            },
            "headers": {"$ref": "#/$defs/headers"},
            "version": {"$ref": "#/$defs/version"},
            "token": {"type": "string", "description": "A profile's name, or a reference that yields a token."},
            "permissions": {"$ref": "#/$defs/permissions"},
            "depends_on": {
              "description": "Order without data.",
              "type": ["array", "null"],
              "items": {"type": "string"}
            },
            "on_dependency_failure": {"enum": ["skip", "run"], "description": "run: start once the dependencies are over, however they ended."},
            "when": {"type": "string", "description": "An expression; false: the request is skipped, which is no failure."},
            "expect": {
              "description": "Expressions over the response; one that is false makes the request failed.",
              "type": ["array", "null"],
              "items": {"$ref": "#/$defs/check"}
            },
            "retry": {"$ref": "#/$defs/retry"},
            "timeout": {"$ref": "#/$defs/duration"},
            "on_error": {"$ref": "#/$defs/onError"},
            "idempotent": {"type": "boolean", "description": "May it be sent again when nobody knows whether it took effect?"},
            "omit_response": {"type": "boolean", "description": "Do not keep the body."},
            "batch": {"enum": ["auto", "alone"], "description": "alone: its own HTTP call."},
            "paginate": {
              "description": "Follow paging.next; comes with a later version of the tool.",
              "oneOf": [
                {"const": true},
                {
                  "type": "object",
                  "additionalProperties": false,
                  "properties": {
                    "max_pages": {"type": "integer", "minimum": 1},
                    "max_items": {"type": "integer", "minimum": 1}
                  }
                }
              ]
            },
            "until": {
              "description": "Ask again until something holds; comes with a later version of the tool.",
              "type": "object",
              "required": ["check"],
              "additionalProperties": false,
              "properties": {
                "check": {"type": "string"},
                "fail": {"type": "string"},
                "interval": {"$ref": "#/$defs/duration"},
                "within": {"$ref": "#/$defs/duration"}
              }
            },
            "confirm": {
              "description": "How to find out whether a write happened; comes with a later version of the tool.",
              "type": "object",
              "required": ["get", "when"],
              "additionalProperties": false,
              "properties": {
                "get": {"type": "string"},
                "params": {"type": "object"},
                "when": {"type": "string"},
                "result": {"type": "string"},
                "within": {"$ref": "#/$defs/duration"}
              }
            },
            "for_each": {"description": "One instance for each item; comes with a later version of the tool."},
            "key": {"type": "string", "description": "The identity of an item; goes with for_each."},
            "requests": {"type": "object", "description": "A group's requests; goes with for_each."},
            "max_failures": {"type": ["integer", "string"], "description": "A number or a percentage; goes with for_each."}
          }
        }
      }
    }

    """#
}
