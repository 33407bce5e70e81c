import JSONPath

extension World {
  /// Executes one operation after checking its token.
  mutating func execute(_ request: GraphRequest, from caller: Caller) -> Answer {
    do throws(GraphFault) {
      let session = try session(of: request, from: caller)
      return execute(request, session, showsHeaders: caller.showsHeaders && request.wantsHeaders)
    } catch {
      return failure(error, version: request.version)
    }
  }

  /// Executes one operation of a checked session; errors become answers.
  private mutating func execute(
    _ request: GraphRequest, _ session: Session?, showsHeaders: Bool
  ) -> Answer {
    guard let version = versions.answering(request.version) else {
      return failure(.unknownPath(request.path), version: nil)
    }
    let charges = charges(for: request, session)
    do throws(GraphFault) {
      try meter.charge(charges, OperationCost(of: request), at: now)
      try checkAdsVersion(of: request)
      let outcome = try outcome(of: request, session, version)
      let usage = showsHeaders ? meter.headers(of: charges, at: now) : .omitted
      // Hashing the body takes time, so only answers that use the tag have one.
      let isTagged = request.method == .get && (showsHeaders || request.ifNoneMatch != nil)
      return answer(outcome, to: request, version, usage, isTagged: isTagged)
    } catch {
      return failure(error, version: version, usage: meter.headers(of: charges, at: now))
    }
  }

  /// The result of an operation, by its method.
  private mutating func outcome(
    of request: GraphRequest, _ session: Session?, _ version: String
  ) throws(GraphFault) -> Outcome {
    var scope = ReadScope(session: session, version: version)
    var outcome: Outcome
    switch request.method {
    case _ where request.isLogin: outcome = try login(request)
    case .get: outcome = try readWithLag(request, &scope)
    case .post: outcome = try publish(request, &scope)
    case .delete: outcome = try delete(request, session)
    }
    if request.method == .get { Self.addDebug(request, scope, to: &outcome.body) }
    return outcome
  }

  /// The answer to a failed operation; by default its headers report the application's limit only.
  mutating func failure(_ fault: GraphFault, version: String?, usage: UsageHeaders? = nil) -> Answer
  {
    Answer(
      withConfiguredStatus(fault), version: versions.answering(version) ?? versions.standard,
      usage: usage ?? meter.headers(of: [], at: now), traceID: identifiers.nextTraceID())
  }

  /// The answer for the result of an operation.
  private func answer(
    _ outcome: Outcome, to request: GraphRequest, _ version: String, _ usage: UsageHeaders,
    isTagged: Bool
  ) -> Answer {
    let tag = isTagged && !outcome.body.isEmpty ? EntityTag.text(of: outcome.body) : nil
    let isKnown =
      tag.flatMap { tag in
        request.ifNoneMatch.map { EntityTag.list($0, contains: tag) }
      } ?? false
    let body = outcome.body.isEmpty || isKnown ? nil : outcome.body
    return Answer(
      status: isKnown ? 304 : outcome.status, body: body, version: version, etag: tag,
      location: outcome.location, usage: usage, isInvented: outcome.isInvented)
  }

  /// Refuses a marketing endpoint of an expired version; for other endpoints a newer version answers
  /// (docs/internals/graph-api.md, Versions).
  private func checkAdsVersion(of request: GraphRequest) throws(GraphFault) {
    guard let version = request.version, versions.answering(version) != version,
      let first = request.path.first, let object = objects[first], object.type.isAds
    else { return }
    throw .adsVersionDeprecated(latest: versions.standard)
  }
}
