import GraphAPI
import GraphFlow
import JSONPath

/// What a plan was made from, so that it runs only if nothing has changed.
///
/// Files and inputs are stored as digests. Secret inputs are not stored: a digest would let anyone
/// with the plan check guesses, and a plan does not depend on them.
struct PlanOrigin {
  /// The member `made_from` of a plan: the version of this program, the digest of the workflow file,
  /// and by name or path the digests of inputs, those of files of items, and the options that affect
  /// the packing.
  let json: JSON

  init(
    _ workflow: Workflow, inputs: InputValues, itemFiles: [String: String], limits: BatchLimits,
    version: GraphVersion
  ) {
    var digests: [String: String] = [:]
    for (name, value) in inputs.forReport {
      guard let input = workflow.inputs.first(where: { $0.name.text == name }),
        input.type != .secret
      else { continue }
      var digest = FileDigest()
      digest.update(Array(value.serialized().utf8))
      digests[name] = digest.text
    }
    func object(_ texts: [String: String]) -> JSON {
      .object(JSON.Object(texts.sorted { $0.key < $1.key }.map { ($0, .string($1)) }))
    }
    json = [
      "graphflow": .string(toolVersion), "file": .string(workflow.source.digest),
      "inputs": object(digests), "items": object(itemFiles),
      "options": object([
        "batch-size": String(limits.width),
        "max-unsafe-writes": String(limits.unsafeWrites),
        "strategy": limits.strategy.rawValue,
        "graph-version": (workflow.version ?? version).description,
      ]),
    ]
  }

  /// Checks the value of `made_from`; nil if it is malformed.
  init?(_ json: JSON) {
    let areTexts = ["inputs", "items", "options"].allSatisfy { name in
      json[name]?.object?.allSatisfy { $0.value.string != nil } ?? false
    }
    guard areTexts, json["graphflow"]?.string != nil, json["file"]?.string != nil else {
      return nil
    }
    self.json = json
  }

  func changes(to now: PlanOrigin) -> [String] {
    var changes: [String] = []
    if text("file") != now.text("file") { changes.append("the workflow file has changed") }
    for (name, _, _) in differences("inputs", now) {
      changes.append("the input '\(name)' has changed")
    }
    for (path, _, _) in differences("items", now) {
      changes.append("the items in '\(path)' have changed")
    }
    for (name, old, new) in differences("options", now) {
      changes.append("\(name) is \(new ?? "not given"), and was \(old ?? "not given")")
    }
    if text("graphflow") != now.text("graphflow") {
      changes.append(
        "it was made by graphflow \(text("graphflow")), and this is \(now.text("graphflow"))")
    }
    return changes
  }

  private func text(_ name: String) -> String { json[name]?.string ?? "" }

  private func differences(
    _ part: String, _ now: PlanOrigin
  ) -> [(name: String, old: String?, new: String?)] {
    let (old, new) = (json[part]?.object ?? [:], now.json[part]?.object ?? [:])
    return Set(old.map(\.name) + new.map(\.name)).sorted().compactMap { name in
      let (old, new) = (old[name]?.string, new[name]?.string)
      return old == new ? nil : (name, old, new)
    }
  }
}
