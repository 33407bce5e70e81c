import GraphAPI
import JSONPath

/// GETs that are sent more than once because their author says so: pages, and polling.
extension RunState {
  /// The answer with the data of all pages, or `nil` if the next page has to be asked for first.
  ///
  /// - Throws: if an answer is no page, or leads to a next one in a way that cannot be followed.
  mutating func withAllPages(
    _ response: OperationResponse,
    _ attempt: Attempt
  ) throws(BindingFailure) -> OperationResponse? {
    guard let pagination = request(of: attempt.instance).pagination else { return response }
    var pages = instances[attempt.instance].pages ?? PageCollection(pagination)
    // Out of the table, so that nothing is copied.
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

  /// Whether what is asked for holds by now; if not, the asking is repeated.
  ///
  /// Askings are put on whole multiples of their interval, so that all that wait share a batch.
  ///
  /// - Throws: if it has failed for good, or the time is up.
  mutating func holdsByNow(
    _ attempt: Attempt,
    _ response: OperationResponse
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
    reason: .parameter,
    message: "the answer is no page: it has no list `data`",
    hint: "`paginate` is for edges such as me/feed; leave it out for single objects"
  )

  fileprivate static let brokenLink = BindingFailure(
    reason: .server,
    message: "there is a next page, and its link `paging.next` cannot be followed",
    hint: "what was read so far is not all; run it again, or take the first pages with `max_pages`"
  )

  fileprivate static func polledFailure(_ check: String) -> BindingFailure {
    BindingFailure(
      reason: .expectation,
      message: "`\(check)` holds, so asking again is useless",
      hint: "look at the last answer in the report"
    )
  }

  fileprivate static func pollLimitReached(_ check: String) -> BindingFailure {
    BindingFailure(
      reason: .timeout,
      message: "`\(check)` did not hold in time",
      hint: "raise `within`, or look at the last answer in the report"
    )
  }
}
