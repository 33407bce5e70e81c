import CommandHarness
import GraphFlow
import GraphSandbox
import JSONPath
import TestSupport
import Testing

@testable import GraphFlowCLI

/// Files that define the faults of a sandbox.
struct FaultFileTests {
  private static func reading(_ text: String) -> (plan: FaultPlan?, diagnostics: [Diagnostic]) {
    FaultReader.reading(SourceFile(path: "x.yaml", bytes: Array(text.utf8)))
  }

  private static func schema() throws -> JSONSchema {
    try JSONSchema(JSON(parsing: SchemaCommand.Subject.faults.schema))
  }

  private static let everything = """
    graphflow-faults: 1
    description: everything that there is
    seed: 7
    faults:
      - {method: POST, path: "*/feed", name: post, after: 30s, nth: 2, operation: {error: 1}}
      - operation:
          error: {code: 10, subcode: 3, message: a, type: b, transient: false, user_title: c,
            user_message: d, status: 403}
          applied: true
        every: 3
      - {first: 2, operation: {throttle: {code: 32, regain: 5m}}}
      - {probability: 0.5, operation: {unfinished: null_item, applied: true}}
      - operation: {unfinished: error_960}
      - operation: {lag: 3}
      - operation: {report: skipped}
      - operation: {report: {code: 2}}
      - call: {error: {}}
      - call: {throttle: {regain: 0s}}
      - call: {page: 502, applied: true}
      - call: {drop: true}
      - call: {cut: 10}
      - call: {partial: {from: 2, as: error_960}, applied: true}
      - call: {truncate: 0}
      - call: {wrong_length: -3}
      - call: {delay: 250ms}
      - call: {drip: {pause: 1ms}}
      - call: {pad: 1000}
      - world: {token: expired}
      - {path: me/**, method: DELETE, world: {decline: pages_manage_posts}}

    """

