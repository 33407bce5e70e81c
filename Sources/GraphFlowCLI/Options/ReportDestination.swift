import ArgumentParser
import GraphFlow

/// Where a report is written: a file whose extension sets the format, or standard output.
struct ReportDestination: ExpressibleByArgument, Sendable {
  /// The path as given; it may hold `{name}`, the workflow's name.
  let path: String

  init(argument: String) { path = argument }

  var isStandardOutput: Bool { path == "-" }

  /// Whether it is written as lines during the run.
  var isLines: Bool { path.hasSuffix(".jsonl") }

  func path(for workflow: String) -> String {
    path.replacing("{name}", with: ReportDestination.fileName(workflow))
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
    for report in reports where !report.isStandardOutput && !report.isLines {
      let path = report.path
      guard !path.hasSuffix(".json") else { continue }
      let later = [".html", ".md", ".xml"]
      throw ValidationError(
        later.first(where: path.hasSuffix).map {
          "reports in the format '\($0)' are not supported yet; use .json, .jsonl or -"
        }
          ?? "'\(path)' does not end in .json or .jsonl, so its format is unknown; use one of them, or -"
      )
    }
  }
}
