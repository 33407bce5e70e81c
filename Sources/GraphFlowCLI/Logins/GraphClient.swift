import GraphAPI
import JSONPath

/// Asks Graph something about tokens: single requests and small batches, one at a time.
struct GraphClient<Way: Transport>: Sendable {
  let transport: Way
  /// Where Graph is.
  let url: GraphURL
  let version: GraphVersion
  /// What errors that Graph words must not show.
  var mask = SecretNet.known

  /// How long one answer may take.
  private var patience: Duration { .seconds(30) }

  /// What came back for a request.
  ///
  /// - Throws: a `TransportFailure`.
  func answer(to request: SingleRequest) async throws(TransportFailure) -> BatchAnswer {
    let response = try await transport.send(request.wireRequest(to: url), timeout: patience)
    return request.answer(from: response)
  }

  /// What came back for a batch.
  ///
  /// - Throws: a `TransportFailure`.
  func answer(to request: BatchRequest) async throws(TransportFailure) -> BatchAnswer {
    let response = try await transport.send(request.wireRequest(to: url), timeout: patience)
    return request.answer(from: response)
  }

  /// The body of a request that succeeded.
  ///
  /// - Throws: a ``CommandFailure``, or a `CancellationError`.
  func body(of request: SingleRequest) async throws -> JSON {
    let answer: BatchAnswer
    do { answer = try await self.answer(to: request) } catch { throw failure(error) }
    guard case .items(let items) = answer, case .response(let response)? = items.first else {
      throw failure(answer)
    }
    if let error = response.error {
      throw CommandFailure(refusal: error, status: response.code, mask)
    }
    guard let body = try? response.body.json() else { throw failure(answer) }
    return body
  }

  /// Why there was no answer.
  func failure(_ failure: TransportFailure) -> any Error {
    switch failure.kind {
    case .cancelled: CancellationError()
    case .notSent, .notProcessed:
      CommandFailure(.unreachable, "\(url) cannot be reached: \(failure.message)")
    default: CommandFailure(.failed, failure.message, hint: failure.classification.hint)
    }
  }

  /// Why an answer is of no use.
  func failure(_ answer: BatchAnswer) -> CommandFailure {
    switch answer {
    case .items: CommandFailure(.failed, "the answer of \(url) holds nothing of use")
    case .refused(let error, let status): CommandFailure(refusal: error, status: status, mask)
    case .unreadable(let status, let reason):
      CommandFailure(
        .failed,
        "the answer (status \(status)) cannot be used: \(reason)",
        hint: ErrorTable.standard.classification(ofUnusableAnswer: status).hint
      )
    }
  }
}
