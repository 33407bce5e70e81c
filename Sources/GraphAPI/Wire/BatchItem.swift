internal import JSONPath

/// One element of a batch's answer; its parts are slices of the answer.
struct BatchItem {
  private let code: Int
  private let headerText: ArraySlice<UInt8>
  private let body: ResponseBody

  /// Parses the outer level of an answer; nil stands for `null`, `{}` and items without a status.
  static func items(in text: [UInt8]) throws(JSON.SyntaxError) -> [BatchItem?] {
    let document = try JSON.Document(parsing: text)
    return (document.value.elements ?? []).map { BatchItem($0, in: document.text) }
  }

  private init?(_ element: JSON.Document.Value, in text: [UInt8]) {
    guard let code = element["code"].flatMap({ Self.code(text[$0.range]) }) else { return nil }
    self.code = code
    headerText = element["headers"].map { text[$0.range] } ?? []
    body = element["body"].map { Self.body($0, in: text) } ?? .absent
  }

  func response(to operation: BatchOperation) -> OperationResponse {
    OperationResponse(code, .text(headerText), body, operation)
  }

  private static func body(_ value: JSON.Document.Value, in text: [UInt8]) -> ResponseBody {
    if value.isNull { return .absent }
    let slice = text[value.range]
    guard slice.first == UInt8(ascii: "\"") else { return .plain(slice) }
    return .string(content: slice.dropFirst().dropLast(), value)
  }

  /// A status, which has three digits in HTTP.
  private static func code(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.count == 3, digits.allSatisfy(\.isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }
}
