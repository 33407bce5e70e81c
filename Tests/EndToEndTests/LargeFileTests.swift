import CommandHarness
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Files that are built to take long or much memory, and unusual encodings.
struct LargeFileTests {
  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  /// A file and its message; nil if the file is valid.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let message: String?
    let make: @Sendable () -> [UInt8]
    var testDescription: String { name }

    init(_ name: String, _ message: String?, _ make: @escaping @Sendable () -> [UInt8]) {
      (self.name, self.message, self.make) = (name, message, make)
    }
  }

  private static let valid = "graphflow: 1\nrequests:\n  a: {get: me}\n"

  /// Almost as large as a file may be.
  private static func filled(_ start: String, with text: String, end: String = "") -> [UInt8] {
    let unit = Array(text.utf8)
    var bytes = Array(start.utf8)
    bytes.reserveCapacity(63 << 20)
    while bytes.count + unit.count <= 63 << 20 { bytes += unit }
    return bytes + end.utf8
  }

  private static let tooLong = "the next text or comment is longer than 4 MiB [limit]"

  static let cases = [
    Case("a plain text of 63 MiB", "2:5: error: \(tooLong)") {
      filled("graphflow: 1\nname: ", with: String(repeating: "a", count: 1024))
    },
    Case("words", "2:5: error: \(tooLong)") {
      filled("graphflow: 1\nname: ", with: String(repeating: "word ", count: 200))
    },
    Case("a quoted text of 63 MiB", "2:5: error: \(tooLong)") {
      filled("graphflow: 1\nname: \"", with: String(repeating: "a", count: 1024), end: "\"\n")
    },
    Case("a block of 63 MiB", "2:5: error: \(tooLong)") {
      filled("graphflow: 1\nname: |\n", with: "  " + String(repeating: "a", count: 90) + "\n")
    },
    Case("nothing but a text", "1:1: error: \(tooLong)") {
      filled("", with: String(repeating: "a", count: 1024))
    },
    Case("comments of 63 MiB", "1:13: error: \(tooLong)") {
      filled("graphflow: 1\n", with: "# graphflow: ignore x\n", end: "requests: {a: {get: me}}\n")
    },
    Case("nothing but line breaks", "1:1: error: \(tooLong)") {
      filled("", with: String(repeating: "\n", count: 1024))
    },
    Case("64 MiB and a byte", "1:1: error: the file is larger than 64 MiB [limit]") {
      Array(repeating: UInt8(ascii: "a"), count: 64 << 20 + 1)
    },
    Case(
      "aliases of aliases",
      "8:46: error: alias expansion gives this file more than 10 million values [limit]"
    ) {
      Array(
        ("graphflow: 1\nx-0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
          + (1...20).map {
            "x-\($0): &a\($0) ["
              + Array(repeating: "*a\($0 - 1)", count: 10).joined(separator: ", ")
              + "]\n"
          }
          .joined()).utf8)
    },
    Case("ten thousand levels of lists", "2:106: error: \(tooDeep)") {
      Array(("graphflow: 1\nname: " + String(repeating: "[", count: 10_000)).utf8)
    },
    Case("ten thousand levels of maps", "2:403: error: \(tooDeep)") {
      Array(("graphflow: 1\nname: " + String(repeating: "{a: ", count: 10_000)).utf8)
    },
    Case("ten thousand levels of blocks", "3:199: error: \(tooDeep)") {
      Array(("graphflow: 1\nname:\n" + String(repeating: "- ", count: 10_000) + "a\n").utf8)
    },
    Case("a NUL", "2:8: error: this is not a text file: it contains a NUL byte [syntax]") {
      Array("graphflow: 1\nname: a\u{0}b\n".utf8)
    },
    Case("zeros", "1:1: error: this is not a text file: it contains a NUL byte [syntax]") {
      Array(repeating: 0, count: 63 << 20)
    },
    Case("UTF-16", "1:1: error: the file is not UTF-8 [syntax]") {
      [0xFF, 0xFE] + valid.utf8.flatMap { [$0, 0] }
    },
    Case("UTF-16, the other way round", "1:1: error: the file is not UTF-8 [syntax]") {
      [0xFE, 0xFF] + valid.utf8.flatMap { [0, $0] }
    },
    Case("Latin 1", "2:9: error: the file is not UTF-8: ") {
      Array("graphflow: 1\nname: Ca".utf8) + [0xE9, 0x0A]
    },
    Case("a tab", "3:1: error: tabs cannot be used for indentation [syntax]") {
      Array("graphflow: 1\nrequests:\n\ta: {get: me}\n".utf8)
    },
    Case("a million braces", "1:1: error: a workflow file needs 'requests' [missing-key]") {
      Array(("graphflow: 1\nname: \"" + String(repeating: "{", count: 1 << 20) + "\"\n").utf8)
    },
    Case("a byte order mark", nil) { [0xEF, 0xBB, 0xBF] + valid.utf8 },
    Case("CRLF", nil) { Array(valid.utf8.flatMap { $0 == 10 ? [13, 10] : [$0] }) },
    Case("CR", nil) { Array(valid.utf8.map { $0 == 10 ? 13 : $0 }) },
    Case("CRLF after a byte order mark, with an error", "3:16: error: unknown key 'x'") {
      [0xEF, 0xBB, 0xBF] + "graphflow: 1\r\nrequests:\r\n  a: {get: me, x: 1}\r\n".utf8
    },
  ]

  private static let tooDeep = "lists and maps are nested more than 100 levels deep [limit]"

  /// A second and 100 MiB are the limits for an optimised build; a development build is many times
  /// slower and a little larger.
  #if DEBUG
  private static let (patience, memory) = (Duration.seconds(30), 130 << 20)
  #else
  private static let (patience, memory) = (Duration.seconds(1), 100 << 20)
  #endif

  @Test(arguments: cases)
  func `it is validated within a second and 100 MiB`(_ example: Case) throws {
    try graphflow.folder.write(bytes: example.make(), to: "a.yaml")
    let process = try graphflow.start(["validate", "a.yaml"], in: graphflow.folder.path)
    let peak = process.peakMemory()
    let end = try process.wait()

    let output = String(decoding: process.standardOutput, as: UTF8.self)
    if let message = example.message {
      #expect(output.contains("a.yaml:" + message), "\(output.prefix(500))")
      #expect(end == .exited(65))
    } else {
      #expect(output == "")
      #expect(end == .exited(0))
    }
    #expect(output.utf8.count < 2000)
    #expect(process.cpuTime < Self.patience, "\(example.name) took \(process.cpuTime)")
    #expect(peak < Self.memory, "\(example.name) took \(peak >> 20) MiB")
  }

  @Test func `many large files together take no more memory than one`() throws {
    try graphflow.folder.makeFolder("w")
    let bytes = Self.filled(
      "graphflow: 1\n", with: "# graphflow: ignore x\n", end: "requests: {a: {get: me}}\n")
    for number in 0..<5 { try graphflow.folder.write(bytes: bytes, to: "w/\(number).yaml") }
    try graphflow.folder.write(Self.valid, to: "w/small.yaml")

    let process = try graphflow.start(["validate", "w"], in: graphflow.folder.path)
    let peak = process.peakMemory()
    let end = try process.wait()

    let output = String(decoding: process.standardOutput, as: UTF8.self)
    #expect(output.split(separator: "\n").count { $0.contains(Self.tooLong) } == 5)
    #expect(end == .exited(65))
    #expect(peak < Self.memory, "\(peak >> 20) MiB")
  }

  @Test func `consecutive comments are about the same line, which is searched for once`()
    throws
  {
    let ignores = String(repeating: "# graphflow: ignore x\n", count: 20_000)
    let text = "graphflow: 1\n\(ignores)requests:\n  a: {get: me}\n"

    let process = try graphflow.start(
      ["validate", "--format", "json", "-"], input: Array(text.utf8))
    let end = try process.wait()

    let output = String(decoding: process.standardOutput, as: UTF8.self)
    #expect(output.contains("no rule is named 'x'"))
    #expect(end == .exited(0))
    #expect(process.cpuTime < Self.patience, "\(process.cpuTime)")
  }

  @Test(arguments: [["validate", "-"], ["plan", "-"], ["run", "--sandbox", "-"]])
  func `the limits also apply to standard input`(_ command: [String]) throws {
    let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 64 << 20 + 1)

    let outcome = try graphflow.run(command, input: bytes)

    let text = command[0] == "validate" ? outcome.output : outcome.error
    #expect(text.hasPrefix("-:1:1: error: the file is larger than 64 MiB [limit]\n"))
    #expect(outcome.code == 65)
  }
}

extension TemporaryFolder {
  /// Writes a file in it.
  fileprivate func write(bytes: [UInt8], to name: String) throws {
    guard let stream = fopen(path + "/" + name, "wb") else { throw ChildProcess.Failure(name) }
    let count = fwrite(bytes, 1, bytes.count, stream)
    guard fclose(stream) == 0, count == bytes.count else { throw ChildProcess.Failure(name) }
  }
}
