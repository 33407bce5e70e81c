import ArgumentParser

/// Where a report goes: a file whose extension names the format, or standard output.
struct ReportDestination: ExpressibleByArgument, Sendable {
  /// The path as given; it may hold `{name}`, the workflow's name.
  let path: String

  init(path: String) { self.path = path }

  init?(argument: String) { self.init(path: argument) }

  /// Whether it is standard output.
  var isStandardOutput: Bool { path == "-" }

  /// Whether it is written as lines while the run goes on.
  var isLines: Bool { path.hasSuffix(".jsonl") }

  /// The path for one workflow.
  func path(for workflow: String) -> String {
    path.split(separator: "{name}", omittingEmptySubsequences: false).joined(
      separator: ReportDestination.fileName(workflow)
    )
  }

  /// A workflow's name as a part of a file's name: it leads into no other folder.
  private static func fileName(_ name: String) -> String {
    let safe = String(name.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
    return safe.hasPrefix(".") ? "_" + safe.dropFirst() : safe
  }

  /// What is wrong with it, if anything.
  var problem: String? {
    guard !isStandardOutput, !isLines, !path.hasSuffix(".json") else { return nil }
    let later = [".html", ".md", ".xml"]
    if let known = later.first(where: path.hasSuffix) {
      return "reports in the format '\(known)' are not supported yet; use .json, .jsonl or -"
    }
    return "'\(path)' does not end in .json or .jsonl, so its format is unknown; use one, or -"
  }
}
