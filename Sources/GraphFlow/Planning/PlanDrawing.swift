public import GraphAPI

/// A plan as a drawing: rounds from top to bottom, calls as boxes, dependencies as lines.
public struct PlanDrawing {
  private let summary: PlanSummary
  private let bands: [PlanOutline.Band]
  private let version: GraphVersion

  /// Outlines a plan for drawing.
  ///
  /// - Parameters:
  ///   - summary: what is planned.
  ///   - rounds: its rounds.
  ///   - defaultVersion: the Graph version of requests that name none.
  public init(
    of summary: PlanSummary,
    rounds: some Sequence<Plan.Round>,
    defaultVersion: GraphVersion = .current
  ) {
    self.summary = summary
    version = summary.workflow.version ?? defaultVersion
    var outline = PlanOutline(of: summary.workflow)
    var bands: [PlanOutline.Band] = []
    for round in rounds { if let band = outline.add(round) { bands.append(band) } }
    if let band = outline.finish() { bands.append(band) }
    self.bands = bands
  }
  /// As Graphviz draws it.
  public var dot: String { "" }
  /// As Mermaid draws it.
  public var mermaid: String { "" }
  /// As an SVG.
  public var svg: String { "" }
}
