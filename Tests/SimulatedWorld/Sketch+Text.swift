import GraphFlow

extension Sketch {
  /// The workflow file.
  var yaml: String { (["graphflow: 1"] + settings + requestLines(entries(turn: 0))).text }

  /// The workflow file, whose first requests and groups may be in a file that it includes, with the
  /// items of its groups rotated by a number of places.
  func file(including count: Int, turn: Int) -> SourceFile {
    let entries = entries(turn: turn)
    guard count > 0 else {
      return SourceFile(
        path: "simulated.yaml",
        bytes: Array((["graphflow: 1"] + settings + requestLines(entries)).text.utf8))
    }
    let included = requestLines(entries.prefix(count))
    let own = entries.count > count ? requestLines(entries.dropFirst(count)) : []
    let main = ["graphflow: 1", "include: [parts/first.yaml]"] + settings + own
    return SourceFile(path: "simulated.yaml", bytes: Array(main.text.utf8)).including { path in
      path == "parts/first.yaml"
        ? .bytes(Array((["graphflow: 1"] + included).text.utf8)) : .unusable(.missing)
    }
  }

  private var settings: [String] {
    [
      "name: simulated", "defaults:",
      "  retry: {max_attempts: \(maxAttempts), max_elapsed: \(maxElapsed)s}",
    ]
  }

  private func requestLines(_ entries: some Sequence<[String]>) -> [String] {
    ["requests:"] + entries.joined()
  }

  /// The lines of each request outside groups, then of each group.
  private func entries(turn: Int) -> [[String]] {
    var entries = requests.filter { $0.group == nil }.map { ["  " + line(of: $0)] }
    for (group, items) in groups.enumerated() where requests.contains(where: { $0.group == group })
    {
      let first = items.isEmpty ? 0 : turn % items.count
      let list = (items.dropFirst(first) + items.prefix(first)).map { "\"\($0)\"" }
      var lines = ["  g\(group):"]
      if group == 1, let feeder {
        lines.append("    for_each: \"{result=g0.\(requests[feeder].name):$[*].id}\"")
      } else {
        lines.append("    for_each: [\(list.joined(separator: ", "))]")
      }
      lines.append("    key: \"{item}\"")
      if failureLimits.indices.contains(group), let limit = failureLimits[group] {
        lines.append("    max_failures: \(limit)")
      }
      lines.append("    requests:")
      for request in requests where request.group == group {
        lines.append("      " + line(of: request))
      }
      entries.append(lines)
    }
    return entries
  }

  private func line(of request: Request) -> String {
    var parts = [verb(of: request)]
    let mark = request.group == nil ? request.name : "\(request.name)-{item}"
    let note = request.note.map { "note: \"{result=\(requests[$0].name):$.count}\", " } ?? ""
    let parameters = parameters(of: request).joined(separator: ", ")
    parts.append("params: {\(parameters)\(note)ref: \"\(mark)\"}")
    let before =
      request.soft.map { requests[$0].name }
      + request.softGroups.filter { group in
        requests.contains { $0.group == group }
      }.map { "g\($0)" }
    if !before.isEmpty { parts.append("depends_on: [\(before.joined(separator: ", "))]") }
    if let condition = request.condition {
      parts.append("when: \"{result=\(requests[condition].name):$.count} > 3\"")
    }
    if request.isConfirmable { parts.append(confirmation(of: request, mark)) }
    if case .poll = request.action {
      parts.append("until: {check: \"$.ready == true\", interval: 5s, within: 10m}")
    }
    if case .list = request.action { parts.append("paginate: true") }
    if case .like = request.action { parts.append("idempotent: true") }
    if request.hasFailingExpectation { parts.append("expect: [\"$.impossible\"]") }
    if let onError = request.onError { parts.append("on_error: \(onError)") }
    if request.isCleanUp { parts.append("always: true") }
    if let retry = request.retry { parts.append("retry: \(retry)") }
    if request.isSentAlone { parts.append("batch: alone") }
    switch request.token {
    case .usual: break
    case .other: parts.append("token: other")
    case .lookedUp(let directory):
      let query = "$.data[?@.id == {item}].access_token"
      parts.append("token: \"{result=\(requests[directory].name):\(query)}\"")
    case .ofPage: parts.append("as: {page: \"{item}\"}")
    }
    if let permission = request.permission { parts.append("permissions: [\(permission)]") }
    return "\(request.name): {\(parts.joined(separator: ", "))}"
  }

  private func made(by request: Int) -> String { "{result=\(requests[request].name):$.id}" }

  private func verb(of request: Request) -> String {
    switch request.action {
    case .object(let name), .poll(let name): "get: \"\(name)\""
    case .directory: "get: me/accounts"
    case .list(let page): "get: \(page)/feed"
    case .post(let page, _): "post: \(page)/feed"
    case .comment(let parent, _): "post: \"\(made(by: parent))/comments\""
    case .like(let name): "post: \(name)/likes"
    case .delete(let name): "delete: \(name)"
    case .deleteMade(let parent): "delete: \"\(made(by: parent))\""
    }
  }

  /// The parameters, each with a comma after it.
  private func parameters(of request: Request) -> [String] {
    switch request.action {
    case .post(_, let message), .comment(_, let message): ["message: \"\(message)\"", ""]
    case .list: ["limit: 3", ""]
    default: []
    }
  }

  private func confirmation(of request: Request, _ mark: String) -> String {
    let path: String
    let text: String
    switch request.action {
    case .post(let page, let message): (path, text) = ("\(page)/feed", message)
    case .comment(let parent, let message):
      (path, text) = ("\"\(made(by: parent))/comments\"", message)
    default: return ""
    }
    let operand = text == "{item}" ? "{item}" : "'\(text)'"
    return "confirm: {get: \(path), params: {fields: \"id,message,created_time,from\", "
      + "limit: \(request.checkPageSize), ref: \"check-\(request.isTwin ? "twins" : mark)\"}, "
      + "when: \"$.data[?@.message == \(operand) && @.from.id == 'us']\", within: 30s}"
  }
}

extension [String] {
  /// Lines of a file.
  fileprivate var text: String { joined(separator: "\n") + "\n" }
}
