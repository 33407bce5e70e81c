/// A key that a map may have, and the function that reads its value.
///
/// A table of these defines which keys are known and how they are read.
package struct YAMLKey<Reader: YAMLReading, Whole: SendableMetatype>: Sendable {
  /// The key as written.
  package let name: String
  let read: @Sendable (inout Reader, YAMLNode, inout Whole) -> Void

  /// Creates a key whose value is stored in a part of the whole; nil leaves that part unchanged.
  package init<Part>(
    _ name: String, _ part: any WritableKeyPath<Whole, Part> & Sendable,
    _ read: @escaping @Sendable (inout Reader, YAMLNode, Subject) -> Part?
  ) {
    self.name = name
    self.read = { reader, node, whole in
      if let value = read(&reader, node, Subject(key: name)) { whole[keyPath: part] = value }
    }
  }
}
