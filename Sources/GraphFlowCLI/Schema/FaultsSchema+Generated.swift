// Written by `make record` from schemas/faults.schema.json; a test compares them.

/// The published JSON Schema of a faults file.
enum FaultsSchema {
  /// The file's text.
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "GraphFlow faults, version 1",
      "description": "What goes wrong in a sandbox: graphflow sandbox --faults FILE, graphflow run --sandbox --faults FILE.",
      "type": "object",
      "required": ["graphflow-faults", "faults"],
      "properties": {
        "graphflow-faults": {
          "title": "Version",
          "description": "The version of this kind of file; always 1.",
          "const": 1
        },
        "description": {
          "title": "Description",
          "description": "What the faults teach.",
          "type": "string"
        },
        "seed": {
          "title": "Seed",
          "description": "Decides what happens by chance; the sandbox's own if absent.",
          "type": "integer",
          "minimum": 0,
          "maximum": 9223372036854775807
        },
        "faults": {
          "title": "Faults",
          "description": "The first that applies decides; all count what they match.",
          "type": "array",
          "items": {"$ref": "#/$defs/fault"}
        }
      },
      "additionalProperties": false,
      "$defs": {
        "fault": {
          "title": "Fault",
          "description": "Which operations it is about, at which of them it happens, and what happens.",
          "type": "object",
          "properties": {
            "method": {
              "title": "Method",
              "description": "Of the operation; any if absent.",
              "enum": ["GET", "POST", "DELETE"]
            },
            "path": {
              "title": "Path",
              "description": "Of the operation, without version and query; * stands for one segment, ** for any number of them.",
              "type": "string",
              "minLength": 1,
              "not": {"pattern": "[?]|.//|.+/$|^//|^/$"},
              "examples": ["me/feed", "*/feed", "**"]
            },
            "name": {
              "title": "Name",
              "description": "Of the operation in its batch.",
              "type": "string",
              "minLength": 1
            },
            "after": {
              "title": "After",
              "description": "How long after the sandbox's first call it begins.",
              "$ref": "#/$defs/duration"
            },
            "nth": {
              "title": "Nth",
              "description": "At this one of those that match, counted from 1, only.",
              "$ref": "#/$defs/count"
            },
            "every": {
              "title": "Every nth",
              "description": "At every so many of those that match.",
              "$ref": "#/$defs/count"
            },
            "first": {
              "title": "First",
              "description": "At the first so many of those that match.",
              "$ref": "#/$defs/count"
            },
            "probability": {
              "title": "Probability",
              "description": "By chance; the same for the same seed and calls.",
              "type": "number",
              "minimum": 0,
              "maximum": 1
            },
            "operation": {"$ref": "#/$defs/operation"},
            "call": {"$ref": "#/$defs/call"},
            "world": {"$ref": "#/$defs/world"}
          },
          "additionalProperties": false,
          "allOf": [
            {
              "oneOf": [
                {"required": ["operation"]},
                {"required": ["call"]},
                {"required": ["world"]}
              ]
            },
            {
              "not": {
                "anyOf": [
                  {"required": ["nth", "every"]},
                  {"required": ["nth", "first"]},
                  {"required": ["nth", "probability"]},
                  {"required": ["every", "first"]},
                  {"required": ["every", "probability"]},
                  {"required": ["first", "probability"]}
                ]
              }
            }
          ]
        },
        "operation": {
          "title": "Fault of an operation",
          "description": "What goes wrong with the operation that matches.",
          "type": "object",
          "properties": {
            "error": {"$ref": "#/$defs/error"},
            "throttle": {"$ref": "#/$defs/throttle"},
            "unfinished": {
              "title": "Unfinished",
              "description": "It does not end in time: an item that is null or an error 960; alone, a status 400 with error 960.",
              "$ref": "#/$defs/form"
            },
            "lag": {
              "title": "Lag",
              "description": "It is executed, but so many of the next reads do not see it.",
              "type": "integer",
              "minimum": 1,
              "maximum": 1000000
            },
            "applied": {"$ref": "#/$defs/applied"}
          },
          "additionalProperties": false,
          "oneOf": [
            {"required": ["error"]},
            {"required": ["throttle"], "not": {"required": ["applied"]}},
            {"required": ["unfinished"]},
            {"required": ["lag"], "not": {"required": ["applied"]}}
          ]
        },
        "call": {
          "title": "Fault of a call",
          "description": "What goes wrong with the HTTP call that carries an operation that matches.",
          "type": "object",
          "properties": {
            "error": {"$ref": "#/$defs/error"},
            "throttle": {"$ref": "#/$defs/throttle"},
            "page": {
              "title": "Page",
              "description": "A page of HTML with this status, as proxies send it.",
              "type": "integer",
              "minimum": 200,
              "maximum": 599
            },
            "drop": {
              "title": "Drop",
              "description": "The connection is closed without a byte.",
              "const": true
            },
            "cut": {
              "title": "Cut",
              "description": "The connection is closed after so many bytes of the body.",
              "$ref": "#/$defs/bytes"
            },
            "partial": {
              "title": "Partial batch",
              "description": "The batch does not end in time.",
              "type": "object",
              "required": ["from"],
              "properties": {
                "from": {
                  "title": "From",
                  "description": "The first item that is unfinished, counted from 0.",
                  "type": "integer",
                  "minimum": 0,
                  "maximum": 49
                },
                "as": {"$ref": "#/$defs/form"}
              },
              "additionalProperties": false
            },
            "truncate": {
              "title": "Truncate",
              "description": "The body ends after so many bytes, and Content-Length agrees.",
              "$ref": "#/$defs/bytes"
            },
            "wrong_length": {
              "title": "Wrong length",
              "description": "Content-Length says so many bytes more, or fewer, than there are.",
              "type": "integer",
              "minimum": -1073741824,
              "maximum": 1073741824,
              "not": {"const": 0}
            },
            "delay": {
              "title": "Delay",
              "description": "The answer comes so much later.",
              "$ref": "#/$defs/positiveDuration"
            },
            "drip": {
              "title": "Drip",
              "description": "The body comes in small pieces.",
              "type": "object",
              "required": ["pause"],
              "properties": {
                "bytes": {
                  "title": "Bytes",
                  "description": "Of each piece; 1 if absent.",
                  "type": "integer",
                  "minimum": 1,
                  "maximum": 1073741824
                },
                "pause": {
                  "title": "Pause",
                  "description": "Before each piece.",
                  "$ref": "#/$defs/positiveDuration"
                }
              },
              "additionalProperties": false
            },
            "pad": {
              "title": "Pad",
              "description": "Blanks follow the JSON until the body has so many bytes.",
              "$ref": "#/$defs/bytes"
            },
            "applied": {"$ref": "#/$defs/applied"}
          },
          "additionalProperties": false,
          "oneOf": [
            {"required": ["error"]},
            {"required": ["throttle"], "not": {"required": ["applied"]}},
            {"required": ["page"]},
            {"required": ["drop"]},
            {"required": ["cut"], "not": {"required": ["applied"]}},
            {"required": ["partial"]},
            {"required": ["truncate"], "not": {"required": ["applied"]}},
            {"required": ["wrong_length"], "not": {"required": ["applied"]}},
            {"required": ["delay"], "not": {"required": ["applied"]}},
            {"required": ["drip"], "not": {"required": ["applied"]}},
            {"required": ["pad"], "not": {"required": ["applied"]}}
          ]
        },
        "world": {
          "title": "Fault of the world",
          "description": "What changes before the call that carries an operation that matches is executed.",
          "type": "object",
          "properties": {
            "token": {
              "title": "Token",
              "description": "What becomes of the operation's token; all but valid are error 190 and its subcode.",
              "enum": [
                "valid", "expired", "revoked", "removed", "checkpoint", "password_changed",
                "unconfirmed", "logged_out", "inactive"
              ]
            },
            "decline": {
              "title": "Decline",
              "description": "The permission that the token's user declines.",
              "type": "string",
              "minLength": 1,
              "examples": ["pages_manage_posts"]
            }
          },
          "additionalProperties": false,
          "minProperties": 1,
          "maxProperties": 1
        },
        "error": {
          "title": "Error",
          "description": "Graph's code, or the whole error; what is not given is what Graph is known to say.",
          "anyOf": [
            {"$ref": "#/$defs/code"},
            {
              "type": "object",
              "properties": {
                "code": {"$ref": "#/$defs/code"},
                "subcode": {"$ref": "#/$defs/code"},
                "message": {"type": "string"},
                "type": {"type": "string"},
                "transient": {"type": "boolean"},
                "user_title": {"type": "string"},
                "user_message": {"type": "string"},
                "status": {"type": "integer", "minimum": 200, "maximum": 599}
              },
              "additionalProperties": false
            }
          ]
        },
        "throttle": {
          "title": "Throttle",
          "description": "It is refused, and a usage header announces when calls are answered again.",
          "type": "object",
          "required": ["regain"],
          "properties": {
            "code": {"$ref": "#/$defs/code"},
            "regain": {
              "title": "Regain",
              "description": "The announced time.",
              "$ref": "#/$defs/duration"
            }
          },
          "additionalProperties": false
        },
        "applied": {
          "title": "Applied",
          "description": "Whether what was asked for happens although its answer is lost; false if absent.",
          "type": "boolean"
        },
        "form": {
          "title": "Form",
          "description": "How an operation shows that did not end.",
          "enum": ["null_item", "error_960"]
        },
        "code": {
          "title": "Code",
          "description": "An error code of Graph's.",
          "type": "integer",
          "minimum": 0,
          "maximum": 9999999
        },
        "count": {"type": "integer", "minimum": 1, "maximum": 1000000000},
        "bytes": {"type": "integer", "minimum": 0, "maximum": 17179869184},
        "duration": {
          "description": "A whole number and ms, s, m or h; at most a year.",
          "type": "string",
          "pattern": "^[0-9]+(ms|s|m|h)$",
          "examples": ["250ms", "30s", "5m"]
        },
        "positiveDuration": {
          "description": "A duration that is longer than nothing.",
          "type": "string",
          "pattern": "^0*[1-9][0-9]*(ms|s|m|h)$",
          "examples": ["250ms", "30s"]
        }
      }
    }

    """#
}
