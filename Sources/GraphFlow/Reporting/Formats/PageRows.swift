internal import GraphAPI
internal import JSONPath

/// The rows of the page's table as compact JSON, up to a size.
///
/// A row is `[request, key, status, path, code, start, time, attempts, details, body, is cut]`, with
/// times in milliseconds; `page.js` reads it.
struct PageRows: Sendable {
  /// The most bytes of all rows, and of their bodies; above half of them, only problems are kept.
  private static let sizeLimit = 24 << 20
  private static let bodiesLimit = 10 << 20
  private static let bodySize = 2048
  /// The first requests, whose bodies are kept even if they succeeded.
  private static let bodyCount = 1000
  private static let statuses: [RequestStatus?] = [
    .succeeded, .failed, .inDoubt, .skipped, .cancelled, nil,
  ]

  private(set) var omittedRows = 0
  private(set) var omittedBodies = 0
  var isEmpty: Bool { size == 0 }
  private var count = 0
  private var size = 0
  private var bodiesSize = 0

  /// Appends a request, unless the page would become too large.
  mutating func append(
    _ request: Report.Request, named name: Int, since start: Timestamp?, to output: inout [UInt8]
  ) {
    count += 1
    let isProblem = request.status != .succeeded
    guard size < (isProblem ? PageRows.sizeLimit : PageRows.sizeLimit / 6 * 5) else {
      omittedRows += 1
      return
    }
    let end = request.currentEnd
    let origin = start?.milliseconds ?? 0
    func offset(_ time: Timestamp) -> Int { Int(clamping: time.milliseconds &- origin) }
    var text = JSONText()
    text.append(size == 0 ? "[[" : ",\n[")
    text.append(name)
    text.next(request.item?.key)
    text.next(PageRows.statuses.firstIndex(of: request.status))
    text.next(end?.resolvedPath ?? "")
    text.next(end?.code)
    text.next(request.attempts.first.map { offset($0.startedAt) })
    text.next(request.durationMilliseconds.map { Int(clamping: $0) })
    text.append(",[")
    for (place, attempt) in request.attempts.enumerated() {
      text.append(place == 0 ? "[" : ",[")
      text.append(attempt.call)
      text.next(offset(attempt.startedAt))
      text.next(Int(clamping: attempt.durationMilliseconds))
      text.next(attempt.outcome.rawValue)
      text.next(attempt.code)
      text.append("]")
    }
    text.append("],")
    JSON.object(PageRows.details(of: request)).write(to: &text)
    let body = body(of: end, isProblem: isProblem)
    if let body {
      text.next(String(decoding: body.text, as: UTF8.self))
      text.append(body.isCut ? ",1]" : ",0]")
    } else {
      text.append(",0,0]")
    }
    text.trim()
    var markup = MarkupText()
    markup.append(scriptData: text.bytes)
    output += markup.bytes
    size += markup.bytes.count
  }

  /// What is shown when a request is chosen.
  private static func details(of request: Report.Request) -> JSON.Object {
    var details = JSON.Object()
    let end = request.currentEnd
    if let failure = end?.failure {
      details["message"] = .string(failure.error.message)
      details["facts"] = .string(failure.facts)
    } else if let reason = end?.skipReason {
      details["message"] = .string(reason.rawValue + (end?.skipDetail.map { ": " + $0 } ?? ""))
    }
    details["note"] = end?.note.map(JSON.string)
    let failed = end?.expectations.filter { !$0.passed }.map { JSON.string($0.sentence) } ?? []
    if !failed.isEmpty { details["failed"] = .array(failed) }
    return details
  }

  /// The part of a body that is kept, whole characters; nil if there is none.
  private mutating func body(
    of end: RequestEnd?, isProblem: Bool
  ) -> (text: ArraySlice<UInt8>, isCut: Bool)? {
    guard let body = end?.body, !body.isEmpty else { return nil }
    guard isProblem || count <= PageRows.bodyCount, bodiesSize < PageRows.bodiesLimit else {
      omittedBodies += 1
      return nil
    }
    var length = min(body.count, PageRows.bodySize)
    while length > 0, length < body.count, body[length] & 0xc0 == 0x80 { length -= 1 }
    bodiesSize += length
    return (body[..<length], length < body.count)
  }
}

extension JSONText {
  fileprivate mutating func next(_ number: Int?) {
    append(",")
    if let number { append(number) } else { append("null") }
  }

  fileprivate mutating func next(_ string: String?) {
    append(",")
    if let string { append(string: string) } else { append("null") }
  }
}
