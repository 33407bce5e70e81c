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

extension World {
  /// The session of an operation; nil for logins and without a token.
  func session(of request: GraphRequest, from caller: Caller) throws(GraphFault) -> Session? {
    guard !request.isLogin else { return nil }
    let proof = request.parameters["appsecret_proof"]
    guard let token = request.token else {
      if let proof, let session = caller.session { try proofs.check(proof, of: session.token) }
      return caller.session
    }
    return try session(
      for: token, proof: proof ?? (token == caller.session?.token ? caller.proof : nil))
  }
}
