import GraphAPI
import GraphFlow
import JSONPath

/// A model of Graph for tests of decisions: no bytes, no time, a ledger of its effects.
///
/// It answers operations in order, resolves `{result=…}`, and does not run dependents of a failure.
/// A test scripts faults through ``fault``.
struct SimulatedGraph {
  /// The fault of one operation.
  enum Fault {
    /// Refused with this error and status; nothing happened.
    case error(GraphError, status: Int)
    /// Applied, but answered with this error and status.
    case appliedButError(GraphError, status: Int)
    /// Not finished: `null`.
    case null
    /// Applied, but answered with `null`.
    case appliedButNull
  }

  /// A post.
  struct Post: Hashable {
    let id: String
    let message: String
    let createdAt: Timestamp
    /// The time from which reads show it.
    let visibleAt: Timestamp
  }

  /// The method and path of every operation that took effect, in order.
  private(set) var ledger: [String] = []
  /// The messages of the objects by id.
  var objects: [String: String] = [:]
  /// The posts, in order.
  private(set) var posts: [Post] = []
  /// The current time.
  var now = Timestamp(milliseconds: 0)
  /// Graph's clock minus the clock of this machine.
  var skew = Duration.zero
  /// The `Date` of an answer.
  var date: HTTPDate? { HTTPDate(now.advanced(by: skew).httpText) }
  /// The delay until reads of a feed show a post; posts are numbered from 0.
  var lag: (_ post: Int) -> Duration = { _ in .zero }
  /// The fault of an operation; all operations are numbered from 0.
  var fault: (_ operation: BatchOperation, _ number: Int) -> Fault? = { _, _ in nil }
  /// Why a token is refused.
  var refusal: (_ token: AccessToken) -> GraphError? = { _ in nil }
  /// The answer of `debug_token` about a token.
  var inspection: (_ token: String) -> JSON? = { _ in nil }
  /// The answer of `me/permissions`.
  var permissions: [String: String] = [:]
  private var operationCount = 0

  /// The answers to a call.
  mutating func answer(_ call: Call) -> BatchAnswer {
    switch call.content {
    case .single(let single):
      refusal(single.accessToken).map { .refused($0, status: 400) }
        ?? .items([answer(single.operation, named: nil)])
    case .batch(let batch):
      refusal(batch.accessToken).map { .refused($0, status: 400) }
        ?? .items(answers(to: batch.operations))
    }
  }

  private mutating func answers(to operations: [BatchOperation]) -> [OperationAnswer] {
    var bodies: [String: JSON] = [:]
    var answers: [OperationAnswer] = []
    for operation in operations {
      let pointsTo = operation.referredNames + [operation.dependsOn].compactMap(\.self)
      if pointsTo.contains(where: { bodies[$0] == nil }) {
        answers.append(.notExecuted(nil))
        continue
      }
      if let error = operation.accessToken.flatMap(refusal) {
        answers.append(.error(error, 400))
        continue
      }
      let answer = answer(operation, named: bodies)
      if case .response(let response) = answer, response.error == nil, let name = operation.name {
        bodies[name] = (try? response.body.json()) ?? .null
      }
      answers.append(answer)
    }
    return answers
  }

  private mutating func answer(
    _ operation: BatchOperation, named bodies: [String: JSON]?
  ) -> OperationAnswer {
    let fault = fault(operation, operationCount)
    operationCount += 1
    let path = operation.path.resolved(with: bodies)
    switch fault {
    case .error(let error, let status): return .error(error, status)
    case .null: return .notExecuted(nil)
    case .appliedButNull:
      _ = apply(operation, path, bodies)
      return .notExecuted(nil)
    case .appliedButError(let error, let status):
      _ = apply(operation, path, bodies)
      return .error(error, status)
    case nil: return apply(operation, path, bodies)
    }
  }

  private mutating func apply(
    _ operation: BatchOperation, _ path: String, _ bodies: [String: JSON]?
  ) -> OperationAnswer {
    let message = operation.parameters.first { $0.name == "message" }?.value.resolved(with: bodies)
    ledger.append("\(operation.method.rawValue) \(path)")
    switch operation.method {
    case .post:
      let id = "id\(objects.count + 1)"
      objects[id] = message ?? ""
      publish(message ?? "", as: id)
      return .ok(["id": .string(id)])
    case .delete:
      return objects.removeValue(forKey: path) == nil
        ? .error(.notFound, 400) : .ok(["success": true])
    case .get where path == "me/permissions":
      return .ok([
        "data": .array(
          permissions.sorted { $0.key < $1.key }.map {
            ["permission": .string($0.key), "status": .string($0.value)]
          })
      ])
    case .get where path == "debug_token":
      let token = operation.parameters.first { $0.name == "input_token" }?.value ?? ""
      return inspection(token).map { .ok(["data": $0]) } ?? .error(.invalidParameter, 400)
    case .get where operation.parameters.contains { $0.value.contains("created_time") }:
      return .ok(feed(operation))
    case .get:
      return .ok(["id": .string(path), "message": .string(objects[path] ?? "")])
    }
  }
}

