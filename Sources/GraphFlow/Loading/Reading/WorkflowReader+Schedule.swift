extension WorkflowReader {
  /// The keys of `schedule`.
  static let scheduleKeys = ["cron", "timezone"]

  /// Reads `schedule`: when the workflow is to be run.
  mutating func schedule(_ node: YAMLNode, at location: SourceLocation) -> Workflow.Schedule? {
    if case .string(let text)? = node.scalarValue {
      // A cron line without its key, as in crontabs and other tools.
      let cron = text.split(separator: " ").count == 5 ? text : "30 6 * * 1-5"
      _ = entries(of: node, "'schedule'", hint: "write {cron: \"\(cron)\"}")
      return nil
    }
    guard let members = members(of: node, "'schedule'", known: Self.scheduleKeys) else {
      return nil
    }
    let cron = required(
      "cron", in: members, of: "'schedule'", hint: "such as cron: \"30 6 * * 1-5\""
    )
    .flatMap { self.cron($0) }
    let zone = members["timezone"].map { timeZone($0) } ?? TimeZoneName.defaultName
    guard let cron, let zone else { return nil }
    return Workflow.Schedule(cron: cron, timeZone: zone, location: location)
  }

  private mutating func cron(_ node: YAMLNode) -> CronLine? {
    guard let text = text(node, "'cron'"), case .scalar(let scalar) = node.content else {
      return nil
    }
    let reader = CronReader(text)
    let positions = TextPositions(of: scalar, at: node.location, in: lines)
    for fault in reader.faults {
      let isAll = text.isEmpty || fault.characters == 0..<text.unicodeScalars.count
      report(
        RuleID.invalidCron, fault.message,
        at: isAll && fault.fix == nil
          ? node.location
          : positions.location(ofCharacters: fault.characters), hint: fault.hint, fix: fault.fix)
    }
    if let line = reader.line, !line.matchesAnyDay {
      warn(
        RuleID.impossibleDate, "no such date exists, so the workflow would never run",
        at: node.location, hint: "the months it names are shorter")
    }
    return reader.line
  }

  /// The name of a time zone; nil if it is unknown.
  private mutating func timeZone(_ node: YAMLNode) -> String? {
    guard let name = filledText(node, "'timezone'") else { return nil }
    guard TimeZoneName.all.contains(name) else {
      let nearest = TimeZoneName.nearest(to: name)
      report(
        RuleID.timeZone, "no time zone is named '\(YAMLFault.short(name))'", at: node.location,
        hint: nearest.map { "did you mean '\($0)'?" }
          ?? "write UTC, or a place such as Europe/Berlin",
        // The meaning of an abbreviation is only a guess.
        fix: TimeZoneName.place(for: name) == nil ? nearest : nil)
      return nil
    }
    if TimeZoneName.abbreviations.contains(name), let place = TimeZoneName.place(for: name) {
      warn(
        RuleID.timeZone, "'\(name)' is an abbreviation, and may not match the clocks of any place",
        at: node.location, hint: "write \(place)")
    }
    return name
  }
}
