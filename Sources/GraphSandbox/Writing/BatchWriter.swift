/// Writes the answer to a batch: an array of items, `null` where there is none (docs/graph-api.md,
/// Answers).
struct BatchWriter {
  private(set) var output: [UInt8] = [UInt8(ascii: "[")]
  private let includesHeaders: Bool
  private var isFirst = true

  init(count: Int, includesHeaders: Bool) {
    self.includesHeaders = includesHeaders
    output.reserveCapacity(count * (includesHeaders ? 1_024 : 256))
  }

  /// Appends an item; an operation may ask to have no headers (docs/graph-api.md, Operations: iOS
  /// does).
  mutating func append(_ answer: Answer?, includesHeaders: Bool = true) {
    if !isFirst { output.append(UInt8(ascii: ",")) }
    isFirst = false
    guard let answer else {
      put("null")
      return
    }
    put("{\"code\":")
    put(String(answer.status))
    if includesHeaders && self.includesHeaders { appendHeaders(of: answer) }
    if let body = answer.body {
      put(",\"body\":\"")
      GraphText.appendEscaped(body, to: &output)
      put("\"")
    }
    put("}")
  }

  mutating func finish() -> [UInt8] {
    output.append(UInt8(ascii: "]"))
    return output
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
