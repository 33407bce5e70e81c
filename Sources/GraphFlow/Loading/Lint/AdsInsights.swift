internal import GraphAPI
internal import JSONPath

/// A request of ads insights; page insights are none, the ends of their ranges mean something else.
struct AdsInsights {
  private let params: [Workflow.Parameter]
  /// The windows of days that its items are.
  private var windows: DayWindows?

  /// Nil for another request, as far as path and parameters show.
  init?(_ request: Workflow.Request, in workflow: Workflow) {
    guard EdgePath.mayEnd(request.path, inOneOf: ["insights"]) else { return nil }
    let path = EdgePath(request.path)
    params = request.params
    let own = params.contains { ["level", "time_range", "time_increment"].contains($0.name) }
    guard path.edge == "insights", own || path.node?.hasPrefix("act_") == true else { return nil }
    if let group = request.group, case .windows(let windows) = workflow.groups[group].source {
      self.windows = windows
    }
  }

  /// What is wrong with a range that ends a day too late (as in jitsu's issue 559), and a fix.
  var lateEnd: (fault: String, hint: String)? {
    let range = params["time_range"]
    guard let first = range?.member("since"), let last = range?.member("until") else { return nil }
    if let windows, first.reads("since") {
      if last.reads("until") || windows.cut?.length == .days(1) && last.reads("since") {
        return nil
      }
      return ("this is not the last day of the window", "write until: \"{item=$.until}\"")
    }
    guard let since = WrittenDay(first), let until = WrittenDay(last),
      since.zone == until.zone, since.number + 1 == until.number,
      // Two days that are written out may be meant, unless each has a row of its own.
      params["time_increment"].map({ ["1", "\"1\""].contains($0.writtenText) })
        ?? (since.zone != nil)
    else { return nil }
    return ("what begins on this day counts it again", "write the day of 'since'")
  }

  /// The level whose archived and deleted objects Graph leaves out (Marketing API, "Manage Your Ad
  /// Object's Status"); nil if the author has decided.
  var incompleteLevel: String? {
    guard case .literal(.string(let level))? = params["level"],
      ["ad", "adset", "campaign"].contains(level)
    else { return nil }
    guard let filter = params["filtering"] else { return level }
    // What a reference holds is unknown.
    if case .template = filter { return nil }
    let text = filter.writtenText
    return text.contains("effective_status") || text.contains(".id") ? nil : level
  }

  /// Whether its rows are of parts of a range.
  var isCutIntoWindows: Bool {
    windows != nil
      || params["time_increment"].map { !$0.writtenText.contains("all_days") } == true
  }

  /// Whether a field counts people: some are in several windows (Airbyte's issue 6225).
  static func countsPeople(_ field: String) -> Bool {
    ["reach", "frequency"].contains(field) || field.hasPrefix("unique_")
  }
}

/// A day as far as the file shows it.
private struct WrittenDay {
  /// The zone of a day that is counted from the run's start.
  let zone: DateExpression.Zone?
  /// Days since the run's start or, without a zone, since 1970.
  let number: Int64

  init?(_ value: ValueTemplate) {
    switch value {
    case .literal(.string(let text)):
      guard let day = CalendarDay(text) else { return nil }
      (zone, number) = (nil, day.daysSince1970)
    case .template(let template):
      guard case .date(let date)? = template.only?.kind, date.format == .date, date.seconds == 0
      else { return nil }
      zone = date.zone
      number = date.days + (date.base == .yesterday ? -1 : date.base == .tomorrow ? 1 : 0)
    case .literal, .list, .map: return nil
    }
  }
}

extension ValueTemplate {
  fileprivate func member(_ name: String) -> ValueTemplate? {
    switch self {
    case .map(let members): members.first { $0.name == name }?.value
    case .literal(let value): value.object?[name].map { .literal($0) }
    case .template, .list: nil
    }
  }

  /// Whether it is `{item=$.NAME}`.
  fileprivate func reads(_ name: String) -> Bool {
    guard case .template(let template) = self else { return false }
    return template.text == "{item=$.\(name)}"
  }
}
