package import JSONPath
internal import Synchronization

/// A file of items that is read ahead, while the caller processes the items before.
final class ReadAhead<Element: Sendable>: Sendable {
  private struct State {
    var stream: ItemStream?
    /// The number of items that were read.
    var count = 0
    /// The items that were read ahead.
    var next: Result<[Element], any Error>?
  }

  private let open: @Sendable () throws -> ItemStream
  private let elements: @Sendable (_ items: [JSON], _ first: Int) -> [Element]
  private let state = Mutex(State())

  /// Wraps a file, which is opened when the first items are read; `elements` converts items, and
  /// may leave some out.
  init(
    opening open: @escaping @Sendable () throws -> ItemStream,
    elements: @escaping @Sendable (_ items: [JSON], _ first: Int) -> [Element]
  ) {
    self.open = open
    self.elements = elements
  }

  /// The next items; an empty result is the end.
  func items(atMost count: Int) -> Result<[Element], any Error> {
    state.withLock { $0.next.take() ?? read(count, &$0) }
  }

  /// Reads the next items ahead, unless they were read already.
  func prepare(_ count: Int) {
    state.withLock { state in
      if state.next == nil { state.next = read(count, &state) }
    }
  }

  private func read(_ count: Int, _ state: inout State) -> Result<[Element], any Error> {
    Result {
      let stream = try state.stream ?? open()
      state.stream = stream
      // A chunk may have no element at all, which is not the end.
      while true {
        let items = try stream.next(count)
        let elements = elements(items, state.count)
        state.count += items.count
        if items.isEmpty || !elements.isEmpty { return elements }
      }
    }
  }
}

/// A file whose items are read ahead as they are; other modules get no specialized generic code.
package struct ItemsAhead: Sendable {
  private let file: ReadAhead<JSON>

  package init(opening open: @escaping @Sendable () throws -> ItemStream) {
    file = ReadAhead(opening: open) { items, _ in items }
  }

  package func items(atMost count: Int) throws -> [JSON] { try file.items(atMost: count).get() }

  package func prepare(_ count: Int) { file.prepare(count) }
}
