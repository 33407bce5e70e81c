internal import GraphAPI
package import JSONPath

/// The checked values of a workflow's inputs.
public struct InputValues: Sendable {
  /// One reference, because they are handed on for each binding and never change.
  private let known: Known

  private final class Known: Sendable {
    let values: [InputName: JSON]
    let names: [InputName]
    let secretNames: Set<InputName>

    init(_ values: [InputName: JSON], of inputs: [Input]) {
      self.values = values
      names = inputs.map(\.name)
      secretNames = Set(inputs.filter(\.isSecret).map(\.name))
    }
  }

  /// Keeps values that have been checked against the inputs' declarations.
  init(_ values: [InputName: JSON], of inputs: [Input]) {
    known = Known(values, of: inputs)
  }

  /// The names of the inputs whose values must not appear in any output.
  package var secretNames: Set<InputName> { known.secretNames }

  /// All values, in the order of the declarations.
  var all: [JSON] { known.names.compactMap { known.values[$0] } }

  /// The value of an input, or nil if the workflow has no such input.
  package subscript(name: InputName) -> JSON? { known.values[name] }

  /// The names of those whose values cannot be what a journal has recorded, with secrets masked.
  package func differing(from recorded: JSON.Object) -> [String] {
    known.names.compactMap { name in
      guard let value = known.values[name], let old = recorded[name.text] else { return nil }
      return value.mayBeMasked(as: old) ? nil : name.text
    }
  }

  /// The values in the order of the declarations, secrets as `***`.
  package var forReport: JSON.Object {
    JSON.Object(
      known.names.compactMap { name in
        known.values[name].map { value in
          (name.text, secretNames.contains(name) ? "***" : SecretMask.empty.masked(value))
        }
      }
    )
  }
}

extension JSON {
  /// Whether something in a recorded value was a secret.
  package var isMasked: Bool {
    switch self {
    case .null, .bool, .number: false
    case .string(let text): text.contains("***")
    case .array(let elements): elements.contains(where: \.isMasked)
    case .object(let object): object.contains { $0.name.contains("***") || $0.value.isMasked }
    }
  }

  /// Whether this value becomes the other one when secrets in it are masked.
  fileprivate func mayBeMasked(as masked: JSON) -> Bool {
    switch (self, masked) {
    case (_, .string("***")): true
    case (.string(let text), .string(let masked)): text.mayBeMasked(as: masked)
    case (.array(let elements), .array(let masked)):
      elements.count == masked.count
        && zip(elements, masked).allSatisfy { $0.mayBeMasked(as: $1) }
    case (.object(let object), .object(let masked)):
      // A masked name says nothing of its value.
      object.count == masked.count
        && masked.allSatisfy { name, value in
          name.contains("***") || object[name]?.mayBeMasked(as: value) == true
        }
    default: self == masked
    }
  }
}

extension String {
  /// Whether the text is the other one but for what `***` stands for there.
  fileprivate func mayBeMasked(as masked: String) -> Bool {
    let pieces = masked.split(separator: "***", omittingEmptySubsequences: false)
    guard pieces.count > 1, let first = pieces.first, let last = pieces.last else {
      return self == masked
    }
    guard hasPrefix(first), hasSuffix(last), utf8.count >= first.utf8.count + last.utf8.count else {
      return false
    }
    var rest = dropFirst(first.count).dropLast(last.count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let range = rest.firstRange(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
