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
    let file = try opened()
    var isSame = true
    try printing.document { bytes in
      isSame = try isSame && self.bytes(bytes.count, of: file) == bytes
    }
    guard try isSame && bytes(1, of: file).isEmpty else { throw refusal("the file was edited") }
  }

  private func recordedOrigin() throws -> PlanOrigin {
    let bytes = try bytes(PlanFile.headingLimit, of: opened())
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

  private func opened() throws -> InputFile { try reading { try InputFile(regular: path) } }

  private func bytes(_ count: Int, of file: InputFile) throws -> [UInt8] {
    try reading { try file.read(exactly: count) }
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
