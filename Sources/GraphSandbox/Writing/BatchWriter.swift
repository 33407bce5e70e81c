/// Writes the answer to a batch: an array of items, `null` for an item without an answer
/// (docs/internals/graph-api.md, Answers).
struct BatchWriter {
  /// The items, each after a comma.
  private var output: [UInt8] = []
  /// The start of each item, if items are executed in another order than the batch's.
  private var pieces: [(index: Int, start: Int)]?

  init(count: Int, isShuffled: Bool) {
    output.reserveCapacity(count * 1_024)
    if isShuffled { pieces = [] }
  }

  /// Writes an item; an operation may omit its headers (docs/internals/graph-api.md,
  /// Operations: iOS does).
  mutating func write(_ answer: Answer?, at index: Int, includesHeaders: Bool) {
    pieces?.append((index, output.count))
    guard let answer else { return put(",null") }
    put(",{\"code\":")
    put(answer.status == 200 ? "200" : String(answer.status))
    if includesHeaders { putHeaders(of: answer) }
    if !answer.body.isEmpty {
      put(",\"body\":\"")
      GraphText.appendEscaped(answer.body.span, to: &output)
      put("\"")
    }
    put("}")
  }

  /// The whole array, its items in the batch's order.
  consuming func finish() -> [UInt8] {
    if let pieces { sort(pieces) }
    if output.isEmpty { output = [0] }
    output[0] = UInt8(ascii: "[")
    output.append(UInt8(ascii: "]"))
    return output
  }

  private mutating func sort(_ pieces: [(index: Int, start: Int)]) {
    let ends = pieces.dropFirst().map(\.start) + [output.count]
    let written = zip(pieces, ends).sorted { $0.0.index < $1.0.index }
    output = written.flatMap { output[$0.0.start..<$0.1] }
  }

  private mutating func put(_ text: String) { output.append(contentsOf: text.utf8) }
}

/// Headers of items, in the order of recordings (docs/internals/graph-api.md, Answers).
extension BatchWriter {
  private mutating func putHeaders(of answer: Answer) {
    put(",\"headers\":[")
    if !answer.body.isEmpty { put(Self.contentType) }
    putHeader("Facebook-API-Version", answer.version)
    putHeader("ETag", answer.etag)
    putHeader("Location", answer.location)
    putHeader("WWW-Authenticate", answer.challenge)
    put(answer.challenge == nil ? Self.constants : Self.errorConstants)
    if answer.isInvented { putHeader("X-GraphFlow-Sandbox", "invented") }
    for header in answer.usage.others { putHeader(header.name, header.value) }
    putHeader("X-App-Usage", answer.usage.app)
    // The bracket replaces the last comma.
    output[output.count - 1] = UInt8(ascii: "]")
  }

  private mutating func putHeader(_ name: String, _ value: String?) {
    guard let value else { return }
    put("{\"name\":\"")
    put(name)
    put("\",\"value\":")
    GraphText.append(value, to: &output)
    put("},")
  }

  private static let contentType =
    "{\"name\":\"Content-Type\",\"value\":\"text\\/javascript; charset=UTF-8\"},"
  private static let constants = constants(isError: false)
  private static let errorConstants = constants(isError: true)

  private static func constants(isError: Bool) -> String {
    HTTPAnswer.constants(isError: isError)
      .map { "{\"name\":\"\($0.name)\",\"value\":\"\($0.value)\"}," }.joined()
  }
}
