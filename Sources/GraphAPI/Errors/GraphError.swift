package import JSONPath

/// What Graph said about a failure, in the fields of its error object.
///
/// Source: Graph API, "Handling Errors".
public struct GraphError: Error, Hashable, Sendable {
  /// The text for developers, often with `(#code) ` in front.
  public let message: String

  /// Graph's name for the kind, such as `OAuthException`; it says little.
  public let type: String?

  /// The code; whole-batch errors and very old ones have none.
  public let code: Int?

  /// The code's refinement (`error_subcode`).
  public let subcode: Int?

  /// The title that may be shown to a user.
  public let userTitle: String?

  /// The text that may be shown to a user.
  public let userMessage: String?

  /// Whether Graph says that the error passes by itself.
  public let isTransient: Bool?

  /// The trace that Meta's support asks for.
  public let fbtraceID: String?

  /// `error_data`, as it came: an object, or text that holds JSON.
  package let data: JSON?

  /// The answer to a write that took effect though reading it back failed (`original_response`).
  package let originalResponse: JSON?

  /// Whether Graph sent an error object; false for an error that only stands for an answer that
  /// cannot be used.
  package let isStated: Bool

  /// Whether it tells why a report failed that Graph was asked for before, and so is part of a good
  /// answer about that report.
  package let isOfReport: Bool

  /// Makes an error of its facts.
  package init(
    message: String,
    type: String? = nil,
    code: Int? = nil,
    subcode: Int? = nil,
    userTitle: String? = nil,
    userMessage: String? = nil,
    isTransient: Bool? = nil,
    fbtraceID: String? = nil,
    data: JSON? = nil,
    originalResponse: JSON? = nil,
    isStated: Bool = true,
    isOfReport: Bool = false
  ) {
    self.message = message
    self.type = type
    self.code = code
    self.subcode = subcode
    self.userTitle = userTitle
    self.userMessage = userMessage
    self.isTransient = isTransient
    self.fbtraceID = fbtraceID
    self.data = data
    self.originalResponse = originalResponse
    self.isStated = isStated
    self.isOfReport = isOfReport
  }

  /// The error of an answer that is no result by its status and holds no error object.
  package init(status: Int) {
    self.init(message: "HTTP status \(status) without an error object", isStated: false)
  }

  /// The code of an operation that a batch gave up: unfinished, or its dependency failed.
  package static let abortedCode = 960

  /// The error in Graph's own names, in its own order, with null for what is absent.
  package var json: JSON {
    .object(
      JSON.Object([
        ("message", .string(message)),
        ("type", type.map(JSON.string) ?? .null),
        ("code", code.map { .number(JSON.Number($0)) } ?? .null),
        ("error_subcode", subcode.map { .number(JSON.Number($0)) } ?? .null),
        ("error_user_title", userTitle.map(JSON.string) ?? .null),
        ("error_user_msg", userMessage.map(JSON.string) ?? .null),
        ("is_transient", isTransient.map(JSON.bool) ?? .null),
        ("fbtrace_id", fbtraceID.map(JSON.string) ?? .null),
      ])
    )
  }

  /// The code, or else the one that the message begins with, as in `(#100) Invalid parameter`.
  ///
  /// Old answers of type `Exception` have their code only there.
  package var effectiveCode: Int? {
    if let code { return code }
    guard message.hasPrefix("(#") else { return nil }
    let digits = message.utf8.dropFirst(2).prefix { $0 != UInt8(ascii: ")") }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
