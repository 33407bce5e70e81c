package import JSONPath

/// Recorded exchanges with the Graph API, by operation.
///
/// Read from an HTTP archive (HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/).
package struct Recording: Sendable {
  /// The answer to an operation or a whole batch.
  struct Entry: Sendable {
    /// The number of the exchange; the operations of a batch share it.
    let exchange: Int
    let answer: RecordedAnswer
  }

  /// By operation, in the order in which they were recorded.
  private(set) var operations: [OperationKey: [Entry]] = [:]
  /// Batches with a single answer or none, by their operations.
  private(set) var batches: [[OperationKey]: [Entry]] = [:]
  private var exchangeCount = 0

  /// Reads an archive.
  ///
  /// - Throws: ``SandboxFailure`` if it is malformed; requests that Graph would refuse are ignored.
  package init(archive: JSON) throws(SandboxFailure) {
    guard let entries = archive["log"]?["entries"]?.array else {
      throw SandboxFailure("the recording is not an HTTP archive: it has no log.entries")
    }
    for (index, entry) in entries.enumerated() {
      guard let request = entry["request"], let call = HTTPCall(request) else {
        throw SandboxFailure("the recording's entry \(index + 1) has no readable request")
      }
      exchangeCount += 1
      add(GraphCall(call, takesLists: true), RecordedAnswer(entry["response"] ?? .null))
    }
  }

  private mutating func add(_ call: GraphCall, _ answer: RecordedAnswer) {
    switch call.kind {
    case .refused: return
    case .single(let request):
      operations[OperationKey(request), default: []].append(entry(answer.withTokens))
    case .batch(let batch):
      var keys = BatchKeys()
      let items = answer.items(count: batch.items.count)
      guard let items else {
        let key = batch.items.map { keys.key(of: $0) }
        batches[key, default: []].append(entry(answer))
        return
      }
      for (item, answer) in zip(batch.items, items) {
        let answer = RecordedAnswer.item(answer).withTokens
        operations[keys.key(of: item), default: []].append(entry(answer))
        if let answer = answer.item { keys.recordAnswer(answer, to: item) }
      }
    }
  }

  private func entry(_ answer: RecordedAnswer) -> Entry {
    Entry(exchange: exchangeCount, answer: answer)
  }
}

extension OperationKey {
  init(_ request: GraphRequest) {
    self.init(
      method: request.method.rawValue, path: request.path, parameters: request.parameters.members)
  }
}

extension HTTPCall {
  /// Reads a request of an archive; nil if it has no method or address.
  fileprivate init?(_ request: JSON) {
    guard let method = request["method"]?.string, let url = request["url"]?.string else {
      return nil
    }
    self.init(method: method, target: Self.target(of: url))
    guard let data = request["postData"] else { return }
    let type = data["mimeType"]?.string ?? ""
    let isMultipart = HeaderValue(type).value == "multipart/form-data"
    if let text = data["text"]?.string, !text.isEmpty, !isMultipart {
      contentType = type
      body = Array(text.utf8)
      return
    }
    for parameter in data["params"]?.array ?? [] {
      guard let name = parameter["name"]?.string, let value = parameter["value"]?.string,
        parameter["fileName"] == nil
      else { continue }
      if !body.isEmpty { body.append(UInt8(ascii: "&")) }
      FormText.appendEncoded(name, to: &body)
      body.append(UInt8(ascii: "="))
      FormText.appendEncoded(value, to: &body)
    }
  }

  /// Path and query of an absolute address.
  private static func target(of url: String) -> String {
    guard let start = url.firstRange(of: "://") else { return url }
    let rest = url[start.upperBound...]
    return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
  }
}
