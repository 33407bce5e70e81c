/// Writes the answer to a batch: an array of items, `null` where there is none (docs/graph-api.md,
/// Answers).
struct BatchWriter {
  /// The items, each behind a comma.
  private var output: [UInt8] = []
  /// Which item stands where, in the order in which they were executed.
  private var pieces: [(index: Int, start: Int)] = []

  init(count: Int, includesHeaders: Bool) {
    output.reserveCapacity(count * (includesHeaders ? 1_024 : 128))
    pieces.reserveCapacity(count)
  }

  /// Writes an item; an operation may ask to have no headers (docs/graph-api.md, Operations: iOS
  /// does).
  mutating func write(_ answer: Answer?, at index: Int, includesHeaders: Bool) {
    pieces.append((index, output.count))
    guard let answer else { return put(",null") }
    put(",{\"code\":")
    put(String(answer.status))
    if includesHeaders { appendHeaders(of: answer) }
    if let text = answer.escapedBody {
      put(",\"body\":\"")
      output.append(contentsOf: text)
      put("\"")
    } else if let body = answer.body {
      put(",\"body\":\"")
      GraphText.appendEscaped(body, to: &output)
      put("\"")
    }
    put("}")
  }

  /// The whole array, its items in the batch's order.
  consuming func finish() -> [UInt8] {
    if zip(pieces, pieces.dropFirst()).contains(where: { $0.index > $1.index }) { sort() }
    if output.isEmpty { output = [0] }
    output[0] = UInt8(ascii: "[")
    output.append(UInt8(ascii: "]"))
    return output
  }

  private mutating func sort() {
    let ends = pieces.dropFirst().map(\.start) + [output.count]
    let written = zip(pieces, ends).sorted { $0.0.index < $1.0.index }
    output = written.flatMap { output[$0.0.start..<$0.1] }
  }

  private mutating func appendHeaders(of answer: Answer) {
    put(",\"headers\":[")
    if answer.body != nil { put(Self.contentType) }
    put("{\"name\":\"Facebook-API-Version\",\"value\":\"")
    put(answer.version)
    put("\"},")
    appendHeader("ETag", answer.etag)
    appendHeader("Location", answer.location)
    appendHeader("WWW-Authenticate", answer.challenge)
    put(answer.challenge == nil ? Self.constants : Self.errorConstants)
    if answer.isInvented {
      put("{\"name\":\"X-GraphFlow-Sandbox\",\"value\":\"invented\"},")
    }
    for header in answer.usage.others { appendHeader(header.name, header.value) }
    put("{\"name\":\"X-App-Usage\",\"value\":")
    GraphText.append(answer.usage.app, to: &output)
    put("}]")
  }

  private mutating func appendHeader(_ name: String, _ value: String?) {
    guard let value else { return }
    put("{\"name\":\"")
    put(name)
    put("\",\"value\":")
    GraphText.append(value, to: &output)
    put("},")
  }

  private mutating func put(_ text: String) { output.append(contentsOf: text.utf8) }

  private static let contentType =
    "{\"name\":\"Content-Type\",\"value\":\"text\\/javascript; charset=UTF-8\"},"

  private static let constants = constants(
    cacheControl: "private, no-cache, no-store, must-revalidate"
  )
  private static let errorConstants = constants(cacheControl: "no-store")

  private static func constants(cacheControl: String) -> String {
    let headers = [
      ("Expires", "Sat, 01 Jan 2000 00:00:00 GMT"),
      ("Cache-Control", cacheControl),
      ("Pragma", "no-cache"),
      ("Vary", "Accept-Encoding"),
      ("Access-Control-Allow-Origin", "*"),
    ]
    return headers.map { "{\"name\":\"\($0.0)\",\"value\":\"\($0.1)\"}," }.joined()
  }
}
