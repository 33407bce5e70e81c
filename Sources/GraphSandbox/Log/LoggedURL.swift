/// Addresses as the log shows them: without tokens, proofs and secrets.
enum LoggedURL {
  static let mask = "***"
  private static let lengthLimit = 4_096

  /// An address as received; decoded and masked only if it may hold a secret.
  static func text(_ relativeURL: ArraySlice<UInt8>) -> String {
    let relativeURL = relativeURL.prefix(lengthLimit)
    guard mayContainSecret(relativeURL) else { return String(decoding: relativeURL, as: UTF8.self) }
    let url = RelativeURL(String(decoding: relativeURL, as: UTF8.self).utf8)
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
    return withoutTokens(String(decoding: text.utf8.prefix(lengthLimit), as: UTF8.self))
  }

  /// Searches for all markers in one pass, ignoring case; it runs for every operation.
  private static func mayContainSecret(_ text: ArraySlice<UInt8>) -> Bool {
    var window: UInt64 = 0
    for byte in text {
      guard byte != UInt8(ascii: "%") else { return true }
      window = window << 8 | UInt64(byte | 0x20)
      let isSecret =
        switch byte | 0x20 {
        case UInt8(ascii: "n"): ends(window, with: "token")
        case UInt8(ascii: "f"): ends(window, with: "proof")
        case UInt8(ascii: "t"): ends(window, with: "secret")
        case UInt8(ascii: "="): ends(window, with: "code=")
        case UInt8(ascii: "a"): ends(window, with: "eaa")
        default: false
        }
      if isSecret { return true }
    }
    return false
  }

  /// Whether the last bytes are a word.
  @inline(__always)
  private static func ends(_ window: UInt64, with word: StaticString) -> Bool {
    word.withUTF8Buffer { word in
      let value = word.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return (window ^ value) << UInt64(64 - word.count * 8) == 0
    }
  }

  static func isSecret(_ name: String) -> Bool {
    let name = name.excerpt.lowercased()
    return name.hasSuffix("token") || name.hasSuffix("proof") || name.hasSuffix("secret")
      || name == "code"
  }

  /// Masks everything shaped like an access token; references may insert one anywhere.
  static func withoutTokens(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "E")), text.contains("EAA") else { return text }
    return text.replacing(/EAA[0-9A-Za-z]{18,}/.matchingSemantics(.unicodeScalar), with: mask)
  }
}
