import GraphAPI

/// Why confirmation checks could not decide whether a write happened.
enum RemainingDoubt: Error, Hashable {
  case checkFailed(Failure)
  case tooManyPages
  case hiddenRepetition
  case several([String])
  case undated
  /// A matching node was created so close to the send that it may have existed before.
  case atBorder
  /// No answer had a `Date`.
  case untimed
  case unnamed
  case noResult
  case tooManySteps

  private static let shownIDs = 5

  /// The reason in a sentence for people, without a full stop.
  var sentence: String {
    switch self {
    case .checkFailed(let failure): return "the confirmation check failed: \(failure.error.message)"
    case .tooManyPages:
      return "the confirmation check found nothing on \(Doubt.pageLimit) pages of newer nodes: "
        + "raise `limit`"
    case .hiddenRepetition:
      return "Graph takes it for a repetition, and the confirmation checks found nothing"
    case .several(let ids):
      let shown = ids.prefix(RemainingDoubt.shownIDs).joined(separator: ", ")
      let more = ids.count - RemainingDoubt.shownIDs
      return "\(ids.count) nodes match `confirm`: \(shown)" + (more > 0 ? " and \(more) more" : "")
    case .undated: return "a node that matches `confirm` has no created_time: add it to `fields`"
    case .atBorder:
      return "a node that matches `confirm` may have existed before the write: the confirmation "
        + "check did not show everything then, and Graph's clock is too coarse to decide"
    case .untimed:
      return "a node that matches `confirm` may have existed before the write: the confirmation "
        + "check did not show everything then, and Graph's answers have no `Date`"
    case .unnamed: return "a node that matches `confirm` has no id: add it to `fields`"
    case .noResult: return "a node matches `confirm`, and its `result` does not select exactly one"
    case .tooManySteps: return "the queries of `confirm` exceed the step limit"
    }
  }
}
