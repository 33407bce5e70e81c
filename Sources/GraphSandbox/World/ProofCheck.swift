import Crypto

/// Checks `appsecret_proof` (docs/internals/graph-api.md, Proofs).
struct ProofCheck: Sendable {
  /// nil: any proof is accepted.
  var appSecret: String?
  /// Whether a call with a token must carry a proof; ignored without a secret.
  var isRequired = false

  func check(_ proof: String?, of token: String) throws(GraphFault) {
    guard let appSecret else { return }
    guard let proof else {
      guard !isRequired else { throw .proofRequired }
      return
    }
    // The application's own tokens contain the secret or need none.
    guard !token.utf8.contains(UInt8(ascii: "|")) else { return }
    let key = SymmetricKey(data: Array(appSecret.utf8))
    let code = HMAC<SHA256>.authenticationCode(for: Array(token.utf8), using: key)
    guard proof.utf8.count == 64, proof.lowercased() == Hexadecimal.text(of: code)
    else { throw .proofInvalid }
  }
}
