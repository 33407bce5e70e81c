import GraphAPI
import JSONPath

/// What the tables say about an error of Graph.
struct ErrorExplanation {
  let code: Int
  let subcode: Int?
  /// Its rows, the closest first; none if it is not in the table.
  let rows: [ErrorTable.Row]

  /// Reads `CODE` or `CODE/SUBCODE`; nil if it is neither.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard (1...2).contains(parts.count), numbers.count == parts.count else { return nil }
    (code, subcode) = (numbers[0], numbers.dropFirst().first)
    rows = ErrorTable.standard.rows(code: code, subcode: subcode)
  }

  /// Whether the closest row is about the subcode as well.
  var knowsSubcode: Bool { subcode == nil || rows.first?.subcode == subcode }
  var others: [ExternalVerdict] { ExternalVerdict.all(code: code, subcode: subcode) }

  var sources: [ErrorSource] {
    let texts = rows.map(\.source) + others.map(\.source)
    return ErrorSource.named(in: texts.joined(separator: "\n"))
  }

  /// How an error without a row is treated.
  static let unknownTreatment = [
    "status 400 to 499: failed, category other, reason unknown, not sent again; the error object "
      + "proves that nothing happened",
    "status 429: a throttle, sent again after the pause",
    "status 500 and more, or is_transient: transient; a read is sent again, a write is in doubt",
    "a rule in the workflow's `errors` overrides all of that except is_transient",
  ]

  static let safetySource = "docs/reference/errors.md, When a write may be sent again"

  var text: String {
    var lines = rows.flatMap(lines(about:))
    if rows.isEmpty {
      let subject = subcode.map { "\(code)/\($0)" } ?? "\(code)"
      lines = ["\(subject) is not in the table. How it would be treated:", ""]
      lines += Self.unknownTreatment.flatMap { Self.columns("  -", $0, width: 4) }
    } else if !knowsSubcode {
      lines += [
        "", "The subcode \(subcode ?? 0) is not in the table; this is about the code alone.",
      ]
    }
    lines += ["", "How others judge it:", ""] + others.flatMap(line(about:))
    lines += ["", "Sources ([C] Meta's pages or SDKs, [W] seen in the wild, [U] uncertain):", ""]
    lines += sources.map { "  \($0.name): \($0.address)" } + ["  safe: \(Self.safetySource)"]
    return lines.joined(separator: "\n") + "\n"
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

  private func line(about other: ExternalVerdict) -> [String] {
    let verdict =
      switch other.agrees(with: rows.first) {
      case true?: "\(other.verdict) (agrees)"
      case false?: "\(other.verdict) (DISAGREES)"
      case nil: other.verdict
      }
    return Self.columns("  \(other.judge)", "\(verdict); \(other.source)", width: 16)
  }

  /// A label with a text beside it, wrapped between words.
  static func columns(_ label: String, _ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = label.padded(to: width - 1) + " "
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

  var json: JSON {
    [
      "code": .number(JSON.Number(code)),
      "subcode": subcode.map { .number(JSON.Number($0)) } ?? .null,
      "known": .bool(!rows.isEmpty),
      "known_subcode": .bool(!rows.isEmpty && knowsSubcode),
      "rows": .array(rows.map(\.explanation)),
      "unknown_treatment": .array(rows.isEmpty ? Self.unknownTreatment.map(JSON.string) : []),
      "others": .array(others.map { $0.json(beside: rows.first) }),
      "sources": .array(
        sources.map { ["name": .string($0.name), "address": .string($0.address)] }
          + [["name": "safe", "address": .string(Self.safetySource)]]),
    ]
  }
}

extension ErrorTable.Row {
  fileprivate var usefulness: String {
    switch (isRetryUseful, category) {
    case (true, .transient): "useful after a while; `retry` does that"
    case (true, _): "useful once the cause is removed"
    case (false, _): "useless: the same error comes back"
    }
  }

  fileprivate var explanation: JSON {
    [
      "error": .string("\(subject)"),
      "name": .string(name),
      "category": .string(category.rawValue),
      "reason": .string(reason.rawValue),
      "retry_useful": .bool(isRetryUseful),
      "proof": .string(proof.rawValue),
      "safe": .string(proof.safety),
      "premise": (premise?.statement).map(JSON.string) ?? .null,
      "hint": .string(hint),
      "source": .string(source),
    ]
  }
}

extension ExternalVerdict {
  /// Whether it agrees with a row; nil if it has no category.
  fileprivate func agrees(with row: ErrorTable.Row?) -> Bool? {
    guard let row else { return nil }
    return category.map { $0 == row.category }
  }

  fileprivate func json(beside row: ErrorTable.Row?) -> JSON {
    [
      "judge": .string(judge),
      "verdict": .string(verdict),
      "category": category.map { .string($0.rawValue) } ?? .null,
      "agrees": agrees(with: row).map(JSON.bool) ?? .null,
      "source": .string(source),
    ]
  }
}
