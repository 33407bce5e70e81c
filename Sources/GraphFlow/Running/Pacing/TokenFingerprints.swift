import GraphAPI

/// The fingerprints of the tokens and the app that a run uses.
struct TokenFingerprints: Sendable {
  /// The app's fingerprint; nil before the first token if there is no app secret.
  private(set) var app: Fingerprint?
  private var tokens: [AccessToken: Fingerprint] = [:]
  /// The keys under which tokens are linked to limits of ad accounts, by the tokens' fingerprints.
  private var keysForAds: [Fingerprint: Fingerprint] = [:]
  private let url: GraphURL

  init(url: GraphURL, appSecret: AppSecret?) {
    self.url = url
    app = appSecret.map { Fingerprint(ofAppWith: $0, at: url) }
  }

  /// The fingerprints of all registered tokens, their keys for ads, and the app's.
  var all: Set<Fingerprint> {
    Set(tokens.values).union(keysForAds.values).union([app].compactMap(\.self))
  }
  func isRegistered(_ token: AccessToken) -> Bool { tokens[token] != nil }
  /// The fingerprint of a token, registered or not.
  subscript(token: AccessToken) -> Fingerprint { tokens[token] ?? Fingerprint(of: token, at: url) }

  /// Registers a token, and its app if none is known.
  mutating func register(_ token: AccessToken) -> Fingerprint {
    if app == nil { app = Fingerprint(ofAppOf: token, at: url) }
    if let known = tokens[token] { return known }
    let fingerprint = Fingerprint(of: token, at: url)
    tokens[token] = fingerprint
    keysForAds[fingerprint] = Self.keyForAds(of: fingerprint)
    return fingerprint
  }

  /// The key under which a token is linked to the limits of ad accounts.
  func keyForAds(of token: Fingerprint) -> Fingerprint {
    keysForAds[token] ?? Self.keyForAds(of: token)
  }

  private static func keyForAds(of token: Fingerprint) -> Fingerprint {
    Fingerprint(ofLimitFor: "", type: "ads", in: token)
  }

  mutating func removeTokens(except kept: Set<Fingerprint>) {
    tokens = tokens.filter { kept.contains($0.value) }
    keysForAds = keysForAds.filter { kept.contains($0.key) }
  }
}
