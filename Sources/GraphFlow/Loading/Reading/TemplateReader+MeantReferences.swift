/// The references that text in the syntax of other tools was meant to be.
extension TemplateReader {
  private static let inputWords: Set<String> = [
    "arg", "args", "env", "input", "inputs", "matrix", "parameters", "params", "var", "variables",
    "vars",
  ]
  private static let resultWords: Set<String> = [
    "job", "jobs", "needs", "request", "requests", "response", "responses", "result", "results",
    "step", "steps", "task", "tasks",
  ]
  private static let itemWords: Set<String> = ["each", "item", "items", "row"]
  private static let bodyWords: Set<String> = ["body", "json", "output", "outputs", "response"]

  /// Names of dates in other tools, such as Airflow.
  private static let dates = [
    "current_date": "today", "date": "today", "day": "today", "ds": "today",
    "execution_date": "today", "logical_date": "today", "run_date": "today",
    "timestamp": "now:unix", "tomorrow_ds": "tomorrow", "ts": "now:rfc3339",
    "yesterday_ds": "yesterday",
  ]

  /// What to write for another tool's placeholder; nil if it is probably meant as text.
  func cure(for placeholder: ForeignPlaceholder, in place: Place) -> String? {
    if let meant = reference(meantBy: placeholder, in: place) { return "write \(meant.short)" }
    let name = placeholder.name
    if let date = Self.date(meantBy: name.lowercased()) { return "write {date=\(date)}" }
    let words = name.split { ".=:".contains($0) }.map(String.init)
    let isVariable = words.count > 1 && words[0].lowercased() == "env"
    let isCertain = isVariable || place.isPath || !placeholder.isBare && !placeholder.isCommand
    guard isCertain, let last = words.last, isVariable || !name.contains("="),
      words.allSatisfy(WorkflowName.isWellFormed)
    else { return nil }
    let input = last == last.uppercased() ? last.lowercased() : last
    if let nearest = suggestion(for: input, among: inputTypes.keys.sorted()) {
      return "write {input=\(nearest)}"
    }
    let variable = isVariable ? InputName(input)?.environmentVariable : nil
    return "write {input=\(input)}, and declare it under 'inputs'"
      + (variable.map { "; its value may come from \($0)" } ?? "")
  }

  private static func date(meantBy name: String) -> String? {
    if let date = dates[String(name.prefix { $0 != ":" })] { return date }
    return [name, name + ":unix"].first { (try? DateReader.date($0, in: "UTC")) != nil }
  }

  /// The reference that another tool's placeholder was meant to be; nil if nothing has its name.
  private func reference(meantBy placeholder: ForeignPlaceholder, in place: Place) -> String? {
    let name = placeholder.name
    if name.contains("=") || name.contains(":") { return reference(inBraces: name, in: place) }
    let words = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let first = words.first else { return nil }
    let tool = first.lowercased()
    let rest = words.dropFirst()
    if let second = rest.first {
      if Self.inputWords.contains(tool), inputTypes[second] != nil { return "{input=\(second)}" }
      if Self.resultWords.contains(tool), isRequest(second, in: place) {
        return result(of: second, rest.dropFirst())
      }
    }
    if place.hasItems, Self.itemWords.contains(tool) {
      return rest.isEmpty ? "{item}" : "{item=$.\(rest.joined(separator: "."))}"
    }
    if inputTypes[first] != nil, rest.isEmpty { return "{input=\(first)}" }
    guard isRequest(first, in: place), !placeholder.isBare || !rest.isEmpty else { return nil }
    return result(of: first, rest)
  }

  private func isRequest(_ name: String, in place: Place) -> Bool {
    scopes.meaning(of: name, in: place.group) != nil
  }

  private func result(of name: String, _ path: ArraySlice<String>) -> String {
    let fields = path.drop { Self.bodyWords.contains($0.lowercased()) }
    return fields.isEmpty
      ? "{result=\(name)}" : "{result=\(name):$.\(fields.joined(separator: "."))}"
  }

  /// The reference for `input=x`, `result=a:$.id` or `a:$.id` in the braces of another tool.
  private func reference(inBraces name: String, in place: Place) -> String? {
    let candidate = name.contains("=") ? "{\(name)}" : "{result=\(name)}"
    let parts = TemplateScanner.parts(of: candidate)
    guard parts.count == 1, case .reference(let reference)? = parts.first else { return nil }
    let isKnown =
      switch (reference.keyword, reference.name?.text) {
      case (.input, let name?): inputTypes[name] != nil
      case (.result, let name?): isRequest(name, in: place)
      case (.item, _), (.index, _): place.hasItems
      case (.run, _): true
      default: false
      }
    return isKnown ? candidate : nil
  }

  /// Suggests `{result=a:$.data[0].id}` for `a.data[0].id`; the longest request name counts.
  func hint(forDotted text: String) -> String {
    var name = text.prefix { $0 != "." && $0 != "[" }
    for end in text.indices where text[end] == "." || text[end] == "[" {
      let prefix = text[..<end]
      if prefix.count <= 129, isRequest(String(prefix), in: Place()) { name = prefix }
    }
    return "write {result=\(name):$\(text[name.endIndex...])}"
  }
}