extension SimulatedGraph {
  /// Adds a text to the feed: our own post, or one of others.
  mutating func publish(_ message: String, as id: String, at timestamp: Timestamp? = nil) {
    let createdAt = timestamp ?? now
    let visibleAt = createdAt.advanced(by: lag(posts.count))
    posts.append(Post(id: id, message: message, createdAt: createdAt, visibleAt: visibleAt))
  }

  /// A page of the visible nodes, newest first, with a link to the next page.
  private func feed(_ operation: BatchOperation) -> JSON {
    func number(_ name: String) -> Int? {
      operation.parameters.first { $0.name == name }.flatMap { Int($0.value) }
    }
    let limit = number("limit") ?? 25
    let after = number("after") ?? 0
    let visible = posts.filter { $0.visibleAt <= now }.reversed().dropFirst(after)
    let data = visible.prefix(limit).map { post -> JSON in
      [
        "id": .string(post.id), "message": .string(post.message),
        "created_time": .string(post.createdAt.advanced(by: skew).graphText),
      ]
    }
    guard visible.count > limit else { return ["data": .array(data)] }
    let next = "https://graph.facebook.com/v25.0/me/feed?limit=\(limit)&after=\(after + limit)"
    return ["data": .array(data), "paging": ["next": .string(next)]]
  }
}

extension Timestamp {
  /// The time in the format of HTTP headers; the client ignores the name of the day.
  var httpText: String {
    let text = description
    let months =
      ["Jan", "Feb", "Mar", "Apr", "May", "Jun"] + ["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let month = months[(Int(text.dropFirst(5).prefix(2)) ?? 1) - 1]
    return "Mon, \(text.dropFirst(8).prefix(2)) \(month) \(text.prefix(4)) "
      + "\(text.dropFirst(11).prefix(8)) GMT"
  }

  /// The time in Graph's format: whole seconds, and a zone without a colon.
  var graphText: String { String(description.prefix(19)) + "+0000" }
}

extension GraphError {
  static let duplicate = GraphError(message: "Duplicate status message", code: 506)
  static let notFound = GraphError(message: "Unsupported get request.", code: 100, subcode: 33)
  static let service = GraphError(message: "Service temporarily unavailable", code: 2)
  static let invalidParameter = GraphError(message: "(#100) Invalid parameter", code: 100)
}

extension OperationAnswer {
  static func ok(_ body: JSON) -> OperationAnswer {
    .response(OperationResponse(code: 200, body: ResponseBody(Array(body.serialized().utf8))))
  }

  static func error(_ error: GraphError, _ status: Int) -> OperationAnswer {
    let body: JSON = ["error": error.json]
    return .response(
      OperationResponse(code: status, body: ResponseBody(Array(body.serialized().utf8))))
  }
}

extension BatchOperation {
  /// The names in its references.
  var referredNames: [String] {
    ([path] + parameters.map(\.value)).flatMap { text in
      text.components(before: "}", after: "{result=").map { String($0.prefix { $0 != ":" }) }
    }
  }
}

extension String {
  /// The parts between a start mark and an end character.
  fileprivate func components(before end: Character, after start: String) -> [String] {
    split(separator: start, omittingEmptySubsequences: false).dropFirst().map {
      String($0.prefix { $0 != end })
    }
  }

  /// The text with its references resolved.
  fileprivate func resolved(with bodies: [String: JSON]?) -> String {
    guard let bodies else { return self }
    let pieces = split(separator: "{result=", omittingEmptySubsequences: false)
    return pieces.dropFirst().reduce(into: String(pieces.first ?? "")) { text, piece in
      let reference = piece.prefix { $0 != "}" }
      let name = String(reference.prefix { $0 != ":" })
      let query = try? Query(String(reference.dropFirst(name.count + 1)))
      let values = bodies[name].flatMap { try? query?.values(in: $0) } ?? []
      text += values.map { $0.string ?? $0.serialized() }.joined(separator: ",")
      text += piece.dropFirst(reference.count + 1)
    }
  }
}
