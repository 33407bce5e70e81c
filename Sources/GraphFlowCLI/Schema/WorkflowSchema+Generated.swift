// Written by `make record` from schemas/workflow.schema.json; a test compares them.

/// The published JSON Schema of a workflow.
enum WorkflowSchema {
  /// The file's text.
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "title": "GraphFlow workflow, language version 1",
      "description": "A file of named Graph API requests. What a schema cannot say (references, cycles, expressions) `graphflow validate` checks.",
      "type": "object",
      "required": ["graphflow", "requests"],
      "properties": {
        "graphflow": {
          "title": "Language version",
          "description": "The version of the workflow language; always 1.",
          "const": 1
        },
        "name": {
          "title": "Name",
          "description": "Shown in reports; by default the file's name without extension.",
          "type": "string",
          "minLength": 1,
          "examples": ["post-and-verify"]
        },
        "description": {
          "title": "Description",
          "description": "What the workflow is for.",
          "type": "string"
        },
        "inputs": {
          "title": "Inputs",
          "description": "Values that a run is given from outside: --input, --inputs, GRAPHFLOW_INPUT_… or the default.",
          "type": "object",
          "propertyNames": {"$ref": "#/$defs/name"},
          "additionalProperties": {"$ref": "#/$defs/input"},
          "examples": [{"page_id": "string", "message": {"type": "string", "default": "Hello"}}]
        },
        "version": {"$ref": "#/$defs/version"},
        "token": {
          "title": "Credential profile",
          "description": "The profile whose token the requests use; `default` if absent.",
          "$ref": "#/$defs/profile"
        },
        "permissions": {"$ref": "#/$defs/permissions"},
        "defaults": {
          "title": "Defaults",
          "description": "What applies to every request that does not say otherwise.",
          "type": "object",
          "properties": {
            "retry": {"$ref": "#/$defs/retry"},
            "timeout": {"$ref": "#/$defs/duration"},
            "on_error": {"$ref": "#/$defs/onError"},
            "headers": {"$ref": "#/$defs/headers"}
          },
          "additionalProperties": false
        },
        "errors": {
          "title": "Error rules",
          "description": "Extra rules for classifying Graph's errors; they win over the built-in table.",
          "type": "array",
          "items": {"$ref": "#/$defs/errorRule"}
        },
        "requests": {
          "title": "Requests",
          "description": "The named requests; their order here is their order in reports.",
          "type": "object",
          "minProperties": 1,
          "maxProperties": 100000,
          "propertyNames": {"$ref": "#/$defs/name"},
          "additionalProperties": {"oneOf": [{"$ref": "#/$defs/request"}, {"$ref": "#/$defs/group"}]},
          "examples": [{"me": {"get": "me", "params": {"fields": "id,name"}}}]
        },
        "outputs": {
          "title": "Outputs",
          "description": "Named values that are printed and reported when the run ends.",
          "type": "object",
          "additionalProperties": {"$ref": "#/$defs/value"},
          "examples": [{"post_id": "{result=status-post:$.id}"}]
        },
        "schedule": {
          "title": "Schedule",
          "description": "When the workflow is meant to be run. It is checked; `graphflow run` takes no notice of it.",
          "type": "object",
          "required": ["cron"],
          "properties": {
            "cron": {
              "title": "Cron line",
              "description": "Five fields: minute, hour, day of the month, month, day of the week; lists, ranges, steps, jan-dec, sun-sat.",
              "type": "string",
              "pattern": "^[ \\t]*((\\*(/[0-9]{1,2})?|([0-9]{1,2}|[A-Za-z]{3})(-([0-9]{1,2}|[A-Za-z]{3})(/[0-9]{1,2})?)?)(,(\\*(/[0-9]{1,2})?|([0-9]{1,2}|[A-Za-z]{3})(-([0-9]{1,2}|[A-Za-z]{3})(/[0-9]{1,2})?)?))*[ \\t]+){4}(\\*(/[0-9]{1,2})?|([0-9]{1,2}|[A-Za-z]{3})(-([0-9]{1,2}|[A-Za-z]{3})(/[0-9]{1,2})?)?)(,(\\*(/[0-9]{1,2})?|([0-9]{1,2}|[A-Za-z]{3})(-([0-9]{1,2}|[A-Za-z]{3})(/[0-9]{1,2})?)?))*[ \\t]*$",
              "examples": ["30 6 * * mon-fri", "*/15 9-17 * * *", "0 0 1 jan,jul *"]
            },
            "timezone": {
              "title": "Time zone",
              "description": "A name of the IANA time zone database, in which the times are meant.",
              "type": "string",
              "pattern": "^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$",
              "default": "UTC",
              "examples": ["Europe/Berlin", "America/New_York", "UTC"]
            }
          },
          "additionalProperties": false,
          "examples": [{"cron": "30 6 * * mon-fri", "timezone": "Europe/Berlin"}]
        }
      },
      "patternProperties": {
        "^x-": {
          "title": "Ignored",
          "description": "Keys that begin with x- are ignored, so that they can hold YAML anchors."
        }
      },
      "additionalProperties": false,
      "$defs": {
        "name": {
          "title": "Name of a request or input",
          "type": "string",
          "pattern": "^[A-Za-z_][A-Za-z0-9_-]{0,63}$",
          "examples": ["status-post", "page_id"]
        },
        "profile": {
          "type": "string",
          "pattern": "^[A-Za-z0-9_.-]{1,64}$",
          "examples": ["default"]
        },
        "version": {
          "title": "Graph API version",
          "description": "Such as v25.0; by default the tool's current one, which the plan prints.",
          "type": "string",
          "pattern": "^v(0|[1-9][0-9]{0,2})\\.(0|[1-9][0-9]{0,2})$",
          "examples": ["v25.0"]
        },
        "duration": {
          "title": "Duration",
          "description": "A whole number and ms, s, m or h.",
          "type": "string",
          "pattern": "^[0-9]+(ms|s|m|h)$",
          "examples": ["250ms", "30s", "5m", "2h"]
        },
        "permissions": {
          "title": "Permissions",
          "description": "Prerequisites: a request whose permission is not granted is skipped.",
          "type": "array",
          "items": {"type": "string", "pattern": "^[A-Za-z0-9_.:]+$"},
          "examples": [["pages_manage_posts"]]
        },
        "value": {
          "title": "Value",
          "description": "Any value; references such as {result=NAME:$.id} and {input=NAME} may stand in texts at any depth."
        },
        "text": {
          "title": "Template",
          "description": "Text with references; numbers and booleans are taken as they are written.",
          "type": ["string", "number", "boolean"]
        },
        "path": {
          "title": "Graph path",
          "description": "The path without host and version; it may carry a query, or be a reference alone.",
          "type": ["string", "number", "boolean"],
          "minLength": 1,
          "not": {"type": "string", "pattern": "^(/*[vV][0-9][0-9.]*(/|\\?|$)|/*$|//|[A-Za-z]+://)"},
          "examples": ["me", "me/accounts", "{input=page_id}/feed", "{result=status-post:$.id}", "?ids={result=friends:$.data[*].id}"]
        },
        "params": {
          "title": "Parameters",
          "description": "The query of a GET or DELETE, the form of a POST. Maps and lists are sent as JSON.",
          "type": "object",
          "propertyNames": {"not": {"enum": ["access_token", "appsecret_proof", "batch", "callback", "debug", "include_headers", "method"]}},
          "additionalProperties": {"$ref": "#/$defs/value"},
          "examples": [{"fields": "id,name", "limit": 25}]
        },
        "headers": {
          "title": "Headers",
          "description": "Header fields that are sent with the operation.",
          "type": "object",
          "propertyNames": {
            "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
            "not": {"pattern": "^([Aa][Uu][Tt][Hh][Oo][Rr][Ii][Zz][Aa][Tt][Ii][Oo][Nn]|[Hh][Oo][Ss][Tt]|[Cc][Oo][Oo][Kk][Ii][Ee])$"}
          },
          "additionalProperties": {"$ref": "#/$defs/text"},
          "examples": [{"If-None-Match": "\"abc\""}]
        },
        "onError": {
          "title": "On error",
          "description": "continue: what does not depend on it goes on. stop: start nothing more. ignore: the failure does not fail the run.",
          "enum": ["continue", "stop", "ignore"],
          "default": "continue"
        },
        "category": {
          "title": "Error category",
          "enum": ["transient", "recoverable", "other"]
        },
        "reason": {
          "title": "Failure reason",
          "enum": ["throttled", "server", "network", "timeout", "token", "permission", "parameter", "not_found", "duplicate", "policy", "dependency", "expectation", "unresolved_reference", "query_limit", "cancelled", "unknown"]
        },
        "errorRule": {
          "title": "Error rule",
          "type": "object",
          "required": ["code", "category"],
          "properties": {
            "code": {"description": "Graph's error code.", "type": "integer", "minimum": 0},
            "subcode": {"description": "Graph's error_subcode; any if absent.", "type": "integer", "minimum": 0},
            "category": {"$ref": "#/$defs/category"},
            "reason": {"$ref": "#/$defs/reason"}
          },
          "additionalProperties": false,
          "examples": [{"code": 1487390, "category": "transient"}]
        },
        "retry": {
          "title": "Retry",
          "description": "When and how often a failed request is sent again; false for never.",
          "oneOf": [
            {"const": false},
            {
              "type": "object",
              "properties": {
                "max_attempts": {"description": "The first attempt counts.", "type": "integer", "minimum": 1, "default": 4},
                "initial_delay": {"$ref": "#/$defs/duration", "default": "1s"},
                "multiplier": {"description": "What each delay is multiplied by to give the next.", "type": "number", "minimum": 1, "default": 2},
                "max_delay": {"$ref": "#/$defs/duration", "default": "60s"},
                "jitter": {"description": "full: anywhere between nothing and the delay.", "enum": ["full", "none"], "default": "full"},
                "max_elapsed": {"$ref": "#/$defs/duration", "default": "15m"},
                "on": {
                  "description": "Categories, reasons and error codes (4, or \"100/33\" with a subcode).",
                  "type": "array",
                  "items": {
                    "oneOf": [
                      {"$ref": "#/$defs/category"},
                      {"$ref": "#/$defs/reason"},
                      {"type": "integer"},
                      {"type": "string", "pattern": "^[0-9]+/[0-9]+$"}
                    ]
                  },
                  "default": ["transient"]
                }
              },
              "additionalProperties": false
            }
          ],
          "examples": [false, {"max_attempts": 6, "initial_delay": "250ms"}]
        },
        "inputType": {
          "title": "Type of an input",
          "enum": ["string", "integer", "number", "boolean", "list", "file", "secret"]
        },
        "input": {
          "title": "Input",
          "description": "A type (then it is required), or a map with more to say.",
          "oneOf": [
            {"$ref": "#/$defs/inputType"},
            {
              "type": "object",
              "required": ["type"],
              "properties": {
                "type": {"$ref": "#/$defs/inputType"},
                "description": {"description": "What it is for.", "type": "string"},
                "default": {"description": "The value if none is given; makes the input optional."},
                "pattern": {"description": "string: an I-Regexp (RFC 9485) that the whole text must match.", "type": "string", "examples": ["^.{1,2000}$"]},
                "min_length": {"description": "string: the least number of characters.", "type": "integer", "minimum": 0},
                "max_length": {"description": "string: the greatest number of characters.", "type": "integer", "minimum": 0},
                "enum": {"description": "The values that are allowed.", "type": "array", "minItems": 1},
                "minimum": {"description": "integer, number: the least value.", "type": "number"},
                "maximum": {"description": "integer, number: the greatest value.", "type": "number"},
                "items": {"description": "list: the type of its elements.", "$ref": "#/$defs/inputType"},
                "min_items": {"description": "list: the least number of elements.", "type": "integer", "minimum": 0},
                "max_items": {"description": "list: the greatest number of elements.", "type": "integer", "minimum": 0}
              },
              "additionalProperties": false
            }
          ],
          "examples": ["string", {"type": "integer", "minimum": 1, "default": 25}]
        },
        "expectation": {
          "title": "Expectation",
          "description": "An RFC 9535 logical expression over the response; status() and header('name') are the response's own.",
          "oneOf": [
            {"type": "string", "minLength": 1},
            {
              "type": "object",
              "required": ["check"],
              "properties": {
                "check": {"description": "The expression.", "type": "string", "minLength": 1},
                "message": {"description": "What to say if it does not hold.", "type": "string"}
              },
              "additionalProperties": false
            }
          ],
          "examples": ["$.message == {input=message}", {"check": "status() == 200", "message": "It should be there"}]
        },
        "request": {
          "title": "Request",
          "description": "One request: exactly one of get, post, delete, and what belongs to it.",
          "type": "object",
          "properties": {
            "get": {"description": "Reads a node or an edge.", "$ref": "#/$defs/path"},
            "post": {"description": "Creates or updates.", "$ref": "#/$defs/path"},
            "delete": {"description": "Removes.", "$ref": "#/$defs/path"},
            "description": {"description": "What it is for.", "type": "string"},
            "params": {"$ref": "#/$defs/params"},
            "files": {
              "title": "Files",
              "description": "Part names and the paths of files inside the workflow's folder; POST only.",
              "type": "object",
              "propertyNames": {"pattern": "^[A-Za-z0-9_]+$"},
              "additionalProperties": {"$ref": "#/$defs/text"},
              "examples": [{"source": "photos/one.jpg"}]
            },
            "headers": {"$ref": "#/$defs/headers"},
            "version": {"$ref": "#/$defs/version"},
            "token": {
              "title": "Token",
              "description": "A profile's name, or one reference that yields a token.",
              "type": "string",
              "minLength": 1,
              "pattern": "^([A-Za-z0-9_.-]{1,64}|\\{((result|input|item)=.*|item)\\})$",
              "examples": ["editor", "{result=accounts:$.data[0].access_token}"]
            },
            "permissions": {"$ref": "#/$defs/permissions"},
            "depends_on": {
              "title": "Depends on",
              "description": "Requests and groups that must be over before this one starts; references need not be repeated.",
              "type": "array",
              "items": {"$ref": "#/$defs/dependency"},
              "examples": [["status-post"], ["publish", "verify-all.check"]]
            },
            "on_dependency_failure": {
              "title": "On dependency failure",
              "description": "run: start once the dependencies are over, however they ended.",
              "enum": ["skip", "run"],
              "default": "skip"
            },
            "when": {
              "title": "When",
              "description": "A logical expression over references; if it is false the request is skipped.",
              "type": "string",
              "minLength": 1,
              "examples": ["count({result=feed:$.data[*]}) > 0"]
            },
            "expect": {
              "title": "Expect",
              "description": "What must hold of the response; one that does not makes the request failed.",
              "type": "array",
              "items": {"$ref": "#/$defs/expectation"},
              "examples": [["$.message == {input=message}"]]
            },
            "retry": {"$ref": "#/$defs/retry"},
            "timeout": {"$ref": "#/$defs/duration", "default": "60s"},
            "on_error": {"$ref": "#/$defs/onError"},
            "idempotent": {
              "title": "Idempotent",
              "description": "Whether it may be sent again when nobody knows whether it took effect; GET and DELETE may, a POST only if this says so.",
              "type": "boolean"
            },
            "confirm": {
              "title": "Confirm",
              "description": "How to find out whether a write whose answer was lost took effect: what to look at, and which nodes there are this write's. POST only, and not beside idempotent: true.",
              "type": "object",
              "required": ["get", "when"],
              "properties": {
                "get": {"description": "What is looked at.", "$ref": "#/$defs/path"},
                "params": {"$ref": "#/$defs/params"},
                "when": {
                  "description": "A query of what was found; references may be operands of its filters. One match: it happened.",
                  "type": "string",
                  "minLength": 1,
                  "examples": ["$.data[?@.message == {input=message}]"]
                },
                "result": {
                  "description": "Selects the node that becomes the request's body; the match if absent.",
                  "type": "string",
                  "minLength": 1
                },
                "within": {"description": "How long reads may lag behind writes; at most 15m.", "$ref": "#/$defs/duration", "default": "30s"}
              },
              "additionalProperties": false,
              "examples": [
                {
                  "get": "{input=page_id}/feed",
                  "params": {"fields": "id,message,created_time", "limit": 25},
                  "when": "$.data[?@.message == {input=message}]"
                }
              ]
            },
            "omit_response": {
              "title": "Omit response",
              "description": "Keep the body out of report and journal.",
              "type": "boolean",
              "default": false
            },
            "batch": {
              "title": "Batch",
              "description": "alone: an HTTP call of its own.",
              "enum": ["auto", "alone"],
              "default": "auto"
            },
            "paginate": {
              "title": "All pages",
              "description": "Follow paging.next and make one body of all pages' data; GET only.",
              "oneOf": [
                {"const": true},
                {
                  "type": "object",
                  "properties": {
                    "max_pages": {"description": "The most pages that are read.", "type": "integer", "minimum": 1},
                    "max_items": {"description": "The most items that are kept.", "type": "integer", "minimum": 1}
                  },
                  "additionalProperties": false
                }
              ],
              "examples": [true, {"max_pages": 20}]
            },
            "until": {
              "title": "Until",
              "description": "Ask again until something holds; GET only.",
              "type": "object",
              "required": ["check"],
              "properties": {
                "check": {"description": "Ends the asking; $ is the response body.", "type": "string", "minLength": 1},
                "fail": {"description": "Ends it at once, and the request has failed.", "type": "string", "minLength": 1},
                "interval": {"description": "Between two askings; at least 100ms.", "$ref": "#/$defs/duration", "default": "5s"},
                "within": {"description": "How long to go on asking.", "$ref": "#/$defs/duration", "default": "5m"}
              },
              "additionalProperties": false,
              "examples": [{"check": "$.status_code == 'FINISHED'", "fail": "$.status_code == 'ERROR'", "interval": "5s", "within": "5m"}]
            },
            "for_each": {"$ref": "#/$defs/items"},
            "key": {"$ref": "#/$defs/itemKey"},
            "max_failures": {"$ref": "#/$defs/maxFailures"}
          },
          "oneOf": [
            {"required": ["get"]},
            {"required": ["post"]},
            {"required": ["delete"]}
          ],
          "not": {"required": ["paginate", "until"]},
          "dependentRequired": {"key": ["for_each"], "max_failures": ["for_each"], "confirm": ["post"]},
          "additionalProperties": false,
          "examples": [{"get": "me", "params": {"fields": "id,name"}}]
        },
        "dependency": {
          "title": "Name of a request or group",
          "description": "A request of a group has the group's name before it: publish.post.",
          "type": "string",
          "pattern": "^[A-Za-z_][A-Za-z0-9_-]{0,63}(\\.[A-Za-z_][A-Za-z0-9_-]{0,63})?$",
          "examples": ["status-post", "publish.post"]
        },
        "items": {
          "title": "Items",
          "description": "Where the items come from: a list, a file (.csv, .json, .jsonl) in the workflow's folder, or one reference.",
          "oneOf": [
            {"type": "array", "items": {"$ref": "#/$defs/value"}},
            {"type": "string", "pattern": "^\\{(result|input)=.*\\}$"},
            {
              "type": "object",
              "required": ["file"],
              "properties": {"file": {"description": "The path of the file; it may hold inputs.", "type": "string", "minLength": 1}},
              "additionalProperties": false
            }
          ],
          "examples": [["4", "5"], {"file": "posts.csv"}, "{input=ids}", "{result=feed:$.data[*]}"]
        },
        "itemKey": {
          "title": "Key",
          "description": "The identity of an item in journal and report; its index if absent.",
          "type": "string",
          "minLength": 1,
          "examples": ["{item=$.sku}"]
        },
        "maxFailures": {
          "title": "Most failures",
          "description": "Start no new items after so many failed ones: a number, or a percentage of those that have ended.",
          "oneOf": [
            {"type": "integer", "minimum": 1},
            {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?%$"}
          ],
          "examples": [10, "10%"]
        },
        "member": {
          "title": "Request of a group",
          "description": "A request that is sent for each item; {item}, {item=QUERY} and {index} stand for the item.",
          "$ref": "#/$defs/request",
          "not": {"required": ["for_each"]}
        },
        "group": {
          "title": "Group",
          "description": "Requests that are sent once for each item.",
          "type": "object",
          "required": ["for_each", "requests"],
          "properties": {
            "for_each": {"$ref": "#/$defs/items"},
            "key": {"$ref": "#/$defs/itemKey"},
            "max_failures": {"$ref": "#/$defs/maxFailures"},
            "description": {"description": "What it is for.", "type": "string"},
            "requests": {
              "title": "Requests of the group",
              "description": "The named requests; {result=NAME:…} is the body for the same item.",
              "type": "object",
              "minProperties": 1,
              "propertyNames": {"$ref": "#/$defs/name"},
              "additionalProperties": {"$ref": "#/$defs/member"}
            }
          },
          "additionalProperties": false,
          "examples": [
            {
              "for_each": {"file": "posts.csv"},
              "key": "{item=$.sku}",
              "requests": {"post": {"post": "me/feed", "params": {"message": "{item=$.text}"}}}
            }
          ]
        }
      }
    }

    """#
}
