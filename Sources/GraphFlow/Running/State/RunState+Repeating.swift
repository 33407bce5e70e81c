import GraphAPI
import JSONPath

/// Sends GETs more than once: `paginate` and `until`.
extension RunState {
  /// The answer with the data of all pages, or `nil` if the next page has to be read first.
  ///
  /// - Throws: A failure if an answer is not a page, or its link to the next page cannot be
  ///   followed.
  mutating func withAllPages(
    _ response: OperationResponse, _ attempt: Attempt
  ) throws(BindingFailure) -> OperationResponse? {
    guard let pagination = request(of: attempt.instance).pagination else { return response }
    var pages = instances[attempt.instance].pages ?? PageCollection(pagination)
    // Removed from the table, so that the collection is not copied.
    instances[attempt.instance].pages = nil
    switch (try? response.body.json()).map({ pages.add($0) }) {
    case .page: break
    case .brokenLink: throw .brokenLink
    case .noPage, nil: throw .noPage
    }
    if pages.hasMore {
      instances[attempt.instance].pages = pages
      postpone(attempt.instance, until: attempt.end)
      return nil
    }
    if pages.hasRepeated { instances[attempt.instance].note = PageCollection.repetitionNote }
    return response.replacingBody(with: ResponseBody(Array(pages.body.serialized().utf8)))
  }

  /// Whether the condition of `until` holds; if not, the next poll is scheduled.
  ///
  /// Polls are at whole multiples of their interval, so that all polling requests share a batch.
  ///
  /// - Throws: A failure if the condition can no longer hold, or the time is up.
  mutating func holdsByNow(
    _ attempt: Attempt, _ response: OperationResponse
  ) throws(BindingFailure) -> Bool {
    let instance = attempt.instance
    guard let until = request(of: instance).until else { return true }
    let root = try? response.body.json()
    if try evaluate(until.check, instance, response, root: root).holds { return true }
    if let fail = until.fail, try evaluate(fail, instance, response, root: root).holds {
      throw .polledFailure(fail.text)
    }
    let since = instances[instance].pollingSince ?? attempt.call.startedAt
    instances[instance].pollingSince = since
    let interval = max(until.interval, .milliseconds(1))
    let ticks = Int64((attempt.end + interval / 2) / interval) + 1
    let tick = interval * Int(ticks)
    guard tick - since <= until.within else { throw .pollLimitReached(until.check.text) }
    postpone(instance, until: tick)
    return false
  }
}

extension BindingFailure {
  fileprivate static let noPage = BindingFailure(
    reason: .parameter, message: "the answer is not a page: it has no list `data`",
    hint: "`paginate` is for edges such as me/feed; remove it for single objects")

  fileprivate static let brokenLink = BindingFailure(
    reason: .server, message: "the link `paging.next` to the next page cannot be followed",
    hint: "the pages that were read are incomplete; run it again, or limit it with `max_pages`")

  fileprivate static func polledFailure(_ check: String) -> BindingFailure {
    BindingFailure(
      reason: .expectation, message: "`\(check)` holds, so the polling has failed",
      hint: "see the last answer in the report")
  }

  fileprivate static func pollLimitReached(_ check: String) -> BindingFailure {
    BindingFailure(
      reason: .timeout, message: "`\(check)` did not hold in time",
      hint: "increase `within`, or see the last answer in the report")
  }
}
