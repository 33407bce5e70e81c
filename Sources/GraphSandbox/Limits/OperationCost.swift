/// The assumed cost of an operation, in milliseconds.
///
/// The table is invented and fixed, so that the same calls give the same percentages
/// (docs/internals/graph-api.md, decision 27).
struct OperationCost: Hashable, Sendable {
  let processorTime: Int
  let time: Int

  static let node = OperationCost(processorTime: 5, time: 10)
  static let edge = OperationCost(processorTime: 10, time: 20)
  static let write = OperationCost(processorTime: 15, time: 30)
  static let upload = OperationCost(processorTime: 40, time: 120)
  /// The highest cost; quotas that set only calls allow this much for each.
  static let highest = upload
}

extension OperationCost {
  init(of request: GraphRequest) {
    switch request.method {
    case .get where request.path.count > 1: self = .edge
    case .get: self = .node
    case .post where !request.files.isEmpty: self = .upload
    case .post, .delete: self = .write
    }
  }
}
