internal import GraphAPI
internal import JSONPath

/// A `limit` beyond the longest page of most edges, which is a hundred items.
///
/// Insights are left out: their pages may be longer, and large ones save calls.
enum LargeLimit {
  private static let maximum = JSON.Number(100)

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

  /// Checks a GET, given its parsed and its written form.
  private static func check(
    _ path: Template, _ params: [Workflow.Parameter], of node: YAMLNode?, in file: inout LintedFile
  ) {
    guard case .literal(let value)? = params.first(where: { $0.name == "limit" })?.value,
      let limit = value.limit, limit > maximum, !path.text.isOfInsights,
      let place = node?.member("params")?.member("limit")
    else { return }
    file.report(
      .largeLimit,
      "most edges return at most 100 items a page, but this requests "
        + YAMLFault.short(limit.lexeme), as: .note, at: place.location, hint: "write limit: 100")
  }
}

extension String {
  /// Whether a path, as written, ends in the edge `insights`.
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
