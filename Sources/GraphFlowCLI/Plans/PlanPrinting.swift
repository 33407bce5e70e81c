import GraphAPI
import GraphFlow
import JSONPath

/// Writes a plan out while it is made: what is written does not stay in memory.
struct PlanPrinting {
  private let course: PlanRounds
  private let summary: PlanSummary
  private let inputs: InputValues?
  private let version: GraphVersion

  /// Goes through a course once for its figures, which stand above everything else.
  ///
  /// - Parameters:
  ///   - course: what is printed, before its first round.
  ///   - inputs: the inputs' values, as far as they are known.
  ///   - version: the Graph version of workflows that name none.
  init(of course: PlanRounds, inputs: InputValues?, version: GraphVersion) {
    self.course = course
    self.inputs = inputs
    self.version = version
    summary = PlanSummary(of: course)
  }

  /// Prints the plan on standard output.
  func print(as format: PlanCommand.Format) throws {
    var pieces = Pieces { try Terminal.printResult($0) }
    switch format {
    case .text: try writeText(to: &pieces)
    case .json: try writeJSON(from: nil, to: &pieces)
    case .dot: try pieces.append(Untrusted.shown(drawing().dot))
    case .mermaid:
      let rows = PlanDrawing.mermaidRowLimit
      try pieces.append(Untrusted.shown(drawing(rows: rows).mermaid))
    case .svg: try pieces.append(Untrusted.shown(drawing().svg))
    }
    try pieces.finish()
  }

  /// Writes the plan to a file that is whole or absent, with what it was made from.
  func write(to path: String, from origin: PlanOrigin) throws {
    let file = try AtomicFile(at: path, through: ProcessRedactor.stream)
    var pieces = Pieces { try file.append($0) }
    try writeJSON(from: origin, to: &pieces)
    try pieces.finish()
    try file.finish()
  }

  /// Hands out the bytes that ``write(to:from:)`` would write.
  func document(from origin: PlanOrigin, _ body: @escaping ([UInt8]) throws -> Void) throws {
    var pieces = Pieces(write: body)
    try writeJSON(from: origin, to: &pieces)
    try pieces.finish()
  }

  private func drawing(rows: Int = 2500) -> PlanDrawing {
    PlanDrawing(of: summary, rounds: course, defaultVersion: version, rowLimit: rows)
  }

  private func writeText(to pieces: inout Pieces) throws {
    var text = PlanText(of: summary, defaultVersion: version)
    try pieces.append(Untrusted.shown(text.heading))
    for round in course { try pieces.append(Untrusted.shown(text.add(round))) }
    try pieces.append(Untrusted.shown(text.finish()))
  }

  private func writeJSON(from origin: PlanOrigin?, to pieces: inout Pieces) throws {
    let form = PlanJSON(of: summary)
    var heading = form.heading
    if let origin { heading["made_from"] = origin.json }
    var digest = FileDigest()
    func append(_ text: String) throws {
      let bytes = Untrusted.json(Array(text.utf8))
      if origin != nil { digest.update(bytes) }
      try pieces.append(bytes)
    }
    try append("{\n")
    for (name, value) in heading {
      try append("  \(JSON.string(name).serialized()): \(value.serialized()),\n")
    }
    try append("  \"batches\": [")
    let keys = PlanKeys(of: summary, inputs: inputs)
    for round in course {
      for call in round.calls {
        let batch = try form.json(of: call) { try keys.key(of: $1, in: $0) }
        try append((call.number == 1 ? "\n    " : ",\n    ") + batch.serialized())
      }
    }
    try append(summary.calls == 0 ? "]" : "\n  ]")
    if origin != nil { try pieces.append(",\n  \"sha256\": \"\(digest.text)\"") }
    try pieces.append("\n}\n")
  }
}

/// Collects bytes, so that not every line is a call of the system.
private struct Pieces {
  private let write: ([UInt8]) throws -> Void
  private var buffer: [UInt8] = []

  init(write: @escaping ([UInt8]) throws -> Void) {
    self.write = write
  }

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
