import GraphAPI
import GraphFlow
import JSONPath

/// Whose token a profile has, and what it allows.
struct Identity: Sendable {
  let profile: String
  let source: TokenSource
  let graphURL: GraphURL
  var facts: TokenFacts

  /// For people: a line for each fact.
  func text(now: Int) -> String {
    var lines = [("profile", "\(profile), from \(source.label)")]
    lines.append(("user", facts.user?.text ?? "none"))
    if let app = facts.app { lines.append(("app", app.text)) }
    if let type = facts.type, type != "USER" { lines.append(("kind", type)) }
    lines.append(("graph", graphURL.description))
    for (status, names) in facts.scopes.byStatus where !names.isEmpty || status == "granted" {
      lines.append((status, names.isEmpty ? "nothing" : names.joined(separator: ", ")))
    }
    lines.append(("token ends", DayText.end(facts.end, now: now)))
    if facts.dataAccessExpiry != .unknown {
      lines.append(("data ends", DayText.end(facts.dataAccessExpiry, now: now)))
    }
    return lines.map { name, value in
      name.padded(to: 12) + Untrusted.shown(value)
    }
    .joined(separator: "\n")
  }

  func json(now: Int) -> JSON.Object {
    let number = { (value: Int?) -> JSON in value.map { .number(.init($0)) } ?? .null }
    return [
      "profile": .string(profile), "source": .string(source.key),
      "graph_url": .string(graphURL.description), "user": facts.user?.json ?? .null,
      "app": facts.app?.json ?? .null, "type": facts.type.map(JSON.string) ?? .null,
      "scopes": facts.scopes.json,
      "expires_at": number(facts.end.seconds),
      "expires_in_days": number(DayText.days(until: facts.end, now: now)),
      "data_access_expires_at": number(facts.dataAccessExpiry.seconds),
    ]
  }
}

/// Days and time spans for people.
enum DayText {
  /// The day of a time in seconds since 1970, in UTC: `2027-01-20`.
  static func day(_ seconds: Int) -> String {
    let (milliseconds, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1000)
    guard !overflow else { return "a date too late to show" }
    return String(Timestamp(milliseconds: milliseconds).description.prefix { $0 != "T" })
  }

  /// An end with the time until it: `2027-01-20, in 59 days`.
  static func end(_ end: TokenExpiry, now: Int) -> String {
    switch end {
    case .unknown: "not known"
    case .never: "never"
    case .at(let seconds): "\(day(seconds)), \(distance(seconds &- now))"
    }
  }

  /// Whole days until an end; nil if there is none.
  static func days(until end: TokenExpiry, now: Int) -> Int? {
    guard case .at(let seconds) = end else { return nil }
    return Int((Double(seconds &- now) / 86_400).rounded(.down))
  }

  private static func distance(_ seconds: Int) -> String {
    let span = seconds.magnitude
    let (count, unit) =
      span >= 2 * 86_400
      ? (span / 86_400, "day") : span >= 7200 ? (span / 3600, "hour") : (span / 60, "minute")
    let amount = "\(count) \(unit)\(count == 1 ? "" : "s")"
    return seconds >= 0 ? "in \(amount)" : "\(amount) ago"
  }
}
