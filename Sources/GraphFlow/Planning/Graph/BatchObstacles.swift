/// Why a request cannot share a batch with a request that it waits for.
///
/// The set is empty if they can share one. All obstacles are reported, not only the first, because
/// the request moves to an earlier round only when all of them are removed. `reason(_:_:)` says what
/// each of them means.
struct BatchObstacles: OptionSet {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(bit: UInt32) { rawValue = 1 << bit }

  // In the two requests.
  static let expectation = BatchObstacles(bit: 0)
  static let pages = BatchObstacles(bit: 1)
  static let polling = BatchObstacles(bit: 2)
  static let cleanUp = BatchObstacles(bit: 3)
  static let group = BatchObstacles(bit: 4)
  static let source = BatchObstacles(bit: 5)
  static let alone = BatchObstacles(bit: 6)
  static let otherAlone = BatchObstacles(bit: 7)
  static let uncertain = BatchObstacles(bit: 24)
  static let report = BatchObstacles(bit: 26)

  // In the position of a reference.
  static let condition = BatchObstacles(bit: 8)
  static let header = BatchObstacles(bit: 9)
  static let file = BatchObstacles(bit: 10)
  static let token = BatchObstacles(bit: 11)
  static let json = BatchObstacles(bit: 12)
  static let confirmation = BatchObstacles(bit: 13)
  static let written = BatchObstacles(bit: 14)
  static let writePath = BatchObstacles(bit: 15)
  static let guarded = BatchObstacles(bit: 25)

  // In the reference itself.
  static let defaultValue = BatchObstacles(bit: 16)
  static let wholeBody = BatchObstacles(bit: 17)
  static let filter = BatchObstacles(bit: 18)
  static let slice = BatchObstacles(bit: 19)
  static let descendants = BatchObstacles(bit: 20)
  static let negativeIndex = BatchObstacles(bit: 21)
  static let selectors = BatchObstacles(bit: 22)
  static let memberName = BatchObstacles(bit: 23)
}
