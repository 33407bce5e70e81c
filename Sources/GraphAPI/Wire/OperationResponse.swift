internal import JSONPath

/// The answer to one operation.
///
/// A class, because it is handed on for each thing that is asked of it, and never changes.
public final class OperationResponse: Sendable {
  /// The operation's own status, in the sense of HTTP.
  public let code: Int

  /// The body; it is absent in a 304, and in a 302 of a picture.
  public let body: ResponseBody

  private let headerSource: HeaderSource

  private enum HeaderSource {
    case fields([HeaderField])
    case text(ArraySlice<UInt8>)
  }

  /// Makes an answer.
  public init(code: Int, headers: [HeaderField] = [], body: ResponseBody) {
    self.code = code
    self.body = body
    headerSource = .fields(headers)
  }

  /// Makes an answer whose headers are still JSON text, checked for syntax.
  init(code: Int, headerText: ArraySlice<UInt8>, body: ResponseBody) {
    self.code = code
    self.body = body
    headerSource = .text(headerText)
  }

  /// The headers of the item, without those that no HTTP message could carry.
  ///
  /// Each use reads them anew from the answer's text.
  public var headers: [HeaderField] {
    switch headerSource {
    case .fields(let fields): fields
    case .text(let text): Self.headers(in: text)
    }
  }

  /// The same answer with its body unescaped, for what uses the text more than once.
  public var unescaped: OperationResponse {
    body.isAbsent ? self : OperationResponse(code: code, headerSource, ResponseBody(body.text))
  }

  private init(code: Int, _ headerSource: HeaderSource, _ body: ResponseBody) {
    self.code = code
    self.headerSource = headerSource
    self.body = body
  }

  /// What the item's headers say of the quota.
  ///
  /// Headers that can say nothing of it are not read.
  public var usage: Usage {
    if case .text(let text) = headerSource, !Usage.mayBeSaid(in: text) { return Usage() }
    return Usage(headers: headers)
  }

  /// Whether the headers are byte by byte those of another answer, so that they need not be read
  /// again.
  func repeatsHeaders(of other: OperationResponse) -> Bool {
    switch (headerSource, other.headerSource) {
    case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
    case (.fields(let left), .fields(let right)): left == right
    case (.text, .fields), (.fields, .text): false
    }
  }

  /// The error of the body, in every shape that Graph has used, whatever the code says.
  ///
  /// A code of 400 and more without an error object gives one that only has a message.
  public var error: GraphError? {
    if code < 400 {
      guard body.mayHoldError, let json = try? body.json() else { return nil }
      return GraphError(successBody: json)
    }
    if let json = try? body.json(), let error = GraphError(body: json) { return error }
    return GraphError(status: code)
  }

  /// Reads `[{"name": …, "value": …}]`; also `["Name: value"]` and `{"Name": "value"}`.
  private static func headers(in text: ArraySlice<UInt8>) -> [HeaderField] {
    guard let json = try? JSON(parsing: Array(text)) else { return [] }
    if let object = json.object {
      return object.compactMap { HeaderField($0.name, $0.value.string ?? "") }
    }
    return (json.array ?? []).compactMap { element in
      if let line = element.string, let colon = line.firstIndex(of: ":") {
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        return HeaderField(String(line[..<colon]), String(value))
      }
      guard let name = element["name"]?.string, let value = element["value"]?.string else {
        return nil
      }
      return HeaderField(name, value)
    }
  }
}

extension OperationResponse: Hashable {
  /// Compares what the answers say, not how they were held.
  public static func == (left: OperationResponse, right: OperationResponse) -> Bool {
    left.code == right.code && left.body == right.body && left.headers == right.headers
  }

  /// Hashes code and body.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(body)
  }
}

extension OperationResponse: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The code and the body's size, never what is in it.
  public var description: String { "\(code) (\(body))" }

  /// The code and the body's size, never what is in it.
  public var debugDescription: String { description }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ArraySlice<UInt8> {
  /// Whether these are the same bytes, compared eight at a time: `==` takes them one by one.
  fileprivate func hasSameBytes(as other: ArraySlice<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBytes { left in
      other.withUnsafeBytes { right in
        var index = 0
        while index + 8 <= left.count {
          let word = left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
          guard word == right.loadUnaligned(fromByteOffset: index, as: UInt64.self) else {
            return false
          }
          index += 8
        }
        return left[index...].elementsEqual(right[index...])
      }
    }
  }
}
