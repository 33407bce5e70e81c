package import JSONPath

/// A column that a workflow takes from a file of items, and that the file does not have.
package struct MissingColumn: Sendable {
  package let name: String
  /// Where the workflow takes it.
  package let location: SourceLocation
  package let hint: String

  /// The columns that the first item of a group's file does not have, each once.
  ///
  /// A member that only conditions and outputs read may be missing, unless the file is a table, in
  /// which all items have the same.
  package static func all(
    of group: Int, in workflow: Workflow, without first: JSON, isTable: Bool
  ) -> [MissingColumn] {
    guard let names = first.object?.map(\.0) else { return [] }
    var missing: [MissingColumn] = []
    func check(_ name: String, _ location: SourceLocation) {
      guard !names.contains(name), !missing.contains(where: { $0.name == name }) else { return }
      let list = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
      let hint =
        NearestName.to(name, among: names).map { "did you mean '\($0)'?" } ?? "there are: \(list)"
      missing.append(
        MissingColumn(
          name: name, location: location,
          hint: hint + (isTable ? "" : "; what may be missing needs a default, such as | null")))
    }
    func check(_ placeholders: [Placeholder]) {
      for placeholder in placeholders {
        check(placeholder.operands)
        guard case .item(let query) = placeholder.kind, placeholder.defaultValue == nil,
          case .child(let selectors)? = query.segments.first, selectors.count == 1,
          case .name(let name) = selectors[0]
        else { continue }
        check(name, placeholder.location)
      }
    }
    let keys = workflow.groups[group]
    for column in keys.columns { check(column.name, column.location) }
    check(keys.key?.placeholders ?? [])
    for member in keys.members {
      workflow.requests[member].forEachPlaceholder { placeholder, place in
        if isTable || place.isSent { check([placeholder]) }
      }
    }
    for output in workflow.outputs where isTable && output.each.map(keys.members.contains) == true {
      check(output.placeholders)
    }
    return missing
  }
}
