import GraphAPI

/// The fingerprints of the tokens and the app that a run uses.
struct TokenFingerprints: Sendable {
  /// The app's fingerprint; nil before the first token if there is no app secret.
  private(set) var app: Fingerprint?
  private var tokens: [AccessToken: Fingerprint] = [:]
  private let url: GraphURL

  init(url: GraphURL, appSecret: AppSecret?) {
    self.url = url
    app = appSecret.map { Fingerprint(ofAppWith: $0, at: url) }
  }

  /// The fingerprints of all registered tokens and of the app.
  var all: Set<Fingerprint> { Set(tokens.values).union([app].compactMap(\.self)) }
  var tokenCount: Int { tokens.count }
  func isRegistered(_ token: AccessToken) -> Bool { tokens[token] != nil }
  /// The fingerprint of a token, registered or not.
  subscript(token: AccessToken) -> Fingerprint { tokens[token] ?? Fingerprint(of: token, at: url) }

  /// Registers a token, and its app if none is known.
  mutating func register(_ token: AccessToken) -> Fingerprint {
    if app == nil { app = Fingerprint(ofAppOf: token, at: url) }
    if let known = tokens[token] { return known }
    let fingerprint = Fingerprint(of: token, at: url)
    tokens[token] = fingerprint
    return fingerprint
  }

  mutating func removeTokens(except kept: Set<Fingerprint>) {
    tokens = tokens.filter { kept.contains($0.value) }
  }
}
