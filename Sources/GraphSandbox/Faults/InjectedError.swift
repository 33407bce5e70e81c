/// An error that a fault answers with.
package struct InjectedError: Hashable, Sendable {
  private(set) var fault: GraphFault

  /// Makes an error; omitted values are those that Graph is known to send with the code.
  ///
  /// - Parameters:
  ///   - code: Graph's code; nil: no code, as on `GraphBatchException`.
  ///   - subcode: `error_subcode`.
  ///   - message: `message`.
  ///   - type: `type`.
  ///   - isTransient: `is_transient`; nil: as in Graph, true on codes 1, 2 and 960 and absent on
  ///     others.
  ///   - userTitle: `error_user_title`.
  ///   - userMessage: `error_user_msg`.
  ///   - status: The HTTP status or the item's code.
  package init(
    code: Int?, subcode: Int? = nil, message: String? = nil, type: String? = nil,
    isTransient: Bool? = nil, userTitle: String? = nil, userMessage: String? = nil,
    status: Int? = nil
  ) {
    let known = GraphFault.known(code: code, subcode: subcode)
    fault = GraphFault(
      message ?? known.message, type: type ?? known.type, code: code, subcode: subcode)
    fault.isTransient = isTransient
    fault.userTitle = userTitle ?? known.userTitle
    fault.userMessage = userMessage ?? known.userMessage
    fault.status = status ?? known.status
  }

  /// A short name for the log.
  var label: String {
    guard let code = fault.code else { return fault.type }
    return "error \(code)" + (fault.subcode.map { "/\($0)" } ?? "")
  }
}
