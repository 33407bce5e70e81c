internal import GraphAPI
package import JSONPath

/// The checked values of a workflow's inputs.
///
/// A class, because the values are passed on for each binding and never change.
public final class InputValues: Sendable {
  private let values: [InputName: JSON]
  private let names: [InputName]
  /// The names of the inputs whose values must not appear in any output.
  package let secretNames: Set<InputName>

  /// Stores values that have been checked against the inputs' declarations.
  init(_ values: [InputName: JSON], of inputs: [Input]) {
    self.values = values
    names = inputs.map(\.name)
    secretNames = Set(inputs.filter(\.isSecret).map(\.name))
  }

  /// The values of inputs that have a default.
  convenience init(defaultsOf workflow: Workflow) {
    let defaults = workflow.inputs.compactMap { input in
      input.defaultValue.map { (input.name, $0) }
    }
    self.init(Dictionary(defaults) { first, _ in first }, of: workflow.inputs)
  }

  var all: [JSON] { names.compactMap { values[$0] } }

  package subscript(name: InputName) -> JSON? { values[name] }

  /// The names of the inputs whose values differ from recorded ones, in which secrets are masked.
  package func differing(from recorded: JSON.Object) -> [String] {
    names.compactMap { name in
      guard let value = values[name], let old = recorded[name.text] else { return nil }
      return value.mayBeMasked(as: old) ? nil : name.text
    }
  }

  /// The values in the order of the declarations, secrets as `***`.
  package var forReport: JSON.Object {
    JSON.Object(
      names.compactMap { name in
        values[name].map { value in
          (name.text, secretNames.contains(name) ? "***" : SecretMask.empty.masked(value))
        }
      })
  }
}

extension JSON {
  /// Whether a recorded value contains a masked secret.
  package var isMasked: Bool {
    switch self {
    case .null, .bool, .number: false
    case .string(let text): text.contains("***")
    case .array(let elements): elements.contains(where: \.isMasked)
    case .object(let object): object.contains { $0.name.contains("***") || $0.value.isMasked }
    }
  }

  /// Whether masking secrets in this value may give the other one.
  fileprivate func mayBeMasked(as masked: JSON) -> Bool {
    switch (self, masked) {
    case (_, .string("***")): true
    case (.string(let text), .string(let masked)): text.mayBeMasked(as: masked)
    case (.array(let elements), .array(let masked)):
      elements.count == masked.count
        && zip(elements, masked).allSatisfy { $0.mayBeMasked(as: $1) }
    case (.object(let object), .object(let masked)):
      // The value of a masked name is unknown.
      object.count == masked.count
        && masked.allSatisfy { name, value in
          name.contains("***") || object[name]?.mayBeMasked(as: value) == true
        }
    default: self == masked
    }
  }
}

extension String {
  /// Whether the text matches the other one, in which `***` stands for any text.
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
