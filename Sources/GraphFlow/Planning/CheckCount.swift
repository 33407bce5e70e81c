import GraphAPI
import JSONPath

/// The number of confirmation checks that a plan reads before it sends writes for the first time.
///
/// Writes whose checks are written identically share one check. Checks that depend on an item or on an
/// answer are counted as different, so this is an upper bound.
struct CheckCount: Sendable {
  private(set) var operations = 0
  /// The calls that carry them, before those of the rounds.
  private(set) var calls = 0
  private var seen: Set<String> = []

  /// Adds the checks of a round; returns the number of calls that carry them.
  mutating func add(_ round: Plan.Round, of requests: [Workflow.Request], width: Int) -> Int {
    var count = 0
    for operation in round.calls.lazy.flatMap(\.operations) {
      let request = requests[operation.request]
      guard let check = request.confirmation else { continue }
      if let key = check.sharingKey(of: request), !seen.insert(key).inserted { continue }
      count += 1
    }
    let calls = (count + width - 1) / width
    operations += count
    self.calls += calls
    return calls
  }
}

extension Workflow.Confirmation {
  /// Whether the check is the same for all items and all answers.
  var isFixed: Bool {
    let placeholders = path.placeholders + params.flatMap(\.value.placeholders)
    return placeholders.allSatisfy { placeholder in
      switch placeholder.kind {
      case .input, .runID, .runStartedAt: true
      case .result, .item, .index: false
      }
    }
  }

  /// A key that is equal for all requests that share the check; nil for a check that is not fixed.
  fileprivate func sharingKey(of request: Workflow.Request) -> String? {
    guard isFixed, case .profile(let profile) = request.token else { return nil }
    let params = params.map { "\($0.name)=\($0.value.writtenText)" }.joined(separator: "&")
    return "\(profile) \(request.version?.description ?? "") \(path.text)?\(params)"
  }
}

extension ValueTemplate {
  /// The value as it is written, without its location.
  fileprivate var writtenText: String {
    switch self {
    case .literal(let value): value.serialized()
    case .template(let template): template.text
    case .list(let elements): "[\(elements.map(\.writtenText).joined(separator: ","))]"
    case .map(let members):
      "{\(members.map { "\($0.name):\($0.value.writtenText)" }.joined(separator: ","))}"
    }
  }
}
