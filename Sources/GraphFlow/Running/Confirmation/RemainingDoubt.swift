import GraphAPI

/// Why it is still not known whether a write happened, although it was looked for.
enum RemainingDoubt: Hashable, Sendable {
  /// The look itself was not answered.
  case checkFailed(Failure)
  /// What it found proves nothing.
  case obstacle(CheckVerdict.Obstacle)
  /// There are too many new nodes to read all of them.
  case tooManyPages
  /// Graph refuses the write as a repetition, and no look finds the first one.
  case hiddenRepetition

  /// How many ids a sentence names.
  private static let shownIDs = 5

  /// The reason in a sentence for people, without a full stop.
  var sentence: String {
    switch self {
    case .checkFailed(let failure):
      return "the look of `confirm` failed: \(failure.error.message)"
    case .tooManyPages:
      return "the look of `confirm` found nothing on \(Doubt.pageLimit) pages of newer nodes: "
        + "raise `limit`"
    case .hiddenRepetition:
      return "Graph takes it for a repetition, and the looks of `confirm` found nothing"
    case .obstacle(.several(let ids)):
      let shown = ids.prefix(RemainingDoubt.shownIDs).joined(separator: ", ")
      let more = ids.count - RemainingDoubt.shownIDs
      return "\(ids.count) nodes match `confirm`: \(shown)" + (more > 0 ? " and \(more) more" : "")
    case .obstacle(.undated):
      return "a node that matches `confirm` has no created_time: ask for it in `fields`"
    case .obstacle(.atBorder):
      return "a node that matches `confirm` may have been there before the write: the confirmation "
        + "check did not show everything then, and Graph's clock is too coarse to tell"
    case .obstacle(.untimed):
      return "a node that matches `confirm` may have been there before the write: the confirmation "
        + "check did not show everything then, and Graph's answers tell no time"
    case .obstacle(.unnamed):
      return "a node that matches `confirm` has no id: ask for it in `fields`"
    case .obstacle(.noResult):
      return "a node matches `confirm`, and its `result` does not select exactly one"
    case .obstacle(.tooManySteps):
      return "the queries of `confirm` take more steps than a query may"
    }
  }
}

extension Failure {
  /// What to do about a write that was looked for in vain, and is not sent again.
  static let notFoundHint =
    "it did not happen: `confirm` looked for it and found nothing; graphflow resume RUN sends it "
    + "again"

  /// The failure of a look whose answer is nothing that a query could be asked of.
  static let unreadableCheck = Failure(
    error: GraphError(message: "the answer is neither an object nor a list"),
    category: .other,
    reason: .unknown,
    hint: "look at the edge of `confirm` with graphflow get"
  )

  /// The failure of a look that has more pages, and no way to them.
  static let cutOffCheck = Failure(
    error: GraphError(message: "the link to the next page cannot be followed"),
    category: .other,
    reason: .server,
    hint: "look at the edge of `confirm` with graphflow get"
  )
}
