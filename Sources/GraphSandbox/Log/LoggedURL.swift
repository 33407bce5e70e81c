/// Addresses as the log shows them: without tokens, proofs and secrets.
enum LoggedURL {
  private static let mask = "***"
  private static let lengthLimit = 4_096

  /// An address as received; decoded and masked only if it may hold a secret.
  static func text(_ relativeURL: String) -> String {
    let relativeURL = relativeURL.cut(to: lengthLimit)
    guard mayContainSecret(relativeURL) else { return relativeURL }
    let url = RelativeURL(relativeURL)
    return text(version: url.version, path: url.path, query: url.query.members[...])
  }

  static func path(of target: String) -> String {
    let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
    return withoutTokens(String(decoding: path, as: UTF8.self).excerpt)
  }

  static func text(
    version: String?, path: [String], query: ArraySlice<(name: String, value: String)>
  ) -> String {
    var text = ((version.map { [$0] } ?? []) + path).joined(separator: "/")
    for (index, (name, value)) in query.enumerated() {
      text += index == 0 ? "?" : "&"
      text += name + "="
      text += isSecret(name) ? mask : value
      if text.utf8.count > lengthLimit { break }
    }
    return withoutTokens(text.cut(to: lengthLimit))
  }

  /// Searches for all markers in one pass, ignoring case; it runs for every operation.
  private static func mayContainSecret(_ text: String) -> Bool {
    var window: UInt64 = 0
    for byte in text.utf8 {
      guard byte != UInt8(ascii: "%") else { return true }
      window = window << 8 | UInt64(byte | 0x20)
      if secretMarkers.contains(where: { window & $0.mask == $0.word }) { return true }
    }
    return false
  }

  private static let secretMarkers = ["token", "proof", "secret", "code=", "eaa"].map { word in
    let value = word.utf8.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return (word: value, mask: UInt64.max >> UInt64(64 - word.utf8.count * 8))
  }

  private static func isSecret(_ name: String) -> Bool {
    let name = name.excerpt.lowercased()
    return name.hasSuffix("token") || name.hasSuffix("proof") || name.hasSuffix("secret")
      || name == "code"
  }

  /// Masks everything shaped like an access token; references may insert one anywhere.
  private static func withoutTokens(_ text: String) -> String {
    guard text.contains("EAA") else { return text }
    let run = /[0-9A-Za-z]{21,}/.matchingSemantics(.unicodeScalar)
    return text.replacing(run) { $0.output.hasPrefix("EAA") ? mask : String($0.output) }
  }
}

extension String {
  fileprivate func cut(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    return String(decoding: utf8.prefix(limit), as: UTF8.self)
  }
}
