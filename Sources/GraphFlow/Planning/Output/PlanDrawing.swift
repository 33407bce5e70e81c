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
    let omittedCalls: Int

    var title: String { rounds.text(of: "round") }

    var omission: String? { note(ofOmitted: omittedCalls, "call") }
  }

  /// A thin line from a row to the row of the same box that waits for it.
  struct SoftLine {
    let from: Int
    let to: Int
    /// Whether only the order matters.
    let isOrder: Bool
  }

  let plan: Plan
  private let version: GraphVersion
  private(set) var boxes: [Box] = []
  private(set) var bands: [Band] = []
  private var omittedRounds = 0

  /// Creates a drawing of a plan with at most `rowLimit` requests.
  ///
  /// `defaultVersion` is the Graph version of a workflow that has none.
  package init(of plan: Plan, defaultVersion: GraphVersion = .current, rowLimit: Int = 2500) {
    self.plan = plan
    version = plan.workflow.version ?? defaultVersion
    var rowsLeft = rowLimit
    for band in PlanOutline(of: plan) {
      guard rowsLeft > 0 else {
        omittedRounds += band.rounds.count
        continue
      }
      let first = boxes.count
      var omittedCalls = 0
      for card in band.cards {
        if rowsLeft > 0 {
          rowsLeft -= card.rows.count
          boxes.append(Box(card: card, after: boxes(before: card)))
        } else {
          omittedCalls += card.calls.count
        }
      }
      bands.append(
        Band(rounds: band.rounds, boxes: first..<boxes.count, omittedCalls: omittedCalls))
    }
  }

  /// The boxes that a card waits for, without those that another of them waits for.
  private func boxes(before card: PlanOutline.Card) -> [Int] {
    let all = boxes.indices.filter { index in
      card.after.ranges.contains { $0.overlaps(boxes[index].card.calls) }
    }
    let implied = Set(all.flatMap { boxes[$0].after })
    return all.filter { !implied.contains($0) }
  }

  /// The line below the heading.
  var subtitle: String {
    "lower bound \(plan.lowerBound.text) · Graph API \(version) · \(plan.limits.strategy.rawValue)"
  }

  func title(of card: PlanOutline.Card) -> String {
    "\(card.calls.text(of: "call")) · \(counted(card.operationCount, "operation"))"
  }

  func closeReason(of card: PlanOutline.Card) -> String {
    plan.text(of: card.closeReason, alone: card.rows.first?.request)
  }

  var omission: String? { note(ofOmitted: omittedRounds, "round") }

  func softLines(of card: PlanOutline.Card) -> [SoftLine] {
    var places: [Int: Int] = [:]
    for (place, row) in card.rows.enumerated() { places[row.request] = place }
    return card.rows.enumerated().flatMap { to, row in
      row.references.compactMap { places[$0] }.map { SoftLine(from: $0, to: to, isOrder: false) }
        + row.dependsOn.compactMap { places[$0] }.map { SoftLine(from: $0, to: to, isOrder: true) }
    }
  }
}

/// A note about what a drawing omits; nil if that is nothing.
private func note(ofOmitted count: Int, _ noun: String) -> String? {
  count > 0 ? "\(counted(count, "more \(noun)")) not drawn; --format text shows all" : nil
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
