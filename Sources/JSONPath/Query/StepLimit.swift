/// How much work one evaluation may be.
///
/// A step is a node visited or selected, a comparison, about sixteen bytes compared, or one state of
/// a regular expression tried. Ten million take about half a second.
public struct StepLimit: Hashable, Sendable {
  /// The number of steps allowed.
  public let steps: Int

  /// Allows that many steps.
  public init(steps: Int) { self.steps = steps }

  /// Ten million steps.
  public static let standard = StepLimit(steps: 10_000_000)
}
