/// The three measures of a limit (docs/internals/graph-api.md, Rate limits): calls and milliseconds,
/// or each in whole percents of the limit.
struct UsageLoad: Hashable, Sendable {
  var calls = 0
  var processorTime = 0
  var time = 0

  var highest: Int { max(calls, processorTime, time) }

  /// The members of a JSON object, without its braces.
  var members: String {
    "\"call_count\":\(calls),\"total_cputime\":\(processorTime),\"total_time\":\(time)"
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
