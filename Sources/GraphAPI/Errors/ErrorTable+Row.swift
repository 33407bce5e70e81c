extension ErrorTable {
  /// One row of the table.
  package struct Row: Hashable, Sendable {
    /// The errors that a row applies to.
    package enum Subject: Hashable, Sendable {
      /// A range of codes, with any subcode.
      case codes(ClosedRange<Int>)
      /// A code with a subcode.
      case code(Int, subcode: Int)
      /// A code with a message that contains these lower-case words, if its subcode has no row.
      case wording(Int, words: String)
      /// A subcode under any code that has no row of its own.
      case subcode(Int)
      /// A range of HTTP statuses, if the body has no known error.
      case status(ClosedRange<Int>)
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

    /// The errors that the row applies to.
    package let subject: Subject
    /// Graph's name for the error, or a short description.
    package let name: String
    /// What can be done about it.
    package let category: ErrorCategory
    /// The reason of the error.
    package let reason: FailureReason
    /// Whether sending the request again, after waiting or recovering, can succeed.
    package let isRetryUseful: Bool
    /// When the error proves that nothing happened.
    package let proof: Proof
    /// What a person can do.
    package let hint: String
    /// The source of this knowledge, and its reliability.
    package let source: String

    /// The code, or the first of a range; nil for a row about a subcode or status only.
    package var code: Int? {
      switch subject {
      case .codes(let codes): codes.lowerBound
      case .code(let code, _), .wording(let code, _): code
      case .subcode, .status: nil
      }
    }

    /// The subcode, if the row has one.
    package var subcode: Int? {
      switch subject {
      case .code(_, let subcode), .subcode(let subcode): subcode
      case .codes, .wording, .status: nil
      }
    }

    /// The HTTP statuses, if the row is about statuses only.
    package var statuses: ClosedRange<Int>? {
      if case .status(let range) = subject { return range }
      return nil
    }
  }
}

extension ErrorTable.Row {
  /// Parses a line; nil if it is invalid.
  init?(line: Substring) {
    let columns = line.split(separator: "|", omittingEmptySubsequences: false).map { column in
      let start = column.drop { $0 == " " }
      return String(start.prefix(start.count - start.reversed().prefix { $0 == " " }.count))
    }
    guard columns.count == 8, let subject = Subject(text: columns[0]),
      let category = ErrorCategory(rawValue: columns[2]),
      let reason = FailureReason(rawValue: columns[3]),
      let proof = Proof(rawValue: columns[5]), ["yes", "no"].contains(columns[4])
    else { return nil }
    self.subject = subject
    name = columns[1]
    self.category = category
    self.reason = reason
    isRetryUseful = columns[4] == "yes"
    self.proof = proof
    hint = columns[6]
    source = columns[7]
  }
}

extension ErrorTable.Row.Subject: CustomStringConvertible {
  fileprivate init?(text: String) {
    if text.hasPrefix("http ") {
      guard let range = Self.range(text.dropFirst(5)) else { return nil }
      self = .status(range)
    } else if let quote = text.firstIndex(of: "\"") {
      let words = text[text.index(after: quote)...]
      guard quote > text.startIndex, let code = Int(text[..<quote].dropLast()),
        words.last == "\"", words.count > 1, !words.contains(where: \.isUppercase)
      else { return nil }
      self = .wording(code, words: String(words.dropLast()))
    } else if let slash = text.firstIndex(of: "/") {
      guard let subcode = Int(text[text.index(after: slash)...]) else { return nil }
      if text[..<slash] == "*" {
        self = .subcode(subcode)
      } else if let code = Int(text[..<slash]) {
        self = .code(code, subcode: subcode)
      } else {
        return nil
      }
    } else {
      guard let range = Self.range(text[...]) else { return nil }
      self = .codes(range)
    }
  }

  private static func range(_ text: Substring) -> ClosedRange<Int>? {
    if let number = Int(text) { return number...number }
    guard let dots = text.firstRange(of: "..."), let lower = Int(text[..<dots.lowerBound]),
      let upper = Int(text[dots.upperBound...]), lower <= upper
    else { return nil }
    return lower...upper
  }

  /// The subject in the notation of the table.
  package var description: String {
    switch self {
    case .codes(let codes): Self.text(codes)
    case .code(let code, let subcode): "\(code)/\(subcode)"
    case .wording(let code, let words): "\(code) \"\(words)\""
    case .subcode(let subcode): "*/\(subcode)"
    case .status(let range): "http \(Self.text(range))"
    }
  }

  private static func text(_ range: ClosedRange<Int>) -> String {
    range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)...\(range.upperBound)"
  }
}
