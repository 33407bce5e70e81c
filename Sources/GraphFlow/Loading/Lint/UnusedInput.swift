/// An input that nothing uses: a typo, or left over.
enum UnusedInput {
  static func check(_ file: inout LintedFile) {
    var unused = Set(file.workflow.inputs.map(\.name.text))
    // Searches the written values, so every place where an input is used counts.
    func search(_ node: YAMLNode) {
      // Most inputs are used by one of the first requests.
      guard !unused.isEmpty else { return }
      switch node.content {
      case .invalid: return
      case .sequence(let elements): for element in elements { search(element) }
      case .mapping(let entries): for entry in entries { search(entry.value) }
      case .scalar(let scalar):
        guard TemplateScanner.mayHoldReference(scalar.text) else { return }
        for range in scalar.text.ranges(of: "{input=") {
          let name = scalar.text[range.upperBound...].utf8.prefix(while: WorkflowName.isPart)
          unused.remove(String(Substring(name)))
        }
      }
    }
    for key in ["requests", "outputs", "defaults"] {
      if let node = file.section(key) { search(node) }
    }
    for input in file.workflow.inputs where unused.contains(input.name.text) {
      file.report(
        .unusedInput, "the input '\(input.name)' is never used", at: input.location,
        hint: "use it with {input=\(input.name)}, or remove it")
    }
  }
}
