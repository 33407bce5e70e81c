import JSONPath

extension Answer {
  /// The answer that carries an error.
  init(_ fault: GraphFault, version: String, usage: UsageHeaders, traceID: String) {
    var body: [UInt8] = []
    GraphText.append(fault.json(traceID: fault.isTraced ? traceID : nil), to: &body)
    let codes = [fault.code, fault.subcode].compactMap(\.self).map { String($0) }
    self.init(
      status: fault.status, body: body, version: version,
      errorCode: codes.isEmpty ? fault.type : codes.joined(separator: "/"),
      challenge:
        "OAuth \"Facebook Platform\" \"\(fault.challenge)\" \"\(fault.message.headerSafe)\"",
      usage: usage, isInvented: fault.isInvented)
  }
}

extension GraphFault {
  /// The error object, in the order in which Graph writes it.
  fileprivate func json(traceID: String?) -> JSON {
    var error: JSON.Object = ["message": .string(message), "type": .string(type)]
    if let code { error["code"] = .number(.init(code)) }
    if let subcode { error["error_subcode"] = .number(.init(subcode)) }
    if let isTransient = isTransient ?? (code == 1 || code == 2 || code == 960 ? true : nil) {
      error["is_transient"] = .bool(isTransient)
    }
    if let userTitle { error["error_user_title"] = .string(userTitle) }
    if let userMessage { error["error_user_msg"] = .string(userMessage) }
    if let traceID { error["fbtrace_id"] = .string(traceID) }
    return ["error": .object(error)]
  }
}

extension String {
  /// The text for a header: printable ASCII without quotes.
  ///
  /// Messages quote what the client sent; a line break there must not become a header.
  fileprivate var headerSafe: String {
    String(
      decoding: utf8.map {
        (32..<127).contains($0) && $0 != UInt8(ascii: "\"") ? $0 : UInt8(ascii: " ")
      }, as: UTF8.self)
  }
}
