import CommandHarness
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file has one meaning for all readers: for `validate` and `plan`, on every machine, and for a
/// person who reads it.
struct SameMeaningTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  /// Files that readers could interpret differently.
  static let doubtful: [(name: String, bytes: [UInt8])] = [
    ("UTF-16, little end first", utf16(bigEndian: false)),
    ("UTF-16, big end first", utf16(bigEndian: true)),
    ("UTF-16 without a mark", Array(utf16(bigEndian: false).dropFirst(2))),
    ("UTF-32", [0xff, 0xfe, 0, 0] + valid.flatMap { [$0, 0, 0, 0] }),
    ("an overlong slash", valid + [0x23, 0xc0, 0xaf]),
    ("an overlong NUL", valid + [0x23, 0xe0, 0x80, 0x80]),
    ("half of a surrogate pair", valid + [0x23, 0xed, 0xa0, 0x80]),
    ("beyond Unicode", valid + [0x23, 0xf4, 0x90, 0x80, 0x80]),
    ("a character that is cut off", valid + [0x23, 0xf0, 0x9f]),
    ("a NUL in a comment", valid + [0x23, 0]),
    ("a second document", valid + Array("---\ngraphflow: 1\n".utf8)),
    ("a tab for spaces", Array("graphflow: 1\nrequests:\n\ta: {get: me}\n".utf8)),
    ("a key twice", valid + Array("graphflow: 1\n".utf8)),
    ("a key twice, once in quotes", valid + Array("\"graphflow\": 1\n".utf8)),
    ("a language's own tag", valid + Array("x-a: !!python/object/apply:os.system [id]\n".utf8)),
    ("binary data", valid + Array("x-a: !!binary aGk=\n".utf8)),
    ("an alias of nothing", valid + Array("x-a: *b\n".utf8)),
    ("a key that is a list", valid + Array("? [a]\n: b\n".utf8)),
    ("a merge of a text", Array("graphflow: 1\nrequests: {a: {get: me, <<: b}}\n".utf8)),
  ]

  private static let valid = Array("graphflow: 1\nrequests: {a: {get: me}}\n".utf8)

  private static func utf16(bigEndian: Bool) -> [UInt8] {
    (bigEndian ? [0xfe, 0xff] : [0xff, 0xfe]) + valid.flatMap { bigEndian ? [0, $0] : [$0, 0] }
  }

  @Test(arguments: doubtful)
  func `content that readers interpret differently is refused`(
    _ name: String, _ bytes: [UInt8]
  ) throws {
    for command in ["validate", "plan"] {
      let outcome = try graphflow.run([command, "-"], input: bytes)
      #expect(outcome.code == 65, "\(name), \(command): \(outcome.output)\(outcome.error)")
    }
  }

  @Test func `a byte order mark changes nothing`() throws {
    let marked = try graphflow.run(["plan", "-"], input: [0xef, 0xbb, 0xbf] + Self.valid)
    #expect(marked.code == 0)
    #expect(marked.output == (try graphflow.run(["plan", "-"], input: Self.valid).output))
  }

  private static let golden = CommandFixture.root + "/Tests/GraphFlowTests/Golden/invalid"
  private static let broken: [String] = {
    guard let list = glob(golden + "/*/*.yaml") else { return [] }
    return list.sorted()
  }()

  private static func glob(_ pattern: String) -> [String]? {
    var found = glob_t()
    defer { globfree(&found) }
    #if canImport(Glibc)
    guard Glibc.glob(pattern, 0, nil, &found) == 0 else { return nil }
    #else
    guard Darwin.glob(pattern, 0, nil, &found) == 0 else { return nil }
    #endif
    return (0..<Int(found.gl_pathc)).compactMap { index in
      found.gl_pathv[index].map { String(cString: $0) }
    }
  }

  /// The first line of each error, without the command's name.
  private func errors(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { $0.contains(": error: ") && $0.hasPrefix("/") }
  }

  @Test func `plan refuses what validate refuses, for the same reasons`() throws {
    try #require(Self.broken.count > 100)
    let all = try graphflow.run(["validate"] + Self.broken)
    for (index, file) in Self.broken.enumerated() where index.isMultiple(of: 5) {
      // An error may be in a file that is included.
      let isAlone = !file.hasSuffix("/include.yaml")
      let alone = isAlone ? all : try graphflow("validate", file)
      let expected = errors(alone.output).filter { !isAlone || $0.hasPrefix(file + ":") }
      let outcome = try graphflow("plan", file)
      #expect(errors(outcome.error) == expected, "\(file)")
      #expect((outcome.code == 65) == !expected.isEmpty, "\(file): \(outcome.error)")
    }
  }

  @Test func `the environment and the folder change nothing`() throws {
    let file = try #require(Self.broken.first { $0.contains("/invalid-value/inputs") })
    let here = try graphflow("validate", file)
    let there = try graphflow(
      "validate", file, in: "/",
      environment: [
        "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu",
        "GRAPHFLOW_INPUT_a": "1", "GRAPHFLOW_TOKEN": "x", "COLUMNS": "40", "HOME": "/nonexistent",
      ])
    #expect(there.output == here.output && there.code == here.code)
  }
}
