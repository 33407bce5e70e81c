import ArgumentParser
import GraphFlow

/// What a person found out about writes in doubt: `NAME=ID` if one happened, `NAME` if it did not.
///
/// An instance of a group is `NAME[KEY]`. Of what did not happen, `NAME` stands for all instances of
/// a request or a group that are in doubt, and `*` in a key for any text.
struct DoubtFinding: Sendable {
  /// The name of the instance, as reports write it, or what names several.
  let name: String
  /// What was found.
  let finding: DoubtDecision.Finding

  /// How many writes in doubt a message names.
  private static let maximumNameCount = 10

  /// The findings that the flags of `resume` name.
  ///
  /// - Throws: a `ValidationError` for one without an id, or with what is none, and for two that
  ///   contradict each other.
  static func reading(applied: [String], notApplied: [String]) throws -> [DoubtFinding] {
    let findings =
      try applied.map { argument in
        // A key may hold an equals sign, an id does not.
        guard let equals = argument.lastIndex(of: "="), equals > argument.startIndex,
          argument.index(after: equals) < argument.endIndex
        else {
          throw ValidationError("--applied \(argument): write NAME=ID, the id of what was made")
        }
        let id = String(argument[argument.index(after: equals)...])
        guard isID(id) else {
          throw ValidationError(
            "--applied \(argument): '\(id)' is no id; it is a number, or numbers as in 1234_5678"
          )
        }
        return DoubtFinding(name: String(argument[..<equals]), finding: .applied(id: id))
      } + notApplied.map { DoubtFinding(name: $0, finding: .notApplied) }
    var known: [String: DoubtDecision.Finding] = [:]
    for finding in findings {
      let other = known.updateValue(finding.finding, forKey: finding.name)
      if let other, other != finding.finding {
        throw ValidationError(contradiction(about: finding.name))
      }
    }
    return findings
  }

  private static func contradiction(about name: String) -> String {
    "two answers about '\(name)' contradict each other: give one, --applied or --not-applied"
  }

  /// Whether a text may be the id of something: digits, or digits of a parent and of its own.
  private static func isID(_ text: String) -> Bool {
    text.utf8.count <= 128
      && text.split(separator: "_", omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }

  /// Findings as decisions on a run.
  ///
  /// - Throws: a ``CommandFailure`` with ``ExitStatus/usage`` if one is about no write in doubt, or if
  ///   two contradict each other about one.
  static func decisions(
    of findings: [DoubtFinding],
    on report: Report
  ) throws -> [DoubtDecision] {
    var known: [String: DoubtDecision.Finding] = [:]
    return try findings.flatMap { finding in
      try finding.requests(of: report).map { request in
        let name = request.displayName
        let other = known.updateValue(finding.finding, forKey: name)
        if let other, other != finding.finding {
          throw CommandFailure(.usage, contradiction(about: name))
        }
        return DoubtDecision(request: request.index, item: request.item, finding: finding.finding)
      }
    }
  }

  /// The writes in doubt that the finding is about.
  ///
  /// - Throws: a ``CommandFailure`` that names the writes in doubt, if this is none of them.
  private func requests(of report: Report) throws -> [Report.Request] {
    let doubtful = report.requests.filter { $0.status == .inDoubt }
    let exact = doubtful.filter { $0.displayName == name }
    var matching = exact
    if exact.isEmpty, finding == .notApplied { matching = doubtful.filter { matches($0) } }
    guard !matching.isEmpty else {
      let names = doubtful.prefix(DoubtFinding.maximumNameCount).map(\.displayName)
      let more = doubtful.count - names.count
      let list = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
      throw CommandFailure(
        .usage,
        "no write named '\(name)' is in doubt",
        hint: doubtful.isEmpty ? "nothing is in doubt in this run" : "in doubt: \(list)"
      )
    }
    return matching
  }

  /// Whether the name is that of an instance's request or group, and its pattern fits the key.
  private func matches(_ request: Report.Request) -> Bool {
    guard let item = request.item else { return false }
    let bracket = name.hasSuffix("]") ? name.firstIndex(of: "[") : nil
    let head = name[..<(bracket ?? name.endIndex)]
    guard request.facts.name == head || request.facts.name.hasPrefix(head + ".") else {
      return false
    }
    guard let bracket else { return true }
    let pattern = name[name.index(after: bracket)...].dropLast()
    let parts = pattern.utf8.map { $0 == UInt8(ascii: "*") ? nil : $0 }
    return pattern.contains("*") && Wildcards.match(Array(item.key.utf8)[...], parts[...], ==)
  }
}
