import CommandHarness
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A mebibyte of anything is validated within a second and 100 MiB.
struct HostileSizeTests {
  /// A file of a mebibyte: a head, then lines until it is full.
  struct Large: Sendable, CustomTestStringConvertible {
    let name: String
    var head = "graphflow: 1\nrequests:\n"
    let line: @Sendable (Int) -> String
    var tail = ""
    var testDescription: String { name }

    var bytes: [UInt8] {
      var text = head
      var number = 0
      while text.utf8.count < 1 << 20 {
        text += line(number)
        number += 1
      }
      return Array((text + tail).utf8)
    }
  }

  private static let one = "graphflow: 1\nrequests:\n  a:\n    get: me\n"

  static let files = [
    Large(name: "broken requests") { "  a\($0): {gte: me}\n" },
    Large(name: "references to what is above", head: one) {
      "  b\($0): {get: \"{result=a:$.id}/{result=b\(max(0, $0 - 1)):$.x}\"}\n"
    },
    Large(name: "references to nothing") { "  b\($0): {get: \"{result=zz\($0):$.id}\"}\n" },
    Large(name: "references in a chain") { "  c\($0): {get: \"{result=c\($0 + 1):$.id}\"}\n" },
    Large(name: "parameters", head: one + "    params:\n") { "      k\($0): 1\n" },
    Large(name: "tokens", head: one + "    params:\n") {
      "      k\($0): EAA\(String(repeating: "x", count: 60))\n"
    },
    Large(name: "unknown keys", head: "graphflow: 1\n") { "k\($0): 1\n" },
    Large(name: "one key again and again") { _ in "  a: {get: me}\n" },
    Large(name: "inputs in one text", head: one + "    params:\n      m: \"") { _ in "{input=x}" },
    Large(
      name: "one condition", head: one + "    expect: [\"", line: { _ in "$.a || " }, tail: "$\"]"),
    Large(name: "parentheses", head: one + "    expect: [\"", line: { _ in "!(" }, tail: "\"]"),
    Large(name: "a pattern", head: one + "inputs: {x: {type: string, pattern: '") { _ in "(a|" },
    Large(
      name: "aliases", head: one + "x-a: &a [1, 2, 3]\nx-b: [", line: { _ in "*a, " }, tail: "]\n"),
    Large(
      name: "dependencies", head: one + "  b: {get: me, depends_on: [", line: { _ in "a, " },
      tail: "]}\n"),
    Large(name: "comments to ignore", head: one) { _ in "# graphflow: ignore unused-input\n" },
    Large(name: "comments to ignore, on lines", head: one + "    params:\n") {
      "      k\($0): 1 # graphflow: ignore unused-input\n"
    },
    Large(name: "escapes", head: one + "name: \"", line: { _ in "\\u00e9" }, tail: "\"\n"),
  ]

  /// A second is the limit for an optimised build; a development build is many times slower.
  ///
  /// Processor time, because a busy machine may delay the program.
  private static var patience: Duration {
    #if DEBUG
    .seconds(20)
    #else
    .seconds(1)
    #endif
  }

  @Test(arguments: files)
  func `it is validated within a second and little memory`(_ file: Large) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(String(decoding: file.bytes, as: UTF8.self), to: "large.yaml")
    // The output is discarded, because the messages may exceed a pipe's capacity.
    let process = try ChildProcess(
      ["/bin/sh", "-c", "exec \"$0\" validate \"$1\" > /dev/null 2>&1"]
        + [try #require(GraphFlowBinary.path), path],
      environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin"], input: [], folder: folder.path)
    let memory = process.peakMemory()
    let end = try process.wait()

    #expect([.exited(0), .exited(65)].contains(end), "\(end)")
    #expect(process.cpuTime < Self.patience, "\(process.cpuTime)")
    #expect(memory < 100 << 20, "\(memory >> 20) MiB")
  }
}
