import GraphAPI
import JSONPath

/// Writes that may have happened: from the doubt to its end.
extension RunState {
  /// Deals with a write of whose last attempt nobody knows whether it took effect.
  ///
  /// It is looked for, if its author has said how; else it is over, and a person has to look.
  ///
  /// - Parameters:
  ///   - instance: the write.
  ///   - failure: what came back.
  ///   - code: the HTTP status that came back, if one did.
  ///   - delay: how long the server wants to be left alone.
  ///   - now: the time since the run's start.
  mutating func doubt(
    _ instance: Int,
    _ failure: Failure,
    code: Int?,
    atLeast delay: Duration?,
    at now: Duration
  ) {
    guard request(of: instance).confirmation != nil else {
      end(instance, Ending(status: .inDoubt, failure: failure), code: code, at: now)
      return
    }
    let doubt = Doubt(
      failure: failure,
      code: code,
      since: now,
      resendNotBefore: now + (delay ?? .zero),
      step: .due(at: now)
    )
    instances[instance].phase = .doubtful(doubt)
    doubtful.insert(instance)
  }

  /// Who an instance is in journal and report, however its items are numbered.
  func owner(of instance: Int) -> ClaimedNodes.Owner {
    ClaimedNodes.Owner(
      request: graph.request(of: instance),
      key: item(of: instance)?.key ?? ""
    )
  }

  /// The ids of what a write has made, if looks of this workflow have to know them.
  func madeIDs(by request: Workflow.Request, _ response: OperationResponse) -> [String] {
    guard hasConfirmations, request.isWrite, let body = try? response.body.json() else { return [] }
    return body.madeIDs
  }

  /// Hands in the answer to looks.
  mutating func receiveLooks(
    for instances: [Int],
    _ call: CallUnderWay,
    _ answered: AnsweredCall,
    at now: Duration
  ) {
    for (index, instance) in instances.enumerated() {
      guard let doubt = self.instances[instance].doubt,
        let confirmation = request(of: instance).confirmation
      else { continue }
      let delay = answered.serverDelay(forOperation: index)
      let look = LookAnswer(doubt: doubt, startedAt: call.startedAt, delay: delay, endedAt: now)
      let response: OperationResponse
      do throws(AnsweredCall.Rejection) {
        response = try answered.response(ofOperation: index)
      } catch {
        if !looksAgain(instance, after: error.failure, answered, (index, call), at: now) {
          fail(instance, look, error.failure)
        }
        continue
      }
      guard let body = try? response.body.json(), body.object != nil || body.array != nil else {
        fail(instance, look, .unreadableLook)
        continue
      }
      if Redaction.mayHoldSecret(response.body.text) { mask.learn(from: body) }
      do throws(BindingFailure) {
        let reading = try reading(of: confirmation, for: instance, at: look.lookedAt)
        judge(instance, look, body, reading)
      } catch {
        stayInDoubt(instance, because: .lookFailed(error.failure), at: now)
      }
    }
  }

  /// A look that was answered, and what is known of its write.
  private struct LookAnswer {
    var doubt: Doubt
    /// When the call was made that was answered.
    let startedAt: Duration
    /// How long the server wants to be left alone.
    let delay: Duration?
    let endedAt: Duration

    /// When the look was made: with its first page.
    var lookedAt: Duration { doubt.pages?.since ?? startedAt }
  }

  /// How the answer to a look is read that was made at a time.
  ///
  /// - Throws: if something that it is compared with is not there.
  func reading(
    of confirmation: Workflow.Confirmation,
    for instance: Int,
    at time: Duration
  ) throws(BindingFailure) -> LookReading {
    let bindings = bindings(for: instance)
    let match = try bindings.selection(confirmation.match)
    var result: LookReading.Selection?
    if let written = confirmation.result { result = try bindings.selection(written) }
    let evidence = instances[instance].evidence ?? WriteEvidence()
    return LookReading(
      match: match,
      result: result,
      evidence: evidence.counting(by: serverClock, at: time),
      claimed: claims
    )
  }

  private mutating func judge(
    _ instance: Int,
    _ look: LookAnswer,
    _ body: JSON,
    _ reading: LookReading
  ) {
    var pages = look.doubt.pages?.collection ?? PageCollection(Workflow.Pagination())
    let addition = pages.add(body)
    let isPage = addition != .noPage
    // A link that cannot be followed, or leads back, hides what is on the pages after it.
    let isCutOff = addition == .brokenLink || pages.hasRepeated
    guard !isCutOff || reading.reachesBack(pages.body) else {
      fail(instance, look, .cutOffLook)
      return
    }
    guard isPage || look.doubt.pages == nil else {
      fail(instance, look, .unreadableLook)
      return
    }
    // Members beside `data` are on the first page alone, and so is what is no page at all.
    let whole = look.doubt.pages == nil ? body : pages.body
    let isPartial = isPage && pages.hasMore && !reading.reachesBack(pages.body)
    switch reading.verdict(on: whole) {
    case .unproved(let obstacle):
      stayInDoubt(instance, because: .obstacle(obstacle), at: look.endedAt)
    case .found where isPartial, .nothing where isPartial:
      turnPage(instance, look, pages)
    case .found(let node):
      succeed(instance, by: node, at: look.endedAt)
    case .nothing where !isPage && body.holdsPagedList:
      fail(instance, look, .cutOffLook)
    case .nothing:
      goOn(instance, look) { $0.giveUpLooking(for: instance, look) }
    }
  }

