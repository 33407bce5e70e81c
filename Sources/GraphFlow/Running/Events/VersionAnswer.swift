internal import GraphAPI

/// A version that was asked for, and the one in which Graph answered instead.
///
/// Source: Graph API, "Versioning": an expired version is answered as the oldest usable one, and the
/// header `facebook-api-version` names that.
package struct VersionAnswer: Hashable, Sendable {
  package var asked: String
  package var served: String

  static let header = "facebook-api-version"

  /// What to do about it.
  var sentence: String {
    "Graph answers \(asked) as \(served): test with a version that it still has, and name that"
  }
}

extension CallDraft {
  /// Where the answer is of another version than the one asked for, each pair once.
  ///
  /// An operation with a version of its own is compared by its own header.
  func otherVersions(
    in answer: BatchAnswer, _ served: GraphVersion?, insteadOf asked: GraphVersion
  ) -> [VersionAnswer] {
    guard let served else { return [] }
    var found: [VersionAnswer] = []
    func compare(_ asked: GraphVersion, _ served: GraphVersion) {
      let pair = VersionAnswer(asked: asked.description, served: served.description)
      if asked != served, !found.contains(pair) { found.append(pair) }
    }
    if !isAlone { compare(asked, served) }
    for index in operations.indices {
      let own = operations[index].operation.version ?? asked
      if isAlone {
        compare(own, served)
      } else if own != asked, case .items(let items) = answer, items.indices.contains(index),
        case .response(let response) = items[index],
        let served = response.headers[VersionAnswer.header].flatMap({ GraphVersion($0) })
      {
        compare(own, served)
      }
    }
    return found
  }
}
