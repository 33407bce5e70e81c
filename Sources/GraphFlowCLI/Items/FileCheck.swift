import GraphFlow
import JSONPath

/// Checks the files that inputs name, before anything is sent.
///
/// Files that the workflow itself names were checked when it was read.
enum FileCheck {
  /// Refuses values that name no file in the workflow's folder; all of them are printed.
  static func refuseMissing(of workflow: Workflow, inputs: InputValues) throws {
    let folder = WorkflowFolder(of: workflow.source.path)
    var reported: Set<String> = []
    func report(_ path: String, _ subject: String) {
      guard let problem = folder.presence(of: path).problem, reported.insert(path).inserted else {
        return
      }
      Terminal.printFailure(CommandFailure(.invalid, "\(subject): '\(path)' \(problem)"))
    }
    for input in workflow.inputs {
      for path in paths(of: input, inputs) { report(path, "the input '\(input.name)'") }
    }
    for (template, subject) in templates(of: workflow) {
      guard let path = text(of: template, inputs) else { continue }
      report(path, "\(workflow.source.path):\(template.location.line): \(subject)")
    }
    guard reported.isEmpty else { throw CommandFailure.silent(.invalid) }
  }

  private static func paths(of input: Input, _ inputs: InputValues) -> [String] {
    guard let value = inputs[input.name] else { return [] }
    if input.type == .file { return value.string.map { [$0] } ?? [] }
    guard input.type == .list, input.constraints.items == .file else { return [] }
    return value.array?.compactMap(\.string) ?? []
  }

  private static func templates(of workflow: Workflow) -> [(Template, subject: String)] {
    var templates: [(Template, String)] = []
    for group in workflow.groups {
      guard case .file(let path) = group.source, path.literal == nil else { continue }
      templates.append((path, "the items of '\(group.name)'"))
    }
    for request in workflow.requests {
      for file in request.files where file.path.literal == nil {
        templates.append((file.path, "the file '\(file.part)' of '\(request.displayName)'"))
      }
    }
    return templates
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
