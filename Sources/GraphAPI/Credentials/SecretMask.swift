/// Takes secrets out of texts: those that are known in whatever form they stand there, what arrives
/// under a secret's name (``Redaction``), and what looks like a token.
///
/// A server may repeat a token in the middle of a sentence, encode it into a cursor, or send it under
/// a name of its own.
///
/// - Complexity: a text is gone through once, however many secrets are known: four bytes at a time
///   are looked up among the beginnings of all forms.
package struct SecretMask: Sendable {
  /// What is shorter stands in too many texts by chance.
  static let shortestForm = 4
  /// What is shorter is no proof that a text repeats a secret.
  static let shortestCertain = 8

  private var secrets: Set<String> = []
  /// What turns each token into a proof, which is a secret of its own.
  private var appSecrets: [AppSecret] = []
  /// What was learned and not taken by ``takeNewSecrets()``.
  private var fresh: [String] = []
  /// The forms by their first four bytes.
  private var forms: [UInt32: Forms] = [:]
  /// A bit for the hash of each beginning, so that most places are passed by without a look-up.
  private var filter: [UInt64] = []
  /// What passes over many places at once, as long as it can.
  private var passage = SecretSkipFilter()
  /// How many bytes the longest form has; 0 if no secret is known.
  private(set) var longestForm = 0

  /// Forms that begin alike, as the tokens of one app do: thousands of them, of a few lengths.
  private struct Forms {
    private var byLength: [(length: Int, texts: Set<[UInt8]>)] = []

    mutating func insert(_ form: [UInt8]) {
      let place = byLength.firstIndex { $0.length <= form.count } ?? byLength.count
      if place == byLength.count || byLength[place].length != form.count {
        byLength.insert((form.count, []), at: place)
      }
      byLength[place].texts.insert(form)
    }

    /// The length of the longest form that these bytes begin with.
    func longest(at bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
      byLength.first {
        $0.length <= bytes.count && $0.texts.contains(Array(bytes.prefix($0.length)))
      }?
      .length
    }
  }

  /// The mask that knows no secret: it goes by names and looks.
  package static let empty = SecretMask()

  /// A mask that knows no secret yet.
  package init() {}

  /// Learns a token, and its proofs.
  package mutating func record(_ token: AccessToken) { record(token.exposed) }

  /// Learns an app's secret, and the proofs that it makes of the tokens that are known.
  package mutating func record(_ secret: AppSecret) {
    guard !appSecrets.contains(secret) else { return }
    let tokens = secrets.compactMap { AccessToken($0) }
    appSecrets.append(secret)
    note(secret.exposed)
    for token in tokens { note(secret.proof(for: token)) }
  }

  /// Learns a secret of any kind, and its proofs if it can be a token.
  ///
  /// What is shorter than four bytes is not learned: it would be found everywhere.
  package mutating func record(_ secret: String) {
    guard note(secret), let token = AccessToken(secret) else { return }
    for appSecret in appSecrets { note(appSecret.proof(for: token)) }
  }

  /// Takes what was learned since this was asked last, in that order.
  package mutating func takeNewSecrets() -> [String] {
    guard !fresh.isEmpty else { return [] }
    defer { fresh = [] }
    return fresh
  }

  /// Notes a secret and its forms; whether it is new.
  @discardableResult
  private mutating func note(_ secret: String) -> Bool {
    guard secret.utf8.count >= Self.shortestForm, secrets.insert(secret).inserted else {
      return false
    }
    fresh.append(secret)
    if filter.isEmpty { filter = [UInt64](repeating: 0, count: 1 << 10) }
    for form in SecretForms.forms(of: secret) {
      let beginning = form.withUnsafeBufferPointer { $0.fourBytes(at: 0) }
      longestForm = max(longestForm, form.count)
      passage.record(form)
      let bit = Self.bit(of: beginning)
      filter[bit >> 6] |= 1 << UInt64(bit & 63)
      forms[beginning, default: Forms()].insert(form)
    }
    return true
  }

  /// A text with `***` in place of every known secret, and of what looks like a token; nil if there
  /// are none.
  package func redactedByValue(_ text: [UInt8]) -> [UInt8]? {
    text.withUnsafeBufferPointer { redactedByValue($0) }
  }

  /// A text with `***` in place of every secret.
  package func masked(_ text: String) -> String {
    redacted(text) ?? text
  }

  /// A text without what is known, and what looks like a token, whatever the name before it.
  package func redactedByValue(_ text: String) -> String? {
    var contiguous = text
    return contiguous.withUTF8 { redactedByValue($0) }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a text holds a secret that is known, and long enough not to stand there by chance.
  package func isKnown(in text: String) -> Bool {
    guard longestForm >= Self.shortestCertain else { return false }
    var contiguous = text
    return contiguous.withUTF8 { bytes in
      var index = 0
      while index < bytes.count {
        if let length = lengthOfForm(at: index, in: bytes), length >= Self.shortestCertain {
          return true
        }
        index = nextPlace(behind: index, in: bytes)
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

  /// The next index at which a secret may be told; certain of those between.
  @inline(__always)
  func nextPlace(behind index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var next = index + 1
    while passage.isClear(at: next, in: bytes) { next += SecretSkipFilter.width }
    return next
  }

  /// The length of the longest form that stands at this index.
  @inline(__always)
  func lengthOfForm(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !filter.isEmpty, index + Self.shortestForm <= bytes.count else { return nil }
    let beginning = bytes.fourBytes(at: index)
    let bit = Self.bit(of: beginning)
    guard filter[bit >> 6] & (1 << UInt64(bit & 63)) != 0 else { return nil }
    return forms[beginning]?.longest(at: bytes[index...])
  }

  /// The place of a beginning in the filter.
  static func bit(of beginning: UInt32) -> Int {
    Int((beginning &* 0x9E37_79B1) >> 16)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The four bytes at this index, which must be there.
  func fourBytes(at index: Int) -> UInt32 {
    UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: index, as: UInt32.self)
  }
}
