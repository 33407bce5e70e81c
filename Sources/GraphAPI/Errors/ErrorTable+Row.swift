extension ErrorTable {
  /// One row of the table: the errors that it applies to, and what is known about them.
  package struct Row: Hashable, Sendable {
    /// The errors that a row applies to: all of its conditions hold for them.
    package struct Subject: Hashable, Sendable, CustomStringConvertible {
      /// The notation of the table, which ``ErrorTable/init(text:)`` explains.
      package let description: String
      var codes: ClosedRange<Int>?
      var subcode: Int?
      /// Lower-case words in the message of an error whose subcode has no row.
      package private(set) var words: String?
      /// The HTTP statuses of bodies without a known error.
      var statuses: ClosedRange<Int>?
    }

    /// When an error proves that nothing happened.
    package enum Proof: String, Hashable, Sendable, CaseIterable {
      /// With any status: Graph rejects throttled calls before it does anything.
      case always
      /// With a status of 400 to 499 and an error object.
      case refusal
      /// Never: Graph may have done it before it failed.
      case never
    }

    package let subject: Subject
    /// Graph's name for the error, or a short description.
    package let name: String
    package let category: ErrorCategory
    package let reason: FailureReason
    /// Whether sending the request again, after waiting or recovering, can succeed.
    package let isRetryUseful: Bool
    package let proof: Proof
    /// What a person can do.
    package let hint: String
    /// The source of this knowledge, and its reliability.
    package let source: String

    /// The code, or the first of a range; nil for a row about a subcode or status only.
    package var code: Int? { subject.codes?.lowerBound }
    package var subcode: Int? { subject.subcode }
    /// The HTTP statuses, if the row is about statuses only.
    package var statuses: ClosedRange<Int>? { subject.statuses }
  }
}

extension ErrorTable.Row {
  /// Parses a line; nil if it is invalid.
  init?(line: Substring) {
    let (bar, space) = (UInt8(ascii: "|"), UInt8(ascii: " "))
    let columns = line.utf8.split(separator: bar, omittingEmptySubsequences: false).map { column in
      var column = column.drop { $0 == space }
      while column.last == space { column.removeLast() }
      return String(Substring(column))
    }
    guard columns.count == 8, let subject = Subject(columns[0]),
      let category = ErrorCategory(rawValue: columns[2]),
      let reason = FailureReason(rawValue: columns[3]),
      let proof = Proof(rawValue: columns[5]), ["yes", "no"].contains(columns[4])
    else { return nil }
    self.init(
      subject: subject, name: columns[1], category: category, reason: reason,
      isRetryUseful: columns[4] == "yes", proof: proof, hint: columns[6], source: columns[7])
  }
}

extension ErrorTable.Row.Subject {
  fileprivate init?(_ text: String) {
    description = text
    if text.hasPrefix("http ") {
      statuses = Self.range(text.dropFirst(5))
    } else if let quote = text.firstIndex(of: "\"") {
      let quoted = text[quote...].dropFirst()
      guard quoted.last == "\"", quoted.count > 1, !quoted.contains(where: \.isUppercase) else {
        return nil
      }
      codes = Self.range(text[..<quote].dropLast())
      words = String(quoted.dropLast())
    } else if let slash = text.firstIndex(of: "/") {
      subcode = Int(text[slash...].dropFirst())
      codes = Self.range(text[..<slash])
      guard subcode != nil, codes != nil || text.hasPrefix("*/") else { return nil }
    } else {
      codes = Self.range(text[...])
    }
    if codes == nil, subcode == nil, statuses == nil { return nil }
  }

  private static func range(_ text: Substring) -> ClosedRange<Int>? {
    if let number = Int(text) { return number...number }
    guard let dots = text.firstRange(of: "..."), let lower = Int(text[..<dots.lowerBound]),
      let upper = Int(text[dots.upperBound...]), lower <= upper
    else { return nil }
    return lower...upper
  }

  /// How specific this subject is for an error: 0 is the most specific, nil does not match.
  func distance(from error: (code: Int?, subcode: Int?), message: String, status: Int) -> Int? {
    if let statuses { return statuses.contains(status) ? 5 : nil }
    guard let codes else { return subcode == error.subcode ? 4 : nil }
    guard let code = error.code, codes.contains(code) else { return nil }
    if let subcode { return subcode == error.subcode ? 0 : nil }
    if let words { return message.contains(words) ? 1 : nil }
    return codes.count == 1 ? 2 : 3
  }
}
