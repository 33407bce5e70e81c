/// The amount of work that one evaluation may take.
///
/// A step is a visited or selected node, a comparison, about sixteen compared bytes, or one tried
/// state of a regular expression. Ten million steps take about half a second.
public struct StepLimit: Hashable, Sendable {
  /// The number of steps allowed.
  public let steps: Int

  /// Makes a limit of that many steps; with zero or less nothing can be evaluated.
  public init(steps: Int) { self.steps = steps }

  /// Ten million steps.
  public static let standard = StepLimit(steps: 10_000_000)
}
