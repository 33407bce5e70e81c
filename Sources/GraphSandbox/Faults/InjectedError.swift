/// An error that the sandbox is told to answer with.
public struct InjectedError: Hashable, Sendable {
  /// Graph's code; nil: there is none, as on `GraphBatchException`.
  public var code: Int?
  /// `error_subcode`.
  public var subcode: Int?
  /// `message`.
  public var message: String
  /// `type`.
  public var type: String
  /// `is_transient`; nil: as Graph does it, true on codes 1, 2 and 960 and absent on others.
  public var isTransient: Bool?
  /// `error_user_title`.
  public var userTitle: String?
  /// `error_user_msg`.
  public var userMessage: String?
  /// The HTTP status or the item's code.
  public var status: Int

  /// Makes an error; what is not given is what Graph is known to say with the code.
  public init(
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
    self.code = code
    self.subcode = subcode
    self.message = message ?? known.message
    self.type = type ?? known.type
    self.isTransient = isTransient
    self.userTitle = userTitle ?? known.userTitle
    self.userMessage = userMessage ?? known.userMessage
    self.status = status ?? known.status
  }

  /// The error in the sandbox's own terms.
  var fault: GraphFault {
    var fault = GraphFault(message, type: type, code: code, subcode: subcode)
    fault.status = status
    fault.isTransient = isTransient
    fault.userTitle = userTitle
    fault.userMessage = userMessage
    return fault
  }

  /// The error in a word, for the log.
  var label: String {
    guard let code else { return type }
    return "error \(code)" + (subcode.map { "/\($0)" } ?? "")
  }
}
