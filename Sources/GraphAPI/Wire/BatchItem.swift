internal import JSONPath

/// One element of a batch's answer, whose parts are still slices of it.
struct BatchItem {
  /// The item's answer; nil if the element has no status: `{}`, or something else than an object.
  let response: OperationResponse?

  /// Reads the outer level of an answer; nil stands for `null`.
  static func items(in text: [UInt8]) throws(JSON.SyntaxError) -> [BatchItem?] {
    let document = try JSON.Document(parsing: text)
    return (document.value.elements ?? []).map { element in
      element.isNull ? nil : BatchItem(element, in: document.text)
    }
  }

  private init(_ element: JSON.Document.Value, in text: [UInt8]) {
    guard let code = element["code"].flatMap({ Self.code(text[$0.range]) }) else {
      response = nil
      return
    }
    response = OperationResponse(
      code: code,
      headerText: element["headers"].map { text[$0.range] } ?? [],
      body: element["body"].map { Self.body($0, in: text) } ?? .absent
    )
  }

  private static func body(_ value: JSON.Document.Value, in text: [UInt8]) -> ResponseBody {
    if value.isNull { return .absent }
    let slice = text[value.range]
    guard slice.first == UInt8(ascii: "\"") else { return .plain(slice) }
    return .string(inside: slice.dropFirst().dropLast(), value)
  }

  /// A status of three digits, which is all that HTTP has.
  private static func code(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.count == 3, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }
}
