/// What happens to one HTTP call as a whole.
struct CallFate: Sendable {
  /// What goes wrong.
  enum Trouble: Sendable {
    case refusedConnection
    case lostBefore
    case lostAfter
    case lostHalfWay(after: Int)
    case serverError(applied: Bool)
    case topLevelError(applied: Bool)
    case throttled(seconds: Int?)
    case html
    case truncated
    case wrongLength
    case empty
    case cutShort(after: Int)
    case overdue
  }

  var trouble: Trouble?
  /// On the way to Graph, in milliseconds.
  var uplink: Int
  /// On the way back.
  var downlink: Int

  /// Draws the fate of a call.
  init(_ generator: inout SeededGenerator, rate: Int) {
    uplink = generator.from(1...400)
    downlink = generator.from(1...1500)
    guard generator.happens(rate) else { return }
    trouble =
      switch generator.below(20) {
      case 0: .refusedConnection
      case 1: .lostBefore
      case 2, 3: .lostAfter
      case 4, 16, 17: .lostHalfWay(after: generator.below(generator.pick([3, 20])))
      case 5: .serverError(applied: generator.happens(500))
      case 6: .topLevelError(applied: generator.happens(500))
      case 7: .throttled(seconds: generator.happens(600) ? generator.from(1...400) : nil)
      case 8: .html
      case 9: .truncated
      case 10, 18: .wrongLength
      case 11: .empty
      case 12, 13, 14: .cutShort(after: generator.below(20))
      default: .overdue
      }
  }
}

/// What happens to one operation.
enum OperationTrouble: Sendable {
  case refused(code: Int, subcode: Int?)
  case throttled(code: Int, seconds: Int?)
  case serverError(code: Int, status: Int, isTransient: Bool, applied: Bool)
  case null(applied: Bool)
  case aborted(applied: Bool)
  /// An unusable item, with a usual or an unusual code.
  case damaged(code: Int, Damage, applied: Bool)

  /// How an item's body is damaged.
  enum Damage: Sendable {
    case cut, html, empty, missing
  }

  /// Draws the trouble of an operation.
  init(_ generator: inout SeededGenerator) {
    switch generator.below(12) {
    case 0: self = .refused(code: generator.pick([100, 104, 368, 1_609_005]), subcode: nil)
    case 1: self = .refused(code: generator.pick([10, 200, 299]), subcode: nil)
    case 2, 3:
      self = .throttled(
        code: generator.pick([4, 17, 32, 341, 613, 80_001]),
        seconds: generator.happens(400) ? generator.from(1...300) : nil)
    case 4, 5:
      self = .serverError(
        code: generator.pick([1, 2]), status: generator.pick([500, 503, 400]),
        isTransient: generator.happens(300), applied: generator.happens(500))
    case 6:
      self = .serverError(
        code: 987_654, status: 400, isTransient: true, applied: generator.happens(500))
    case 7: self = .aborted(applied: generator.happens(500))
    case 8, 9:
      self = .damaged(
        code: generator.pick([200, 200, 200, 201, 302, 304, 100]),
        generator.pick([.cut, .cut, .html, .empty, .missing]), applied: generator.happens(500))
    default: self = .null(applied: generator.happens(500))
    }
  }
}
