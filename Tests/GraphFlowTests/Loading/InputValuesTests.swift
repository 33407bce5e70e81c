import GraphFlow
import JSONPath
import Testing

/// The sources and constraints of inputs (docs/reference/language.md, "Inputs").
struct InputValuesTests {
  private func workflow(_ inputs: String) throws -> Workflow {
    try WorkflowSample.read(
      "graphflow: 1\ninputs: \(inputs)\nrequests: {me: {get: me}}\n",
      named: "sample.yaml"
    )
  }

  private func resolve(
    _ inputs: String,
    flags: [(name: String, value: String)] = [],
    file: String? = nil,
    environment: [String: String] = [:]
  ) throws -> (values: InputValues?, problems: [String]) {
    InputValues.resolving(
      try workflow(inputs),
      flags: flags,
      file: file.map { SourceFile(path: "in.yaml", bytes: Array($0.utf8)) },
      environment: environment
    )
  }

  @Test func `flag, file, environment, default: the first one counts`() throws {
    let inputs =
      "{a: {type: string, default: d}, b: {type: string, default: d}, "
      + "c: {type: string, default: d}, page-id: {type: string, default: d}}"

    let (values, problems) = try resolve(
      inputs,
      flags: [("a", "flag"), ("a", "last flag")],
      file: "a: file\nb: file\n",
      environment: [
        "GRAPHFLOW_INPUT_A": "env", "GRAPHFLOW_INPUT_B": "env",
        "GRAPHFLOW_INPUT_PAGE_ID": "env", "GRAPHFLOW_INPUT_OTHER": "env",
      ]
    )

    #expect(problems.isEmpty)
    #expect(
      values?.forReport.members.map { "\($0.name)=\($0.value)" } == [
        #"a="last flag""#, #"b="file""#, #"c="d""#, #"page-id="env""#,
      ]
    )
  }

  @Test func `all problems are reported at once, with their sources`() throws {
    let inputs =
      "{message: string, count: integer, page_id: string, kind: {type: string, enum: [a, b]}}"

    let (values, problems) = try resolve(
      inputs,
      flags: [("mesage", "x"), ("count", "many")],
      file: "kind: c\nzzz: 1\n",
      environment: [:]
    )

    #expect(values == nil)
    #expect(
      problems == [
        "input 'mesage' (from --input) is unknown; did you mean 'message'?",
        "input 'zzz' (from in.yaml) is unknown; its inputs are message, count, page_id, kind",
        "input 'message' is missing: set --input message=…, a value in the --inputs file, "
          + "or GRAPHFLOW_INPUT_MESSAGE",
        "input 'count' (from --input) is not a whole number",
        "input 'page_id' is missing: set --input page_id=…, a value in the --inputs file, "
          + "or GRAPHFLOW_INPUT_PAGE_ID",
        "input 'kind' (from in.yaml) is not one of: a, b",
      ]
    )
  }

  @Test(arguments: [
    ("string", "12", #""12""#), ("string", "", #""""#), ("secret", "s", #""s""#),
    ("file", "a/b.jpg", #""a/b.jpg""#), ("integer", "12", "12"), ("integer", "1e2", "1e2"),
    ("integer", "123456789012345678901234567890", "123456789012345678901234567890"),
    ("number", "1.50", "1.50"), ("number", "3", "3"), ("boolean", "true", "true"),
    ("list", #"[1, "a"]"#, #"[1,"a"]"#),
  ])
  func `text on the command line becomes a value of the input's type`(
    _ type: String,
    _ text: String,
    _ value: String
  ) throws {
    let (values, problems) = try resolve("{x: \(type)}", flags: [("x", text)])
    #expect(problems.isEmpty)
    let name = try #require(InputName("x"))
    #expect(values?[name]?.serialized() == value)
  }

  @Test(arguments: [
    ("integer", "1.5", "is not a whole number"), ("integer", "", "is not a whole number"),
    ("number", "x", "is not a number"), ("number", "\"1\"", "is not a number"),
    ("boolean", "yes", "is not true or false"), ("list", "a,b", "is not a list"),
    ("list", "{}", "is not a list"), ("file", "../x", "lies outside the workflow's folder"),
    ("file", "/etc/passwd", "lies outside the workflow's folder"),
    ("{type: string, min_length: 2}", "é", "has 1 characters; at least 2 are needed"),
    ("{type: string, max_length: 1}", "ab", "has 2 characters; at most 1 are allowed"),
    ("{type: string, pattern: \"[a-z]+\"}", "A", "does not match the pattern '[a-z]+'"),
    ("{type: integer, minimum: 3}", "2", "is less than 3"),
    ("{type: number, maximum: 1.5}", "1.51", "is greater than 1.5"),
    ("{type: list, min_items: 1}", "[]", "has 0 items; at least 1 are needed"),
    ("{type: list, max_items: 1}", "[1,2]", "has 2 items; at most 1 are allowed"),
    ("{type: list, items: integer}", "[1,\"a\"]", "has an item 1 that is not a whole number"),
    ("{type: integer, enum: [1, 2]}", "3", "is not one of: 1, 2"),
  ])
  func `a value that does not fit is refused`(
    _ declaration: String,
    _ text: String,
    _ fault: String
  ) throws {
    let (values, problems) = try resolve("{x: \(declaration)}", flags: [("x", text)])
    #expect(values == nil)
    #expect(problems == ["input 'x' (from --input) \(fault)"])
  }

  @Test func `a pattern that hangs other engines is matched at once`() throws {
    let text = String(repeating: "a", count: 5000) + "!"
    let (_, problems) = try resolve(
      "{x: {type: string, pattern: \"(a*)*b\"}}",
      flags: [("x", text)]
    )
    #expect(problems.count == 1)
  }

  @Test func `secrets appear in no report and in no diagnostic`() throws {
    let (values, _) = try resolve(
      "{key: secret, a: string}",
      flags: [("key", "hunter2"), ("a", "b")]
    )
    #expect(values?.forReport == ["key": "***", "a": "b"])
    #expect(try values?[#require(InputName("key"))] == "hunter2")
    #expect(values?.secretNames == Set([try #require(InputName("key"))]))

    let (_, problems) = try resolve(
      "{key: {type: secret, min_length: 20}}",
      flags: [("key", "hunter2")]
    )
    #expect(problems == ["input 'key' (from --input) has 7 characters; at least 20 are needed"])
  }

  @Test(arguments: [
    (#"{"a": "\ud83d\ude00", "n": 1.50}"#, #"{"a":"😀","n":1.50}"#),
    ("a: x\nn: 2\n", #"{"a":"x","n":2}"#),
    ("# nothing but\na: 'y'\nn: 0x10\n", #"{"a":"y","n":16}"#),
  ])
  func `an inputs file is JSON or YAML`(_ file: String, _ expected: String) throws {
    let (values, problems) = try resolve("{a: string, n: number}", file: file)
    #expect(problems.isEmpty)
    #expect(values.map { JSON.object($0.forReport).serialized() } == expected)
  }

  @Test(arguments: [
    ("a: [b", ["in.yaml:1:4: this '[' is never closed; add ']'"]),
    ("- a\n", ["in.yaml:1:1: an inputs file takes a map, but this is a list"]),
    ("", ["in.yaml:1:1: the file is empty; `graphflow init` writes a first workflow"]),
    ("a: 1\n", ["input 'a' (from in.yaml) is not text; put it in quotes"]),
    (
      "a: x\na: y\n",
      ["in.yaml:2:1: duplicate key 'a'; the first one is on line 1"]
    ),
  ])
  func `a broken file of inputs is located`(_ file: String, _ expected: [String]) throws {
    let (values, problems) = try resolve("{a: {type: string, default: d}}", file: file)
    #expect(values == nil)
    #expect(problems == expected)
  }

  @Test func `an unknown input without a near name lists the declared ones`() throws {
    let (_, problems) = try resolve("{page: string, text: string}", flags: [("completely", "x")])
    #expect(
      problems.first == "input 'completely' (from --input) is unknown; its inputs are page, text"
    )
  }

  @Test func `a workflow without inputs reports this`() throws {
    let (_, problems) = try resolve("{}", flags: [("a", "x")])
    #expect(problems == ["input 'a' (from --input) is unknown; the workflow has no inputs"])
  }
}
