/// A workflow as its author knows it: what depends on what, and who may be sent twice.
///
/// The checker goes by this, and never asks the product what it made of the file.
struct Sketch: Sendable {
  /// What a request does.
  enum Action: Sendable, Equatable {
    case object(String)
    case list(page: String)
    case poll(String)
    case post(page: String, message: String)
    case comment(on: Int, message: String)
    case like(String)
    case delete(String)
    case deleteMade(by: Int)
  }

  struct Request: Sendable {
    let name: String
    var action: Action
    /// Its group's index; nil if it is sent once.
    var group: Int?
    /// What it takes values from.
    var hard: [Int] = []
    /// What it only comes after: requests, and whole groups.
    var soft: [Int] = []
    var softGroups: [Int] = []
    var isConfirmable = false
    var expectsTheImpossible = false
    var condition: Int?
    var onError: String?
    var retry: String?
    var isSentAlone = false
    var hasOtherToken = false
    var permission: String?
    var lookLimit = 25

    var isWrite: Bool {
      switch action {
      case .object, .list, .poll: false
      case .post, .comment, .like, .delete, .deleteMade: true
      }
    }

    /// Whether its author allows that it is sent again whatever happened.
    var isRepeatable: Bool {
      switch action {
      case .post, .comment: false
      case .object, .list, .poll, .like, .delete, .deleteMade: true
      }
    }

    /// Whether others of the workflow post the same text at the same place.
    var isTwin: Bool {
      if case .post(_, let message) = action { message.hasPrefix("twin") } else { false }
    }
  }

  var requests: [Request] = []
  /// The items of each group.
  var groups: [[String]] = []
  /// The read of the first group whose answers are the items of the second; nil if those are a list.
  var feeder: Int?
  /// After how many failed items each group sends nothing more.
  var failureLimits: [Int?] = []
  /// The most attempts of requests that say nothing else.
  var maxAttempts = 4
  /// How long a request is tried, in seconds.
  var maxElapsed = 900

  /// Who a write or read is on the server's side: its name, and its item's behind it.
  func reference(of request: Request, item: String?) -> String {
    item.map { "\(request.name)-\($0)" } ?? request.name
  }

  /// The groups that a request comes after as a whole.
  func groups(before request: Request) -> [Int] {
    request.softGroups + (feeder != nil && request.group == 1 ? [0] : [])
  }

  /// All that is sent, if all goes well.
  var references: [(reference: String, request: Int, item: String?)] {
    requests.indices.flatMap { index -> [(String, Int, String?)] in
      guard let group = requests[index].group else { return [(requests[index].name, index, nil)] }
      return groups[group].map { (reference(of: requests[index], item: $0), index, $0) }
    }
  }

  /// The first requests, and the groups that they are in; nothing refers to what comes later.
  func prefix(_ size: Int) -> Sketch {
    guard size < requests.count else { return self }
    var sketch = self
    sketch.requests = Array(requests.prefix(size))
    if let feeder, feeder >= size { sketch.feeder = nil }
    let used = Set(sketch.requests.compactMap(\.group))
    for group in groups.indices where !used.contains(group) { sketch.groups[group] = [] }
    return sketch
  }
}
