import GraphAPI
import GraphFlow
import JSONPath

/// A line for each operation when it is sent and when it is answered.
struct OperationLines {
  /// A line for people, and the same as members of an object.
  struct Line {
    let text: String
    let fields: JSON.Object
  }

  private let requests: [RequestFacts]
  /// The last answer, which waits for the outcome of its request, which holds the body.
  private var answered: AttemptEnd?
  private static let bodyLimit = 200

  init(of start: RunStart) { requests = start.requests }

  mutating func lines(for event: RunEvent) -> [Line] {
    var lines: [Line] = []
    if let last = answered {
      answered = nil
      if case .requestEnded(let end) = event, last.attempt.request == end.request,
        last.attempt.item == end.item
      {
        return [line(for: last, end)]
      }
      lines.append(line(for: last, nil))
    }
    switch event {
    case .callStarted(let start) where start.kind == .batch || start.kind == .single:
      lines += start.operations.map { line("sent", call: start.number, $0, path: nil) }
    case .attemptEnded(let end): answered = end
    default: break
    }
    return lines
  }

  private func line(for attempt: AttemptEnd, _ end: RequestEnd?) -> Line {
    var details: [String] = []
    var fields: JSON.Object = [
      "outcome": .string(attempt.outcome.rawValue),
      "milliseconds": .number(.init(Int(attempt.durationMilliseconds))),
    ]
    if let status = attempt.code {
      fields["status"] = .number(.init(status))
      details.append("\(status)")
    }
    let error = attempt.failure?.error
    if let code = error?.code {
      fields["code"] = .number(.init(code))
      if let subcode = error?.subcode { fields["subcode"] = .number(.init(subcode)) }
      details.append("code \(code)" + (error?.subcode.map { "/\($0)" } ?? ""))
    }
    details.append("\(attempt.durationMilliseconds) ms")
    if let error {
      details.append(error.message)
    } else if let body = end?.body {
      // Only their beginning: bodies may be large.
      let text = String(decoding: body.prefix(OperationLines.bodyLimit), as: UTF8.self)
      details.append(text + (body.count > OperationLines.bodyLimit ? "…" : ""))
      fields["body"] = .string(text)
    }
    return line(
      "answered", call: attempt.call, attempt.attempt, path: end?.resolvedPath, details, fields)
  }

  private func line(
    _ verb: String, call: Int, _ attempt: AttemptID, path: String?, _ details: [String] = [],
    _ more: JSON.Object = [:]
  ) -> Line {
    let facts = requests.indices.contains(attempt.request) ? requests[attempt.request] : nil
    let name = (facts?.name ?? "") + (attempt.item.map { "[\($0.key)]" } ?? "")
    let (method, path) = (facts?.method.rawValue ?? "", path ?? facts?.path ?? "")
    var fields: JSON.Object = [
      "event": .string(verb), "call": .number(.init(call)), "request": .string(name),
      "attempt": .number(.init(attempt.number)), "method": .string(method), "path": .string(path),
    ]
    for (name, value) in more { fields[name] = value }
    let text = ["\(verb) \(name): \(method) \(path) in call \(call)"] + details
    return Line(
      text: Untrusted.shown(text.joined(separator: ", ").replacing("\n", with: " ")), fields: fields
    )
  }
}
