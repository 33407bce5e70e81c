internal import JSONPath

/// How many requests of a run have which status, as a report in some format says.
///
/// The readers share no code with the formats.
package struct ReportCounts: Hashable, Sendable {
  package var succeeded = 0
  package var failed = 0
  package var skipped = 0
  package var inDoubt = 0
  package var cancelled = 0
  package var unfinished = 0

  package init(
    succeeded: Int = 0, failed: Int = 0, skipped: Int = 0, inDoubt: Int = 0, cancelled: Int = 0,
    unfinished: Int = 0
  ) {
    (self.succeeded, self.failed, self.skipped) = (succeeded, failed, skipped)
    (self.inDoubt, self.cancelled, self.unfinished) = (inDoubt, cancelled, unfinished)
  }

  /// Reads a report by the ending of its name; nil if it is not what such a report is.
  package init?(_ text: String, as ending: String) {
    self.init()
    switch ending {
    case "jsonl":
      for line in text.split(separator: "\n") {
        guard let json = try? JSON(parsing: String(line)) else { return nil }
        if let request = json["request"] { add(request["status"]?.string) }
      }
    case "csv":
      for row in ReportCounts.rows(text).dropFirst() {
        guard row.count == 19 else { return nil }
        add(row[4])
      }
    case "xml":
      let cases = text.split(separator: "<testcase ").dropFirst()
      for text in cases where text.hasPrefix("classname=\"") && text.contains(".requests\"") {
        let kind = text.firstMatch(of: /<(failure|error|skipped) type="([a-z_]*)"/)?.output
        add(kind?.1 == "failure" ? "failed" : kind.map { String($0.2) } ?? "succeeded")
      }
    case "md":
      let rows = text.split(separator: "\n").map { $0.split(separator: "|").compactMap(Self.int) }
      for row in rows where row.count == 7 {
        let statuses = ["in_doubt", "failed", "cancelled", "skipped", "unfinished", "succeeded"]
        for (status, count) in zip(statuses, row.dropFirst()) { add(status, count) }
      }
    case "prom":
      for match in text.matches(of: /graphflow_run_requests\{.*status="([a-z_]*)"\} ([0-9]+)/) {
        add(String(match.output.1), Int(match.output.2) ?? 0)
      }
    case "sarif":
      guard let runs = (try? JSON(parsing: text))?["runs"]?.array else { return nil }
      for result in runs.flatMap({ $0["results"]?.array ?? [] }) {
        let isDoubt = result["ruleId"]?.string == "in-doubt"
        add(isDoubt ? "in_doubt" : "failed", Int(result["occurrenceCount"]?.number?.double ?? 0))
      }
    case "html":
      let data = text.split(separator: " id=\"rows\">", maxSplits: 1).last?
        .split(separator: "</script>", maxSplits: 1).first
      guard let data, let rows = (try? JSON(parsing: String(data)))?.array else { return nil }
      let statuses = ["succeeded", "failed", "in_doubt", "skipped", "cancelled", "unfinished"]
      for row in rows { add(row.array?[2].number.map { statuses[Int($0.double)] }) }
    default: return nil
    }
  }

  /// The counts in a format that shows only what needs attention.
  package func seen(in ending: String) -> ReportCounts {
    ending == "sarif" ? ReportCounts(failed: failed, inDoubt: inDoubt) : self
  }

  package static func + (one: ReportCounts, other: ReportCounts) -> ReportCounts {
    ReportCounts(
      succeeded: one.succeeded + other.succeeded, failed: one.failed + other.failed,
      skipped: one.skipped + other.skipped, inDoubt: one.inDoubt + other.inDoubt,
      cancelled: one.cancelled + other.cancelled, unfinished: one.unfinished + other.unfinished)
  }

  private mutating func add(_ status: String?, _ count: Int = 1) {
    switch status {
    case "succeeded": succeeded += count
    case "failed": failed += count
    case "skipped": skipped += count
    case "in_doubt": inDoubt += count
    case "cancelled": cancelled += count
    default: unfinished += count
    }
  }

  private static func int(_ cell: Substring) -> Int? {
    Int(cell.split(separator: " ").joined())
  }

  /// The rows of a table in CSV (RFC 4180).
  private static func rows(_ text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var field: [Unicode.Scalar] = []
    var isQuoted = false
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      if isQuoted {
        if scalar == "\"" { isQuoted = false } else { field.append(scalar) }
      } else if scalar == "\"" {
        if previous == "\"" { field.append(scalar) }
        isQuoted = true
      } else if scalar == "," || scalar == "\n" {
        var content = String.UnicodeScalarView(field)
        if scalar == "\n", content.last == "\r" { content.removeLast() }
        row.append(String(content))
        field = []
        if scalar == "\n" {
          rows.append(row)
          row = []
        }
      } else {
        field.append(scalar)
      }
    }
    return rows
  }
}
