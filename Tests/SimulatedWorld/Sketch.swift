/// A workflow as its author knows it: its dependencies, and the requests that may be sent twice.
///
/// The checker uses this, and never the product's reading of the file.
struct Sketch: Sendable {
  /// What a request does.
  enum Action: Sendable, Equatable {
    case object(String)
    /// A read of the tokens of all pages.
    case directory
    case list(page: String)
    case poll(String)
    case post(page: String, message: String)
    case comment(on: Int, message: String)
    case like(String)
    case delete(String)
    case deleteMade(by: Int)
  }

  /// The token that a request is sent with.
  enum Token: Sendable {
    case usual
    /// That of another profile.
    case other
    /// That of its item's page: found in the answer of this request.
    case lookedUp(in: Int)
    /// That of its item's page, which the product obtains.
    case ofPage
  }

  struct Request: Sendable {
    let name: String
    var action: Action
    /// Its group's index; nil if it is sent once.
    var group: Int?
    /// The requests that it takes values from.
    var hard: [Int] = []
    /// The requests and groups that it only comes after.
    var soft: [Int] = []
    var softGroups: [Int] = []
    var isConfirmable = false
    var hasFailingExpectation = false
    var condition: Int?
    var onError: String?
    /// Whether it is sent although the run has been stopped.
    var isCleanUp = false
    var retry: String?
    var isSentAlone = false
    var token = Token.usual
    var permission: String?
    /// The read whose `count` it sends along.
    var note: Int?
    var checkPageSize = 25

    var isWrite: Bool {
      switch action {
      case .object, .directory, .list, .poll: false
      case .post, .comment, .like, .delete, .deleteMade: true
      }
    }

    /// Whether it may always be sent again.
    var isRepeatable: Bool {
      switch action {
      case .post, .comment: false
      case .object, .directory, .list, .poll, .like, .delete, .deleteMade: true
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
  /// The read of the first group whose answers are the items of the second; nil if there is none.
  var feeder: Int?
  /// The number of failed items after which each group sends nothing more.
  var failureLimits: [Int?] = []
  /// The attempts of a request without a `retry` of its own.
  var maxAttempts = 4
  /// The time for all attempts of a request, in seconds.
  var maxElapsed = 900

  /// The mark of a request on the server's side: its name, followed by the item.
  func reference(of request: Request, item: String?) -> String {
    item.map { "\(request.name)-\($0)" } ?? request.name
  }

  /// The groups that a request waits for as a whole.
  func groups(before request: Request) -> [Int] {
    request.softGroups + (feeder != nil && request.group == 1 ? [0] : [])
  }

  /// The text of the token that a request has to be sent with.
  func token(of request: Request, item: String?) -> String {
    switch request.token {
    case .usual: Tokens.usual
    case .other: Tokens.other
    case .lookedUp, .ofPage: Tokens.page(of: item ?? "")
    }
  }

  /// Everything that is sent if nothing fails.
  var references: [(reference: String, request: Int, item: String?)] {
    requests.indices.flatMap { index -> [(String, Int, String?)] in
      guard let group = requests[index].group else { return [(requests[index].name, index, nil)] }
      return groups[group].map { (reference(of: requests[index], item: $0), index, $0) }
    }
  }

  /// The first requests and their groups; no request refers to a later one.
  func prefix(_ size: Int) -> Sketch {
    guard size < requests.count else { return self }
    var sketch = self
    sketch.requests = Array(requests.prefix(size))
    if let feeder, feeder >= size { sketch.feeder = nil }
    for index in sketch.requests.indices {
      guard case .lookedUp(let directory) = sketch.requests[index].token, directory >= size else {
        continue
      }
      sketch.requests[index].token = .usual
      sketch.requests[index].hard.removeAll { $0 == directory }
    }
    let used = Set(sketch.requests.compactMap(\.group))
    for group in groups.indices where !used.contains(group) { sketch.groups[group] = [] }
    return sketch
  }
}
