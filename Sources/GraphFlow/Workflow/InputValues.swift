internal import GraphAPI
public import JSONPath

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
      secretNames = Set(inputs.filter { $0.type == .secret }.map(\.name))
    }
  }

  /// Keeps values that have been checked against the inputs' declarations.
  init(_ values: [InputName: JSON], of inputs: [Input]) {
    known = Known(values, of: inputs)
  }

  /// The names of the inputs whose values must not appear in any output.
  public var secretNames: Set<InputName> { known.secretNames }

  /// The value of an input, or nil if the workflow has no such input.
  public subscript(name: InputName) -> JSON? { known.values[name] }

  /// The values in the order of the declarations, secrets as `***`.
  public var forReport: JSON.Object {
    JSON.Object(
      known.names.compactMap { name in
        known.values[name].map { value in
          (name.text, secretNames.contains(name) ? .string("***") : Redaction.redacted(value).body)
        }
      }
    )
  }
}
