/// An error that the sandbox is told to answer with.
package struct InjectedError: Hashable, Sendable {
  /// The error in the sandbox's own terms.
  private(set) var fault: GraphFault

  /// Makes an error; what is not given is what Graph is known to say with the code.
  ///
  /// - Parameters:
  ///   - code: Graph's code; nil: there is none, as on `GraphBatchException`.
  ///   - subcode: `error_subcode`.
  ///   - message: `message`.
  ///   - type: `type`.
  ///   - isTransient: `is_transient`; nil: as Graph does it, true on codes 1, 2 and 960 and absent on
  ///     others.
  ///   - userTitle: `error_user_title`.
  ///   - userMessage: `error_user_msg`.
  ///   - status: The HTTP status or the item's code.
  package init(
    code: Int?,
    subcode: Int? = nil,
    message: String? = nil,
    type: String? = nil,
    isTransient: Bool? = nil,
    userTitle: String? = nil,
    userMessage: String? = nil,
    status: Int? = nil
  ) {
    let known = GraphFault.known(code: code, subcode: subcode)
    fault = GraphFault(
      message ?? known.message,
      type: type ?? known.type,
      code: code,
      subcode: subcode
    )
    fault.isTransient = isTransient
    fault.userTitle = userTitle ?? known.userTitle
    fault.userMessage = userMessage ?? known.userMessage
    fault.status = status ?? known.status
  }

  /// The error in a word, for the log.
  var label: String {
    guard let code = fault.code else { return fault.type }
    return "error \(code)" + (fault.subcode.map { "/\($0)" } ?? "")
  }
}
