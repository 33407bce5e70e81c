import JSONPath

extension World {
  /// Executes one operation whose token, if any, has not been looked at.
  mutating func execute(_ request: GraphRequest, from caller: Caller) -> Answer {
    do throws(GraphFault) {
      return execute(request, try session(of: request, from: caller))
    } catch {
      return failure(error, version: request.version)
    }
  }

  /// Executes one operation; an error is an answer, too.
  mutating func execute(_ request: GraphRequest, _ session: Session?) -> Answer {
    guard let version = versions.answering(request.version) else {
      return failure(.unknownPath(request.path), version: nil)
    }
    let charges = charges(for: request, session)
    do throws(GraphFault) {
      try meter.charge(charges, OperationCost(of: request), at: now)
      var scope = ReadScope(session: session, version: version)
      var outcome: Outcome
      try checkAdsVersion(of: request)
      switch request.method {
      case _ where Self.isLogin(request): outcome = try login(request)
      case .get: outcome = try readBehind(request, &scope)
      case .post: outcome = try publish(request, &scope)
      case .delete: outcome = try delete(request, session)
      }
      if request.method == .get { Self.addDebug(request, scope, to: &outcome.body) }
      let usage = request.showsHeaders ? meter.headers(of: charges, at: now) : .unseen
      return answer(&outcome, to: request, version: version, usage)
    } catch {
      return failure(error, version: version, charges)
    }
  }

  /// The answer to an operation that ended in an error.
  mutating func failure(
    _ fault: GraphFault,
    version: String?,
    _ charges: [UsageMeter.Charge] = []
  ) -> Answer {
    Answer(
      mannered(fault),
      version: versions.answering(version) ?? versions.standard,
      usage: meter.headers(of: charges, at: now),
      traceID: makeTraceID()
    )
  }

  private func answer(
    _ outcome: inout Outcome,
    to request: GraphRequest,
    version: String,
    _ usage: UsageHeaders
  ) -> Answer {
    var answer = Answer(
      status: outcome.status,
      version: version,
      location: outcome.location,
      usage: usage,
      isInvented: outcome.isInvented
    )
    guard !outcome.body.isEmpty else { return answer }
    if request.method == .get, request.needsTag {
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

  /// Marketing endpoints end with their version; others are answered by a newer one
  /// (docs/graph-api.md, Versions).
  private func checkAdsVersion(of request: GraphRequest) throws(GraphFault) {
    guard let version = request.version, versions.answering(version) != version,
      let first = request.path.first, let object = objects[first], object.type.isAds
    else { return }
    throw .adsVersionDeprecated(latest: versions.standard)
  }
}
