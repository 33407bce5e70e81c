import GraphAPI
import GraphFlow
import JSONPath

/// A plan that `graphflow plan --output` has written.
struct PlanFile {
  /// Above this nobody has so many inputs and files of items.
  private static let headingLimit = 4 << 20

  /// The file's path as typed.
  let path: String

  /// Refuses a run that would not be the one that was planned.
  ///
  /// - Throws: a ``CommandFailure`` that says what has changed.
  func check(_ job: RunJob, limits: BatchLimits) throws {
    let version = try Configuration.load().version ?? .current
    let origin = PlanOrigin(
      job.workflow,
      inputs: job.inputs,
      itemFiles: job.itemFiles,
      limits: limits,
      version: version
    )
    let changes = try recordedOrigin().changes(to: origin)
    guard changes.isEmpty else { throw refusal(changes.joined(separator: "; ")) }
    let (items, _) = try ItemCheck.items(of: job.workflow, inputs: job.inputs)
    let course = PlanCourse(for: job.workflow, items: items, limits: limits)
    let printing = PlanPrinting(of: course, inputs: job.inputs, version: version)
    let file = try opened()
    var isSame = true
    try printing.document(from: origin) { bytes in
      isSame = try isSame && file.bytes(bytes.count) == bytes
    }
    guard try isSame && file.bytes(1).isEmpty else {
      throw refusal("it is not as it was written")
    }
  }

  /// What the file says that it was made from.
  private func recordedOrigin() throws -> PlanOrigin {
    let bytes = try opened().bytes(PlanFile.headingLimit)
    let mark = Array("\n  \"batches\": [".utf8)
    guard let end = bytes.firstRange(of: mark)?.upperBound,
      let heading = try? JSON(parsing: bytes[..<end] + Array("]}".utf8)),
      heading["graphflow_plan"] == 1,
      let origin = heading["made_from"].flatMap(PlanOrigin.init)
    else {
      throw CommandFailure(
        .invalid,
        "'\(path)' is not a plan that can be run",
        hint: "'graphflow plan --output \(path) …' writes one"
      )
    }
    return origin
  }

  private func opened() throws -> PlanFileReading {
    do {
      return PlanFileReading(path: path, file: try RegularFile(path))
    } catch {
      throw CommandFailure(.unreadable, "cannot read '\(path)': \(error)")
    }
  }

  private func refusal(_ reason: String) -> CommandFailure {
    CommandFailure(
      .invalid,
      "the plan '\(path)' does not fit any more: \(reason); nothing was sent",
      hint: "plan anew, look at it, and run that"
    )
  }
}

/// A plan's file while it is read.
private struct PlanFileReading {
  let path: String
  let file: RegularFile

  /// The next bytes; fewer than so many only at the end.
  func bytes(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      while bytes.count < count {
        let piece = try file.read(count - bytes.count)
        if piece.isEmpty { break }
        bytes += piece
      }
    } catch {
      throw CommandFailure(.unreadable, "cannot read '\(path)': \(error)")
    }
    return bytes
  }
}

extension [UInt8] {
  /// Where a sequence of bytes occurs first.
  fileprivate func firstRange(of mark: [UInt8]) -> Range<Int>? {
    guard let first = mark.first else { return nil }
    var start = startIndex
    while let candidate = self[start...].firstIndex(of: first) {
      if self[candidate...].starts(with: mark) { return candidate..<candidate + mark.count }
      start = candidate + 1
    }
    return nil
  }
}
