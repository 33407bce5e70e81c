/// Pseudorandom tokens, codes and trace ids: the same for the same seed.
enum SeededText {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// An access token, shaped like Graph's (`EAA…`).
  static func token(seed: UInt64, ordinal: UInt64) -> String {
    "EAA" + text(seed: seed ^ (ordinal &* 0xA24B_AED4_963E_E407), count: 117)
  }

  /// An `fbtrace_id`: eleven characters.
  static func traceID(seed: UInt64, ordinal: UInt64) -> String {
    "A" + text(seed: seed &+ (ordinal &* 0x9FB2_1C65_1E98_DF25), count: 10)
  }

  /// The value of `X-FB-Debug`, by which Meta's staff finds a call: 88 characters.
  static func debugID(of traceID: String) -> String {
    let seed = traceID.utf8.reduce(0) { ($0 &* 31) &+ UInt64($1) }
    return text(seed: seed, count: 86) + "=="
  }

  /// The code of a device that a user enters: eight letters.
  static func userCode(seed: UInt64, ordinal: UInt64) -> String {
    let letters = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
    return String(
      decoding: text(seed: seed ^ (ordinal &* 0xD6E8_FEB8_6659_FD93), count: 8).utf8.map {
        letters[Int($0) % letters.count]
      }, as: UTF8.self)
  }

  /// The challenge of a handshake: a number.
  static func challenge(seed: UInt64, ordinal: UInt64) -> String {
    var state = seed ^ (ordinal &* 0xC2B2_AE3D_27D4_EB4F)
    return String(next(&state) % 2_147_483_648)
  }

  private static func text(seed: UInt64, count: Int) -> String {
    var state = seed
    var output: [UInt8] = []
    for _ in 0..<count { output.append(alphabet[Int(next(&state) % 62)]) }
    return String(decoding: output, as: UTF8.self)
  }

  /// A number from 0 up to, not including, 1.
  static func fraction(_ state: inout UInt64) -> Double {
    // 53 bits fill a Double exactly.
    Double(next(&state) >> 11) * 0x1p-53
  }

  /// SplitMix64 (Steele, Lea, Flood 2014).
  static func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

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
