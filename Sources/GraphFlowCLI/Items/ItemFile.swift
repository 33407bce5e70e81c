import Dispatch
import GraphFlow
import JSONPath
import Synchronization

/// A file of items inside a workflow's folder.
struct ItemFile: Sendable {
  /// The path for messages: relative to the current folder, as the workflow's.
  let shownPath: String
  private let path: String
  private let folder: WorkflowFolder
  private let format: ItemReader.Format

  /// Names a file; its extension sets the format.
  init(_ path: String, in folder: WorkflowFolder) throws {
    guard let format = ItemReader.Format(fileName: path) else {
      throw CommandFailure(.invalid, "'\(path)' is not a .csv, .json or .jsonl file")
    }
    self.path = path
    self.folder = folder
    self.format = format
    shownPath = folder.path == "." ? path : folder.path + "/" + path
  }

  /// Whether all items have the same columns.
  var isTable: Bool { format == .csv }

  /// The items as a stream, which throws a problem after the items before it.
  ///
  /// Fields of a table in other columns than the needed ones are null; nil needs all.
  func stream(
    needing columns: Set<String>? = nil, reading observe: @escaping ([UInt8]) -> Void = { _ in }
  ) throws -> ItemStream {
    let file = try folder.file(at: path)
    let reader = ItemReader(format, needing: columns) { size in
      let bytes = try file.read(size)
      observe(bytes)
      return bytes
    }
    return ItemStream(reader, described: located)
  }

  /// So few that they stay in a processor's cache.
  private static let chunkSize = 200

  /// Visits the items until the body returns false, and returns the digest of the bytes that were
  /// read; another thread reads ahead.
  ///
  /// Fields of a table in other columns than the needed ones are null; nil needs all.
  @discardableResult
  func visit(
    needing columns: Set<String>?, _ body: (_ index: Int, _ item: JSON) throws -> Bool
  ) throws -> String {
    let digest = Mutex(FileDigest())
    let file = ItemsAhead {
      try stream(needing: columns) { bytes in digest.withLock { $0.update(bytes) } }
    }
    let reading = DispatchQueue(label: "graphflow.items")
    var index = 0
    while true {
      let items = try file.items(atMost: ItemFile.chunkSize)
      if items.isEmpty { return digest.withLock(\.text) }
      reading.async { file.prepare(ItemFile.chunkSize) }
      for item in items {
        guard try body(index, item) else { return digest.withLock(\.text) }
        index += 1
      }
    }
  }

  /// The lines on which items begin, by index; for elements of a JSON list, the lines where they end.
  ///
  /// The reader gets one line at a time, so the count of lines is its position.
  func lines(of indices: Set<Int>) throws -> [Int: Int] {
    let file = try folder.file(at: path)
    var (rest, lineCount): (ArraySlice<UInt8>, Int) = ([], 0)
    var reader = ItemReader(format) { _ in
      var line: [UInt8] = []
      while line.last != UInt8(ascii: "\n") {
        if rest.isEmpty { rest = try file.read(65_536)[...] }
        if rest.isEmpty { break }
        let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
        line += rest[..<end]
        rest = rest[end...]
      }
      if !line.isEmpty { lineCount += 1 }
      return line
    }
    var lines: [Int: Int] = [:]
    var index = 0
    while lines.count < indices.count {
      let before = lineCount
      guard try reader.next() != nil else { break }
      let isRowOfLines = format == .csv && index > 0
      if indices.contains(index) { lines[index] = isRowOfLines ? before + 1 : lineCount }
      index += 1
    }
    return lines
  }

  private func located(_ error: any Error) -> any Error {
    switch error {
    case let problem as ItemProblem:
      CommandFailure(.invalid, "\(shownPath):\(problem.line): \(problem.message)")
    case let error as SystemError:
      CommandFailure(.unreadable, "cannot read '\(shownPath)': \(error)")
    default: error
    }
  }
}
