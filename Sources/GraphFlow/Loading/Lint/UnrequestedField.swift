internal import GraphAPI
internal import JSONPath

/// A query of a field that is not in the request's `fields`; it selects nothing.
enum UnrequestedField {
  static func check(_ file: inout LintedFile) {
    let workflow = file.workflow
    var table = FieldTable()
    func check(_ query: Query, of index: Int, skipping skipped: Int = 0, at place: SourceLocation) {
      let request = workflow.requests[index]
      // `$`, a frequent query, cannot be wrong.
      guard query.segments.count > 0,
        let name = table.fields(of: request, index)?.unrequested(by: query, skipping: skipped)
      else { return }
      file.report(
        .unrequestedField,
        "'\(YAMLFault.short(name))' is read, but 'fields' of '\(request.displayName)' does not "
          + "request it", at: place, hint: "add it to 'fields'")
    }
    func check(_ placeholders: [Placeholder], in group: Int?) {
      for found in workflow.selections(by: placeholders, in: group) {
        check(found.query, of: found.request, skipping: found.skipped, at: found.location)
      }
    }
    for (index, request) in workflow.requests.enumerated() {
      check(request.placeholders, in: request.group)
      var expressions = request.expect.map(\.expression)
      if let until = request.until { expressions += [until.check, until.fail].compactMap(\.self) }
      for expression in expressions {
        for query in expression.logical.rootQueries {
          check(query, of: index, at: expression.location)
        }
      }
    }
    for output in workflow.outputs { check(output.value.placeholders, in: nil) }
  }

  /// The fields of requests, each read once.
  private struct FieldTable {
    /// The fields of the requests so far; nil if they are unknown.
    private var known: [Int: RequestedFields?] = [:]
    /// The parsed lists of fields so far: most files repeat a few.
    private var lists: [String: RequestedFields?] = [:]

    mutating func fields(of request: Workflow.Request, _ index: Int) -> RequestedFields? {
      if let known = known[index] { return known }
      let read = read(request)
      known[index] = .some(read)
      return read
    }

    /// The fields that a GET requests; nil with `ids`, which changes the shape of the answer.
    private mutating func read(_ request: Workflow.Request) -> RequestedFields? {
      guard request.method == .get, !request.path.text.utf8.contains(UInt8(ascii: "?")),
        !request.params.contains(where: { $0.name == "ids" || $0.name == "metadata" }),
        case .literal(.string(let text))? = request.param("fields")
      else { return nil }
      if let known = lists[text] { return known }
      let read = RequestedFields(text)
      lists[text] = .some(read)
      return read
    }
  }
}
