import GraphAPI
import GraphFlow
import JSONPath

/// A workflow's plan, which is written while it is made, so that it is never in memory as a whole.
struct PlanPrinting {
  let plan: Plan
  /// The values of the inputs, if known.
  private let inputs: InputValues?
  /// The Graph version of workflows that name none.
  private let version: GraphVersion
  /// What the plan is made from; nil without inputs.
  let origin: PlanOrigin?

  init(
    _ workflow: Workflow, inputs: InputValues?, limits: BatchLimits, isGuarded: Bool = true
  ) throws {
    let rules = isGuarded ? try RequestGuard.configured() : RequestGuard()
    if let inputs { try FileCheck.refuseMissing(of: workflow, inputs: inputs) }
    let (items, digests) = try ItemCheck.items(of: workflow, inputs: inputs)
    let version = try Configuration.load().version ?? .current
    plan = Pipeline.plan(workflow.under(rules), items: items, limits: limits)
    origin = inputs.map {
      PlanOrigin(workflow, inputs: $0, itemFiles: digests, limits: limits, version: version)
    }
    (self.inputs, self.version) = (inputs, version)
  }

  func print(as format: PlanCommand.Format) throws {
    var writer = BufferedWriter { try Terminal.printResult($0) }
    switch format {
    case .text:
      try plan.writeText(defaultVersion: version) { try writer.append(Untrusted.shown($0)) }
    case .json: try writeJSON(from: nil, to: &writer)
    case .dot: try writer.append(Untrusted.shown(drawing().dot))
    case .mermaid:
      let rows = PlanDrawing.mermaidRowLimit
      try writer.append(Untrusted.shown(drawing(rows: rows).mermaid))
    case .svg: try writer.append(Untrusted.shown(drawing().svg))
    }
    try writer.finish()
  }

  func write(to path: String) throws {
    let file = try AtomicFile(at: path, through: ProcessRedactor.stream)
    try document { try file.append($0) }
    try file.finish()
  }

  /// Passes the bytes that ``write(to:)`` would write to a closure.
  func document(_ body: @escaping ([UInt8]) throws -> Void) throws {
    var writer = BufferedWriter(write: body)
    try writeJSON(from: origin, to: &writer)
    try writer.finish()
  }

  private func drawing(rows: Int = 2500) -> PlanDrawing {
    PlanDrawing(of: plan, defaultVersion: version, rowLimit: rows)
  }

  private func writeJSON(from origin: PlanOrigin?, to writer: inout BufferedWriter) throws {
    var heading = plan.jsonHeading
    if let origin { heading["made_from"] = origin.json }
    var digest = FileDigest()
    func append(_ text: String) throws {
      let bytes = Untrusted.json(Array(text.utf8))
      if origin != nil { digest.update(bytes) }
      try writer.append(bytes)
    }
    try append("{\n")
    for (name, value) in heading {
      try append("  \(JSON.string(name).serialized()): \(value.serialized()),\n")
    }
    try append("  \"batches\": [")
    let keys = PlanKeys(of: plan, inputs: inputs)
    for round in plan.course {
      for call in round.calls {
        let batch = try plan.json(of: call) { try keys.key(of: $1, in: $0) }
        try append((call.number == 1 ? "\n    " : ",\n    ") + batch.serialized())
      }
    }
    try append(plan.callCount == 0 ? "]" : "\n  ]")
    if origin != nil { try writer.append(",\n  \"sha256\": \"\(digest.text)\"") }
    try writer.append("\n}\n")
  }
}

/// Collects bytes, so that not every line is a system call.
private struct BufferedWriter {
  let write: ([UInt8]) throws -> Void
  private var buffer: [UInt8] = []

  init(write: @escaping ([UInt8]) throws -> Void) { self.write = write }

  mutating func append(_ text: String) throws { try append(Array(text.utf8)) }

  mutating func append(_ bytes: [UInt8]) throws {
    buffer += bytes
    if buffer.count >= 65_536 { try finish() }
  }

  mutating func finish() throws {
    try write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}

/// The keys of items while a plan is written; those of a large file are read as they are needed.
///
/// A class, because it holds positions in files.
final class PlanKeys {
  /// A file that is being read.
  private struct Reading {
    let items: ItemStream
    var keys: ArraySlice<String> = []
  }

  /// How many keys are kept: far more than the items that are open at the same time.
  private static let maximumKeyCount = 10_000
  private let plan: Plan
  private let source: ItemKeys
  private var readings: [Int: Reading] = [:]

  init(of plan: Plan, inputs: InputValues?) {
    self.plan = plan
    source = ItemKeys(of: plan.workflow, inputs: inputs, run: ItemCheck.placeholderRun())
  }

  /// The key of an item; to be called roughly in the order of the items.
  func key(of item: Int, in group: Int) throws -> String {
    guard case .counted = plan.items[group] else {
      if case .known(let keys) = plan.items[group] { return keys[item] }
      return String(item)
    }
    guard source.hasKeys(group) else { return String(item) }
    var reading = try readings[group] ?? Reading(items: try stream(of: group))
    readings[group] = nil
    defer { readings[group] = reading }
    while reading.keys.endIndex <= item {
      let values = try reading.items.next(1000)
      guard !values.isEmpty else {
        throw CommandFailure(.invalid, "a file of items has changed while the plan was made")
      }
      for value in values {
        let index = reading.keys.endIndex
        reading.keys.append(try source.key(of: value, at: index, in: group))
      }
      if reading.keys.count > 2 * PlanKeys.maximumKeyCount {
        reading.keys = reading.keys.suffix(PlanKeys.maximumKeyCount)
      }
    }
    return reading.keys.indices.contains(item) ? reading.keys[item] : String(item)
  }

  private func stream(of group: Int) throws -> ItemStream {
    guard case .file(let path) = try source.items(of: group) else { return ItemStream { _ in [] } }
    let folder = WorkflowFolder(of: plan.workflow.source.path)
    return try ItemFile(path, in: folder).stream()
  }
}
