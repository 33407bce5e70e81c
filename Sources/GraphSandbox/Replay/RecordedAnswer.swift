import JSONPath

/// A recorded answer to an operation or a call.
enum RecordedAnswer: Sendable {
  /// An element of a batch's answer: an object with code, headers and body, or `null`.
  case item(JSON)
  /// The answer to a call; `dropped` if the connection broke.
  case call(HTTPAnswer)

  /// Reads a response of an archive; without a status the call had no answer.
  init(_ response: JSON) {
    self = .call(
      HTTPAnswer(
        status: response["status"], headers: response["headers"], body: response["content"]?["text"]
      ) ?? .dropped)
  }

  /// The answer with usable tokens in place of the masked ones.
  var withTokens: RecordedAnswer {
    switch self {
    case .item(let item):
      guard var members = item.object, let body = members["body"]?.string else { return self }
      members["body"] = .string(Self.withTokens(body))
      return .item(.object(members))
    case .call(var answer):
      answer.body = Array(Self.withTokens(String(decoding: answer.body, as: UTF8.self)).utf8)
      return .call(answer)
    }
  }

  /// The tokens are invented and differ within a body: each page of a list has its own.
  private static func withTokens(_ body: String) -> String {
    let mask = "\"access_token\":\"***\""
    let parts = body.split(separator: mask, omittingEmptySubsequences: false)
    guard var text = parts.first.map(String.init), parts.count > 1 else { return body }
    for (index, part) in parts.dropFirst().enumerated() {
      let number = GraphTime.padded(index + 1, 10)
      text += "\"access_token\":\"EAAREPLAYEDTOKEN\(number)\"" + part
    }
    return text
  }

  /// The items of a batch's answer; nil if it is one answer to the whole batch.
  func items(count: Int) -> [JSON]? {
    guard case .call(let answer) = self, answer.status == 200,
      let items = (try? JSON(parsing: answer.body))?.array, items.count == count
    else { return nil }
    return items
  }

  /// As an element of a batch's answer; nil if it cannot be one.
  var item: JSON? {
    switch self {
    case .item(let item): item
    case .call(let answer): answer.delivery == nil ? answer.item : nil
    }
  }

  /// As the answer to a call; nil for a `null` element.
  var answer: HTTPAnswer? {
    let recorded: HTTPAnswer? =
      switch self {
      case .item(let item):
        HTTPAnswer(status: item["code"], headers: item["headers"], body: item["body"])
      case .call(let answer): answer
      }
    guard var answer = recorded else { return nil }
    answer.headers = Self.repeatable(answer.headers)
    return answer
  }

  /// The headers that an answer may have: each once, in one line, and none about the transfer.
  private static func repeatable(
    _ recorded: [(name: String, value: String)]
  ) -> [(name: String, value: String)] {
    var headers: [(name: String, value: String)] = []
    for (name, value) in recorded {
      let key = name.lowercased()
      guard !framing.contains(key), !key.isEmpty, key.utf8.allSatisfy(nameBytes.contains) else {
        continue
      }
      let bytes = value.utf8.map { $0 < 32 && $0 != 9 || $0 == 127 ? 32 : $0 }
      let line = String(decoding: bytes, as: UTF8.self).trimmed
      if let index = headers.firstIndex(where: { $0.name.lowercased() == key }) {
        headers[index].value = line
      } else {
        headers.append((name, line))
      }
    }
    return headers
  }

  /// The characters of a header's name in lower case (RFC 9110 §5.6.2).
  private static let nameBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~".utf8)

  /// Headers about the transfer of the recorded answer, not its contents.
  private static let framing: Set<String> = [
    "connection", "content-encoding", "content-length", "date", "keep-alive", "transfer-encoding",
  ]
}

extension HTTPAnswer {
  /// Reads a recorded answer; nil without a status.
  fileprivate init?(status: JSON?, headers: JSON?, body: JSON?) {
    guard let status = status?.integer, (100...999).contains(status) else { return nil }
    self.init(
      status: status,
      headers: (headers?.array ?? []).compactMap { header in
        guard let name = header["name"]?.string, let value = header["value"]?.string else {
          return nil
        }
        return (name, value)
      }, body: Array((body?.string ?? "").utf8))
  }

  /// The answer as an element of a batch's.
  var item: JSON {
    var item: JSON.Object = ["code": .number(.init(status))]
    item["headers"] = .array(
      headers.map { ["name": .string($0.name), "value": .string($0.value)] })
    if !body.isEmpty { item["body"] = .string(String(decoding: body, as: UTF8.self)) }
    return .object(item)
  }
}
