import Crypto

/// Writes the answer to a batch: an array of items, `null` for an item without an answer
/// (docs/internals/graph-api.md, Answers).
struct BatchWriter {
  /// The items, each after a comma, then bytes that nothing is written to yet.
  private var output: [UInt8]
  private var end = 0
  /// The start of each item, if items are executed in another order than the batch's.
  private var pieces: [(index: Int, start: Int)]?

  init(count: Int, isShuffled: Bool) {
    output = Array(repeating: 0, count: (count + 1) * 2_048)
    if isShuffled { pieces = [] }
  }

  /// Writes an item; an operation may omit its headers (docs/internals/graph-api.md,
  /// Operations: iOS does).
  mutating func write(_ answer: borrowing Answer, at index: Int, includesHeaders: Bool) {
    pieces?.append((index, end))
    put(",{\"code\":")
    if answer.status == 200 { put("200") } else { put(Array(String(answer.status).utf8)) }
    if includesHeaders { putHeaders(of: answer) }
    if !answer.body.isEmpty {
      put(",\"body\":\"")
      answer.body.withUnsafeBytes { putEscaped($0) }
      put("\"")
    }
    put("}")
  }

  /// Writes the item of an operation without an answer.
  mutating func writeNull(at index: Int) {
    pieces?.append((index, end))
    put(",null")
  }

  /// The whole array, its items in the batch's order; nothing can be written any more.
  mutating func finish() -> [UInt8] {
    if let pieces { sort(pieces) }
    if end == 0 { end = 1 }
    output[0] = UInt8(ascii: "[")
    put("]")
    output.removeLast(output.count - end)
    var finished: [UInt8] = []
    swap(&finished, &output)
    return finished
  }

  private mutating func sort(_ pieces: [(index: Int, start: Int)]) {
    let ends = pieces.dropFirst().map(\.start) + [end]
    let written = zip(pieces, ends).sorted { $0.0.index < $1.0.index }
    output = written.flatMap { output[$0.0.start..<$0.1] }
  }

  private mutating func put(_ text: StaticString) {
    text.withUTF8Buffer { put(UnsafeRawBufferPointer($0)) }
  }

  /// Writes a text that needs no escapes.
  private mutating func put(text: String) {
    var text = text
    text.withUTF8 { put(UnsafeRawBufferPointer($0)) }
  }

  private mutating func put(_ bytes: [UInt8]) { bytes.withUnsafeBytes { put($0) } }

  private mutating func put(_ bytes: UnsafeRawBufferPointer) {
    makeRoom(for: bytes.count)
    output.withUnsafeMutableBytes {
      UnsafeMutableRawBufferPointer(rebasing: $0[end...]).copyMemory(from: bytes)
    }
    end += bytes.count
  }

  private mutating func putEscaped(_ text: UnsafeRawBufferPointer) {
    makeRoom(for: GraphText.escapedLimit(text.count))
    end = output.withUnsafeMutableBytes { GraphText.escape(text, into: $0, at: end) }
  }

  private mutating func makeRoom(for count: Int) {
    guard end + count > output.count else { return }
    output.append(contentsOf: repeatElement(0, count: max(count, output.count)))
  }
}

/// Headers of items, in the order of recordings (docs/internals/graph-api.md, Answers).
extension BatchWriter {
  private mutating func putHeaders(of answer: borrowing Answer) {
    put(",\"headers\":[")
    if !answer.body.isEmpty {
      put("{\"name\":\"Content-Type\",\"value\":\"text\\/javascript; charset=UTF-8\"},")
    }
    put("{\"name\":\"Facebook-API-Version\",\"value\":\"")
    put(text: answer.version)
    put("\"},")
    if let etag = answer.etag {
      put("{\"name\":\"ETag\",\"value\":\"\\\"")
      putDigits(of: etag.digest)
      put("\\\"\"},")
    }
    putHeader("Location", answer.location)
    putHeader("WWW-Authenticate", answer.challenge)
    put(answer.challenge == nil ? Self.constants : Self.errorConstants)
    putHeader("X-GraphFlow-Sandbox", answer.note.text)
    put(answer.usage.items)
    // The bracket replaces the last comma.
    output[end - 1] = UInt8(ascii: "]")
  }

  private mutating func putHeader(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    put("{\"name\":\"")
    put(name)
    put("\",\"value\":")
    var text: [UInt8] = []
    GraphText.append(value, to: &text)
    put(text)
    put("},")
  }

  private mutating func putDigits(of digest: Insecure.SHA1Digest) {
    makeRoom(for: 2 * Insecure.SHA1Digest.byteCount)
    let start = end
    output.withUnsafeMutableBytes { output in
      digest.withUnsafeBytes { digest in
        for index in digest.indices {
          output[start &+ 2 &* index] = Hexadecimal.lowerDigit(digest[index] >> 4)
          output[start &+ 2 &* index &+ 1] = Hexadecimal.lowerDigit(digest[index] & 15)
        }
      }
    }
    end += 2 * Insecure.SHA1Digest.byteCount
  }

  private static let constants = constants(isError: false)
  private static let errorConstants = constants(isError: true)

  private static func constants(isError: Bool) -> [UInt8] {
    HTTPAnswer.constants(isError: isError)
      .flatMap { Array("{\"name\":\"\($0.name)\",\"value\":\"\($0.value)\"},".utf8) }
  }
}

/// An HTTP answer, ready to be written.
struct HTTPAnswer: Sendable {
  var status: Int
  var headers: [(name: String, value: String)]
  var body: [UInt8]
  /// A fault of the connection; without one the answer is sent whole and at once.
  var delivery: CallFault?
}

extension HTTPAnswer {
  /// No answer: the connection is closed without a byte.
  static let dropped = HTTPAnswer(status: 503, headers: [], body: [], delivery: .dropped(.applied))

  /// The answer to a single operation, to a batch, or to a whole batch that was refused.
  ///
  /// Its content type is JSON, that of items JavaScript (docs/internals/graph-api.md, decision 42).
  init(_ answer: borrowing Answer, traceID: String) {
    status = answer.status
    body = answer.body
    headers = answer.body.isEmpty ? [] : [("Content-Type", "application/json; charset=UTF-8")]
    headers += [
      ("facebook-api-version", answer.version), ("x-fb-request-id", traceID),
      ("x-fb-trace-id", traceID), ("x-fb-rev", "1000000000"),
      ("X-FB-Debug", SeededText.debugID(of: traceID)),
      ("Strict-Transport-Security", "max-age=15552000; preload"),
    ]
    let usage = answer.usage.headers.map { header in
      (name: header.name.description, value: String(decoding: header.value, as: UTF8.self))
    }
    // The application's comes before the constants, all others behind them.
    headers += usage.suffix(1) + Self.constants(isError: answer.challenge != nil)
    headers += usage.dropLast()
    if let etag = answer.etag { headers.append(("ETag", etag.text)) }
    if let location = answer.location { headers.append(("Location", location)) }
    if let challenge = answer.challenge { headers.append(("WWW-Authenticate", challenge)) }
    if let note = answer.note.text { headers.append((SandboxNote.header, note)) }
  }

  /// The headers with the same values on all answers, in and outside of batches.
  static func constants(isError: Bool) -> [(name: String, value: String)] {
    [
      ("Expires", "Sat, 01 Jan 2000 00:00:00 GMT"),
      ("Cache-Control", isError ? "no-store" : "private, no-cache, no-store, must-revalidate"),
      ("Pragma", "no-cache"),
      ("Vary", "Accept-Encoding"),
      ("Access-Control-Allow-Origin", "*"),
    ]
  }
}
