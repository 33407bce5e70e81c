import Crypto

/// Checks `appsecret_proof` (docs/graph-api.md, Proofs).
struct ProofCheck: Sendable {
  /// nil: any proof is accepted.
  var appSecret: String?
  /// Whether a call with a token must carry a proof; counts only with a secret.
  var isRequired = false

  func check(_ proof: String?, of token: String) throws(GraphFault) {
    guard let appSecret else { return }
    guard let proof else {
      guard !isRequired else { throw .proofRequired }
      return
    }
    // Tokens of the application itself are made of the secret or have none.
    guard !token.utf8.contains(UInt8(ascii: "|")) else { return }
    let bytes = proof.utf8.map { Hexadecimal.value(of: $0) }
    guard bytes.count == 64, !bytes.contains(nil) else { throw .proofInvalid }
    let digits = bytes.compactMap(\.self)
    let code = stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    let key = SymmetricKey(data: Array(appSecret.utf8))
    guard
      HMAC<SHA256>.isValidAuthenticationCode(
        code,
        authenticating: Array(token.utf8),
        using: key
      )
    else { throw .proofInvalid }
  }
}
