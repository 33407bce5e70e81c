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

  /// The reference that another tool's placeholder was meant to be; nil if nothing has its name.
  func reference(meantBy placeholder: ForeignPlaceholder, in place: Place) -> String? {
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
