import JSONPath

/// The key of an operation in a recording: method, path and parameters, without version, tokens and
/// proofs.
struct OperationKey: Hashable, Sendable {
  let method: String
  let path: String
  /// Sorted by name; equal names keep their order.
  let parameters: [Parameter]

  struct Parameter: Hashable, Sendable {
    let name: String
    let value: String
  }

  /// Parameters with credentials or options of the call; a key leaves them out.
  private static let ignoredParameters: Set<String> = [
    "access_token", "appsecret_proof", "batch", "batch_app_id", "include_headers",
  ]

  init(method: String, path: [String], parameters: [(name: String, value: String)]) {
    self.method = method
    self.path = path.joined(separator: "/")
    self.parameters = parameters.filter { !Self.ignoredParameters.contains($0.name) }
      .map { Parameter(name: $0.name, value: $0.value) }
      .sorted { $0.name < $1.name }
  }

  /// The key without values, for finding recorded operations with masked secrets.
  var outline: OperationKey {
    OperationKey(method: method, path: [path], parameters: parameters.map { ($0.name, "") })
  }

  /// Whether a recorded value has `***` in place of a secret.
  var isMasked: Bool { parameters.contains { $0.value.utf8.contains(UInt8(ascii: "*")) } }

  /// Whether another operation is the same, apart from this one's masked secrets.
  func matches(_ other: OperationKey) -> Bool {
    outline == other.outline
      && zip(parameters, other.parameters).allSatisfy { Self.matches($0.value, $1.value) }
  }

  /// Whether a value matches a recorded one, in which `***` matches anything.
  private static func matches(_ recorded: String, _ value: String) -> Bool {
    let parts = recorded.split(separator: "***", omittingEmptySubsequences: false)
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return recorded == value
    }
    guard value.hasPrefix(first) else { return false }
    var rest = value.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}

extension OperationKey: CustomStringConvertible {
  var description: String {
    let query = parameters.map { (name: $0.name, value: $0.value) }
    return method + " "
      + LoggedURL.text(version: nil, path: [path], query: query[...])
  }
}

/// The keys of a batch's operations, with references resolved from earlier answers.
struct BatchKeys {
  private var bodies: [String: JSON] = [:]

  func key(of item: BatchItem) -> OperationKey {
    OperationKey(
      method: item.methodText, path: item.scannedPath.map(text),
      parameters: item.scannedParameters.map { ($0.name, text(of: $0.value)) })
  }

  mutating func recordAnswer(_ answer: JSON, to item: BatchItem) {
    guard let name = item.name, let body = answer["body"]?.string else { return }
    bodies[name] = try? JSON(parsing: body)
  }

  /// The text with its references resolved; one to an omitted answer is kept.
  private func text(of text: ReferenceText) -> String {
    text.replacingReferences { name, path in
      guard let body = bodies[name] else { return "{result=\(name)}" }
      return path?.text(in: body) ?? ""
    }
  }
}
