import GraphAPI
import JSONPath

/// How many confirmation checks a plan reads before writes are sent for the first time.
///
/// Writes whose checks are written alike share one. Those that depend on an item or on an answer are
/// taken to differ, so there are at most so many.
struct CheckCount: Hashable, Sendable {
  /// The checks, each an operation of its own.
  private(set) var operations = 0
  /// The calls that carry them, before those of the rounds.
  private(set) var calls = 0
  private var seen: Set<String> = []

  /// Counts the checks of a round; returns how many calls carry them.
  mutating func add(_ round: Plan.Round, of workflow: Workflow, width: Int) -> Int {
    var count = 0
    for operation in round.calls.lazy.flatMap(\.operations) {
      let request = workflow.requests[operation.request]
      guard let check = request.confirmation else { continue }
      if let text = check.sharedText(of: request), !seen.insert(text).inserted { continue }
      count += 1
    }
    let calls = (count + width - 1) / width
    operations += count
    self.calls += calls
    return calls
  }
}

extension Workflow.Confirmation {
  /// Whether the check asks for the same whatever item it is for and whatever was answered.
  var isFixed: Bool {
    let placeholders = path.placeholders + params.flatMap(\.value.placeholders)
    return placeholders.allSatisfy { placeholder in
      switch placeholder.kind {
      case .input, .runID, .runStartedAt: true
      case .result, .item, .index: false
      }
    }
  }

  /// What is the same for all requests that share the check; nil if it differs.
  fileprivate func sharedText(of request: Workflow.Request) -> String? {
    guard isFixed, case .profile(let profile) = request.token else { return nil }
    let params = params.map { "\($0.name)=\($0.value.writtenText)" }.joined(separator: "&")
    return "\(profile) \(request.version?.description ?? "") \(path.text)?\(params)"
  }
}

extension ValueTemplate {
  /// The value as it is written, without its place.
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
