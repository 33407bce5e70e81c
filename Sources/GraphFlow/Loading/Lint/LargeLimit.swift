internal import GraphAPI
internal import JSONPath

/// A page is at most as long as the edge allows; for most edges that is a hundred.
///
/// Not for insights, whose pages may be longer, and of which large ones save calls.
enum LargeLimit {
  /// The longest page that edges give without a limit of their own.
  private static let most = JSON.Number(100)

  static func check(_ file: inout LintedFile) {
    for (index, request) in file.workflow.requests.enumerated() {
      if request.method == .get {
        check(request.path, request.params, of: file.node(ofRequest: index), in: &file)
      } else if let confirmation = request.confirmation {
        let node = file.node(ofRequest: index)?.member("confirm")
        check(confirmation.path, confirmation.params, of: node, in: &file)
      }
    }
  }

  /// Looks at one GET and its written form.
  private static func check(
    _ path: Template,
    _ params: [Workflow.Parameter],
    of node: YAMLNode?,
    in file: inout LintedFile
  ) {
    guard case .literal(let value)? = params.first(where: { $0.name == "limit" })?.value,
      let limit = value.limit, limit > most, !path.text.isOfInsights,
      let place = node?.member("params")?.member("limit")
    else { return }
    file.report(
      .largeLimit,
      "most edges give at most 100 a page, and this asks for \(YAMLFault.short(limit.lexeme))",
      as: .note,
      at: place.location,
      hint: "write limit: 100"
    )
  }
}

extension String {
  /// Whether a path, as it is written, leads to the edge of insights.
  fileprivate var isOfInsights: Bool {
    let path = prefix { $0 != "?" }
    return path.split(separator: "/").last?.lowercased() == "insights"
  }
}

extension JSON {
  /// A number, written as one or as text.
  fileprivate var limit: JSON.Number? {
    if let number { return number }
    guard case .string(let text) = self, case .number(let number)? = try? JSON(parsing: text)
    else { return nil }
    return number
  }
}
