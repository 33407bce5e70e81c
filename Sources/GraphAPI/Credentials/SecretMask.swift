/// Replaces secrets in texts and values by `***`.
///
/// There are three kinds of secrets: recorded secrets in any encoded form (``SecretForms``), values of
/// members and parameters with a secret's name (``Redaction``), and texts that look like a token
/// (``SecretShape``). A server may repeat a token in the middle of a sentence, encode it into a cursor,
/// or send it under another name.
///
/// The methods differ in what they return and in the kinds that they replace:
///
/// - `masked` replaces all kinds, and returns the whole text or value.
/// - `redacted` replaces all kinds, and returns nil if there are none, so that nothing is copied.
/// - `redactedByValue` ignores names, and returns nil if there are no secrets.
///
/// - Complexity: A text is scanned once, regardless of the number of secrets: four bytes at a time
///   are looked up among the beginnings of all forms.
package struct SecretMask: Sendable {
  /// The shortest form to replace; shorter ones would match too many texts by chance.
  static let shortestForm = 4
  /// The shortest form that proves that a text repeats a secret.
  static let shortestCertain = 8

  private var secrets: Set<String> = []
  /// The app secrets, with which each token has a proof that is secret, too.
  private var appSecrets: [AppSecret] = []
  /// The secrets that were recorded since the last ``takeNewSecrets()``.
  private var newSecrets: [String] = []
  /// The forms by their first four bytes.
  private var forms: [UInt32: Forms] = [:]
  /// A bit for the hash of each beginning, so that most positions need no look-up.
  private var filter: [UInt64] = []
  private var skipFilter = SecretSkipFilter()
  /// The length of the longest form in bytes; 0 if there are no secrets.
  private(set) var longestForm = 0
  /// The length of the shortest text that may contain a secret, regardless of names.
  private var shortestText = SecretShape.shortest

  /// Forms with the same beginning, such as the tokens of one app: up to thousands of a few lengths.
  private struct Forms {
    private var byLength: [(length: Int, texts: Set<[UInt8]>)] = []

    mutating func insert(_ form: [UInt8]) {
      let place = byLength.firstIndex { $0.length <= form.count } ?? byLength.count
      if place == byLength.count || byLength[place].length != form.count {
        byLength.insert((form.count, []), at: place)
      }
      byLength[place].texts.insert(form)
    }

    /// The length of the longest form that is a prefix of these bytes.
    func longest(at bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
      byLength.first {
        $0.length <= bytes.count && $0.texts.contains(Array(bytes.prefix($0.length)))
      }?
      .length
    }
  }

  /// A mask without recorded secrets: it replaces secrets by name and shape only.
  package static let empty = SecretMask()

  package init() {}

  /// Records a token, and its proofs.
  package mutating func record(_ token: AccessToken) { record(token.exposed) }

  /// Records an app's secret, and its proofs of all recorded tokens.
  package mutating func record(_ secret: AppSecret) {
    guard !appSecrets.contains(secret) else { return }
    let tokens = secrets.compactMap { AccessToken($0) }
    appSecrets.append(secret)
    insert(secret.exposed)
    for token in tokens { insert(secret.proof(for: token)) }
  }

  /// Records a secret of any kind, and its proofs if it can be a token.
  ///
  /// A secret of less than four bytes is ignored, because it would match everywhere.
  package mutating func record(_ secret: String) {
    guard insert(secret), let token = AccessToken(secret) else { return }
    for appSecret in appSecrets { insert(appSecret.proof(for: token)) }
  }

  /// Returns the secrets that were recorded since the last call, in order.
  package mutating func takeNewSecrets() -> [String] {
    defer { newSecrets = [] }
    return newSecrets
  }

  /// Inserts a secret and its forms; returns whether it is new.
  @discardableResult
  private mutating func insert(_ secret: String) -> Bool {
    guard secret.utf8.count >= Self.shortestForm, secrets.insert(secret).inserted else {
      return false
    }
    newSecrets.append(secret)
    if filter.isEmpty { filter = [UInt64](repeating: 0, count: 1 << 10) }
    for form in SecretForms.forms(of: secret) {
      let beginning = form.withUnsafeBufferPointer { $0.fourBytes(at: 0) }
      longestForm = max(longestForm, form.count)
      shortestText = min(shortestText, form.count)
      skipFilter.insert(form)
      let bit = Self.bit(of: beginning)
      filter[bit >> 6] |= 1 << UInt64(bit & 63)
      forms[beginning, default: Forms()].insert(form)
    }
    return true
  }

  /// The text without recorded secrets and texts that look like a token, regardless of names; nil if
  /// there are none.
  package func redactedByValue(_ text: [UInt8]) -> [UInt8]? {
    text.withUnsafeBufferPointer { redactedByValue($0) }
  }

  package func masked(_ text: String) -> String { redacted(text) ?? text }

  /// The text without recorded secrets and texts that look like a token, regardless of names; nil if
  /// there are none.
  package func redactedByValue(_ text: String) -> String? {
    // Most texts are ids.
    guard text.utf8.count >= shortestText else { return nil }
    var contiguous = text
    return contiguous.withUTF8 { redactedByValue($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether the text contains a recorded secret that is too long to match by chance.
  package func containsRecordedSecret(_ text: String) -> Bool {
    guard longestForm >= Self.shortestCertain else { return false }
    var contiguous = text
    return contiguous.withUTF8 { bytes in
      var index = 0
      while index < bytes.count {
        if let length = lengthOfForm(at: index, in: bytes), length >= Self.shortestCertain {
          return true
        }
        index = nextCandidate(after: index, in: bytes)
      }
      return false
    }
  }

  private func redactedByValue(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var output: [UInt8] = []
    var (index, copied) = (0, 0)
    _ = replaceSecrets(in: text, from: &index, to: text.count, &copied, after: 0, into: &output)
    return copied == 0 ? nil : output + text[copied...]
  }

  /// The next index at which a secret may start.
  @inline(__always)
  func nextCandidate(after index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    skipFilter.possibleStart(from: index + 1, in: bytes)
  }

  /// The length of the longest form at this index.
  @inline(__always)
  func lengthOfForm(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !filter.isEmpty, index + Self.shortestForm <= bytes.count else { return nil }
    let beginning = bytes.fourBytes(at: index)
    let bit = Self.bit(of: beginning)
    guard filter[bit >> 6] & (1 << UInt64(bit & 63)) != 0 else { return nil }
    return forms[beginning]?.longest(at: bytes[index...])
  }

  /// The bit of a beginning in the filter.
  static func bit(of beginning: UInt32) -> Int { Int((beginning &* 0x9E37_79B1) >> 16) }
}

extension UnsafeBufferPointer<UInt8> {
  /// The four bytes at this index, which must exist.
  func fourBytes(at index: Int) -> UInt32 {
    UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: index, as: UInt32.self)
  }
}
