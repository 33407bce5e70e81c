internal import GraphAPI
internal import JSONPath

/// A page is at most as long as the edge allows; for most edges that is a hundred.
///
/// Not for insights, whose pages may be longer, and of which large ones save calls.
enum LargeLimit {
  /// The longest page that edges give without a limit of their own.
  private static let most = JSON.Number(100)

  static func diagnostics(in file: inout LintedFile) -> [Diagnostic] {
    var found: [Diagnostic] = []
    let requests = file.workflow.requests
    for index in requests.indices {
      // Requests are large; only what is needed is taken out of them.
      let isRead = requests[index].method == .get
      guard isRead || requests[index].confirmation != nil else { continue }
      let params = isRead ? requests[index].params : requests[index].confirmation?.params ?? []
      guard case .literal(let value)? = params.first(where: { $0.name == "limit" })?.value,
        let limit = value.limit, limit > most
      else { continue }
      let path = isRead ? requests[index].path : requests[index].confirmation?.path
      guard path?.text.isOfInsights != true else { continue }
      let request = file.node(ofRequest: index)
      let sender = isRead ? request : request?.member("confirm")
      guard let node = sender?.member("params")?.member("limit") else { continue }
      found.append(
        file.finding(
          .largeLimit,
          "most edges give at most 100 a page, and this asks for \(YAMLFault.short(limit.lexeme))",
          as: .note,
          at: node.location,
          hint: "write limit: 100"
        )
      )
    }
    return found
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
