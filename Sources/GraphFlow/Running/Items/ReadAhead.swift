package import JSONPath
internal import Synchronization

/// A file of items, of which the next ones are read while somebody is busy with those before.
package final class ReadAhead<Element: Sendable>: Sendable {
  private struct State {
    var stream: ItemStream?
    /// How many items were read.
    var count = 0
    /// What was read and nobody has asked for yet.
    var next: Result<[Element], any Error>?
  }

  private let open: @Sendable () throws -> ItemStream
  private let element: @Sendable (_ item: JSON, _ index: Int) -> Element
  private let state = Mutex(State())

  /// Wraps a file.
  ///
  /// - Parameters:
  ///   - open: opens it, once something is read.
  ///   - element: what is wanted of an item, worked out along with the reading.
  package init(
    opening open: @escaping @Sendable () throws -> ItemStream,
    element: @escaping @Sendable (_ item: JSON, _ index: Int) -> Element
  ) {
    self.open = open
    self.element = element
  }

  /// The next items; none are the end.
  package func items(atMost count: Int) -> Result<[Element], any Error> {
    state.withLock { $0.next.take() ?? read(count, &$0) }
  }

  /// Reads the next items before anybody asks for them, unless it has already.
  package func prepare(_ count: Int) {
    state.withLock { state in
      if state.next == nil { state.next = read(count, &state) }
    }
  }

  private func read(_ count: Int, _ state: inout State) -> Result<[Element], any Error> {
    Result {
      let stream = try state.stream ?? open()
      state.stream = stream
      return try stream.next(count).map { item in
        defer { state.count += 1 }
        return element(item, state.count)
      }
    }
  }
}
