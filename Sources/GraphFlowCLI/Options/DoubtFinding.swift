import ArgumentParser
import GraphFlow

/// What a person found out about a write in doubt: `NAME=ID` if it happened, `NAME` if it did not.
///
/// An instance of a group is `NAME[KEY]`.
struct DoubtFinding: Sendable {
  /// The name of the instance, as reports write it.
  let name: String
  /// What was found.
  let finding: DoubtDecision.Finding

  /// The findings that the flags of `resume` name.
  ///
  /// - Throws: a `ValidationError` for one without an id.
  static func reading(applied: [String], notApplied: [String]) throws -> [DoubtFinding] {
    try applied.map { argument in
      // A key may hold an equals sign, an id does not.
      guard let equals = argument.lastIndex(of: "="), equals > argument.startIndex,
        argument.index(after: equals) < argument.endIndex
      else {
        throw ValidationError("--applied \(argument): write NAME=ID, the id of what was made")
      }
      return DoubtFinding(
        name: String(argument[..<equals]),
        finding: .applied(id: String(argument[argument.index(after: equals)...]))
      )
    } + notApplied.map { DoubtFinding(name: $0, finding: .notApplied) }
  }

  /// The finding as a decision on a run.
  ///
  /// - Throws: a ``CommandFailure`` that names the writes in doubt, if this is none of them.
  func decision(on report: Report) throws -> DoubtDecision {
    let doubtful = report.requests.filter { $0.status == .inDoubt }
    guard let request = doubtful.first(where: { $0.displayName == name }) else {
      let names = doubtful.map(\.displayName).joined(separator: ", ")
      throw CommandFailure(
        .usage,
        "no write named '\(name)' is in doubt",
        hint: doubtful.isEmpty ? "nothing is in doubt in this run" : "in doubt: \(names)"
      )
    }
    return DoubtDecision(request: request.index, item: request.item, finding: finding)
  }
}