  @Test func `a file with every key is read and fits the schema`() throws {
    let (plan, diagnostics) = Self.reading(Self.everything)
    #expect(diagnostics.isEmpty, "\(diagnostics.map(\.message))")
    let rules = try #require(plan).rules
    #expect(plan?.seed == 7)
    let condition = FaultCondition(
      method: .post, path: PathPattern("*/feed"), name: "post", delay: .seconds(30),
      occasion: .nth(2))
    let error = InjectedError(
      code: 10, subcode: 3, message: "a", type: "b", isTransient: false, userTitle: "c",
      userMessage: "d", status: 403)
    let conditions: [FaultCondition] = [
      condition, FaultCondition(occasion: .everyNth(3)), FaultCondition(occasion: .first(2)),
      FaultCondition(occasion: .chance(0.5)),
    ]
    #expect(rules.prefix(4).map(\.condition) == conditions)
    #expect(
      rules.map(\.effect) == [
        .operation(.error(InjectedError(code: 1), .notApplied)),
        .operation(.error(error, .applied)),
        .operation(.throttled(code: 32, regain: .seconds(300))),
        .operation(.unfinished(.null, .applied)),
        .operation(.unfinished(.error960, .notApplied)), .operation(.lag(reads: 3)),
        .operation(.report(nil)), .operation(.report(InjectedError(code: 2))),
        .call(.error(InjectedError(code: nil), .notApplied)),
        .call(.throttled(code: 4, regain: .zero)), .call(.page(status: 502, .applied)),
        .call(.dropped(.notApplied)), .call(.cut(after: 10)),
        .call(.partial(from: 2, .error960, .applied)), .call(.truncated(to: 0)),
        .call(.wrongLength(by: -3)), .call(.delayed(.milliseconds(250))),
        .call(.dripping(bytes: 1, pause: .milliseconds(1))), .call(.padded(to: 1000)),
        .world(.token(.expired)), .world(.declined(permission: "pages_manage_posts")),
      ])
    #expect(try Self.schema().faults(in: #require(Self.value(of: Self.everything))).isEmpty)
  }

  private static func value(of text: String) -> JSON? {
    let fields = FieldReader(SourceFile(path: "x.yaml", bytes: Array(text.utf8)))
    return fields.root.flatMap { fields.value($0, "the file") }
  }

  @Test func `all problems are reported together, each with its location and a fix`() throws {
    let graphflow = try CommandFixture()
    let file = try graphflow.folder.write(
      """
      graphflow-faults: 2
      sed: 1
      faults:
        - methd: POST
          operation: {error: 2, applied: true, lag: 3}
        - nth: 0
          every: 2
          call: {drop: false}
        - call: {cut: 3, applied: true}
          path: a//b
        - world: {token: expird}
        - {}
        - operation: {throttle: {}}
        - call: {partial: {as: nul}}
        - probability: 1.5
          call: {drip: {}}
        - call: {wrong_length: 0}
        - operation: {error: {status: 100, mesage: a}}
        - text
        - call: {delay: 0s}

      """, to: "wrong.faults.yaml")
    let outcome = try graphflow("validate", file)
    #expect(outcome.code == 65)
    expectGolden(graphflow.stable(outcome.output), named: "faults/wrong.txt")
    for command in [["run", "workflows/post-and-verify.yaml", "--sandbox"], ["sandbox"]] {
      let refused = try graphflow.run(command + ["--faults", file])
      #expect(refused.code == 65)
      #expect(graphflow.stable(refused.error) == graphflow.stable(outcome.output))
    }
  }

  @Test func `faults need a sandbox and an existing file`() throws {
    let graphflow = try CommandFixture()
    let alone = try graphflow("run", "workflows/post-and-verify.yaml", "--faults", "x.yaml")
    #expect(alone.code == 64 && alone.error.contains("--faults needs --sandbox"))
    let absent = try graphflow("sandbox", "--faults", "absent.yaml")
    #expect(absent.code == 66)
  }

  @Test func `a folder's faults files are validated with its workflows`() throws {
    let graphflow = try CommandFixture()
    try graphflow.folder.makeFolder("files")
    _ = try graphflow.folder.write("graphflow-faults: 1\nfaults: 3\n", to: "files/a.faults.yaml")
    _ = try graphflow.folder.write(Self.everything, to: "files/b.faults.yaml")
    let outcome = try graphflow("validate", graphflow.folder.path + "/files")
    #expect(outcome.code == 65)
    #expect(outcome.output.contains("a.faults.yaml:2:9: error: 'faults' takes a list"))
    #expect(!outcome.output.contains("b.faults.yaml"))
  }

  // MARK: Schema and reader

  /// Valid and invalid values for keys.
  private static let values: [JSON] = [
    0, 1, 2, 50, 400, 502, -1, -3, 1_000_000, true, false, .null, "", "a", "POST", "me/feed",
    "a//b",
    "/", "**", "30s", "0s", "5", "10ms", "null_item", "error_960", "expired", "logged_out", [], [:],
    JSON.Number(lexeme: "0.5").map { .number($0) } ?? .null,
  ]

  private static let keys: [String: [String]] = [
    "": ["graphflow-faults", "faults", "seed", "description", "other"],
    "faults": [
      "method", "path", "name", "word", "after", "nth", "every", "first", "probability",
      "operation",
      "call", "world", "other",
    ],
    "operation": ["error", "throttle", "unfinished", "lag", "report", "applied", "other"],
    "call": [
      "error", "throttle", "page", "drop", "cut", "partial", "truncate", "wrong_length", "delay",
      "drip", "pad", "applied", "other",
    ],
    "world": ["token", "decline", "other"],
    "error": [
      "code", "subcode", "message", "type", "transient", "user_title", "user_message", "status",
    ],
    "throttle": ["code", "regain"], "partial": ["from", "as"], "drip": ["bytes", "pause"],
  ]

  /// An almost valid structure: most maps have one or two of their allowed keys.
  private static func structure(_ place: String, _ chance: inout some RandomNumberGenerator) -> JSON
  {
    guard let keys = keys[place], Int.random(in: 0..<12, using: &chance) > 0 else {
      return values.randomElement(using: &chance) ?? .null
    }
    var object = JSON.Object()
    for _ in 0..<Int.random(in: 1...2, using: &chance) {
      guard let key = keys.randomElement(using: &chance) else { continue }
      object[key] = structure(key, &chance)
    }
    return .object(object)
  }

  @Test func `reader and schema agree on every invalid file`() throws {
    let schema = try Self.schema()
    var chance = SplitMix64(seed: 11)
    var counts = (valid: 0, invalid: 0)
    for number in 0..<4_000 {
      let faults = (0..<Int.random(in: 0...1, using: &chance))
        .map { _ in Self.structure("faults", &chance) }
      var file: JSON.Object = ["graphflow-faults": 1, "faults": .array(faults)]
      if number.isMultiple(of: 9) {
        for (name, value) in Self.structure("", &chance).object ?? [:] { file[name] = value }
      }
      let text = JSON.object(file).serialized()
      let isValid = Self.reading(text).plan != nil
      #expect(isValid == schema.faults(in: .object(file)).isEmpty, "\(text)")
      if isValid { counts.valid += 1 } else { counts.invalid += 1 }
    }
    #expect(counts.valid > 500 && counts.invalid > 500, "\(counts)")
  }

  @Test func `the schema and the reader have the same keys`() throws {
    let definitions = try #require(try Self.schema().root["$defs"])
    for (place, known) in Self.keys where place != "" {
      let name = place == "faults" ? "fault" : place
      let schema =
        definitions[name] ?? definitions["call"]?["properties"]?[name]
      let properties = schema?["properties"] ?? schema?["anyOf"]?.array?.last?["properties"]
      let names = Set(properties?.object?.names ?? [])
      #expect(names == Set(known).subtracting(["other"]), "\(place)")
    }
  }
}
