/// What keeps a request out of the batch of one that it waits for.
///
/// Nothing does if both may share it. All obstacles are told, not only the first: a request moves
/// ahead only once every one of them is gone.
package struct BatchObstacles: OptionSet, Hashable, Sendable {
  /// The obstacles as bits.
  package let rawValue: UInt32

  /// Makes a set of obstacles from its bits.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(bit: UInt32) { rawValue = 1 << bit }

  // Of the two requests.

  /// The other's answer is judged by `expect` first.
  package static let expectation = BatchObstacles(bit: 0)
  /// The other follows pages.
  package static let pages = BatchObstacles(bit: 1)
  /// The other is asked again `until` something holds.
  package static let polling = BatchObstacles(bit: 2)
  /// The request runs after a failure, too; Graph skips what follows one.
  package static let cleanUp = BatchObstacles(bit: 3)
  /// The other is in a group, which is waited for as a whole.
  package static let group = BatchObstacles(bit: 4)
  /// The other's answer holds the items of the request's group.
  package static let source = BatchObstacles(bit: 5)
  /// The request travels alone.
  package static let alone = BatchObstacles(bit: 6)
  /// The other travels alone.
  package static let otherAlone = BatchObstacles(bit: 7)
  /// The request writes, and the other may be answered although a reference in it selects nothing.
  package static let uncertain = BatchObstacles(bit: 24)

  // Of the place of a reference.

  /// It stands in `when`, which is judged before the request is sent.
  package static let condition = BatchObstacles(bit: 8)
  /// It stands in a header.
  package static let header = BatchObstacles(bit: 9)
  /// It stands in the path of a file.
  package static let file = BatchObstacles(bit: 10)
  /// It is the token.
  package static let token = BatchObstacles(bit: 11)
  /// It stands inside a parameter that is sent as JSON.
  package static let json = BatchObstacles(bit: 12)
  /// It stands in `confirm`, and is needed when the answer is lost.
  package static let confirmation = BatchObstacles(bit: 13)
  /// It is written by a POST, and Graph would write the empty text where nothing matches.
  package static let written = BatchObstacles(bit: 14)
  /// It is a part of a write's path, which without it could mean something else.
  package static let writePath = BatchObstacles(bit: 15)

  // Of the reference itself.

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
  /// Its query names a member with other characters than letters, digits and `_`.
  package static let memberName = BatchObstacles(bit: 23)
}
