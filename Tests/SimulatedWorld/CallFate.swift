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

  /// Draws what happens to a call.
  init(_ chance: inout Chance, rate: Int) {
    uplink = chance.from(1...400)
    downlink = chance.from(1...1500)
    guard chance.happens(rate) else { return }
    trouble =
      switch chance.below(20) {
      case 0: .refusedConnection
      case 1: .lostBefore
      case 2, 3: .lostAfter
      case 4, 16, 17: .lostHalfWay(after: chance.below(chance.pick([3, 20])))
      case 5: .serverError(applied: chance.happens(500))
      case 6: .topLevelError(applied: chance.happens(500))
      case 7: .throttled(seconds: chance.happens(600) ? chance.from(1...400) : nil)
      case 8: .html
      case 9: .truncated
      case 10, 18: .wrongLength
      case 11: .empty
      case 12, 13, 14: .cutShort(after: chance.below(20))
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
  /// An item that cannot be used, with a good code or an odd one.
  case damaged(code: Int, Damage, applied: Bool)

  /// What has become of an item's body.
  enum Damage: Sendable {
    case cut, html, empty, missing
  }

  /// Draws the trouble of an operation that has some.
  init(_ chance: inout Chance) {
    switch chance.below(12) {
    case 0: self = .refused(code: chance.pick([100, 104, 368, 1_609_005]), subcode: nil)
    case 1: self = .refused(code: chance.pick([10, 200, 299]), subcode: nil)
    case 2, 3:
      self = .throttled(
        code: chance.pick([4, 17, 32, 341, 613, 80_001]),
        seconds: chance.happens(400) ? chance.from(1...300) : nil
      )
    case 4, 5:
      self = .serverError(
        code: chance.pick([1, 2]),
        status: chance.pick([500, 503, 400]),
        isTransient: chance.happens(300),
        applied: chance.happens(500)
      )
    case 6:
      self = .serverError(
        code: 987_654,
        status: 400,
        isTransient: true,
        applied: chance.happens(500)
      )
    case 7: self = .aborted(applied: chance.happens(500))
    case 8, 9:
      self = .damaged(
        code: chance.pick([200, 200, 200, 201, 302, 304, 100]),
        chance.pick([.cut, .cut, .html, .empty, .missing]),
        applied: chance.happens(500)
      )
    default: self = .null(applied: chance.happens(500))
    }
  }
}
