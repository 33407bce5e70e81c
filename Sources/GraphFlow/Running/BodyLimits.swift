import GraphAPI
import JSONPath

extension BindingFailure {
  /// The longest body of one operation that is kept, in bytes: 64 MiB.
  static let bodyLimit = 64 << 20

  /// What is too much about a body, if anything: it is too long, or nested deeper than JSON is read.
  ///
  /// Nothing could refer to such a body, so its request has failed, even if nothing does.
  init?(excessOf body: [UInt8]) {
    if body.count > Self.bodyLimit {
      self.init(
        reason: .unknown,
        message: "the answer is longer than 64 MiB",
        hint: "ask for fewer fields, or for less at a time with `limit`"
      )
    } else if body.isNestedTooDeep {
      self.init(
        reason: .unknown,
        message: "the answer is nested deeper than \(JSON.depthLimit) levels",
        hint: "ask for fewer levels of fields"
      )
    } else {
      return nil
    }
  }
}

extension [UInt8] {
  /// Whether a JSON text has more levels than are read.
  fileprivate var isNestedTooDeep: Bool {
    // Every level has an end as well as a beginning.
    guard count > 2 * JSON.depthLimit, let first, [0x7B, 0x5B].contains(first) else { return false }
    var depth = 0
    var isInText = false
    var isEscaped = false
    for byte in self {
      if isInText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInText = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth > JSON.depthLimit { return true }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
    return false
  }
}
