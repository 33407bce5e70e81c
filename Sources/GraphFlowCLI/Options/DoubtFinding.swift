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
  private static let shownNames = 10

  /// The findings that the flags of `resume` name.
  ///
  /// - Throws: a `ValidationError` for one without an id, or with what is none.
  static func reading(applied: [String], notApplied: [String]) throws -> [DoubtFinding] {
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
  }

  /// Whether a text may be the id of something: digits, or digits of a parent and of its own.
  private static func isID(_ text: String) -> Bool {
    text.utf8.count <= 128
      && text.split(separator: "_", omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }

  /// The finding as decisions on a run.
  ///
  /// - Throws: a ``CommandFailure`` that names the writes in doubt, if this is none of them.
  func decisions(on report: Report) throws -> [DoubtDecision] {
    let doubtful = report.requests.filter { $0.status == .inDoubt }
    let exact = doubtful.filter { $0.displayName == name }
    var meant = exact
    if exact.isEmpty, finding == .notApplied { meant = doubtful.filter { isMeant($0) } }
    guard !meant.isEmpty else {
      let names = doubtful.prefix(DoubtFinding.shownNames).map(\.displayName)
      let more = doubtful.count - names.count
      let list = names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
      throw CommandFailure(
        .usage,
        "no write named '\(name)' is in doubt",
        hint: doubtful.isEmpty ? "nothing is in doubt in this run" : "in doubt: \(list)"
      )
    }
    return meant.map { DoubtDecision(request: $0.index, item: $0.item, finding: finding) }
  }

  /// Whether the name is that of an instance's request or group, and its pattern fits the key.
  private func isMeant(_ request: Report.Request) -> Bool {
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
