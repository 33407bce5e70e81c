internal import GraphAPI
public import JSONPath

/// The checked values of a workflow's inputs.
public struct InputValues: Sendable {
  private let values: [InputName: JSON]
  private let names: [InputName]
  /// The names of the inputs whose values must not appear in any output.
  public let secretNames: Set<InputName>

  /// Keeps values that have been checked against the inputs' declarations.
  init(_ values: [InputName: JSON], of inputs: [Input]) {
    self.values = values
    names = inputs.map(\.name)
    secretNames = Set(inputs.filter { $0.type == .secret }.map(\.name))
  }

  /// The value of an input, or nil if the workflow has no such input.
  public subscript(name: InputName) -> JSON? { values[name] }

  /// The values in the order of the declarations, secrets as `***`.
  public var forReport: JSON.Object {
    JSON.Object(
      names.compactMap { name in
        values[name].map { value in
          (name.text, secretNames.contains(name) ? .string("***") : Redaction.redacted(value).body)
        }
      }
    )
  }
}
