/// The three measures of a limit (docs/internals/graph-api.md, Rate limits): calls and milliseconds,
/// or each in whole percents of the limit.
struct UsageLoad: Hashable, Sendable {
  var calls = 0
  var processorTime = 0
  var time = 0

  var highest: Int { max(calls, processorTime, time) }

  /// The measures as a JSON object.
  var text: String {
    var text = [UInt8(ascii: "{")]
    appendMembers(to: &text)
    text.append(UInt8(ascii: "}"))
    return String(decoding: text, as: UTF8.self)
  }

  func appendMembers(to output: inout [UInt8]) {
    GraphText.appendMember("call_count", calls, to: &output)
    GraphText.appendMember("total_cputime", processorTime, to: &output)
    GraphText.appendMember("total_time", time, to: &output)
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
  /// `X-App-Usage`; always present.
  let app: String
  var others: [(name: String, value: String)] = []

  static let business = "X-Business-Use-Case-Usage"

  /// A placeholder for an item without headers.
  static let omitted = UsageHeaders(app: "")
}
