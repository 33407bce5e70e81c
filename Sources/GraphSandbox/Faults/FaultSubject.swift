/// An operation as fault conditions see it.
struct FaultSubject: Sendable {
  /// In capitals.
  var method: String
  /// Without version; references are resolved only when the operation is executed.
  var path: [String]
  var name: String?
  /// The index in the batch; nil for a single call.
  var index: Int?
  var token: String?
}
