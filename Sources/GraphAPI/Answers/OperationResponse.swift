internal import JSONPath

/// The answer to one operation, whatever it was packed in, and the one judgement on it.
///
/// A class, because it is handed on for each thing that is asked of it, and never changes.
public final class OperationResponse: Sendable {
  /// The operation's own status, in the sense of HTTP.
  public let code: Int

  /// The body; it is absent in a 304, and in a redirect such as that of a picture.
  public let body: ResponseBody

  /// What is wrong with the answer; nil if it is a result.
  ///
  /// Graph's error object, in every shape that Graph has used, whatever the code says. An answer
  /// that cannot be used has an error that is not ``GraphError/isStated``.
  public let error: GraphError?

  private let headerSource: HeaderSource

  private enum HeaderSource {
    case fields([HeaderField])
    case text(ArraySlice<UInt8>)

    var fields: [HeaderField] {
      switch self {
      case .fields(let fields): fields
      case .text(let text): OperationResponse.headers(in: text)
      }
    }
  }

  /// Judges an answer to an operation; without one, to a plain GET.
  package convenience init(
    code: Int,
    headers: [HeaderField] = [],
    body: ResponseBody,
    to operation: BatchOperation? = nil
  ) {
    self.init(code, .fields(headers), body, operation)
  }

  /// Judges an answer whose headers are still JSON text, checked for syntax.
  convenience init(
    code: Int,
    headerText: ArraySlice<UInt8>,
    body: ResponseBody,
    to operation: BatchOperation
  ) {
    self.init(code, .text(headerText), body, operation)
  }

  /// The headers of the item, without those that no HTTP message could carry.
  ///
  /// Each use reads them anew from the answer's text.
  public var headers: [HeaderField] { headerSource.fields }

  /// The same result with another body, which is JSON.
  package func replacingBody(with body: ResponseBody) -> OperationResponse {
    OperationResponse(code: code, headerSource, body, error: error)
  }

  /// The result of an operation that was to show none.
  package static let omitted = OperationResponse(
    code: 200,
    .fields([]),
    .absent,
    error: nil
  )

  private init(
    code: Int,
    _ headerSource: HeaderSource,
    _ body: ResponseBody,
    error: GraphError?
  ) {
    self.code = code
    self.headerSource = headerSource
    self.body = body
    self.error = error
  }

  /// Judges: every answer to an operation comes through here, once.
  private convenience init(
    _ code: Int,
    _ headerSource: HeaderSource,
    _ body: ResponseBody,
    _ operation: BatchOperation?
  ) {
    let (body, problem) = body.reading()
    if problem == nil, let error = GraphError(in: body, code: code) {
      self.init(code: code, headerSource, body, error: error)
    } else if code == 304, operation?.asksForChanges == true {
      self.init(code: code, headerSource, .absent, error: nil)
    } else if (300...399).contains(code), code != 304, operation?.method ?? .get == .get,
      headerSource.fields["Location"]?.isEmpty == false
    {
      self.init(code: code, headerSource, .absent, error: nil)
    } else if !(200...299).contains(code) {
      self.init(code: code, headerSource, body, error: GraphError(status: code))
    } else if let problem, problem != UnusableAnswer.empty.rawValue || ![204, 205].contains(code) {
      // These two have no content (RFC 9110 sections 15.3.5 and 15.3.6); all other results have.
      let error = GraphError(message: problem, isStated: false)
      self.init(code: code, headerSource, body, error: error)
    } else {
      self.init(code: code, headerSource, body, error: nil)
    }
  }

  /// What the item's headers say of the quota; nil where they are byte by byte those of the answer
  /// before, as most are.
  ///
  /// Headers that can say nothing of it are not read.
  package func usage(after previous: OperationResponse?) -> Usage? {
    switch (headerSource, previous?.headerSource) {
    case (.text(let text), .text(let other)) where text.hasSameBytes(as: other): nil
    case (.fields(let fields), .fields(let other)) where fields == other: nil
    case (.text(let text), _) where !Usage.mayBePresent(in: text): Usage()
    default: Usage(headers: headers)
    }
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

extension GraphError {
  /// Reads the error object of a body that can be read; nil if it holds none.
  fileprivate init?(in body: ResponseBody, code: Int) {
    guard code >= 400 || body.mayContainError, let json = try? body.json(),
      let error = code < 400 ? GraphError(successBody: json) : GraphError(body: json)
    else { return nil }
    self = error
  }
}

extension BatchOperation {
  /// Whether it is answered with 304 where nothing has changed.
  fileprivate var asksForChanges: Bool { method == .get && headers["If-None-Match"] != nil }
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

extension OperationResponse: Confidential {
  /// The code and the body's size, never what is in it.
  public var description: String { "\(code) (\(body))" }
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
