/// A range of columns in one line of a file.
///
/// Columns count Unicode scalars, as libyaml does; everything counts from 1.
public struct SourceLocation: Hashable, Sendable {
  // A file may have millions of values with a location, so a location takes twelve bytes.
  private let packedLine: UInt32
  private let packedColumn: UInt32
  private let packedEndColumn: UInt32
  /// The line, from 1.
  public var line: Int { Int(packedLine) }
  /// The first column, from 1.
  public var column: Int { Int(packedColumn) }
  /// The column after the last one; never less than the column.
  public var endColumn: Int { Int(packedEndColumn) }

  /// Makes a location; numbers below 1 count as 1.
  package init(line: Int, column: Int, endColumn: Int) {
    packedLine = UInt32(clamping: max(line, 1))
    packedColumn = UInt32(clamping: max(column, 1))
    packedEndColumn = UInt32(clamping: max(endColumn, column, 1))
  }

  /// The same columns of another line.
  func moved(by lines: Int) -> SourceLocation {
    SourceLocation(line: line + lines, column: column, endColumn: endColumn)
  }

  /// The first character of a file, for problems with the whole file.
  package static let start = SourceLocation(line: 1, column: 1, endColumn: 1)
}

extension SourceLocation: Comparable {
  /// Orders by line, then column, then end.
  public static func < (left: SourceLocation, right: SourceLocation) -> Bool {
    (left.packedLine, left.packedColumn, left.packedEndColumn)
      < (right.packedLine, right.packedColumn, right.packedEndColumn)
  }
}

extension SourceLocation: CustomStringConvertible {
  /// Line and column: `14:19`.
  public var description: String { "\(line):\(column)" }
}
