/// What came of reading one value of `fields`.
///
/// A class, because it is handed on from function to function.
final class FieldReading: Sendable {
  fileprivate let text: String
  private let result: Result<FieldSelection?, GraphFault>

  /// Nothing was asked for.
  fileprivate static let absent = FieldReading(nil)

  fileprivate init(_ text: String?) {
    self.text = text ?? ""
    result = Result { () throws(GraphFault) in try FieldSelection.reading(text) }
  }

  /// The selection; nil where none was asked for.
  func get() throws(GraphFault) -> FieldSelection? { try result.get() }
}

/// Reads the values of `fields` of one call: batches ask for the same again and again.
struct FieldSelections {
  private var last = FieldReading.absent

  /// Reads the value of `fields`, unless it is the one that was read last.
  mutating func reading(_ text: String?) -> FieldReading {
    guard let text else { return .absent }
    if !text.utf8.elementsEqual(last.text.utf8) { last = FieldReading(text) }
    return last
  }
}
