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
      if let key = check.value.sharingKey(of: request), !seen.insert(key).inserted { continue }
      count += 1
    }
    let calls = (count + width - 1) / width
    operations += count
    self.calls += calls
    return calls
  }
}
