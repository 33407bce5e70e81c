package import GraphAPI
internal import JSONPath

/// A request as it would be sent, as far as that is known before a run.
package struct RequestPreview: Sendable {
  /// A placeholder whose value only the run knows.
  ///
  /// Its marker, which is in no other text of the request, takes its place in the operation.
  package struct Unknown: Hashable, Sendable {
    /// The placeholder as written.
    package let text: String
    /// A name for its value, such as `RESULT_STATUS_POST_ID`.
    package let variable: String
    package let marker: String
  }

  /// The operation; its files are without their contents.
  package let operation: BatchOperation
  /// The paths of its files, in order.
  package let files: [String]
  package let unknowns: [Unknown]
  /// The placeholder that selects its token; nil if a profile does.
  package let token: Unknown?

  /// Fills the placeholders of a request with inputs, without them with their defaults, and all
  /// others with markers.
  package init(
    of request: Workflow.Request, in workflow: Workflow, inputs: InputValues?,
    run: RunIdentity
  ) throws(Failure) {
    let inputs = inputs ?? InputValues(defaultsOf: workflow)
    var marking = Marking(
      inputs: inputs,
      texts: inputs.all.map { $0.serialized() } + [request.path.text]
        + request.params.flatMap { [$0.name, $0.value.writtenText] }
        + request.headers.map(\.value.text) + request.files.map(\.path.text))
    if let placeholder = request.token.source?.only {
      token = marking.unknown(placeholder)
    } else {
      token = nil
    }
    // The operation holds no token, so it needs no marker.
    marking.unknowns = []
    let marked = request.changed { keys in
      keys.path = marking.marked(keys.path)
      keys.params = keys.params.map { .init(name: $0.name, value: marking.marked($0.value)) }
      keys.rare.headers = keys.rare.headers.map {
        .init(name: $0.name, value: marking.marked($0.value))
      }
      keys.rare.files = keys.rare.files.map { .init(part: $0.part, path: marking.marked($0.path)) }
      keys.token = .profile("default")
    }
    let graph = InstanceGraph(DependencyGraph(of: workflow), of: workflow)
    let bindings = Bindings(inputs: inputs, run: run, bodies: Bodies(emptyIn: graph))
    var paths: [String] = []
    operation = try bindings.bound(marked) { path in
      paths.append(path)
      return []
    }.operation
    files = paths
    unknowns = marking.unknowns
  }

  /// Replaces placeholders by markers.
  private struct Marking {
    let inputs: InputValues
    /// The texts that a marker must not be part of.
    let texts: [String]
    var unknowns: [Unknown] = []

    /// The placeholder as an unknown value; nil if it is a date, or an input that may be shown.
    mutating func unknown(_ placeholder: Placeholder) -> Unknown? {
      if let known = unknowns.first(where: { $0.text == placeholder.text }) { return known }
      let words = placeholder.text.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
      // Dates are counted from the present.
      if case .date(let date) = placeholder.kind {
        guard case .input(let zone) = date.zone, inputs[zone] == nil else { return nil }
      }
      var name = words.joined(separator: "_").uppercased()
      if case .input(let input) = placeholder.kind {
        guard inputs[input] == nil || inputs.secretNames.contains(input) else { return nil }
        name = input.environmentVariable
      }
      var variable = name
      var number = 1
      while unknowns.contains(where: { $0.variable == variable }) {
        number += 1
        variable = "\(name)_\(number)"
      }
      var marker = "__\(variable)__"
      while texts.contains(where: { $0.contains(marker) }) { marker += "_" }
      let unknown = Unknown(text: placeholder.text, variable: variable, marker: marker)
      unknowns.append(unknown)
      return unknown
    }

    mutating func marked(_ template: Template) -> Template {
      var parts: [Template.Part] = []
      for part in template.parts {
        if case .placeholder(let placeholder) = part, let unknown = unknown(placeholder) {
          parts.append(.text(unknown.marker))
        } else {
          parts.append(part)
        }
      }
      return Template(parts: parts, text: template.text, location: template.location)
    }

    mutating func marked(_ value: ValueTemplate) -> ValueTemplate {
      switch value {
      case .literal: return value
      case .template(let template): return .template(marked(template))
      case .list(let elements): return .list(elements.map { marked($0) })
      case .map(let members):
        return .map(members.map { .init(name: $0.name, value: marked($0.value)) })
      }
    }
  }
}
