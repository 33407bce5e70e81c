import GraphAPI
import JSONPath

/// What a confirmation check showed before a write was sent for the first time.
///
/// The write did not create what existed then. Only the ids that a later check could mistake for
/// new ones are kept.
package struct Baseline: Hashable, Sendable {
  /// How much of the existing data the read showed.
  package enum Extent: String, Hashable, Sendable {
    /// All of it: there were no further pages.
    case whole
    /// Everything created since the read, or before it by less than the uncertainty of Graph's clock.
    case recent
    /// There may be more.
    case part
  }

  /// Its number in the run, from 1; 0 before it is numbered.
  package var number = 0
  /// The ids of the nodes that existed, without those that are too old to be mistaken for new.
  package var ids: Set<String>
  package var readAt: ServerTime?
  package var extent: Extent

  static let pageLimit = 5
  /// The maximum number of ids that are kept; a read with more counts as a part.
  static let idLimit = 10_000
}

/// When a write was sent, and what existed before.
struct WriteEvidence: Hashable, Sendable {
  /// When it was sent, by Graph's clock; nil if no answer had a `Date` before.
  var sentAt: ServerTime?
  /// Nil if its confirmation check could not be read.
  var baseline: Baseline?
  /// How many steps of Graph's clock were known when it was sent; nil if another process sent it.
  var clockSteps: Int?

  /// The baseline of an earlier attempt of this process, for the next attempt.
  ///
  /// It is nil if Graph's clock was set since it was read: what the next attempt creates could then
  /// appear older than the baseline.
  func baseline(ifNotSetSince clock: ServerClock) -> Baseline? {
    clockSteps == clock.steps ? baseline : nil
  }

  /// The evidence without times that a step of Graph's clock made meaningless.
  func discardingStaleTimes(by clock: ServerClock, at now: Duration) -> WriteEvidence {
    let wasSet =
      clockSteps.map { $0 != clock.steps }
      ?? clock.time(at: now).flatMap { now in sentAt.map { now.latest < $0.earliest } } ?? false
    guard wasSet else { return self }
    var evidence = self
    evidence.sentAt = nil
    evidence.baseline?.readAt = nil
    if baseline?.extent == .recent { evidence.baseline?.extent = .part }
    return evidence
  }
}

/// The read of a confirmation check before the first send, page by page.
struct BaselineReading: Sendable {
  private var pages = PageCollection(Workflow.Pagination())
  /// When each node was created, by id; nil for a node without `created_time`.
  private var nodes: [String: Timestamp?] = [:]
  /// When the first page was requested.
  private var startedAt: Duration?

  /// Adds an answer, which Graph's clock includes already.
  ///
  /// - Returns: the baseline; nil if the next page has to be read first.
  mutating func add(_ body: JSON, startedAt: Duration, by clock: ServerClock) -> Baseline? {
    let start = self.startedAt ?? startedAt
    self.startedAt = start
    let time = clock.time(at: start)
    body.collectNodes(into: &nodes)
    let addition = pages.add(body)
    guard nodes.count <= Baseline.idLimit else { return baseline(.part, time) }
    // While a list continues, an answer that is not a page of it proves nothing.
    if addition == .noPage {
      return baseline(pages.pageCount == 0 && !body.holdsPagedList ? .whole : .part, time)
    }
    let hasNext = addition == .page && pages.hasMore
    if addition == .page, !hasNext { return baseline(pages.hasRepeated ? .part : .whole, time) }
    guard let time, let order = NodeOrder(pages.body) else { return baseline(.part, time) }
    if order.isNewestFirst, order.last < time.earliest { return baseline(.recent, time) }
    return hasNext && pages.pageCount < Baseline.pageLimit ? nil : baseline(.part, time)
  }

  /// The baseline so far; if the times of nodes count, the ids of old ones are not needed.
  private func baseline(_ extent: Baseline.Extent, _ time: ServerTime?) -> Baseline {
    var nodes = nodes
    if extent != .whole {
      nodes = nodes.filter { _, created in
        guard let created, let time else { return time != nil }
        return created >= time.earliest
      }
    }
    return Baseline(ids: Set(nodes.keys), readAt: time, extent: extent)
  }

  func turn(_ operation: inout BatchOperation) { pages.turn(&operation) }
}

extension JSON {
  /// Whether a list inside a node has further pages, as the list of `fields=feed{…}` may have.
  ///
  /// No read of the node reaches those pages.
  var holdsPagedList: Bool {
    object?.members.contains { member in
      member.value["paging"]?["next"]?.isNull == false || member.value.holdsPagedList
    } ?? false
  }
}

/// When the first and the last node of a list were created.
struct NodeOrder {
  let first: Timestamp
  let last: Timestamp

  /// Returns nil unless the page is a list of nodes with a `created_time`.
  init?(_ page: JSON) {
    guard let data = page["data"]?.array,
      let first = data.first.flatMap({ Timestamp(createdTime: $0["created_time"]) }),
      let last = data.last.flatMap({ Timestamp(createdTime: $0["created_time"]) })
    else { return nil }
    (self.first, self.last) = (first, last)
  }

  /// If so, later pages hold nothing newer.
  var isNewestFirst: Bool { first > last }
}

extension JSON {
  /// Adds the objects at any depth that have an id, with their creation times.
  fileprivate func collectNodes(into nodes: inout [String: Timestamp?]) {
    switch self {
    case .array(let elements):
      for element in elements { element.collectNodes(into: &nodes) }
    case .object(let object):
      if let id = self["id"]?.idText {
        nodes.updateValue(Timestamp(createdTime: self["created_time"]), forKey: id)
      }
      for (_, value) in object { value.collectNodes(into: &nodes) }
    case .null, .bool, .number, .string: break
    }
  }
}
