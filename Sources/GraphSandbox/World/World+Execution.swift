import JSONPath

extension World {
  /// Executes one operation whose token, if any, has not been looked at.
  mutating func execute(_ request: GraphRequest, from caller: Caller) -> Answer {
    do throws(GraphFault) {
      let session = try session(of: request, from: caller)
      return execute(request, session, showsHeaders: caller.showsHeaders && request.wantsHeaders)
    } catch {
      return failure(error, version: request.version)
    }
  }

  /// Executes one operation; an error is an answer, too.
  private mutating func execute(
    _ request: GraphRequest,
    _ session: Session?,
    showsHeaders: Bool
  ) -> Answer {
    guard let version = versions.answering(request.version) else {
      return failure(.unknownPath(request.path), version: nil)
    }
    let charges = charges(for: request, session)
    do throws(GraphFault) {
      try meter.charge(charges, OperationCost(of: request), at: now)
      try checkAdsVersion(of: request)
      let outcome = try outcome(of: request, session, version)
      let usage = showsHeaders ? meter.headers(of: charges, at: now) : .unseen
      // Tags cost something: only where somebody sees them.
      let isTagged = request.method == .get && (showsHeaders || request.ifNoneMatch != nil)
      return answer(outcome, to: request, version, usage, isTagged: isTagged)
    } catch {
      return failure(error, version: version, usage: meter.headers(of: charges, at: now))
    }
  }

  /// Does what an operation asks for.
  private mutating func outcome(
    of request: GraphRequest,
    _ session: Session?,
    _ version: String
  ) throws(GraphFault) -> Outcome {
    var scope = ReadScope(session: session, version: version)
    var outcome: Outcome
    switch request.method {
    case _ where request.isLogin: outcome = try login(request)
    case .get: outcome = try readBehind(request, &scope)
    case .post: outcome = try publish(request, &scope)
    case .delete: outcome = try delete(request, session)
    }
    if request.method == .get { Self.addDebug(request, scope, to: &outcome.body) }
    return outcome
  }

  /// The answer to an operation that ended in an error; its headers tell of no limits but the
  /// application's unless others are given.
  mutating func failure(
    _ fault: GraphFault,
    version: String?,
    usage: UsageHeaders? = nil
  ) -> Answer {
    Answer(
      withBehaviors(fault),
      version: versions.answering(version) ?? versions.standard,
      usage: usage ?? meter.headers(of: [], at: now),
      traceID: makeTraceID()
    )
  }

  /// What an operation came to, as its answer.
  private func answer(
    _ outcome: Outcome,
    to request: GraphRequest,
    _ version: String,
    _ usage: UsageHeaders,
    isTagged: Bool
  ) -> Answer {
    let tag = isTagged && !outcome.body.isEmpty ? EntityTag.text(of: outcome.body) : nil
    let isKnown =
      tag.flatMap { tag in
        request.ifNoneMatch.map { EntityTag.list($0, contains: tag) }
      } ?? false
    let body = outcome.body.isEmpty || isKnown ? nil : outcome.body
    return Answer(
      status: isKnown ? 304 : outcome.status,
      body: body,
      version: version,
      etag: tag,
      location: outcome.location,
      usage: usage,
      isInvented: outcome.isInvented
    )
  }

  /// Marketing endpoints end with their version; others are answered by a newer one
  /// (docs/internals/graph-api.md, Versions).
  private func checkAdsVersion(of request: GraphRequest) throws(GraphFault) {
    guard let version = request.version, versions.answering(version) != version,
      let first = request.path.first, let object = objects[first], object.type.isAds
    else { return }
    throw .adsVersionDeprecated(latest: versions.standard)
  }
}
