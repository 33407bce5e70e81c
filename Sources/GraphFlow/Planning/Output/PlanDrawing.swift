package import GraphAPI

/// A plan as it is drawn: rounds from top to bottom, calls as boxes, and lines for what waits.
///
/// Thin lines stand inside a box: what Graph resolves or orders within one call. Strong lines stand
/// between boxes: what waits for an answer. However large a plan is, a drawing has a bounded size;
/// what is left out is said.
package struct PlanDrawing {
  /// Calls that carry the same requests, as a box.
  struct Box {
    let card: PlanOutline.Card
    /// The boxes whose answers it needs, without those that others imply, by index.
    let after: [Int]
  }

  /// Rounds, as a band across the drawing.
  struct Band {
    let rounds: ClosedRange<Int>
    /// The boxes in it, by index.
    let boxes: Range<Int>
    /// The calls of these rounds that are not drawn.
    var omittedCalls = 0
  }

  let summary: PlanSummary
  let words: PlanWords
  let version: GraphVersion
  private(set) var boxes: [Box] = []
  private(set) var bands: [Band] = []
  /// The rounds that are not drawn.
  private(set) var omittedRounds = 0
  /// The rows that may still be drawn.
  private var rowsLeft: Int

  /// Outlines a plan for drawing.
  ///
  /// - Parameters:
  ///   - summary: what is planned.
  ///   - rounds: its rounds.
  ///   - defaultVersion: the Graph version of requests that name none.
  ///   - rowLimit: how many requests are drawn at most.
  package init(
    of summary: PlanSummary,
    rounds: some Sequence<Plan.Round>,
    defaultVersion: GraphVersion = .current,
    rowLimit: Int = 2500
  ) {
    self.summary = summary
    words = PlanWords(of: summary)
    version = summary.workflow.version ?? defaultVersion
    rowsLeft = rowLimit
    var outline = PlanOutline(of: summary.workflow)
    for round in rounds { if let band = outline.add(round) { add(band) } }
    if let band = outline.finish() { add(band) }
  }

  /// Draws a whole plan.
  package init(of plan: Plan, rowLimit: Int = 2500) {
    self.init(of: plan.summary, rounds: plan.callsByRound, rowLimit: rowLimit)
  }

  private mutating func add(_ outline: PlanOutline.Band) {
    guard rowsLeft > 0 else {
      omittedRounds += outline.rounds.count
      return
    }
    let first = boxes.count
    var omittedCalls = 0
    for card in outline.cards {
      if rowsLeft > 0 {
        rowsLeft -= card.rows.count
        boxes.append(Box(card: card, after: boxes(before: card)))
      } else {
        omittedCalls += card.calls.count
      }
    }
    bands.append(
      Band(rounds: outline.rounds, boxes: first..<boxes.count, omittedCalls: omittedCalls)
    )
  }

  /// The boxes that a card waits for, without those that another of them waits for itself.
  private func boxes(before card: PlanOutline.Card) -> [Int] {
    let all = boxes.indices.filter { index in
      card.after.ranges.contains { $0.overlaps(boxes[index].card.calls) }
    }
    let implied = Set(all.flatMap { boxes[$0].after })
    return all.filter { !implied.contains($0) }
  }

  /// The heading of the drawing.
  var title: String { words.title }

  /// What stands below the heading.
  var subtitle: String {
    "lower bound \(words.lowerBound) · Graph API \(version) · \(summary.limits.strategy.rawValue)"
  }

  /// The heading of a band.
  func title(of band: Band) -> String { band.rounds.text(of: "round") }

  /// The heading of a box.
  func title(of card: PlanOutline.Card) -> String {
    "\(card.calls.text(of: "call")) · \(counted(card.operationCount, "operation"))"
  }

  /// Why a box holds no more.
  func end(of card: PlanOutline.Card) -> String {
    words.text(of: card.end, alone: card.rows.first?.request)
  }

  /// What is left out, if anything.
  var omission: String? {
    guard omittedRounds > 0 else { return nil }
    return "\(counted(omittedRounds, "more round")) not drawn; --format text has all"
  }

  /// What is left out of a band, if anything.
  func omission(of band: Band) -> String? {
    guard band.omittedCalls > 0 else { return nil }
    return "\(counted(band.omittedCalls, "more call")) not drawn; --format text has all"
  }
}

extension String {
  /// The text on one line of at most so many columns, with an ellipsis for the rest, and with
  /// everything escaped that is not to be shown.
  func cut(to columns: Int) -> String {
    var text = ""
    var width = 0
    for scalar in TokenShape.masking(self).unicodeScalars {
      width += DisplayText.width(scalar)
      guard width <= columns else { return text + "…" }
      text += DisplayText.shown(scalar)
    }
    return text
  }

  /// How many columns of a fixed-width font the text takes.
  var columns: Int { unicodeScalars.reduce(0) { $0 + DisplayText.width($1) } }
}
