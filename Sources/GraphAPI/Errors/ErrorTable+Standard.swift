extension ErrorTable {
  /// The built-in table, read from its data file when it is first asked for.
  public static let standard = ErrorTable(text: graphErrors)

  /// Reads a table: one row a line, its columns separated by bars; `#` begins a comment.
  ///
  /// The columns are subject, name, category, reason, retry (`yes`, `no`), proof, hint, source. A
  /// subject is `190`, `190/463`, `368 "already"`, `200...299`, `*/99` or `http 500...599`. Lines
  /// that cannot be read are left out; a test makes sure that the built-in table has none.
  init(text: String) {
    self.init(rows: Self.rowLines(in: text).compactMap(Row.init(line:)))
  }

  /// The lines of a table that are to be rows.
  static func rowLines(in text: String) -> [Substring] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") && $0.contains { $0 != " " } }
  }
}

extension ErrorTable.Row {
  fileprivate init?(line: Substring) {
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

  /// The subject as the data file writes it.
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
