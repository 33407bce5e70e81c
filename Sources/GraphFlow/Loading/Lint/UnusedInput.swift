/// An input that nothing takes is a slip of the pen, or left over.
enum UnusedInput {
  static func check(_ file: inout LintedFile) {
    // The names that have not been met so far.
    var unused = Set(file.workflow.inputs.map(\.name.text))
    // Looks through the written values, so that it does not matter where an input is taken.
    func look(at node: YAMLNode) {
      // Most inputs are taken by one of the first requests.
      guard !unused.isEmpty else { return }
      switch node.content {
      case .invalid: return
      case .sequence(let elements): for element in elements { look(at: element) }
      case .mapping(let entries): for entry in entries { look(at: entry.value) }
      case .scalar(let scalar):
        guard TemplateScanner.mayHoldReference(scalar.text) else { return }
        for range in scalar.text.ranges(of: "{input=") {
          let name = scalar.text[range.upperBound...].utf8.prefix(while: WorkflowName.isPart)
          unused.remove(String(Substring(name)))
        }
      }
    }
    for key in ["requests", "outputs", "defaults"] {
      if let node = file.section(key) { look(at: node) }
    }
    for input in file.workflow.inputs where unused.contains(input.name.text) {
      file.report(
        .unusedInput,
        "the input '\(input.name)' is never used",
        at: input.location,
        hint: "take it with {input=\(input.name)}, or remove it"
      )
    }
  }
}