  /// Asks for the next page.
  ///
  /// One that is full of newer nodes proves nothing: neither that there is none, nor that the one on
  /// it is the only one.
  private mutating func turnPage(
    _ instance: Int,
    _ look: LookAnswer,
    _ collection: PageCollection
  ) {
    let count = (look.doubt.pages?.count ?? 0) + 1
    guard count < Doubt.pageLimit else {
      stayInDoubt(instance, because: .tooManyPages, at: look.endedAt)
      return
    }
    var doubt = look.doubt
    doubt.pages = Doubt.Pages(collection: collection, count: count, since: look.lookedAt)
    doubt.step = .due(at: look.endedAt)
    instances[instance].phase = .doubtful(doubt)
  }

  /// A look that could not be made, or was refused.
  private mutating func fail(_ instance: Int, _ look: LookAnswer, _ failure: Failure) {
    guard failure.category == .transient else {
      stayInDoubt(instance, because: .lookFailed(failure), at: look.endedAt)
      return
    }
    goOn(instance, look) {
      $0.stayInDoubt(instance, because: .lookFailed(failure), at: look.endedAt)
    }
  }

  /// Looks again when it is time, or does what there is to do after the last look.
  private mutating func goOn(
    _ instance: Int,
    _ look: LookAnswer,
    orElse atLast: (inout RunState) -> Void
  ) {
    var doubt = look.doubt
    doubt.looks += 1
    doubt.pages = nil
    let next = doubt.nextLook(
      startedAt: look.lookedAt,
      endedAt: look.endedAt,
      within: request(of: instance).confirmation?.within ?? .zero,
      atLeast: look.delay
    )
    guard let next else { return atLast(&self) }
    doubt.step = .due(at: next)
    instances[instance].phase = .doubtful(doubt)
  }

  /// Reads have caught up, and there is nothing: the write did not happen, and may be sent again.
  private mutating func giveUpLooking(for instance: Int, _ look: LookAnswer) {
    var failure = look.doubt.failure
    if failure.reason == .duplicate {
      // Graph says that it is there, and shows it to nobody.
      stayInDoubt(instance, because: .hiddenRepetition, at: look.endedAt)
      return
    }
    failure.hint = Failure.notFoundHint
    instances[instance].lastFailure = failure
    doubtful.remove(instance)
    if let time = resendTime(of: instance, look.doubt, at: look.endedAt) {
      postpone(instance, until: time)
    } else {
      end(
        instance,
        Ending(status: .failed, failure: failure, resolvedPath: sentPath(of: instance)),
        code: look.doubt.code,
        at: look.endedAt
      )
    }
  }

  /// When a write that did not happen is sent again; nil if it is not.
  private func resendTime(of instance: Int, _ doubt: Doubt, at now: Duration) -> Duration? {
    guard !isHeldBack(instance) else { return nil }
    let time = max(now, doubt.resendNotBefore)
    // A resumed run may make attempts of its own.
    let attempts = instances[instance].attempts
    guard attempts.first != nil else { return time }
    return request(of: instance).retry?.allowsAttempt(after: attempts, at: time) == true
      ? time : nil
  }

  /// Ends a write that a look has found.
  private mutating func succeed(_ instance: Int, by node: FoundNode, at now: Duration) {
    instances[instance].hasTakenEffect = true
    let body = ResponseBody(Array(node.body.serialized().utf8))
    bodies.keep(body, of: instance)
    var ending = Ending(
      .succeeded,
      found: body,
      madeIDs: node.ids,
      resolvedPath: sentPath(of: instance)
    )
    do throws(BindingFailure) {
      ending.expectations = try verdicts(instance, nil, root: node.body)
      if let broken = ending.expectations.first(where: { !$0.passed }) {
        ending.status = .failed
        ending.failure = Failure(brokenExpectation: broken)
      }
    } catch {
      ending.status = .failed
      ending.failure = error.failure
    }
    end(instance, ending, at: now)
  }

  /// Ends the looking without an answer: a person has to look.
  mutating func stayInDoubt(
    _ instance: Int,
    because reason: RemainingDoubt,
    at now: Duration
  ) {
    guard let doubt = instances[instance].doubt else { return }
    var failure = doubt.failure
    failure.hint = "\(reason.sentence); \(Failure.doubtHint)"
    end(
      instance,
      Ending(status: .inDoubt, failure: failure, resolvedPath: sentPath(of: instance)),
      code: doubt.code,
      at: now
    )
  }

  /// The path that a write was sent to, if its placeholders can still be filled.
  private func sentPath(of instance: Int) -> String? {
    try? bindings(for: instance).boundPath(request(of: instance).path).text
  }
}

extension Bindings {
  /// A selection with the values of its operands.
  ///
  /// - Throws: if one of them has none: nothing is equal to nothing, so it would match anything.
  fileprivate func selection(
    _ selection: NodeSelection
  ) throws(BindingFailure) -> LookReading.Selection {
    let operands = try operands(of: selection.expression)
    for (placeholder, values) in zip(selection.expression.placeholders, operands)
    where values.isEmpty {
      throw .unresolved(placeholder)
    }
    return LookReading.Selection(query: selection.query, operands: operands)
  }
}
