import JSONPath
import NIOConcurrencyHelpers

/// The operations that batches have held lately, decoded: clients ask the same again and again.
///
/// An operation depends on its text and on the version of its call, and on nothing else. There is
/// room for some thousands of short ones, which are kept from the second time on: what is asked once
/// costs nothing.
final class KnownOperations: Sendable {
  private let table = NIOLockedValueBox(RecentTable<BatchItem>())
  /// The longest text of an operation that is kept, in bytes.
  private static let lengthLimit = 512

  /// The elements of a batch; the reader decodes those that are not known.
  func items(
    _ elements: [Int],
    of document: JSON.Document,
    in version: String?,
    _ reader: inout BatchReader
  ) -> [BatchItem] {
    let text = document.text
    var items: [BatchItem] = []
    items.reserveCapacity(elements.count)
    table.withLockedValue { table in
      for element in elements {
        let range = document.range(at: element)
        let hash = text.hash(of: range)
        if let known = table.find(hash, where: { $0.isKept(for: text, range, version) }) {
          items.append(known)
        } else if range.count <= Self.lengthLimit, table.hasSeen(hash) {
          let kept = BatchItem.Source(text: Array(text[range]), version: version)
          let item = reader.item(of: element, kept: kept)
          table.insert(item, hash)
          items.append(item)
        } else {
          items.append(reader.item(of: element))
        }
      }
    }
    return items
  }
}

extension BatchItem {
  /// Whether an item that is read from a part of a text is this one.
  fileprivate func isKept(for text: [UInt8], _ range: Range<Int>, _ version: String?) -> Bool {
    guard let kept else { return false }
    return text.holds(kept.text, at: range) && kept.version == version
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
