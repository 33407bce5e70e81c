/// The validity of an answer's status (RFC 9110, section 15).
///
/// The HTTP client does not check it: a status below 100, or a second status after 101, crashes the
/// process. Both are rejected before they reach the client.
enum AnswerStatus: Hashable {
  /// 200 to 999: the final answer.
  case final
  /// 100 to 199: the final answer follows.
  case interim
  /// Not a status, or 101, because no other protocol was requested.
  case unusable

  init(_ code: UInt) {
    self =
      switch code {
      case 200...999: .final
      case 101: .unusable
      case 100...199: .interim
      default: .unusable
      }
  }

  /// Classifies the text of HTTP/2's `:status`, which must be three digits (RFC 9113, section 8.3.2).
  init(_ text: String) {
    let isNumber = text.utf8.count == 3 && text.utf8.allSatisfy(\.isDigit)
    self = isNumber ? AnswerStatus(UInt(text) ?? 0) : .unusable
  }
}

struct UnusableStatus: Error {}
