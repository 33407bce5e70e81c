/// Generates ids, tokens and codes: counters with a seed, so that the same calls give the same ones.
struct Identifiers: Sendable {
  let seed: UInt64
  /// The ids that the description sets.
  var reservedIDs: Set<String> = []
  var lastID = 122_000_000_000_000
  var issuedTokenCount: UInt64 = 0
  private var describedTokenCount: UInt64 = 0
  private var deviceCount: UInt64 = 0
  private var traceCount: UInt64 = 0

  init(seed: UInt64) { self.seed = seed }

  /// The next free id of an object.
  mutating func nextID() -> String {
    lastID += 1
    while !reservedIDs.isEmpty, reservedIDs.contains(String(lastID)) { lastID += 1 }
    return String(lastID)
  }

  /// The next `fbtrace_id`.
  mutating func nextTraceID() -> String {
    traceCount &+= 1
    return SeededText.traceID(seed: seed, ordinal: traceCount)
  }

  /// The next token of the description.
  mutating func nextToken() -> String {
    describedTokenCount += 1
    return SeededText.token(seed: seed, ordinal: describedTokenCount)
  }

  /// The next token of a login; these count down, so that they differ from the description's.
  mutating func nextLoginToken() -> String {
    issuedTokenCount &+= 1
    return SeededText.token(seed: seed, ordinal: .max - issuedTokenCount)
  }

  /// The next code of the login dialog.
  mutating func nextDialogCode() -> String {
    issuedTokenCount &+= 1
    return SeededText.token(seed: seed ^ 0xC0DE, ordinal: issuedTokenCount)
  }

  /// The next codes of a device login: one that the device polls with, and one that its user enters.
  mutating func nextDeviceCodes() -> (code: String, userCode: String) {
    deviceCount &+= 1
    let code = SeededText.token(seed: seed ^ 0xDE51CE, ordinal: deviceCount).dropFirst(3)
    return (String(code), SeededText.userCode(seed: seed, ordinal: deviceCount))
  }
}
