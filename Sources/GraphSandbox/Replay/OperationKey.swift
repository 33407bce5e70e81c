import JSONPath

/// What an operation is known by in a recording: method, path and parameters, without version,
/// tokens and proofs.
struct OperationKey: Hashable, Sendable {
  let method: String
  let path: String
  /// By name, then in the order in which they came.
  let parameters: [Parameter]

  struct Parameter: Hashable, Sendable {
    let name: String
    let value: String
  }

  /// What belongs to the caller and not to what is asked.
  private static let left: Set<String> = [
    "access_token", "appsecret_proof", "batch", "batch_app_id", "include_headers",
  ]

  init(method: String, path: [String], parameters: [(name: String, value: String)]) {
    self.method = method
    self.path = path.joined(separator: "/")
    self.parameters = parameters.filter { !Self.left.contains($0.name) }
      .map { Parameter(name: $0.name, value: $0.value) }
      .sorted { $0.name < $1.name }
  }

  /// The key without values: what a recording with masked secrets is looked up by.
  var outline: OperationKey {
    OperationKey(method: method, path: [path], parameters: parameters.map { ($0.name, "") })
  }

  /// Whether a recorded value holds `***` in place of a secret.
  var isMasked: Bool { parameters.contains { $0.value.utf8.contains(UInt8(ascii: "*")) } }

  /// Whether another operation is the same, where a secret was masked in this one.
  func matches(_ other: OperationKey) -> Bool {
    outline == other.outline
      && zip(parameters, other.parameters).allSatisfy { Self.matches($0.value, $1.value) }
  }

  /// Whether a value is the recorded one, in which `***` stands for anything.
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
  /// The operation as the log shows one.
  var description: String {
    let query = parameters.map { (name: $0.name, value: $0.value) }
    return method + " "
      + LoggedURL.text(version: nil, path: [path], query: query[...])
  }
}

/// The keys of a batch's operations, whose references are filled in with what came before.
struct BatchKeys {
  private var bodies: [String: JSON] = [:]

  /// The key of the next item.
  func key(of item: BatchItem) -> OperationKey {
    OperationKey(
      method: item.methodText,
      path: item.openPath.map(text),
      parameters: item.openParameters.map { ($0.name, text(of: $0.value)) }
    )
  }

  /// Takes the answer to an item, for the items that point to it.
  mutating func note(_ answer: JSON, to item: BatchItem) {
    guard let name = item.name, let body = answer["body"]?.string else { return }
    bodies[name] = try? JSON(parsing: body)
  }

  /// The text with its references; one to an answer that was omitted stays one.
  private func text(of text: ReferenceText) -> String {
    text.filled { name, path in
      guard let body = bodies[name] else { return "{result=\(name)}" }
      return path?.text(in: body) ?? ""
    }
  }
}
