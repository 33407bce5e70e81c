/// Whole percents of a limit, in the three measures that Graph takes (docs/graph-api.md, Rate
/// limits).
struct UsageLoad: Hashable, Sendable {
  var calls = 0
  var processorTime = 0
  var time = 0

  var highest: Int { max(calls, processorTime, time) }

  /// The members of a JSON object, without its braces.
  var members: String {
    "\"call_count\":\(calls),\"total_cputime\":\(processorTime),\"total_time\":\(time)"
  }
}
