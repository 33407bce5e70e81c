import GraphAPI

extension ErrorExplanation {
  var text: String {
    var lines = rows.isEmpty ? unknownLines : rows.flatMap(lines(about:))
    if !rows.isEmpty, !knowsSubcode {
      lines += [
        "", "The subcode \(subcode ?? 0) is not in the table; this is about the code alone.",
      ]
    }
    lines += [""] + otherLines + [""] + sourceLines
    return lines.joined(separator: "\n") + "\n"
  }

  private var unknownLines: [String] {
    ["\(subject) is not in the table. How it would be treated:", ""]
      + Self.unknownTreatment.flatMap { Self.columns("  -", $0, width: 4) }
  }

  private func lines(about row: ErrorTable.Row) -> [String] {
    let columns = [
      ("category", "\(row.category.rawValue): \(row.category.meaning)"),
      ("reason", "\(row.reason.rawValue): \(row.reason.meaning)"),
      ("retry", row.usefulness),
      ("safe", "a GET, a DELETE and an idempotent POST: always"),
      ("", "any other POST: \(row.proof.safety)"),
      ("rests on", row.premise?.statement ?? ""),
      ("what to do", row.hint),
      ("source", row.source),
    ].filter { !$0.1.isEmpty }
    let head = row == rows.first ? [] : [""]
    return head + ["\(row.subject)  \(row.name)", ""]
      + columns.flatMap { Self.columns("  \($0.0)", $0.1, width: 14) }
  }

  private var otherLines: [String] {
    ["How others judge it:", ""]
      + others.flatMap { other in
        let verdict =
          switch other.agrees(with: rows.first) {
          case true?: "\(other.verdict) (agrees)"
          case false?: "\(other.verdict) (DISAGREES)"
          case nil: other.verdict
          }
        return Self.columns("  \(other.judge)", "\(verdict); \(other.source)", width: 16)
      }
  }

  private var sourceLines: [String] {
    ["Sources ([C] Meta's pages or SDKs, [W] seen in the wild, [U] uncertain):", ""]
      + sources.map { "  \($0.name): \($0.address)" } + ["  safe: \(Self.safetySource)"]
  }

  /// A label with a text beside it, wrapped between words.
  private static func columns(_ label: String, _ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = label + String(repeating: " ", count: max(1, width - label.count))
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > 88 {
        lines.append(line)
        line = String(repeating: " ", count: width)
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [line]
  }
}
