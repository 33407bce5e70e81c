import CommandHarness
import JSONPath
import TestSupport
import Testing

/// Endless answers on a real connection: the command gives up in time, takes little memory, and
/// leaves every write in doubt.
@Suite(.serialized)
struct AnswerStreamTests {
  /// An answer, and the expected part of the report.
  struct Answer: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let stream: StreamingPort.Stream
    let message: String

    init(_ name: String, _ message: String, _ stream: StreamingPort.Stream) {
      testDescription = name
      self.stream = stream
      self.message = message
    }
  }

  private static let (tooLarge, late) = (
    "the answer is larger than the limit", "no complete answer in time"
  )
  #if DEBUG
  // The program itself takes 30 MiB in addition.
  private static let memory = 158 << 20
  #else
  private static let memory = 128 << 20
  #endif
  private static let noHTTP = "the answer is not HTTP"
  private static let ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

  /// Two gibibytes in chunks of 64 KiB.
  private static func endless(_ beginning: String, _ unit: String) -> StreamingPort.Stream {
    let first =
      beginning.isEmpty ? "" : "\(String(beginning.utf8.count, radix: 16))\r\n\(beginning)\r\n"
    let body = String(repeating: unit, count: 65_536 / unit.utf8.count)
    return StreamingPort.Stream(
      beginning: Array("\(ok)Transfer-Encoding: chunked\r\n\r\n\(first)".utf8),
      unit: Array("\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n".utf8), times: 2 << 14)
  }

  /// 512 MiB of one character in 1,037 times fewer bytes, after a stored block.
  ///
  /// The repeated unit, a mebibyte, is a deflate block (RFC 1951) that ends on a byte boundary and
  /// does not refer to earlier data.
  private static func bomb(_ beginning: String, _ character: BombCharacter) -> StreamingPort.Stream
  {
    let count = UInt16(beginning.utf8.count)
    let length = [count & 0xFF, count >> 8].map { UInt8($0) }
    let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    let stored = [0] + length + length.map { ~$0 } + Array(beginning.utf8)
    return StreamingPort.Stream(
      beginning: Array("\(ok)Content-Encoding: gzip\r\n\r\n".utf8) + header + stored,
      unit: character.mebibyte, times: 512)
  }

  /// The character that a bomb consists of.
  private enum BombCharacter {
    case nul, a

    var mebibyte: [UInt8] {
      let zeros = [UInt8](repeating: 0, count: 1016)
      return switch self {
      case .nul:
        [0xEC, 0xC1, 0x31, 1, 0, 0, 0, 0xC2, 0xA0, 0xF5, 0x4F, 0x6D, 8, 0x5F, 0xA0] + zeros
          + [0x3E, 3, 0, 0, 0xFF, 0xFF]
      case .a:
        [0xEC, 0xC1, 0x31, 1, 0, 0, 0, 0xC2, 0xA0, 0xAC, 0xEB, 0x5F, 0xC2, 0x10, 0xBE, 0x40, 1]
          + zeros.dropLast() + [0x7C, 6, 0, 0, 0xFF, 0xFF]
      }
    }
  }

  private static let item = "{\"code\":200,\"body\":\""

  static let answers = [
    Answer("2 GiB of one text", tooLarge, endless("[\(item)", "a")),
    Answer("2 GiB of nulls", tooLarge, endless("[", "null,")),
    Answer("2 GiB of one object", tooLarge, endless("{\"data\":[", "{\"id\":\"1\"},")),
    Answer("2 GiB of brackets", tooLarge, endless("", "[")),
    Answer("2 GiB of blanks", tooLarge, endless("[", " \n")),
    Answer("2 GiB of HTML", tooLarge, endless("<html>", "<p>busy</p>")),
    Answer(
      "2 GiB with a length", tooLarge,
      .init(
        beginning: Array("\(ok)Content-Length: 2147483648\r\n\r\n[".utf8),
        unit: [UInt8](repeating: 0x61, count: 65_536), times: 2 << 14)),
    Answer("a bomb of nothing", tooLarge, bomb("", .nul)),
    Answer("a bomb that looks like an answer", tooLarge, bomb("[\(item)", .a)),
    Answer(
      "headers without end", noHTTP,
      .init(
        beginning: Array(ok.utf8), unit: Array("X-Y: zzzzzzzzzzzzzzzz\r\n".utf8), times: 1 << 24)),
    Answer(
      "a header without end", noHTTP,
      .init(
        beginning: Array("\(ok)X-Y: ".utf8), unit: [UInt8](repeating: 0x7A, count: 65_536),
        times: 2 << 14)),
    Answer(
      "a body drop by drop", late,
      .init(
        beginning: Array("\(ok)Content-Length: 100000\r\n\r\n[".utf8), unit: [0x20], times: 1 << 20,
        pause: 50)),
    Answer(
      "headers drop by drop", late,
      .init(beginning: Array("\(ok)X-Y: ".utf8), unit: [0x7A], times: 1 << 20, pause: 50)),
  ]

  private let graphflow: CommandFixture

  init() throws { graphflow = try CommandFixture() }

  private func workflow(timeout: String) throws -> String {
    try graphflow.folder.write(
      """
      graphflow: 1
      defaults: {retry: false, timeout: \(timeout)}
      requests:
        a: {post: me/feed, idempotent: false}
        b: {get: me}
        c: {post: me/feed, idempotent: false}

      """, to: "three.yaml")
  }

  @Test(arguments: answers)
  func `an endless answer takes little memory and leaves writes in doubt`(_ answer: Answer) throws {
    let port = try StreamingPort(answer.stream)
    let path = graphflow.folder.path + "/report.json"
    // An endless connection is given up after a second.
    let file = try workflow(timeout: answer.message == Self.late ? "1s" : "90s")
    let process = try graphflow.start(
      ["run", file, "--graph-url", port.url, "--report", path],
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])

    let memory = process.peakMemory()

    #expect(try process.wait() == .exited(3))
    #expect(memory < Self.memory, "\(memory >> 20) MiB")
    let report = try JSON(parsing: try contents(of: path))
    #expect(try report.all("$.requests[*].status") == ["in_doubt", "failed", "in_doubt"])
    let messages = try report.all("$.requests[*].error.message")
    #expect(messages == [JSON](repeating: .string(answer.message), count: 3))
    #expect(try report.one("$.summary.calls") == 1)
    let calls = try report.all("$.calls[*].duration_ms").compactMap(\.integer)
    if answer.message == Self.late { #expect(calls.allSatisfy { $0 < 2000 }, "\(calls)") }
  }

  /// A valid answer to three operations, in pieces of one byte.
  @Test func `an answer in pieces of one byte is read`() throws {
    let good =
      "[\(["1_1", "2_2", "3_3"].map { "\(Self.item){\\\"id\\\":\\\"\($0)\\\"}\"}" }.joined(separator: ","))]"
    let pieces = good.utf8.map { "1\r\n\(Character(Unicode.Scalar($0)))\r\n" }.joined()
    let port = try StreamingPort(
      .init(
        beginning: Array("\(Self.ok)Transfer-Encoding: chunked\r\n\r\n".utf8),
        unit: Array(pieces.utf8), end: Array("0\r\n\r\n".utf8)))

    let (outcome, report) = try graphflow.report(
      "run", try workflow(timeout: "30s"), "--graph-url", port.url,
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])

    #expect(outcome.code == 0, "\(outcome.error)")
    #expect(try report.all("$.requests[*].body.id") == ["1_1", "2_2", "3_3"])
  }

  /// The same with a wrong length, and with the connection closed after it.
  @Test(arguments: [-40, -1, 1, 40])
  func `an answer with a wrong length leaves writes in doubt`(_ excess: Int) throws {
    let good = "[\([String](repeating: "\(Self.item){}\"}", count: 3).joined(separator: ","))]"
    let port = try StreamingPort(
      .init(
        beginning: Array("\(Self.ok)Content-Length: \(good.utf8.count + excess)\r\n\r\n".utf8),
        unit: Array(good.utf8)))

    let (outcome, report) = try graphflow.report(
      "run", try workflow(timeout: "30s"), "--graph-url", port.url,
      environment: ["GRAPHFLOW_ACCESS_TOKEN": "t0ken"])

    #expect(outcome.code == 3, "\(outcome.error)")
    #expect(try report.all("$.requests[*].status") == ["in_doubt", "failed", "in_doubt"])
  }
}
