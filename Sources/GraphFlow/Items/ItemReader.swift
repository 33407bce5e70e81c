package import JSONPath

/// Reads a file of items one by one; memory does not grow with the file.
///
/// What is wrong is thrown as an ``ItemProblem`` where it is met: the items before it have been
/// given out. Once something has been thrown, every further call throws it again.
package struct ItemReader {
  /// How a file holds its items.
  package enum Format: String, Hashable, Sendable, CaseIterable {
    /// Rows of text under a header row (RFC 4180).
    case csv
    /// One list (RFC 8259).
    case json
    /// A value a line.
    case jsonl

    /// The format that a file's name ends in, in capitals or not; nil if it is none of these.
    package init?(fileName: String) {
      let name = fileName.lowercased()
      guard let format = Self.allCases.first(where: { name.hasSuffix(".\($0.rawValue)") }) else {
        return nil
      }
      self = format
    }
  }

  /// The longest item, in bytes of the file.
  ///
  /// Without a limit a quote that is never closed would bring all that follows into memory.
  package static let maximumItemSize = 16 * 1024 * 1024

  private let format: Format
  private var bytes: ItemBytes
  private var rows = CSVRows()
  private var elements = JSONElements()
  private var failure: (any Error)?

  /// Makes a reader of a file.
  ///
  /// - Parameters:
  ///   - format: How the file holds its items.
  ///   - chunk: Gives the next bytes of the file, about as many as it is asked for; none at its end.
  package init(_ format: Format, chunk: @escaping (_ size: Int) throws -> [UInt8]) {
    self.format = format
    bytes = ItemBytes(chunk)
  }

  /// The next item, or nil behind the last one.
  ///
  /// An item is an object of strings for each row of a CSV file, in the columns' order; an element of
  /// a JSON file's list; the value of a line that is not blank.
  ///
  /// - Throws: an ``ItemProblem``, or what the source of the bytes throws.
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
