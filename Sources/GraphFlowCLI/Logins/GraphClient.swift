import GraphAPI
import JSONPath

/// Sends requests about tokens: single requests and small batches, one at a time.
struct GraphClient: Sendable {
  let transport: any Transport
  let url: GraphURL
  let version: GraphVersion
  private static let timeout = Duration.seconds(30)

  /// Runs a closure with connections of its own, which are then closed.
  static func with<Result>(
    _ settings: Settings, _ body: (GraphClient) async throws -> Result
  ) async throws -> Result {
    try await HTTPClientTransport.withTransport(route: settings.route) { transport in
      let version = settings.version ?? .current
      return try await body(
        GraphClient(transport: transport, url: settings.graphURL, version: version))
    }
  }

  func answer(to request: SingleRequest) async throws -> BatchAnswer {
    request.answer(from: try await send(request.wireRequest(to: url)))
  }

  func answer(to request: BatchRequest) async throws -> BatchAnswer {
    request.answer(from: try await send(request.wireRequest(to: url)))
  }

  /// The response to a request, which may be an error.
  func response(to request: SingleRequest) async throws -> OperationResponse {
    let answer = try await answer(to: request)
    guard case .items(let items) = answer, case .response(let response)? = items.first else {
      throw failure(answer)
    }
    return response
  }

  func body(of request: SingleRequest) async throws -> JSON {
    let response = try await response(to: request)
    if let error = response.error { throw CommandFailure(refusal: error, status: response.code) }
    guard let body = try? response.body.json() else { throw unusableAnswer }
    return body
  }

  private func send(_ request: WireRequest) async throws -> WireResponse {
    do {
      return try await transport.send(request, timeout: Self.timeout)
    } catch {
      switch error.kind {
      case .cancelled: throw CancellationError()
      case .notSent, .notProcessed:
        throw CommandFailure(.unreachable, "\(url) cannot be reached: \(error.message)")
      default:
        throw CommandFailure(.failed, error.message, hint: error.classification.hint)
      }
    }
  }

  func failure(_ answer: BatchAnswer) -> CommandFailure {
    switch answer {
    case .items: unusableAnswer
    case .refused(let error, let status): CommandFailure(refusal: error, status: status)
    case .unreadable(let status, let reason):
      CommandFailure(
        .failed, "the answer (status \(status)) cannot be used: \(reason)",
        hint: ErrorTable.standard.classification(ofUnusableAnswer: status).hint)
    }
  }

  var unusableAnswer: CommandFailure {
    CommandFailure(.failed, "the answer of \(url) does not have the expected contents")
  }
}
