/// Why a file of items cannot be read any further.
public struct ItemProblem: Error, Hashable, Sendable {
  /// The line of the file, from 1.
  public let line: Int
  /// What is wrong, without a full stop.
  public let message: String

  /// Makes a problem.
  public init(line: Int, message: String) {
    self.line = line
    self.message = message
  }
}

extension ItemProblem: CustomStringConvertible {
  /// The place and the fault: `line 3: this quote is never closed`.
  public var description: String { "line \(line): \(message)" }
}
