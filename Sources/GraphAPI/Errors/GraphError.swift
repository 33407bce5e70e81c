package import JSONPath

/// An error that Graph returned, with the fields of its error object.
///
/// Source: Graph API, "Handling Errors".
public struct GraphError: Error, Hashable, Sendable {
  /// The message for developers (`message`), often with the prefix `(#code) `.
  public package(set) var message: String
  /// Graph's name for the kind of error (`type`), nearly always `OAuthException`.
  public package(set) var type: String?
  /// The error code (`code`); errors of whole batches and very old errors have none.
  public let code: Int?
  /// The subcode, which refines the code (`error_subcode`).
  public let subcode: Int?
  /// The title to show to a user (`error_user_title`).
  public package(set) var userTitle: String?
  /// The message to show to a user (`error_user_msg`).
  public package(set) var userMessage: String?
  /// Whether Graph marks the error as temporary (`is_transient`).
  public let isTransient: Bool?
  /// The trace id for Meta's support (`fbtrace_id`).
  public package(set) var fbtraceID: String?
  /// `error_data` as received: an object, or a string that contains JSON.
  package var data: JSON?
  /// The answer to a write that took effect although reading it back failed (`original_response`).
  package var originalResponse: JSON?
  /// Whether Graph sent an error object; false for an error that represents an unusable answer.
  package let isFromGraph: Bool
  /// Whether this is the error of an asynchronous report, in a successful answer about that report.
  package var isReportFailure: Bool

  /// Makes an error from its fields.
  package init(
    message: String, type: String? = nil, code: Int? = nil, subcode: Int? = nil,
    userTitle: String? = nil, userMessage: String? = nil, isTransient: Bool? = nil,
    fbtraceID: String? = nil, data: JSON? = nil, originalResponse: JSON? = nil,
    isFromGraph: Bool = true, isReportFailure: Bool = false
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
    self.isFromGraph = isFromGraph
    self.isReportFailure = isReportFailure
  }

  /// Makes the error of an answer with an error status but without an error object.
  package init(status: Int) {
    self.init(message: "HTTP status \(status) without an error object", isFromGraph: false)
  }

  /// The code of an operation that a batch aborted: it timed out, or its dependency failed.
  package static let abortedCode = 960

  /// The error with Graph's own names and order, and null for absent fields.
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
      ]))
  }

  /// The code, or the one at the start of the message, as in `(#100) Invalid parameter`.
  ///
  /// Old errors of type `Exception` have their code only there.
  package var effectiveCode: Int? {
    if let code { return code }
    guard message.hasPrefix("(#") else { return nil }
    let digits = message.utf8.dropFirst(2).prefix { $0 != UInt8(ascii: ")") }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
