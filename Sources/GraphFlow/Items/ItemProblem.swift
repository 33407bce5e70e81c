/// The reason why a file of items cannot be read further.
package struct ItemProblem: Error, Hashable, Sendable {
  /// The line of the file, from 1.
  package let line: Int
  /// What is wrong, without a full stop.
  package let message: String

  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }
}

extension ItemProblem: CustomStringConvertible {
  /// The line and the message: `line 3: this quote is never closed`.
  package var description: String { "line \(line): \(message)" }
}
