internal import JSONPath

/// The answer to one operation, in a batch or alone, and whether it is a result or an error.
///
/// It is a class to avoid copies; it is immutable.
public final class OperationResponse: Sendable {
  /// The operation's own HTTP status.
  public let code: Int
  /// The body; absent for a 304 and for a redirect such as that of a picture.
  public let body: ResponseBody
  private let outcome: Outcome
  private let headerSource: HeaderSource

  private enum Outcome {
    case result
    /// It is indirect because few answers have an error, which is large.
    indirect case failure(GraphError)
  }

  enum HeaderSource {
    case fields([HeaderField])
    /// JSON text, checked for syntax.
    case text(ArraySlice<UInt8>)

    var fields: [HeaderField] {
      switch self {
      case .fields(let fields): fields
      case .text(let text): OperationResponse.headers(in: text)
      }
    }
  }

  /// Makes the answer to an operation; without an operation, to a plain GET.
  package convenience init(
    code: Int, headers: [HeaderField] = [], body: ResponseBody, to operation: BatchOperation? = nil
  ) { self.init(code, .fields(headers), body.validated(), operation) }

  /// The error; nil if the answer is a result.
  ///
  /// It is parsed from Graph's error object, in any format that Graph has used and with any status. An
  /// unusable answer has an error that represents the problem.
  public var error: GraphError? {
    if case .failure(let error) = outcome { error } else { nil }
  }

  /// The headers, without those that are invalid in HTTP.
  ///
  /// Each use parses them again from the answer's text.
  public var headers: [HeaderField] { headerSource.fields }

  package func replacingBody(with body: ResponseBody) -> OperationResponse {
    OperationResponse(code: code, headerSource, body, error: error)
  }

  /// Whether the answer is a result, not an error.
  package var isResult: Bool { if case .result = outcome { true } else { false } }

  package static let omitted = OperationResponse(code: 200, .fields([]), .absent, error: nil)

  private init(code: Int, _ headerSource: HeaderSource, _ body: ResponseBody, error: GraphError?) {
    self.code = code
    self.headerSource = headerSource
    self.body = body
    outcome = error.map { .failure($0) } ?? .result
  }

  /// Decides whether the answer is a result or an error.
  convenience init(
    _ code: Int, _ headerSource: HeaderSource, _ validated: ResponseBody.Validated,
    _ operation: @autoclosure () -> BatchOperation?
  ) {
    let (body, problem) = validated
    if problem == nil, code >= 400 || body.mayContainError,
      let error = GraphError(in: body, code: code)
    {
      self.init(code: code, headerSource, body, error: error)
    } else if code == 304, operation()?.isConditional == true {
      self.init(code: code, headerSource, .absent, error: nil)
    } else if (300...399).contains(code), code != 304, operation()?.method ?? .get == .get,
      headerSource.fields["Location"]?.isEmpty == false
    {
      self.init(code: code, headerSource, .absent, error: nil)
    } else if !(200...299).contains(code) {
      self.init(code: code, headerSource, body, error: GraphError(status: code))
    } else if let problem, problem != UnusableAnswer.empty || ![204, 205].contains(code) {
      // 204 and 205 have no content (RFC 9110, sections 15.3.5 and 15.3.6); other results have.
      let error = GraphError(message: problem, isFromGraph: false)
      self.init(code: code, headerSource, body, error: error)
    } else {
      self.init(code: code, headerSource, body, error: nil)
    }
  }

  /// The headers with the usage of rate limits; nil if the previous answer has the same headers, as
  /// many answers do.
  package func usageHeaders(after previous: OperationResponse?) -> [HeaderField]? {
    switch (headerSource, previous?.headerSource) {
    case (.text(let text), .text(let other)) where text.span.hasSameBytes(as: other.span): nil
    case (.fields(let fields), .fields(let other)) where fields == other: nil
    case (.fields(let fields), _): fields
    case (.text(let text), _) where !Usage.mayBePresent(in: text): []
    case (.text(let text), _): Self.headers(in: text, Usage.mayBePresent(in:))
    }
  }

  /// Parses `[{"name": …, "value": …}]`, `["Name: value"]` or `{"Name": "value"}`.
  ///
  /// Fields of objects in a list are left out if the text of their name is not accepted.
  private static func headers(
    in text: ArraySlice<UInt8>, _ accepts: (ArraySlice<UInt8>) -> Bool = { _ in true }
  ) -> [HeaderField] {
    guard let value = try? JSON.Document(parsing: Array(text)).value else { return [] }
    if let members = value.members {
      return members.compactMap { HeaderField($0.name, $0.value.string ?? "") }
    }
    return (value.elements ?? []).compactMap { element in
      if let line = element.string, let colon = line.firstIndex(of: ":") {
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        return HeaderField(String(line[..<colon]), String(value))
      }
      guard let name = element["name"], accepts(name.bytes), let name = name.string,
        let value = element["value"]?.string
      else { return nil }
      return HeaderField(name, value)
    }
  }
}

extension GraphError {
  /// Parses the error object of a valid body; nil if there is none.
  fileprivate init?(in body: ResponseBody, code: Int) {
    guard let json = try? body.json(),
      let error = code < 400 ? GraphError(successBody: json) : GraphError(body: json)
    else { return nil }
    self = error
  }
}

extension BatchOperation {
  /// Whether the operation is a conditional GET, which is answered with 304 if nothing changed.
  fileprivate var isConditional: Bool { method == .get && headers["If-None-Match"] != nil }
}

extension OperationResponse: Hashable {
  /// Compares codes, bodies and headers.
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
  /// The code and the size of the body, never its text.
  public var description: String { "\(code) (\(body))" }
}
