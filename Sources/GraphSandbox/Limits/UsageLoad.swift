/// The three measures of a limit (docs/internals/graph-api.md, Rate limits): calls and milliseconds,
/// or each in whole percents of the limit.
struct UsageLoad: Hashable, Sendable {
  var calls = 0
  var processorTime = 0
  var time = 0

  var highest: Int { max(calls, processorTime, time) }

  /// Appends the measures as members of a JSON object.
  func append(to output: inout [UInt8]) {
    GraphText.put("\"call_count\":", to: &output)
    GraphText.put(calls, to: &output)
    GraphText.put(",\"total_cputime\":", to: &output)
    GraphText.put(processorTime, to: &output)
    GraphText.put(",\"total_time\":", to: &output)
    GraphText.put(time, to: &output)
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
struct UsageHeaders: Sendable {
  /// The values, one behind the other, in ASCII.
  var text: [UInt8] = []
  /// The names, and where their values are: `X-App-Usage` last, and none in an item without headers.
  private(set) var headers: [(name: StaticString, value: Range<Int>)] = []

  /// Makes room for the headers of most answers.
  mutating func reserveCapacity() {
    text.reserveCapacity(448)
    headers.reserveCapacity(4)
  }

  /// Removes all headers, but keeps their memory.
  mutating func removeAll() {
    text.removeAll(keepingCapacity: true)
    headers.removeAll(keepingCapacity: true)
  }

  /// Appends a header with a JSON object, whose members a function appends.
  mutating func append(_ name: StaticString, _ appendMembers: (inout [UInt8]) -> Void) {
    let start = text.count
    text.append(UInt8(ascii: "{"))
    appendMembers(&text)
    text.append(UInt8(ascii: "}"))
    headers.append((name, start..<text.count))
  }
}
