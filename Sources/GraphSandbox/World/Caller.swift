/// Who sends the operations of a call that name no token of their own.
struct Caller: Sendable {
  /// Of the call's token; nil if it has none.
  let session: Session?
  /// The call's own proof, which goes with its token.
  let proof: String?
  /// Whether the answer shows headers; an operation may want none.
  let showsHeaders: Bool

  /// An operation that is a call by itself has nobody behind it.
  static let nobody = Caller(session: nil, proof: nil, showsHeaders: true)
}

extension World {
  /// The session of an operation; nil if there is no token, and for those that ask for one.
  func session(of request: GraphRequest, from caller: Caller) throws(GraphFault) -> Session? {
    guard !request.isLogin else { return nil }
    let proof = request.parameters["appsecret_proof"]
    guard let token = request.token else {
      if let proof, let session = caller.session { try proofs.check(proof, of: session.token) }
      return caller.session
    }
    return try session(
      for: token,
      proof: proof ?? (token == caller.session?.token ? caller.proof : nil)
    )
  }
}
