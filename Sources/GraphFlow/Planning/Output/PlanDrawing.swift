package import GraphAPI

/// A drawing of a plan: rounds from top to bottom, calls as boxes, dependencies as lines.
///
/// Thin lines are inside a box: references that Graph resolves, and orders that it keeps, within one
/// call. Thick lines are between boxes: a call waits for an answer. A drawing has a bounded size
/// however large the plan is, and states what it omits.
package struct PlanDrawing {
  /// A box: calls that carry the same requests.
  struct Box {
    let card: PlanOutline.Card
    /// The indices of the boxes whose answers it needs, without those that others imply.
    let after: [Int]
  }

  /// A band across the drawing: one round or several.
  struct Band {
    let rounds: ClosedRange<Int>
    /// The indices of its boxes.
    let boxes: Range<Int>
    /// The number of calls of these rounds that are not drawn.
    var omittedCalls = 0
  }

  let summary: PlanSummary
  let labels: PlanLabels
  let version: GraphVersion
  private(set) var boxes: [Box] = []
  private(set) var bands: [Band] = []
  /// The number of rounds that are not drawn.
  private(set) var omittedRounds = 0
  /// The number of rows that may still be drawn.
  private var rowsLeft: Int

  /// Creates a drawing of a plan.
  ///
  /// - Parameters:
  ///   - summary: the figures of the plan.
  ///   - rounds: its rounds.
  ///   - defaultVersion: the Graph version of a workflow that has none.
  ///   - rowLimit: the most requests that are drawn.
  package init(
    of summary: PlanSummary, rounds: some Sequence<Plan.Round>,
    defaultVersion: GraphVersion = .current, rowLimit: Int = 2500
  ) {
    self.summary = summary
    labels = PlanLabels(of: summary)
    version = summary.workflow.version ?? defaultVersion
    rowsLeft = rowLimit
    var outline = PlanOutline(of: summary.workflow)
    for round in rounds { if let band = outline.add(round) { add(band) } }
    if let band = outline.finish() { add(band) }
  }

  /// Creates a drawing of a whole plan.
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
      Band(rounds: outline.rounds, boxes: first..<boxes.count, omittedCalls: omittedCalls))
  }

  /// The boxes that a card waits for, without those that another of them waits for.
  private func boxes(before card: PlanOutline.Card) -> [Int] {
    let all = boxes.indices.filter { index in
      card.after.ranges.contains { $0.overlaps(boxes[index].card.calls) }
    }
    let implied = Set(all.flatMap { boxes[$0].after })
    return all.filter { !implied.contains($0) }
  }

  /// The heading of the drawing.
  var title: String { labels.title }

  /// The line below the heading.
  var subtitle: String {
    "lower bound \(labels.lowerBound) · Graph API \(version) · \(summary.limits.strategy.rawValue)"
  }

  /// The heading of a band.
  func title(of band: Band) -> String { band.rounds.text(of: "round") }

  /// The heading of a box.
  func title(of card: PlanOutline.Card) -> String {
    "\(card.calls.text(of: "call")) · \(counted(card.operationCount, "operation"))"
  }

  /// Why a box holds no more operations.
  func closeReason(of card: PlanOutline.Card) -> String {
    labels.text(of: card.closeReason, alone: card.rows.first?.request)
  }

  /// A note about omitted rounds, if there are any.
  var omission: String? {
    guard omittedRounds > 0 else { return nil }
    return "\(counted(omittedRounds, "more round")) not drawn; --format text shows all"
  }

  /// A note about omitted calls of a band, if there are any.
  func omission(of band: Band) -> String? {
    guard band.omittedCalls > 0 else { return nil }
    return "\(counted(band.omittedCalls, "more call")) not drawn; --format text shows all"
  }
}

extension String {
  /// The text on one line of at most `columns` columns, with an ellipsis for the rest; tokens are masked
  /// and unprintable characters escaped.
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

  /// The number of columns that the text needs in a fixed-width font.
  var columns: Int { unicodeScalars.reduce(0) { $0 + DisplayText.width($1) } }
}
