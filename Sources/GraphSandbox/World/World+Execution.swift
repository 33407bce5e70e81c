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

  /// The session of an operation; nil for logins and without a token.
  private mutating func session(
    of request: GraphRequest, from caller: Caller
  ) throws(GraphFault) -> Session? {
    guard !request.isLogin else { return nil }
    let (proof, main) = (request.parameters["appsecret_proof"], caller.session)
    guard let token = request.token else {
      if let proof, let main { try access.proofs.check(proof, of: main.token) }
      // The token was valid when the batch began; the permissions may have changed since.
      if let main, shared.session == nil {
        shared.session = Session(token: main.token, grant: main.grant, access: access)
      }
      return shared.session
    }
    return try access.session(
      for: token, proof: proof ?? (token == main?.token ? caller.proof : nil), at: now)
  }

  /// Executes one operation of a checked session; errors become answers.
  private mutating func execute(
    _ request: GraphRequest, _ session: Session?, showsHeaders: Bool
  ) -> Answer {
    guard let version = versions.answering(request.version) else {
      return failure(.unknownPath(request.path), of: request, version: nil)
    }
    let charges = meter.charges(for: request, session, objects)
    do throws(GraphFault) {
      try meter.charge(charges, UsageLoad(of: request), at: now)
      try checkAdsVersion(of: request)
      var answer = try answer(to: request, session, version)
      answer.version = version
      if showsHeaders { answer.usage = meter.headers(of: charges, at: now) }
      // Hashing the body takes time, so only answers that use the tag have one.
      if request.method == .get, showsHeaders || request.ifNoneMatch != nil {
        answer.addTag(unless: request.ifNoneMatch)
      }
      return answer
    } catch {
      return failure(
        error, of: request, version: version, usage: meter.headers(of: charges, at: now))
    }
  }

  /// The result of an operation, by its method.
  private mutating func answer(
    to request: GraphRequest, _ session: Session?, _ version: String
  ) throws(GraphFault) -> Answer {
    let isLogin = request.isLogin
    if isLogin || request.method != .get { shared.session = nil }
    if isLogin {
      var answer = try logins.answer(request, &access, at: now, shared.origin ?? origin)
      if request.method == .get { answer.addDebug(request, []) }
      return answer
    }
    if let session,
      let answer = try logins.testUsers.answer(to: request, session, &objects, &access, at: now)
    {
      return answer
    }
    guard request.path.first != VideoUpload.segment else {
      return try VideoUpload.receive(request, session, &objects)
    }
    guard request.method == .get else {
      let (names, session) = try subjects(of: request, session)
      var answer = try write(request, names[0], session, version)
      if case .created(let id) = answer.outcome, let place = objects.place(of: id),
        let selection = try FieldSelection.reading(request.parameters.bytes(of: "fields"))
      {
        // If the fields cannot be read, the answer is an error although the object exists, as
        // Graph's documentation of reading after writing describes.
        var reader = reader(of: objects, session, version)
        answer.body = []
        try reader.appendNode(at: place, selection, to: &answer.body)
      }
      return answer
    }
    // A read counts as one that lags, even if it fails.
    let old = faults.laggingObjects()
    let (names, session) = try subjects(of: request, session)
    var reader = reader(of: old ?? ObjectTable(), session, version)
    // The world lends its table, because a copy would retain all parts.
    if old == nil { swap(&objects, &reader.objects) }
    defer { if old == nil { swap(&objects, &reader.objects) } }
    var body: [UInt8] = []
    swap(&body, &shared.memory)
    var answer = try reader.read(request, names, into: body)
    answer.addDebug(request, reader.warnings)
    answer.note.ignored = reader.ignored
    return answer
  }

  /// The names of an operation's objects, and its session, which it must have.
  ///
  /// A user's picture is shown to everybody who knows the id that the application has for the user
  /// (Graph API reference, User Picture).
  private func subjects(
    of request: GraphRequest, _ session: Session?
  ) throws(GraphFault) -> ([String], Session) {
    let names = try request.names()
    if let session { return (names, session) }
    guard names.first != "me" else { throw .activeTokenRequired }
    guard request.method == .get, request.path.dropFirst() == ["picture"], names.count == 1,
      objects[names[0]]?.type == .user
    else { throw .tokenRequired }
    let application = AccessGrant(kind: .app, profile: access.application)
    return (names, Session(token: "", grant: application, access: access))
  }

  private func reader(
    of objects: ObjectTable, _ session: Session, _ version: String
  ) -> Reader {
    Reader(
      objects: objects, session: session, version: version, now: now,
      origin: shared.origin ?? origin,
      forbidden: behaviors.forbidden)
  }

  /// Executes a POST or a DELETE.
  private mutating func write(
    _ request: GraphRequest, _ name: String, _ session: Session, _ version: String
  ) throws(GraphFault) -> Answer {
    let place = try session.place(of: name, request.method, in: objects)
    guard let object = objects[place] else { throw .unsupported(request.method, name) }
    let writer = Writer(
      request: request, session: session, opensTimelines: behaviors.opensTimelines, now: now,
      version: version, origin: shared.origin ?? origin, handshakes: shared.handshakes)
    let isWatched = webhooks.isWatched(objects, access)
    guard request.method == .delete else {
      let wasLiked = isWatched && report(session).isLiked(object)
      let answer = try writer.publish(to: object, &objects, &shared.campaigns)
      guard isWatched else { return answer }
      let changes = report(session).changes(
        by: request, on: object, answer.outcome, wasLiked: wasLiked)
      webhooks.notify(changes, objects, access)
      return answer
    }
    let edge = request.path.dropFirst().first
    let changes = isWatched ? report(session).removals(of: object, edge: edge) : []
    try writer.delete(object, &objects, &access)
    webhooks.notify(changes, objects, access)
    return .success
  }

  private func report(_ session: Session) -> ChangeReport {
    ChangeReport(
      objects: objects, actor: session.profile, now: now, origin: shared.origin ?? origin)
  }

  /// The answer to a failed operation; by default its headers report the application's limit only.
  mutating func failure(
    _ fault: GraphFault, of request: GraphRequest? = nil, version: String?,
    usage: UsageHeaders? = nil
  ) -> Answer {
    var fault = fault
    if request?.isUnserved(fault) == true { fault = fault.unserved }
    // The statuses that the behaviors set (docs/internals/graph-api.md, decision 18).
    if behaviors.statuses == .all400, fault.code != GraphFault.aborted.code { fault.status = 400 }
    return Answer(
      fault, version: versions.answering(version) ?? versions.standard,
      usage: usage ?? meter.headers(of: [], at: now), traceID: nextTraceID())
  }

  /// Refuses a marketing endpoint of an expired version; for other endpoints a newer version answers
  /// (docs/internals/graph-api.md, Versions).
  private func checkAdsVersion(of request: GraphRequest) throws(GraphFault) {
    guard let version = request.version, versions.answering(version) != version,
      let first = request.path.first, objects[first]?.type.isAds == true
    else { return }
    throw .adsVersionDeprecated(latest: versions.standard)
  }
}
