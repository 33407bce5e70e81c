import GraphAPI
import GraphFlow
import JSONPath

/// What a plan was made from, so that it runs only if nothing has changed.
///
/// Files and inputs are stored as digests. Secret inputs are not stored: a digest would let anyone
/// with the plan check guesses, and a plan does not depend on them.
struct PlanOrigin: Equatable {
  /// The version of this program.
  private let tool: String
  /// The digest of the workflow file.
  private let file: String
  /// The digest of each input's value, by name.
  private let inputs: [String: String]
  /// The digest of each file of items, by path.
  private let items: [String: String]
  /// The options that affect the packing, by name.
  private let options: [String: String]

  init(
    _ workflow: Workflow, inputs: InputValues, itemFiles: [String: String], limits: BatchLimits,
    version: GraphVersion
  ) {
    tool = toolVersion
    file = workflow.source.digest
    var digests: [String: String] = [:]
    for (name, value) in inputs.forReport {
      guard let input = workflow.inputs.first(where: { $0.name.text == name }),
        input.type != .secret
      else { continue }
      var digest = FileDigest()
      digest.update(Array(value.serialized().utf8))
      digests[name] = digest.text
    }
    self.inputs = digests
    items = itemFiles
    options = [
      "batch-size": String(limits.width),
      "max-unsafe-writes": String(limits.unsafeWrites),
      "strategy": limits.strategy.rawValue,
      "graph-version": (workflow.version ?? version).description,
    ]
  }

  /// Reads the value of `made_from`; nil if it is malformed.
  init?(_ json: JSON) {
    func texts(_ name: String) -> [String: String]? {
      guard let members = json[name]?.object else { return nil }
      var texts: [String: String] = [:]
      for (name, value) in members {
        guard let text = value.string else { return nil }
        texts[name] = text
      }
      return texts
    }
    guard let tool = json["graphflow"]?.string, let file = json["file"]?.string,
      let inputs = texts("inputs"), let items = texts("items"), let options = texts("options")
    else { return nil }
    (self.tool, self.file) = (tool, file)
    (self.inputs, self.items, self.options) = (inputs, items, options)
  }

  /// The member `made_from` of a plan.
  var json: JSON {
    func object(_ texts: [String: String]) -> JSON {
      .object(JSON.Object(texts.sorted { $0.key < $1.key }.map { ($0, .string($1)) }))
    }
    return [
      "graphflow": .string(tool), "file": .string(file), "inputs": object(inputs),
      "items": object(items), "options": object(options),
    ]
  }

  /// The differences, for people.
  func changes(to now: PlanOrigin) -> [String] {
    var changes: [String] = []
    if file != now.file { changes.append("the workflow file has changed") }
    for name in differences(inputs, now.inputs) {
      changes.append("the input '\(name)' has changed")
    }
    for path in differences(items, now.items) {
      changes.append("the items in '\(path)' have changed")
    }
    for name in differences(options, now.options) {
      let (old, new) = (options[name] ?? "not given", now.options[name] ?? "not given")
      changes.append("\(name) is \(new), and was \(old)")
    }
    if tool != now.tool {
      changes.append("it was made by graphflow \(tool), and this is \(now.tool)")
    }
    return changes
  }

  private func differences(_ old: [String: String], _ new: [String: String]) -> [String] {
    Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
  }
}
