import GraphAPI

/// Why confirmation checks could not decide whether a write happened.
enum RemainingDoubt: Hashable, Sendable {
  /// The check itself failed.
  case checkFailed(Failure)
  /// The nodes that it found prove nothing.
  case obstacle(CheckVerdict.Obstacle)
  /// There are too many new nodes to read all of them.
  case tooManyPages
  /// Graph refuses the write as a repetition, and no check finds the first one.
  case hiddenRepetition

  /// How many ids a sentence lists.
  private static let shownIDs = 5

  /// The reason in a sentence for people, without a full stop.
  var sentence: String {
    switch self {
    case .checkFailed(let failure):
      return "the confirmation check failed: \(failure.error.message)"
    case .tooManyPages:
      return "the confirmation check found nothing on \(Doubt.pageLimit) pages of newer nodes: "
        + "raise `limit`"
    case .hiddenRepetition:
      return "Graph takes it for a repetition, and the confirmation checks found nothing"
    case .obstacle(.several(let ids)):
      let shown = ids.prefix(RemainingDoubt.shownIDs).joined(separator: ", ")
      let more = ids.count - RemainingDoubt.shownIDs
      return "\(ids.count) nodes match `confirm`: \(shown)" + (more > 0 ? " and \(more) more" : "")
    case .obstacle(.undated):
      return "a node that matches `confirm` has no created_time: add it to `fields`"
    case .obstacle(.atBorder):
      return "a node that matches `confirm` may have existed before the write: the confirmation "
        + "check did not show everything then, and Graph's clock is too coarse to decide"
    case .obstacle(.untimed):
      return "a node that matches `confirm` may have existed before the write: the confirmation "
        + "check did not show everything then, and Graph's answers have no `Date`"
    case .obstacle(.unnamed):
      return "a node that matches `confirm` has no id: add it to `fields`"
    case .obstacle(.noResult):
      return "a node matches `confirm`, and its `result` does not select exactly one"
    case .obstacle(.tooManySteps):
      return "the queries of `confirm` exceed the step limit"
    }
  }
}

extension Failure {
  /// The hint for a write that no check found, and that is not sent again.
  static let notFoundHint =
    "it did not happen: `confirm` searched for it and found nothing; graphflow resume RUN sends it "
    + "again"

  /// The failure of a check whose answer cannot be queried.
  static let unreadableCheck = Failure(
    error: GraphError(message: "the answer is neither an object nor a list"), category: .other,
    reason: .unknown, hint: "inspect the edge of `confirm` with graphflow get")

  /// The failure of a check whose further pages cannot be reached.
  static let cutOffCheck = Failure(
    error: GraphError(message: "the link to the next page cannot be followed"), category: .other,
    reason: .server, hint: "inspect the edge of `confirm` with graphflow get")
}
