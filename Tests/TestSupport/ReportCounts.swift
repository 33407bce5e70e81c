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
        guard row.count == 18 else { return nil }
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
        add("succeeded", row[1])
        add("failed", row[2])
        add("in_doubt", row[3])
        add("skipped", row[4])
        add("cancelled", row[5])
        add("unfinished", row[6])
      }
    case "prom":
      for match in text.matches(of: /graphflow_run_requests\{.*status="([a-z_]*)"\} ([0-9]+)/) {
        add(String(match.output.1), Int(match.output.2) ?? 0)
      }
    default: return nil
    }
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
