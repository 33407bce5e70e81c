import GraphFlow
import JSONPath

/// Files of items for the tests of reading them.
enum ItemSample {
  /// The result of reading a file: its items, and the problem that ends it.
  struct Outcome: Equatable, CustomStringConvertible {
    var items: [JSON] = []
    var problem: ItemProblem?

    var description: String {
      items.map { $0.serialized() }.joined(separator: " ") + (problem.map { " \($0)" } ?? "")
    }
  }

  /// Returns the bytes of a file in chunks of one size, whatever is requested.
  static func reader(
    _ format: ItemReader.Format, _ bytes: [UInt8], needing columns: Set<String>? = nil,
    chunkSize: Int
  ) -> ItemReader {
    var rest = bytes[...]
    return ItemReader(format, needing: columns) { _ in
      defer { rest = rest.dropFirst(chunkSize) }
      return Array(rest.prefix(chunkSize))
    }
  }

  /// Reads a whole file.
  static func read(
    _ format: ItemReader.Format, _ bytes: [UInt8], needing columns: Set<String>? = nil,
    chunkSize: Int = 1000
  ) throws -> Outcome {
    var reader = reader(format, bytes, needing: columns, chunkSize: chunkSize)
    var outcome = Outcome()
    do {
      while let item = try reader.next() { outcome.items.append(item) }
    } catch let problem as ItemProblem {
      outcome.problem = problem
    }
    return outcome
  }

  /// Reads a whole file.
  static func read(
    _ format: ItemReader.Format, _ text: String, chunkSize: Int = 1000
  ) throws -> Outcome { try read(format, Array(text.utf8), chunkSize: chunkSize) }
}
