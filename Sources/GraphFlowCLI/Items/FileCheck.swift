import GraphFlow
import JSONPath

/// Checks the files that inputs name, before anything is sent.
///
/// Files that the workflow itself names were checked when it was read.
enum FileCheck {
  /// Refuses values that name no file in the workflow's folder; all of them are printed.
  static func refuseMissing(
    of workflow: Workflow, inputs: InputValues, given: [String: String] = [:]
  ) throws {
    let folder = WorkflowFolder(of: workflow.source.path, given: given)
    var reported: Set<String> = []
    func report(_ path: String, _ subject: String) {
      guard let problem = folder.presence(of: path).problem, reported.insert(path).inserted else {
        return
      }
      Terminal.printFailure(CommandFailure(.invalid, "\(subject): '\(path)' \(problem)"))
    }
    for input in workflow.inputs {
      guard let value = inputs[input.name] else { continue }
      let isList = input.type == .list && input.constraints.items == .file
      let values = input.type == .file ? [value] : isList ? value.array ?? [] : []
      for path in values.compactMap(\.string) { report(path, "the input '\(input.name)'") }
    }
    func report(_ template: Template, _ subject: String) {
      guard template.literal == nil, let path = text(of: template, inputs) else { return }
      let place = workflow.source.place(of: template.location)
      report(path, "\(place.path):\(place.line): \(subject)")
    }
    for group in workflow.groups {
      if case .file(let path) = group.source { report(path, "the items of '\(group.name)'") }
    }
    for request in workflow.requests {
      for file in request.files {
        report(file.path, "the file '\(file.part)' of '\(request.displayName)'")
      }
    }
    guard reported.isEmpty else { throw CommandFailure.silent(.invalid) }
  }

  /// A path with its inputs filled in; nil if it depends on a result or an item.
  private static func text(of template: Template, _ inputs: InputValues) -> String? {
    var text = ""
    for part in template.parts {
      switch part {
      case .text(let fixed): text += fixed
      case .placeholder(let placeholder):
        guard case .input(let name) = placeholder.kind, let value = inputs[name]?.string else {
          return nil
        }
        text += value
      }
    }
    return text
  }
}

extension FilePresence {
  /// Why the file cannot be used, as the end of a sentence; nil if it can be used.
  fileprivate var problem: String? {
    switch self {
    case .file: nil
    case .missing: "is not in the workflow's folder"
    case .outside: "lies outside the workflow's folder"
    case .unusable(let reason): "cannot be read: \(reason)"
    }
  }
}
