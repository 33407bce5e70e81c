/// What the status of an answer is good for (RFC 9110, section 15).
///
/// The HTTP client trusts a server here: a status below 100, and a second status after 101, end the
/// process. Both are refused before the client sees them.
enum AnswerStatus: Hashable {
  /// 200 to 999: the answer.
  case final
  /// 100 to 199: the answer is yet to come.
  case interim
  /// Not a status, or 101, as no other protocol was asked for.
  case unusable

  /// Judges a number.
  init(_ code: UInt) {
    self =
      switch code {
      case 200...999: .final
      case 101: .unusable
      case 100...199: .interim
      default: .unusable
      }
  }

  /// Judges the text of HTTP/2, which must be three digits (RFC 9113, section 8.3.2).
  init(_ text: String) {
    let isNumber = text.utf8.count == 3 && text.utf8.allSatisfy(\.isDigit)
    self = isNumber ? AnswerStatus(UInt(text) ?? 0) : .unusable
  }
}

/// The answer has no status that could be used.
struct UnusableStatus: Error {}
