import JSONPath

/// What a recording holds as the answer to an operation or a call.
enum RecordedAnswer: Hashable, Sendable {
  /// An element of a batch's answer: an object with code, headers and body, or `null`.
  case item(JSON)
  /// The answer to a call.
  case call(status: Int, headers: [Header], body: String)
  /// None: the connection broke.
  case lost

  struct Header: Hashable, Sendable {
    let name: String
    let value: String
  }

  /// A recorded body with tokens that can be sent again in place of those that were masked.
  ///
  /// They are worth nothing, and different within one body: a list of pages has as many tokens.
  static func withTokens(_ body: String) -> String {
    let mask = "\"access_token\":\"***\""
    let parts = body.split(separator: mask, omittingEmptySubsequences: false)
    guard var text = parts.first.map(String.init), parts.count > 1 else { return body }
    for (index, part) in parts.dropFirst().enumerated() {
      let number = GraphTime.padded(index + 1, 10)
      text += "\"access_token\":\"EAAREPLAYEDTOKEN\(number)\"" + part
    }
    return text
  }

  /// As an element of a batch's answer; nil if it cannot be one.
  var item: JSON? {
    switch self {
    case .item(let item): return item
    case .lost: return nil
    case .call(let status, let headers, let body):
      var item: JSON.Object = ["code": .number(.init(status))]
      item["headers"] = .array(
        headers.map { ["name": .string($0.name), "value": .string($0.value)] }
      )
      if !body.isEmpty { item["body"] = .string(body) }
      return .object(item)
    }
  }

  /// As the answer to a call; nil for a `null` element.
  var answer: HTTPAnswer? {
    switch self {
    case .lost:
      return HTTPAnswer(status: 503, headers: [], body: [], delivery: .dropped)
    case .call(let status, let headers, let body):
      return HTTPAnswer(
        status: status,
        headers: headers.filter { !Self.framing.contains($0.name.lowercased()) }
          .map { ($0.name, $0.value) },
        body: Array(body.utf8)
      )
    case .item(let item):
      guard let status = item["code"]?.integer, (100...999).contains(status) else { return nil }
      let headers = (item["headers"]?.array ?? []).compactMap { header -> Header? in
        guard let name = header["name"]?.string, let value = header["value"]?.string else {
          return nil
        }
        return Header(name: name, value: value)
      }
      return RecordedAnswer.call(
        status: status,
        headers: headers,
        body: item["body"]?.string ?? ""
      ).answer
    }
  }

  /// Headers that tell how the recorded answer was sent, not what it was.
  private static let framing: Set<String> = [
    "connection", "content-encoding", "content-length", "date", "keep-alive", "transfer-encoding",
  ]
}
