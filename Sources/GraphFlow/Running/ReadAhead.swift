internal import JSONPath
internal import Synchronization

/// A file of items, of which the next ones are read while the run is busy with those before.
final class ReadAhead: Sendable {
  private struct State {
    var stream: ItemStream?
    /// What was read and nobody has asked for yet.
    var next: Result<[JSON], ItemsUnreadable>?
  }

  private let open: @Sendable () throws -> ItemStream
  private let state = Mutex(State())

  /// The file at a path, which is opened once something is read.
  init(_ path: String, in context: RunContext) {
    open = { [open = context.openItems] in try open(path) }
  }

  /// The next items; none are the end.
  func items(atMost count: Int) -> Result<[JSON], ItemsUnreadable> {
    state.withLock { $0.next.take() ?? read(count, from: &$0.stream) }
  }

  /// Reads the next items before anybody asks for them, unless it has already.
  func prepare(_ count: Int) {
    state.withLock { state in
      if state.next == nil { state.next = read(count, from: &state.stream) }
    }
  }

  private func read(
    _ count: Int,
    from stream: inout ItemStream?
  ) -> Result<[JSON], ItemsUnreadable> {
    do {
      let items = try stream ?? open()
      stream = items
      return .success(try items.next(count))
    } catch {
      return .failure(ItemsUnreadable(message: "\(error)"))
    }
  }
}
