import JSONPath
import NIOConcurrencyHelpers

/// The operations that batches have held lately, decoded: clients ask the same again and again.
///
/// An operation depends on its text and on the version of its call, and on nothing else. There is
/// room for some thousands of short ones, which are kept from the second time on: what is asked once
/// costs nothing.
final class KnownOperations: Sendable {
  private final class Entry: Sendable {
    let text: [UInt8]
    let version: String?
    let item: BatchItem

    init(_ text: [UInt8], _ version: String?, _ item: BatchItem) {
      self.text = text
      self.version = version
      self.item = item
    }
  }

  private let table = NIOLockedValueBox(RecentTable<Entry>())
  /// The longest text of an operation that is kept, in bytes.
  private static let lengthLimit = 512

  /// The elements of a batch; the reader decodes those that are not known.
  func items(
    _ elements: [Int],
    of document: JSON.Document,
    in version: String?,
    _ reader: inout BatchReader
  ) -> [BatchItem] {
    table.withLockedValue { table in
      elements.map { element in
        let range = document.range(at: element)
        let hash = document.text.hash(of: range)
        let known = table.find(hash) {
          document.text.holds($0.text, at: range) && $0.version == version
        }
        if let known { return known.item }
        guard range.count <= Self.lengthLimit, table.hasSeen(hash) else {
          return reader.item(of: element)
        }
        let item = reader.item(of: element, isKept: true)
        table.insert(Entry(Array(document.text[range]), version, item), hash)
        return item
      }
    }
  }
}

extension [UInt8] {
  /// A number that most texts have for themselves.
  fileprivate func hash(of range: Range<Int>) -> UInt64 {
    let bytes = span.bytes
    var hash = UInt64(range.count)
    var position = range.lowerBound
    while position &+ 8 <= range.upperBound {
      hash = Self.mixed(
        hash ^ bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
      )
      position &+= 8
    }
    while position < range.upperBound {
      hash = Self.mixed(hash ^ UInt64(self[position]))
      position &+= 1
    }
    return hash
  }

  private static func mixed(_ hash: UInt64) -> UInt64 {
    let product = hash &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }

  /// Whether these bytes stand in a range.
  fileprivate func holds(_ text: [UInt8], at range: Range<Int>) -> Bool {
    guard text.count == range.count else { return false }
    let (bytes, text) = (span.bytes, text.span.bytes)
    var position = 0
    while position &+ 8 <= text.byteCount {
      let word = text.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
      let other = bytes.unsafeLoadUnaligned(
        fromByteOffset: range.lowerBound &+ position,
        as: UInt64.self
      )
      guard word == other else { return false }
      position &+= 8
    }
    while position < text.byteCount {
      guard
        text.unsafeLoad(fromByteOffset: position, as: UInt8.self)
          == bytes.unsafeLoad(fromByteOffset: range.lowerBound &+ position, as: UInt8.self)
      else { return false }
      position &+= 1
    }
    return true
  }
}
