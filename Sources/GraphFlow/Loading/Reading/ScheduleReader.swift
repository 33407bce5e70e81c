internal import JSONPath

/// Reads `schedule`: when the workflow is to be run.
struct ScheduleReader: PartReading {
  static let keys = ["cron", "timezone", "inputs"]

  let reader: TemplateReader

  func schedule(
    _ node: YAMLNode, at location: SourceLocation, for declared: [Input]
  ) -> Workflow.Schedule? {
    if case .string(let text)? = node.scalarValue {
      // A cron line without its key, as in crontabs and other tools.
      let cron = text.split(separator: " ").count == 5 ? text : "30 6 * * 1-5"
      _ = entries(of: node, "'schedule'", hint: "write {cron: \"\(cron)\"}")
      return nil
    }
    guard let members = members(of: node, "'schedule'", known: Self.keys) else { return nil }
    let cron = required("cron", in: members, hint: "such as cron: \"30 6 * * 1-5\"").flatMap {
      self.cron($0)
    }
    let zone = members["timezone"].map { timeZone($0) } ?? TimeZoneName.defaultName
    let inputs = members["inputs"].map { self.inputs($0, for: declared) } ?? [:]
    guard let cron, let zone else { return nil }
    return Workflow.Schedule(cron: cron, timeZone: zone, inputs: inputs, location: location)
  }

  private func inputs(_ node: YAMLNode, for declared: [Input]) -> [InputName: JSON] {
    var values: [InputName: JSON] = [:]
    for entry in entries(of: node, "'inputs'") ?? [] {
      guard let value = value(entry.value, Subject("the input", entry.key)) else { continue }
      guard let input = declared.first(where: { $0.name.text == entry.key }) else {
        reader.reportUnknownInput(entry.key, at: entry.keyLocation)
        continue
      }
      if input.isSecret {
        warn(
          .secretDefault, "everyone who can read this file can read this secret",
          at: entry.value.location,
          hint: "remove it, and give graphflow schedule --input \(entry.key)=@FILE")
      }
      let fault = InputCheck.fault(of: value, type: input.type, constraints: input.constraints)
      if let fault { report(.invalidValue, "the value \(fault)", at: entry.value.location) }
      values[input.name] = value
    }
    return values
  }

  private func cron(_ node: YAMLNode) -> CronLine? {
    guard let text = text(node, "'cron'"), let positions = reader.positions(of: node) else {
      return nil
    }
    let found = CronReader(text)
    for fault in found.faults {
      let characters = fault.characters ?? 0..<0
      let isAll = text.isEmpty || characters == 0..<text.unicodeScalars.count
      let place = positions.location(ofCharacters: characters)
      report(fault, at: isAll && fault.fix == nil ? node.location : place)
    }
    if let line = found.line, !line.matchesAnyDay {
      warn(
        .impossibleDate, "no such date exists, so the workflow would never run", at: node.location,
        hint: "the months it names are shorter")
    }
    return found.line
  }

  private func timeZone(_ node: YAMLNode) -> String? {
    guard let name = filledText(node, "'timezone'") else { return nil }
    guard let fault = TimeZoneName.fault(of: name) else { return name }
    report(fault, at: node.location)
    return fault.severity == .error ? nil : name
  }
}
