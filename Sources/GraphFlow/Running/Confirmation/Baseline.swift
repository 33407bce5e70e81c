import GraphAPI
import JSONPath

/// What a confirmation check showed before a write was sent for the first time.
///
/// What was there then is nobody's write. Only as many ids are kept as a later look could take for
/// new ones.
package struct Baseline: Hashable, Sendable {
  /// How much of what was there the read has shown.
  package enum Extent: String, Hashable, Sendable {
    /// All of it: there were no further pages.
    case whole
    /// Everything that was not older than the read itself by more than Graph's clock is uncertain.
    case recent
    /// There may be more.
    case part
  }

  /// Its number in the run, from 1; 0 as long as it has none.
  package var number = 0
  /// The ids of the nodes that were there, but for those that are too old to be taken for new.
  package var ids: Set<String>
  /// When it was read.
  package var readAt: ServerTime?
  /// How much it shows.
  package var extent: Extent

  /// How many pages are read at most.
  static let pageLimit = 5
  /// How many ids are kept at most; what shows more counts as a part.
  static let idLimit = 10_000
}

/// What is known of the time before a write was sent that may have happened.
struct WriteEvidence: Hashable, Sendable {
  /// When it was sent, by Graph's clock; nil where no answer had told the time.
  var sentAt: ServerTime?
  /// What its confirmation check showed before; nil if that could not be read.
  var baseline: Baseline?
  /// How often Graph's clock had been seen to be set when it was sent; nil if another process sent
  /// it.
  var clockSteps: Int?

  /// What the check showed before an earlier attempt of this process, for the next one.
  ///
  /// - Parameter clock: Graph's clock as it is known now.
  /// - Returns: nil if there is none, or if Graph's clock was set since it was read: by its time what
  ///   the next attempt makes could be older than the baseline.
  func baseline(ifNotSetSince clock: ServerClock) -> Baseline? {
    clockSteps == clock.steps ? baseline : nil
  }

  /// What of it still counts: times by a clock that was set since then tell nothing.
  ///
  /// - Parameters:
  ///   - clock: Graph's clock as it is known now.
  ///   - now: the time since the run's start.
  /// - Returns: the evidence, without times if Graph's clock was set.
  func counting(by clock: ServerClock, at now: Duration) -> WriteEvidence {
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
  private var pageCount = 0
  /// When each node was made that was shown, by its id; nil where it does not say.
  private var nodes: [String: Timestamp?] = [:]
  /// When the first page was asked for.
  private(set) var startedAt: Duration?

  /// Takes in an answer.
  ///
  /// - Parameters:
  ///   - body: what it holds.
  ///   - startedAt: when its call was started.
  ///   - clock: Graph's clock, as far as it is known by this answer.
  /// - Returns: what the read has shown; nil if the next page has to be read first.
  mutating func add(_ body: JSON, startedAt: Duration, by clock: ServerClock) -> Baseline? {
    let start = self.startedAt ?? startedAt
    self.startedAt = start
    let time = clock.time(at: start)
    body.collectNodes(into: &nodes)
    pageCount += 1
    let addition = pages.add(body)
    guard nodes.count <= Baseline.idLimit else { return baseline(.part, time) }
    // Beside a list that continues, what is no page of it proves nothing.
    if addition == .noPage {
      return baseline(pageCount == 1 && !body.holdsPagedList ? .whole : .part, time)
    }
    let hasNext = addition == .page && pages.hasMore
    if addition == .page, !hasNext { return baseline(pages.hasRepeated ? .part : .whole, time) }
    guard let time, let order = NodeOrder(pages.body) else { return baseline(.part, time) }
    if order.isNewestFirst, order.last < time.earliest { return baseline(.recent, time) }
    return hasNext && pageCount < Baseline.pageLimit ? nil : baseline(.part, time)
  }

  /// What was read; where the times of nodes count, the ids of old ones are not needed.
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

  /// Turns an operation to the next page.
  func turn(_ operation: inout BatchOperation) { pages.turn(&operation) }
}

extension JSON {
  /// Whether a list inside a node has further pages, which no read of the node comes to: the list of
  /// `fields=feed{…}`.
  var holdsPagedList: Bool {
    object?.members.contains { member in
      member.value["paging"]?["next"]?.isNull == false || member.value.holdsPagedList
    } ?? false
  }
}

/// When the first and the last node of a list were made.
struct NodeOrder {
  let first: Timestamp
  let last: Timestamp

  /// nil for what is no list of nodes with a `created_time`.
  init?(_ page: JSON) {
    guard let data = page["data"]?.array,
      let first = data.first.flatMap({ Timestamp(createdTime: $0["created_time"]) }),
      let last = data.last.flatMap({ Timestamp(createdTime: $0["created_time"]) })
    else { return nil }
    (self.first, self.last) = (first, last)
  }

  /// Whether the newest come first, so that nothing newer is on later pages.
  var isNewestFirst: Bool { first > last }
}

extension JSON {
  /// Adds the objects at any depth that have an id, with the times when they were made.
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
