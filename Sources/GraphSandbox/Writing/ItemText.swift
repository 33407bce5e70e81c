/// An answer as an item of a batch, written once: what is left to say is usage.
///
/// A class, because it goes into many batches.
final class ItemText: Sendable {
  /// `,{"code":…`, then its headers but those of usage, then its body.
  private let bytes: [UInt8]
  private let headers: Range<Int>

  init(_ answer: Answer) {
    var bytes: [UInt8] = []
    let start = Self.appendCode(of: answer, to: &bytes)
    Self.appendHeaders(of: answer, to: &bytes)
    headers = start..<bytes.count
    Self.appendBody(of: answer, to: &bytes)
    self.bytes = bytes
  }

  /// Appends the item behind a comma; without usage it shows no headers.
  func append(to output: inout [UInt8], _ usage: UsageHeaders?) {
    if let usage {
      output.append(contentsOf: bytes[..<headers.upperBound])
      output.append(contentsOf: usage.itemText)
    } else {
      output.append(contentsOf: bytes[..<headers.lowerBound])
    }
    output.append(contentsOf: bytes[headers.upperBound...])
  }

  /// Appends an item that is written once only.
  static func append(_ answer: Answer, to output: inout [UInt8], includesHeaders: Bool) {
    appendCode(of: answer, to: &output)
    if includesHeaders {
      appendHeaders(of: answer, to: &output)
      output.append(contentsOf: answer.usage.itemText)
    }
    appendBody(of: answer, to: &output)
  }

  /// Returns where it ends.
  @discardableResult
  private static func appendCode(of answer: Answer, to output: inout [UInt8]) -> Int {
    if answer.status == 200 {
      output.append(contentsOf: success)
    } else {
      output.append(contentsOf: ",{\"code\":".utf8)
      output.append(contentsOf: String(answer.status).utf8)
    }
    return output.count
  }

  private static func appendBody(of answer: Answer, to output: inout [UInt8]) {
    guard let body = answer.body else { return output.append(UInt8(ascii: "}")) }
    output.append(contentsOf: bodyStart)
    GraphText.appendEscaped(body, to: &output)
    output.append(contentsOf: bodyEnd)
  }

  private static let success = Array(",{\"code\":200".utf8)
  private static let bodyStart = Array(",\"body\":\"".utf8)
  private static let bodyEnd = Array("\"}".utf8)
}

/// Headers of items; the order is that of recordings (docs/graph-api.md, Answers).
extension ItemText {
  /// The last elements of an item's `headers`.
  static func usage(_ headers: [UsageHeaders.Header]) -> [UInt8] {
    var output: [UInt8] = []
    for header in headers { appendHeader(header.name, header.value, to: &output) }
    // No comma stands behind the last one.
    output.removeLast()
    output.append(UInt8(ascii: "]"))
    return output
  }

  private static func appendHeaders(of answer: Answer, to output: inout [UInt8]) {
    output.append(contentsOf: ",\"headers\":[".utf8)
    if answer.body != nil { output.append(contentsOf: contentType) }
    appendHeader("Facebook-API-Version", answer.version, to: &output)
    appendHeader("ETag", answer.etag, to: &output)
    appendHeader("Location", answer.location, to: &output)
    appendHeader("WWW-Authenticate", answer.challenge, to: &output)
    output.append(contentsOf: answer.challenge == nil ? constants : errorConstants)
    if answer.isInvented { appendHeader("X-GraphFlow-Sandbox", "invented", to: &output) }
  }

  private static func appendHeader(_ name: String, _ value: String?, to output: inout [UInt8]) {
    guard let value else { return }
    output.append(contentsOf: "{\"name\":\"".utf8)
    output.append(contentsOf: name.utf8)
    output.append(contentsOf: "\",\"value\":".utf8)
    GraphText.append(value, to: &output)
    output.append(contentsOf: "},".utf8)
  }

  private static let contentType = Array(
    "{\"name\":\"Content-Type\",\"value\":\"text\\/javascript; charset=UTF-8\"},".utf8
  )
  private static let constants = constants(
    cacheControl: "private, no-cache, no-store, must-revalidate"
  )
  private static let errorConstants = constants(cacheControl: "no-store")

  private static func constants(cacheControl: String) -> [UInt8] {
    let headers = [
      ("Expires", "Sat, 01 Jan 2000 00:00:00 GMT"),
      ("Cache-Control", cacheControl),
      ("Pragma", "no-cache"),
      ("Vary", "Accept-Encoding"),
      ("Access-Control-Allow-Origin", "*"),
    ]
    return headers.flatMap { Array("{\"name\":\"\($0.0)\",\"value\":\"\($0.1)\"},".utf8) }
  }
}
