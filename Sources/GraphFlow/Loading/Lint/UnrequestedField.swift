internal import GraphAPI
internal import JSONPath

/// A query that reads a field which its request does not ask for selects nothing.
enum UnrequestedField {
  static func check(_ file: inout LintedFile) {
    let workflow = file.workflow
    var table = FieldTable()
    func check(_ query: Query, of index: Int, skipping skipped: Int = 0, at place: SourceLocation) {
      let request = workflow.requests[index]
      // `$`, as many are, cannot be wrong.
      guard query.segments.count > 0,
        let name = table.fields(of: request, index)?.unrequested(by: query, skipping: skipped)
      else { return }
      file.report(
        .unrequestedField,
        "'\(YAMLFault.short(name))' is read, but 'fields' of '\(request.displayName)' does not ask "
          + "for it",
        at: place,
        hint: "add it to 'fields'"
      )
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

  /// What requests ask for, read once.
  private struct FieldTable {
    /// The fields of the requests that were met so far; nil where nothing is known.
    private var known: [Int: RequestedFields?] = [:]
    /// The lists of fields that were read so far: most files write the same few again and again.
    private var lists: [String: RequestedFields?] = [:]

    mutating func fields(of request: Workflow.Request, _ index: Int) -> RequestedFields? {
      if let known = known[index] { return known }
      let read = read(request)
      known[index] = .some(read)
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
