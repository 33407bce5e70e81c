import Crypto

/// The token of the control interface.
struct ControlToken: Sendable {
  let text: String
  /// Whether somebody has chosen it, to give it to others.
  let isChosen: Bool

  /// Takes a chosen token, or makes one of 128 random bits.
  init(_ chosen: String?) {
    text = chosen ?? Self.random()
    isChosen = chosen != nil
  }

  /// Whether an `Authorization` header carries the token; takes as long whatever is in it.
  func isIn(_ authorization: String?) -> Bool {
    let words = (authorization ?? "").utf8.split(separator: UInt8(ascii: " "))
    guard words.count == 2, String(decoding: words[0], as: UTF8.self).lowercased() == "bearer"
    else { return false }
    return SHA256.hash(data: Array(words[1])) == SHA256.hash(data: Array(text.utf8))
  }

  /// 128 random bits.
  static func random() -> String {
    let halves = [UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max)]
    return halves.map { String($0, radix: 36) }.joined(separator: "-")
  }
}
