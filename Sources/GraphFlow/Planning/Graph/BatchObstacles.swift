/// Why a request cannot share a batch with a request that it waits for.
///
/// The set is empty if they can share one. All obstacles are reported, not only the first, because
/// the request moves to an earlier round only when all of them are removed.
package struct BatchObstacles: OptionSet, Hashable, Sendable {
  /// The obstacles as bits.
  package let rawValue: UInt32

  /// Creates a set of obstacles from its bits.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(bit: UInt32) { rawValue = 1 << bit }

  // Obstacles in the two requests.

  /// `expect` of the other request is evaluated first.
  package static let expectation = BatchObstacles(bit: 0)
  /// The other request follows pages.
  package static let pages = BatchObstacles(bit: 1)
  /// The other request is repeated `until` a condition holds.
  package static let polling = BatchObstacles(bit: 2)
  /// The request also runs after a failure, but Graph skips what follows a failure.
  package static let cleanUp = BatchObstacles(bit: 3)
  /// The other request is in a group, and the request waits for all items of the group.
  package static let group = BatchObstacles(bit: 4)
  /// The other request's answer contains the items of the request's group.
  package static let source = BatchObstacles(bit: 5)
  /// The request travels alone.
  package static let alone = BatchObstacles(bit: 6)
  /// The other request travels alone.
  package static let otherAlone = BatchObstacles(bit: 7)
  /// The request writes, and Graph may answer the other one although a reference in it matches
  /// nothing.
  package static let uncertain = BatchObstacles(bit: 24)

  // Obstacles in the position of a reference.

  /// It is in `when`, which is evaluated before the request is sent.
  package static let condition = BatchObstacles(bit: 8)
  /// It is in a header.
  package static let header = BatchObstacles(bit: 9)
  /// It is in the path of a file.
  package static let file = BatchObstacles(bit: 10)
  /// It is the token.
  package static let token = BatchObstacles(bit: 11)
  /// It is inside a parameter that is sent as JSON.
  package static let json = BatchObstacles(bit: 12)
  /// It is in `confirm`, which needs the value if the answer is lost.
  package static let confirmation = BatchObstacles(bit: 13)
  /// It is in a parameter of a POST; Graph would write an empty string if nothing matches.
  package static let written = BatchObstacles(bit: 14)
  /// It is a part of a write's path; if nothing matches, Graph would use another path.
  package static let writePath = BatchObstacles(bit: 15)

  // Obstacles in the reference itself.

  /// It has a default.
  package static let defaultValue = BatchObstacles(bit: 16)
  /// It is the whole body.
  package static let wholeBody = BatchObstacles(bit: 17)
  /// Its query has a filter.
  package static let filter = BatchObstacles(bit: 18)
  /// Its query has a slice.
  package static let slice = BatchObstacles(bit: 19)
  /// Its query descends to any depth.
  package static let descendants = BatchObstacles(bit: 20)
  /// Its query counts from the end.
  package static let negativeIndex = BatchObstacles(bit: 21)
  /// Its query has several selectors in one pair of brackets.
  package static let selectors = BatchObstacles(bit: 22)
  /// Its query has a member name with characters other than letters, digits and `_`.
  package static let memberName = BatchObstacles(bit: 23)
}
