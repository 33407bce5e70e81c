internal import JSONPath

/// Mistakes that are common in the queries of references.
enum QueryMistake {
  static func wording(
    of error: Query.SyntaxError, in text: String
  ) -> (message: String, hint: String?) {
    guard text.hasPrefix("$") else {
      let isPath = text.hasPrefix(".") || text.hasPrefix("[")
      let hint = text.isEmpty ? "write $" : "write \(isPath ? "$" : "$.")\(text)"
      return ("a query must start with '$'", hint)
    }
    guard text.unicodeScalars.dropFirst(error.offset).first == " " else {
      return (error.message, error.hint)
    }
    let hint = nameWithSpace(text, at: error.offset).map {
      "write \($0) for a name with a space, or '}' there"
    }
    return ("a query cannot contain a space here", hint ?? "write '}' there, or '|' and a default")
  }

  /// The query that was probably meant by one whose last name contains spaces.
  private static func nameWithSpace(_ text: String, at offset: Int) -> String? {
    let scalars = text.unicodeScalars
    guard let dot = scalars.prefix(offset).lastIndex(of: ".") else { return nil }
    let name = String(scalars[scalars.index(after: dot)...])
    let isName = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_" || $0 == " "
    }
    guard isName, !name.hasSuffix(" "), name.count <= 60 else { return nil }
    return "\(String(scalars[..<dot]))['\(name)']"
  }
}
