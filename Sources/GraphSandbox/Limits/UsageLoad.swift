/// The three measures of a limit (docs/internals/graph-api.md, Rate limits): calls and milliseconds,
/// or each in whole percents of the limit.
struct UsageLoad: Hashable, Sendable {
  var calls = 0
  var processorTime = 0
  var time = 0

  var highest: Int { max(calls, processorTime, time) }

  /// The measures as members of a JSON object.
  var members: [UInt8] {
    Array(
      "\"call_count\":\(calls),\"total_cputime\":\(processorTime),\"total_time\":\(time)".utf8)
  }

  static func * (load: UsageLoad, count: Int) -> UsageLoad {
    UsageLoad(
      calls: load.calls &* count, processorTime: load.processorTime &* count,
      time: load.time &* count)
  }

  static func += (left: inout UsageLoad, right: UsageLoad) {
    left.calls &+= right.calls
    left.processorTime &+= right.processorTime
    left.time &+= right.time
  }

  static func -= (left: inout UsageLoad, right: UsageLoad) {
    left.calls &-= right.calls
    left.processorTime &-= right.processorTime
    left.time &-= right.time
  }
}

/// The assumed loads of operations, in milliseconds.
///
/// The table is invented and fixed, so that the same calls give the same percentages
/// (docs/internals/graph-api.md, decision 27).
extension UsageLoad {
  static let node = UsageLoad(calls: 1, processorTime: 5, time: 10)
  private static let edge = UsageLoad(calls: 1, processorTime: 10, time: 20)
  private static let write = UsageLoad(calls: 1, processorTime: 15, time: 30)
  /// The highest load; quotas that set only calls allow this much for each.
  static let upload = UsageLoad(calls: 1, processorTime: 40, time: 120)

  init(of request: GraphRequest) {
    switch request.method {
    case .get: self = request.path.count > 1 ? .edge : .node
    case .post where !request.files.isEmpty: self = .upload
    case .post, .delete: self = .write
    }
  }
}

/// The usage headers of an answer (docs/internals/graph-api.md, Rate limits).
///
/// A class, because most answers share those of the one before.
final class UsageHeaders: Sendable {
  /// The names and the values in ASCII: `X-App-Usage` last, and none in an item without headers.
  let headers: [(name: StaticString, value: [UInt8])]
  /// The same as elements of an item's `headers`, each followed by a comma.
  let items: [UInt8]

  static let none = UsageHeaders([])

  /// Makes headers with JSON objects, of which only the members are given.
  init(_ members: [(name: StaticString, members: [UInt8])]) {
    headers = members.map { ($0.name, [UInt8(ascii: "{")] + $0.members + [UInt8(ascii: "}")]) }
    var items: [UInt8] = []
    for (name, value) in headers {
      GraphText.put("{\"name\":\"", to: &items)
      GraphText.put(name, to: &items)
      GraphText.put("\",\"value\":\"", to: &items)
      GraphText.append(String(decoding: value, as: UTF8.self), to: &items, isQuoted: false)
      GraphText.put("\"},", to: &items)
    }
    self.items = items
  }
}
