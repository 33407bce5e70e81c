/// Generates tokens and codes: counters with a seed, so that the same calls give the same ones.
struct TokenGenerator: Sendable {
  let seed: UInt64
  /// How many tokens and dialog codes logins have got.
  var issuedCount: UInt64 = 0
  private var describedCount: UInt64 = 0
  private var deviceCount: UInt64 = 0

  init(seed: UInt64) { self.seed = seed }

  /// The next token of the description.
  mutating func nextToken() -> String {
    describedCount += 1
    return SeededText.token(seed: seed, ordinal: describedCount)
  }

  /// The next token of a login; these count down, so that they differ from the description's.
  mutating func nextLoginToken() -> String {
    issuedCount &+= 1
    return SeededText.token(seed: seed, ordinal: .max - issuedCount)
  }

  /// The next code of the login dialog.
  mutating func nextDialogCode() -> String {
    issuedCount &+= 1
    return SeededText.token(seed: seed ^ 0xC0DE, ordinal: issuedCount)
  }

  /// The next codes of a device login: one that the device polls with, and one that its user enters.
  mutating func nextDeviceCodes() -> (code: String, userCode: String) {
    deviceCount &+= 1
    let code = SeededText.token(seed: seed ^ 0xDE51CE, ordinal: deviceCount).dropFirst(3)
    return (String(code), SeededText.userCode(seed: seed, ordinal: deviceCount))
  }
}
