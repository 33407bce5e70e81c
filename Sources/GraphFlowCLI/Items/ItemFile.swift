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

  /// The items as a stream, which throws a problem after the items before it.
  func stream() throws -> ItemStream { try stream { _ in } }

  private func stream(reading observe: @escaping ([UInt8]) -> Void) throws -> ItemStream {
    let file = try folder.file(at: path)
    let reader = ItemReader(format) { size in
      let bytes = try file.read(size)
      observe(bytes)
      return bytes
    }
    return ItemStream(reader, described: located)
  }

  private static let chunkSize = 1000

  /// Visits the items until the body returns false, and returns the digest of the bytes that were
  /// read; another thread reads ahead.
  @discardableResult
  func visit(_ body: (_ index: Int, _ item: JSON) throws -> Bool) throws -> String {
    let digest = RunningDigest()
    let file = ReadAhead {
      try stream { digest.update($0) }
    } element: { item, _ in
      item
    }
    let reading = DispatchQueue(label: "graphflow.items")
    var index = 0
    while true {
      let items = try file.items(atMost: ItemFile.chunkSize).get()
      if items.isEmpty { return digest.text }
      reading.async { file.prepare(ItemFile.chunkSize) }
      for item in items {
        guard try body(index, item) else { return digest.text }
        index += 1
      }
    }
  }

  /// The lines on which items begin, by index; for elements of a JSON list, the lines where they end.
  ///
  /// The reader gets one line at a time, so the count of lines is its position.
  func lines(of indices: Set<Int>) throws -> [Int: Int] {
    let source = LineSource(try folder.file(at: path))
    var reader = ItemReader(format) { _ in try source.next() }
    var lines: [Int: Int] = [:]
    var index = 0
    while lines.count < indices.count {
      let before = source.count
      guard try reader.next() != nil else { break }
      let isRowOfLines = format == .csv && index > 0
      if indices.contains(index) { lines[index] = isRowOfLines ? before + 1 : source.count }
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

/// The digest of bytes that another thread reads.
private final class RunningDigest: Sendable {
  private let digest = Mutex(FileDigest())
  var text: String { digest.withLock(\.text) }

  func update(_ bytes: [UInt8]) { digest.withLock { $0.update(bytes) } }
}

/// The lines of a file, one by one.
private final class LineSource {
  private let file: InputFile
  private var buffer: [UInt8] = []
  private var position = 0
  private(set) var count = 0

  init(_ file: InputFile) { self.file = file }

  func next() throws -> [UInt8] {
    var line: [UInt8] = []
    while true {
      if position == buffer.count {
        buffer = try file.read(65_536)
        position = 0
      }
      guard position < buffer.count else { break }
      let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n"))
      line += buffer[position..<(end.map { $0 + 1 } ?? buffer.count)]
      position = end.map { $0 + 1 } ?? buffer.count
      if end != nil { break }
    }
    if !line.isEmpty { count += 1 }
    return line
  }
}
