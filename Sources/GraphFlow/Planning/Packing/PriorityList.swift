/// The order in which a list rule places ready instances.
///
/// Instances that travel alone come first: they take no room from others, and cost the same whenever
/// they are sent. Then more urgent requests come before less urgent ones, then earlier items before
/// later ones, then earlier requests of the list before later ones.
struct PriorityList: Sendable {
  /// An instance's position in the list.
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

  /// `urgencies` has the urgency of each request, `order` the requests in the order that breaks ties.
  init(urgencies: [Int32], order: [Int]) {
    self.urgencies = urgencies
    var ranks = [Int32](repeating: 0, count: order.count)
    for (rank, request) in order.enumerated() { ranks[request] = Int32(truncatingIfNeeded: rank) }
    self.ranks = ranks
  }

  func place(of instance: Int, in graph: InstanceGraph) -> Place {
    let request = graph.request(of: instance)
    return Place(
      urgency: graph.requests.isAlone[request] ? .max : urgencies[request],
      place: instance - request + Int(ranks[request]), instance: instance)
  }
}
