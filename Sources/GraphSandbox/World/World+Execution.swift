import JSONPath

extension World {
  /// Executes one operation whose token, if any, has not been looked at.
  mutating func execute(_ request: GraphRequest) -> Answer {
    do throws(GraphFault) {
      let session = try session(for: request.token, proof: request.parameters["appsecret_proof"])
      return execute(request, session)
    } catch {
      return failure(error, version: request.version)
    }
  }

  /// Executes one operation; an error is an answer, too.
  mutating func execute(_ request: GraphRequest, _ session: Session?) -> Answer {
    guard let version = versions.answering(request.version) else {
      return failure(.unknownPath(request.path), version: nil)
    }
    recordUsage(of: request)
    do throws(GraphFault) {
      var scope = ReadScope(session: session, version: version)
      var outcome: Outcome
      switch request.method {
      case .get: outcome = try read(request, &scope)
      case .post: outcome = try publish(request, &scope)
      case .delete: outcome = try delete(request, session)
      }
      return answer(&outcome, to: request, version: version)
    } catch {
      return failure(error, version: version)
    }
  }

  /// The answer to an operation that ended in an error.
  mutating func failure(_ fault: GraphFault, version: String?) -> Answer {
    Answer(
      fault,
      version: versions.answering(version) ?? versions.standard,
      usage: usage.header,
      traceID: makeTraceID()
    )
  }

  private func answer(
    _ outcome: inout Outcome,
    to request: GraphRequest,
    version: String
  ) -> Answer {
    var answer = Answer(
      status: outcome.status,
      version: version,
      location: outcome.location,
      usage: usage.header,
      isInvented: outcome.isInvented
    )
    guard !outcome.body.isEmpty else { return answer }
    if request.method == .get {
      let tag = EntityTag.text(of: outcome.body)
      answer.etag = tag
      if let known = request.ifNoneMatch, EntityTag.list(known, contains: tag) {
        answer.status = 304
        return answer
      }
    }
    answer.body = outcome.body
    return answer
  }

  private mutating func recordUsage(of request: GraphRequest) {
    let isRead = request.method == .get
    let count = request.parameters["ids"].map { 1 + $0.utf8.count { $0 == UInt8(ascii: ",") } } ?? 1
    usage.record(count, cost: isRead ? 1 : 3, at: now)
  }
}
