internal import GraphAPI

/// Reads the checks of a test file, which are written as in a workflow: requests that read objects,
/// and conditions.
///
/// Both may refer to the inputs of the workflow that is tested.
package struct CheckReader {
  private struct Part: PartReading {
    let reader: TemplateReader
  }

  private let workflow: Workflow
  private let reader: TemplateReader

  package init(of workflow: Workflow, in source: SourceFile, _ findings: Findings) {
    self.workflow = workflow
    reader = TemplateReader(source, findings: findings)
    for input in workflow.inputs { reader.inputTypes[input.name.text] = .some(input.type) }
    reader.timeZone = workflow.schedule?.timeZone ?? reader.timeZone
  }

  /// The workflow of requests that read objects, with the token and the version of the tested one; nil
  /// if the file has errors.
  package func reads(_ requests: YAMLNode) -> Workflow? {
    func entry(_ key: String, _ text: String, _ style: YAMLNode.Style) -> YAMLNode.Entry {
      let scalar = YAMLNode.Scalar(text: text, style: style)
      return YAMLNode.Entry(
        key: key, keyLocation: requests.location,
        value: YAMLNode(content: .scalar(scalar), location: requests.location))
    }
    var entries = [
      entry("graphflow", "1", .plain), entry("token", workflow.token, .doubleQuoted),
      YAMLNode.Entry(key: "requests", keyLocation: requests.location, value: requests),
    ]
    if let version = workflow.version {
      entries.append(entry("version", version.description, .doubleQuoted))
    }
    let root = YAMLNode(content: .mapping(entries), location: requests.location)
    // Each set of requests has names of its own.
    let own = CheckReader(of: workflow, in: reader.source, reader.findings).reader
    let reads = WorkflowReader(reader: own).workflow(from: root)
    for key in own.scopes.slots.flatMap({ $0.entry.value.entries ?? [] })
    where ["post", "delete", "report"].contains(key.key) {
      reader.report(
        .invalidValue, "a \(key.key.uppercased()) would change the world", at: key.keyLocation,
        hint: "an object is read with 'get'")
    }
    return reads
  }

  /// The conditions of a list, in which `$` is a document.
  package func conditions(_ list: YAMLNode) -> [Workflow.Expectation] {
    Part(reader: reader).expectations(list)
  }
}
