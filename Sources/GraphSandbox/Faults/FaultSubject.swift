/// What a fault's condition looks at: one operation.
struct FaultSubject: Sendable {
  /// In capitals, as Graph understood it.
  var method: String
  /// Without version; references are as written where the operation has not begun yet.
  var path: [String]
  var name: String?
  /// The place in the batch; nil for a single call.
  var index: Int?
  var token: String?
}
