/// The order in which a list rule takes up what could be placed.
///
/// What travels alone goes first: it takes no room from others, and costs the same whenever it goes.
/// Then the more urgent request; of equally urgent instances those of the first items, and of
/// one item's instances those of the first place in the list.
struct PriorityList: Sendable {
  /// An instance's place in the list.
  struct Place: Comparable, Sendable {
    let urgency: Int32
    fileprivate let place: Int
    let instance: Int

    static func < (one: Place, other: Place) -> Bool {
      one.urgency == other.urgency ? one.place < other.place : one.urgency > other.urgency
    }
  }

  private let urgencies: [Int32]
  private let ranks: [Int32]

  /// Makes a list.
  ///
  /// - Parameters:
  ///   - urgencies: how urgent each request is.
  ///   - order: the requests, the first of equally urgent ones first.
  init(urgencies: [Int32], order: [Int]) {
    self.urgencies = urgencies
    var ranks = [Int32](repeating: 0, count: order.count)
    for (rank, request) in order.enumerated() { ranks[request] = Int32(truncatingIfNeeded: rank) }
    self.ranks = ranks
  }

  /// Where an instance stands.
  func place(of instance: Int, in graph: InstanceGraph) -> Place {
    let request = graph.request(of: instance)
    return Place(
      urgency: graph.requests.isAlone[request] ? .max : urgencies[request],
      place: instance - request + Int(ranks[request]),
      instance: instance
    )
  }
}
