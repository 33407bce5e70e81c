package import JSONPath

extension GraphError {
  /// Parses the error in the body of a failed answer, in any format that Graph has used; or nil.
  ///
  /// Besides the current `{"error": {…}}` these are: `{"error": …, "error_description": …}`,
  /// `{"error_code": …, "error_msg" or "error_description": …}`,
  /// `{"error_type": …, "code": …, "error_message": …}`, `debug_token`'s `{"data": {"error": …}}`,
  /// and a bare `{"code": …, "message": …}`.
  package init?(body: JSON) {
    if let error = GraphError(successBody: body) {
      self = error
    } else if let fields = body["data"]?["error"]?.object, let error = GraphError(fields) {
      self = error
    } else if let text = body["error"]?.string {
      self.init(message: text)
    } else if let fields = body.object, fields["message"] != nil, fields["code"] != nil,
      let error = GraphError(fields)
    {
      self = error
    } else {
      return nil
    }
  }

  /// Parses the error in a body with a success status: only formats that cannot be anything else.
  ///
  /// The error of another token in `debug_token` is a result, not an error. A failed report run of ads
  /// insights has an error in members of its own (since v25.0; Meta's announcement of 2026-01-08);
  /// without a failure they are null, 0 or absent.
  init?(successBody body: JSON) {
    guard let fields = body.object else { return nil }
    if let inner = fields["error"]?.object {
      guard let error = GraphError(inner) else { return nil }
      self = error
    } else if fields["error"] != nil, fields["error_description"]?.string != nil {
      self.init(fields, type: fields["error"]?.string)
    } else if let code = fields["error_code"]?.lenientInteger {
      let isReportFailure = fields["async_status"] != nil
      guard code != 0 || !isReportFailure else { return nil }
      self.init(fields, type: nil, isReportFailure: isReportFailure)
    } else if fields["error_type"]?.string != nil {
      self.init(fields, type: nil)
    } else {
      return nil
    }
  }

  /// Parses an error object; nil if it has no message, code or type.
  private init?(_ fields: JSON.Object) {
    let names = ["message", "error_msg", "error_message", "code", "error_code", "type"]
    guard names.contains(where: { fields[$0]?.isNull == false }) else { return nil }
    self.init(fields, type: nil)
  }

  private init(_ fields: JSON.Object, type: String?, isReportFailure: Bool = false) {
    let messages = ["message", "error_reason", "error_msg", "error_description", "error_message"]
    self.init(
      message: messages.lazy.compactMap { fields[$0]?.string }.first ?? "Graph gave no message",
      type: fields["type"]?.string ?? fields["error_type"]?.string ?? type,
      code: fields["code"]?.lenientInteger ?? fields["error_code"]?.lenientInteger,
      subcode: fields["error_subcode"]?.lenientInteger ?? fields["subcode"]?.lenientInteger,
      userTitle: fields["error_user_title"]?.string, userMessage: fields["error_user_msg"]?.string,
      isTransient: fields["is_transient"]?.bool, fbtraceID: fields["fbtrace_id"]?.string,
      data: fields["error_data"].flatMap { $0.isNull ? nil : $0 },
      originalResponse: fields["original_response"].flatMap { $0.isNull ? nil : $0 },
      isReportFailure: isReportFailure)
  }
}

extension JSON {
  /// A whole number, or a string that contains one.
  var lenientInteger: Int? { integer ?? string.flatMap { Int($0) } }
}
