internal import GraphAPI
internal import JSONPath

/// A query that reads a field which its request does not ask for selects nothing.
enum UnrequestedField {
  static func diagnostics(in file: inout LintedFile) -> [Diagnostic] {
    var survey = Survey(workflow: file.workflow)
    for (index, request) in file.workflow.requests.enumerated() {
      for placeholder in request.placeholders { survey.check(placeholder, in: request.group) }
      for expectation in request.expect { survey.check(expectation.expression, of: index) }
      if let until = request.until { survey.check(until.check, of: index) }
    }
    for output in file.workflow.outputs {
      for placeholder in output.value.placeholders { survey.check(placeholder, in: nil) }
    }
    return survey.found.map { missing in
      file.finding(
        .unrequestedField,
        "'\(missing.name)' is read, but 'fields' of '\(missing.request)' does not ask for it",
        at: missing.location,
        hint: "add it to 'fields'"
      )
    }
  }

  /// Looks at queries one by one.
  private struct Survey {
    struct Missing {
      let name: String
      let request: String
      let location: SourceLocation
    }

    let workflow: Workflow
    private(set) var found: [Missing] = []
    /// The fields of the requests that were met so far; nil where nothing is known.
    private var fields: [Int: RequestedFields?] = [:]
    /// The same by the text of `fields`, which many requests share.
    private var texts: [String: RequestedFields?] = [:]

    init(workflow: Workflow) { self.workflow = workflow }

    mutating func check(_ placeholder: Placeholder, in group: Int?) {
      // `$` and `$.id`, as most are, cannot be wrong.
      guard let reference = placeholder.reference, reference.query.segments.count > 0,
        placeholder.defaultValue == nil, workflow.requests.indices.contains(reference.request)
      else { return }
      // From outside, a group's answers are a list.
      let target = workflow.requests[reference.request]
      let isOutside = target.group != nil && target.group != group
      check(
        reference.query,
        of: reference.request,
        skipping: isOutside ? 1 : 0,
        at: placeholder.location
      )
    }

    mutating func check(_ expression: Expression, of request: Int) {
      for query in expression.logical.rootQueries {
        check(query, of: request, at: expression.location)
      }
    }

    private mutating func check(
      _ query: Query,
      of index: Int,
      skipping skipped: Int = 0,
      at location: SourceLocation
    ) {
      guard let fields = fields(of: index),
        let name = fields.unrequested(by: query, skipping: skipped)
      else { return }
      found.append(
        Missing(
          name: YAMLFault.short(name),
          request: workflow.requests[index].displayName,
          location: location
        )
      )
    }

    private mutating func fields(of index: Int) -> RequestedFields? {
      if let known = fields[index] { return known }
      let read = Self.fieldsText(of: workflow.requests[index]).flatMap { self.read($0) }
      fields[index] = .some(read)
      return read
    }

    private mutating func read(_ text: String) -> RequestedFields? {
      if let known = texts[text] { return known }
      let read = RequestedFields(text)
      texts[text] = .some(read)
      return read
    }

    /// What a GET plainly asks for; `ids` makes an answer of a shape of its own.
    private static func fieldsText(of request: Workflow.Request) -> String? {
      guard request.method == .get, !request.path.text.contains("?"),
        !request.params.contains(where: { $0.name == "ids" || $0.name == "metadata" }),
        case .literal(.string(let text))? = request.literalParam("fields")
      else { return nil }
      return text
    }
  }
}
