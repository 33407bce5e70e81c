internal import JSONPath

extension DayWindows {
  /// The windows of each element, in its own time zone; of those with a state, the selected ones that
  /// no bookmark names.
  func items(
    with bindings: Bindings, _ selection: WindowSelection = WindowSelection(),
    after bookmarks: Bookmarks = Bookmarks()
  ) throws(Failure) -> [JSON] {
    var elements: [JSON?] = [nil]
    if let source = self.elements, case .values(let values) = try bindings.items(of: source) {
      elements = values
    }
    var items: [JSON] = []
    for (index, element) in elements.enumerated() {
      if state != nil, let element, (element["id"] ?? element).idText == nil {
        throw .items("an element has no `id`, by which its windows are kept")
      }
      var bindings = bindings
      bindings.item = element.map { Item(group: 0, index: index, key: "", value: $0) }
      let zone = try bindings.text(of: timezone).text
      guard let clock = ZoneClock(named: zone) else {
        throw .items("no time zone is named '\(zone.short)'")
      }
      var first = try Self.day(since, bindings, clock)
      guard let cut else {
        items += [news(of: element, since: first, clock, bindings, selection, bookmarks)]
          .compactMap(\.self)
        continue
      }
      let length = cut.length
      var last = try Self.day(cut.until, bindings, clock)
      let recent = state.map { last - $0.lookback } ?? last
      if state != nil, let range = selection.backfill {
        first = CalendarDay(range.since)?.daysSince1970 ?? first
        last = CalendarDay(range.until)?.daysSince1970 ?? last
      }
      guard last - first < Self.maximumDays else {
        throw .items("\(since.text) to \(cut.until.text) are more than a hundred years")
      }
      guard state != nil, first <= last else {
        items += Self.items(of: element, length.windows(from: first, through: last), in: clock)
        continue
      }
      let windows = length.windows(from: length.start(of: first), through: last)
      items += zip(windows, Self.items(of: element, windows, in: clock)).compactMap {
        days, item in
        guard let window = window(ofItem: item) else { return nil }
        let isNeeded =
          days.upperBound > recent || bookmarks.needs(window, selection.reprocessing)
        return isNeeded ? item : nil
      }
    }
    guard state != nil, cut != nil, selection.isNewestFirst else { return items }
    let order = items.enumerated().sorted { left, right in
      let (newer, older) = (
        left.element["since"]?.string ?? "", right.element["since"]?.string ?? ""
      )
      return newer == older ? left.offset < right.offset : newer > older
    }
    return order.map(\.element)
  }

  /// What is new of an element; nil if a later run has read it.
  private func news(
    of element: JSON?, since first: Int64, _ clock: ZoneClock, _ bindings: Bindings,
    _ selection: WindowSelection, _ bookmarks: Bookmarks
  ) -> JSON? {
    let end = bindings.dateOrigin.milliseconds.dividedDown(by: 1000).quotient
    var start = clock.time(local: first * 86_400)
    let id = element.flatMap { ($0["id"] ?? $0).idText } ?? ""
    if let read = bookmarks.lastRead(of: id, selection),
      let last = Timestamp(createdTime: .string(read.window.until))
    {
      guard last.milliseconds < end * 1000 else { return nil }
      start = last.milliseconds / 1000 - (state?.lookback ?? 0)
    }
    guard start < end else { return nil }
    func day(of time: Int64) -> Int64 { clock.local(time).dividedDown(by: 86_400).quotient }
    return Self.item(of: element, day(of: start)...day(of: end), from: start, to: end)
  }

  /// The window of an item; of what is new, in seconds of UTC.
  func window(ofItem item: JSON) -> Bookmark.Window? {
    func text(_ day: String, _ second: String) -> String? {
      if cut != nil { return item[day]?.string }
      let time = item[second]?.integer.map { Timestamp(milliseconds: Int64($0) * 1000) }
      return time.map { "\($0.description.prefix(19))Z" }
    }
    guard let since = text("since", "start"), let until = text("until", "end") else { return nil }
    return Bookmark.Window(element: item["id"]?.idText ?? "", since: since, until: until)
  }

  private static func day(
    _ template: Template, _ bindings: Bindings, _ clock: ZoneClock
  ) throws(Failure) -> Int64 {
    var text = try bindings.text(of: template).text
    if case .date(let date)? = template.only?.kind {
      text = bindings.value(of: date, in: clock).string ?? ""
    }
    guard let day = CalendarDay(text) else {
      throw .items("'\(text.short)' is not a day, such as 2026-11-20")
    }
    return day.daysSince1970
  }
}
