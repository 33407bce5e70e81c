import JSONPath
import NIOConcurrencyHelpers

/// The operations that batches have held lately, decoded: clients ask the same again and again.
///
/// An operation depends on its text and on the version of its call, and on nothing else. There is
/// room for some thousands of short ones, which are kept from the second time on: what is asked once
/// costs nothing.
final class KnownOperations: Sendable {
  private struct State {
    var items = RecentTable<BatchItem>()
    var seen = SeenHashes()
  }

  private let state = NIOLockedValueBox(State())
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
    var items: [BatchItem?] = []
    items.reserveCapacity(elements.count)
    var sketches: [BatchReader.Sketch] = []
    state.withLockedValue { state in
      for element in elements {
        let range = document.range(at: element)
        let hash = text.hash(of: range)
        if let known = state.items.find(hash, where: { $0.isKept(for: text, range, version) }) {
          items.append(known)
        } else if range.count <= Self.lengthLimit, state.seen.note(hash) {
          let kept = BatchItem.Source(text: Array(text[range]), version: version)
          let item = reader.keptItem(of: element, kept)
          state.items.insert(item, hash)
          items.append(item)
        } else {
          sketches.append(reader.sketch(of: element))
          items.append(nil)
        }
      }
    }
    guard !sketches.isEmpty else { return items.compactMap(\.self) }
    var news = sketches.makeIterator()
    return items.compactMap { known in known ?? news.next().map { reader.item($0) } }
  }
}

extension BatchItem {
  /// Whether an item that is read from a part of a text is this one.
  fileprivate func isKept(for text: [UInt8], _ range: Range<Int>, _ version: String?) -> Bool {
    guard let kept else { return false }
    return text.holds(kept.text, at: range) && kept.version == version
  }
}
