import GraphFlow
import JSONPath

/// Rows that come later than others, in a file that is gone when the process ends.
///
/// Memory does not grow with them: accounts that wait for a limit, and items with many pages, hold back
/// as many rows as there is room on the disk. A class, because an open file has an identity.
final class RowSpool {
  /// The item that has rows, and the output that they are of.
  struct Owner: Hashable {
    let output, item: Int
  }

  private let path: String
  private var descriptor: Int32 = -1
  /// Where the rows of each owner are: lines of JSON, as they were appended.
  private var places: [Owner: [Range<Int>]] = [:]
  private var size = 0
  /// The owners whose rows could not be written completely.
  private var damaged: Set<Owner> = []

  /// Creates the file with the first row; the folder must exist then.
  init(at path: String) { self.path = path }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func append(_ rows: [JSON], of owner: Owner, _ outcome: inout CommandOutcome) {
    guard !rows.isEmpty, !damaged.contains(owner) else { return }
    var text: [UInt8] = []
    for row in rows {
      row.write(to: &text)
      text.append(UInt8(ascii: "\n"))
    }
    do { try write(ProcessRedactor.redacted(text), of: owner) } catch {
      if damaged.isEmpty { outcome.recordFailure(error) }
      damaged.insert(owner)
    }
  }

  private func write(_ text: [UInt8], of owner: Owner) throws {
    if descriptor < 0 {
      descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw failure(.cannotCreate) }
      unlink(path)
    }
    var written = 0
    while written < text.count {
      let count = text[written...].withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, $0.count, off_t(size + written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(.cannotWrite) }
      written += count
    }
    places[owner, default: []].append(size..<(size + text.count))
    size += text.count
  }

  /// Passes on the rows of an owner, in the order in which they were appended, and removes them.
  ///
  /// - Throws: if not all of them are there, and what `body` throws.
  func take(_ owner: Owner, _ body: (JSON) throws -> Void) throws {
    defer { drop(owner) }
    guard !damaged.contains(owner) else {
      throw CommandFailure(.cannotWrite, "rows that had to wait for others could not be kept")
    }
    for place in places[owner] ?? [] {
      for line in try read(place).split(separator: UInt8(ascii: "\n")) {
        try body(JSON(parsing: Array(line)))
      }
    }
  }

  private func read(_ place: Range<Int>) throws -> [UInt8] {
    var (text, filled) = ([UInt8](repeating: 0, count: place.count), 0)
    while filled < text.count {
      let count = text.withUnsafeMutableBytes {
        pread(
          descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled,
          off_t(place.lowerBound + filled))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(.cannotWrite) }
      filled += count
    }
    return text
  }

  private func failure(_ status: ExitStatus) -> CommandFailure {
    CommandFailure(
      status, "cannot keep the rows that wait for others in \(path): \(SystemError.last)",
      hint: "make room on the disk")
  }

  /// Removes the rows of an owner; without any rows the file is empty again.
  func drop(_ owner: Owner) {
    damaged.remove(owner)
    guard places.removeValue(forKey: owner) != nil, places.isEmpty else { return }
    size = 0
    ftruncate(descriptor, 0)
  }
}
