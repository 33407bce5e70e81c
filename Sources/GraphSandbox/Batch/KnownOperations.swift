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
    var again: [(place: Int, hash: UInt64)] = []
    state.withLockedValue { state in
      for (place, element) in elements.enumerated() {
        let range = document.range(at: element)
        let hash = text.hash(of: range)
        let known = state.items.find(hash) { $0.isKept(for: text, range, version) }
        items.append(known)
        if known == nil, range.count <= Self.lengthLimit, state.seen.note(hash) {
          again.append((place, hash))
        }
      }
    }
    if !again.isEmpty { keep(again, elements, of: document, in: version, &items, reader) }
    return reader.items(elements, known: items)
  }

  /// Reads the elements that have come before, and keeps them.
  private func keep(
    _ again: [(place: Int, hash: UInt64)],
    _ elements: [Int],
    of document: JSON.Document,
    in version: String?,
    _ items: inout [BatchItem?],
    _ reader: BatchReader
  ) {
    for (place, _) in again {
      let text = Array(document.text[document.range(at: elements[place])])
      items[place] = reader.keptItem(of: elements[place], .init(text: text, version: version))
    }
    state.withLockedValue { state in
      for (place, hash) in again { items[place].map { state.items.insert($0, hash) } }
    }
  }
}

extension BatchItem {
  /// Whether an item that is read from a part of a text is this one.
  fileprivate func isKept(for text: [UInt8], _ range: Range<Int>, _ version: String?) -> Bool {
    guard let kept else { return false }
    return text.holds(kept.text, at: range) && kept.version == version
  }
}
