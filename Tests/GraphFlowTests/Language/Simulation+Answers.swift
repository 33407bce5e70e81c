import GraphAPI
import GraphFlow
import JSONPath

/// Answers a call that begins with `me/accounts` with a page's token.
func pageTokens(_ call: Call) -> CallResult? {
  guard call.operations[0].path == "me/accounts" else { return nil }
  return .answered(
    .items([.ok(["access_token": "EAApage"])]),
    CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
}

extension Simulation {
  /// The sent operations, one line each: `GET me fields=id`.
  var sent: [String] {
    calls.flatMap(\.operations).map { operation in
      let parameters = operation.parameters.map { " \($0.name)=\($0.value)" }.joined()
      return "\(operation.method.rawValue) \(operation.path)\(parameters)"
    }
  }

  /// The lines of ``sent`` without the `GET source` at the beginning of tests of references.
  var sentAfterSource: [String] { sent.filter { $0 != "GET source" } }

  /// Answers operations by path with these bodies, and all others with their path as id.
  mutating func answering(_ bodies: [String: String]) {
    callFault = { call in
      let items = call.operations.map { operation in
        let body = bodies[operation.path] ?? #"{"id":"\#(operation.path)"}"#
        return OperationAnswer.response(
          OperationResponse(code: 200, body: ResponseBody(Array(body.utf8))))
      }
      return .answered(.items(items), CallFacts(status: 200, bytesSent: 0, bytesReceived: 0))
    }
  }

  /// The reason why a request failed or was skipped.
  func reason(_ name: String) -> String? {
    outcomes[name].flatMap { $0.failure?.reason.rawValue ?? $0.skipReason?.rawValue }
  }

  /// The text of all events in a journal.
  var journaled: String {
    events.map { String(decoding: $0.json + ($0.body ?? []), as: UTF8.self) }.joined(
      separator: "\n")
  }
}
