import ArgumentParser
import GraphAPI
import GraphFlow

/// Where a report is written: a file whose extension sets the format, or standard output.
struct ReportDestination: ExpressibleByArgument, Sendable {
  /// The path as given; it may hold `{name}`, the workflow's name.
  let path: String

  init(argument: String) { path = argument }

  var isStandardOutput: Bool { path == "-" }

  /// Nil if the path's ending is unknown.
  var format: ReportFileFormat? { isStandardOutput ? .json : ReportFileFormat(path: path) }

  /// Whether several workflows can write to it without overwriting each other.
  var isForEachWorkflow: Bool { isStandardOutput || path.contains("{name}") }

  /// Whether it is written during the run.
  var isStreamed: Bool { format?.isStreamed == true }

  func path(for workflow: String) -> String {
    path.replacing("{name}", with: ReportDestination.fileName(workflow))
  }

  func file(for workflow: String) -> ReportFile {
    ReportFile(path: path(for: workflow), format: format ?? .json)
  }

  /// A workflow's name as a part of a file's name, which cannot lead into another folder.
  static func fileName(_ name: String) -> String {
    let safe = String(name.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
    return safe.hasPrefix(".") ? "_" + safe.dropFirst() : safe
  }

  /// Refuses a path to which no report can be written, before anything is sent.
  func check(for workflow: String) throws {
    guard !isStandardOutput else { return }
    let path = path(for: workflow)
    do {
      // Leaves nothing unless it is finished.
      let file = try AtomicFile(at: path)
      // Anything but a regular file, such as /dev/stderr, is written to directly, and stays open until
      // the process ends: the reader of a pipe would see its end otherwise.
      if FileStatus(path)?.isFile == false { _ = Unmanaged.passRetained(file) }
    } catch {
      var failure = CommandFailure(error)
      let folder = WorkflowFolder(of: path).path
      if FileStatus(folder)?.isFolder != true { failure.hint = "there is no folder '\(folder)'" }
      throw failure
    }
  }

  static func validate(_ reports: [ReportDestination]) throws {
    for report in reports where report.format == nil {
      throw ValidationError(
        "'\(report.path)' does not end in \(ReportFileFormat.endings), so its format is unknown; "
          + "use one of them, or -")
    }
  }
}

/// A file with a report, and the report's format.
struct ReportFile: Sendable {
  let path: String
  let format: ReportFileFormat
  /// Whether it is the summary of a job of GitHub Actions, to which every step adds its own.
  var isStepSummary = false
  /// Whether it may be another name of a file with the same lines: nobody edits it.
  var mayBeShared = false

  /// The file that GitHub Actions shows with a job, unless the user asked for that format elsewhere.
  ///
  /// Source: GitHub, "Workflow commands for GitHub Actions", "Adding a job summary".
  static func stepSummary(besides reports: [ReportDestination]) -> ReportFile? {
    guard !reports.contains(where: { $0.format == .md }) else { return nil }
    return Environment.value("GITHUB_STEP_SUMMARY").map {
      ReportFile(path: $0, format: .md, isStepSummary: true)
    }
  }

  func open(through redactor: SecretStream? = nil) throws -> AtomicFile {
    try AtomicFile(
      at: path, isStepSummary ? .appended : format.isPublic ? .readable : .ownerOnly,
      through: redactor)
  }

  /// A new report for this file.
  func report(merging: Bool = false) -> any ReportFormat {
    // An earlier file that is missing or too large has nothing to keep.
    let earlier = format == .prom ? try? FileReading.bytes(of: path, limit: 1 << 20) : nil
    return format.report(
      replacing: String(decoding: earlier ?? [], as: UTF8.self), merging: merging)
  }
}
