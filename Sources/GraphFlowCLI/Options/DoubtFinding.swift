import ArgumentParser
import GraphFlow

/// The options for what a person found out about writes in doubt.
struct DoubtOptions: ParsableArguments {
  @Option(
    help: .value(
      "name=id",
      "A write in doubt that happened, and the id of the object it made; may be repeated.",
      discussion: "An instance of a group is NAME[KEY]."))
  var applied: [String] = []

  @Option(
    help: .value(
      "name", "A write in doubt that did not happen, so that it is sent again; may be repeated.",
      discussion: """
        NAME means all instances of a request or group that are in doubt; * in NAME[KEY] means any \
        text.
        """))
  var notApplied: [String] = []

  func validate() throws { _ = try findings() }

  func findings() throws -> [DoubtFinding] {
    try DoubtFinding.reading(applied: applied, notApplied: notApplied)
  }
}

/// What a person found out about a write in doubt: `NAME=ID` if it happened, `NAME` if it did not.
///
/// An instance of a group is `NAME[KEY]`. For `--not-applied`, `NAME` means all instances of a
/// request or a group that are in doubt, and `*` in a key means any text.
struct DoubtFinding: Sendable {
  /// The name of the instance, as in reports, or a pattern for several.
  let name: String
  let finding: DoubtDecision.Finding
  private static let maximumNameCount = 10

  static func reading(applied: [String], notApplied: [String]) throws -> [DoubtFinding] {
    let findings =
      try applied.map { argument in
        // A key may hold an equals sign, an id does not.
        guard let equals = argument.lastIndex(of: "="), equals > argument.startIndex,
          argument.index(after: equals) < argument.endIndex
        else {
          throw ValidationError(
            "--applied \(argument): write NAME=ID with the id of the object that was made")
        }
        let id = String(argument[argument.index(after: equals)...])
        try require(
          isID(id),
          "--applied \(argument): '\(id)' is not an id, which is a number, or numbers as in 1234_5678"
        )
        return DoubtFinding(name: String(argument[..<equals]), finding: .applied(id: id))
      } + notApplied.map { DoubtFinding(name: $0, finding: .notApplied) }
    for finding in findings
    where findings.contains(where: { $0.name == finding.name && $0.finding != finding.finding }) {
      throw ValidationError(contradiction(about: finding.name))
    }
    return findings
  }

  private static func contradiction(about name: String) -> String {
    "two findings about '\(name)' contradict each other: give one, --applied or --not-applied"
  }

  /// Whether a text can be an id: digits, or digits of the parent and of the object itself.
  private static func isID(_ text: String) -> Bool {
    text.utf8.count <= 128
      && text.split(separator: "_", omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }

  static func decisions(of findings: [DoubtFinding], on report: Report) throws -> [DoubtDecision] {
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

  private func requests(of report: Report) throws -> [Report.Request] {
    let doubtful = report.requests.filter { $0.status == .inDoubt }
    var matching = doubtful.filter { $0.displayName == name }
    if matching.isEmpty, finding == .notApplied { matching = doubtful.filter { matches($0) } }
    guard !matching.isEmpty else {
      let names = doubtful.prefix(DoubtFinding.maximumNameCount).map(\.displayName)
      let more = doubtful.count - names.count
      let list = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
      throw CommandFailure(
        .usage, "no write named '\(name)' is in doubt",
        hint: doubtful.isEmpty ? "nothing is in doubt in this run" : "in doubt: \(list)")
    }
    return matching
  }

  /// Whether the name is that of the instance's request or group, and its pattern matches the key.
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
