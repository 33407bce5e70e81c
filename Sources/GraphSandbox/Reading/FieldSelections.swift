/// Reads the values of `fields` of one call: batches ask for the same again and again.
struct FieldSelections {
  private var last: (text: String, selection: Result<FieldSelection?, GraphFault>)?

  /// Reads the value of `fields`, unless it is the one that was read last.
  mutating func reading(_ text: String?) -> Result<FieldSelection?, GraphFault> {
    guard let text else { return .success(nil) }
    if let last, last.text.utf8.elementsEqual(text.utf8) { return last.selection }
    let selection = Result { () throws(GraphFault) in try FieldSelection.reading(text) }
    last = (text, selection)
    return selection
  }
}
