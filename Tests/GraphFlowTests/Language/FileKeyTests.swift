import GraphAPI
import GraphFlow
import JSONPath
import Testing

/// The keys of a file: known keys, required keys, and their meaning.
struct FileKeyTests {
  private func read(_ text: String) -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    Workflow.reading(SourceFile(path: "x.yaml", bytes: Array(text.utf8)))
  }

  private func rules(_ text: String) -> [String] {
    read(text).diagnostics.filter { $0.severity == .error }.map(\.rule)
  }

  @Test(arguments: [
    "x-: 1", "x-a: [1, {b: \"{result=zzz}\"}]", "x-a: ~", "x-a: {get: me}\nx-b: &b {t: 1}",
  ])
  func `a key that begins with x- is ignored at the top`(_ lines: String) {
    #expect(read("\(lines)\ngraphflow: 1\nrequests: {a: {get: me}}\n").diagnostics == [])
  }

  @Test(arguments: [
    "xa: 1\nrequests: {a: {get: me}}", "X-a: 1\nrequests: {a: {get: me}}",
    "x: 1\nrequests: {a: {get: me}}",
    "requests: {a: {get: me, x-a: 1}}",
    "inputs: {i: {type: string, x-a: 1, default: a}}\nrequests: {a: {get: \"{input=i}\"}}",
    "defaults: {x-a: 1}\nrequests: {a: {get: me}}",
    "errors: [{code: 1, category: other, x-a: 1}]\nrequests: {a: {get: me}}",
  ])
  func `other keys are errors everywhere`(_ lines: String) {
    #expect(rules("graphflow: 1\n\(lines)\n") == ["unknown-key"])
  }

  @Test(arguments: [
    ("nmae: x", "name"), ("request: {}", "requests"), ("inputz: {}", "inputs"),
    ("default: {}", "defaults"),
    ("error: []", "errors"), ("output: {}", "outputs"), ("permission: []", "permissions"),
    ("versoin: v1.0", "version"), ("tokne: x", "token"), ("graphlow: 1", "graphflow"),
    ("descripton: x", "description"),
  ])
  func `an unknown key gets the nearest one`(_ line: String, _ nearest: String) {
    let diagnostics = read("graphflow: 1\n\(line)\nrequests: {a: {get: me}}\n").diagnostics
    #expect(diagnostics.map(\.rule) == ["unknown-key"])
    #expect(diagnostics.first?.hint?.contains(nearest) == true, "\(diagnostics)")
  }

  @Test(arguments: [
    ("requests: {a: {get: me}}", ["missing-key"]), ("graphflow: 1", ["missing-key"]),
    ("graphflow: 1\nrequests: {}", ["missing-key"]),
    ("graphflow: 2\nrequests: {a: {get: me}}", ["invalid-value"]),
    ("graphflow: \"1\"\nrequests: {a: {get: me}}", ["wrong-type"]),
    ("graphflow: 1.0\nrequests: {a: {get: me}}", ["wrong-type"]),
    ("graphflow: 1\nrequests: {a: {get: me}}", []),
  ])
  func `the version of the language and a request are required`(
    _ text: String, _ expected: [String]
  ) { #expect(rules(text + "\n") == expected) }

  @Test(arguments: [
    ("a", true), ("_", true), ("A-b_9", true), ("", false), ("9a", false), ("-a", false),
    ("a b", false),
    ("ä", false), ("a.b", false), ("a:b", false), ("a}", false),
    (String(repeating: "n", count: 64), true), (String(repeating: "n", count: 65), false),
  ])
  func `a name has at most sixty-four letters, digits, underscores and hyphens`(
    _ name: String, _ isName: Bool
  ) {
    let found = [
      rules("graphflow: 1\nrequests: {\"\(name)\": {get: me}}\n"),
      rules("graphflow: 1\nrequests: {g: {for_each: [1], requests: {\"\(name)\": {get: me}}}}\n"),
      rules("graphflow: 1\ninputs: {\"\(name)\": string}\nrequests: {a: {get: me}}\n"),
    ]
    for rules in found { #expect(rules == (isName ? [] : ["invalid-name"]), "\(name)") }
  }

  @Test func `defaults apply per header and key unless a request overrides them`()
    throws
  {
    let requests = try workflow(
      """
      graphflow: 1
      defaults: {retry: {max_attempts: 7, initial_delay: 3s}, timeout: 9s, on_error: ignore, headers: {X-A: a, X-B: b}}
      requests:
        plain: {get: me}
        own: {get: me, retry: {max_attempts: 2}, timeout: 8s, on_error: stop, headers: {x-b: c, X-D: d}}
        never: {get: me, retry: false}
        member: {for_each: [1], requests: {a: {get: me}}}
      """
    ).requests
    func shown(_ request: Workflow.Request) -> String {
      let headers = request.headers.map { "\($0.name)=\($0.value.text)" }.joined(separator: ",")
      let retry = request.retry.map { "\($0.maxAttempts) \($0.initialDelay)" } ?? "never"
      return "\(retry) \(request.timeout) \(request.onError) \(headers)"
    }

    #expect(
      requests.map(shown) == [
        "7 3.0 seconds 9.0 seconds ignore X-A=a,X-B=b",
        "2 3.0 seconds 8.0 seconds stop X-A=a,x-b=c,X-D=d",
        "never 9.0 seconds ignore X-A=a,X-B=b", "7 3.0 seconds 9.0 seconds ignore X-A=a,X-B=b",
      ])
  }

  @Test(arguments: [
    ("get", true), ("delete", true), ("post", false),
  ])
  func `by default only a POST is not idempotent`(_ verb: String, _ expected: Bool) throws {
    let requests = try workflow(requests: [
      "a: {\(verb): x}", "b: {\(verb): x, idempotent: true}", "c: {\(verb): x, idempotent: false}",
    ]).requests
    #expect(requests.map(\.isIdempotent) == [expected, true, false])
  }

  static let durations: [(text: String, duration: Duration?)] = [
    ("250ms", .milliseconds(250)), ("30s", .seconds(30)), ("5m", .seconds(300)),
    ("2h", .seconds(7200)), ("1.5s", nil), ("5", nil), ("5 s", nil), ("s", nil), ("5d", nil),
    ("-5s", nil), ("5S", nil),
  ]

  @Test(arguments: durations)
  func `a duration is a whole number and a unit`(_ text: String, _ duration: Duration?) {
    let workflow = read("graphflow: 1\nrequests: {a: {get: me, timeout: \"\(text)\"}}\n").workflow
    #expect(workflow?.requests[0].timeout == duration)
  }

  @Test(arguments: ["access_token", "appsecret_proof", "method", "batch", "debug"])
  func `the protocol's parameters are not a request's`(_ name: String) {
    #expect(
      rules("graphflow: 1\nrequests: {a: {get: me, params: {\(name): x}}}\n") == [
        "reserved-parameter"
      ])
    #expect(
      rules("graphflow: 1\nrequests: {a: {get: \"me?\(name)=x\"}}\n") == ["reserved-parameter"])
  }

  @Test(arguments: [
    "Authorization", "host", "COOKIE", "Content-Type", "Content-Length", "Transfer-Encoding",
    "Connection",
  ])
  func `the connection's headers are not a request's`(_ name: String) {
    #expect(
      rules("graphflow: 1\nrequests: {a: {get: me, headers: {\(name): x}}}\n") == [
        "forbidden-header"
      ])
    #expect(
      rules("graphflow: 1\ndefaults: {headers: {\(name): x}}\nrequests: {a: {get: me}}\n") == [
        "forbidden-header"
      ])
  }

  @Test(arguments: [
    "when: \"{input=key} == 'x'\"", "expect: [\"$.id == {input=key}\"]",
    "params: {x: [\"a{input=key}\"]}",
    "headers: {X-A: \"{input=key}\"}", "until: {check: \"$.x == {input=key}\"}",
    "params: {x: \"{result=other:$.data[0].access_token}\"}",
    "params: {x: \"{result=other:$.page_token}\"}",
    "params: {x: \"{result=other:$['client_secret']}\"}",
    "when: \"{result=other:$.appsecret_proof} == 'x'\"",
  ])
  func `a secret may only be a token`(_ keys: String) {
    let text =
      "graphflow: 1\ninputs: {key: secret}\nrequests: {other: {get: me, token: \"{input=key}\"}, a: {get: me, \(keys)}}\n"
    #expect(rules(text) == ["secret-leak"])
  }

  @Test(arguments: ["get: \"{input=key}/feed\"", "post: x, files: {source: \"{input=key}\"}"])
  func `a secret cannot be a path`(_ verb: String) {
    #expect(
      rules("graphflow: 1\ninputs: {key: secret}\nrequests: {a: {\(verb)}}\n") == ["secret-leak"])
  }
}
