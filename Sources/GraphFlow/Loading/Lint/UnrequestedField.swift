internal import GraphAPI
internal import JSONPath

/// A query that reads a field which its request does not ask for selects nothing.
enum UnrequestedField {
  static func diagnostics(in file: inout LintedFile) -> [Diagnostic] {
    var survey = Survey(workflow: file.workflow)
    let requests = file.workflow.requests
    // Requests are large; to look at one in its place is much faster than to copy it.
    for index in requests.indices {
      if !requests[index].references.isEmpty {
        let group = requests[index].group
        for placeholder in requests[index].placeholders { survey.check(placeholder, in: group) }
      }
      for expectation in requests[index].expect { survey.check(expectation.expression, of: index) }
      if let until = requests[index].until {
        survey.check(until.check, of: index)
        if let fail = until.fail { survey.check(fail, of: index) }
      }
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
    /// The lists of fields that were read so far: most files write the same few again and again.
    private var lists: [String: RequestedFields?] = [:]

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
      let read = read(workflow.requests[index])
      fields[index] = .some(read)
      return read
    }

    /// What a GET plainly asks for; `ids` makes an answer of a shape of its own.
    private mutating func read(_ request: Workflow.Request) -> RequestedFields? {
      guard request.method == .get, !request.path.text.utf8.contains(UInt8(ascii: "?")),
        !request.params.contains(where: { $0.name == "ids" || $0.name == "metadata" }),
        case .literal(.string(let text))? = request.literalParam("fields")
      else { return nil }
      if let known = lists[text] { return known }
      let read = RequestedFields(text)
      lists[text] = .some(read)
      return read
    }
  }
}
