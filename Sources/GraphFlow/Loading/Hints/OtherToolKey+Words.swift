extension OtherToolKey {
  static let paramsWords: Set<String> = [
    "args", "arguments", "body", "data", "form", "json", "parameters", "payload", "qs", "query",
    "querystring", "with",
  ]

  /// The names that other tools use for each key: in lower case, without `-` and `_`.
  ///
  /// The first matching key that the map may have counts.
  static let words: [(key: String, words: Set<String>)] = [
    ("depends_on", ["after", "dependencies", "depends", "dependson", "needs", "requires"]),
    ("when", ["condition", "if", "onlyif"]), ("params", paramsWords.union(graphParams)),
    (
      "requests",
      ["actions", "calls", "jobs", "operations", "request", "stages", "steps", "tasks", "workflow"]
    ),
    (
      "for_each",
      ["each", "eachitem", "for", "foreach", "items", "loop", "matrix", "repeat", "withitems"]
    ),
    (
      "inputs",
      ["arguments", "env", "environment", "input", "parameters", "params", "variables", "vars"]
    ),
    (
      "expect",
      [
        "assert", "assertions", "asserts", "check", "checks", "should", "test", "tests", "validate",
        "verify",
      ]
    ), ("retry", ["attempts", "maxattempts", "maxretries", "retries", "tries"]),
    ("until", ["delay", "pause", "poll", "sleep", "wait", "waitfor"]),
    ("on_error", ["allowfailure", "continueonerror", "ignoreerror", "ignoreerrors", "onfailure"]),
    ("paginate", ["followpages", "pages", "pagination", "paging"]),
    ("outputs", ["output", "result", "results", "return", "returns"]),
    ("permissions", ["permission", "perms", "scope", "scopes"]),
    ("token", ["accesstoken", "auth", "authorization", "credential", "credentials", "profile"]),
    ("version", ["apiversion", "graphversion", "v"]),
    ("files", ["attachments", "upload", "uploads"]),
    ("graphflow", ["graphflowversion", "languageversion"]),
    ("schedule", ["cron", "on", "trigger", "triggers"]), ("description", ["comment", "name"]),
    // Under `retry`.
    ("max_attempts", ["attempts", "count", "limit", "max", "maxretries", "retries", "times"]),
    ("initial_delay", ["backoff", "delay", "interval", "wait"]),
    ("multiplier", ["exponent", "factor"]), ("max_elapsed", ["timeout", "total", "within"]),
    // Under `until`.
    ("interval", ["delay", "every", "wait"]), ("within", ["for", "maxwait", "timeout"]),
    // In an entry of `expect`, under `until`.
    ("check", ["assert", "condition", "expr", "expression", "if", "that", "when"]),
    ("message", ["description", "error", "name", "text"]),
    // In an input.
    ("pattern", ["format", "regex", "regexp", "required"]),
    ("enum", ["allowed", "choices", "oneof", "options", "values"]), ("minimum", ["min"]),
    ("maximum", ["max"]),
    // Elsewhere.
    ("file", ["csv", "from", "path", "source"]), ("timezone", ["tz", "zone"]),
    ("cron", ["at", "every"]), ("windows", ["every", "step"]), ("since", ["from", "start"]),
    ("until", ["end", "to"]),
  ]

  /// Parameters of the Graph API that people write outside of `params`.
  private static let graphParams: Set<String> = [
    "caption", "fields", "filter", "ids", "imageurl", "limit", "link", "message", "metric", "order",
    "period", "picture", "place", "privacy", "published", "q", "scheduledpublishtime", "since",
    "summary", "tags", "targeting", "title", "type", "videourl",
  ]
}
