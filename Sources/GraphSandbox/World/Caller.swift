/// The credentials of a batch's call, for its operations without a token of their own.
struct Caller: Sendable {
  /// The session of the call's token; nil without a token.
  let session: Session?
  /// The proof of the call's token.
  let proof: String?
  /// Whether the items show headers; an operation may omit its own.
  let showsHeaders: Bool

  /// The caller of a single operation, which has only credentials of its own.
  static let none = Caller(session: nil, proof: nil, showsHeaders: true)
}
