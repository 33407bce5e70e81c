import GraphAPI
import GraphFlow
import JSONPath

/// A plan that `graphflow plan --output` has written.
struct PlanFile {
  /// The most bytes before the batches: inputs, files of items and options.
  private static let headingLimit = 4 << 20
  let path: String

  func check(_ job: RunJob, limits: BatchLimits) throws {
    let recorded = try recordedOrigin()
    let printing = try PlanPrinting(job.workflow, inputs: job.inputs, limits: limits)
    let changes = printing.origin.map { recorded.changes(to: $0) } ?? []
    guard changes.isEmpty else { throw refusal(changes.joined(separator: "; ")) }
    let file = try reading { try InputFile(regular: path) }
    var isSame = true
    try printing.document { bytes in
      isSame = try isSame && reading { try file.read(exactly: bytes.count) } == bytes
    }
    guard try isSame && reading({ try file.read(1) }).isEmpty else {
      throw refusal("the file was edited")
    }
  }

  private func recordedOrigin() throws -> PlanOrigin {
    let bytes = try reading {
      try InputFile(regular: path).read(exactly: PlanFile.headingLimit)
    }
    let mark = Array("\n  \"batches\": [".utf8)
    guard let end = bytes.firstRange(of: mark)?.upperBound,
      let heading = try? JSON(parsing: bytes[..<end] + Array("]}".utf8)),
      heading["graphflow_plan"] == 1,
      let origin = heading["made_from"].flatMap(PlanOrigin.init)
    else {
      throw CommandFailure(
        .invalid, "'\(path)' is not a plan that can be run",
        hint: "'graphflow plan --output \(path) …' writes one")
    }
    return origin
  }

  private func reading<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch {
      throw CommandFailure(.unreadable, "cannot read '\(path)': \(error)")
    }
  }

  private func refusal(_ reason: String) -> CommandFailure {
    CommandFailure(
      .invalid, "the plan '\(path)' is no longer valid: \(reason); nothing was sent",
      hint: "write a new plan, review it, and run that")
  }
}

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
