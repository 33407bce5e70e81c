package import JSONPath

/// Reads the items of a file one by one; memory does not grow with the file.
///
/// A malformed item throws an ``ItemProblem`` after the items before it have been returned. After
/// an error every further call throws it again.
package struct ItemReader {
  /// The format of a file of items.
  package enum Format: String, Hashable, Sendable, CaseIterable {
    /// Rows of text under a header row (RFC 4180).
    case csv
    /// One list (RFC 8259).
    case json
    /// One value a line.
    case jsonl

    /// The format with the extension of a file's name, in any case; nil if there is none.
    package init?(fileName: String) {
      let name = fileName.lowercased()
      guard let format = Self.allCases.first(where: { name.hasSuffix(".\($0.rawValue)") }) else {
        return nil
      }
      self = format
    }
  }

  /// In bytes of the file; without a limit, an unclosed quote would read all of it into memory.
  package static let maximumItemSize = 16 * 1024 * 1024
  private let format: Format
  private var bytes: ItemBytes
  private var rows: CSVRows
  private var elements = JSONElements()
  private var failure: (any Error)?

  /// A chunk is the file's next bytes, about as many as requested, or none at the end.
  ///
  /// Fields of a table in other columns than those that are needed are checked, but null; nil needs
  /// all columns.
  package init(
    _ format: Format, needing columns: Set<String>? = nil,
    chunk: @escaping (_ size: Int) throws -> [UInt8]
  ) {
    self.format = format
    rows = CSVRows(needing: columns)
    bytes = ItemBytes(chunk)
  }

  /// Appends the next items, at most `count`; none are left if it appends fewer.
  ///
  /// - Throws: what ``next()`` throws, after it has appended the items before.
  mutating func read(_ count: Int, into items: inout [JSON]) throws {
    items.reserveCapacity(count)
    for _ in 0..<count {
      guard let item = try next() else { return }
      items.append(item)
    }
  }

  /// The next item, or nil after the last one.
  ///
  /// A row of a CSV file is an object of strings in the columns' order. The other formats give the
  /// elements of the list, or the values of the lines that are not blank.
  ///
  /// - Throws: an ``ItemProblem``, or the error of the source of the bytes.
  package mutating func next() throws -> JSON? {
    if let failure { throw failure }
    do {
      return switch format {
      case .csv: try rows.next(from: &bytes)
      case .json: try elements.next(from: &bytes)
      case .jsonl: try JSONLines.next(from: &bytes)
      }
    } catch {
      failure = error
      throw error
    }
  }
}

/// The reason why a file of items cannot be read further.
package struct ItemProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line of the file, from 1.
  package let line: Int
  package let message: String

  package init(line: Int, message: String) {
    self.line = line
    self.message = message
  }

  /// The line and the message: `line 3: this quote is never closed`.
  package var description: String { "line \(line): \(message)" }
}
